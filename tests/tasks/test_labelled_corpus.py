"""Labelled texts in ids: made once, kept, and made anew when anything changes."""

from pathlib import Path

import pytest

from regard.config.classification import LabelledConfig
from regard.config.text import BpeConfig
from regard.data import corpus as module
from regard.errors import DataError
from regard.tasks.classification.examples import TrainingTexts, labelled_corpus
from regard.text.labels import Labels, Scale
from regard.text.tokenizer import Tokenizer

ROWS = [("이 책은 좋다.", "good"), ("그 책은 나쁘다.", "bad"), ("책이다.", "so so")] * 8
TEXT = BpeConfig(vocabulary_size=400)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def data(path: Path, rows: list[tuple[str, str]] = ROWS) -> LabelledConfig:
    path.write_text("label\tid\ttext\n" + "".join(f"{b}\t1\t{a}\n" for a, b in rows), encoding="utf-8")
    return LabelledConfig.model_validate({"train": str(path)})


def test_ids_and_labels_are_those_of_the_rows(tmp_path: Path) -> None:
    tokenizer, _, texts = found = labelled_corpus(data(tmp_path / "x.tsv"), TEXT, quiet=True)
    assert _names(found) == ("bad", "good", "so so")
    for row, (text, label) in enumerate(ROWS):
        (ids,) = texts[row].texts
        assert tokenizer.decode(ids).text.text == text  # type: ignore[arg-type]
        assert _names(found)[texts[row].said[0]] == label
    assert texts.where(2) == f"{tmp_path / 'x.tsv'}:4"


def test_a_second_time_nothing_is_read(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = data(tmp_path / "x.tsv")
    first = labelled_corpus(config, TEXT, quiet=True)
    monkeypatch.setattr(module.CorpusBuilder, "read", lambda _: pytest.fail("the corpus was read again"))
    monkeypatch.setattr(module, "write_encoded", lambda *_: pytest.fail("the corpus was encoded again"))
    second = labelled_corpus(config, TEXT, quiet=True)
    assert _names(first) == _names(second)
    monkeypatch.undo()
    monkeypatch.setenv("REGARD_CACHE", str(cache))
    for path in (cache / "vocabularies").iterdir():
        path.write_text("damaged", encoding="utf-8")
    assert _names(labelled_corpus(config, TEXT, quiet=True)) == _names(first)
    changed = data(tmp_path / "x.tsv", [*ROWS, ("아니다.", "none")])
    assert _names(labelled_corpus(changed, TEXT, quiet=True)) == ("bad", "good", "none", "so so")


def test_labels_that_are_given_are_all_that_there_may_be(tmp_path: Path) -> None:
    with pytest.raises(
        DataError, match=r"x.tsv:4: the label 'so so' is not one that training knows; valid: "
    ):
        labelled_corpus(data(tmp_path / "x.tsv"), TEXT, said=Labels(["bad", "good"]), quiet=True)


def _names(prepared: tuple[Tokenizer, Labels | Scale, TrainingTexts]) -> tuple[str, ...]:
    assert isinstance(prepared[1], Labels)
    return prepared[1].names


def test_a_row_has_two_texts_and_labels_or_a_number(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(
        '{"a": "좋다", "b": "나쁘다", "tags": ["x,y", "z"], "score": 2.5}\n'
        '{"a": "책", "b": "학교", "tags": "z; w", "score": "-1e-3"}\n'
        '{"a": "책", "b": "집", "tags": [], "score": 0}\n',
        encoding="utf-8",
    )
    texts = {"train": str(path), "text": "a", "second": "b"}
    sets = {**texts, "label": "tags", "answer": {"kind": "labels", "separator": ";"}}
    prepared = labelled_corpus(LabelledConfig.model_validate(sets), TEXT, quiet=True)
    names, rows = _names(prepared), prepared[2]
    assert names == ("w", "x,y", "z")
    assert [[names[n] for n in rows[row].said] for row in range(3)] == [["x,y", "z"], ["w", "z"], []]
    assert [len(rows[row].texts) for row in range(3)] == [2, 2, 2]
    numbers = {**texts, "label": "score", "answer": "number"}
    _, scale, rows = labelled_corpus(LabelledConfig.model_validate(numbers), TEXT, quiet=True)
    assert isinstance(scale, Scale)
    assert [scale.decode(rows[row].said) for row in range(3)] == [2.5, -1e-3, 0.0]
    assert scale.mean == pytest.approx(2.499 / 3)
