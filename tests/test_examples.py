"""The examples in docstrings run, in a folder where `runs/demo` is a trained model.

`regard`, `model` (that model, loaded), `classifier`, `tagger`, `lm` and `encoder` (small ones) are at hand.
`...` in an output stands for anything: what a small model says is not for certain.
"""

import doctest
import importlib
from pathlib import Path

import pytest

import regard
from regard.tasks.classification.predictor import Classifier
from regard.tasks.embedding.other_tasks import PooledClassifier
from regard.tasks.language_model.predictor import LanguageModel
from regard.tasks.tagging.predictor import Tagger
from regard.tasks.translation.predictor import Translator

SOURCE = Path(regard.__file__).parent


def modules_with_examples() -> list[str]:
    paths = [path for path in sorted(SOURCE.rglob("*.py")) if ">>> " in path.read_text(encoding="utf-8")]
    parts = [path.relative_to(SOURCE.parent).with_suffix("").parts for path in paths]
    return [".".join(part for part in names if part != "__init__") for names in parts]


def examples() -> list[doctest.DocTest]:
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = [finder.find(importlib.import_module(name), name) for name in modules_with_examples()]
    return [test for tests in found for test in tests if test.examples]


@pytest.fixture
def demo_folder(trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "demo").symlink_to(trained)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_an_example_runs(
    example: doctest.DocTest,
    demo_folder: Path,
    translator: Translator,
    classifier: Classifier,
    tagger: Tagger,
    language_model: LanguageModel,
) -> None:
    own: dict[str, object] = {
        "model": translator,
        "classifier": classifier,
        "tagger": tagger,
        "lm": language_model,
    }
    own["encoder"] = PooledClassifier(classifier)
    example.globs |= {"regard": regard, **own}
    report: list[str] = []
    failed, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=report.append)
    assert not failed, "".join(report)


@pytest.mark.parametrize(
    "name", ["regard", "regard.api.loading.load", "regard.tasks.translation.predictor.Translator.translate"]
)
def test_examples_are_found(name: str) -> None:
    assert name in {example.name for example in examples()}
