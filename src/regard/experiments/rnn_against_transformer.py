"""The time of a training step against the length of the sentences, recurrent and not, at equal parameters.

Every batch has the same number of tokens, so that long sentences are few: a recurrent network then has more
steps to take one after the other, each for fewer sentences, where a Transformer reads all words at once. What
it pays instead grows with the square of the length. The steps are those of regard's training loop, over
sentences of random words.
"""

import statistics
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import numpy as np
import torch
from torch import nn

from regard.config.load import Setting, load_recipe
from regard.config.recipe import Recipe
from regard.data.batching import Batch, EncodedPair, make_batch
from regard.experiments.charts import Chart, Curves, Line
from regard.experiments.claims import less_than, more_than
from regard.experiments.estimates import Effect, Quantity, Seen
from regard.experiments.experiment import Experiment, Finding, Measured, Part, World
from regard.experiments.parameters import with_equal_parameters
from regard.metrics.statistics import Floats
from regard.models.catalogue import build_model
from regard.nn.noise import Noise
from regard.progress import track
from regard.tasks.translation import SYMBOLS
from regard.text.tokenizer import SPECIAL
from regard.training.loop import BatchLoss, forward_and_back, make_optimizer
from regard.training.translation import loss_of_batch

TIMES = "step-times"
BAHDANAU, LUONG, TRANSFORMER = "bahdanau", "luong", "transformer"
TITLES = {BAHDANAU: "LSTM, Bahdanau", LUONG: "LSTM, Luong, unfed", TRANSFORMER: "Transformer"}


@dataclass(frozen=True)
class TimedTask:
    """Sizes of the batches and of the models, and how often a step is taken."""

    lengths: tuple[int, ...] = (8, 16, 32, 64, 128, 256, 512)
    """Tokens of a sentence, </s> counted, on both sides."""
    tokens: int = 1024
    """Of each side of a batch, whatever the length."""
    width: int = 256
    """Of the Transformer and of all word vectors (d)."""
    layers: int = 3
    """Of the Transformer's encoder, and of its decoder."""
    vocabulary: int = 2000
    steps: int = 3
    """Timed at each length, after one that is not; the median counts."""


QUICK = TimedTask(layers=1, steps=2)


@cache
def recipe_of(task: TimedTask, system: str) -> Recipe:
    """The recipe of a system; the recurrent decoders are as wide as makes the parameters as many."""
    width = task.width
    common: list[Setting] = [
        ("text.joint", True),
        ("text.vocabulary_size", task.vocabulary),
        ("model.share_embeddings", True),
        ("model.dropout", 0.1),
    ]
    transformer = load_recipe(
        "transformer-small",
        [
            *common,
            ("model.width", width),
            ("model.feed_forward", 4 * width),
            ("model.encoder_layers", task.layers),
            ("model.decoder_layers", task.layers),
        ],
    )
    if system == TRANSFORMER:
        return transformer
    name, own = _RECURRENT[system]
    sizes: list[Setting] = [
        ("model.embedding_size", width),
        ("model.encoder.hidden_size", width * task.layers // 2),
        ("model.attention.hidden_size", width // 2),
    ]
    recurrent = load_recipe(name, [*common, *sizes, *own])
    return with_equal_parameters(
        recurrent, transformer, "model.decoder.hidden_size", vocabulary=task.vocabulary
    )


_RECURRENT: dict[str, tuple[str, list[Setting]]] = {
    BAHDANAU: ("bahdanau", []),
    LUONG: ("luong-general", [("model.decoder.input_feeding", False)]),
}


class RandomSentences:
    """Sentences of one length, as a step of training sees them."""

    def __init__(self, model: nn.Module, task: TimedTask, length: int, *, smoothing: float) -> None:
        self.model = model
        self._network: Any = model
        self._smoothing = smoothing
        self._length = length
        words = np.random.default_rng(length).integers(
            len(SPECIAL), task.vocabulary, size=(task.tokens // length, 2, length - 1)
        )
        self._pairs = [EncodedPair(source, target) for source, target in words]
        self.rows = range(len(self._pairs))

    def loss(self, rows: Sequence[int], noise: Noise) -> BatchLoss:
        """The loss of some of them."""
        return loss_of_batch(self._network, self.batch(rows), noise, smoothing=self._smoothing)

    def batch(self, rows: Sequence[int]) -> Batch:
        """Some of them; none has padding."""
        return make_batch(self._pairs, rows, SYMBOLS)

    def describe(self, rows: Sequence[int]) -> str:
        """For an error."""
        return f"{len(rows)} random sentences of {self._length} tokens"


def time_steps(task: TimedTask, system: str, repetition: int, *, quiet: bool = True) -> Measured:
    """The milliseconds of a training step at each length, and how many times those at the shortest they are.

    Every other repetition goes from long to short, so that a machine that gets slower bends no curve.
    """
    begun, computed = time.monotonic(), time.process_time()
    recipe = recipe_of(task, system)
    with torch.random.fork_rng(devices=[]):  # nobody else's random state is touched
        torch.default_generator.manual_seed(repetition)
        model = build_model(recipe.model, source_size=task.vocabulary, target_size=task.vocabulary)
    order = task.lengths if repetition % 2 else task.lengths[::-1]
    took = {
        length: _step_seconds(model, recipe, task, length)
        for length in track(order, "timing", unit="lengths", total=len(order), every=1, quiet=quiet)
    }
    shortest = took[task.lengths[0]]
    found = {f"ms {length}": Quantity(1000 * took[length]) for length in task.lengths}
    found |= {f"growth {length}": Quantity(took[length] / shortest) for length in task.lengths}
    seconds = time.monotonic() - begun
    about = {
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "cores": round((time.process_time() - computed) / seconds, 2),
        "model": recipe.model.model_dump(mode="json"),
    }
    return Measured(found, about, seconds)


def _step_seconds(model: nn.Module, recipe: Recipe, task: TimedTask, length: int) -> float:
    """The median over some steps; the first, which finds its memory and its kernels, does not count."""
    sentences = RandomSentences(model, task, length, smoothing=recipe.training.label_smoothing)
    optimizer = make_optimizer(model, recipe.training.optimizer)
    times = []
    for step in range(task.steps + 1):
        begun = time.perf_counter()
        forward_and_back(sentences, recipe.training, [sentences.rows], step)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        times.append(time.perf_counter() - begun)
    return statistics.median(times[1:])


def rnn_against_transformer(whole: TimedTask = TimedTask(), quick: TimedTask = QUICK) -> Experiment:  # noqa: B008
    """The experiment, for these sizes; both forms have the same lengths, tokens and width."""

    def part(world: World, system: str, seed: int, is_quick: bool) -> Part:
        task = quick if is_quick else whole
        del world
        return Part(
            lambda _, quiet: time_steps(task, system, seed, quiet=quiet),
            {"task": asdict(task), "system": system, "repetition": seed},
            minutes=0.1 * task.layers,
        )

    def charts(_: World) -> tuple[Chart, ...]:
        ticks = tuple((float(length), str(length)) for length in whole.lengths)

        def lines(measure: str) -> tuple[Line, ...]:
            points = tuple((place, f"{measure} {name}") for place, name in ticks)
            return tuple(Line(title, system, points) for system, title in TITLES.items())

        axis = "length of the sentences (tokens)"
        first = whole.lengths[0]
        return (
            Curves(axis, "time of a training step (ms)", lines("ms"), ticks, log_x=True),
            Curves(
                axis, f"times the time at {first} tokens", lines("growth"), ticks, log_x=True,
                level=(1.0, f"as at {first} tokens"),
            ),
        )  # fmt: skip

    return Experiment(
        name="rnn-against-transformer",
        line="the time of a training step against sentence length, recurrent and not, at equal parameters",
        paper="Vaswani et al. 2017, Attention Is All You Need, Table 1",
        worlds=(World(TIMES, f"batches of {whole.tokens:,} tokens on each side", TITLES),),
        part=part,
        findings=_findings(whole),
        charts=charts,
        seeds=5,
        quick_seeds=3,
        repeats="repetitions",
        shown=tuple(f"ms {length}" for length in whole.lengths),
        note="times are of one machine, and of worth only if it had nothing else to do",
    )


def _findings(task: TimedTask) -> tuple[Finding, ...]:
    shortest, longest = task.lengths[0], task.lengths[-1]
    within = [length for length in task.lengths if length < task.width]
    below, at_width = within[-1], max(length for length in task.lengths if length <= task.width)

    def grown(system: str, start: int, end: int) -> Effect:
        return lambda seen: 100 * (seen(system, f"ms {end}") / seen(system, f"ms {start}") - 1)

    def grown_beside(system: str, other: str, start: int, end: int) -> Effect:
        """By how much the ratio of two systems grows."""
        return lambda seen: 100 * (_ratio(seen, system, other, end) / _ratio(seen, system, other, start) - 1)

    def slower(system: str) -> Effect:
        """Than the Transformer: the mean over all lengths below its width."""

        def effect(seen: Seen) -> Floats:
            ratios: Floats = np.mean([_ratio(seen, system, TRANSFORMER, length) for length in within], axis=0)
            return 100 * (ratios - 1)

        return effect

    percent = "% more time"
    sequential = "recurrence precludes parallel work within a sentence, which counts when sentences are long"
    recurrent = {BAHDANAU: "Bahdanau's LSTM", LUONG: "Luong's LSTM without input feeding"}
    return (
        *(
            Finding(
                f"long sentences cost more beside a Transformer: {TITLES[system]}",
                TIMES,
                sequential,
                f"The longer the sentences, the slower {name} beside a Transformer of equal size",
                f"The longer the sentences, the faster {name} beside a Transformer of equal size",
                grown_beside(system, TRANSFORMER, shortest, below),
                percent,
                more_than(10),
                decimals=0,
            )
            for system, name in recurrent.items()
        ),
        *(
            Finding(
                f"equal tokens take longer in long sentences: {TITLES[system]}",
                TIMES,
                "a recurrent layer takes O(n) operations one after the other, a Transformer's O(1)",
                f"With {name}, as many tokens take longer in sentences of {below} than of {shortest}",
                f"With {name}, as many tokens take less time in sentences of {below} than of {shortest}",
                grown(system, shortest, below),
                percent,
                more_than(10),
                decimals=0,
            )
            for system, name in recurrent.items()
        ),
        *(
            Finding(
                f"a Transformer is faster while n < d: {TITLES[system]}",
                TIMES,
                "a self-attention layer is faster than a recurrent one while sentences are shorter than d",
                f"Below {task.width} tokens, {name} is slower than a Transformer of equal size",
                f"Below {task.width} tokens, {name} is faster than a Transformer of equal size",
                slower(system),
                percent,
                more_than(5),
                decimals=0,
            )
            for system, name in recurrent.items()
        ),
        Finding(
            "up to n = d, what is quadratic is the smaller part",
            TIMES,
            "self-attention takes n² d operations, all else n d², so that it is less while n < d",
            f"Up to {at_width} tokens, what grows with the length is less than half of a Transformer's time",
            f"At {at_width} tokens, what grows with the length is more than half of a Transformer's time",
            grown(TRANSFORMER, shortest, at_width),
            percent,
            less_than(100),
            decimals=0,
        ),
        Finding(
            "beyond n = d, a Transformer's time grows faster",
            TIMES,
            "beyond d, n² d operations of self-attention are more than the n d² of recurrence",
            f"From {at_width} to {longest} tokens, a Transformer's time grows faster than Luong's LSTM's",
            f"From {at_width} to {longest} tokens, a Transformer's time grows less than Luong's LSTM's",
            grown_beside(TRANSFORMER, LUONG, at_width, longest),
            percent,
            more_than(10),
            decimals=0,
        ),
    )


def _ratio(seen: Seen, system: str, other: str, length: int) -> Floats:
    return seen(system, f"ms {length}") / seen(other, f"ms {length}")
