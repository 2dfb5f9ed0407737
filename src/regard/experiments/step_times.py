"""How long a step of training takes, for sentences of one length: of whole models, and of single layers.

Every batch has the same number of tokens, so that long sentences are few. The steps of whole models are those
of regard's training loop, over sentences of random words.
"""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from regard.config.load import Setting, load_recipe
from regard.config.model import EncoderConfig
from regard.config.recipe import Recipe
from regard.data.batching import SYMBOLS, Batch, EncodedPair, make_batch
from regard.experiments.estimates import Quantity
from regard.experiments.experiment import Measured
from regard.experiments.parts import with_equal_parameters
from regard.models.catalogue import build_model
from regard.nn.dropout import DropoutRng
from regard.nn.layout import Layout
from regard.nn.multihead import Keys, SelfAttention
from regard.nn.recurrent import Recurrent
from regard.progress import track
from regard.text.tokenizer import SPECIAL
from regard.training.optimizer import make_optimizer
from regard.training.step import BatchLoss, forward_backward
from regard.training.teacher_forcing import loss_of_batch

BAHDANAU, LUONG, TRANSFORMER = "bahdanau", "luong", "transformer"
LSTM, SELF_ATTENTION = "lstm", "self-attention"
HEADS = 4


@dataclass(frozen=True)
class TimedTask:
    """Sizes of the batches and of what is timed, and how often a step is taken."""

    lengths: tuple[int, ...] = (8, 16, 32, 64, 128, 256, 512)
    """Tokens of a sentence, </s> counted, on both sides."""
    tokens: int = 1024
    """Of each side of a batch, whatever the length."""
    width: int = 256
    """Of the Transformer, of all word vectors and of single layers (d)."""
    layers: int = 3
    """Of the Transformer's encoder, and of its decoder."""
    vocabulary: int = 2000
    layer_lengths: tuple[int, ...] = (8, 16, 32, 64, 128, 256, 512, 1024)
    """The same for single layers."""
    layer_tokens: int = 4096
    steps: int = 3
    """Timed at each length, after one that is not; the median counts."""


@cache
def recipe_of(task: TimedTask, system: str) -> Recipe:
    """The recipe of a model; the recurrent decoders are as wide as makes the parameters as many."""
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
            ("model.heads", HEADS),
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
    LUONG: ("luong-general", ["model.decoder.input_feeding=false"]),
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

    def loss(self, rows: Sequence[int], rng: DropoutRng) -> BatchLoss:
        """The loss of some of them."""
        return loss_of_batch(self._network, self.batch(rows), rng, smoothing=self._smoothing)

    def batch(self, rows: Sequence[int]) -> Batch:
        """Some of them; none has padding."""
        return make_batch(self._pairs, rows, SYMBOLS)

    def describe(self, rows: Sequence[int]) -> str:
        """For an error."""
        return f"{len(rows)} random sentences of {self._length} tokens"


def time_model(task: TimedTask, system: str, repetition: int, *, quiet: bool = True) -> Measured:
    """The step of a whole model: batch, loss, gradient, clipping, Adam."""
    recipe = recipe_of(task, system)

    def make() -> nn.Module:
        return build_model(recipe.model, source_size=task.vocabulary, target_size=task.vocabulary)

    def step_of(model: nn.Module, length: int) -> Callable[[int], None]:
        sentences = RandomSentences(model, task, length, smoothing=recipe.training.label_smoothing)
        optimizer = make_optimizer(model, recipe.training.optimizer)

        def step(number: int) -> None:
            forward_backward(sentences, recipe.training, [sentences.rows], number)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)

        return step

    about = {"model": recipe.model.model_dump(mode="json")}
    return _time(make, step_of, task.lengths, task.steps, repetition, about, quiet=quiet)


class SelfAttentionLayer(nn.Module):
    """Words that look at words; nothing of them is padding."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.heads = SelfAttention(
            width=width, heads=HEADS, head_size=width // HEADS, dropout=0.0, rotary=False
        )

    def forward(self, words: Tensor) -> Tensor:
        """(b, t, d) -> (b · t, d)."""
        layout = Layout(torch.ones(words.shape[:2], dtype=torch.bool), None)
        query, keys, values = self.heads.heads_of(words.flatten(0, 1), layout)
        memory = Keys(keys, values, layout.real[:, None, None], hides=False)
        return self.heads.look(query, memory, layout, rng=None, trace=None)


class LstmLayer(nn.Module):
    """An LSTM that reads from left to right."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.cells = Recurrent(EncoderConfig(hidden_size=width, bidirectional=False), input_size=width)

    def forward(self, words: Tensor) -> Tensor:
        """(b, t, d) -> (b · t, d)."""
        states: Tensor = self.cells(words, torch.full((len(words),), words.shape[1]))[0]
        return states.flatten(0, 1)


def time_layer(task: TimedTask, system: str, repetition: int, *, quiet: bool = True) -> Measured:
    """One layer there and back, over random words."""
    kind = {LSTM: LstmLayer, SELF_ATTENTION: SelfAttentionLayer}[system]

    def step_of(layer: nn.Module, length: int) -> Callable[[int], None]:
        words = torch.randn(task.layer_tokens // length, length, task.width, requires_grad=True)

        def step(_: int) -> None:
            given: Tensor = layer(words)
            torch.autograd.backward(given, torch.ones_like(given))

        return step

    make = lambda: kind(task.width)  # noqa: E731
    return _time(make, step_of, task.layer_lengths, task.steps, repetition, {}, quiet=quiet)


def _time(
    make: Callable[[], nn.Module],
    step_of: Callable[[nn.Module, int], Callable[[int], None]],
    lengths: Sequence[int],
    steps: int,
    repetition: int,
    about: dict[str, Any],
    *,
    quiet: bool,
) -> Measured:
    """The milliseconds of a step at each length, and how many times those at the shortest they are.

    Every other repetition goes from long to short, so that a machine that gets slower bends no curve.
    """
    begun, computed = time.monotonic(), time.process_time()
    order = lengths if repetition % 2 else lengths[::-1]
    with torch.random.fork_rng(devices=[]):  # nobody else's random state is touched
        torch.default_generator.manual_seed(repetition)
        module = make()
        took = {
            length: median_seconds(step_of(module, length), steps)
            for length in track(order, "timing", unit="lengths", total=len(order), every=1, quiet=quiet)
        }
    found = {f"ms {length}": Quantity(1000 * took[length]) for length in lengths}
    found |= {f"growth {length}": Quantity(took[length] / took[lengths[0]]) for length in lengths}
    seconds = time.monotonic() - begun
    parameters = sum(parameter.numel() for parameter in module.parameters())
    cores = round((time.process_time() - computed) / seconds, 2)
    return Measured(found, {"parameters": parameters, "cores": cores, **about}, seconds)


def median_seconds(step: Callable[[int], None], times: int) -> float:
    """Of so many steps; one before them, which finds its memory and its kernels, does not count."""
    took = []
    for number in range(times + 1):
        begun = time.perf_counter()
        step(number)
        took.append(time.perf_counter() - begun)
    return statistics.median(took[1:])
