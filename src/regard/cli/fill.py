"""regard fill: fill-mask: texts with masked words in, the words out, streaming."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli.lines import Column, Input, open_input
from regard.cli.options import AsJson, Device, NBest, Quiet, Threads, WithAttention, use_threads
from regard.cli.streaming import Answer, OnBadLine, print_answers

if TYPE_CHECKING:
    from regard.tasks.masked_lm.result import Filled

_LOOKED_AT = 4
"""Words that are shown of what was looked at."""


def fill(
    model: Annotated[
        Path,
        typer.Argument(metavar="MODEL", help="A run folder, a model folder, or one that transformers wrote."),
    ],
    given: Input = "-",
    column: Column = "",
    n_best: NBest = 5,
    as_json: AsJson = False,
    attention: WithAttention = False,
    on_bad_line: OnBadLine = "stop",
    device: Device = "cpu",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Tell the words that [MASK] hides, with their probabilities and what the model looked at.

    A text gives a table; lines give a line each: the filled text, and the words for each mask, tab separated.

    Examples:

      regard fill runs/bert-tiny "나는 [MASK]에 간다."

      regard fill runs/bert-tiny texts.txt --json > out.jsonl

      regard fill models/bert-base-uncased "The [MASK] is red." --n-best 10
    """
    from regard import api
    from regard.errors import ConfigError

    use_threads(threads)
    source = open_input(given, [column])
    source.check_cells()
    if attention and not as_json:
        raise ConfigError("--attention is shown with --json; say --json, or leave it out")
    filler = api.load_filler(model, device=device)
    if source.text is not None:
        filled = filler.fill(source.text, n_best=n_best)
        typer.echo(json.dumps(filled.to_dict(), ensure_ascii=False) if as_json else _table(filled))
        return

    def written(answer: "Answer[Filled]") -> str:
        found = answer.result
        return json.dumps(found.to_dict(), ensure_ascii=False) if as_json else _line(found)

    print_answers(
        source,
        source.lines(f"one text with {filler.symbol} in it a line", quiet=quiet),
        lambda lines, _: filler.fill_lines(lines, n_best=n_best, attention=attention),
        written,
        doing="filling",
        on_bad_line=on_bad_line,
        as_json=as_json,
        quiet=quiet,
    )


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
