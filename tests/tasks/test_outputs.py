import json
from pathlib import Path

import pytest

from regard.data.pairs import Pair
from regard.errors import DataError
from regard.evaluation.outputs import read_outputs
from regard.evaluation.test_set import TestSet
from regard.inference.generation import TextScore

TEST_SET = TestSet.of([Pair("가다", "go", "t.tsv:2"), Pair("오다", "come", "t.tsv:3")])


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_one_output_a_line_an_empty_one_too(tmp_path: Path) -> None:
    assert read_outputs(written(tmp_path / "a.txt", "go\n\n"), TEST_SET) == ["go", ""]
    assert read_outputs(written(tmp_path / "no-ending", "go\r\n come"), TEST_SET) == ["go", " come"]


def test_json_lines_of_evaluate_and_of_translate(tmp_path: Path) -> None:
    lines = '{"source": "가다", "output": "went"}\n{"text": "came"}\n'
    assert read_outputs(written(tmp_path / "a.jsonl", lines), TEST_SET) == ["went", "came"]


def test_json_lines_of_score_of_a_language_model(tmp_path: Path) -> None:
    logs = (-1.25, -0.5)
    scores = [TextScore(text=text, tokens=("x", "</s>"), log_probabilities=logs) for text in TEST_SET.sources]
    lines = [json.dumps(score.to_dict()) + "\n" for score in scores]
    assert read_outputs(written(tmp_path / "a.jsonl", "".join(lines)), TEST_SET) == ["-1.75", "-1.75"]
    with pytest.raises(DataError, match=r"a.jsonl:1: this is the output for '오다', but t.tsv:2 has '가다'"):
        read_outputs(written(tmp_path / "a.jsonl", "".join(lines[::-1])), TEST_SET)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.txt", "go\n", r"a.txt: expected one line for each row of t.tsv: found 1 for 2"),
        ("a.txt", "go\ncome\nstay\n", "found 3 for 2"),
        ("a.txt", "", "found 0 for 2"),
        ("a.jsonl", '{"output": "go"}\n', "found 1 for 2"),
        ("a.jsonl", "go\ncome\n", "a.jsonl:1: not JSON; a file with one output a line ends in .txt"),
        ("a.jsonl", '["go"]\n', "a.jsonl:1: expected an object with a text under 'output', found"),
        ("a.jsonl", '{"output": 1}\n', "a.jsonl:1: expected an object with a text under 'output', found"),
        (
            "a.jsonl",
            '{"output": "go", "source": "오다"}\n',
            "a.jsonl:1: this is the output for '오다', but t.tsv:2 has '가다'; is it the same test set",
        ),
    ],
)
def test_outputs_of_something_else_are_refused(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_outputs(written(tmp_path / name, text), TEST_SET)
