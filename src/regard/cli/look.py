"""regard look: the attention of one sentence, in the terminal, as a picture or as a page."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard import api
from regard.cli.look_options import RULE, Edits, PictureKind, check_choice, models_and_texts
from regard.cli.options import Computing, argument, option, switch, with_groups
from regard.cli.streaming import in_json
from regard.errors import ConfigError, RegardError
from regard.progress import say, warnings_said

if TYPE_CHECKING:
    from regard.insight.maps import Unit


@with_groups
def look(
    arguments: Annotated[
        list[str],
        argument(
            "MODEL... SENTENCE [SECOND]",
            f"{RULE} A model of pairs reads both sentences, a model that answers reads a question and a "
            "text; others show which words make two sentences similar.",
        ),
    ],
    target: Annotated[str | None, option("TEXT", "Use this translation, by teacher forcing.")] = None,
    out: Annotated[
        Path | None,
        option("FILE", "A picture (.png, .svg, .pdf), a page (.html) or an animation (.gif).", "--out", "-o"),
    ] = None,
    kind: Annotated[PictureKind, option(None, "How to draw it.")] = PictureKind.HEAT,
    threshold: Annotated[
        float, option("NUMBER", "Lines: weights below this are not drawn, only counted.", least=0.0, most=1.0)
    ] = 0.05,
    word: Annotated[
        str | None, option("WORD", "Text: shade for this output word; by default the mean of all.")
    ] = None,
    over_training: Annotated[
        bool, switch("A picture for each checkpoint that the run has kept.", "--over-training")
    ] = False,
    tokens: Annotated[bool, switch("Show subword tokens instead of words.", "--tokens")] = False,
    morphemes: Annotated[bool, switch("Show Korean morphemes, not words.", "--morphemes")] = False,
    explain: Annotated[
        str | None,
        option("ROW[=WORD]", "Compute a row, by the number of its token or hop, step by step."),
    ] = None,
    path: Annotated[
        str | None, option("PATH", "With --explain: the attention, by its dotted path in the model.")
    ] = None,
    head: Annotated[int | None, option("N", "With --explain: the head.", least=0)] = None,
    *,
    edits: Edits,
    run: Computing,
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

    from regard.cli.show import (
        beside_it,
        compare_sentences,
        draw,
        draw_change,
        draw_over_training,
        levels_of,
        look_models,
        print_attention,
    )
    from regard.insight import hops
    from regard.insight.draw.text import row_of
    from regard.insight.html import attention_page
    from regard.insight.maps import every_map, main_maps, side_by_side_map
    from regard.nn.attention_kinds import TEXTS
    from regard.store.atomic import write_file

    check_choice(kind, out, word=word, over_training=over_training)
    changes = edits.all()
    if changes and over_training:
        raise ConfigError("--over-training shows the model as it was; leave out the edits")
    if changes and out is not None and kind is not PictureKind.HEAT:
        raise ConfigError(f"a picture of an edit has heat maps, found --kind {kind.value}; leave out --kind")
    of_one = {"--explain": explain, "--word": word, "--path": path, "--head": head}
    unfit = [name for name, value in of_one.items() if value is not None]
    unfit += ["--over-training"] if over_training else ["edits"] if changes else []
    unfit += ["--kind"] if kind is not PictureKind.HEAT else []
    if len(models) > 1:
        if unfit:
            raise ConfigError(
                f"several models are shown as heat maps; leave out {unfit[0]}, or name one model"
            )
        look_models(models, texts, unit, out, run, target=target)
        return
    opened = api.load(model, device=run.device)
    of_pairs = bool(getattr(opened, "reads_pairs", False))
    if second is None and opened.task == "question-answering":
        raise ConfigError(f"{model}: finds answers in a text; say the question, and then the text")
    if second is not None and not of_pairs:
        unfit = [*(["--target"] if target is not None else []), *unfit]
        if unfit:
            raise ConfigError(f"two sentences are compared word by word; leave out {unfit[0]}")
        compare_sentences(model, sentence, second, unit, out, run)
        return
    if opened.task != "translation":
        unknown: dict[str, str | int | None] = {"--target": target}
        if not hasattr(opened, "explain"):
            unknown |= {"--explain": explain, "--path": path, "--head": head}
        if odd := next((name for name, value in unknown.items() if value is not None), None):
            raise ConfigError(f"{model}: is a model for {opened.task}; {odd} is for translators")
    if explain is not None:
        if changes or out is not None:
            raise ConfigError("--explain follows the model's own computation; leave out edits and --out")
        place, _, looked_at = explain.partition("=")
        given_texts = [sentence, *filter(None, [second if of_pairs else target])]
        followed = opened.explain(*given_texts, row=place, column=looked_at or None, path=path, head=head)
        typer.echo(in_json(followed.to_dict()) if run.as_json else str(followed))
        return
    if path is not None or head is not None:
        raise ConfigError("--path and --head belong to --explain")
    others = beside_it(target, second)
    with warnings_said(quiet=run.quiet):
        effect = opened.look(sentence, edit=changes, **others) if changes else None
        seen = effect.after if effect is not None else opened.look(sentence, **others)
    for note in (*(effect.notes if effect is not None else ()), *getattr(seen, "notes", ())):
        say(note, quiet=run.quiet)
    source = getattr(seen, "texts", seen.source)
    if seen.attention.reason:
        if out is not None:
            raise RegardError(f"{out}: nothing to draw: {seen.attention.reason}")
        say(f"nothing to show: {seen.attention.reason}", quiet=run.quiet)
        if run.as_json:
            typer.echo(in_json((effect or seen).to_dict()))
        elif opened.task != "translation":
            typer.echo(effect or f"{source}\n{seen.in_words()}")
        return
    read = main_maps(seen.attention, unit)
    attention = side_by_side_map(read)
    row = None if word is None else row_of(attention, word)
    maps = every_map(seen.attention, unit)
    told = [hops.overlap_summary(one) for one in read]
    named = [f"{name}, {one}" for name, one in zip(TEXTS, told, strict=False) if one]
    shared = "\n".join(named if len(read) > 1 else filter(None, told))
    if run.as_json:
        names = ("attention", "second_attention")
        looks = {name: hops.to_dict(one) for name, one in zip(names, read, strict=False)}
        typer.echo(in_json({**(effect or seen).to_dict(), **looks}))
    else:
        typer.echo(f"{effect}\n" if effect is not None else f"{source}\n{seen.in_words()}\n")
        print_attention(hops.with_sum(attention), maps, kind, threshold=threshold, row=row)
        if shared:
            typer.echo(f"\n{shared}")
    if out is None:
        return
    if over_training:
        draw_over_training(model, seen, unit, out, device=run.device)
    elif effect is not None:
        draw_change(effect, unit, out)
    elif out.suffix.lower() == ".html":
        levels, heading = levels_of(seen.attention, unit), " · ".join(filter(None, [seen.in_words(), shared]))
        page = attention_page(
            levels, source=seen.source, target=heading, view=kind.value, row=row, threshold=threshold
        )
        write_file(out, page)
    else:
        draw(hops.with_sum(attention), maps, kind, out, threshold=threshold, row=row, title=shared)
    say(f"wrote {out}", quiet=run.quiet)


def _unit(*, tokens: bool, morphemes: bool) -> "Unit":
    if tokens and morphemes:
        raise ConfigError("--tokens and --morphemes exclude each other; choose one")
    return "tokens" if tokens else "morphemes" if morphemes else "words"
