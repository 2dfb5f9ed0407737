"""Attention as bytes: by hand, there and back, and what is damaged is refused."""

import json
import struct
from typing import Any

import numpy as np
import pytest

from regard.errors import RegardError
from regard.insight.attention_bytes import Selection, from_bytes, packed, to_bytes
from regard.insight.record import AttentionRecord, LayerAttention
from regard.insight.token_axis import TokenAxis
from regard.tasks.classification.predictor import Classifier
from regard.tasks.language_model.predictor import LanguageModel
from regard.tasks.translation.predictor import Translator

HEADER = {
    "dtype": "float16",
    "weights": 2,
    "about": {"text": "a"},
    "records": [
        {
            "name": "attention",
            "engine": "by hand",
            "tokens": 2,
            "heads": 1,
            "axes": {
                "source": {
                    "text": "달",
                    "tokens": ["▁달", "</s>"],
                    "spans": [[0, 1], None],
                    "words": [[0, 1]],
                },
                "target": {"text": "", "tokens": ["</s>"], "spans": [None], "words": []},
            },
            "attentions": [
                {
                    "path": "attention",
                    "kind": "cross",
                    "layer": None,
                    "text": 0,
                    "rows": "target",
                    "columns": "source",
                    "heads": None,
                    "shape": [1, 1, 2],
                    "offset": 0,
                }
            ],
        }
    ],
}
RECORD = AttentionRecord(
    TokenAxis("달", ("▁달",), ((0, 1),)),
    TokenAxis("", (), ()),
    (LayerAttention("attention", "cross", np.array([[0.25, 0.75]], np.float32)),),
    engine="by hand",
)


def by_hand(header: Any = HEADER, weights: bytes = b"\x00\x34\x00\x3a", version: int = 1) -> bytes:
    """0.25 is 0x3400 and 0.75 is 0x3a00."""
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-(12 + len(text)) % 8)
    return b"RGAT" + struct.pack("<I", version) + struct.pack("<I", len(text)) + text + weights


def test_every_byte_is_where_the_description_says() -> None:
    content = packed(*to_bytes({"attention": RECORD}, about={"text": "a"}, dtype="float16"))
    assert content == by_hand()
    (length,) = struct.unpack("<I", content[8:12])
    assert (12 + length) % 8 == 0
    read = from_bytes(by_hand())
    assert read.header == HEADER
    shown = read.records["attention"].words()
    assert (shown.rows, shown.columns) == (("</s>",), ("달", "</s>"))
    assert shown.weights.tolist() == [[0.25, 0.75]]


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_records_of_models_there_and_back(
    dtype: Any, translator: Translator, classifier: Classifier, language_model: LanguageModel
) -> None:
    records = {
        "translation": translator.translate("저는 달을 봤어요.").attention,
        "classification": classifier.classify("이 책은 아주 좋다.").attention,
        "language": language_model.look("나는 책을 읽었다.").attention,
    }
    read = from_bytes(packed(*to_bytes(records, dtype=dtype)))
    least = 0.0 if dtype == "float32" else 2.0**-12
    for name, record in records.items():
        again = read.records[name]
        assert again.paths == record.paths
        for own, other in zip(again.maps(), record.maps(), strict=True):
            assert (own.rows, own.columns, own.head, own.layer) == (
                other.rows, other.columns, other.head, other.layer
            )  # fmt: skip
            assert np.abs(own.weights - other.weights).max() <= least
        words, expected = again.words(), record.words()
        assert (words.rows, words.columns) == (expected.rows, expected.columns)
    told = {one["name"]: one for one in read.header["records"]}
    look = told["language"]
    assert read.header["weights"] >= look["heads"] * look["tokens"] ** 2  # T² · L · H


def test_one_head_of_one_layer(language_model: LanguageModel) -> None:
    record = language_model.look("나는 책을 읽었다.").attention
    (chosen,) = record.select(layer=1, head=1)
    header, weights = to_bytes({"attention": record}, selection=Selection(layer=1, head=1))
    (look,) = header["records"][0]["attentions"]
    assert (look["path"], look["heads"]) == (chosen.path, [1])
    assert np.array_equal(np.frombuffer(weights, "<f4").reshape(look["shape"])[0], chosen.weights)
    with pytest.raises(RegardError, match="no attention has layer 9"):
        to_bytes({"attention": record}, selection=Selection(layer=9))


def changed(**values: Any) -> bytes:
    return by_hand({**HEADER, **values})


def with_look(**values: Any) -> bytes:
    record: Any = HEADER["records"][0]  # type: ignore[index]
    look = {**record["attentions"][0], **values}
    return changed(records=[{**record, "attentions": [look]}])


DAMAGED = {
    "nothing": b"",
    "another file": b"PK\x03\x04" + bytes(40),
    "a later version": by_hand(version=2),
    "a header that is cut off": by_hand()[:60],
    "a header beyond the end": b"RGAT" + struct.pack("<II", 1, 2**32 - 1),
    "weights that are cut off": by_hand()[:-2],
    "weights too many": by_hand() + b"\0\0",
    "no object": by_hand([1]),
    "another dtype": changed(dtype="float64"),
    "no records": changed(records=None),
    "a record that is no object": changed(records=["attention"]),
    "a negative shape": with_look(shape=[1, -1, -2]),
    "a shape too large": with_look(shape=[1, 2**40, 2**40]),
    "a shape of texts": with_look(shape=["1", "1", "2"]),
    "an offset between two numbers": with_look(offset=1),
    "an offset beyond the end": with_look(offset=4),
    "a header nested too deeply": b"RGAT" + struct.pack("<II", 1, 200_004) + b"[" * 200_004,
}


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_what_is_damaged_is_refused(content: bytes) -> None:
    with pytest.raises(RegardError, match=r"^attention: ") as caught:
        from_bytes(content)
    assert len(str(caught.value)) < 120
