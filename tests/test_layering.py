"""Imports point downwards only: a package knows only packages of a lower rank."""

import ast
from pathlib import Path

import pytest

RANKS = [
    {"errors", "lazy", "process", "progress", "version"},
    {"config", "plugins"},
    {"text", "nn"},
    {"world", "metrics", "models", "decoding", "store"},
    {"data"},
    {"insight", "doctor"},
    {"vectors"},
    {"training", "inference"},
    {"evaluation"},
    {"tasks"},
    {"analysis"},
    {"api", "register"},
    {"experiments"},  # they train and measure as any Python user does
    {"server"},
    {"server"},
    {"cli"},
    {"__main__"},
]
RANK = {name: rank for rank, names in enumerate(RANKS) for name in names}
SOURCE = Path(__file__).parent.parent / "src" / "regard"


def imported_modules(node: ast.AST, package: list[str]) -> list[str]:
    """Dotted names that an import statement names; relative ones are made absolute."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        base = package[: len(package) - node.level + 1] if node.level else []
        prefix = ".".join([*base, *(node.module or "").split(".")]).strip(".")
        return [prefix] if prefix != "regard" else [f"regard.{alias.name}" for alias in node.names]
    return []


def offences(root: Path) -> list[str]:
    found = []
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        if parts == ("__init__",):
            continue  # the public face: it names everything and loads it lazily
        own = parts[0]
        if own not in RANK:
            found.append(f"{path.name}: {own} has no rank")
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for module in imported_modules(node, ["regard", *parts[:-1]]):
                if not module.startswith("regard."):
                    continue
                other = module.split(".")[1]
                if other != own and RANK.get(other, len(RANKS)) >= RANK[own]:
                    found.append(f"{'/'.join(parts)}.py:{node.lineno} imports {module}")  # type: ignore[attr-defined]
    return found


def test_imports_point_downwards() -> None:
    assert offences(SOURCE) == []


@pytest.mark.parametrize(
    "line",
    [
        "from regard.tasks import translation",
        "import regard.models.seq2seq",
        "from ..models import seq2seq",
        "def f():\n    from regard import api",
    ],
)
def test_the_guard_sees_an_import_upwards(tmp_path: Path, line: str) -> None:
    (tmp_path / "nn").mkdir()
    (tmp_path / "nn" / "bad.py").write_text(line + "\n")
    (offence,) = offences(tmp_path)
    assert offence.startswith("nn/bad.py:")


def test_the_tree_has_no_pickle() -> None:
    """No module of the package imports a way to run code from a file, or calls torch.load."""
    for path in SOURCE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {
            alias.name.split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.Import) for alias in n.names
        }
        names |= {str(n.module).split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
        assert not names & {"pickle", "dill", "cloudpickle", "joblib", "shelve", "marshal"}, path
        calls = {ast.unparse(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call)}
        assert not calls & {"torch.load", "torch.save", "eval", "exec", "np.load"}, path
