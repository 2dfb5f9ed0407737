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


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["train", "demo", "--epochs", "3"], "it is called --set training.epochs=N here"),
        (["train", "demo", "--lr", "3"], "it is called --set training.optimizer.learning_rate=NUMBER here"),
        (["train", "demo", "--batch-size", "3"], "it is called --set training.batch_tokens=N here"),
        (["translate", "m", "--beam", "3"], "it is called --beam-size here"),
        (["translate", "m", "--num-beams", "3"], "it is called --beam-size here"),
        (["fill", "m", "x", "--top", "3"], "it is called --n-best here"),
        (["similarity", "m", "d", "--gold", "x"], "it is called --label here"),
        (["complete", "m", "--text", "x"], "INPUT stands without a flag here"),
        (["evaluate", "m", "--data", "x"], "DATA stands without a flag here"),
        (["look", "m", "x", "--gpu"], "it is called --device cuda here"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_flags_of_other_tools_are_understood(run: Run, arguments: list[str], told: str) -> None:
    done = run(*arguments)
    flag = next(word for word in arguments if word.startswith("--"))
    wanted = f"regard: no such option: {flag}; {told}; regard {arguments[0]} -h lists what there is\n"
    assert (done.returncode, done.stderr) == (2, wanted)


def test_help_and_the_version_are_no_mistakes(run: Run) -> None:
    for asked in ("-h", "--version"):
        done = run(asked)
        assert (done.returncode, done.stderr) == (0, "")
    assert "Usage: regard [OPTIONS]" in run().stdout + run().stderr
