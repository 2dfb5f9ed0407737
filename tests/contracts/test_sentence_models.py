"""Laws that hold for every model that reads a sentence and decides.

A new model joins by a line in sentence_models.py.
"""

from pathlib import Path
from typing import Any

import pytest
import torch
from tests.contracts.laws import (
    dropout_is_a_function_of_seed_and_step,
    every_parameter_learns_from,
    only_the_edited_example_changes,
    these_grow,
)
from tests.contracts.sentence_models import OUTPUTS, SENTENCE_MODELS, SOURCE_SIZE, texts_of
from torch import Tensor
from torch.nn.functional import cross_entropy
from torch.testing import assert_close

from regard.config.load import load_recipe
from regard.data.batching import Symbols, pad_texts
from regard.models.catalogue import build_classifier
from regard.nn.dropout import DropoutRng
from regard.nn.sequence_classifier import ClassifierOutput, PaddedTokens, special_tokens_of
from regard.nn.trace import Trace
from regard.store.folder import StoredModel, load_weights, read_model, weights_of, write_model

SYMBOLS = Symbols(pad=0, bos=2, eos=3)
TEXTS = [(5, 9, 16, 4, 11), (6,), (8, 8, 12)]
SECONDS = [(7, 5), (6, 13, 10, 4), (8,)]
LABELS = torch.tensor([2, 0, 1])
every_model = pytest.mark.parametrize("name", SENTENCE_MODELS)


def make(name: str, seed: int = 0) -> Any:
    torch.manual_seed(seed)
    return build(name)


def build(name: str, *, more: int = 0) -> Any:
    return build_classifier(
        SENTENCE_MODELS[name], source_size=SOURCE_SIZE + more, outputs=OUTPUTS, texts=texts_of(name)
    )


def decided(model: Any, rows: list[int], **options: Any) -> ClassifierOutput:
    if getattr(model, "texts", 1) == 2 or getattr(model, "combination", None) is not None:
        options["second"] = PaddedTokens(*pad_texts([SECONDS[row] for row in rows], SYMBOLS))
    result: ClassifierOutput = model(*pad_texts([TEXTS[row] for row in rows], SYMBOLS), **options)
    return result


def loss_of(model: Any, rng: DropoutRng | None = None) -> Tensor:
    said = decided(model, [0, 1, 2], rng=rng)
    loss = cross_entropy(said.logits, LABELS)
    return loss if said.penalty is None else loss + said.penalty.mean()


@every_model
def test_padding_and_company_change_nothing(name: str) -> None:
    """Each sentence alone, without padding, gives what it gives in a batch: the same in float64."""
    model = make(name).double()
    together = decided(model, [0, 1, 2])
    for row in range(3):
        alone = decided(model, [row])
        assert_close(together.logits[row], alone.logits[0], rtol=1e-10, atol=1e-12)
        assert (together.penalty is None) == (alone.penalty is None)
        if together.penalty is not None and alone.penalty is not None:
            assert_close(together.penalty[row], alone.penalty[0], rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", [name for name in SENTENCE_MODELS if texts_of(name) == 2])
def test_each_text_of_a_pair_counts(name: str) -> None:
    """In float64, where rounding is far below what a word does."""
    model = make(name).double()

    def said(first: tuple[int, ...], second: tuple[int, ...]) -> Tensor:
        texts = [PaddedTokens(*pad_texts([text], SYMBOLS)) for text in (first, second)]
        logits: Tensor = model(*texts[0], second=texts[1]).logits
        return logits

    found = said(TEXTS[0], SECONDS[0])
    for other in (said(TEXTS[0], SECONDS[1]), said(TEXTS[2], SECONDS[0])):
        assert (other - found).abs().max() > 1e-9


@every_model
def test_looking_changes_nothing(name: str) -> None:
    model = make(name)
    assert_close(decided(model, [0, 1, 2], trace=Trace(model)).logits, decided(model, [0, 1, 2]).logits)


@every_model
def test_an_empty_edit_changes_no_bit(name: str) -> None:
    model = make(name)
    plain = Trace(model)
    seen = decided(model, [0, 1, 2], trace=plain).logits
    edited = Trace(model, dict.fromkeys(plain.kept, lambda sight: sight.weights))
    assert torch.equal(decided(model, [0, 1, 2], trace=edited).logits, seen)


@every_model
def test_every_attention_is_declared_and_is_a_distribution_over_the_real_words(name: str) -> None:
    model = make(name)
    trace = Trace(model)
    decided(model, [0, 1, 2], trace=trace)
    assert set(trace.kept) == set(model.attentions)
    for path, sights in trace.kept.items():
        weights = torch.cat([sight.weights for sight in sights], dim=-2)
        sums = torch.ones_like(weights[..., 0])
        reads_on = model.attentions[path].kind == "memory"  # a row for each word, which looks at those before
        if reads_on:
            sums[..., 0] = 0.0
            assert (weights.triu() == 0).all(), path
        assert_close(weights.sum(-1), sums)
        for row, text in enumerate(SECONDS if model.attentions[path].text else TEXTS):
            read = len(text)
            if special_tokens_of(model) is not None:  # in its symbols; of a pair, both texts together
                read += 2 + (len(SECONDS[row]) + 1 if texts_of(name) > 1 else 0)
            own = weights[row, ..., :read, :] if reads_on else weights[row]
            assert (own[..., read:] == 0).all(), path


@every_model
def test_an_edit_of_one_example_changes_that_example_alone(name: str) -> None:
    model = make(name)
    only_the_edited_example_changes(model, lambda trace: decided(model, [0, 1, 2], trace=trace).logits)


@every_model
def test_every_parameter_gets_a_gradient(name: str) -> None:
    model = make(name)
    every_parameter_learns_from(loss_of(model), model)


@every_model
def test_what_grows_with_the_vocabulary_is_named(name: str) -> None:
    model = make(name)
    larger = build(name, more=2)
    assert these_grow(model, larger) == set(model.source_vocab_params)


@every_model
def test_dropout_is_a_function_of_seed_and_step(name: str) -> None:
    model = make(name)
    dropout_is_a_function_of_seed_and_step(model, lambda rng: loss_of(model, rng))


@every_model
def test_one_batch_can_be_learned_by_heart(name: str) -> None:
    model = make(name)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(300):
        optimizer.zero_grad()
        loss = cross_entropy(decided(model, [0, 1, 2]).logits, LABELS)
        if loss < 0.02:
            break
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    assert torch.equal(decided(model, [0, 1, 2]).logits.argmax(1), LABELS)
    assert loss < 0.02


@every_model
def test_save_then_load_gives_equal_outputs(name: str, tmp_path: Path) -> None:
    model, other = make(name, seed=1), make(name, seed=2)
    recipe = load_recipe("bag").model_copy(update={"model": SENTENCE_MODELS[name]})
    write_model(tmp_path / "m", StoredModel(recipe, weights_of(model), {"joint": "{}"}, labels="{}"))
    stored = read_model(tmp_path / "m")
    assert (stored.recipe.model, stored.labels) == (SENTENCE_MODELS[name], "{}")
    load_weights(other, stored.weights, "x")
    assert torch.equal(decided(other, [0, 1, 2]).logits, decided(model, [0, 1, 2]).logits)
