"""regard classify: text in, labels or JSON lines out, streaming."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from regard.cli.lines import count_lines, read_or_stream
from regard.cli.options import AsJson, Device, Quiet, Threads, use_threads


def classify(
    model: Annotated[Path, typer.Argument(help="A run folder or a model folder.")],
    file: Annotated[str, typer.Argument(help="Text with one sentence a line, also .gz; - is stdin.")] = "-",
    as_json: AsJson = False,
    attention: Annotated[
        bool, typer.Option("--attention", help="With --json: add the word-level attention.")
    ] = False,
    device: Device = "cpu",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Print the label of each line and its probability, tab separated. Empty lines stay empty.

    A model that reads pairs takes two texts from a line, with a tab between them. One that says several
    labels writes those that are more probable than not; one that says a number, the number.

    Examples:

      echo "이 책은 아주 좋다." | regard classify runs/sentiment

      regard classify runs/sentiment reviews.txt --json --attention > out.jsonl

      regard classify runs/inference pairs.tsv > labels.tsv
    """
    from regard import api
    from regard.errors import ConfigError
    from regard.progress import say, track

    use_threads(threads)
    if attention and not as_json:
        raise ConfigError("--attention is shown with --json; say --json, or leave it out")
    classifier = api.load(model, device=device, task="classification")
    interactive = file == "-" and sys.stdin.isatty()
    results = classifier.classify_lines(read_or_stream(file), attention=attention)
    total = count_lines(file)
    tracked = track(results, "classifying", unit="lines", total=total, quiet=quiet or interactive)
    for number, result in enumerate(tracked, start=1):
        for note in result.notes:
            say(f"line {number}: {note}", quiet=quiet)
        if as_json:
            values = result.to_dict()
            if not attention:
                del values["attention"]
            line = json.dumps(values, ensure_ascii=False)
        else:
            line = result.line()
        sys.stdout.write(line + "\n")
        if file == "-":
            sys.stdout.flush()  # whoever wrote the line may wait for this one
    sys.stdout.flush()
