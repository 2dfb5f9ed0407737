"""One record for every model: here of two layers with three heads, where each number says where it stands."""

import builtins
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from regard.errors import MissingExtraError, RegardError
from regard.insight.maps import MapKind, Weights
from regard.insight.record import AttentionRecord, LayerAttention
from regard.insight.token_axis import TokenAxis

SOURCE = TokenAxis("나는 책을", ("▁나", "는", "▁책을"), ((0, 1), (1, 2), (2, 5)))
TARGET = TokenAxis("I read", ("▁I", "▁re", "ad"), ((0, 1), (1, 4), (4, 6)))
HEADS = 3


def look(kind: MapKind, layer: int, rows: int = 4, columns: int = 4) -> LayerAttention:
    """Weight (h, r, c) of layer l is l + h/10 + r/100 + c/1000."""
    h, r, c = np.indices((HEADS, rows, columns))
    weights = (layer + h / 10 + r / 100 + c / 1000).astype(np.float32)
    return LayerAttention(f"{kind}.{layer}", kind, weights, layer)


RECORD = AttentionRecord(
    SOURCE,
    TARGET,
    tuple(look(kind, layer) for kind in ("encoder-self", "decoder-self", "cross") for layer in (0, 1)),
    engine="torch float32 on cpu",
)


def value(layer: int, head: int) -> Weights:
    found: Weights = look("cross", layer).weights[head]
    return found


def test_every_head_is_a_map_with_its_place() -> None:
    maps = RECORD.maps()
    assert [(m.kind, m.layer, m.head) for m in maps] == [
        (kind, layer, head)
        for kind in ("encoder-self", "decoder-self", "cross")
        for layer in (0, 1)
        for head in range(HEADS)
    ]
    for shown in maps:
        assert_array_equal(shown.weights, value(shown.layer or 0, shown.head or 0))


def test_cross_rows_are_labelled_by_what_is_predicted_and_self_rows_by_what_is_fed() -> None:
    predicted, fed = ("▁I", "▁re", "ad", "</s>"), ("<s>", "▁I", "▁re", "ad")
    (cross, *_), (own, *_) = RECORD.select("cross"), RECORD.select("decoder-self")
    assert (cross.rows, cross.columns) == (predicted, SOURCE.tokens)
    assert (own.rows, own.columns) == (fed, fed)
    assert RECORD.select("encoder-self")[0].rows == SOURCE.tokens
    assert RECORD.words(kind="decoder-self").rows == ("<s>", "I", "read")


def test_an_output_that_was_cut_off_was_not_fed_its_last_token() -> None:
    cut_off = TokenAxis("I read", ("▁I", "▁re", "ad"), ((0, 1), (1, 4), (4, 6)), ())
    assert cut_off.fed().tokens == ("<s>", "▁I", "▁re")
    assert cut_off.fed().words() == ("<s>", "I", "re")
    assert TokenAxis("", (), (), ()).fed().tokens == ()


def test_learned_questions_are_numbered() -> None:
    record = AttentionRecord(
        SOURCE, TARGET, (LayerAttention("hops", "hops", np.full((2, 4), 0.25, dtype=np.float32)),)
    )
    (shown,) = record.maps()
    assert (shown.rows, shown.columns) == (("hop 0", "hop 1"), SOURCE.tokens)
    assert record.words(kind="hops").rows == ("hop 0", "hop 1")


def test_selecting() -> None:
    (one,) = RECORD.select("cross", layer=1, head=2)
    assert_array_equal(one.weights, value(1, 2))
    mean = RECORD.select("cross", layer=0, reduce="mean")
    assert_allclose(mean.weights, value(0, 1), rtol=1e-6)  # 0, .1, .2
    assert (mean.layer, mean.head, mean.path) == (0, None, "cross.0")
    largest = RECORD.select("cross", reduce="max")
    assert_array_equal(largest.weights, value(1, 2))
    assert (largest.layer, largest.head, largest.path) == (None, None, "cross.0 cross.1")
    assert_allclose(RECORD.tokens().weights, value(0, 1) + 0.5, rtol=1e-6)
    assert RECORD.words(path="cross.1", head=0).path == "cross.1"
    with pytest.raises(
        RegardError, match=r"no attention has kind cross and layer 7; there is encoder-self\.0"
    ):
        RECORD.select("cross", layer=7)
    with pytest.raises(RegardError, match=r"several kinds \(encoder-self, decoder-self, cross\)"):
        RECORD.select(reduce="mean")


def test_special_columns_are_shown_or_their_weight_is_told() -> None:
    (whole,), (words,) = RECORD.select("cross", 1, 2), RECORD.select("cross", 1, 2, specials=False)
    assert words.columns == ("▁나", "는", "▁책을")
    assert words.hidden is not None
    assert whole.hidden is None
    assert_allclose(words.hidden, whole.weights[:, 3], rtol=1e-5)
    own = RECORD.select("decoder-self", reduce="mean", specials=False)  # <s> is a special column, too
    assert own.columns == ("▁I", "▁re", "ad")
    merged = RECORD.words(specials=False)
    assert merged.columns == ("나는", "책을")
    assert merged.hidden is not None
    assert_allclose(merged.weights.sum(1) + merged.hidden, RECORD.words().weights.sum(1), rtol=1e-5)
    assert merged.to_dict()["hidden"] == [round(float(w), 6) for w in merged.hidden]


def test_as_json() -> None:
    values = json.loads(RECORD.to_json())
    assert values["engine"] == "torch float32 on cpu"
    assert values["source"] == {
        "text": "나는 책을",
        "tokens": ["▁나", "는", "▁책을", "</s>"],
        "spans": [[0, 1], [1, 2], [2, 5], None],
    }
    assert [(m["path"], m["layer"], m["head"]) for m in values["maps"][:2]] == [
        ("encoder-self.0", 0, 0),
        ("encoder-self.0", 0, 1),
    ]
    assert values["words"]["rows"] == ["I", "read", "</s>"]
    assert set(RECORD.to_dict(maps=False)) == {"engine", "words"}


def test_as_npz_without_pickle(tmp_path: Path) -> None:
    RECORD.save_npz(tmp_path / "x.npz")
    with np.load(tmp_path / "x.npz", allow_pickle=False) as stored:
        assert str(stored["engine"]) == RECORD.engine
        for number, shown in enumerate(RECORD.maps()):
            assert_array_equal(stored[f"weights_{number}"], shown.weights)
            assert tuple(stored[f"rows_{number}"]) == shown.rows
            assert tuple(stored[f"columns_{number}"]) == shown.columns
            places = tuple(stored[name][number] for name in ("path", "kind", "layer", "head"))
            assert places == (shown.path, shown.kind, shown.layer, shown.head)


def test_as_a_table() -> None:
    pytest.importorskip("pandas")
    frame = RECORD.to_frame()
    assert len(frame) == 6 * HEADS * 16
    places = (frame.kind == "cross") & (frame.layer == 1) & (frame["head"] == 2) & (frame.row == 3)
    chosen = frame[places].set_index("column_token")
    assert list(chosen.row_token) == ["</s>"] * 4
    assert float(chosen.loc["는", "weight"]) == pytest.approx(1.231)


def test_a_table_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without_pandas(name: str, *rest: Any, **more: Any) -> Any:
        if name == "pandas":
            raise ImportError
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without_pandas)
    with pytest.raises(
        MissingExtraError, match=r"needs the optional part 'pandas': pip install 'regard\[pandas\]'"
    ):
        RECORD.to_frame()


def test_as_bertviz_wants_it() -> None:
    """Its documentation: lists with a (1, heads, rows, columns) tensor a layer, and lists of tokens."""
    view = RECORD.to_bertviz()
    assert set(view) == {
        "encoder_attention",
        "decoder_attention",
        "cross_attention",
        "encoder_tokens",
        "decoder_tokens",
    }
    for name in ("encoder_attention", "decoder_attention", "cross_attention"):
        assert [tuple(layer.shape) for layer in view[name]] == [(1, HEADS, 4, 4)] * 2
    assert_array_equal(view["cross_attention"][1][0, 2].numpy(), value(1, 2))
    assert view["encoder_tokens"] == ["▁나", "는", "▁책을", "</s>"]
    assert view["decoder_tokens"] == ["<s>→▁I", "▁I→▁re", "▁re→ad", "ad→</s>"]


def test_bertviz_with_one_kind_of_attention() -> None:
    cross = AttentionRecord(SOURCE, TARGET, (LayerAttention("a", "cross", value(0, 0)),)).to_bertviz()
    assert set(cross) == {"cross_attention", "encoder_tokens", "decoder_tokens"}
    assert cross["decoder_tokens"] == ["▁I", "▁re", "ad", "</s>"]
    own = AttentionRecord(SOURCE, TARGET, (LayerAttention("a", "encoder-self", value(0, 0)),)).to_bertviz()
    assert set(own) == {"attention", "tokens"}
    with pytest.raises(RegardError, match="found hops"):
        AttentionRecord(SOURCE, TARGET, (LayerAttention("a", "hops", value(0, 0)),)).to_bertviz()


def test_a_record_with_nothing_in_it_says_why(tmp_path: Path) -> None:
    record = AttentionRecord(reason="it was not asked for")
    assert record.to_dict() == {"reason": "it was not asked for"}
    for ask in (record.words, record.maps, record.to_frame, record.to_bertviz):
        with pytest.raises(RegardError, match="there is no attention to show: it was not asked for"):
            ask()
    with pytest.raises(RegardError, match="there is no attention to show"):
        record.save_npz(tmp_path / "x.npz")


@pytest.mark.parametrize(
    ("unit", "told"),
    [
        ("morpheme", "unknown unit 'morpheme'; did you mean 'morphemes'?"),
        ("syllable", "unknown unit 'syllable'; valid: words, tokens, morphemes"),
        ("", "unknown unit ''; valid: words, tokens, morphemes"),
        (None, "unknown unit 'None'; valid: words, tokens, morphemes"),
    ],
)
def test_a_unit_that_is_none_is_refused(unit: Any, told: str) -> None:
    with pytest.raises(RegardError) as refused:
        RECORD.words(unit)
    assert str(refused.value) == told


def test_every_unit_has_its_labels_and_says_so() -> None:
    assert RECORD.words("tokens").columns == RECORD.tokens().columns == SOURCE.tokens
    assert_array_equal(RECORD.words("tokens", "cross.1", head=2).weights, value(1, 2))
    for unit in ("words", "tokens", "morphemes"):
        assert RECORD.words(unit).to_dict()["unit"] == unit
    assert RECORD.words("tokens", specials=False).columns == SOURCE.pieces


def test_a_map_says_what_it_was_made_of() -> None:
    mean = RECORD.words()
    assert mean.summary == "cross-attention, mean of 2 layers and 3 heads"
    assert mean.caption == f"{mean.summary}; rows: output words, columns: input words"
    assert mean.to_dict()["reduced"] == {"by": "mean", "layers": 2, "heads": 3}
    assert RECORD.words(layer=1).summary == "cross-attention, layer 1, mean of 3 heads"
    assert RECORD.words(head=2, reduce="max").summary == "cross-attention, head 2, maximum of 2 layers"
    assert RECORD.words(layer=1, head=2).summary == "cross-attention, layer 1, head 2"
    own = RECORD.words("tokens", kind="decoder-self")
    assert own.axes == ("decoder input tokens", "decoder input tokens")
    with pytest.raises(RegardError, match="unknown reduce 'mena'; did you mean 'mean'"):
        RECORD.words(reduce="mena")  # type: ignore[arg-type]
