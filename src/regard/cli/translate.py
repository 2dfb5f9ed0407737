"""regard translate: text in, text or JSON lines out, streaming."""

import itertools
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli.search_options import SearchOptions, with_search

if TYPE_CHECKING:
    from regard.tasks.translation import Translation, Translator

CHUNK = 512
"""Lines that are sorted by length and translated together."""


@with_search
def translate(
    model: Annotated[Path, typer.Argument(help="A run folder or a model folder.")],
    file: Annotated[str, typer.Argument(help="Text with one sentence a line; - is stdin.")] = "-",
    n_best: Annotated[int, typer.Option(min=1, max=256, help="Translations a sentence (with --json).")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object a line.")] = False,
    attention: Annotated[
        bool, typer.Option("--attention", help="With --json: add the word-level attention.")
    ] = False,
    device: Annotated[str, typer.Option(help="Where to run: cpu or cuda.")] = "cpu",
    *,
    search: SearchOptions,
) -> None:
    """Translate a text, a line at a time. Empty lines stay empty.

    Examples:

      echo "나는 책을 읽었다." | regard translate runs/demo

      regard translate runs/demo sentences.txt --json --attention > out.jsonl

      regard translate runs/demo sentences.txt --must school --no-repeat-ngram 3

      regard translate runs/demo sentences.txt --sample --top-p 0.9 --seed 1
    """
    from regard.data.lines import decode_lines, read_lines

    translator = search.open(model, device)
    settings = search.settings(translator, n_best)
    constraints, glossary = search.constraints(), search.glossary()
    lines = decode_lines(sys.stdin.buffer, "<stdin>") if file == "-" else read_lines(Path(file))
    interactive = file == "-" and sys.stdin.isatty()
    done = 0
    for chunk in _chunks(_checked(lines, translator), 1 if interactive else CHUNK):
        results = translator.translate(
            chunk,
            n_best=n_best,
            attention=as_json and attention,
            search=settings,
            constraints=constraints,
            glossary=glossary,
            numbered_from=done,
        )
        for result in results:
            typer.echo(_as_json(result, attention=attention) if as_json else _on_one_line(result.text))
        sys.stdout.flush()
        done += len(chunk)


def _checked(lines: Iterator[tuple[str, str]], translator: "Translator") -> Iterator[str]:
    for where, line in lines:
        translator.check_length(line, where)
        yield line


def _chunks(lines: Iterator[str], size: int) -> Iterator[list[str]]:
    while chunk := list(itertools.islice(lines, size)):
        yield chunk


def _on_one_line(text: str) -> str:
    """A vocabulary with bytes can spell the end of a line; a sentence stays one line all the same."""
    return text.replace("\n", " ").replace("\r", " ")


def _as_json(result: "Translation", *, attention: bool) -> str:
    values = result.to_dict()
    if not attention:
        del values["attention"]
    return json.dumps(values, ensure_ascii=False)
