"""The time of a training step against the length of the sentences, recurrent and not, at equal parameters.

Of as many tokens, a recurrent network has more steps to take one after the other as sentences get longer, and
each for fewer sentences; a Transformer reads all words at once. What it pays instead grows with the square of
the length.
"""

from collections.abc import Callable
from dataclasses import asdict

import numpy as np

from regard.experiments.estimates import Effect, Seen, less_than, more_than
from regard.experiments.experiment import Chart, Curves, Experiment, Finding, Line, Part, World
from regard.experiments.step_times import (
    BAHDANAU,
    LSTM,
    LUONG,
    SELF_ATTENTION,
    TRANSFORMER,
    TimedTask,
    time_layer,
    time_model,
)
from regard.metrics.statistics import Floats

MODELS, LAYERS = "models", "layers"
TITLES = {BAHDANAU: "LSTM, Bahdanau", LUONG: "LSTM, Luong, unfed", TRANSFORMER: "Transformer"}
LAYER_TITLES = {LSTM: "LSTM layer", SELF_ATTENTION: "self-attention layer"}
RECURRENT = {BAHDANAU: "Bahdanau's LSTM", LUONG: "Luong's LSTM without input feeding"}
QUICK = TimedTask(layers=1, layer_tokens=2048, steps=2)
PERCENT = "% more time"


def rnn_against_transformer(whole: TimedTask = TimedTask(), quick: TimedTask = QUICK) -> Experiment:  # noqa: B008
    """The experiment, for these sizes; both forms have the same lengths and the same width."""

    def part(world: World, system: str, seed: int, is_quick: bool) -> Part:
        task = quick if is_quick else whole
        measure = time_model if world.name == MODELS else time_layer
        return Part(
            lambda _, quiet: measure(task, system, seed, quiet=quiet),
            {"task": asdict(task), "system": system, "repetition": seed},
            minutes=0.05 + (0.07 * task.layers if world.name == MODELS else 0.0),
        )

    def charts(world: World) -> tuple[Chart, ...]:
        lengths = whole.lengths if world.name == MODELS else whole.layer_lengths
        ticks = tuple((float(length), str(length)) for length in lengths)

        def lines(measure: str) -> tuple[Line, ...]:
            points = tuple((place, f"{measure} {name}") for place, name in ticks)
            return tuple(Line(title, system, points) for system, title in world.systems.items())

        axis, what = "length of the sentences (tokens)", "training step" if world.name == MODELS else "layer"
        beside = f"times the time at {lengths[0]} tokens"
        level = 1.0, f"as at {lengths[0]} tokens"
        return (
            Curves(axis, f"time of a {what} (ms)", lines("ms"), ticks, log_x=True),
            Curves(axis, beside, lines("growth"), ticks, log_x=True, level=level),
        )

    every = sorted({*whole.lengths, *whole.layer_lengths})
    return Experiment(
        name="rnn-against-transformer",
        paper="Vaswani et al. 2017, Attention Is All You Need, Table 1",
        worlds=(
            World(MODELS, "whole models of equal parameters", TITLES),
            World(LAYERS, "one layer, forward and backward", LAYER_TITLES),
        ),
        part=part,
        findings=(*_findings_of_models(whole), *_findings_of_layers(whole)),
        charts=charts,
        seeds=5,
        quick_seeds=3,
        repeats="repetitions",
        shown=tuple(f"ms {length}" for length in every),
        note=(
            f"every batch has as many tokens, whatever their length; d = {whole.width}; times are of one "
            "machine, and valid only if it was otherwise idle"
        ),
    )


def _ratio(seen: Seen, system: str, other: str, length: int) -> Floats:
    return seen(system, f"ms {length}") / seen(other, f"ms {length}")


def _grown(system: str, start: int, end: int) -> Effect:
    """By how much time grows from one length to another, in percent."""
    return lambda seen: 100 * (seen(system, f"ms {end}") / seen(system, f"ms {start}") - 1)


def _grown_beside(system: str, other: str, start: int, end: int) -> Effect:
    """The same of the ratio of two systems."""
    return lambda seen: 100 * (_ratio(seen, system, other, end) / _ratio(seen, system, other, start) - 1)


def _slower(system: str, other: str, lengths: list[int]) -> Effect:
    """How much more time one takes than another, in percent: the mean over some lengths."""

    def effect(seen: Seen) -> Floats:
        ratios: Floats = np.mean([_ratio(seen, system, other, length) for length in lengths], axis=0)
        return 100 * (ratios - 1)

    return effect


def _findings_of_models(task: TimedTask) -> tuple[Finding, ...]:
    shortest = task.lengths[0]
    below = [length for length in task.lengths if length < task.width]
    longest, at_width = below[-1], max(length for length in task.lengths if length <= task.width)
    asked: tuple[tuple[str, str, str, Callable[[str], Effect], float], ...] = (
        (
            "long sentences cost more than in a Transformer",
            "recurrence precludes parallel work within a sentence, which counts when sentences are long",
            "The longer the sentences, the [slower|faster] {} relative to a Transformer of equal size",
            lambda system: _grown_beside(system, TRANSFORMER, shortest, longest),
            10,
        ),
        (
            "equal tokens take longer in long sentences",
            "a recurrent layer takes O(n) operations one after the other, self-attention O(1)",
            f"With {{}}, as many tokens take [longer|less time] in sentences of {longest} than of {shortest}",
            lambda system: _grown(system, shortest, longest),
            10,
        ),
        (
            "a Transformer trains faster",
            "a Transformer can be trained significantly faster than recurrent networks",
            f"Below {task.width} tokens, a step of {{}} takes [longer|less time] than a Transformer's "
            "of equal size",
            lambda system: _slower(system, TRANSFORMER, below),
            5,
        ),
    )
    beside = (
        Finding(
            f"{name}: {TITLES[system]}",
            MODELS,
            paper,
            said.format(called),
            effect(system),
            PERCENT,
            more_than(least),
            decimals=0,
        )
        for name, paper, said, effect, least in asked
        for system, called in RECURRENT.items()
    )
    return (
        *beside,
        Finding(
            "up to n = d, what is quadratic is the smaller part of a Transformer",
            MODELS,
            "self-attention takes n² d operations and all else n d²",
            f"[Up to|At] {at_width} tokens, what grows with the length is [less|more] than half of a "
            "Transformer's time",
            _grown(TRANSFORMER, shortest, at_width),
            PERCENT,
            less_than(100),
            decimals=0,
        ),
    )


def _findings_of_layers(task: TimedTask) -> tuple[Finding, ...]:
    longest = task.layer_lengths[-1]
    below = [length for length in task.layer_lengths if length < task.width]
    at_width = max(length for length in task.layer_lengths if length <= task.width)
    return (
        Finding(
            "a self-attention layer is faster while n < d",
            LAYERS,
            "self-attention layers are faster than recurrent ones while sentences are shorter than d",
            f"Below {task.width} tokens, an LSTM layer takes [longer|less time] than a self-attention layer",
            _slower(LSTM, SELF_ATTENTION, below),
            PERCENT,
            more_than(5),
            decimals=0,
        ),
        Finding(
            "beyond n = d, a self-attention layer grows faster",
            LAYERS,
            "a self-attention layer takes n² d operations, a recurrent one n d²",
            f"From {at_width} to {longest} tokens, self-attention slows down [more|less] than an LSTM",
            _grown_beside(SELF_ATTENTION, LSTM, at_width, longest),
            PERCENT,
            more_than(10),
            decimals=0,
        ),
        Finding(
            f"at {longest} tokens, self-attention is overtaken",
            LAYERS,
            "a self-attention layer takes n² d operations, a recurrent one n d²",
            f"At {longest} tokens, a self-attention layer takes [longer|less time] than an LSTM layer",
            _slower(SELF_ATTENTION, LSTM, [longest]),
            PERCENT,
            more_than(5),
            decimals=0,
        ),
    )
