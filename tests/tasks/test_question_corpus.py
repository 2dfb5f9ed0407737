"""Training questions in ids: where their answers are, and which are left out."""

import json
from pathlib import Path

from regard.config.load import load_recipe
from regard.config.question_answering import QuestionAnsweringRecipe
from regard.tasks.question_answering.examples import make_places, question_corpus


def test_places_are_of_the_tokens_and_what_is_too_long_is_left_out(tmp_path: Path) -> None:
    rows = [
        {"question": "누가 잤니?", "text": "어제 민수는 잤다.", "answer": ["민수는", "민수"]},
        {"question": "누가 누가 누가 잤니?", "text": "민수는 잤다.", "answer": "민수는"},
        {"question": "왜?", "text": "민수는 잤다. 민수는 잤다. 민수는 잤다.", "answer": "민수는"},
        {"question": "왜?", "text": "민수는 어제 잤다.", "answer": []},
    ]
    path = tmp_path / "q.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    settings = [f"data.train={path}", f"data.dev={path}", "data.start=null", "data.unanswerable=true"]
    settings += ["data.max_question=3", "data.max_tokens=8", "text={kind: word, vocabulary_size: 300}"]
    recipe = load_recipe("bert-span", settings)
    assert isinstance(recipe, QuestionAnsweringRecipe)
    tokenizer, found = question_corpus(recipe, quiet=True)
    assert (len(found), found.left_out) == (2, 2)
    assert make_places([found[0], found[1]]).tolist() == [[2, 2], [0, 0]]
    assert [tokenizer.piece(int(token)) for token in found[0].text] == ["▁어제", "▁민수는", "▁잤다", "."]
