"""The package's face: small, complete, and cheap to import."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import regard
from regard.tasks.translation.predictor import Translator

ROOT = Path(__file__).parent.parent
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "optional-dependencies"
]


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


@pytest.mark.parametrize("name", ["README.md", "README.ko.md"])
def test_the_readme_has_every_extra_and_what_it_installs(name: str) -> None:
    rows = re.findall(
        r"^\| `(\w+)` \|[^|]+\| ([^|]+) \|$", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE
    )
    assert sorted(extra for extra, _ in rows) == sorted(EXTRAS)
    for extra, installs in rows:
        if extra not in ("docs", "dev"):  # whose packages the table only outlines
            required = [re.split("[=><]", package)[0] for package in EXTRAS[extra]]
            assert sorted(installs.split(", ")) == sorted(required)


def test_every_extra_is_asked_for_by_name_where_it_is_missing() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    asked_for = set(re.findall(r'MissingExtraError\([^)]*"(\w+)"\)', code))
    assert asked_for == EXTRAS.keys() - {"docs", "dev"}


def test_the_korean_readme_has_every_command_of_the_english_one() -> None:
    def commands(name: str) -> list[str]:
        blocks = re.findall(
            r"^```sh\n(.*?)^```", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
        )
        return [line.split(" #")[0].strip() for block in blocks for line in block.splitlines()]

    assert commands("README.ko.md") == commands("README.md")
