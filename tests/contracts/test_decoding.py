"""Laws of every search, for every model that writes."""

from typing import Any

import pytest
import torch
from tests.contracts.models import ATTENDING, MODELS
from tests.contracts.test_encoder_decoders import PAIRS, SYMBOLS, make
from torch import Tensor
from torch.testing import assert_close

from regard.config.decoding import DecodingConfig
from regard.data.batching import EncodedPair, make_batch, pad_sources
from regard.decoding.coverage import SourceAttention, mean_weights
from regard.decoding.ensemble import EnsembleDecoder
from regard.decoding.hypothesis import Hypothesis, SearchLimits
from regard.decoding.lexical_constraints import UNCONSTRAINED, TokenConstraints, TokenPhrase
from regard.decoding.search import search
from regard.nn.trace import Trace

LONGEST = 9
OPTIONS: dict[str, tuple[dict[str, Any], TokenConstraints]] = {
    "greedy": ({"beam_size": 1}, UNCONSTRAINED),
    "beam": ({"beam_size": 4}, UNCONSTRAINED),
    "gnmt": ({"length_penalty": "gnmt"}, UNCONSTRAINED),
    "coverage": ({"coverage_beta": 0.5}, UNCONSTRAINED),
    "groups": ({"beam_size": 6, "beam_groups": 3}, UNCONSTRAINED),
    "lengths": ({"min_length": 5}, UNCONSTRAINED),
    "n-grams": ({"no_repeat_ngram": 2}, UNCONSTRAINED),
    "prefix": ({}, TokenConstraints(prefix=(7, 9, 7))),
    "must": ({}, TokenConstraints(must=((TokenPhrase((8, 6)),), (TokenPhrase((5,)),)))),
    "must not": ({}, TokenConstraints(must_not=((4,), (9, 9)))),
    "sample": ({"sample": True, "temperature": 1.5, "top_p": 0.9, "seed": 3}, UNCONSTRAINED),
}

THOROUGH = {
    "bahdanau-lstm", "luong-general", "unfed-local-p", "plain", "pointer", "transformer", "transformer-rotary"
}  # fmt: skip
"""One of each kind: every option is tried with these; with each of the others a quarter of them."""
CELLS = [
    (name, option)
    for place, name in enumerate(MODELS)
    for number, option in enumerate(OPTIONS)
    if (name in THOROUGH or (place + number) % 4 == 0)
    and (option != "coverage" or name in ATTENDING)  # a plain seq2seq covers nothing
]


def test_every_option_and_every_model_is_tried() -> None:
    assert {option for _, option in CELLS} == set(OPTIONS)
    assert {name for name, _ in CELLS} == set(MODELS)
    assert set(MODELS) >= THOROUGH


def run(
    model: Any, rows: list[int], settings: dict[str, Any], wish: TokenConstraints
) -> list[list[Hypothesis]]:
    source, lengths = pad_sources([PAIRS[row].source for row in rows], SYMBOLS)
    config = DecodingConfig(**settings)
    counted = torch.arange(source.shape[1]) < lengths[:, None] - 1
    looking = SourceAttention(Trace(model), model.cross_attention, counted) if config.coverage_beta else None
    return search(
        model,
        source,
        lengths,
        SearchLimits(SYMBOLS.bos, SYMBOLS.eos, (0, 1, 2), (LONGEST,) * len(rows)),
        config,
        constraints=[wish] * len(rows),
        numbers=rows,
        looking=looking,
    )


@torch.inference_mode()
def forced(model: Any, row: int, tokens: tuple[int, ...], trace: Trace | None = None) -> Tensor:
    """Log-probabilities of the tokens and of the end, (t,)."""
    batch = make_batch([EncodedPair(PAIRS[row].source, tokens)], [0], SYMBOLS)
    logits = model.teacher_forced(batch.inputs, trace=trace).logits()
    values: Tensor = logits.log_softmax(-1).gather(-1, batch.wanted[..., None])[0, :, 0]
    return values


@pytest.mark.parametrize(("name", "option"), CELLS)
def test_probabilities_are_those_of_the_forced_pass(name: str, option: str) -> None:
    model = make(name)
    for row, hypotheses in enumerate(run(model, [0, 1, 2], *OPTIONS[option])):
        assert hypotheses
        for h in hypotheses:
            steps = forced(model, row, h.tokens)[: len(h.tokens) + h.ended]
            assert h.log_probability == pytest.approx(float(steps.sum()), abs=1e-5)


@pytest.mark.parametrize(("name", "option"), CELLS)
def test_a_sentence_is_searched_as_if_alone(name: str, option: str) -> None:
    model = make(name).double()
    together = run(model, [0, 1, 2], *OPTIONS[option])
    for row in range(3):
        (alone,) = run(model, [row], *OPTIONS[option])
        assert [h.tokens for h in alone] == [h.tokens for h in together[row]]
        for one, other in zip(alone, together[row], strict=True):
            assert one.score == pytest.approx(other.score, abs=1e-9)


@pytest.mark.parametrize("name", ATTENDING)
def test_the_coverage_is_that_of_the_forced_pass(name: str) -> None:
    model = make(name).double()
    for row, hypotheses in enumerate(run(model, [0, 1, 2], *OPTIONS["coverage"])):
        for h in hypotheses:
            trace = Trace(model)
            forced(model, row, h.tokens, trace)
            looks = [
                torch.cat([s.weights for s in trace.kept[path]], dim=-2) for path in model.cross_attention
            ]
            words = mean_weights(looks)[0, : len(h.tokens) + h.ended, : len(PAIRS[row].source)]
            penalty = float(words.sum(0).clamp(1e-9, 1.0).log().sum())  # a window can leave a word at 0
            expected = h.log_probability / (len(h.tokens) + h.ended) + 0.5 * penalty
            assert h.score == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("name", "option"), CELLS)
def test_an_ensemble_of_a_model_with_itself_is_the_model(name: str, option: str) -> None:
    """In every bit."""
    model = make(name)
    ensemble = EnsembleDecoder([model, model, model])
    assert torch.equal(forced(ensemble, 0, (7, 12)), forced(model, 0, (7, 12)))
    if option != "coverage":  # its attention is a mean of three, which may round
        assert run(ensemble, [0, 1, 2], *OPTIONS[option]) == run(model, [0, 1, 2], *OPTIONS[option])


@pytest.mark.parametrize("name", MODELS)
def test_an_ensemble_is_the_mean_of_probabilities(name: str) -> None:
    one, other = make(name, seed=1).double(), make(name, seed=2).double()
    ensemble = EnsembleDecoder([one, other])
    mean = (forced(one, 0, (7, 12)).exp() + forced(other, 0, (7, 12)).exp()) / 2
    assert_close(forced(ensemble, 0, (7, 12)), mean.log())
    options = ["greedy", "beam", "must", "sample", *(["coverage"] if name in ATTENDING else [])]
    for option in options:
        for row, hypotheses in enumerate(run(ensemble, [0, 1, 2], *OPTIONS[option])):
            for h in hypotheses:
                steps = forced(ensemble, row, h.tokens)[: len(h.tokens) + h.ended]
                assert h.log_probability == pytest.approx(float(steps.sum()), abs=1e-9)


def test_members_of_an_ensemble_all_begin_at_the_first_step() -> None:
    """Whoever has written before: an edit of a row finds it by its step."""
    members = make("bahdanau-lstm", seed=1), make("transformer", seed=2)
    for order in (members, members[::-1]):
        ensemble = EnsembleDecoder(order)
        trace = Trace(ensemble)
        forced(ensemble, 0, (7, 12), trace)
        steps = {path: [sight.step for sight in sights] for path, sights in trace.kept.items()}
        (encoder,) = [path for path in steps if path.endswith("encoder.0.self")]
        assert steps[encoder] == [0]
        assert [0, 1, 2] in steps.values(), "of the recurrent one"


@pytest.mark.parametrize("name", MODELS)
def test_a_model_says_where_it_looks_at_the_source(name: str) -> None:
    model = make(name)
    trace = Trace(model)
    batch = make_batch(PAIRS, [0, 1, 2], SYMBOLS)
    model.step(batch.fed[:, 0], model.start(batch.source, batch.lengths, trace=trace), trace=trace)
    for path in model.cross_attention:
        (sight,) = trace.kept[path]
        assert sight.weights.shape[-2:] == (1, batch.source.shape[1])
