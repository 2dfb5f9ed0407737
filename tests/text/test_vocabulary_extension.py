"""A vocabulary that is extended keeps its numbers, and spells the new text better."""

import json
from typing import Any

import pytest
from pydantic import TypeAdapter

from regard.config.text import TextConfig
from regard.errors import DataError
from regard.text.tokenizer import Tokenizer
from regard.training.warm_start import extend_vocabulary, spellings

OLD = ["나는 학교에 간다", "나는 집에 간다", "너는 학교에 온다", "we go to school", "they go home"] * 4
NEW = ["환자는 병원에 간다", "환자는 약을 먹는다 <b>", "the patient takes the pill <b>", "병원 환자 약 ②"] * 4
KINDS = ["word", "char", "bpe", "unigram", "byte_bpe", "wordpiece"]


def learn(texts: list[str], kind: str, **settings: Any) -> Tokenizer:
    config: TextConfig = TypeAdapter(TextConfig).validate_python(
        {"kind": kind, "vocabulary_size": 420, "min_frequency": 1, **settings}
    )
    return Tokenizer.learn(texts, config)


@pytest.mark.parametrize("kept", [(), ("%s",)], ids=["plain", "symbols"])
@pytest.mark.parametrize("kind", KINDS)
def test_old_entries_keep_their_numbers_and_new_text_gets_shorter(kind: str, kept: tuple[str, ...]) -> None:
    old, fresh = learn(OLD, kind, keep=kept), learn(NEW, kind, keep=(*kept, "<b>"))
    extended = extend_vocabulary(old, fresh)
    assert [extended.piece(number) for number in range(len(old))] == [
        old.piece(number) for number in range(len(old))
    ]
    assert len(extended) > len(old)
    before, after = (sum(map(len, t.encode_ids(NEW))) for t in (old, extended))
    unknown = [sum(ids.count(1) for ids in t.encode_ids(NEW)) for t in (old, extended)]
    assert after < before or unknown[1] < unknown[0]
    assert unknown[1] == 0
    for text in (*OLD, *NEW):
        encoding = extended.encode(text)
        assert [text[first:last] for first, last in encoding.spans if first != last]
        if kind != "wordpiece":  # which does not keep what stands between words
            assert extended.decode(encoding.ids).text.text == text
    assert "<b>" in extended.encode("<b>").pieces
    assert Tokenizer.from_json(extended.to_json(), "x").encode_ids(NEW) == extended.encode_ids(NEW)


@pytest.mark.parametrize("kind", ["bpe", "byte_bpe"])
def test_words_that_the_new_text_does_not_touch_are_cut_as_before(kind: str) -> None:
    old, fresh = learn(OLD, kind), learn(["xyzzy qqq"] * 4, kind)
    extended = extend_vocabulary(old, fresh)
    assert extended.encode_ids(OLD) == old.encode_ids(OLD)
    before, after = (json.loads(t.to_json())["model"]["merges"] for t in (old, extended))
    assert after[: len(before)] == before, "the old merges come first"
    assert len(extended.encode("xyzzy").ids) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_new_is_spelt_by_what_was_there(kind: str) -> None:
    old, fresh = learn(OLD, kind), learn(["go school schoolgo"] * 4, kind)
    extended = extend_vocabulary(old, fresh)
    spelt = spellings(old, extended)
    assert len(spelt) == len(extended) - len(old)
    assert all(0 <= number < len(old) for ids in spelt for number in ids)
    if kind == "char":
        return  # every letter was there
    new = {extended.piece(len(old) + place): ids for place, ids in enumerate(spelt)}
    whole = next(piece for piece in new if piece.endswith("schoolgo"))
    letters = "".join(old.piece(number) for number in new[whole]).replace("##", "").lstrip("▁ ")
    assert letters == ("" if kind == "word" else "schoolgo")


def test_only_one_kind_fits() -> None:
    with pytest.raises(DataError, match=r"kind bpe cannot be extended by one of kind char; say text\.kind"):
        extend_vocabulary(learn(OLD, "bpe"), learn(NEW, "char"))
