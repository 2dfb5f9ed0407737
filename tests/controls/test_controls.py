"""Every control applies, and its test is there; `make controls` sees the test fail without the guard."""

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from tests.controls.copies import ROOT
from tests.controls.guards import CONTROLS, Control


@pytest.mark.parametrize("control", CONTROLS, ids=lambda control: control.guard)
def test_the_patch_applies_and_the_test_exists(control: Control) -> None:
    source = (ROOT / "src" / "regard" / control.file).read_text(encoding="utf-8")
    assert source.count(control.old) == 1, "the guard has moved; bring the control after it"
    compile(source.replace(control.old, control.new), control.file, "exec")
    file, _, name = control.test.partition("::")
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    assert name.partition("[")[0] in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_promise_has_its_controls() -> None:
    of_training = {f"R{number}" for number in (1, 2, 3, 5, 6, 7, 8, 9, 10, 13, 14)}
    of_the_service = {f"R{number}" for number in (15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 26, 27)}
    assert {control.requirement for control in CONTROLS} - {""} == of_training | of_the_service
    assert not [guard for guard, times in Counter(c.guard for c in CONTROLS).items() if times > 1]


def test_a_control_is_applied_to_a_copy(tmp_path: Path) -> None:
    """And the working tree is never edited. A process of its own, for this one cannot be forked any more."""
    control = 'Control("x", "version.py", "__version__", "__other__", "test_public_face.py::none")'
    code = (
        "from pathlib import Path; from tests.controls.copies import Copy; "
        "from tests.controls.guards import Control; "
        f"print(Copy(Path({str(tmp_path)!r})).without({control}).verdict)"
    )
    before = (ROOT / "src" / "regard" / "version.py").read_bytes()
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("BROKEN: pytest ended with 4: "), done.stderr
    assert (ROOT / "src" / "regard" / "version.py").read_bytes() == before
