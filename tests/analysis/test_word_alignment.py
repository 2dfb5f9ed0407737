"""Word alignments: links, probabilities and words without a link by hand; scores by hand; what is refused."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.analysis.families import TARGET, TEXT, family
from tests.analysis.pairs import PAIRS, PLACED, PLACES, stored, untrained
from tests.contracts.models import ATTENDING

import regard
from regard.analysis.alignment import Aligner, AlignmentOptions, Link, word_alignment
from regard.analysis.alignment_scores import alignment_scores, gold_alignments
from regard.data.alignments import GoldLinks
from regard.errors import RegardError
from regard.insight.record import AttentionRecord, LayerAttention
from regard.insight.token_axis import TokenAxis
from regard.insight.word_links import WordWeights
from regard.store.alignment import AlignmentHeads, Head, store_alignment

CROSS = "decoder.0.cross"
WEIGHTS = [
    [0.6, 0.3, 0.0, 0.1],
    [0.2, 0.4, 0.1, 0.3],
    [0.1, 0.1, 0.1, 0.7],
    [0.0, 0.0, 0.0, 1.0],
]
"""Rows x, y, ! and </s>; columns a, b, c and </s>."""


def record(weights: object = WEIGHTS, **changes: Any) -> AttentionRecord:
    """`a b c` to `x y!`, a token a word."""
    source = TokenAxis("a b c", ("a", "b", "c"), ((0, 1), (2, 3), (4, 5)))
    target = TokenAxis("x y!", ("x", "y", "!"), ((0, 1), (2, 3), (3, 4)))
    looked = LayerAttention(CROSS, "cross", np.array(weights, dtype=np.float32), 0)
    return AttentionRecord(source, target, (looked,), **changes)


def lines(found: regard.WordAlignment) -> tuple[str, str]:
    return found.to_pharaoh(), found.to_pharaoh(soft=True, null=True)


def test_links_by_hand() -> None:
    """Each target word and its best source word, </s> apart; ! looks at </s> most of all."""
    found = word_alignment("a b c", "x y!", record(), AlignmentOptions())
    assert found.pairs == {(0, 0), (1, 1), (0, 2)}
    assert lines(found) == ("0-0 0-2 1-1", "0-0:0.6000 0-2:0.1000 1-1:0.4000")
    assert (found.source_words, found.target_words) == (("a", "b", "c"), ("x", "y", "!"))


def test_a_threshold_and_words_without_a_link() -> None:
    found = word_alignment("a b c", "x y!", record(), AlignmentOptions(threshold=0.3))
    assert lines(found) == ("0-0 1-0 1-1", "0-0:0.6000 1-0:0.3000 1-1:0.4000 NULL-2:0.7000")
    assert found.to_dict(null=True)["links"][-1] == [None, 2, 0.7]


def test_words_between_spaces() -> None:
    """y! is one word: the mean of its two rows, (0.15, 0.25, 0.1)."""
    found = word_alignment("a b c", "x y!", record(), AlignmentOptions("eojeol"))
    assert lines(found) == ("0-0 1-1", "0-0:0.6000 1-1:0.2500")
    assert found.target_words == ("x", "y!")


def test_the_chosen_heads_and_rows() -> None:
    """Of two heads the second alone, each token in the row after its own."""
    flat = np.full((4, 4), 0.25)
    heads = AlignmentHeads((Head(CROSS, 1),), shift=1)
    chosen = record([flat, WEIGHTS], heads=heads)
    found = word_alignment("a b c", "x y!", chosen, AlignmentOptions())
    assert found.to_pharaoh(soft=True) == "0-1:0.1000 0-2:0.0000 1-0:0.4000"
    mean = word_alignment("a b c", "x y!", record([flat, WEIGHTS]), AlignmentOptions())
    assert mean.to_pharaoh(soft=True).startswith("0-0:0.4250")


def test_two_directions() -> None:
    """The other model reads `x y!` and writes `a b c`: a links x, b links !, c links y."""
    back = [[0.7, 0.1, 0.1, 0.1], [0.1, 0.2, 0.6, 0.1], [0.2, 0.5, 0.2, 0.1], [0.0, 0.0, 0.0, 1.0]]
    turned = record(back)
    turned = replace(turned, source=record().target, target=record().source)
    for how, expected in (
        ("intersection", "0-0:0.6500"),
        ("union", "0-0:0.6500 0-2:0.1000 1-1:0.3000 1-2:0.3500 2-1:0.3000"),
    ):
        found = word_alignment("a b c", "x y!", record(), AlignmentOptions(symmetrize=how), turned)  # type: ignore[arg-type]
        assert found.to_pharaoh(soft=True) == expected


@pytest.mark.parametrize("unit", ["words", "tokens"])
@pytest.mark.parametrize("heads", [None, ((1, 2), (0, 0))])
def test_weights_are_those_of_the_record(unit: Any, heads: Any) -> None:
    model = untrained()
    if heads:
        model.alignment_heads = AlignmentHeads(
            tuple(Head(f"decoder.{layer}.cross", head) for layer, head in heads), -1
        )
    for read in model.read_pairs(PAIRS, PLACES):
        own, shown = WordWeights.of(read, unit), read.words(unit)
        assert own.rows == shown.rows[:-1]
        assert own.weights == pytest.approx(shown.weights[:-1, :-1], abs=1e-6)
        assert own.ends == pytest.approx(shown.weights[:-1, -1], abs=1e-6)


def test_scores_by_hand() -> None:
    """Two pairs with gold. A: 3 + 2 links, in S 2 + 1, in P 3 + 1, S: 2 + 2."""
    links = [frozenset({(0, 0), (1, 1), (0, 2)}), frozenset({(0, 0), (1, 0)}), frozenset({(5, 5)})]
    found = [regard.WordAlignment("", "", tuple(Link(i, j, 1.0) for i, j in own)) for own in links]
    gold = [
        GoldLinks(frozenset({(0, 0), (1, 1)}), frozenset({(0, 0), (1, 1), (0, 2)}), "word"),
        GoldLinks(frozenset({(0, 0), (0, 1)}), frozenset({(0, 0), (0, 1)}), "word"),
        None,
    ]
    scores = alignment_scores(found, gold, samples=200)
    assert scores.rows == 2
    precision, recall = 4 / 5, 3 / 4
    assert scores.metrics == pytest.approx(
        {
            "aer": 1 - (3 + 4) / (5 + 4),
            "alignment_precision": precision,
            "alignment_recall": recall,
            "alignment_f1": 2 * precision * recall / (precision + recall),
        }
    )
    low, high = scores.intervals["aer"]
    assert low == pytest.approx(1 - 5 / 5)  # the first pair twice
    assert high == pytest.approx(1 - 2 / 4)  # the second


def test_gold_decides_what_is_counted() -> None:
    aligner = Aligner(untrained(), AlignmentOptions())
    none: frozenset[tuple[int, int]] = frozenset()
    gold = [GoldLinks(none, none, "token"), GoldLinks(none, none, "word"), None, None]
    units = [own.unit for own in gold_alignments(aligner, PLACED, gold, quiet=True)]
    assert units == ["eojeol", "words", "words", "words"]


def test_from_python(tmp_path: Path) -> None:
    """Folders and models; an empty pair has an empty alignment; a stored choice is used."""
    model = untrained()
    folder = stored(model, tmp_path / "m")
    pairs = [*PAIRS, ("", ""), ("나는", "")]
    found = regard.align(folder, pairs)
    assert [one.to_pharaoh() for one in found] == [one.to_pharaoh() for one in regard.align(model, pairs)]
    assert [one.to_pharaoh() for one in found[-2:]] == ["", ""]
    for one, looked in zip(found, model.force(PAIRS), strict=False):
        best = looked.attention.words().weights[:-1, :-1].argmax(axis=1)
        assert one.pairs == {(int(source), target) for target, source in enumerate(best)}
    store_alignment(folder, AlignmentHeads((Head("decoder.1.cross", 2),), -1))
    (chosen, *_), (looked, *_) = regard.align(folder, PAIRS), model.force(PAIRS)
    rows = looked.attention.words("tokens", "decoder.1.cross", head=2).weights
    assert regard.load(folder).look(*PAIRS[0]).attention.tokens().weights == pytest.approx(
        np.concatenate([rows[:1], rows[:-1]])
    )
    assert chosen.to_pharaoh() != found[0].to_pharaoh()


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"reverse": untrained()}, "reverse: expected a model en→ko, found ko→en"),
        ({"symmetrize": "union"}, "symmetrize needs two directions"),
        (
            {"reverse": untrained("en", "ko"), "symmetrize": "grow-diag"},
            "unknown symmetrization 'grow-diag'; did you mean 'grow-diag-final-and'?",
        ),
        ({"reverse": untrained("en", "ko"), "unit": "letters"}, "unknown unit 'letters'"),
        ({"threshold": 1.5}, "threshold: expected a weight above 0 and up to 1, found 1.5"),
    ],
)
def test_what_cannot_be_aligned_is_refused(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(RegardError, match=problem):
        regard.align(untrained(), PAIRS, **options)


def test_a_model_without_attention_is_refused() -> None:
    silent = family("translation:plain").model
    with pytest.raises(RegardError, match="has no attention over the source, and its words cannot be align"):
        regard.align(silent, PAIRS)


def test_the_union_of_two_directions_links_every_word() -> None:
    both = regard.align(untrained(), PAIRS, reverse=untrained("en", "ko", 18), symmetrize="union")
    for one, (source, target) in zip(both, PAIRS, strict=True):
        assert {j for _, j in one.pairs} == set(range(len(target.split()) + 1)), source
        assert {i for i, _ in one.pairs} == set(range(len(source.split()) + 1))


@pytest.mark.parametrize("name", ATTENDING)
def test_every_family_aligns_as_its_record_has_it(name: str) -> None:
    model = family(f"translation:{name}").model
    (found,) = regard.align(model, [(TEXT, TARGET)])
    best = model.look(TEXT, TARGET).attention.words().weights[:-1, :-1].argmax(axis=1)
    assert found.pairs == {(int(source), target) for target, source in enumerate(best)}
