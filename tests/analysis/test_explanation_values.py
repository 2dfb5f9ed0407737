"""The numbers of the explanation tests are those of edits by hand, and of attention put in by hand."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from tests.analysis.families import SECOND, TEXT, Family, family

import regard
from regard.analysis import explanation
from regard.analysis.explanation import ExplanationTests, explanation_tests
from regard.analysis.reruns import AttentionRerun
from regard.analysis.swaps import permutation_changes
from regard.analysis.word_tests import SHARES
from regard.data.labelled import LabelledText
from regard.insight.maps import Weights
from regard.metrics.bootstrap import SEED

TEXTS = [TEXT, SECOND, "책은 길다", "그 책은 아주 길다 이 책은 아주 좋다"]
NEAR = 1e-6


@pytest.fixture(scope="module")
def own() -> Family:
    return family("label:self-attentive")


@pytest.fixture(scope="module")
def found(own: Family) -> ExplanationTests:
    return explanation_tests(own.model, rows(TEXTS), permutations=7)


def rows(texts: list[str], labels: tuple[str, ...] = ("good",)) -> list[LabelledText]:
    return [LabelledText(text, labels[n % len(labels)], f"a:{n}") for n, text in enumerate(texts)]


def value(found: ExplanationTests, name: str) -> float:
    return found.estimates[name].value


def attention(model: Any, text: str) -> np.ndarray:
    """Of each word, the mean of all hops."""
    mean: np.ndarray = model.classify(text).attention.words(specials=False).weights.mean(axis=0)
    return mean


def lost(model: Any, text: str, gone: list[int]) -> float:
    """What the probability of the label loses without some words."""
    effect = model.classify(text, edit=[regard.remove(word) for word in gone])
    label = effect.before.label
    return float(effect.before.probabilities[label] - effect.after.probabilities[label])


def erasures(model: Any, orders: list[list[int]]) -> tuple[float, float]:
    """Comprehensiveness and sufficiency, text by text and share by share."""
    without, alone = [], []
    for text, order in zip(TEXTS, orders, strict=True):
        for share in SHARES:
            count = min(len(order) - 1, max(1, math.ceil(share * len(order))))
            without.append(lost(model, text, order[:count]))
            alone.append(lost(model, text, order[count:]))
    return float(np.mean(without)), float(np.mean(alone))


def test_comprehensiveness_and_sufficiency_are_edits_by_hand(own: Family, found: ExplanationTests) -> None:
    attended = [np.argsort(-attention(own.model, text)).tolist() for text in TEXTS]
    rng = np.random.default_rng(SEED)
    at_random = [rng.permutation(len(order)).tolist() for order in attended]
    assert attended != at_random
    first, second = erasures(own.model, attended), erasures(own.model, at_random)
    assert value(found, "comprehensiveness") == pytest.approx(first[0], abs=NEAR)
    assert value(found, "sufficiency") == pytest.approx(first[1], abs=NEAR)
    assert value(found, "random_comprehensiveness") == pytest.approx(second[0], abs=NEAR)
    assert value(found, "random_sufficiency") == pytest.approx(second[1], abs=NEAR)
    assert abs(first[0] - second[0]) > 1e-4
    assert abs(first[1] - second[1]) > 1e-4
    # More is lost without the words that matter, and less with these alone.
    assert value(found, "comprehensiveness_gain") == pytest.approx(first[0] - second[0], abs=NEAR)
    assert value(found, "sufficiency_gain") == pytest.approx(second[1] - first[1], abs=NEAR)


def put_in(model: Any, text: str, change: Callable[[Weights], Weights]) -> float:
    """The TVD of the output where the weights of all hops are changed."""
    record = model.classify(text).attention
    looks = tuple(replace(look, weights=change(look.weights)) for look in record.attentions)
    effect = model.classify(text, edit=regard.transplant(replace(record, attentions=looks), kind="hops"))
    before, after = effect.before.probabilities, effect.after.probabilities
    return float(sum(abs(before[label] - after[label]) for label in before)) / 2


def test_uniform_attention_is_put_in_by_hand(own: Family, found: ExplanationTests) -> None:
    changes = [put_in(own.model, text, lambda own: np.full_like(own, 1 / own.shape[-1])) for text in TEXTS]
    assert value(found, "uniform") == pytest.approx(np.mean(changes), abs=NEAR)
    assert np.mean(changes) > 1e-4


def test_two_words_have_two_orders(own: Family) -> None:
    """The one that is there, and the other: of all hops alike."""
    text = "책은 길다"
    swapped = put_in(own.model, text, lambda own: own[..., ::-1])
    assert swapped > 1e-3
    rerun = AttentionRerun.of(own.model, [one.ids for one in own.model.encode([(text,)])])
    before = rerun.run(rerun.weights)
    changes = permutation_changes(rerun, before, torch.Generator().manual_seed(SEED), several=False, count=9)
    moved = changes[:, 0] > swapped / 2
    assert 0 < int(moved.sum()) < 9
    assert changes[moved, 0].tolist() == pytest.approx([swapped] * int(moved.sum()), abs=NEAR)
    assert changes[~moved, 0].tolist() == pytest.approx([0.0] * int((~moved).sum()), abs=NEAR)
    for epsilon in (swapped / 2, swapped * 2):
        found = explanation_tests(own.model, rows([text]), permutations=9, epsilon=epsilon)
        median = swapped if int(moved.sum()) > 4 else 0.0
        assert value(found, "permutation") == pytest.approx(median, abs=NEAR)
        assert value(found, "permutation_within_epsilon") == (median <= epsilon)


def test_a_network_without_context_is_given_this_attention_and_then_none(
    own: Family, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [*TEXTS * 5, TEXT]
    given: list[tuple[list[torch.Tensor], list[torch.Tensor], list[int]]] = []

    def accuracy(vectors: Any, attentions: Any, labels: torch.Tensor, *, seed: int) -> torch.Tensor:
        given.append((list(vectors), list(attentions), labels.tolist()))
        return torch.arange(len(labels)) < (14 if len(given) == 1 else 7)

    monkeypatch.setattr(explanation, "frozen_accuracy", accuracy)
    found = explanation_tests(own.model, rows(texts, ("good", "bad")), permutations=1)
    assert value(found, "frozen_accuracy") == pytest.approx(14 / 21)
    assert value(found, "frozen_uniform_accuracy") == pytest.approx(7 / 21)
    assert value(found, "frozen_gain") == pytest.approx(7 / 21)
    (vectors, weights, labels), (same, even, _) = given
    assert labels == [own.model.labels.index(("good", "bad")[n % 2]) for n in range(21)]
    table = own.model.module.get_parameter(own.model.network.source_vocab_params[0])
    for n, text in enumerate(texts):
        assert weights[n].numpy() == pytest.approx(attention(own.model, text), abs=NEAR)
        assert even[n].tolist() == pytest.approx([1 / len(weights[n])] * len(weights[n]))
        ids = list(own.model.tokenizer.encode(text).ids)
        one, other = (torch.nn.functional.normalize(x.double(), dim=-1) for x in (vectors[n], table[ids]))
        assert torch.allclose(one, other)
        assert torch.equal(vectors[n], same[n])
    assert float(torch.cat(vectors).std()) == pytest.approx(1.0)
