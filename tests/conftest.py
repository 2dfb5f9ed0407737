"""What several tests share: a small model, trained once by the real command."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import regard
from regard.tasks.translation import Translator

SMALL = [
    "data.train.rows=16000",
    "data.train.max_words=3",
    "data.dev.rows=100",
    "data.dev.max_words=3",
    "data.test.rows=200",
    "data.test.max_words=3",
    "text.vocabulary_size=900",
    "model.embedding_size=64",
    "model.encoder.hidden_size=64",
    "model.attention.hidden_size=64",
    "model.decoder.hidden_size=96",
    "training.epochs=2",
    "training.batch_tokens=512",
    "training.optimizer.learning_rate=0.005",
]

SMALL_SETTINGS = [argument for setting in SMALL for argument in ("--set", setting)]


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Encoded corpora of tests do not go to the user's cache, nor come from it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REGARD_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def run() -> Run:
    """Run a real `regard` command; `text` is given to its stdin."""

    def call(*arguments: str | Path, text: str | bytes = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "regard", *map(str, arguments)]
        given = text if isinstance(text, bytes) else text.encode()
        done = subprocess.run(command, input=given, capture_output=True, check=False, timeout=600)
        return subprocess.CompletedProcess(
            command, done.returncode, done.stdout.decode(), done.stderr.decode()
        )

    return call


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory, run: Run) -> Path:
    """A run folder with a small Korean-English model that has learned something."""
    out = tmp_path_factory.mktemp("runs") / "small"
    done = run("demo", "--out", out, *SMALL_SETTINGS)
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="session")
def translator(trained: Path) -> Translator:
    return regard.load(trained)
