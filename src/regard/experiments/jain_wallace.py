"""Is attention an explanation? Its order against gradients and leaving words out; other attention."""

import math
from collections.abc import Sequence

from regard.config.load import Setting
from regard.experiments.attention_tests import AVERAGE, BILSTM, BUILTIN, NSMC, SST2, attention_part, worlds
from regard.experiments.estimates import less_than, more_than
from regard.experiments.experiment import Chart, Dots, Experiment, Finding, Part, World

LARGEST = math.log(2)
"""Of the Jensen-Shannon divergence, in nats."""


def jain_wallace(changes: Sequence[Setting] = ()) -> Experiment:
    """The experiment; `changes` are made in the recipes."""

    def part(world: World, system: str, seed: int, quick: bool) -> Part:
        return attention_part(world, system, seed, quick, changes, other_seed=False)

    def charts(_: World) -> tuple[Chart, ...]:
        return (
            Dots("Kendall's τ, attention and gradient", "tau_gradient"),
            Dots("Kendall's τ, attention and leave-one-out", "tau_leave_one_out"),
            Dots("JSD to other attention, same output", "adversary"),
        )

    return Experiment(
        name="jain-wallace",
        paper="Jain and Wallace 2019, Attention is not Explanation",
        worlds=worlds((BILSTM, AVERAGE)),
        part=part,
        findings=tuple(finding for world in (SST2, NSMC, BUILTIN) for finding in _findings(world)),
        charts=charts,
        shown=("accuracy", "tau_gradient", "tau_leave_one_out", "permutation", "adversary"),
        note=(
            "both have one attention with tanh over the states of the words, and a linear layer; τ and JSD "
            "are means over texts, and permutation is the mean of the median TVD of 100 permutations"
        ),
    )


def _findings(world: str) -> tuple[Finding, ...]:
    """What is asked of each world."""
    where = {SST2: "", NSMC: " on NSMC", BUILTIN: " in the built-in world"}[world]
    return (
        Finding(
            f"gradients agree less after a BiLSTM{where}",
            world,
            "τ between attention and gradients is 0.35 with a BiLSTM on SST, and 0.61 without an RNN",
            f"The attention of a BiLSTM agrees [less|more] with gradients than that of bare words{where}",
            lambda seen: seen(AVERAGE, "tau_gradient") - seen(BILSTM, "tau_gradient"),
            "τ",
            more_than(0.05),
            decimals=2,
        ),
        Finding(
            f"leaving words out agrees less after a BiLSTM{where}",
            world,
            "τ between attention and leave-one-out is 0.29 with a BiLSTM on SST, and 0.62 without an RNN",
            f"The attention of a BiLSTM agrees [less|more] with leaving words out than that of bare "
            f"words{where}",
            lambda seen: seen(AVERAGE, "tau_leave_one_out") - seen(BILSTM, "tau_leave_one_out"),
            "τ",
            more_than(0.05),
            decimals=2,
        ),
        Finding(
            f"permuting attention changes little{where}",
            world,
            "permuted attention often barely changes the output: a median of 0.006 in the first example",
            f"Permuting the attention of a BiLSTM changes its output [little|a lot]{where}",
            lambda seen: seen(BILSTM, "permutation"),
            "TVD",
            less_than(0.1),
            decimals=3,
        ),
        Finding(
            f"quite other attention gives the same output{where}",
            world,
            "within a TVD of 0.01, other attention is often almost as far away as it can be, ln 2 = 0.69",
            f"Attention that is [almost as far away as can be|nearer to it] gives the same output{where}",
            lambda seen: LARGEST - seen(BILSTM, "adversary"),
            "nats below ln 2",
            less_than(0.2),
            decimals=2,
        ),
    )
