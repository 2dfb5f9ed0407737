"""The laws of models that write, for those that read nothing; and what only they promise.

A new model joins by a line in language_models.py.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from tests.contracts import test_encoder_decoders as laws
from tests.contracts.language_models import LANGUAGE_MODELS, LOOKING
from tests.contracts.models import TARGET_SIZE
from tests.contracts.test_decoding import OPTIONS, run
from tests.contracts.test_encoder_decoders import PAIRS, SYMBOLS, forced_logits, loss_of, make
from torch.testing import assert_close

from regard.config.load import load_recipe
from regard.data.batching import EncodedPair, make_batch
from regard.models.catalogue import build_model
from regard.nn.trace import Trace
from regard.store.folder import StoredModel, load_weights, read_model, weights_of, write_model

LAWS = [
    laws.test_padding_and_company_change_nothing,
    laws.test_searches_do_not_depend_on_company,
    laws.test_what_counts_is_the_same_without_the_rest,
    laws.test_what_is_trained_is_what_is_scored,
    laws.test_looking_changes_nothing,
    laws.test_an_empty_edit_changes_no_bit,
    laws.test_an_edit_of_one_example_changes_that_example_alone,
    laws.test_steps_equal_the_forced_pass,
    laws.test_a_state_is_selected_by_rows_and_never_changed,
    laws.test_every_parameter_gets_a_gradient,
    laws.test_dropout_is_a_function_of_seed_and_step,
    laws.test_every_attention_is_declared_with_its_kind,
]


@pytest.mark.parametrize("name", LANGUAGE_MODELS)
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__.removeprefix("test_"))
def test_the_laws_of_models_that_write_hold(law: Callable[[str], None], name: str) -> None:
    law(name)


@pytest.mark.parametrize("name", LANGUAGE_MODELS)
def test_no_source_is_read(name: str) -> None:
    model = make(name)
    pairs = [EncodedPair((), PAIRS[0].target)]
    batch = make_batch(pairs, [0], SYMBOLS)
    assert torch.equal(model.teacher_forced(batch.inputs).logits(), forced_logits(model, [0]))


@pytest.mark.parametrize("name", LANGUAGE_MODELS)
@pytest.mark.parametrize("option", ["greedy", "groups", "prefix", "must", "sample"])
@torch.inference_mode()
def test_every_search_has_the_probabilities_of_the_forced_pass(name: str, option: str) -> None:
    model = make(name).double()
    for h in run(model, [0], *OPTIONS[option])[0]:
        batch = make_batch([EncodedPair((), h.tokens)], [0], SYMBOLS)
        logits = model.teacher_forced(batch.inputs).logits().log_softmax(-1)
        values = logits.gather(-1, batch.wanted[..., None])[0, : len(h.tokens) + h.ended, 0]
        assert h.log_probability == pytest.approx(float(values.sum()), abs=1e-9)


@pytest.mark.parametrize("name", LOOKING)
def test_rows_are_distributions_over_what_was_read(name: str) -> None:
    """A Transformer's word also looks at itself; that of an LSTMN only at those before, the first at none."""
    model = make(name)
    trace = Trace(model)
    forced_logits(model, [0, 1, 2], trace=trace)
    for weights in laws.attentions(trace).values():
        own = 0 if "lstmn" in name else 1
        assert (weights.triu(own) == 0).all()
        sums = torch.ones_like(weights[..., 0])
        sums[..., : 1 - own] = 0.0
        assert_close(weights.sum(-1), sums)


@pytest.mark.parametrize("name", LANGUAGE_MODELS)
def test_what_grows_with_the_vocabulary_is_named(name: str) -> None:
    model, larger = make(name), build_model(LANGUAGE_MODELS[name], target_size=TARGET_SIZE + 2)
    shapes = {path: value.shape for path, value in model.named_parameters()}
    grown = {path for path, value in larger.named_parameters() if value.shape != shapes[path]}
    assert grown == set(model.target_vocab_params) & shapes.keys()
    assert model.source_vocab_params == ()


@pytest.mark.parametrize("name", LANGUAGE_MODELS)
def test_one_text_can_be_learned_by_heart(name: str) -> None:
    model = make(name)
    batch = make_batch(PAIRS, [1], SYMBOLS)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    for _ in range(300):
        optimizer.zero_grad()
        written = model.teacher_forced(batch.inputs)
        loss = torch.nn.functional.cross_entropy(written.logits()[0], batch.wanted[0])
        if loss < 0.02:
            break
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    ((best, *_),) = run(model, [1], *OPTIONS["beam"])
    assert (best.tokens, best.ended) == (PAIRS[1].target, True)


@pytest.mark.parametrize("name", LANGUAGE_MODELS)
def test_save_then_load_gives_equal_outputs(name: str, tmp_path: Path) -> None:
    model, other = make(name, seed=1), make(name, seed=2)
    recipe = load_recipe("lm-lstm").model_copy(update={"model": LANGUAGE_MODELS[name]})
    write_model(tmp_path / "m", StoredModel(recipe, weights_of(model), {"joint": "{}"}))
    stored = read_model(tmp_path / "m")
    assert stored.recipe.model == LANGUAGE_MODELS[name]
    load_weights(other, stored.weights, "x")
    assert torch.equal(loss_of(other), loss_of(model))
    assert laws.tied_parameters(other) == laws.tied_parameters(model)
