"""Why attention came: how long recurrent networks remember the beginning of what they read.

A reader is shown a sequence of symbols and must then recall the first few, from its last state alone. One is
trained for each length. Before it learns anything, it is measured how much of the gradient of its loss
reaches the first symbols: what does not arrive cannot be learned from.
"""

import time
from dataclasses import asdict, dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from regard.config.model import CellName, EncoderConfig
from regard.experiments.estimates import Effect, Quantity, Seen, more_than, quantities
from regard.experiments.experiment import Chart, Curves, Experiment, Finding, Line, Measured, Part, World
from regard.metrics.statistics import Floats, Statistics, mean_of
from regard.nn.recurrent import Recurrent
from regard.progress import track

READERS: dict[str, tuple[CellName, bool]] = {
    "rnn": ("rnn", False),
    "gru": ("gru", False),
    "lstm": ("lstm", False),
    "bilstm": ("lstm", True),
}
"""The cell, and whether it reads backwards, too."""
RECALL = "recall"
TITLES = {"rnn": "RNN", "gru": "GRU", "lstm": "LSTM", "bilstm": "BiLSTM"}


@dataclass(frozen=True)
class RecallTask:
    """Sizes of the task, of the readers and of their training."""

    symbols: int = 12
    wanted: int = 3
    """How many of the first symbols are asked for."""
    lengths: tuple[int, ...] = (5, 10, 15, 20, 30, 40)
    """One reader is trained for each."""
    embedding_size: int = 24
    hidden_size: int = 48
    steps: int = 2000
    batch: int = 64
    learning_rate: float = 3e-3
    test_rows: int = 500


WHOLE, QUICK = RecallTask(), RecallTask(steps=300, test_rows=200)


class Reader(nn.Module):
    """Reads symbols, and names the first of them from its last state."""

    def __init__(self, task: RecallTask, cell: CellName, *, bidirectional: bool) -> None:
        super().__init__()
        self.embedding = nn.Embedding(task.symbols, task.embedding_size)
        cells = EncoderConfig(cell=cell, hidden_size=task.hidden_size, bidirectional=bidirectional)
        self.encoder = Recurrent(cells, input_size=task.embedding_size)
        self.output = nn.Linear(self.encoder.output_size, task.wanted * task.symbols)

    def forward(self, embedded: Tensor, symbols: int) -> Tensor:
        """Logits of the symbols that are asked for: (b, s, e) -> (b, wanted, symbols)."""
        rows, length, _ = embedded.shape
        _, last = self.encoder(embedded, torch.full((rows,), length))
        logits: Tensor = self.output(last)
        return logits.view(rows, -1, symbols)


def measure_reader(task: RecallTask, reader: str, seed: int, *, quiet: bool = True) -> Measured:
    """Train one reader for each length; its recall, and the gradient that reached the first symbols."""
    begun = time.monotonic()
    found: dict[str, Quantity] = {}
    parameters = 0
    for length in task.lengths:
        with torch.random.fork_rng(devices=[]):  # nobody else's random state is touched
            torch.default_generator.manual_seed(1000 * seed + length)
            cell, bidirectional = READERS[reader]
            model = Reader(task, cell, bidirectional=bidirectional)
            test = torch.randint(task.symbols, (task.test_rows, length))
            gradient = gradient_to_the_first(model, task, test)
            _train(model, task, length, quiet=quiet)
            recall = _recall(model, task, test)
        parameters = sum(parameter.numel() for parameter in model.parameters())
        found |= quantities({f"recall {length}": recall, f"gradient {length}": gradient})
    about = {"parameters": parameters, "steps": task.steps * len(task.lengths)}
    return Measured(found, about, time.monotonic() - begun)


def gradient_to_the_first(model: Reader, task: RecallTask, rows: Tensor) -> Statistics:
    """log10 of the norm of the gradient of a row's loss by the vector of its first symbol, row by row."""
    embedded = model.embedding(rows).detach().requires_grad_()
    loss = _loss(model(embedded, task.symbols), rows, task, reduction="sum")
    (gradient,) = torch.autograd.grad(loss, embedded)
    norms = gradient[:, 0].norm(dim=-1).double().clamp_min(1e-45)  # the smallest that float32 has
    return mean_of(norms.log10().tolist())


def _train(model: Reader, task: RecallTask, length: int, *, quiet: bool) -> None:
    optimizer = torch.optim.Adam(model.parameters(), lr=task.learning_rate)
    for _ in track(
        range(task.steps), f"length {length}", unit="steps", total=task.steps, every=50, quiet=quiet
    ):
        rows = torch.randint(task.symbols, (task.batch, length))
        loss = _loss(model(model.embedding(rows), task.symbols), rows, task)
        optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()


def _loss(logits: Tensor, rows: Tensor, task: RecallTask, reduction: str = "mean") -> Tensor:
    wanted = rows[:, : task.wanted]
    return F.cross_entropy(logits.flatten(0, 1), wanted.flatten(), reduction=reduction)


def _recall(model: Reader, task: RecallTask, rows: Tensor) -> Statistics:
    """The share of the symbols that are named right, in percent."""
    with torch.inference_mode():
        named = model(model.embedding(rows), task.symbols).argmax(dim=-1)
    right = (named == rows[:, : task.wanted]).double().mean(dim=-1)
    return mean_of((100 * right).tolist())


def rnn_memory(whole: RecallTask = WHOLE, quick: RecallTask = QUICK) -> Experiment:
    """The experiment, for these sizes; both forms have the same lengths."""

    def part(world: World, system: str, seed: int, is_quick: bool) -> Part:
        task = quick if is_quick else whole
        del world
        return Part(
            lambda _, quiet: measure_reader(task, system, seed, quiet=quiet),
            {"task": asdict(task), "reader": system, "seed": seed},
            minutes=(1 if system == "bilstm" else 0.5) * task.steps / 1000,
        )

    def charts(_: World) -> tuple[Chart, ...]:
        ticks = tuple((float(length), str(length)) for length in whole.lengths)
        axis = "length of the sequence (symbols)"
        chance = 100 / whole.symbols, "chance"

        def lines(measure: str) -> tuple[Line, ...]:
            points = tuple((place, f"{measure} {name}") for place, name in ticks)
            return tuple(Line(title, system, points) for system, title in TITLES.items())

        return (
            Curves(axis, "first symbols recalled (%)", lines("recall"), ticks, level=chance),
            Curves(axis, "gradient at the first symbol, untrained (log10)", lines("gradient"), ticks),
        )

    return Experiment(
        name="rnn-memory",
        paper="Bengio, Simard and Frasconi 1994; Hochreiter and Schmidhuber 1997; Cho et al. 2014",
        worlds=(World(RECALL, f"recall the first {whole.wanted} symbols from the last state", TITLES),),
        part=part,
        findings=_findings(whole.lengths[0], whole.lengths[-1], whole.lengths),
        charts=charts,
        seeds=5,
        quick_seeds=3,
        shown=tuple(f"recall {length}" for length in whole.lengths),
    )


def _findings(shortest: int, longest: int, lengths: tuple[int, ...]) -> tuple[Finding, ...]:
    def forgotten(system: str) -> Effect:
        return lambda seen: seen(system, f"recall {shortest}") - seen(system, f"recall {longest}")

    def recall(seen: Seen, system: str) -> Floats:
        """The mean over all lengths."""
        scores: Floats = np.mean([seen(system, f"recall {length}") for length in lengths], axis=0)
        return scores

    def more_recall(system: str, other: str) -> Effect:
        return lambda seen: recall(seen, system) - recall(seen, other)

    def vanished(seen: Seen, system: str) -> Floats:
        """Powers of ten that the gradient loses for every 10 symbols."""
        lost = seen(system, f"gradient {shortest}") - seen(system, f"gradient {longest}")
        return lost / ((longest - shortest) / 10)

    points = "points of recall"
    powers = "powers of ten for 10 symbols"
    return (
        Finding(
            "an RNN forgets the beginning",
            RECALL,
            "a simple recurrent network cannot learn what depends on the distant past (Bengio et al. 1994)",
            "An RNN [forgets|remembers] the first words of [a long sequence|long sequences better]",
            forgotten("rnn"),
            points,
            more_than(10),
        ),
        Finding(
            "the gradient of an RNN vanishes",
            RECALL,
            "the gradient decays exponentially with the distance (Bengio et al. 1994)",
            "The gradient that reaches the first word of an RNN [vanishes|grows] with the length",
            lambda seen: vanished(seen, "rnn"),
            powers,
            more_than(0.3),
            decimals=2,
        ),
        Finding(
            "the gradient of an LSTM vanishes less",
            RECALL,
            "the error flows constantly through the cell (Hochreiter and Schmidhuber 1997)",
            "The gradient vanishes [more slowly|faster] in an LSTM",
            lambda seen: vanished(seen, "rnn") - vanished(seen, "lstm"),
            powers,
            more_than(0.1),
            decimals=2,
        ),
        Finding(
            "an LSTM remembers longer than an RNN",
            RECALL,
            "gates keep what was read long ago (Hochreiter and Schmidhuber 1997)",
            "An LSTM recalls [more|less] of the first words than an RNN, over all lengths",
            more_recall("lstm", "rnn"),
            points,
            more_than(5),
        ),
        Finding(
            "a GRU remembers longer than an RNN",
            RECALL,
            "gates that reset and update let a unit remember (Cho et al. 2014)",
            "A GRU recalls [more|less] of the first words than an RNN, over all lengths",
            more_recall("gru", "rnn"),
            points,
            more_than(5),
        ),
        Finding(
            "an LSTM forgets the beginning, too",
            RECALL,
            "the fixed vector is what attention was made to do without (Bahdanau et al. 2015)",
            "[Even an|An] LSTM [forgets|remembers] the first words of "
            "[a long sequence|long sequences better]",
            forgotten("lstm"),
            points,
            more_than(10),
        ),
        Finding(
            "reading backwards brings the beginning near",
            RECALL,
            "read from its end, the source has its first words near the target (Sutskever et al. 2014)",
            "A BiLSTM recalls [the|less of the] first words [whatever the length|than an LSTM]",
            more_recall("bilstm", "lstm"),
            points,
            more_than(5),
        ),
    )
