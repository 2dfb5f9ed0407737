"""How the cost of regard's Transformer grows: with sentence length, batch, vocabulary, beam and corpus.

    python -m bench.growth [--rounds 5] [--out results/bench-growth.json] [--figure docs/images/growth.svg]

Each point is a process of its own, and those of a curve take turns (`bench/rounds.py`). Time is the median of
its rounds, memory the most that was resident, above what the imports had needed. Beside the time stand the
multiplications that the work cannot do without, and for a search the bytes that it reads if each hypothesis
reads its own words: what grows faster than both wastes something. Sentences all have the same length, words
have no meaning, and a search writes as many words as it reads.
"""

import argparse
import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench.asked import machine, write_figures
from bench.demand import search_operations, search_reads, step_operations
from bench.growth_figure import draw_growth
from bench.job import Transformer
from bench.rounds import in_turn, say
from bench.sides.growing import Point, Work
from bench.synthetic import write_corpus

from regard.tasks.translation.examples import pair_corpus

SMALLEST = Transformer(width=16, heads=2, feed_forward=32, encoder_layers=1, decoder_layers=1)


@dataclass(frozen=True)
class Axis:
    """What grows, and the sizes it is measured at."""

    name: str
    values: tuple[int, ...]
    at: dict[str, Any]
    """What stays as it is."""
    works: tuple[Work, ...] = ("training", "decoding")


AXES = (
    Axis("length", (20, 40, 80, 160, 320, 512), {"batch": 8}),
    Axis("batch", (8, 16, 32, 64, 128, 256), {}),
    Axis("vocabulary", (1000, 2000, 4000, 8000, 16000, 32000), {"batch": 64}),
    Axis("beam", (1, 2, 4, 8, 16, 32), {"batch": 16}, ("decoding",)),
)
ROWS = (10_000, 100_000, 1_000_000)
"""Of the corpora that are opened."""
SMOKE = (
    Axis("length", (4, 8), {"batch": 2, "vocabulary": 300}),
    Axis("beam", (1, 2), {"batch": 2, "length": 4, "vocabulary": 300}, ("decoding",)),
)
SMOKE_ROWS = (100, 200)


def curves(axes: tuple[Axis, ...], base: Point) -> Iterator[tuple[Axis, list[Point]]]:
    """The points of each curve."""
    for axis in axes:
        for work in axis.works:
            yield axis, [replace(base, work=work, **{**axis.at, axis.name: value}) for value in axis.values]


def demanded(point: Point) -> int:
    """Multiplications and additions of a point."""
    count = step_operations if point.work == "training" else search_operations
    return count(point)


def measure(
    axis: str, values: tuple[int, ...], points: list[Point], demand: Callable[[Point, int], int], **how: int
) -> dict[str, Any]:
    """One curve: the time and the memory of its points, and what the work demands."""
    work = points[0].work
    say(f"{work} against {axis}")
    found = in_turn(
        {f"{value:,}": point.command() for value, point in zip(values, points, strict=True)}, **how
    )
    curve = {
        "axis": axis,
        "work": work,
        "values": list(values),
        "seconds": [side.median for side in found.values()],
        "memory": [side.last["memory"] for side in found.values()],
        "demanded": [demand(point, value) for point, value in zip(points, values, strict=True)],
    }
    if work == "decoding":
        curve["read"] = [search_reads(point) for point in points]
    print(f"{work} against {axis}, {values[0]:,} to {values[-1]:,} ({values[-1] / values[0]:.1f} x)")
    for name in [name for name in ("seconds", "memory", "demanded", "read") if name in curve]:
        print(f"  {name:<10}{curve[name][-1] / curve[name][0]:8.1f} x", flush=True)
    return curve


def opened(rows: tuple[int, ...], base: Point, folder: Path, **how: int) -> dict[str, Any]:
    """The curve over the size of a corpus."""
    points = []
    for number in rows:
        corpus = folder / f"{number}.tsv"
        write_corpus(corpus, rows=number, length=12, vocabulary=8000, spread=8)
        point = replace(base, work="opening", corpus=str(corpus))
        recipe = point.recipe(corpus)
        pair_corpus(recipe.data, recipe.text, quiet=True)  # encodes it into the cache
        points.append(point)
    return measure("rows", rows, points, lambda _, number: number, **how)


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.growth", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--polite", action="store_true", help="do not raise the priority of the points")
    parser.add_argument("--smoke", action="store_true", help="tiny sizes, to see that all points run")
    parser.add_argument("--out", type=Path, help="a JSON file for all figures")
    parser.add_argument("--figure", type=Path, help="a picture of the curves")
    return parser.parse_args()


def main() -> None:
    asked = options()
    facts = machine(asked.threads)
    how = {"rounds": asked.rounds, "threads": asked.threads}
    axes, rows = (SMOKE, SMOKE_ROWS) if asked.smoke else (AXES, ROWS)
    base = Point("training", SMALLEST if asked.smoke else Transformer(), polite=asked.polite)
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"REGARD_CACHE": f"{folder}/cache", "TMPDIR": folder}  # for the points, too
        found = [
            measure(axis.name, axis.values, points, lambda point, _: demanded(point), **how)
            for axis, points in curves(axes, base)
        ]
        found.append(opened(rows, base, Path(folder), **how))
    figures = {"machine": facts, "rounds": asked.rounds, "curves": found}
    write_figures(asked.out, figures)
    if asked.figure is not None:
        draw_growth(found, asked.figure)
        say(f"drawn to {asked.figure}")


if __name__ == "__main__":
    main()
