"""Every control applies, and its test is there; `make controls` sees the test fail without the guard."""

import ast
from collections import Counter
from pathlib import Path

import pytest
from tests.controls.copies import ROOT, Copy
from tests.controls.guards import CONTROLS, Control


@pytest.mark.parametrize("control", CONTROLS, ids=lambda control: control.guard)
def test_the_patch_applies_and_the_test_exists(control: Control) -> None:
    source = (ROOT / "src" / "regard" / control.file).read_text(encoding="utf-8")
    assert source.count(control.old) == 1, "the guard has moved; bring the control after it"
    compile(source.replace(control.old, control.new), control.file, "exec")
    file, _, name = control.test.partition("::")
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_promise_about_training_has_its_controls() -> None:
    of_training = {f"R{number}" for number in (1, 2, 3, 5, 6, 7, 8, 9, 10, 13, 14)}
    assert {control.requirement for control in CONTROLS} - {""} == of_training
    assert not [guard for guard, times in Counter(c.guard for c in CONTROLS).items() if times > 1]


def test_a_copy_is_not_the_tree(tmp_path: Path) -> None:
    """The working tree is never edited, whatever a control does to its copy."""
    control = Control("x", "version.py", "__version__", "__other__", "test_public_face.py::none")
    before = (ROOT / "src" / "regard" / "version.py").read_bytes()
    assert Copy(tmp_path).without(control).verdict == "BROKEN: pytest ended with 4"
    assert (ROOT / "src" / "regard" / "version.py").read_bytes() == before
