"""Is attention needed, and does it carry? Uniform attention, other seeds, frozen attention."""

from collections.abc import Sequence

from regard.config.load import Setting
from regard.experiments.attention_tests import BILSTM, BUILTIN, NSMC, SST2, UNIFORM, attention_part, worlds
from regard.experiments.estimates import about_equal, more_than
from regard.experiments.experiment import Chart, Dots, Experiment, Finding, Part, World


def wiegreffe_pinter(changes: Sequence[Setting] = ()) -> Experiment:
    """The experiment; `changes` are made in the recipes."""

    def part(world: World, system: str, seed: int, quick: bool) -> Part:
        return attention_part(world, system, seed, quick, changes, other_seed=True)

    def charts(_: World) -> tuple[Chart, ...]:
        return (Dots("accuracy (%)", "accuracy"),)

    return Experiment(
        name="wiegreffe-pinter",
        paper="Wiegreffe and Pinter 2019, Attention is not not Explanation",
        worlds=worlds((BILSTM, UNIFORM)),
        part=part,
        findings=tuple(finding for world in (SST2, NSMC, BUILTIN) for finding in _findings(world)),
        charts=charts,
        shown=("accuracy", "frozen_gain", "seed_divergence", "adversary"),
        note=(
            "uniform attention is trained, too; frozen_gain is what a network without context gains from the "
            "BiLSTM's attention over uniform attention, in shares of texts; divergences are JSD, at most "
            "ln 2 = 0.69"
        ),
    )


def _findings(world: str) -> tuple[Finding, ...]:
    """What is asked of each world."""
    where = {SST2: "", NSMC: " on NSMC", BUILTIN: " in the built-in world"}[world]
    points = "points of accuracy"
    return (
        Finding(
            f"uniform attention costs little{where}",
            world,
            "on some tasks a BiLSTM with uniform attention is nearly as good",
            f"A BiLSTM with uniform attention [is as good as|differs from] one that learns attention{where}",
            lambda seen: seen(BILSTM, "accuracy") - seen(UNIFORM, "accuracy"),
            points,
            about_equal(2.0),
        ),
        Finding(
            f"frozen attention carries{where}",
            world,
            "with the attention of the BiLSTM, a network without context is better than with uniform weights",
            f"A network without context is [better|worse] with the BiLSTM's attention than with uniform "
            f"weights{where}",
            lambda seen: 100 * seen(BILSTM, "frozen_gain"),
            points,
            more_than(1.0),
        ),
        Finding(
            f"seeds differ less than an adversary{where}",
            world,
            "other seeds give attention that is nearer than what an adversary finds",
            f"The attention of another seed is [nearer than|beyond] what an adversary finds{where}",
            lambda seen: seen(BILSTM, "adversary") - seen(BILSTM, "seed_divergence"),
            "nats of JSD",
            more_than(0.05),
            decimals=2,
        ),
    )
