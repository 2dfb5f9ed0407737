"""Edits as plain values: what is written is read again, and what is no edit is refused by its place."""

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import regard
from regard.errors import DataError
from regard.insight.edit_values import EDIT_NAMES, MOST_EDITS, edit_from_dict, edit_to_dict, edits_from_list
from regard.insight.edits import Edit
from regard.insight.record import AttentionRecord, LayerAttention
from regard.insight.token_axis import TokenAxis

EDITS: list[tuple[dict[str, Any], Edit]] = [
    ({"edit": "mask", "words": ["책을"]}, regard.mask("책을")),
    ({"edit": "mask", "word": 3, "where": "all"}, regard.mask(3, where="all")),
    (
        {"edit": "mask_window", "first": 1, "last": 3, "renormalise": False},
        regard.mask_window(1, 3, renormalise=False),
    ),
    ({"edit": "reweight", "word": "책을", "factor": 0.5}, regard.reweight("책을", 0.5)),
    ({"edit": "reweight", "words": [2], "factor": 0}, regard.reweight(2, 0.0)),
    ({"edit": "remove", "word": "책을"}, regard.remove("책을")),
    ({"edit": "mask_head", "path": "attention", "head": 0}, regard.mask_head("attention", 0)),
    ({"edit": "mask_layer", "path": "attention"}, regard.mask_layer("attention")),
    ({"edit": "force_row", "row": 2, "column": 0}, regard.force_row(2, 0)),
    (
        {"edit": "force_row", "row": 0, "column": "책을", "path": "attention"},
        regard.force_row(0, "책을", path="attention"),
    ),
    ({"edit": "force_prefix", "text": "I read"}, regard.force_prefix("I read")),
]


def test_the_names_are_those_of_the_functions() -> None:
    assert all(callable(getattr(regard, name)) for name in EDIT_NAMES)
    assert {value["edit"] for value, _ in EDITS} | {"transplant"} == set(EDIT_NAMES)


@pytest.mark.parametrize(("value", "edit"), EDITS)
def test_there_and_back(value: dict[str, Any], edit: Edit) -> None:
    assert edit_from_dict(value) == edit
    assert edit_from_dict(json.loads(json.dumps(edit_to_dict(edit)))) == edit


def test_a_transplant_names_the_sentence_whose_attention_it_takes() -> None:
    side = TokenAxis("달을", ("달을",), ((0, 2),))
    looks = (LayerAttention("attention", "cross", np.full((1, 2), 0.5, np.float32)),)
    record = AttentionRecord(side, side, looks)
    asked = []

    def donor(source: str, target: str | None) -> AttentionRecord:
        asked.append((source, target))
        return record

    edit = regard.transplant(record)
    assert edit_from_dict(edit_to_dict(edit), donor=donor) == edit
    assert asked == [("달을", "달을")]
    with pytest.raises(DataError, match="a transplant needs a model"):
        edit_from_dict(edit_to_dict(edit))


WRONG: list[tuple[Any, str]] = [
    ("mask", r"edits\[1\]: expected an object .* found 'mask'"),
    ({}, r"edits\[1\]\.edit: unknown edit nothing; valid: mask, "),
    ({"edit": "masc"}, r"edits\[1\]\.edit: unknown edit 'masc'; did you mean 'mask'"),
    ({"edit": "mask"}, r"edits\[1\]\.words: is missing"),
    ({"edit": "mask", "words": []}, r"edits\[1\]\.words: expected a list of words"),
    ({"edit": "mask", "words": ["a", True]}, r"edits\[1\]\.words\[1\]: expected a word, .* found True"),
    ({"edit": "mask", "word": -1}, r"edits\[1\]\.word: .* from 0 to 100,000, found -1"),
    ({"edit": "mask", "word": "a" * 10_001}, r"edits\[1\]\.word: "),
    ({"edit": "mask", "word": "a", "where": "here"}, r"where: expected cross or all, found 'here'"),
    ({"edit": "mask", "word": "a", "renormalise": 1}, r"renormalise: expected true or false, found 1"),
    ({"edit": "mask", "word": "a", "factor": 2.0}, r"edits\[1\]: mask has no field 'factor'"),
    ({"edit": "mask_window", "first": 3, "last": 1}, r"counted from 0, found 3 and 1"),
    ({"edit": "reweight", "word": "a", "factor": float("nan")}, r"factor: .* from 0 to 1000, found nan"),
    ({"edit": "reweight", "word": "a", "factor": 1e300}, r"factor: .* found 1e\+300"),
    ({"edit": "reweight", "word": "a", "factor": 10**400}, r"factor: .* from 0 to 1000"),
    ({"edit": "mask_head", "path": "p", "head": 1.0}, r"head: expected a whole number from 0 to 1,024"),
    ({"edit": "force_row", "row": 10**9, "column": 0}, r"row: expected a whole number"),
    ({"edit": "force_prefix", "text": None}, r"text: expected a text .* found nothing"),
    ({"edit": "transplant", "source": "a", "kind": ["cross"]}, r"kind: expected cross or .* found a list"),
]


@pytest.mark.parametrize(("value", "message"), WRONG)
def test_what_is_no_edit_is_refused_by_its_place(value: Any, message: str) -> None:
    with pytest.raises(DataError, match=message) as caught:
        edits_from_list([{"edit": "remove", "word": "a"}, value])
    assert len(str(caught.value)) < 200


def test_so_many_edits_and_no_more() -> None:
    one = {"edit": "remove", "word": "a"}
    assert len(edits_from_list([one] * MOST_EDITS)) == MOST_EDITS
    with pytest.raises(DataError, match=f"expected at most {MOST_EDITS} edits, found {MOST_EDITS + 1}"):
        edits_from_list([one] * (MOST_EDITS + 1))
    with pytest.raises(DataError, match="expected a list of edits, found an object"):
        edits_from_list(one)


def test_they_are_read_without_torch() -> None:
    code = "import sys, regard.insight.edit_values; sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
