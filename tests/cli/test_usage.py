"""A mistake in the command line itself is one line, too."""

import pytest
from tests.conftest import Run


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["train", "--frm", "x"], "no such option: --frm; did you mean --from? regard train -h"),
        (["tran"], "no such command 'tran'; did you mean 'train', 'translate'? regard -h"),
        (["data", "foo"], "no such command 'foo'; regard data -h lists what there is"),
        (["evaluate"], "missing argument 'MODEL'; expected regard evaluate [OPTIONS]"),
        (["evaluate", "a", "b", "c"], "found more arguments than expected: c; expected regard evaluate"),
        (
            ["evaluate", "a", "--samples", "many"],
            "invalid value for '--samples': it should be a valid integer",
        ),
        (["evaluate", "a", "--samples"], "option '--samples' requires an argument; regard -h"),
        (["export", "a", "b", "--to", "c"], "'c' is not one of 'transformers', 'sentence-transformers'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_mistake_is_one_line(run: Run, arguments: list[str], line: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("regard: ")
    assert done.stderr.count("\n") == 1
    assert line in done.stderr


def test_help_and_the_version_are_no_mistakes(run: Run) -> None:
    for asked in ("-h", "--version"):
        done = run(asked)
        assert (done.returncode, done.stderr) == (0, "")
    assert "Usage: regard [OPTIONS]" in run().stdout + run().stderr
