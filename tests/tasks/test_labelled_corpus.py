"""Labelled texts in ids: made once, kept, and made anew when anything changes."""

from pathlib import Path

import pytest

from regard.config.classification import LabelledConfig
from regard.config.text import BpeConfig
from regard.errors import DataError
from regard.tasks import corpus as module
from regard.tasks.labelled_corpus import prepare_labelled
from regard.text.labels import Labels

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
    tokenizer, labels, texts = prepare_labelled(data(tmp_path / "x.tsv"), TEXT, quiet=True)
    assert list(labels.names) == ["bad", "good", "so so"]  # type: ignore[union-attr]
    for row, (text, label) in enumerate(ROWS):
        (ids,) = texts[row].texts
        assert tokenizer.decode(ids).text.text == text  # type: ignore[arg-type]
        assert isinstance(labels, Labels)
        assert labels.names[texts[row].said[0]] == label
    assert texts.where(2) == f"{tmp_path / 'x.tsv'}:4"


def test_a_second_time_nothing_is_read(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = data(tmp_path / "x.tsv")
    first = prepare_labelled(config, TEXT, quiet=True)
    monkeypatch.setattr(module.Preparation, "_read", lambda _: pytest.fail("the corpus was read again"))
    monkeypatch.setattr(module, "write_encoded", lambda *_: pytest.fail("the corpus was encoded again"))
    second = prepare_labelled(config, TEXT, quiet=True)
    assert first[1].names == second[1].names
    monkeypatch.undo()
    monkeypatch.setenv("REGARD_CACHE", str(cache))
    for path in (cache / "vocabularies").iterdir():
        path.write_text("damaged", encoding="utf-8")
    assert prepare_labelled(config, TEXT, quiet=True)[1].names == first[1].names
    changed = data(tmp_path / "x.tsv", [*ROWS, ("아니다.", "none")])
    assert prepare_labelled(changed, TEXT, quiet=True)[1].names == ("bad", "good", "none", "so so")


def test_labels_that_are_given_are_all_that_there_may_be(tmp_path: Path) -> None:
    with pytest.raises(
        DataError, match=r"x.tsv:4: the label 'so so' is not one that training knows; valid: "
    ):
        prepare_labelled(data(tmp_path / "x.tsv"), TEXT, said=Labels(["bad", "good"]), quiet=True)
