"""Questions from files: where an answer stands, and rows that cannot be used."""

import json
from pathlib import Path
from typing import Any

import pytest

from regard.config.load import corpus_from_short_form, load_recipe
from regard.config.question_answering import QuestionAnsweringRecipe, QuestionsConfig
from regard.data.questions import QuestionExample, read_questions
from regard.data.rows import BadRows
from regard.errors import DataError
from regard.tasks.question_answering.examples import question_corpus

TEXT = "민수는 갔다. 지영은 민수는 봤다."


def read(path: Path, *, bad: BadRows | None = None, **columns: Any) -> list[QuestionExample]:
    return list(
        read_questions(corpus_from_short_form(str(path)), QuestionsConfig(**columns), split="train", bad=bad)
    )


def lines(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_table_with_and_without_starts(tmp_path: Path) -> None:
    path = tmp_path / "q.tsv"
    path.write_text(f"question\ttext\tanswer\tat\n누가?\t{TEXT}\t민수는\t12\n", encoding="utf-8")
    (first,), (second,) = read(path), read(path, start="at")
    assert (first.spans, second.spans) == (((0, 3),), ((12, 15),))
    assert first.answers == second.answers == ("민수는",)
    assert (first.source, first.question, first.target, first.where) == (TEXT, "누가?", "민수는", f"{path}:2")


def test_squad_as_the_hub_has_it(tmp_path: Path) -> None:
    """Several right answers, each with its start, inside of an object."""
    answers = {"text": ["민수는", "민수"], "answer_start": [12, 12]}
    path = lines(tmp_path / "q.jsonl", {"question": "누가?", "context": TEXT, "answers": answers})
    (row,) = read(path, text="context", answer="answers.text", start="answers.answer_start")
    assert (row.spans, row.answers) == (((12, 15), (12, 14)), ("민수는", "민수"))


def test_questions_without_an_answer(tmp_path: Path) -> None:
    none: list[str | list[str]] = [[], ""]
    rows = [{"question": "왜?", "text": TEXT, "answer": answer} for answer in none]
    path = lines(tmp_path / "q.jsonl", *rows)
    assert [row.answers for row in read(path, unanswerable=True)] == [(), ()]
    with pytest.raises(DataError, match=r"q.jsonl:1: has no answer; say data.unanswerable: true"):
        read(path)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"answer": "영희는"}, "the answer '영희는' does not stand in the text"),
        (
            {"answer": "민수는", "start": 1},
            "'민수는' does not stand at character 1, where the text has '수는 '",
        ),
        ({"answer": "민수는", "start": -4}, "'민수는' does not stand at character -4"),
        ({"answer": "민수는", "start": "x"}, "expected the position of a character as the start, found 'x'"),
        ({"answer": ["민수는", "민수"], "start": [0]}, "expected as many starts as answers, found 1 and 2"),
        ({"answer": {"x": 1}}, "expected a text under 'answer', found an object"),
    ],
)
def test_an_answer_that_is_not_there_is_a_bad_row(tmp_path: Path, row: dict[str, Any], message: str) -> None:
    good = {"question": "누가?", "text": TEXT, "answer": "민수는", "start": 0}
    path = lines(tmp_path / "q.jsonl", good, {"question": "누가?", "text": TEXT} | row)
    columns: dict[str, Any] = {"start": "start"} if "start" in row else {}
    with pytest.raises(DataError, match=f"q.jsonl:2: .*{message}"):
        read(path, **columns)
    bad = BadRows(limit=5)
    assert len(read(path, bad=bad, **columns)) == 1
    assert len(bad.met) == 1


def test_a_file_without_starts_says_how_to_do_without(tmp_path: Path) -> None:
    path, table = (
        lines(tmp_path / "q.jsonl", {"question": "누가?", "text": TEXT, "answer": "민수는"}),
        tmp_path / "q.tsv",
    )
    table.write_text(f"question\ttext\tanswer\n누가?\t{TEXT}\t민수는\n", encoding="utf-8")
    for corpus in (path, table):
        with pytest.raises(DataError, match=r"'start'.*; say data.start=null"):
            read(corpus, start="start")
        recipe = load_recipe("bert-span", [f"data.train={corpus}"], kind=QuestionAnsweringRecipe)
        with pytest.raises(DataError, match=r"'start'.*; say data.start=null"):
            question_corpus(recipe, quiet=True)
        assert [row.spans for row in read(corpus)] == [((0, 3),)]
    with pytest.raises(DataError, match=r"no column is called 'context'; did you mean 'text'"):
        read(table, text="context")
