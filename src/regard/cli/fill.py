"""regard fill: texts with hidden words in, the words out, streaming."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli.lines import count_lines, is_there, read_or_stream
from regard.cli.options import AsJson, Device, Quiet, Threads, use_threads

if TYPE_CHECKING:
    from regard.tasks.fill_result import Filled

_LOOKED_AT = 4
"""Words that are shown of what was looked at."""


def fill(
    model: Annotated[
        Path, typer.Argument(help="A run folder, a model folder, or one that transformers wrote.")
    ],
    text: Annotated[
        str, typer.Argument(help="A text with [MASK] in it, or a file with one a line, also .gz; - is stdin.")
    ] = "-",
    top: Annotated[int, typer.Option("--top", "-n", min=1, help="How many words for each place.")] = 5,
    as_json: AsJson = False,
    attention: Annotated[
        bool, typer.Option("--attention", help="With a file: also say what each place looked at, in --json.")
    ] = False,
    device: Device = "cpu",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Tell the words that [MASK] hides, with their probabilities and what the model looked at.

    A text gives a table; lines give a line each: the filled text, and the words of each place, tab separated.

    Examples:

      regard fill runs/bert-tiny "나는 [MASK]에 간다."

      regard fill runs/bert-tiny texts.txt --json > out.jsonl

      regard fill models/bert-base-uncased "The [MASK] is red." --top 10
    """
    from regard import api
    from regard.errors import ConfigError
    from regard.progress import track

    use_threads(threads)
    filler = api.load_filler(model, device=device)
    if filler.symbol in text:
        filled = filler.fill(text, top=top)
        typer.echo(json.dumps(filled.to_dict(), ensure_ascii=False) if as_json else _table(filled))
        return
    if text != "-" and (not text.strip() or not is_there(text)):
        raise ConfigError(
            f"'{text[:60]}': expected a text with {filler.symbol} in it, or a file, found neither"
        )
    if attention and not as_json:
        raise ConfigError("--attention is shown with --json; say --json, or leave it out")
    interactive = text == "-" and sys.stdin.isatty()
    results = filler.fill_lines(read_or_stream(text), top=top, attention=attention)
    total = count_lines(text)
    for result in track(results, "filling", unit="lines", total=total, quiet=quiet or interactive):
        line = json.dumps(result.to_dict(), ensure_ascii=False) if as_json else _line(result)
        sys.stdout.write(line + "\n")
        if text == "-":
            sys.stdout.flush()  # whoever wrote the line may wait for this one
    sys.stdout.flush()


def _line(filled: "Filled") -> str:
    words = (
        " ".join(f"{one.word} {one.probability:.4f}" for one in each.candidates) for each in filled.hidden
    )
    return "\t".join([filled.text, *words]) if filled.hidden else ""


def _table(filled: "Filled") -> str:
    from regard.insight.labels import visible

    lines = [visible(filled.source), visible(filled.text)]
    for number, hidden in enumerate(filled.hidden, start=1):
        lines.append("" if len(filled.hidden) == 1 else f"\nplace {number}")
        lines += [f"{one.probability:7.1%}  {visible(one.word)}" for one in hidden.candidates]
        most = sorted(hidden.looked_at, key=lambda seen: -seen[1])[:_LOOKED_AT]
        lines.append("looked at " + ", ".join(f"{visible(word)} {weight:.0%}" for word, weight in most))
    return "\n".join(lines)
