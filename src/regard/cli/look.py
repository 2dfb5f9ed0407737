"""regard look: the attention of one sentence, in the terminal or as a picture."""

import json
from pathlib import Path
from typing import Annotated

import typer

from regard.cli.options import AsJson, Device, Quiet, Threads, use_threads


def look(
    model: Annotated[Path, typer.Argument(help="A run folder or a model folder.")],
    sentence: Annotated[str, typer.Argument(help="The sentence to translate.")],
    target: Annotated[str | None, typer.Option(help="Force this translation instead of the model's.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="A picture: .png, .svg or .pdf.")] = None,
    tokens: Annotated[bool, typer.Option("--tokens", help="Show subword tokens instead of words.")] = False,
    morphemes: Annotated[bool, typer.Option("--morphemes", help="Show Korean morphemes, not words.")] = False,
    as_json: AsJson = False,
    device: Device = "cpu",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Translate a sentence and show what the model looked at.

    Rows are the words written, columns the words read, numbers per cent of a row.

    Examples:

      regard look runs/demo "나는 책을 읽었다."

      regard look runs/demo "나는 책을 읽었다." --out look.png

      regard look runs/demo "나는 책을 읽었다." --morphemes
    """
    from regard import api
    from regard.cli.show import print_heat_map
    from regard.errors import ConfigError, RegardError
    from regard.insight.draw import draw_heat_map
    from regard.insight.merge import Unit
    from regard.insight.picture import check_picture
    from regard.progress import say

    use_threads(threads)
    if tokens and morphemes:
        raise ConfigError("--tokens and --morphemes exclude each other; choose one")
    if out is not None:
        check_picture(out)
    seen = api.load(model, device=device).look(sentence, target)
    if seen.attention.reason:
        if out is not None:
            raise RegardError(f"{out}: nothing to draw: {seen.attention.reason}")
        say(f"nothing to show: {seen.attention.reason}", quiet=quiet)
        if as_json:
            typer.echo(json.dumps(seen.to_dict(), ensure_ascii=False))
        return
    unit: Unit = "morpheme" if morphemes else "word"
    attention = seen.attention.tokens() if tokens else seen.attention.words(unit)
    if as_json:
        values = {**seen.to_dict(), "attention": attention.to_dict()}
        typer.echo(json.dumps(values, ensure_ascii=False))
    else:
        typer.echo(f"{seen.source}\n{seen.text}\n")
        print_heat_map(attention)
    if out is not None:
        draw_heat_map(attention, out)
        say(f"wrote {out}", quiet=quiet)
