"""regard tag: sentences in, a tag for each word out, streaming."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli.lines import count_lines, read_or_stream
from regard.cli.options import AsJson, Device, Quiet, Threads, use_threads

if TYPE_CHECKING:
    from regard.tasks.given_words import Given


def tag(
    model: Annotated[Path, typer.Argument(help="A run folder or a model folder.")],
    file: Annotated[
        str,
        typer.Argument(
            help="Text with one sentence a line, or a .jsonl file of words; also .gz; - is stdin."
        ),
    ] = "-",
    words: Annotated[
        bool,
        typer.Option("--words", help='Lines are JSON: a list of words, or {"words": [...]}, as in a .jsonl.'),
    ] = False,
    as_json: AsJson = False,
    attention: Annotated[
        bool, typer.Option("--attention", help="With --json: add the word-level attention.")
    ] = False,
    device: Device = "cpu",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Print each word and its tag, tab separated, and an empty line after each sentence.

    The words of plain text are what stands between spaces: a tagger that learned punctuation as words of
    their own needs spaces around it.

    Examples:

      echo "그 학생이 책을 읽었다 ." | regard tag runs/tagger

      regard tag runs/tagger sentences.txt --json > out.jsonl
    """
    from regard import api
    from regard.errors import ConfigError
    from regard.progress import say, track
    from regard.tasks.outputs import is_json_lines

    use_threads(threads)
    if attention and not as_json:
        raise ConfigError("--attention is shown with --json; say --json, or leave it out")
    tagger = api.load(model, device=device, task="tagging")
    interactive = file == "-" and sys.stdin.isatty()
    given = _sentences(file, words or (file != "-" and is_json_lines(Path(file))))
    results = tagger.tag_lines(given, attention=attention)
    total = count_lines(file)
    tracked = track(results, "tagging", unit="sentences", total=total, quiet=quiet or interactive)
    for number, result in enumerate(tracked, start=1):
        for note in result.notes:
            say(f"line {number}: {note}", quiet=quiet)
        if as_json:
            values = result.to_dict()
            if not attention:
                del values["attention"]
            text = json.dumps(values, ensure_ascii=False)
        else:
            pairs = zip(result.words, result.tags, strict=True)
            text = "".join(f"{_one_cell(word)}\t{name}\n" for word, name in pairs)
        sys.stdout.write(text + "\n")
        if file == "-":
            sys.stdout.flush()  # whoever wrote the line may wait for this one
    sys.stdout.flush()


def _sentences(file: str, in_json: bool) -> "Iterator[tuple[str, Given] | None]":
    from regard.tasks.given_words import words_from_json

    for line in read_or_stream(file):
        if line is None or not in_json:
            yield line
        else:
            yield line[0], words_from_json(line[1], line[0])


def _one_cell(word: str) -> str:
    """A word of a list may hold what would end a cell, or the line."""
    return " ".join(word.split())
