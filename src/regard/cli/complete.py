"""regard complete: the beginning of a text in, the whole of it out, streaming."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from regard.cli.lines import count_lines, on_one_line, read_or_stream
from regard.cli.options import AsJson, Device, Quiet, Threads, use_threads
from regard.cli.search_options import SearchOptions, with_search_from_nothing
from regard.progress import counted


@with_search_from_nothing
def complete(
    model: Annotated[Path, typer.Argument(help="A run folder or a model folder.")],
    file: Annotated[str, typer.Argument(help="Text with one beginning a line, also .gz; - is stdin.")] = "-",
    text: Annotated[
        str | None, typer.Option("--text", "-t", help="Go on with this, instead of a file's lines.")
    ] = None,
    n_best: Annotated[int, typer.Option(min=1, max=256, help="Texts for each beginning (with --json).")] = 1,
    as_json: AsJson = False,
    attention: Annotated[
        bool, typer.Option("--attention", help="With --json: add the word-level attention.")
    ] = False,
    device: Device = "cpu",
    threads: Threads = None,
    quiet: Quiet = False,
    *,
    search: SearchOptions,
) -> None:
    """Go on with the beginning of a text, a line at a time. After an empty line, a text from its beginning.

    Examples:

      regard complete runs/lm-lstm --text "나는 어제"

      regard complete runs/lm-lstm --text "나는" --sample --temperature 0.8 --top-p 0.9 --seed 3

      regard complete runs/lm-lstm beginnings.txt --json --attention > out.jsonl
    """
    from regard import api
    from regard.errors import ConfigError
    from regard.progress import say, track

    use_threads(threads)
    if not as_json and (n_best > 1 or attention):
        raise ConfigError("--n-best and --attention are shown with --json; say --json, or leave them out")
    if text is not None and file != "-":
        raise ConfigError("--text and a file exclude each other; choose one")
    opened = api.load(model, device=device, task="language-model")
    # A mistake is told before anything is read.
    settings, constraints = search.settings(opened, n_best), search.constraints()
    given = read_or_stream(file) if text is None else iter([("--text", text)])
    interactive = text is not None or (file == "-" and sys.stdin.isatty())
    results = opened.complete_lines(
        given, n_best=n_best, attention=attention, search=settings, constraints=constraints
    )
    missing = 0
    for result in track(
        results, "completing", unit="lines", total=count_lines(file), quiet=quiet or interactive
    ):
        missing += bool(result.missing)
        if as_json:
            values = result.to_dict()
            if not attention:
                del values["attention"]
            line = json.dumps(values, ensure_ascii=False)
        else:
            line = on_one_line(result.text)
        sys.stdout.write(line + "\n")
        if file == "-":
            sys.stdout.flush()  # whoever wrote the line may wait for this one
    sys.stdout.flush()
    if missing:
        say(
            f"in {counted(missing, 'line')} something that must appear is missing; --json names it",
            quiet=quiet,
        )
