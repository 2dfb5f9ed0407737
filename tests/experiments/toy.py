"""An experiment without models: two systems whose measures are known, and parts that can be counted."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from regard.config.model import Seq2SeqConfig
from regard.config.recipe import Recipe
from regard.experiments.estimates import Quantity, less_than, more_than, quantities
from regard.experiments.experiment import (
    Chart,
    Curves,
    Dots,
    Experiment,
    Finding,
    Line,
    Measured,
    Part,
    Scatter,
    World,
)
from regard.metrics.statistics import mean_of


def recurrent(recipe: Recipe | None) -> Seq2SeqConfig:
    """The model of a recipe, which is a recurrent one."""
    assert recipe is not None
    assert isinstance(recipe.model, Seq2SeqConfig)
    return recipe.model


ROWS = [0.0, 4.0, 8.0, 2.0, 6.0] * 20
SYSTEMS = {"none": "without", "attention": "with attention"}


def measures(system: str, seed: int) -> dict[str, Quantity]:
    """`bleu` is 4 without and 7 + seed with attention; over lengths 10 and 20 it falls by 2 without."""
    gain = 3.0 + seed if system == "attention" else 0.0
    falls = 0.0 if system == "attention" else 2.0
    scores = {
        "bleu": mean_of([row + gain for row in ROWS]),
        "bleu 10": mean_of([row + gain for row in ROWS]),
        "bleu 20": mean_of([row + gain - falls for row in ROWS]),
        "aer": mean_of([0.5 - gain / 100 for _ in ROWS]),
    }
    return quantities(scores, samples=50)


def toy(
    done: list[str] | None = None,
    *,
    before: Callable[[str], None] = lambda _: None,
    facts: Any = None,
    every_chart: bool = False,
) -> Experiment:
    """Make it.

    done:   where the parts that were run are noted
    before: called with the name of a part when it begins
    facts:  what the parts say they depend on
    """

    def part(world: World, system: str, seed: int, quick: bool) -> Part:
        name = f"{world.name}-{system}-{seed}"

        def work(folder: Path, quiet: bool) -> Measured:
            before(name)
            if done is not None:
                done.append(name)
            return Measured(measures(system, seed), {"parameters": 1000}, 1.5)

        return Part(work, {"quick": quick, "more": facts}, 0.1)

    def charts(_: World) -> tuple[Chart, ...]:
        points = ((10.0, "bleu 10"), (20.0, "bleu 20"))
        lines = tuple(Line(title, system, points) for system, title in SYSTEMS.items())
        curves = Curves("words", "BLEU", lines, level=(5.0, "the middle"))
        return (curves, Dots("AER", "aer"), Scatter("AER", "BLEU", "aer", "bleu"))[: 3 if every_chart else 1]

    return Experiment(
        name="toy",
        line="two systems whose measures are known",
        paper="Nobody 1900",
        worlds=(
            World("here", "made on the spot", SYSTEMS),
            World("there", "real text", SYSTEMS, corpus="toy-corpus", most_seeds=1, in_quick=False),
        ),
        part=part,
        findings=(
            Finding(
                "attention helps",
                "here",
                "attention is better than none",
                "Attention [helps|hurts]",
                lambda seen: seen("attention", "bleu") - seen("none", "bleu"),
                "BLEU",
                more_than(1.0),
            ),
            Finding(
                "attention falls",
                "here",
                "it falls with attention, too",
                "With attention it [falls|rises]",
                lambda seen: seen("attention", "bleu 10") - seen("attention", "bleu 20"),
                "BLEU",
                more_than(0.5),
            ),
            Finding(
                "the gain is small",
                "there",
                "the gain is less than 2",
                "The gain is [small|large]",
                lambda seen: seen("attention", "bleu") - seen("none", "bleu"),
                "BLEU",
                less_than(2.0),
            ),
        ),
        charts=charts,
        seeds=3,
        shown=("bleu", "aer"),
    )
