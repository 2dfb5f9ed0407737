"""Modified Kneser-Ney against its formulas in plain dictionaries, against nltk, and by hand."""

import itertools
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
import pytest
import safetensors.numpy
from nltk.lm import KneserNeyInterpolated
from nltk.lm.preprocessing import padded_everygram_pipeline

from regard.errors import ConfigError, DataError, StoreError
from regard.metrics.perplexity import perplexity_statistics
from regard.models.kneser_ney import FALLBACK, KneserNey, estimated_discounts

PAD, START, END, A, B, C, UNSEEN = range(7)
SIZE = 7


def corpus(sentences: int = 60, seed: int = 1) -> list[list[int]]:
    """Sentences of 0 to 6 words, where the next word often is the last one plus 1."""
    random = np.random.default_rng(seed)
    made = []
    for _ in range(sentences):
        words = [int(random.integers(A, UNSEEN))]
        while random.random() < 0.75 and len(words) < 6:
            words.append(
                A + (words[-1] - A + 1) % 3 if random.random() < 0.7 else int(random.integers(A, UNSEEN))
            )
        made.append(words if random.random() < 0.95 else [])
    return made


def model(order: int = 3, *, sentences: Sequence[Sequence[int]] | None = None, discounts=None) -> KneserNey:  # type: ignore[no-untyped-def]
    return KneserNey.fit(
        corpus() if sentences is None else sentences,
        size=SIZE,
        start=START,
        end=END,
        never=[PAD],
        order=order,
        discounts=discounts,
    )


Gram = tuple[int, ...]


class Reference:
    """The formulas, word for word."""

    def __init__(self, sentences: list[list[int]], order: int, size: int) -> None:
        self.size = size
        raw: Counter[Gram] = Counter()
        for sentence in sentences:
            tokens = [START, *sentence, END]
            for length in range(1, order + 1):
                raw.update(tuple(tokens[i : i + length]) for i in range(len(tokens) - length + 1))
        varied = Counter(gram[1:] for gram in raw)
        self.counts: Counter[Gram] = Counter(
            {
                gram: count if len(gram) == order or gram[0] == START else varied[gram]
                for gram, count in raw.items()
                if gram != (START,)
            }
        )
        self.cuts = {}
        for length in range(1, order + 1):
            n = Counter(c for gram, c in self.counts.items() if len(gram) == length)
            y = n[1] / (n[1] + 2 * n[2])
            cuts = [0.0, 1 - 2 * y * n[2] / n[1], 2 - 3 * y * n[3] / n[2], 3 - 4 * y * n[4] / n[3]]
            self.cuts[length] = cuts
        self.after: dict[Gram, list[Gram]] = defaultdict(list)
        for gram in self.counts:
            self.after[gram[:-1]].append(gram)

    def __call__(self, word: int, context: Gram) -> float:
        lower = self(word, context[1:]) if context else 1 / (self.size - 2)
        seen = self.after.get(context)
        if not seen:
            return lower
        total = sum(self.counts[gram] for gram in seen)
        cuts = self.cuts[len(context) + 1]
        own = self.counts[(*context, word)]
        rest = sum(cuts[min(self.counts[gram], 3)] for gram in seen)
        return (own - cuts[min(own, 3)] + rest * lower) / total


def contexts() -> list[Gram]:
    """Seen and unseen ones, of up to three words; the first word of each sentence too."""
    words = [A, B, C, UNSEEN]
    return [gram for length in range(4) for gram in itertools.product(words, repeat=length)]


def test_it_equals_the_formulas() -> None:
    """A text of 60 words, some frequent, some rare, so that the counts of each order tell its discounts."""
    size, random = 63, np.random.default_rng(3)
    sentences = [
        (A + np.minimum(random.geometric(0.08, length), 60) - 1).tolist()
        for length in random.integers(0, 7, 200)
    ]
    theirs = Reference(sentences, 3, size)
    assert all(0 < cut < 3 for cuts in theirs.cuts.values() for cut in cuts[1:])
    ours = KneserNey.fit(sentences, size=size, start=START, end=END, never=[PAD], order=3)
    seen = [sentence[:place] for sentence in sentences[:8] for place in range(len(sentence) + 1)]
    for before in (*seen, [A, 62], [62, A], [62, 61]):
        context = (START, *before)[-2:]
        expected = [0.0 if word in (PAD, START) else theirs(word, context) for word in range(size)]
        np.testing.assert_allclose(ours.next_probabilities(before), expected, rtol=1e-12)


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_probabilities_add_up_to_1(order: int) -> None:
    """After seen and unseen contexts, also where n-grams of that length hardly exist."""
    tiny: list[list[list[int]]] = [[[A]], [[]]]
    for sentences in (corpus(), *tiny):
        ours = model(order, sentences=sentences)
        for before in contexts():
            probabilities = ours.next_probabilities(before)
            assert probabilities.sum() == pytest.approx(1.0, abs=1e-12)
            assert probabilities[[PAD, START]].tolist() == [0.0, 0.0]
            assert probabilities[2:].min() > 0  # also a word that was never seen


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_a_sentence_is_the_product_of_its_words(order: int) -> None:
    ours = model(order)
    for sentence in ([A, B, C, A, UNSEEN, B, C], [C], []):
        steps = [
            ours.next_probabilities(sentence[:place])[word] for place, word in enumerate([*sentence, END])
        ]
        np.testing.assert_allclose(np.exp(ours.log_probabilities(sentence)), steps, rtol=1e-12)


def test_two_sentences_by_hand() -> None:
    """'a b' and 'a c', bigrams, D = 1/2 everywhere.

    Unigrams count what is before them: a 1 (start), b 1, c 1 (a), end 2 (b, c): 5 in all, of which 4 · 1/2 go
    to the 5 words that may be: p(b) = (1 - 1/2) / 5 + (2 / 5) / 5 = 0.18.
    After a: b and c once each, so p(b | a) = (1 - 1/2) / 2 + (1/2) p(b) = 0.34. After the start: only a,
    twice: p(b | start) = (1/2 / 2) p(b) = 0.045.
    """
    ours = model(2, sentences=[[A, B], [A, C]], discounts=[(0.5,) * 3] * 2)
    assert ours.next_probabilities([UNSEEN])[B] == pytest.approx(0.18)
    assert ours.next_probabilities([A])[B] == pytest.approx(0.34)
    assert ours.next_probabilities([])[B] == pytest.approx(0.045)


def test_bigrams_equal_those_of_nltk() -> None:
    """It has one discount, none for unigrams, and a place for one word that it does not know."""
    sentences = [sentence for sentence in corpus() if sentence]
    ours = model(2, sentences=sentences, discounts=[(0.0,) * 3, (0.4,) * 3])
    theirs = KneserNeyInterpolated(2, discount=0.4)
    theirs.fit(*padded_everygram_pipeline(2, [[str(word) for word in row] for row in sentences]))
    for context, name in (([], "<s>"), ([A], str(A)), ([B], str(B)), ([C], str(C))):
        found = ours.next_probabilities(context)
        for word, theirs_name in ((A, str(A)), (B, str(B)), (C, str(C)), (END, "</s>")):
            assert found[word] == pytest.approx(theirs.score(theirs_name, [name]))


def test_more_words_before_help_where_the_text_has_rules() -> None:
    """Perplexity on other sentences of the same kind: trigrams < unigrams < all words alike."""
    held_out = corpus(seed=2)
    texts = [" ".join(map(str, sentence)) for sentence in held_out]

    def perplexity(order: int) -> float:
        ours = model(order)
        return perplexity_statistics([ours.log_probabilities(row).sum() for row in held_out], texts).value()

    assert perplexity(3) < 0.9 * perplexity(1) < SIZE - 2


def test_samples_look_like_the_text() -> None:
    ours, random = model(3), np.random.default_rng(1)
    drawn = [ours.sample(random) for _ in range(400)]
    assert {word for row in drawn for word in row} <= {A, B, C, UNSEEN}
    firsts = Counter(row[0] if row else END for row in drawn)
    for word, probability in enumerate(ours.next_probabilities([])):
        assert firsts[word] / 400 == pytest.approx(probability, abs=5 * (0.25 / 400) ** 0.5)
    assert len(ours.sample(random, limit=1)) <= 1


def test_it_is_kept_as_arrays() -> None:
    ours = model(3)
    stored = safetensors.numpy.load(safetensors.numpy.save(ours.to_arrays()))
    again = KneserNey.from_arrays(stored, "model.safetensors")
    assert (again.order, again.size, again.start, again.end) == (3, SIZE, START, END)
    for before in contexts():
        np.testing.assert_array_equal(again.next_probabilities(before), ours.next_probabilities(before))


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("2.keys", lambda keys: keys[::-1].copy()),
        ("2.keys", lambda keys: keys + 10**6),
        ("2.keys", lambda keys: keys[:-1]),
        ("1.shares", lambda shares: shares.astype(np.float32)),
        ("base", lambda base: base[:2]),
        ("boundaries", lambda ids: ids[:1]),
    ],
)
def test_damaged_arrays_are_refused(name: str, change) -> None:  # type: ignore[no-untyped-def]
    arrays = model(3).to_arrays()
    with pytest.raises(
        StoreError, match=r"m\.safetensors: the (.-grams are|vocabulary of the n-gram model is) damaged"
    ):
        KneserNey.from_arrays(arrays | {name: change(arrays[name])}, "m.safetensors")


def test_other_arrays_are_refused() -> None:
    arrays = model(2).to_arrays()
    with pytest.raises(
        StoreError, match=r"m\.safetensors: expected the arrays of an n-gram model, found weight"
    ):
        KneserNey.from_arrays({"weight": arrays["base"]}, "m.safetensors")
    del arrays["base"]
    with pytest.raises(StoreError, match="expected the arrays of an n-gram model"):
        KneserNey.from_arrays(arrays, "m.safetensors")


def test_discounts_of_too_few_counts_fall_back() -> None:
    """n = 8, 4, 2, 1: Y = 1/2, D = 1 - 1/2, 2 - 3/4, 3 - 1."""
    counts = np.repeat([1, 2, 3, 4], [8, 4, 2, 1])
    assert estimated_discounts(counts) == pytest.approx((0.5, 1.25, 2.0))
    assert estimated_discounts(counts[:12]) == FALLBACK
    assert estimated_discounts(np.repeat([1, 2, 3, 4], [1, 1, 1, 9])) == FALLBACK  # D3 would be below 0


def test_bad_input_is_refused() -> None:
    for sentences, said in (
        ([[A, SIZE]], "expected tokens from 0 to 6, found 1 to 7"),
        ([[A], [START]], "without the start"),
        ([[PAD]], "without the start and without tokens that no text has"),
        ([], "expected sentences to count n-grams in, found none"),
    ):
        with pytest.raises(DataError, match=said):
            model(2, sentences=sentences)
    with pytest.raises(
        ConfigError, match="an order of at least 1, with discounts for each, found 2 and 1 disc"
    ):
        model(2, discounts=[FALLBACK])
