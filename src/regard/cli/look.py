"""regard look: the attention of one sentence, in the terminal or as a picture."""

import json
from pathlib import Path
from typing import Annotated

import typer

from regard.cli.edit_options import (
    Everywhere,
    ForcePrefix,
    ForceRow,
    MaskHead,
    MaskLayer,
    MaskWindow,
    MaskWord,
    RemoveWord,
    Renormalise,
    ReweightWord,
    edits_of,
)
from regard.cli.options import AsJson, Device, Quiet, Threads, use_threads


def look(
    model: Annotated[Path, typer.Argument(help="A run folder or a model folder.")],
    sentence: Annotated[str, typer.Argument(help="The sentence to translate.")],
    target: Annotated[str | None, typer.Option(help="Force this translation instead of the model's.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="A picture: .png, .svg or .pdf.")] = None,
    tokens: Annotated[bool, typer.Option("--tokens", help="Show subword tokens instead of words.")] = False,
    morphemes: Annotated[bool, typer.Option("--morphemes", help="Show Korean morphemes, not words.")] = False,
    explain: Annotated[
        str | None,
        typer.Option(metavar="ROW[=WORD]", help="Compute a row, by a target token's number, step by step."),
    ] = None,
    path: Annotated[
        str | None, typer.Option(help="With --explain: the attention, by its dotted path in the model.")
    ] = None,
    head: Annotated[int | None, typer.Option(min=0, help="With --explain: the head.")] = None,
    mask_word: MaskWord = None,
    reweight: ReweightWord = None,
    remove_word: RemoveWord = None,
    mask_window: MaskWindow = None,
    mask_head: MaskHead = None,
    mask_layer: MaskLayer = None,
    force_row: ForceRow = None,
    force_prefix: ForcePrefix = None,
    everywhere: Everywhere = False,
    renormalise: Renormalise = True,
    as_json: AsJson = False,
    device: Device = "cpu",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Translate a sentence and show what the model looked at.

    Rows are the words written, columns the words read, numbers per cent of a row. With edits, shows what they
    change.

    Examples:

      regard look runs/demo "나는 책을 읽었다."

      regard look runs/demo "나는 책을 읽었다." --out look.png

      regard look runs/demo "나는 책을 읽었다." --morphemes

      regard look runs/demo "나는 책을 읽었다." --mask-word 책

      regard look runs/demo "나는 책을 읽었다." --explain 0=책을
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
    edits = edits_of(
        mask_word=mask_word,
        reweight=reweight,
        remove_word=remove_word,
        mask_window=mask_window,
        mask_head=mask_head,
        mask_layer=mask_layer,
        force_row=force_row,
        force_prefix=force_prefix,
        everywhere=everywhere,
        renormalise=renormalise,
    )
    translator = api.load(model, device=device)
    if explain is not None:
        if edits or out is not None:
            raise ConfigError("--explain follows the model's own computation; leave out edits and --out")
        row, _, word = explain.partition("=")
        followed = translator.explain(sentence, target, row=row, column=word or None, path=path, head=head)
        typer.echo(json.dumps(followed.to_dict(), ensure_ascii=False) if as_json else str(followed))
        return
    if path is not None or head is not None:
        raise ConfigError("--path and --head belong to --explain")
    effect = translator.look(sentence, target, edit=edits) if edits else None
    seen = effect.after if effect is not None else translator.look(sentence, target)
    for note in effect.notes if effect is not None else ():
        say(note, quiet=quiet)
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
        if effect is not None:
            values = {**effect.to_dict(), "attention": attention.to_dict()}
        typer.echo(json.dumps(values, ensure_ascii=False))
    else:
        typer.echo(f"{effect}\n" if effect is not None else f"{seen.source}\n{seen.text}\n")
        print_heat_map(attention)
    if out is not None:
        draw_heat_map(attention, out)
        say(f"wrote {out}", quiet=quiet)
