import json
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.training.tiny import SMALL

import regard
from regard.config.load import load_recipe
from regard.errors import ConfigError, DataError, DivergedError, StoreError
from regard.store.folder import read_model
from regard.tasks.translation import trainer as translation
from regard.training.state import RunSummary
from regard.training.step import BatchLoss

TEXT_AND_EPOCHS = ["text.vocabulary_size=400", "training.epochs=2"]
TINY = [
    *SMALL, *TEXT_AND_EPOCHS, "data.train.rows=300", "data.train.max_words=3", "data.dev.rows=20",
    "data.dev.max_words=3",
]  # fmt: skip


def events(run: Path, kind: str) -> list[dict[str, Any]]:
    lines = (run / "log.jsonl").read_text(encoding="utf-8").splitlines()
    return [event for event in map(json.loads, lines) if event["event"] == kind]


def train(out: Path, *settings: str) -> RunSummary:
    return regard.train("demo", out=out, set_=[*TINY, *settings], quiet=True)


def test_a_run_leaves_recipe_log_and_best_model(tmp_path: Path) -> None:
    summary = train(tmp_path / "r", "training.validations_per_epoch=2")
    assert load_recipe(str(tmp_path / "r" / "recipe.yaml")) == load_recipe(
        "demo", [*TINY, "training.validations_per_epoch=2"]
    )
    steps, validations = events(tmp_path / "r", "step"), events(tmp_path / "r", "validation")
    assert [event["step"] for event in steps] == list(range(1, summary.steps + 1))
    assert {"loss", "nll", "learning_rate", "gradient_norm", "tokens", "tokens_per_second"} <= steps[0].keys()
    assert steps[-1]["epoch"] == 2.0
    assert len(validations) == 4
    best = max(validations, key=lambda event: float(event["bleu"]))
    stored = read_model(tmp_path / "r")
    assert stored.summary["dev"]["bleu"] == best["bleu"]
    assert summary.best_step == stored.summary["step"]
    assert events(tmp_path / "r", "start")[0]["versions"]["torch"] == torch.__version__


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("data.max_tokens=30", r"model\.longest = 21 has no room for data\.max_tokens = 30 and </s>"),
        ("data.max_tokens=20", r"builtin:ko-en:dev:\d+: \d+ tokens and </s>, but model\.longest = 21"),
    ],
)
def test_places_that_are_too_few_are_found_before_training(
    tmp_path: Path, setting: str, message: str
) -> None:
    data = ["data.train.rows=300", "data.dev.rows=20", "text.vocabulary_size=400"]
    model = ["model.positions=learned", "model.longest=21", "model.width=8"]
    with pytest.raises((ConfigError, DataError), match=message):
        regard.train("transformer-small", out=tmp_path / "r", set_=[*data, *model, setting], quiet=True)


def test_the_seed_decides_everything(tmp_path: Path) -> None:
    """Two runs give the same bits, with dropout and shuffling; another seed gives others."""
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        torch.manual_seed(ord(name))  # the state of torch's own generator plays no part
        train(tmp_path / name, f"training.seed={seed}", "training.best_by=loss")
    a, b, c = (read_model(tmp_path / name).weights for name in "abc")
    assert all(torch.equal(a[name], b[name]) for name in a)
    assert not any(torch.equal(a[name], c[name]) for name in a)
    timeless = [
        [
            {k: v for k, v in e.items() if k not in ("tokens_per_second", "memory_mb", "elapsed", "crc32")}
            for e in events(tmp_path / n, "step")
        ]
        for n in "ab"
    ]
    assert timeless[0] == timeless[1]


def test_patience_stops_early(tmp_path: Path) -> None:
    """With a learning rate of nothing, no validation is better than the first."""
    settings = ["training.optimizer.learning_rate=1e-30", "training.epochs=9", "training.patience=2"]
    summary = train(tmp_path / "r", *settings, "training.best_by=loss")
    assert summary.stopped_early
    assert len(events(tmp_path / "r", "validation")) == 3


def test_a_folder_that_holds_a_run_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text("precious")
    with pytest.raises(StoreError, match=r"holds a run or a model already \(log.jsonl\)"):
        train(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"log.jsonl", ".lock"}
    assert (tmp_path / "log.jsonl").read_text() == "precious"


def test_long_pairs_are_left_out_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.tsv"
    path.write_text("ko\ten\n" + "가 나\ta b\n" * 20 + "가 " * 50 + "\ta\n", encoding="utf-8")
    settings = [f"data.train={path}", f"data.dev={path}", "data.max_tokens=10", *SMALL, *TEXT_AND_EPOCHS]
    regard.train("demo", out=tmp_path / "r", set_=settings)
    assert "20 training pairs, 1 left out (longer than data.max_tokens = " in capsys.readouterr().err
    with pytest.raises(DataError, match=r"every training pair is longer than data.max_tokens = 1"):
        regard.train("demo", out=tmp_path / "s", set_=[*settings, "data.max_tokens=1"], quiet=True)


def test_an_empty_corpus_is_refused_before_training(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text("ko\ten\n")
    with pytest.raises(DataError, match=r"data.train: the corpus has no rows"):
        regard.train("demo", out=tmp_path / "r", set_=[f"data.train={path}"], quiet=True)


def test_a_loss_that_is_no_number_stops_before_the_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_loss = translation.TranslationTrainer.loss
    seen: list[translation.TranslationTrainer] = []

    def spoiled(self: translation.TranslationTrainer, rows: Any, rng: Any) -> BatchLoss:
        batch = real_loss(self, rows, rng)
        seen.append(self)
        return (
            BatchLoss(batch.loss * float("nan"), batch.log_likelihood, batch.tokens, 0.0)
            if len(seen) == 3
            else batch
        )

    monkeypatch.setattr(translation.TranslationTrainer, "loss", spoiled)
    with pytest.raises(
        DivergedError, match=r"step 3: the loss is nan.* in the batch of builtin:ko-en:train:\d+"
    ):
        train(tmp_path / "r")
    assert all(parameter.isfinite().all() for parameter in seen[0].model.parameters())
