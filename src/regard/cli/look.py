"""regard look: the attention of one sentence, in the terminal, as a picture or as a page."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli.options import AsJson, Device, Quiet, Threads, use_threads
from regard.cli.picture_kinds import PictureKind

if TYPE_CHECKING:
    from regard.insight.levels import Level


def look(
    model: Annotated[Path, typer.Argument(help="A run folder or a model folder.")],
    sentence: Annotated[str, typer.Argument(help="The sentence to translate.")],
    target: Annotated[str | None, typer.Option(help="Force this translation instead of the model's.")] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="A picture (.png, .svg, .pdf), a page (.html) or a film (.gif)."),
    ] = None,
    kind: Annotated[PictureKind, typer.Option(help="How to draw it.")] = PictureKind.HEAT,
    threshold: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Lines: weights below this are not drawn, only counted.")
    ] = 0.05,
    word: Annotated[
        str | None, typer.Option(help="Text: shade for this written word; by default the mean of all.")
    ] = None,
    over_training: Annotated[
        bool, typer.Option("--over-training", help="A picture for each checkpoint that the run has kept.")
    ] = False,
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

      regard look runs/demo "나는 책을 읽었다." --kind lines --out look.png

      regard look runs/demo "나는 책을 읽었다." --out look.html

      regard look runs/demo "나는 책을 읽었다." --over-training --out look.gif

      regard look runs/demo "나는 책을 읽었다." --morphemes
    """
    from regard import api
    from regard.cli.over_training import draw_over_training
    from regard.cli.picture_kinds import check_choice, draw
    from regard.cli.show import print_attention
    from regard.insight.draw.text import row_of
    from regard.insight.levels import every_map
    from regard.progress import say

    use_threads(threads)
    level = _level(tokens=tokens, morphemes=morphemes)
    check_choice(kind, out, word=word, over_training=over_training)
    translator = api.load(model, device=device)
    seen = translator.look(sentence, target)
    if seen.attention.reason:
        say(f"nothing to show: {seen.attention.reason}", quiet=quiet)
        if as_json:
            typer.echo(json.dumps(seen.to_dict(), ensure_ascii=False))
        return
    attention = seen.attention.tokens() if level == "token" else seen.attention.words(level)
    row = None if word is None else row_of(attention, word)
    maps = every_map(seen.attention, level)
    if as_json:
        values = {**seen.to_dict(), "attention": attention.to_dict()}
        typer.echo(json.dumps(values, ensure_ascii=False))
    else:
        typer.echo(f"{seen.source}\n{seen.text}\n")
        print_attention(attention, maps, kind, threshold=threshold, row=row)
    if out is None:
        return
    if over_training:
        draw_over_training(model, seen, level, out, device=device)
    elif out.suffix.lower() == ".html":
        from regard.insight.html import write_page

        others: list[Level] = [level, "word" if level == "token" else "token"]
        write_page(
            {name: every_map(seen.attention, name) for name in others}, out,
            source=seen.source, target=seen.text, view=kind.value, row=row,
        )  # fmt: skip
    else:
        draw(attention, maps, kind, out, threshold=threshold, row=row)
    say(f"wrote {out}", quiet=quiet)


def _level(*, tokens: bool, morphemes: bool) -> "Level":
    from regard.errors import ConfigError

    if tokens and morphemes:
        raise ConfigError("--tokens and --morphemes exclude each other; choose one")
    return "token" if tokens else "morpheme" if morphemes else "word"
