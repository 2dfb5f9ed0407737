"""The package's face: small, complete, and cheap to import."""

import json
import subprocess
import sys
from typing import Any

import pytest

import regard
from regard.tasks.translation import Translator


def loaded_after(code: str) -> set[str]:
    """Names of the top-level modules that a fresh interpreter has loaded after this code."""
    script = f"{code}\nimport sys; print(' '.join({{name.split('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split("\n")[-2].split())


def test_every_public_name_can_be_had() -> None:
    for name in regard.__all__:
        assert getattr(regard, name) is not None
    assert sorted(regard.__all__) == list(regard.__all__)
    assert dir(regard) == regard.__all__


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(regard, "no_such_name")


def test_import_loads_no_torch() -> None:
    loaded = loaded_after("import regard; regard.__version__")
    assert "regard" in loaded
    assert not loaded & {"torch", "numpy", "pydantic", "typer", "tokenizers", "matplotlib"}


def test_help_loads_no_torch() -> None:
    code = (
        "import sys; sys.argv = ['regard', '--help']\n"
        "from regard.cli.main import run\n"
        "try: run()\n"
        "except SystemExit: pass"
    )
    loaded = loaded_after(code)
    assert "typer" in loaded
    assert not loaded & {"torch", "numpy", "pydantic", "tokenizers", "matplotlib", "sacrebleu"}


def test_recipes_load_no_torch() -> None:
    code = "from regard.config.load import load_recipe; load_recipe('bahdanau')"
    assert "torch" not in loaded_after(code)


RESULTS: dict[str, Any] = {
    name: getattr(regard, name)
    for name in (
        "AttentionMap", "Classification", "Comparison", "Completion", "Evaluation", "LabelEffect",
        "LineTranslation", "PairScore", "RunSummary", "TextScore", "Translation",
    )
}  # fmt: skip


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_frozen_and_plain(name: str) -> None:
    assert RESULTS[name].__dataclass_params__.frozen
    assert callable(RESULTS[name].to_dict)


def test_results_show_themselves_in_a_line(translator: Translator) -> None:
    best = translator.translate("저는 달을 봤어요.")
    (line,) = regard.translate_lines(translator, ["저는 달을 봤어요."])
    (scored,) = translator.score([("저는 달을 봤어요.", "I saw the moon.")])
    for result in (best, line, scored, best.attention, best.attention.words(), translator):
        assert len(repr(result)) < 200
        assert "\n" not in repr(result)
    assert best.text in repr(best)
    for result in (best, line, scored, best.attention.words()):
        assert json.loads(json.dumps(result.to_dict())) == result.to_dict()
