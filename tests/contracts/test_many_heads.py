"""Records, edits and explanations of a model with layers and heads, attention to itself included."""

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from tests.contracts.many_heads import HEADS, LAYERS, ManyHeads
from tests.contracts.models import SOURCE_SIZE, TARGET_SIZE
from tests.contracts.test_decoding import OPTIONS
from tests.contracts.test_edits import ROWS, forced, run, side
from tests.contracts.test_encoder_decoders import PAIRS, SYMBOLS

from regard.data.batching import make_batch
from regard.errors import DataError
from regard.inference.explain import explain_row
from regard.inference.interventions import SentenceEdits, resolve_edits, trace_edits
from regard.inference.teacher_forcing import read_attention
from regard.insight.edits import Edit, force_row, mask, mask_head, mask_layer, reweight, transplant
from regard.insight.record import AttentionRecord
from regard.nn.trace import Trace
from regard.text.korean import NO_DICTIONARY
from regard.text.normalise import NormalisedText
from regard.text.tokenizer import Encoding

EDITS: list[list[Edit]] = [
    [mask("w1", where="all"), mask_head("decoder.1", 2), force_row(1, "w3", path="cross.1")],
    [],
    [reweight("w0", 5.0), mask_layer("encoder.0"), force_row(2, 1)],
]


def model(seed: int = 0) -> ManyHeads:
    torch.manual_seed(seed)
    return ManyHeads(SOURCE_SIZE, TARGET_SIZE).double()


def encoding(ids: tuple[int, ...], name: str) -> Encoding:
    pieces = tuple(f"{name}{n}" for n in range(len(ids)))
    text = " ".join(pieces)
    return Encoding(
        NormalisedText(text, text, None), ids, pieces, tuple((3 * n, 3 * n + 2) for n in range(len(ids)))
    )


def records(of: ManyHeads, edited: list[SentenceEdits] | None = None) -> list[AttentionRecord]:
    read = read_attention(
        of,
        [encoding(tuple(PAIRS[row].source), "w") for row in ROWS],
        [encoding(tuple(PAIRS[row].target), "t") for row in ROWS],
        [True] * 3,
        dictionaries=(NO_DICTIONARY, NO_DICTIONARY),
        budget=1000,
        device=torch.device("cpu"),
        edited=edited,
    )
    return [record for record, _ in read]


def test_a_record_has_every_layer_and_head_without_padding() -> None:
    for row, record in zip(ROWS, records(model()), strict=True):
        s, t = len(PAIRS[row].source) + 1, len(PAIRS[row].target) + 1
        shapes = {"encoder-self": (s, s), "decoder-self": (t, t), "cross": (t, s)}
        assert len(record.maps()) == 3 * LAYERS * HEADS
        for shown in record.maps():
            assert shown.weights.shape == shapes[shown.kind]
            assert_allclose(shown.weights.sum(axis=1), 1.0, rtol=1e-5)
        first = record.select("decoder-self", layer=1, head=2)[0]
        assert first.rows[0] == "<s>"
        assert (np.triu(first.weights, k=1) == 0).all(), "what was fed later is not looked at"
        assert record.select("cross", reduce="mean").rows[-1] == "</s>"
        views = record.to_bertviz()
        assert [tuple(view.shape) for view in views["cross_attention"]] == [(1, HEADS, t, s)] * LAYERS


@pytest.mark.parametrize("option", OPTIONS)
def test_edits_find_their_sentence_layer_head_and_step(option: str) -> None:
    """While beams are re-ordered; and the same alone, in a batch, and forced."""
    of = model()
    edited = [resolve_edits(EDITS[row], side(row), of.attentions) for row in ROWS]
    together = run(of, ROWS, option, edited)
    for row in ROWS:
        (alone,) = run(of, [row], option, [edited[row]])
        assert [h.tokens for h in alone] == [h.tokens for h in together[row]]
        for h in together[row]:
            size = len(h.tokens) + h.ended
            total = float(forced(of, row, h.tokens, edited[row])[:size].sum())
            assert h.log_probability == pytest.approx(total, abs=1e-9)
            assert (total == float(forced(of, row, h.tokens, None)[:size].sum())) == (not EDITS[row])


def test_an_edit_changes_what_it_names_and_nothing_before_it() -> None:
    of = model()
    edited = [resolve_edits(EDITS[row], side(row), of.attentions) for row in ROWS]
    plain, changed = records(of), records(of, edited)
    one = {(m.path, m.head): m.weights for m in changed[0].maps()}
    for path in ("encoder.0", "encoder.1", "cross.0"):
        assert all((one[path, head][:, 1] == 0).all() for head in range(HEADS)), "w1 is masked everywhere"
    assert (one["decoder.1", 2] == 0).all()
    assert not (one["decoder.1", 1] == 0).all()
    for head in range(HEADS):
        assert_allclose(one["cross.1", head][1], [0, 0, 0, 1, 0, 0])
        assert one["cross.0", head][1, 3] < 1
    third = {(m.path, m.head): m.weights for m in changed[2].maps()}
    assert all((third["encoder.0", head] == 0).all() for head in range(HEADS))
    for before, after in zip(plain[1].maps(), changed[1].maps(), strict=True):
        assert_allclose(before.weights, after.weights, atol=1e-7)


def test_a_transplant_puts_every_layer_and_head_in() -> None:
    of, other = model(), model(seed=1)
    given = records(other)[0]
    edited = [resolve_edits([transplant(given)], side(0), of.attentions), SentenceEdits(), SentenceEdits()]
    for shown, wanted in zip(records(of, edited)[0].select("cross"), given.select("cross"), strict=True):
        assert_allclose(shown.weights, wanted.weights, atol=1e-7)


def test_a_head_that_is_not_there() -> None:
    of = model()
    trace = Trace(of, trace_edits([resolve_edits([mask_head("cross.0", 3)], side(0), of.attentions)]))
    batch = make_batch(PAIRS, [0], SYMBOLS)
    with pytest.raises(DataError, match=r"cross\.0 has the heads 0 to 2, found head 3"):
        of.teacher_forced(batch.inputs, trace=trace)


def test_every_row_of_every_head_explains_itself() -> None:
    of = model()
    record = records(of)[0]
    assert record.source is not None
    assert record.target is not None
    for shown in record.maps():
        for row in range(len(shown.rows)):
            told = explain_row(
                of,
                PAIRS[0],
                record.source,
                record.target,
                row=row,
                column=None,
                path=shown.path,
                head=shown.head,
            )
            assert (told.label, told.columns, told.head) == (shown.rows[row], shown.columns, shown.head)
            assert_allclose(told.model, shown.weights[row], atol=1e-7)
            assert told.error < 1e-9
    with pytest.raises(DataError, match=r"cross\.0 has the heads 0 to 2, found head 3"):
        explain_row(of, PAIRS[0], record.source, record.target, row=0, column=None, path="cross.0", head=3)
