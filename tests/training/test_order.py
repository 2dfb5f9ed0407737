"""Every row exactly once an epoch, in the same order, however often a run was stopped."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.examples import cells
from tests.torture.figures import Figures
from tests.training.tiny import assert_same, steps, stop_in, train

from regard.errors import StoppedError
from regard.nn.dropout import DropoutRng
from regard.tasks.translation.trainer import TranslationTrainer
from regard.training.step import BatchLoss

pytestmark = pytest.mark.torture

EPOCHS, ROWS = 3, 60


def keep_a_ledger(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Write down the rows of each batch that is learned from, a line a row."""
    real = TranslationTrainer.loss

    def noted(self: TranslationTrainer, rows: Sequence[int], rng: DropoutRng | None) -> BatchLoss:
        with path.open("a") as ledger:
            ledger.writelines(f"{row}\n" for row in rows)
        return real(self, rows, rng)

    monkeypatch.setattr(TranslationTrainer, "loss", noted)


@cells("resumes", [3, 10], quick=[3])  # of an epoch
def test_the_same_rows_in_the_same_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, resumes: int, figures: Figures
) -> None:
    settings = [
        f"training.epochs={EPOCHS}",
        f"data.train.rows={ROWS}",
        "training.batch_tokens=40",
        "training.accumulate=2",
    ]
    with monkeypatch.context() as patch:
        keep_a_ledger(patch, tmp_path / "whole.txt")
        train(tmp_path / "whole", *settings)
    done = steps(tmp_path / "whole")
    stops: set[int] = set()
    for epoch in range(EPOCHS):
        own = [event["step"] for event in done if epoch < event["epoch"] <= epoch + 1]
        assert len(own) > resumes
        stops.update(own[-resumes:] if epoch < EPOCHS - 1 else own[:resumes])
    keep_a_ledger(monkeypatch, tmp_path / "stopped.txt")
    stop_in(monkeypatch, stops)
    for _ in range(EPOCHS * resumes):
        with pytest.raises(StoppedError):
            train(tmp_path / "stopped", *settings)
    train(tmp_path / "stopped", *settings)
    assert (tmp_path / "stopped.txt").read_bytes() == (tmp_path / "whole.txt").read_bytes()
    assert_same(tmp_path / "whole", tmp_path / "stopped")
    ledger = [int(line) for line in (tmp_path / "stopped.txt").read_text().splitlines()]
    assert len(ledger) == EPOCHS * ROWS
    epochs = [ledger[start : start + ROWS] for start in range(0, len(ledger), ROWS)]
    assert all(Counter(epoch) == Counter(range(ROWS)) for epoch in epochs)
    assert len({tuple(epoch) for epoch in epochs}) == EPOCHS, "each epoch has an order of its own"
    figures.add("R3", epochs=EPOCHS, resumes=EPOCHS * resumes, rows=len(ledger))
