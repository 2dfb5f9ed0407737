"""regard causes: the input words that an output depends on."""

from pathlib import Path
from typing import Annotated

import typer

from regard import api
from regard.cli.options import Computing, Model, argument, option, switch, with_groups
from regard.cli.streaming import in_json
from regard.errors import ConfigError
from regard.progress import say, warnings_said


@with_groups
def causes(
    model: Model,
    text: Annotated[str, argument("TEXT", "What the model reads: a sentence, a prompt, a question.")],
    second: Annotated[
        str | None,
        option("TEXT", "The second text: of a pair, the one with the answer, or what a cosine is with."),
    ] = None,
    target: Annotated[
        str | None,
        option(
            "TEXT", "The output: a translation, continuation, label, answer or word; else the model's own."
        ),
    ] = None,
    word: Annotated[
        str | None, option("WORD", "Explain this word of the output, by its text or number, from 0.")
    ] = None,
    instead: Annotated[
        str | None, option("TEXT", "Why not this in its place? Effects on log p(this) - log p(that).")
    ] = None,
    by: Annotated[
        str | None,
        option(
            "NAME,NAME",
            "Methods with commas between them; the first measured one ranks. Measured: removal, occlusion, "
            "mask, heads. Weights: attention, norm, rollout, flow. Gradients: gradient, gradient-attention, "
            "integrated. Or all.",
        ),
    ] = None,
    steps: Annotated[int, option("N", "Points of integrated gradients.", least=1, most=1000)] = 20,
    alternatives: Annotated[
        bool | None,
        switch("What the model says without each word, by every method; by default by the one that ranks."),
    ] = None,
    out: Annotated[
        Path | None,
        option("FILE", "A picture (.png, .svg, .pdf), a page (.html) or values (.json).", "--out", "-o"),
    ] = None,
    *,
    run: Computing,
) -> None:
    """Rank the input words that an output depends on, by measured effect, beside attention.

    An effect is the log-probability of the output less that without the word: removed, occluded by a token
    that says nothing, or masked in attention. Attention and gradients stand beside it. Where they disagree
    with what was measured, a line says so.

    Examples:

      regard causes runs/demo "나는 책을 읽었다."

      regard causes runs/demo "나는 책을 읽었다." --word book --instead letter

      regard causes runs/demo "나는 책을 읽었다." --by all --out causes.png

      regard causes runs/topics "이 책은 아주 좋다." --target positive

      regard causes runs/questions "누가 책을 읽었니?" --second "지수는 책을 읽었다. 민수는 잤다."

      regard causes minilm "A man plays the guitar." --second "Someone makes music."
    """
    if out is not None:
        from regard.insight.picture import ENDINGS, check_picture

        if out.suffix.lower() not in (*ENDINGS, ".html", ".json"):
            raise ConfigError(f"{out}: expected a name that ends in {', '.join(ENDINGS)}, .html or .json")
        if out.suffix.lower() in ENDINGS:
            check_picture(out)
    opened = api.load(model, device=run.device)
    if second is None and opened.task == "embedding" and _has_mask(opened, text):
        opened = api.load_fill_mask(model, device=run.device)
    chosen = {} if by is None else {"by": [name.strip() for name in by.split(",") if name.strip()]}
    with warnings_said(quiet=run.quiet):
        found = opened.causes(
            text,
            second=second,
            target=target,
            word=word,
            instead=instead,
            steps=steps,
            alternatives=alternatives,
            **chosen,
        )
    typer.echo(in_json(found.to_dict()) if run.as_json else str(found))
    if out is not None:
        found.save(out)
        say(f"wrote {out}", quiet=run.quiet)


def _has_mask(opened: object, text: str) -> bool:
    """Whether a text for a model from elsewhere has a word to be filled in."""
    hidden = getattr(getattr(opened, "tokenizer", None), "hidden", None)
    return hidden is not None and hidden[0] in text
