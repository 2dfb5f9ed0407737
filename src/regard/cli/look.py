"""regard look: the attention of one sentence, in the terminal, as a picture or as a page."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
from regard.cli.look_arguments import RULE, models_and_texts
from regard.cli.options import AsJson, Device, Quiet, Threads, use_threads
from regard.cli.picture_kinds import PictureKind

if TYPE_CHECKING:
    from regard.insight.maps import Unit


def look(
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="MODEL... SENTENCE [SECOND]",
            help=f"{RULE} A model of pairs reads both sentences, a model that answers reads a question and a "
            "text; others show which words make two sentences similar.",
        ),
    ],
    target: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Force this translation instead of the model's.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="A picture (.png, .svg, .pdf), a page (.html) or an animation (.gif).",
        ),
    ] = None,
    kind: Annotated[PictureKind, typer.Option(help="How to draw it.")] = PictureKind.HEAT,
    threshold: Annotated[
        float,
        typer.Option(
            metavar="NUMBER", min=0.0, max=1.0, help="Lines: weights below this are not drawn, only counted."
        ),
    ] = 0.05,
    word: Annotated[
        str | None,
        typer.Option(metavar="WORD", help="Text: shade for this output word; by default the mean of all."),
    ] = None,
    over_training: Annotated[
        bool, typer.Option("--over-training", help="A picture for each checkpoint that the run has kept.")
    ] = False,
    tokens: Annotated[bool, typer.Option("--tokens", help="Show subword tokens instead of words.")] = False,
    morphemes: Annotated[bool, typer.Option("--morphemes", help="Show Korean morphemes, not words.")] = False,
    explain: Annotated[
        str | None,
        typer.Option(
            metavar="ROW[=WORD]", help="Compute a row, by the number of its token or hop, step by step."
        ),
    ] = None,
    path: Annotated[
        str | None,
        typer.Option(metavar="PATH", help="With --explain: the attention, by its dotted path in the model."),
    ] = None,
    head: Annotated[int | None, typer.Option(metavar="N", min=0, help="With --explain: the head.")] = None,
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
    """Show what a model predicts for a sentence, and what it attends to.

    Rows are output words, or the hops of a classifier; columns are input words. Weights are in per cent, the
    mean of all layers and heads. With edits, shows what they change. With several models, shows each of them
    for the same sentence.

    Examples:

      regard look runs/demo "나는 책을 읽었다."

      regard look runs/demo "나는 책을 읽었다." --kind lines --out look.png

      regard look runs/demo "나는 책을 읽었다." --out look.html

      regard look runs/bahdanau runs/luong runs/transformer "나는 책을 읽었다." --out models.png

      regard look runs/demo "나는 책을 읽었다." --over-training --out look.gif

      regard look runs/demo "나는 책을 읽었다." --morphemes

      regard look runs/demo "나는 책을 읽었다." --mask-word 책 --out change.png

      regard look runs/demo "나는 책을 읽었다." --explain 0=책을

      regard look runs/inference "그는 어제 책을 읽었다." "그는 책을 읽었다."

      regard look runs/questions "누가 책을 읽었니?" "지수는 책을 읽었다. 민수는 잤다."

      regard look minilm "A man plays the guitar." "Someone makes music."
    """
    models, texts = models_and_texts(arguments)
    model, sentence, second = models[0], texts[0], texts[1] if len(texts) > 1 else None
    unit = _unit(tokens=tokens, morphemes=morphemes)

    from regard import api
    from regard.cli.compare_sentences import compare_sentences
    from regard.cli.look_models import look_models
    from regard.cli.over_training import draw_over_training
    from regard.cli.picture_kinds import check_choice, draw, draw_change
    from regard.cli.show import print_attention
    from regard.errors import ConfigError, RegardError
    from regard.insight import hops
    from regard.insight.draw.text import row_of
    from regard.insight.levels import beside, every_map, main_maps
    from regard.nn.kinds import TEXTS
    from regard.progress import say, warnings_said
    from regard.tasks.question_answering.predictor import Answerer
    from regard.tasks.translation.predictor import Translator

    use_threads(threads)
    check_choice(kind, out, word=word, over_training=over_training)
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
    if edits and over_training:
        raise ConfigError("--over-training shows the model as it was; leave out the edits")
    if edits and out is not None and kind is not PictureKind.HEAT:
        raise ConfigError(f"a picture of an edit has heat maps, found --kind {kind.value}; leave out --kind")
    if len(models) > 1:
        unasked = {"--explain": explain, "--word": word, "--path": path, "--head": head}
        given_too = [name for name, value in unasked.items() if value is not None]
        given_too += ["--over-training"] if over_training else ["edits"] if edits else []
        given_too += ["--kind"] if kind is not PictureKind.HEAT else []
        if given_too:
            raise ConfigError(
                f"several models are shown as heat maps; leave out {given_too[0]}, or name one model"
            )
        look_models(models, texts, unit, out, target=target, as_json=as_json, device=device, quiet=quiet)
        return
    opened = api.load(model, device=device)
    of_pairs = bool(getattr(opened, "reads_pairs", False))
    if second is None and isinstance(opened, Answerer):
        raise ConfigError(f"{model}: finds answers in a text; say the question, and then the text")
    if second is not None and not of_pairs:
        unasked = {"--target": target, "--explain": explain, "--word": word, "--path": path, "--head": head}
        given_too = [name for name, value in unasked.items() if value is not None]
        given_too += ["--over-training"] if over_training else ["edits"] if edits else []
        if given_too or kind is not PictureKind.HEAT:
            raise ConfigError(
                f"two sentences are compared word by word; leave out {(given_too or ['--kind'])[0]}"
            )
        compare_sentences(model, sentence, second, unit, out, as_json=as_json, device=device, quiet=quiet)
        return
    if not isinstance(opened, Translator):
        unknown: dict[str, str | int | None] = {"--target": target}
        if not hasattr(opened, "explain"):
            unknown |= {"--explain": explain, "--path": path, "--head": head}
        if unfit := next((name for name, value in unknown.items() if value is not None), None):
            raise ConfigError(f"{model}: is a model for {opened.task}; {unfit} is for translators")
    if explain is not None:
        if edits or out is not None:
            raise ConfigError("--explain follows the model's own computation; leave out edits and --out")
        place, _, looked_at = explain.partition("=")
        given_texts = [sentence, *filter(None, [second if of_pairs else target])]
        followed = opened.explain(*given_texts, row=place, column=looked_at or None, path=path, head=head)
        typer.echo(json.dumps(followed.to_dict(), ensure_ascii=False) if as_json else str(followed))
        return
    if path is not None or head is not None:
        raise ConfigError("--path and --head belong to --explain")
    given = {"target": target, "second": second}
    beside_it = {name: text for name, text in given.items() if text is not None}
    with warnings_said(quiet=quiet):
        effect = opened.look(sentence, edit=edits, **beside_it) if edits else None
        seen = effect.after if effect is not None else opened.look(sentence, **beside_it)
    for note in (*(effect.notes if effect is not None else ()), *getattr(seen, "notes", ())):
        say(note, quiet=quiet)
    source = getattr(seen, "texts", seen.source)
    if seen.attention.reason:
        if out is not None:
            raise RegardError(f"{out}: nothing to draw: {seen.attention.reason}")
        say(f"nothing to show: {seen.attention.reason}", quiet=quiet)
        if as_json:
            typer.echo(json.dumps((effect or seen).to_dict(), ensure_ascii=False))
        elif not isinstance(opened, Translator):
            typer.echo(effect or f"{source}\n{seen.in_words()}")
        return
    read = main_maps(seen.attention, unit)
    attention = beside(read)
    row = None if word is None else row_of(attention, word)
    maps = every_map(seen.attention, unit)
    told = [hops.told(one) for one in read]
    named = [f"{name}, {one}" for name, one in zip(TEXTS, told, strict=False) if one]
    shared = "\n".join(named if len(read) > 1 else filter(None, told))
    if as_json:
        names = ("attention", "second_attention")
        looks = {name: hops.to_dict(one) for name, one in zip(names, read, strict=False)}
        typer.echo(json.dumps({**(effect or seen).to_dict(), **looks}, ensure_ascii=False))
    else:
        typer.echo(f"{effect}\n" if effect is not None else f"{source}\n{seen.in_words()}\n")
        print_attention(hops.with_sum(attention), maps, kind, threshold=threshold, row=row)
        if shared:
            typer.echo(f"\n{shared}")
    if out is None:
        return
    if over_training:
        draw_over_training(model, seen, unit, out, device=device)
    elif effect is not None:
        draw_change(effect, unit, out)
    elif out.suffix.lower() == ".html":
        from regard.insight.html import write_page

        units: list[Unit] = [unit, "words" if unit == "tokens" else "tokens"]
        write_page(
            {name: [hops.with_sum(one) for one in every_map(seen.attention, name)] for name in units}, out,
            source=seen.source, target=" · ".join(filter(None, [seen.in_words(), shared])), view=kind.value,
            row=row, threshold=threshold,
        )  # fmt: skip
    else:
        draw(hops.with_sum(attention), maps, kind, out, threshold=threshold, row=row, title=shared)
    say(f"wrote {out}", quiet=quiet)


def _unit(*, tokens: bool, morphemes: bool) -> "Unit":
    from regard.errors import ConfigError

    if tokens and morphemes:
        raise ConfigError("--tokens and --morphemes exclude each other; choose one")
    return "tokens" if tokens else "morphemes" if morphemes else "words"
