"""Where a test is left to `make test-long`, another one that `make test` runs asserts the same in small."""

import ast
from pathlib import Path

import pytest
from tests.examples import cells

TESTS = Path(__file__).parent


def guards(decorators: list[ast.expr]) -> list[str | None]:
    """What each marker `long` among these names; None where it names nothing."""
    found: list[str | None] = []
    for decorator in decorators:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if ast.unparse(called) == "pytest.mark.long":
            given = decorator.args if isinstance(decorator, ast.Call) else []
            found.append(given[0].value if given and isinstance(given[0], ast.Constant) else None)  # type: ignore[arg-type]
    return found


def decorators_of(path: Path) -> dict[str, list[ast.expr]]:
    """The decorators of each test in a file; those of the file itself under no name."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: dict[str, list[ast.expr]] = {"": []}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = node.decorator_list
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
            found[""] = node.value.elts if isinstance(node.value, ast.List) else [node.value]
    return found


def test_each_long_test_names_a_quick_one() -> None:
    """As `file::test` below tests/, or `test` of the same file."""
    count = 0
    for path in sorted(TESTS.rglob("test_*.py")):
        if "mark.long" not in path.read_text(encoding="utf-8"):
            continue
        for name, decorators in decorators_of(path).items():
            for guard in guards(decorators):
                count += 1
                assert guard, f"{path.name}::{name} names no test that guards the same"
                file, _, test = guard.rpartition("::")
                others = decorators_of(TESTS / file if file else path)
                assert test in others, f"{path.name}::{name}: there is no {guard}"
                assert not guards(others[""] + others[test]), f"{path.name}::{name}: {guard} is long, too"
    assert count


def test_no_law_is_left_out() -> None:
    for path in sorted((TESTS / "contracts").rglob("*.py")):
        assert "mark.long" not in (text := path.read_text(encoding="utf-8"))
        assert "import cells" not in text, path.name


def test_cells_that_are_not_quick_are_long() -> None:
    mark = cells(("one", "other"), [(1, 2), (3, 4)], quick=[(3, 4)]).mark
    assert [[each.name for each in cell.marks] for cell in mark.args[1]] == [["long"], []]
    assert [cell.values for cell in mark.args[1]] == [(1, 2), (3, 4)]
    with pytest.raises(AssertionError):
        cells("one", [1, 2], quick=[3])
