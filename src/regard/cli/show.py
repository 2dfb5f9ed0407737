"""What `regard look` and `regard demo` print and draw."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.text import Text

from regard import api
from regard.cli.look_options import PictureKind
from regard.cli.streaming import in_json
from regard.errors import ConfigError, RegardError, StoreError
from regard.insight import hops
from regard.insight.display import in_cells
from regard.insight.draw import (
    draw_before_after,
    draw_heat_map,
    draw_lines,
    draw_models,
    draw_overview,
    draw_similarity,
    draw_text,
    draw_time_lapse,
)
from regard.insight.draw.overview import axis_labels, layers_and_heads
from regard.insight.draw.text import row_name, row_weights
from regard.insight.html import write_change, write_models
from regard.insight.maps import AttentionMap, Unit, compared, every_map, main_maps, side_by_side_map
from regard.insight.picture import check_picture
from regard.insight.similarity import SimilarityMap
from regard.insight.terminal import heat_map, highlighted, line_list, overview, similarity_map
from regard.progress import say, warnings_said

if TYPE_CHECKING:
    from regard.cli.options import Computing
    from regard.inference.generation import Effect, Translation
    from regard.insight.record import AttentionRecord
    from regard.tasks.classification.result import Classification, LabelEffect
    from regard.tasks.question_answering.result import QuestionAnswer
    from regard.tasks.tagging.result import TagEffect, Tagging

FILE_WIDTH = 1000
"""A file or a pipe has no edge, so a map need not be cut into panels there; COLUMNS gives it one."""


def print_heat_map(attention: AttentionMap) -> None:
    """Draw a map on stdout, in colour where the terminal has shades of it, and say what it shows."""
    print_attention(attention, (attention,), PictureKind.HEAT, threshold=0.0, row=None)


def print_similarity(similarity: SimilarityMap) -> None:
    """Draw what every two words add to a cosine on stdout."""
    console = _console()
    console.print(similarity_map(similarity, width=console.width, colour=_shades(console)), crop=False)


def print_attention(
    attention: AttentionMap,
    maps: Sequence[AttentionMap],
    kind: PictureKind,
    *,
    threshold: float,
    row: int | None,
) -> None:
    """Draw attention on stdout as a kind of picture, and say what it shows; an overview is of all maps."""
    console = _console()
    told = attention.caption
    match kind:
        case PictureKind.HEAT:
            drawn = heat_map(attention, width=console.width, colour=_shades(console))
            told += "; in %"
        case PictureKind.LINES:
            drawn = line_list(attention, threshold=threshold, width=console.width)
        case PictureKind.OVERVIEW:
            drawn = overview(layers_and_heads(maps), width=console.width)
            told = axis_labels(maps)
        case PictureKind.TEXT:
            words = highlighted(
                attention.columns, row_weights(attention, row), width=console.width, colour=_shades(console)
            )
            drawn = Text(f"{in_cells(row_name(attention, row))}:\n", end="", no_wrap=True).append_text(words)
    console.print(drawn, crop=False)
    for line in filter(None, [told, attention.missing_note]):
        console.print(Text(line, style="dim"), crop=False)


def _console() -> Console:
    console = Console()
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = FILE_WIDTH
    return console


def _shades(console: Console) -> bool:
    return console.color_system in ("256", "truecolor")  # sixteen colours would all look alike


def draw(
    attention: AttentionMap,
    maps: Sequence[AttentionMap],
    kind: PictureKind,
    out: Path,
    *,
    threshold: float,
    row: int | None,
    title: str = "",
) -> None:
    """Draw a picture of a kind: an overview of all maps, else of the one; a heat map may have a title."""
    match kind:
        case PictureKind.HEAT:
            draw_heat_map(attention, out, title=title)
        case PictureKind.LINES:
            draw_lines(attention, out, threshold=threshold)
        case PictureKind.OVERVIEW:
            draw_overview(maps, out)
        case PictureKind.TEXT:
            draw_text(attention, out, row=row)


def draw_change(effect: "Effect | LabelEffect | TagEffect", unit: Unit, out: Path) -> None:
    """Draw the attention before and after an edit side by side, and what changed."""
    sides = (effect.before, effect.after)
    before, after = (hops.with_sum(compared(side.attention, unit)) for side in sides)
    if out.suffix.lower() == ".html":
        write_change(before, after, out, source=effect.source)
    else:
        told = " → ".join(side.in_words() for side in sides) if before.kind == "hops" else ""
        draw_before_after(before, after, out, title=told)


def compare_sentences(
    model: Path, first: str, second: str, unit: Unit, out: Path | None, run: "Computing"
) -> None:
    """Print the cosine and what every two words add to it; or draw that."""
    if out is not None:
        check_picture(out)
    embedder = api.load(model, device=run.device, task="embedding")
    with warnings_said(quiet=run.quiet):
        near = embedder.similarity(first, second)
    shown = near.words(unit)
    if run.as_json:
        typer.echo(in_json({**near.to_dict(), "words": shown.to_dict()}))
    else:
        typer.echo(f"{near}\n")
        print_similarity(shown)
        typer.echo("\nin hundredths of the cosine; all cells together are the cosine")
    if out is not None:
        draw_similarity(shown, out)
        say(f"wrote {out}", quiet=run.quiet)


def levels_of(record: "AttentionRecord", unit: Unit) -> dict[str, list[AttentionMap]]:
    """The maps of a page: in the unit that was asked for, and in another."""
    units: list[Unit] = [unit, "words" if unit == "tokens" else "tokens"]
    return {one: [hops.with_sum(each) for each in every_map(record, one)] for one in units}


def beside_it(target: str | None, second: str | None) -> dict[str, str]:
    """What a model is given beside the sentence, where there is something."""
    given = {"target": target, "second": second}
    return {name: text for name, text in given.items() if text is not None}


def look_models(
    models: Sequence[Path],
    texts: Sequence[str],
    unit: Unit,
    out: Path | None,
    run: "Computing",
    *,
    target: str | None,
) -> None:
    """Print the attention of each model below that of the one before; draw them side by side."""
    drawn: list[tuple[str, AttentionMap]] = []
    pages: list[tuple[str, dict[str, list[AttentionMap]], str]] = []
    for number, path in enumerate(models):
        opened: Any = api.load(path, device=run.device)
        if target is not None and opened.task != "translation":
            raise ConfigError(f"{path}: is a model for {opened.task}; --target is for translators")
        if (len(texts) == 2) != bool(getattr(opened, "reads_pairs", False)):
            expected = "one text" if len(texts) == 2 else "two texts"
            raise ConfigError(f"{path}: takes {expected}, found {len(texts)}; look at it by itself")
        with warnings_said(quiet=run.quiet):
            seen = opened.look(texts[0], **beside_it(target, texts[1] if len(texts) == 2 else None))
        for note in getattr(seen, "notes", ()):
            say(f"{path}: {note}", quiet=run.quiet)
        name, record = str(path), seen.attention
        if record.reason and out is not None:
            raise RegardError(f"{path}: nothing to draw: {record.reason}")
        shown = None if record.reason else hops.with_sum(side_by_side_map(main_maps(record, unit)))
        if run.as_json:
            looks = {} if shown is None else {"attention": shown.to_dict()}
            typer.echo(in_json({"model": name, **seen.to_dict(), **looks}))
        else:
            source = "" if number else getattr(seen, "texts", seen.source)
            typer.echo(f"{source}\n\n{name}\n{seen.in_words()}\n".removeprefix("\n"))
            if shown is not None:
                print_heat_map(shown)
        if shown is None:
            say(f"{path}: nothing to show: {record.reason}", quiet=run.quiet)
            continue
        drawn.append((f"{name}\n{seen.in_words()}", shown))
        pages.append((name, levels_of(record, unit), seen.in_words()))
    if out is None:
        return
    if out.suffix.lower() == ".html":
        write_models(pages, out, source="\n".join(texts))
    else:
        draw_models(drawn, out, title=" / ".join(texts))
    say(f"wrote {out}", quiet=run.quiet)


def draw_over_training(
    run: Path,
    seen: "Translation | Classification | Tagging | QuestionAnswer",
    unit: Unit,
    out: Path,
    *,
    device: str,
) -> None:
    """Look through every checkpoint that a run has kept; where they write, at one output, so that all maps
    have the same rows."""
    from regard.inference.generation import Translation
    from regard.store.pointer import read_pointers
    from regard.tasks.question_answering.result import QuestionAnswer

    kept = read_pointers(run).checkpoints
    if not kept:
        raise StoreError(
            f"{run}: lists no checkpoints, so there is nothing to see over training; train with "
            f"--set training.keep.every=STEPS to keep some"
        )
    frames = []
    for entry in kept:
        model = api.load(run / entry.folder, device=device)
        target = seen.text if isinstance(seen, Translation) else None
        read = (seen.question, seen.source) if isinstance(seen, QuestionAnswer) else (seen.source,)
        record = model.look(*read, **beside_it(target, getattr(seen, "second", None))).attention
        frames.append((f"step {entry.step:,}", side_by_side_map(main_maps(record, unit))))
    draw_time_lapse(frames, out)
