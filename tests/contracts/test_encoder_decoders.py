"""Laws that hold for every model that writes.

A new model joins by a line in models.py.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.contracts.embedder_models import EMBEDDERS
from tests.contracts.language_models import LANGUAGE_MODELS
from tests.contracts.laws import (
    dropout_is_a_function_of_seed_and_step,
    every_parameter_learns_from,
    only_the_edited_example_changes,
)
from tests.contracts.models import MODELS, TARGET_SIZE, sizes
from tests.contracts.sentence_models import SENTENCE_MODELS
from tests.contracts.tagger_models import TAGGERS
from torch import Tensor, nn
from torch.nn.functional import pad
from torch.testing import assert_close

from regard.config.load import load_recipe
from regard.data.batching import EncodedPair, Symbols, make_batch
from regard.decoding.beam import beam_search
from regard.decoding.hypothesis import SearchLimits
from regard.decoding.stepwise import greedy_search
from regard.models.catalogue import BUILDERS, build_model
from regard.nn.decoder import EncoderDecoder
from regard.nn.dropout import DropoutRng
from regard.nn.loss import loss_of as total_loss
from regard.nn.trace import Trace
from regard.store.folder import StoredModel, load_weights, read_model, weights_of, write_model

SYMBOLS = Symbols(pad=0, bos=2, eos=3)
PAIRS = [
    EncodedPair((5, 9, 16, 4, 11), (7, 12, 5)),
    EncodedPair((6,), (4, 4, 9, 10, 11, 6)),
    EncodedPair((8, 8, 12), (12,)),
]


def make(name: str, seed: int = 0) -> Any:
    torch.manual_seed(seed)
    if name in LANGUAGE_MODELS:
        return build_model(LANGUAGE_MODELS[name], target_size=TARGET_SIZE)
    source_size, target_size = sizes(name)
    return build_model(MODELS[name], source_size=source_size, target_size=target_size)


def forced_logits(
    model: EncoderDecoder[Any], rows: list[int], *, trace: Trace | None = None, rng: DropoutRng | None = None
) -> Tensor:
    batch = make_batch(PAIRS, rows, SYMBOLS)
    return model.teacher_forced(batch.inputs, trace=trace, rng=rng).logits()


def loss_of(model: EncoderDecoder[Any], rng: DropoutRng | None = None) -> Tensor:
    batch = make_batch(PAIRS, [0, 1, 2], SYMBOLS)
    written: Any = model.teacher_forced(batch.inputs, rng=rng)
    loss, _ = total_loss(written.at(batch.real), batch.wanted[batch.real])
    return loss / batch.real.sum()


def whole(name: str) -> bool:
    """Whether the weights of a row are all there; a Gaussian window takes some away."""
    attention = getattr(MODELS.get(name), "attention", None)
    return attention is None or attention.window != "local_p" or attention.renormalise


def attentions(trace: Trace) -> dict[str, Tensor]:
    """All weights seen, by path, (b, t, s) or (b, h, t, s); later words have no weight yet."""
    widest = {path: sights[-1].weights.shape[-1] for path, sights in trace.kept.items()}
    return {
        path: torch.cat([pad(s.weights, (0, widest[path] - s.weights.shape[-1])) for s in sights], dim=-2)
        for path, sights in trace.kept.items()
    }


def test_every_kind_in_the_catalogue_is_under_contract() -> None:
    families = (MODELS, SENTENCE_MODELS, LANGUAGE_MODELS, TAGGERS, EMBEDDERS)
    assert {config.kind for family in families for config in family.values()} == set(BUILDERS)


@pytest.mark.parametrize("name", MODELS)
def test_padding_and_company_change_nothing(name: str) -> None:
    """Each sentence alone, without padding, gives what it gives in a batch: the same in float64."""
    model = make(name).double()
    together = forced_logits(model, [0, 1, 2])
    for row, pair in enumerate(PAIRS):
        alone = forced_logits(model, [row])[0]
        assert_close(together[row, : len(pair.target) + 1], alone, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", MODELS)
def test_searches_do_not_depend_on_company(name: str) -> None:
    model = make(name).double()
    batch = make_batch(PAIRS, [0, 1, 2], SYMBOLS)
    limits = SearchLimits(2, 3, (0, 1, 2), (9, 9, 9))
    greedy = greedy_search(model, batch.source, batch.lengths, limits)
    beam = beam_search(model, batch.source, batch.lengths, limits, beam_size=3)
    for row in range(3):
        one = make_batch(PAIRS, [row], SYMBOLS)
        alone = SearchLimits(2, 3, (0, 1, 2), (9,))
        (greedy_alone,) = greedy_search(model, one.source, one.lengths, alone)
        (beam_alone,) = beam_search(model, one.source, one.lengths, alone, beam_size=3)
        assert greedy_alone.tokens == greedy[row].tokens
        assert [h.tokens for h in beam_alone] == [h.tokens for h in beam[row]]
        assert [h.score for h in beam_alone] == pytest.approx([h.score for h in beam[row]], abs=1e-10)


@pytest.mark.parametrize("name", MODELS)
def test_what_counts_is_the_same_without_the_rest(name: str) -> None:
    """A model that is told which target positions count says the same about them, and learns the same."""
    model = make(name).double()
    batch = make_batch(PAIRS, [0, 1, 2], SYMBOLS)
    gradients = []
    for real in (None, batch.real):
        written: Any = model.teacher_forced(replace(batch.inputs, real=real))
        counted = written.at(batch.real)
        loss, _ = total_loss(counted, batch.wanted[batch.real])
        gradients.append((counted.logits(), *torch.autograd.grad(loss, list(model.parameters()))))
    for one, other in zip(*gradients, strict=True):
        assert_close(one, other, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", MODELS)
def test_what_is_trained_is_what_is_scored(name: str) -> None:
    """The log-likelihood of the loss is that of the softmax over the logits."""
    model = make(name).double()
    batch = make_batch(PAIRS, [0, 1, 2], SYMBOLS)
    written: Any = model.teacher_forced(batch.inputs).at(batch.real)
    wanted = batch.wanted[batch.real]
    _, likelihood = total_loss(written, wanted)
    assert_close(likelihood, written.logits().log_softmax(-1).gather(1, wanted[:, None]).sum())


@pytest.mark.parametrize("name", MODELS)
def test_looking_changes_nothing(name: str) -> None:
    model = make(name)
    assert_close(forced_logits(model, [0, 1, 2], trace=Trace(model)), forced_logits(model, [0, 1, 2]))


@pytest.mark.parametrize("name", MODELS)
def test_an_empty_edit_changes_no_bit(name: str) -> None:
    model = make(name)
    plain = Trace(model)
    seen = forced_logits(model, [0, 1, 2], trace=plain)
    edited = Trace(model, dict.fromkeys(plain.kept, lambda sight: sight.weights))
    assert torch.equal(forced_logits(model, [0, 1, 2], trace=edited), seen)


@pytest.mark.parametrize("name", MODELS)
def test_weights_are_distributions_over_the_real_words(name: str) -> None:
    model = make(name)
    trace = Trace(model)
    forced_logits(model, [0, 1, 2], trace=trace)
    assert set(trace.kept) == set(model.attentions)
    for path, weights in attentions(trace).items():
        if name.startswith("lstmn") and model.attentions[path].kind in ("memory", "decoder-self"):
            sums = torch.ones_like(weights[..., 0])
            sums[..., 0] = 0.0  # the first word has nothing to look back at
            assert_close(weights.sum(-1), sums)
            assert (weights.triu() == 0).all(), "a word looks at those before it"
            continue
        if whole(name):
            assert_close(weights.sum(-1), torch.ones_like(weights[..., 0]))
        else:  # a Gaussian takes mass away
            assert ((weights.sum(-1) > 0) & (weights.sum(-1) < 1)).all(), path
        if model.attentions[path].kind == "decoder-self":
            assert (weights.triu(1) == 0).all(), "no later word is seen"
            continue
        for row, pair in enumerate(PAIRS):
            assert (weights[row, ..., len(pair.source) + 1 :] == 0).all()


@pytest.mark.parametrize("name", MODELS)
def test_an_edit_of_one_example_changes_that_example_alone(name: str) -> None:
    """Forced to look at the first word alone, the edited sentence changes, the others do not, by no bit."""
    model = make(name)
    only_the_edited_example_changes(model, lambda trace: forced_logits(model, [0, 1, 2], trace=trace))


@pytest.mark.parametrize("name", MODELS)
def test_steps_equal_the_forced_pass(name: str) -> None:
    """Logits and attention, token by token, are those of the whole target at once."""
    model = make(name).double()
    batch = make_batch(PAIRS, [0, 1, 2], SYMBOLS)
    forced, stepped = Trace(model), Trace(model)
    whole = forced_logits(model, [0, 1, 2], trace=forced)
    state = model.start(batch.source, batch.lengths, trace=stepped)
    for position in range(batch.fed.shape[1]):
        stepped.step = position
        logits, state = model.step(batch.fed[:, position], state, trace=stepped)
        assert_close(logits, whole[:, position])
    for path, weights in attentions(forced).items():
        assert_close(attentions(stepped)[path], weights)
        if model.attentions[path].kind in ("encoder-self", "memory"):
            continue
        for trace in (forced, stepped):
            rows = [s.step + row for s in trace.kept[path] for row in range(s.weights.shape[-2])]
            assert rows == list(range(batch.fed.shape[1])), "each row knows its target position"


@pytest.mark.parametrize("name", MODELS)
def test_a_state_is_selected_by_rows_and_never_changed(name: str) -> None:
    model = make(name).double()
    batch = make_batch(PAIRS, [0, 1, 2], SYMBOLS)
    state = model.start(batch.source, batch.lengths)
    first, after = model.step(batch.fed[:, 0], state)
    rows = torch.tensor([2, 0, 0])
    picked, _ = model.step(torch.tensor([7, 7, 9]), after.select(rows))
    for place, (row, token) in enumerate(((2, 7), (0, 7), (0, 9))):
        tokens = torch.full((3,), token)
        assert_close(picked[place], model.step(tokens, after)[0][row])
    again, _ = model.step(batch.fed[:, 0], state)
    assert torch.equal(first, again)


@pytest.mark.parametrize("name", MODELS)
def test_rows_may_be_selected_again_and_again(name: str) -> None:
    """As a beam does it: as many rows a sentence, in another order, fewer sentences; and as none does."""
    model = make(name).double()
    batch = make_batch(PAIRS, [0, 1, 2], SYMBOLS)
    _, state = model.step(batch.fed[:, 0], model.start(batch.source, batch.lengths))
    origin, first = torch.arange(3), state
    for rows in ([0, 0, 1, 1, 2, 2], [1, 0, 2, 2, 5, 4], [4, 5, 0, 0], [3, 0, 0, 1, 2], [4, 1], [1]):
        state, origin = state.select(torch.tensor(rows)), origin[rows]
        step, after = model.step(torch.full((len(rows),), 7), state)
        expected, _ = model.step(torch.full((3,), 7), first)
        assert_close(step, expected[origin])
        again, _ = model.step(torch.full((len(rows),), 9), after)
        alone, _ = model.step(torch.full((3,), 9), model.step(torch.full((3,), 7), first)[1])
        assert_close(again, alone[origin])


@pytest.mark.parametrize("name", MODELS)
def test_every_parameter_gets_a_gradient(name: str) -> None:
    model = make(name)
    every_parameter_learns_from(loss_of(model), model)


@pytest.mark.parametrize("name", MODELS)
def test_what_grows_with_a_vocabulary_is_named(name: str) -> None:
    """A vocabulary can be extended: every tensor with a row for each entry is known, and no other grows."""
    model = make(name)
    shapes = {path: value.shape for path, value in model.named_parameters()}
    source, target = sizes(name)
    own = {"source": set(model.source_vocab_params), "target": set(model.target_vocab_params)}
    ways = [((2, 0), own["source"]), ((0, 2), own["target"])]
    if MODELS[name].needs_one_vocabulary:
        ways = [((2, 2), own["source"] | own["target"])]
    for more, names in ways:
        larger = build_model(MODELS[name], source_size=source + more[0], target_size=target + more[1])
        grown = {path for path, value in larger.named_parameters() if value.shape != shapes[path]}
        assert grown == names & shapes.keys()
        for path in grown:
            assert larger.get_parameter(path).shape == (shapes[path][0] + 2, *shapes[path][1:])


@pytest.mark.parametrize("name", MODELS)
def test_dropout_is_a_function_of_seed_and_step(name: str) -> None:
    model = make(name)
    dropout_is_a_function_of_seed_and_step(model, lambda rng: loss_of(model, rng))


@pytest.mark.parametrize("name", MODELS)
def test_one_batch_can_be_learned_by_heart(name: str) -> None:
    model = make(name)
    batch = make_batch(PAIRS, [0, 1, 2], SYMBOLS)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    for _ in range(600):
        optimizer.zero_grad()
        written: Any = model.teacher_forced(batch.inputs)
        loss, likelihood = total_loss(written.at(batch.real), batch.wanted[batch.real])
        if likelihood > -0.05 * batch.real.sum():  # what else the loss has may not come to nothing
            break
        (loss / batch.real.sum()).backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    limits = SearchLimits(2, 3, (0, 1, 2), (9, 9, 9))
    for search in (greedy_search, lambda *a: [h[0] for h in beam_search(*a, beam_size=3)]):
        found = search(model, batch.source, batch.lengths, limits)
        assert [h.tokens for h in found] == [pair.target for pair in PAIRS]
        assert all(h.ended for h in found)


@pytest.mark.parametrize("name", MODELS)
def test_save_then_load_gives_equal_outputs(name: str, tmp_path: Path) -> None:
    model, other = make(name, seed=1), make(name, seed=2)
    recipe = load_recipe("bahdanau", ["text.joint=true"]).model_copy(update={"model": MODELS[name]})
    write_model(tmp_path / "m", StoredModel(recipe, weights_of(model), {"joint": "{}"}))
    stored = read_model(tmp_path / "m")
    assert stored.recipe.model == MODELS[name]
    load_weights(other, stored.weights, "x")
    assert torch.equal(forced_logits(other, [0, 1, 2]), forced_logits(model, [0, 1, 2]))
    assert tied_parameters(other) == tied_parameters(model)


def tied_parameters(model: nn.Module) -> int:
    return len(list(model.named_parameters(remove_duplicate=False))) - len(list(model.parameters()))


@pytest.mark.parametrize("name", MODELS)
def test_every_attention_is_declared_with_its_kind(name: str) -> None:
    """What a record names is what a trace sees; no attention is left out, and none is made up."""
    model = make(name)
    trace = Trace(model)
    forced_logits(model, [0, 1, 2], trace=trace)
    assert set(trace.kept) == set(model.attentions)
    cross = tuple(path for path, site in model.attentions.items() if site.kind == "cross")
    assert cross == model.cross_attention
