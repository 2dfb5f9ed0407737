"""Laws that hold for every model that says one thing of each word.

A new model joins by a line in tagger_models.py.
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
from tests.contracts.tagger_models import CHARACTERS, OUTPUTS, SOURCE_SIZE, TAGGERS
from torch import Tensor
from torch.testing import assert_close

from regard.config.load import load_recipe
from regard.models.bert_tagger import BertTagger
from regard.models.catalogue import build_model
from regard.nn.dropout import DropoutRng
from regard.nn.trace import Trace
from regard.store.folder import StoredModel, load_weights, read_model, weights_of, write_model
from regard.tasks.tagging.examples import EncodedSentence, make_tags, make_words
from regard.text.symbols import UNK

SENTENCES = [
    EncodedSentence((5, 9, 16, 4, 9), (2, 0, 1, 1, 0), (4, 5, 0, 6, 0, 7, 8, 9, 10, 0, 4, 0, 6, 0)),
    EncodedSentence((6,), (0,), (5, 0)),
    EncodedSentence((8, 8, 12), (1, 2, 2), (6, 6, 0, 6, 6, 0, 9, 4, 0)),
]
IN_PIECES = [
    EncodedSentence((5, 9, 16, 4, 9, 7, 13), (2, 0, 1, 1, 0), pieces=(1, 2, 1, 2, 1)),
    EncodedSentence((6, 5), (0,), pieces=(2,)),
    EncodedSentence((8, 8, 12, 4, 10), (1, 2, 2), pieces=(1, 1, 3)),
]
every_model = pytest.mark.parametrize("name", TAGGERS)


def make(name: str, seed: int = 0) -> Any:
    torch.manual_seed(seed)
    sizes = {"source_size": SOURCE_SIZE, "characters": CHARACTERS, "outputs": OUTPUTS}
    return build_model(TAGGERS[name], **sizes)


def sentences_of(model: Any) -> list[EncodedSentence]:
    return IN_PIECES if isinstance(model, BertTagger) else SENTENCES


def scores(model: Any, rows: list[int], **options: Any) -> Tensor:
    found: Tensor = model(make_words([sentences_of(model)[row] for row in rows]), **options)
    return found


def likelihoods(model: Any, rows: list[int], **options: Any) -> Tensor:
    chosen = [sentences_of(model)[row] for row in rows]
    words, tags = make_words(chosen), make_tags(chosen)
    found: Tensor = model.labelling.log_likelihood(model(words, **options), tags, words.lengths)
    return found


@every_model
def test_padding_and_company_change_nothing(name: str) -> None:
    """Each sentence alone, without padding, gives what it gives in a batch: the same in float64."""
    model = make(name).double()
    together, likely = scores(model, [0, 1, 2]), likelihoods(model, [0, 1, 2])
    lengths = make_words(sentences_of(model)).lengths
    marginals = model.labelling.marginals(together, lengths)
    tags = model.labelling.decode(together, lengths)[0]
    for row, sentence in enumerate(sentences_of(model)):
        alone, count = scores(model, [row]), len(sentence.tags)
        assert_close(together[row, :count], alone[0], rtol=1e-10, atol=1e-12)
        assert_close(likely[row], likelihoods(model, [row])[0], rtol=1e-10, atol=1e-12)
        own = torch.tensor([count])
        assert_close(marginals[row, :count], model.labelling.marginals(alone, own)[0])
        assert torch.equal(tags[row, :count], model.labelling.decode(alone, own)[0][0])


@every_model
def test_looking_changes_nothing(name: str) -> None:
    model = make(name)
    assert_close(scores(model, [0, 1, 2], trace=Trace(model)), scores(model, [0, 1, 2]))


@every_model
def test_an_empty_edit_changes_no_bit(name: str) -> None:
    model = make(name)
    plain = Trace(model)
    seen = scores(model, [0, 1, 2], trace=plain)
    edited = Trace(model, dict.fromkeys(plain.kept, lambda sight: sight.weights))
    assert torch.equal(scores(model, [0, 1, 2], trace=edited), seen)


@every_model
def test_every_attention_is_declared_and_is_a_distribution_over_the_real_words(name: str) -> None:
    model = make(name)
    trace = Trace(model)
    scores(model, [0, 1, 2], trace=trace)
    assert set(trace.kept) == set(model.attentions)
    for path, (sight,) in trace.kept.items():
        for row, sentence in enumerate(sentences_of(model)):
            count = len(sentence.words) + 2 * isinstance(model, BertTagger)  # symbols around them
            real = sight.weights[row, :, :count]
            assert_close(real.sum(-1), torch.ones_like(real[..., 0]))
            assert (real[..., count:] == 0).all(), path


@every_model
def test_an_edit_of_one_example_changes_that_example_alone(name: str) -> None:
    model = make(name)
    only_the_edited_example_changes(model, lambda trace: scores(model, [0, 1, 2], trace=trace))


@every_model
def test_every_parameter_gets_a_gradient(name: str) -> None:
    model = make(name)
    every_parameter_learns_from(-likelihoods(model, [0, 1, 2]).sum(), model)


@every_model
def test_what_grows_with_the_vocabulary_is_named(name: str) -> None:
    model = make(name)
    sizes = {"source_size": SOURCE_SIZE + 2, "characters": CHARACTERS, "outputs": OUTPUTS}
    larger = build_model(TAGGERS[name], **sizes)
    assert these_grow(model, larger) == set(model.source_vocab_params)


@every_model
def test_dropout_is_a_function_of_seed_and_step(name: str) -> None:
    model = make(name)
    dropout_is_a_function_of_seed_and_step(model, lambda rng: likelihoods(model, [0, 1, 2], rng=rng))


def test_hidden_words_teach_the_vector_of_unknown_ones() -> None:
    """Only words are hidden: with dropout of values off, the vector of <unk> alone is new in the gradient."""
    torch.manual_seed(0)
    config = TAGGERS["bilstm-crf"].model_copy(update={"dropout": 0.0, "word_dropout": 0.5})
    model: Any = build_model(config, source_size=SOURCE_SIZE, characters=CHARACTERS, outputs=OUTPUTS)
    rows = model.embedding.weight
    for rng, learned in ((None, False), (DropoutRng(model, seed=1, step=1), True)):
        (gradient,) = torch.autograd.grad(likelihoods(model, [0, 1, 2], rng=rng).sum(), [rows])
        assert bool(gradient[UNK].abs().sum() > 0) == learned


@every_model
def test_one_batch_can_be_learned_by_heart(name: str) -> None:
    model = make(name)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(300):
        optimizer.zero_grad()
        loss = -likelihoods(model, [0, 1, 2]).mean()
        if loss < 0.05:
            break
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    words = make_words(sentences_of(model))
    tags = model.labelling.decode(model(words), words.lengths)[0]
    assert [own[: len(one.tags)] for own, one in zip(tags.tolist(), SENTENCES, strict=True)] == [
        list(one.tags) for one in SENTENCES
    ]
    assert loss < 0.05


@every_model
def test_save_then_load_gives_equal_outputs(name: str, tmp_path: Path) -> None:
    model, other = make(name, seed=1), make(name, seed=2)
    recipe = load_recipe("tagger").model_copy(update={"model": TAGGERS[name]})
    tokenizers = {"joint": "{}", "characters": "[]"}
    write_model(tmp_path / "m", StoredModel(recipe, weights_of(model), tokenizers, labels="{}"))
    stored = read_model(tmp_path / "m")
    assert (stored.recipe.model, stored.tokenizers, stored.labels) == (TAGGERS[name], tokenizers, "{}")
    load_weights(other, stored.weights, "x")
    assert torch.equal(scores(other, [0, 1, 2]), scores(model, [0, 1, 2]))
