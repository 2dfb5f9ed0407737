"""The kinds of pictures that `regard look` draws, and which formats each has."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from regard.errors import ConfigError

if TYPE_CHECKING:
    from regard.inference.generation import Effect
    from regard.insight.maps import AttentionMap, Unit
    from regard.tasks.classification.result import LabelEffect
    from regard.tasks.tagging.result import TagEffect


class PictureKind(StrEnum):
    """How attention is drawn."""

    HEAT = "heat"
    LINES = "lines"
    OVERVIEW = "overview"
    TEXT = "text"


def check_choice(kind: PictureKind, out: Path | None, *, word: str | None, over_training: bool) -> None:
    """Refuse, before any work, options that do not go together."""
    from regard.insight.picture import ENDINGS, check_picture

    if word is not None and kind is not PictureKind.TEXT:
        raise ConfigError(f"--word is for --kind text, found --kind {kind.value}")
    if over_training:
        if out is None:
            raise ConfigError("--over-training draws a picture; add --out x.gif, or x.png for small maps")
        if kind is not PictureKind.HEAT:
            raise ConfigError(f"--over-training draws heat maps, found --kind {kind.value}; leave out --kind")
        check_picture(out, (*ENDINGS, ".gif"))
    elif out is not None and out.suffix.lower() == ".gif":
        raise ConfigError(
            f"{out}: an animation needs --over-training; one map ends in {', '.join(ENDINGS)} or .html"
        )
    elif out is not None and out.suffix.lower() != ".html":
        check_picture(out, (*ENDINGS, ".html"))


def draw(
    attention: "AttentionMap",
    maps: "Sequence[AttentionMap]",
    kind: PictureKind,
    out: Path,
    *,
    threshold: float,
    row: int | None,
    title: str = "",
) -> None:
    """Draw a picture of a kind: an overview of all maps, else of the one; a heat map may have a title."""
    from regard.insight.draw import draw_heat_map, draw_lines, draw_overview, draw_text

    match kind:
        case PictureKind.HEAT:
            draw_heat_map(attention, out, title=title)
        case PictureKind.LINES:
            draw_lines(attention, out, threshold=threshold)
        case PictureKind.OVERVIEW:
            draw_overview(maps, out)
        case PictureKind.TEXT:
            draw_text(attention, out, row=row)


def draw_change(effect: "Effect | LabelEffect | TagEffect", unit: "Unit", out: Path) -> None:
    """Draw the attention before and after an edit side by side, and what changed."""
    from regard.insight.difference import compared
    from regard.insight.draw import draw_before_after
    from regard.insight.hops import with_sum
    from regard.insight.html import write_change

    sides = (effect.before, effect.after)
    before, after = (with_sum(compared(side.attention, unit)) for side in sides)
    if out.suffix.lower() == ".html":
        write_change(before, after, out, source=effect.source)
    else:
        told = " → ".join(side.in_words() for side in sides) if before.kind == "hops" else ""
        draw_before_after(before, after, out, title=told)
