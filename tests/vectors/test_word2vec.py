"""Word2Vec: what shares its contexts is near, and a seed gives the same bits."""

import importlib.util
import logging
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from gensim.models.word2vec import Word2Vec

from regard.config.vectors import Word2VecConfig
from regard.errors import DataError, MissingExtraError
from regard.vectors.files import WordVectors
from regard.vectors.word2vec import learn_vectors

PLACES, FOODS = ["학교에", "병원에"], ["사과를", "포도를"]


def corpus() -> list[list[str]]:
    """Places are gone to, foods are eaten; who does it, and when, tells nothing."""
    rng = np.random.default_rng(3)
    people, times = [f"사람{n}" for n in range(8)], [f"때{n}" for n in range(8)]
    return [
        [rng.choice(people), rng.choice(times), rng.choice(words), verb, end]
        for _ in range(400)
        for words, verb, end in ((PLACES, "갔다", "!"), (FOODS, "먹었다", "."))
    ]


CONFIG = Word2VecConfig(window=2, epochs=10, sample=0.0)


def learn(sentences: list[list[str]], config: Word2VecConfig = CONFIG, seed: int = 1) -> WordVectors:
    return learn_vectors(sentences, config, size=12, seed=seed, name="text", quiet=True)


@pytest.mark.parametrize("method", ["skip_gram", "cbow"])
def test_words_that_share_contexts_are_near(method: str) -> None:
    vectors = learn(corpus(), CONFIG.model_copy(update={"method": method}))
    for one, other in (PLACES, FOODS):
        others = [each.word for each in vectors.similar([one], n_best=99) if each.word in PLACES + FOODS]
        assert others[0] == other


def test_a_seed_gives_the_same_bits() -> None:
    first, again, other = learn(corpus()), learn(corpus()), learn(corpus(), seed=2)
    assert first.words == again.words == other.words
    assert first.matrix.tobytes() == again.matrix.tobytes() != other.matrix.tobytes()


def test_the_same_as_gensim_alone() -> None:
    """Counting, and going through the text, are ours; what is learned from it is gensim's own."""
    sentences = corpus()
    ours = learn(sentences)
    theirs = Word2Vec(
        vector_size=12, window=2, min_count=2, sample=0.0, sg=1, workers=1, seed=1, sorted_vocab=0
    )
    counts = {word: sum(sentence.count(word) for sentence in sentences) for word in ours.words}
    theirs.build_vocab_from_freq(counts, corpus_count=len(sentences))
    theirs.train(sentences, total_examples=len(sentences), epochs=10)
    assert theirs.wv.index_to_key == list(ours.words)
    np.testing.assert_array_equal(ours.matrix, theirs.wv.vectors)
    expected = theirs.wv.most_similar("학교에", topn=5)
    assert [each.word for each in ours.similar(["학교에"], n_best=5)] == [word for word, _ in expected]


def test_frequent_words_first_equal_ones_by_the_alphabet() -> None:
    found = learn([["b", "c", "a", "c"], ["rare", "a", "b", "c"]])
    assert found.words == ("c", "a", "b")
    assert found.matrix.shape == (3, 12)


def test_a_long_sentence_is_not_cut_off() -> None:
    """gensim alone learns nothing of what comes after 10,000 words, so that their order would not matter."""
    before, config = ["filler"] * 10_000, Word2VecConfig(sample=0.0, epochs=1)
    mixed, sorted_ = (
        learn([before + after], config) for after in (["a", "b"] * 500, ["a"] * 500 + ["b"] * 500)
    )
    assert mixed.words == sorted_.words == ("filler", "a", "b")
    assert not np.array_equal(mixed.matrix, sorted_.matrix)


@pytest.mark.parametrize(
    ("sentences", "told"),
    [
        ([], "text: has no words"),
        ([[], []], "text: has no words"),
        (
            [["a", "b"]],
            "none of its 2 words is there 2 times or more; take more text, or a smaller min_count",
        ),
    ],
)
def test_a_text_without_words_is_refused(sentences: list[list[str]], told: str) -> None:
    with pytest.raises(DataError) as refused:
        learn(sentences)
    assert told in str(refused.value)


def test_one_word_is_enough() -> None:
    assert np.isfinite(learn([["a"], ["a"]]).matrix).all()


def test_what_goes_wrong_in_gensims_thread_is_told(tmp_path: Path) -> None:
    """gensim alone would wait for ever."""

    class Failing:
        passes = 0

        def __iter__(self) -> Iterator[list[str]]:
            self.passes += 1
            yield ["a", "b"] * 5
            if self.passes == 3:
                raise DataError("the file has gone")

    with pytest.raises(DataError, match="the file has gone"):
        learn_vectors(Failing(), CONFIG, size=4, seed=1, name="text", quiet=True)


def test_gensim_says_nothing_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    """A warning would stand on stderr, also where quiet was asked for."""
    learn([["a", "b"]] * 3)
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_the_missing_part_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"learning word vectors .* pip install 'regard\[vectors\]'"):
        learn([["a", "a"]])
