"""What several tests share: a small model, trained once by the real command; and the long form of tests.

A test marked `long(guard)` is slow, and asserts at length what the test that it names asserts in small.
`make test` leaves it out; `pytest --long -m "long or hypothesis"` runs those, and tries the properties with
many more examples, drawn at random.
`pytest --torture -m torture` runs in their long form those tests that have one, and writes what they counted
to the file that `--figures` names.
"""

import fcntl
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tests.commands import Commands
from tests.tasks.classifier import train_classifier
from tests.tasks.language import train_language_model
from tests.tasks.tagger import train_tagger
from tests.torture.figures import Figures

import regard
from regard.tasks.classification.predictor import Classifier
from regard.tasks.language_model.predictor import LanguageModel
from regard.tasks.tagging.predictor import Tagger
from regard.tasks.translation.predictor import Translator

FIGURES = pytest.StashKey[Figures]()
LONG_EXAMPLES = 1_000


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="properties are tried with many random examples")
    parser.addoption("--torture", action="store_true", help="the long form of the tests that have one")
    parser.addoption("--figures", type=Path, help="where to write what they counted")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "long(guard): the test `guard` says the same in small, for make test")
    config.addinivalue_line("markers", "torture: has a long form, which --torture runs")
    config.stash[FIGURES] = Figures()
    # How long an example takes says how busy the machine is, not whether the code is right.
    patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    # The same examples for everybody; the long forms look for others.
    settings.register_profile("fixed", patient, derandomize=True)
    settings.register_profile("long", patient, max_examples=LONG_EXAMPLES, print_blob=True)
    settings.register_profile("torture", patient, max_examples=10_000, print_blob=True)
    chosen = "torture" if config.getoption("torture") else "long" if config.getoption("long") else "fixed"
    settings.load_profile(chosen)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    path = session.config.getoption("figures")
    if path is not None:
        note = "interrupted" if exitstatus == pytest.ExitCode.INTERRUPTED else ""
        session.config.stash[FIGURES].write(path, session.testsfailed, note)


@pytest.fixture(scope="session")
def figures(pytestconfig: pytest.Config) -> Figures:
    """Where tests count what they have seen."""
    return pytestconfig.stash[FIGURES]


@pytest.fixture(scope="session")
def torture(pytestconfig: pytest.Config) -> bool:
    """Whether the long form is wanted."""
    return bool(pytestconfig.getoption("torture"))


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
    """Encoded corpora of tests do not go to the user's cache, nor come from it; commands write to pipes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REGARD_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.delenv("COLUMNS", raising=False)  # a pipe has no edge, whoever runs the tests
        yield


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def commands() -> Iterator[Commands]:
    """Commands that start without the time that importing torch takes, and can be killed."""
    with Commands() as started:
        yield started


@pytest.fixture(scope="session")
def run(commands: Commands) -> Run:
    """Run a real `regard` command; `text` is given to its stdin."""

    def call(*arguments: str | Path, text: str | bytes = "") -> subprocess.CompletedProcess[str]:
        ended = commands.run(*arguments, text=text if isinstance(text, bytes) else text.encode())
        return subprocess.CompletedProcess(
            ["regard", *map(str, arguments)], ended.status, ended.stdout, ended.stderr
        )

    return call


Make = Callable[[str, Callable[[Path], object]], Path]


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Make:
    """Make a run folder, or take what another worker has made; each has a copy, for tests may write to it."""

    def folder(name: str, make: Callable[[Path], object]) -> Path:
        own = tmp_path_factory.mktemp("runs") / name
        if not hasattr(pytestconfig, "workerinput"):
            make(own)
            return own
        first = tmp_path_factory.getbasetemp().parent / f"made-{name}"
        with first.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not first.exists():
                unfinished = first.with_suffix(".part")
                shutil.rmtree(unfinished, ignore_errors=True)
                make(unfinished)
                unfinished.rename(first)
        shutil.copytree(first, own)
        return own

    return folder


def train_small(out: Path) -> None:
    command = [sys.executable, "-m", "regard", "demo", "--out", str(out), *SMALL_SETTINGS]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def trained(made_once: Make) -> Path:
    """A run folder with a small Korean-English model that has learned something."""
    return made_once("small", train_small)


@pytest.fixture(scope="session")
def translator(trained: Path) -> Translator:
    return regard.load(trained, task="translation")


@pytest.fixture(scope="session")
def opinions(made_once: Make) -> Path:
    """A run folder with a small classifier that has learned to tell praise from blame."""
    return made_once("opinions", train_classifier)


@pytest.fixture(scope="session")
def classifier(opinions: Path) -> Classifier:
    return regard.load(opinions, task="classification")


@pytest.fixture(scope="session")
def language_run(made_once: Make) -> Path:
    """A run folder with a small language model, a Transformer, that has learned something."""
    return made_once("language", train_language_model)


@pytest.fixture(scope="session")
def language_model(language_run: Path) -> LanguageModel:
    return regard.load(language_run, task="language-model")


@pytest.fixture(scope="session")
def parts_of_speech(made_once: Make) -> Path:
    """A run folder with a small tagger that has learned something, and that looks."""
    return made_once("tagger", train_tagger)


@pytest.fixture(scope="session")
def tagger(parts_of_speech: Path) -> Tagger:
    return regard.load(parts_of_speech, task="tagging")
