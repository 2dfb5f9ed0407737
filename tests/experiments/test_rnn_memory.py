"""The recall task: the gradient against finite differences, what learns, and the whole in small."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from regard.experiments.reproduce import reproduce
from regard.experiments.rnn_memory import READERS, Reader, RecallTask, gradient_to_the_first, rnn_memory
from regard.experiments.rnn_memory import measure_reader as measure

TINY = RecallTask(
    symbols=4, wanted=2, lengths=(3, 6), embedding_size=6, hidden_size=8, steps=150, batch=32,
    learning_rate=0.01, test_rows=60,
)  # fmt: skip


@pytest.mark.parametrize("reader", READERS)
def test_the_gradient_is_what_small_steps_say(reader: str) -> None:
    torch.manual_seed(1)
    cell, bidirectional = READERS[reader]
    model = Reader(TINY, cell, bidirectional=bidirectional).double()
    rows = torch.randint(TINY.symbols, (1, 5))
    embedded = model.embedding(rows).detach()

    def loss(moved: torch.Tensor) -> float:
        logits = model(moved, TINY.symbols)[0]
        return float(torch.nn.functional.cross_entropy(logits, rows[0, :2], reduction="sum").detach())

    slopes = []
    for place in range(TINY.embedding_size):
        step = torch.zeros_like(embedded)
        step[0, 0, place] = 1e-6
        slopes.append((loss(embedded + step) - loss(embedded - step)) / 2e-6)
    found = gradient_to_the_first(model, TINY, rows).value()
    assert 10**found == pytest.approx(torch.tensor(slopes).norm().item(), rel=1e-4)


def test_the_gradient_of_an_rnn_vanishes_and_reading_backwards_saves_it() -> None:
    """With half of each state passed on, 10 steps more are a factor of 2^10, or 3.01 powers of ten."""
    model = Reader(TINY, "rnn", bidirectional=False)
    weights = dict(model.encoder.forwards[0].named_parameters())
    with torch.no_grad():
        weights["weight_hh_l0"].copy_(torch.eye(TINY.hidden_size) / 2)
        weights["weight_ih_l0"].mul_(1e-3)  # tanh is a straight line near 0
        weights["bias_ih_l0"].zero_()
        weights["bias_hh_l0"].zero_()
    short, long = (gradient_to_the_first(model, TINY, torch.zeros(4, n, dtype=torch.long)) for n in (5, 15))
    assert short.value() - long.value() == pytest.approx(3.01, abs=0.01)


def test_a_reader_learns_and_the_seed_decides() -> None:
    found = measure(TINY, "bilstm", 1)
    assert found.quantities["recall 3"].value > 90  # chance is 25
    again, other = measure(TINY, "bilstm", 1), measure(TINY, "bilstm", 2)
    assert again.quantities == found.quantities
    assert other.quantities["gradient 3"] != found.quantities["gradient 3"]


def test_the_experiment_in_small(tmp_path: Path) -> None:
    short = replace(TINY, steps=20)
    experiment = rnn_memory(short, short)
    record = reproduce(experiment, tmp_path / "x", quick=True, seeds=2, quiet=True)
    assert [part.system for part in record.parts] == ["rnn", "gru", "lstm", "bilstm"] * 2
    assert len(record.findings) == 7
    assert {finding.over for finding in record.findings} == {"seeds"}
    gradients = [part.values["gradient 6"] for part in record.parts if part.system == "rnn"]
    assert all(value is not None and value < 0 for value in gradients)
    assert (tmp_path / "x" / "rnn-memory.png").stat().st_size > 20_000
