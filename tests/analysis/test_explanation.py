"""Explanation tests: each part beside what the model itself says, and a verdict by its rule."""

import math
from typing import Any

import numpy as np
import pytest
import torch
from tests.contracts.sentence_models import SENTENCE_MODELS, texts_of
from torch.testing import assert_close

import regard
from regard.analysis.estimate import Estimate
from regard.analysis.explanation import explanation_tests
from regard.analysis.frozen_attention import frozen_accuracy
from regard.analysis.reruns import AttentionRerun, swapped_paths
from regard.analysis.swaps import adversarial_divergence, mean_divergence, permuted, uniform
from regard.analysis.verdict import NOT_WORTH, OPEN, WORTH, verdict_of
from regard.analysis.word_tests import (
    erased,
    erasure,
    gradients,
    leave_one_out,
    outputs_of,
    rationale_counts,
    words_of,
)
from regard.data.labelled import LabelledText
from regard.errors import DataError
from regard.metrics.bootstrap import Interval
from regard.models.catalogue import build_classifier
from regard.tasks.classification.predictor import Classifier

TEXTS = ["이 책은 아주 좋다.", "그 영화는 재미없다.", "그 학생이 어제 읽은 책은 재미있지 않았다."]
SWAPPED = [name for name in SENTENCE_MODELS if "lstmn" not in name and not name.endswith(
    ("bag-mean", "max", "bilstm-mean", "bilstm-last", "backwards-last", "matching"))]  # fmt: skip


def family(name: str, classifier: Classifier) -> Classifier:
    """A tiny model of a family, untrained, with the words of a trained one."""
    torch.manual_seed(3)
    texts = texts_of(name)
    sizes = {"source_size": len(classifier.tokenizer), "outputs": 2, "texts": texts}
    data = classifier.recipe.data.model_copy(update={"second": "other" if texts == 2 else None})
    recipe = classifier.recipe.model_copy(update={"data": data})
    module = build_classifier(SENTENCE_MODELS[name], **sizes)
    return Classifier(module, tokenizer=classifier.tokenizer, said=classifier.answer.said, recipe=recipe)  # type: ignore[arg-type]


def rows_of(model: Classifier) -> list[Any]:
    rows = [(text, TEXTS[0])[: 1 + model.reads_pairs] for text in TEXTS]
    return [one.ids for one in model.encode(rows)]


@pytest.mark.parametrize("name", SWAPPED)
def test_a_rerun_with_its_own_weights_is_the_model(name: str, classifier: Classifier) -> None:
    model = family(name, classifier)
    rows = rows_of(model)
    rerun = AttentionRerun.of(model, rows)
    whole = outputs_of(model, rows)
    with torch.no_grad():
        assert_close(rerun.run(rerun.weights), whole, rtol=1e-4, atol=1e-6)
        twice = {path: own.repeat(2, *[1] * (own.dim() - 1)) for path, own in rerun.weights.items()}
        assert_close(rerun.run(twice, 2), whole.repeat(2, 1), rtol=1e-4, atol=1e-6)
        rng = torch.Generator().manual_seed(1)
        for changed in (uniform(rerun), permuted(rerun, 1, rng)):
            for path, own in changed.items():
                assert_close(own.sum(-1), rerun.weights[path].sum(-1))
                assert (own[~rerun.allowed[path]] == 0).all()
        for path, own in permuted(rerun, 1, rng).items():
            assert_close(own.sort(-1).values, rerun.weights[path].sort(-1).values)


def test_a_model_whose_attention_cannot_be_swapped_is_refused(classifier: Classifier) -> None:
    with pytest.raises(DataError, match="memory attention alone"):
        swapped_paths(family("lstmn-last", classifier))


@pytest.mark.parametrize("name", ["bag-attention", "bert-first"])
def test_an_adversary_is_within_epsilon_and_below_ln_2(name: str, classifier: Classifier) -> None:
    model = family(name, classifier)
    rerun = AttentionRerun.of(model, rows_of(model))
    with torch.no_grad():
        before = rerun.run(rerun.weights)
    rng = torch.Generator().manual_seed(1)
    found = adversarial_divergence(rerun, before, rng, several=False, starts=2, steps=30)
    assert ((found > 0.05) & (found <= math.log(2) + 1e-9)).all()
    none = adversarial_divergence(rerun, before, rng, several=False, epsilon=-1.0, starts=1, steps=2)
    assert (none == 0).all()


def test_the_divergence_of_rows_is_a_mean() -> None:
    one = torch.tensor([[[1.0, 0.0], [0.5, 0.5]]])
    other = torch.tensor([[[0.0, 1.0], [0.5, 0.5]]])
    assert_close(mean_divergence([(one, other)]), torch.tensor([math.log(2) / 2], dtype=torch.float64))


def words(model: Classifier) -> Any:
    encoded = model.encode([(text,) for text in TEXTS])
    return [words_of(one, own.attention) for one, own in zip(encoded, model.results(encoded), strict=True)]


def test_leaving_a_word_out_is_removing_it(classifier: Classifier) -> None:
    texts = words(classifier)
    before = outputs_of(classifier, [text.encoded.ids for text in texts])
    found = leave_one_out(classifier, texts, before)
    effect = classifier.classify(TEXTS[2], edit=regard.remove(3))
    change = abs(effect.after.probabilities["positive"] - effect.before.probabilities["positive"])
    assert found[2][3] == pytest.approx(change, abs=1e-6)
    orders = [np.arange(len(text.tokens)) for text in texts]
    lost = erasure(classifier, texts, orders, before).curve
    assert [share for share, _, _ in lost] == [0.01, 0.05, 0.1, 0.2, 0.5]
    assert [erased(10, share) for share, _, _ in lost] == [1, 1, 1, 2, 5]
    assert erased(2, 0.99) == 1


def test_gradients_are_what_scaling_a_word_changes(classifier: Classifier) -> None:
    """e · ∂z/∂e is dz/ds of the vector s e at s = 1."""
    (text,) = [own for own in words(classifier) if own.encoded.texts[0] == TEXTS[0]]
    ids = text.encoded.ids
    word = 2
    tokens = [int(ids[0][token]) for token in text.tokens[word]]
    table = classifier.module.get_parameter("embedding.weight")
    kept = table.detach().clone()
    odds = []
    try:
        for scale in (0.99, 1.01):
            with torch.no_grad():
                table[tokens] = kept[tokens] * scale
            logits = np.sort(classifier.logits([ids])[0])
            odds.append(logits[1] - logits[0])
    finally:
        with torch.no_grad():
            table.copy_(kept)
    (found,) = gradients(classifier, [text])
    assert found[word] == pytest.approx(abs(odds[1] - odds[0]) / 0.02, rel=0.02)


def test_the_rationale_is_counted_among_as_many_words(classifier: Classifier) -> None:
    (text, *_) = words(classifier)
    best = int(text.attention.argmax())
    assert rationale_counts([text], [frozenset([best])]).tolist() == [[1, 1, len(text.attention)]]


def test_frozen_attention_helps_where_it_points_at_the_word() -> None:
    """One token of many tells the label; only who is told which one can know."""
    rng = torch.Generator().manual_seed(0)
    labels = torch.arange(80) % 2
    vectors = [torch.randn(30, 4, generator=rng) for _ in labels]
    for one, label in zip(vectors, labels, strict=True):
        one[7] = torch.tensor([3.0, -3.0, 0.0, 0.0]) * (2 * label - 1)
    pointing, even = torch.zeros(30), torch.full((30,), 1 / 30)
    pointing[7] = 1.0
    knows = frozen_accuracy(vectors, [pointing] * 80, labels, seed=1)
    guesses = frozen_accuracy(vectors, [even] * 80, labels, seed=1)
    assert knows.float().mean() == 1.0
    assert guesses.float().mean() < 0.95


def estimate(low: float, high: float) -> Estimate:
    return Estimate((low + high) / 2, Interval(low, high), 100)


@pytest.mark.parametrize(
    ("permutation", "gain", "tau", "verdict"),
    [
        ((0.05, 0.06), (0.1, 0.2), (0.1, 0.3), WORTH),
        ((0.001, 0.01), (0.1, 0.2), (0.1, 0.3), NOT_WORTH),
        ((0.05, 0.06), (-0.2, 0.0), (0.1, 0.3), NOT_WORTH),
        ((0.05, 0.06), (0.1, 0.2), (-0.2, 0.0), NOT_WORTH),
        ((0.005, 0.02), (0.1, 0.2), (0.1, 0.3), OPEN),
        ((0.05, 0.06), (0.1, 0.2), (-0.1, 0.1), OPEN),
    ],
)
def test_the_verdict_follows_its_rule(permutation: Any, gain: Any, tau: Any, verdict: str) -> None:
    found = {
        "permutation": estimate(*permutation),
        "comprehensiveness_gain": estimate(*gain),
        "tau_leave_one_out": estimate(*tau),
    }
    assert verdict_of(found, 100).text == verdict
    assert verdict_of(found, 29).text.startswith(OPEN)
    assert verdict_of({}, 100).text == OPEN


def test_tests_without_labels_still_run(classifier: Classifier) -> None:
    rows = [LabelledText(text, "", "a:1") for text in TEXTS]
    found = explanation_tests(classifier, rows, permutations=5)
    assert found.texts == 3
    assert {"uniform", "permutation", "tau_gradient", "comprehensiveness"} <= found.estimates.keys()
    assert not {"accuracy", "frozen_gain", "rationale_gain"} & found.estimates.keys()
    assert "no labels" in found.missing["labels"]


def test_a_model_beside_itself_has_the_same_attention(classifier: Classifier) -> None:
    rows = [LabelledText(text, "positive", "a:1") for text in TEXTS]
    found = explanation_tests(classifier, rows, permutations=2, seeds=[classifier])
    assert found.estimates["seed_divergence"].value == pytest.approx(0, abs=1e-9)
    assert found.estimates["seed_output_change"].value == pytest.approx(0, abs=1e-6)
