"""Which heads align best: heads known by construction, agreement by plain sets, what is kept and refused."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from tests.analysis.pairs import PAIRS, PLACED, PLACES, stored, untrained

import regard
from regard.analysis.head_search import find_heads
from regard.data.alignments import GoldLinks
from regard.errors import RegardError
from regard.inference.attention import heads_in
from regard.store.alignment import SHIFTS, AlignmentHeads, Head, forget_alignment, store_alignment
from regard.tasks.translation.predictor import Translator

Sets = list[set[tuple[int, int]]]


def links_of(model: Translator, pairs: list[tuple[str, str]], head: Head, shift: int) -> Sets:
    """(source, target) by the largest weight of one head; a token in row t + shift, or its own at an end."""
    found = []
    for looked in model.force(pairs):
        weights = looked.attention.words("tokens", head.path, head=head.head).weights
        rows = [t + shift if 0 <= t + shift < len(weights) else t for t in range(len(weights))]
        best = weights[rows][:-1, :-1].argmax(axis=1)
        found.append({(int(source), target) for target, source in enumerate(best)})
    return found


def every(model: Translator) -> list[tuple[Head, int]]:
    return [
        (head, shift) for shift in SHIFTS for head in heads_in(model.module, model.network.cross_attention)
    ]


@pytest.mark.parametrize(("layer", "number", "shift"), [(0, 1, 0), (1, 2, 1), (1, 0, -1)])
def test_the_head_that_gold_was_read_from_is_found(layer: int, number: int, shift: int) -> None:
    """The words are single tokens, so these are the links of the very head: its error is 0."""
    model, head = untrained(), Head(f"decoder.{layer}.cross", number)
    sets = [frozenset(own) for own in links_of(model, PAIRS, head, shift)]
    gold = [GoldLinks(own, own, "word") for own in sets]
    found = find_heads(model, PLACED, gold=gold)
    assert found.best == AlignmentHeads((head,), shift)
    assert found.best.chosen == {"by": "aer", "score": 0.0, "mean": round(found.before, 6), "rows": 4}
    assert found.before > 0.1
    assert len([one for one in found.candidates if one.score == 0.0]) == 1
    scores = {one.heads: one.score for one in found.candidates}
    for other, by in every(model):  # the same count for links and gold: 1 - 2 |A ∩ S| / (2 |A|)
        own = links_of(model, PAIRS, other, by)
        right = sum(len(a & b) for a, b in zip(own, sets, strict=True))
        assert scores[AlignmentHeads((other,), by)] == pytest.approx(1 - right / sum(map(len, sets)))


def test_heads_are_added_one_by_one_as_long_as_that_helps() -> None:
    """Gold is what the mean of three heads links; selected again with plain arrays."""
    model = untrained()
    heads = heads_in(model.module, model.network.cross_attention)
    maps = {
        head: [
            looked.attention.words("tokens", head.path, head=head.head).weights
            for looked in model.force(PAIRS)
        ]
        for head in heads
    }

    def links(chosen: Sequence[Head]) -> Sets:
        means = [np.mean(own, axis=0)[:-1, :-1] for own in zip(*(maps[head] for head in chosen), strict=True)]
        return [{(int(s), t) for t, s in enumerate(mean.argmax(axis=1))} for mean in means]

    sets = links([heads[1], heads[4], heads[5]])

    def error(chosen: Sequence[Head]) -> float:
        right = sum(len(a & b) for a, b in zip(links(chosen), sets, strict=True))
        return 1 - right / sum(map(len, sets))

    gold = [GoldLinks(frozenset(own), frozenset(own), "word") for own in sets]
    found = find_heads(model, PLACED, gold=gold)
    scores = {frozenset(one.heads.heads): one.score for one in found.candidates if one.heads.shift == 0}
    best: list[Head] = []
    while True:
        tried = {head: error([*best, head]) for head in heads if head not in best}
        for head, expected in tried.items():
            assert scores[frozenset([*best, head])] == pytest.approx(expected)
        least = min(tried, key=lambda head: tried[head])
        if best and tried[least] >= error(best):
            break
        best.append(least)
    assert len(best) > 1
    assert found.best.heads == tuple(head for head in heads if head in best)
    assert found.candidates[0].score == pytest.approx(error(best))


def test_agreement_needs_no_gold() -> None:
    model, reverse = untrained(), untrained("en", "ko", seed=18)
    turned = [(target, source) for source, target in PAIRS]
    back = [
        [{(first, second) for second, first in own} for own in links_of(reverse, turned, *one)]
        for one in every(reverse)
    ]
    table = np.array(
        [
            [
                2 * sum(len(a & b) for a, b in zip(forward, own, strict=True))
                / sum(len(a) + len(b) for a, b in zip(forward, own, strict=True))
                for own in back
            ]
            for forward in (links_of(model, PAIRS, *one) for one in every(model))
        ]
    )  # fmt: skip
    found = find_heads(model, PLACED, reverse=reverse)
    scores = {one.heads: one.score for one in found.candidates}
    column = table.max(axis=0).argmax()
    for (head, shift), expected in zip(every(model), table[:, column], strict=True):
        assert scores[AlignmentHeads((head,), shift)] == pytest.approx(expected)
    assert found.by == "agreement"
    assert found.candidates[0].score >= table[:, column].max() - 1e-9


def test_nothing_to_search_by_is_refused() -> None:
    with pytest.raises(RegardError, match="expected gold alignments, or a model in the opposite direction"):
        find_heads(untrained(), PLACED)
    with pytest.raises(RegardError, match="reverse: expected a model en→ko, found ko→en"):
        find_heads(untrained(), PLACED, reverse=untrained())


def test_a_choice_is_kept_and_forgotten(tmp_path: Path) -> None:
    """It changes what the record shows, and what is read to align; without it all is as before."""
    folder = stored(untrained(), tmp_path / "m")
    before = regard.load(folder, task="translation").look(*PAIRS[0]).attention.words()
    heads = AlignmentHeads((Head("decoder.1.cross", 1), Head("decoder.1.cross", 2)), 0, {"by": "aer"})
    store_alignment(folder, heads)
    model = regard.load(folder, task="translation")
    assert (model.alignment_heads, model.aligning_paths) == (heads, ("decoder.1.cross",))
    (read, *_) = model.read_pairs(PAIRS, PLACES)
    assert read.paths == ("decoder.1.cross",)
    looked = model.look(*PAIRS[0]).attention
    assert looked.words().weights == pytest.approx(
        (looked.words(layer=1, head=1).weights + looked.words(layer=1, head=2).weights) / 2
    )
    assert looked.words().chosen == "mean of decoder.1.cross head 1, decoder.1.cross head 2"
    assert not np.allclose(looked.words().weights, before.weights)
    assert forget_alignment(folder)
    assert not forget_alignment(folder)
    assert regard.load(folder).look(*PAIRS[0]).attention.words().weights == pytest.approx(before.weights)


@pytest.mark.parametrize(
    ("heads", "problem"),
    [
        (AlignmentHeads((Head("decoder.7.cross", 0),)), "names decoder.7.cross head 0, which this model"),
        (AlignmentHeads((Head("decoder.0.cross", 3),)), "names decoder.0.cross head 3, which this model"),
        (AlignmentHeads(()), "damaged; `regard align .* --forget-heads` removes it"),
    ],
)
def test_a_choice_that_cannot_be_is_told(tmp_path: Path, heads: AlignmentHeads, problem: str) -> None:
    folder = stored(untrained(), tmp_path / "m")
    store_alignment(folder, heads)
    with pytest.raises(RegardError, match=problem):
        regard.load(folder)
    assert forget_alignment(folder)
    regard.load(folder)
