"""Laws of edits, for every model that writes."""

from collections.abc import Sequence
from typing import Any

import pytest
import torch
from tests.contracts.models import ATTENDING
from tests.contracts.test_decoding import CELLS, LONGEST, OPTIONS
from tests.contracts.test_encoder_decoders import PAIRS, SYMBOLS, make
from torch import Tensor
from torch.testing import assert_close

from regard.config.decoding import DecodingConfig
from regard.data.batching import EncodedPair, make_batch, pad_sources
from regard.decoding.coverage import SourceAttention
from regard.decoding.hypothesis import Hypothesis, SearchLimits
from regard.decoding.lexical_constraints import UNCONSTRAINED
from regard.decoding.search import search
from regard.inference.interventions import SentenceEdits, resolve_edits, trace_edits
from regard.insight.edits import Edit, force_row, mask, mask_layer, reweight
from regard.insight.token_axis import TokenAxis
from regard.nn.trace import Trace

ROWS = [0, 1, 2]
EDITED = [(name, option) for name, option in CELLS if name in ATTENDING]
EDITS: list[list[Edit]] = [
    [mask("w1"), force_row(1, "w3")],
    [],
    [reweight("w0", 5.0, where="all"), force_row(0, "</s>"), force_row(2, 1)],
]


def side(row: int) -> TokenAxis:
    """Words w0, w1, …, a token each."""
    pieces = tuple(f"w{n}" for n in range(len(PAIRS[row].source)))
    return TokenAxis(" ".join(pieces), pieces, tuple((3 * n, 3 * n + 2) for n in range(len(pieces))))


def edits_of(model: Any, rows: Sequence[int]) -> list[SentenceEdits]:
    return [resolve_edits(EDITS[row], side(row), model.attentions) for row in rows]


def run(
    model: Any, rows: Sequence[int], option: str, edited: Sequence[SentenceEdits] | None
) -> list[list[Hypothesis]]:
    source, lengths = pad_sources([PAIRS[row].source for row in rows], SYMBOLS)
    settings, wish = OPTIONS[option]
    config = DecodingConfig(**settings)
    changes = trace_edits(edited) if edited is not None else None
    counted = torch.arange(source.shape[1]) < lengths[:, None] - 1
    looking = (
        SourceAttention(Trace(model, changes), model.cross_attention, counted)
        if config.coverage_beta
        else None
    )
    return search(
        model,
        source,
        lengths,
        SearchLimits(SYMBOLS.bos, SYMBOLS.eos, (0, 1, 2), (LONGEST,) * len(rows)),
        config,
        constraints=[wish] * len(rows),
        numbers=rows,
        looking=looking,
        trace=Trace(model, changes, keep=False),
    )


@torch.inference_mode()
def forced(model: Any, row: int, tokens: tuple[int, ...], edited: SentenceEdits | None) -> Tensor:
    """Log-probabilities of the tokens and of the end, (t,)."""
    batch = make_batch([EncodedPair(PAIRS[row].source, tokens)], [0], SYMBOLS)
    trace = Trace(model, trace_edits([edited]) if edited is not None else None)
    logits = model.teacher_forced(batch.inputs, trace=trace).logits()
    values: Tensor = logits.log_softmax(-1).gather(-1, batch.wanted[..., None])[0, :, 0]
    return values


@pytest.mark.parametrize(("name", "option"), EDITED)
def test_each_sentence_gets_its_own_edit_whatever_its_company(name: str, option: str) -> None:
    """Beams are re-ordered, sentences leave the batch: the same as one at a time."""
    model = make(name).double()
    edited = edits_of(model, ROWS)
    together = run(model, ROWS, option, edited)
    for row in ROWS:
        (alone,) = run(model, [row], option, [edited[row]])
        assert [h.tokens for h in alone] == [h.tokens for h in together[row]]
        for one, other in zip(alone, together[row], strict=True):
            assert one.score == pytest.approx(other.score, abs=1e-9)


@pytest.mark.parametrize(("name", "option"), EDITED)
def test_a_search_under_edits_has_the_probabilities_of_the_forced_pass(name: str, option: str) -> None:
    """Each edit finds its sentence and its step; and it does something."""
    model = make(name).double()
    edited = edits_of(model, ROWS)
    for row, hypotheses in enumerate(run(model, ROWS, option, edited)):
        for h in hypotheses:
            size = len(h.tokens) + h.ended
            total = float(forced(model, row, h.tokens, edited[row])[:size].sum())
            assert h.log_probability == pytest.approx(total, abs=1e-9)
            plain = float(forced(model, row, h.tokens, None)[:size].sum())
            assert (total == plain) == (not EDITS[row])


@pytest.mark.parametrize(("name", "option"), EDITED)
def test_no_edit_changes_no_bit_and_none_is_left(name: str, option: str) -> None:
    model = make(name)
    state = {path: value.clone() for path, value in model.state_dict().items()}
    plain = run(model, ROWS, option, None)
    assert run(model, ROWS, option, [SentenceEdits()] * 3) == plain
    run(model, ROWS, option, edits_of(model, ROWS))
    assert run(model, ROWS, option, None) == plain
    assert all(torch.equal(value, state[path]) for path, value in model.state_dict().items())


@pytest.mark.parametrize("name", ATTENDING)
def test_a_masked_word_has_no_weight_and_rows_keep_their_sum(name: str) -> None:
    model = make(name).double()
    for renormalise in (True, False):
        edit = resolve_edits([mask("w2", where="all", renormalise=renormalise)], side(0), model.attentions)
        batch = make_batch(PAIRS, [0], SYMBOLS)
        plain, trace = Trace(model), Trace(model, trace_edits([edit]))
        for own in (plain, trace):
            model.teacher_forced(batch.inputs, trace=own)
        for number, (path, site) in enumerate(model.attentions.items()):
            if site.kind == "decoder-self":
                continue
            first, before = trace.kept[path][0].weights[..., :1, :], plain.kept[path][0].weights[..., :1, :]
            assert (first[..., 2] == 0).all()
            if number and not renormalise:
                assert (first.sum(-1) < 1).all()  # a higher layer looks with other queries
                continue
            alone = before[..., 2] == before.sum(-1)
            kept = before.sum(-1) if renormalise else before.sum(-1) - before[..., 2]
            assert_close(first.sum(-1), kept.masked_fill(alone, 0.0))


@pytest.mark.parametrize("name", ATTENDING)
def test_a_masked_layer_looks_at_nothing(name: str) -> None:
    model = make(name)
    path = model.cross_attention[-1]
    edit = resolve_edits([mask_layer(path)], side(0), model.attentions)
    trace = Trace(model, trace_edits([edit]))
    batch = make_batch(PAIRS, [0], SYMBOLS)
    model.teacher_forced(batch.inputs, trace=trace)
    assert all((sight.weights == 0).all() for sight in trace.kept[path])


@pytest.mark.parametrize("name", ATTENDING)
def test_a_greedy_search_that_is_cut_in_two_finds_each_edit(name: str) -> None:
    """Sentences with words that must appear are searched apart from the others."""
    model = make(name).double()
    source, lengths = pad_sources([PAIRS[row].source for row in ROWS], SYMBOLS)
    found = search(
        model,
        source,
        lengths,
        SearchLimits(SYMBOLS.bos, SYMBOLS.eos, (0, 1, 2), (LONGEST,) * 3),
        DecodingConfig(beam_size=1),
        constraints=[UNCONSTRAINED, OPTIONS["must"][1], UNCONSTRAINED],
        trace=Trace(model, trace_edits(edits_of(model, ROWS)), keep=False),
    )
    for row, (h,) in enumerate(found):
        steps = forced(model, row, h.tokens, edits_of(model, [row])[0])[: len(h.tokens) + h.ended]
        assert h.log_probability == pytest.approx(float(steps.sum()), abs=1e-9)
