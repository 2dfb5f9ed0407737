"""Word2Vec (Mikolov et al. 2013), as gensim learns it."""

import importlib.util
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import chain, islice, repeat

from regard.config.vectors import Word2VecConfig
from regard.errors import DataError, MissingExtraError
from regard.progress import track
from regard.vectors.files import WordVectors

_LONGEST = 10_000
"""gensim passes over what comes after so many words of a sentence."""

Sentence = list[str]


def check_gensim() -> None:
    """Refuse, before any work, to learn with a library that is not there."""
    if importlib.util.find_spec("gensim") is None:
        raise MissingExtraError("learning word vectors", "vectors")


def learn_vectors(
    sentences: Iterable[Sentence],
    config: Word2VecConfig,
    *,
    size: int,
    seed: int,
    name: str,
    threads: int = 1,
    quiet: bool = False,
) -> WordVectors:
    """Vectors of the words in sentences, which are gone through `epochs` + 1 times; frequent words first.

    With one thread the result is a function of the sentences, the config, the size and the seed. With more,
    gensim's threads write over each other's work, and results differ from run to run.

    size: width of a vector
    name: what the sentences are, for errors and progress
    """
    check_gensim()
    from gensim.models.word2vec import Word2Vec

    cut = _Cut(sentences)
    counts: Counter[str] = Counter()
    total = 0
    for sentence in track(cut, f"counting words of {name}", unit="sentences", quiet=quiet):
        counts.update(sentence)
        total += 1
    model = Word2Vec(
        vector_size=size,
        window=config.window,
        min_count=config.min_count,
        negative=config.negative,
        sample=config.sample,
        sg=int(config.method == "skip_gram"),
        seed=seed,
        workers=threads,
        sorted_vocab=0,
    )
    model.build_vocab_from_freq(_often_enough(counts, config.min_count, name), corpus_count=total)
    passes = chain.from_iterable(repeat(cut, config.epochs))
    steps = track(passes, f"vectors of {name}", unit="sentences", total=total * config.epochs, quiet=quiet)
    with closing(_Pass(steps, total)) as one:
        model.train(one, total_examples=total, epochs=config.epochs)
    if one.error is not None:
        raise one.error
    return WordVectors(model.wv.index_to_key, model.wv.vectors, name)


def _often_enough(counts: Counter[str], least: int, name: str) -> dict[str, int]:
    """The words that are frequent enough; equally frequent ones by the alphabet, not by chance."""
    if not counts:
        raise DataError(f"{name}: has no words")
    words = sorted((word for word in counts if counts[word] >= least), key=lambda word: (-counts[word], word))
    if not words:
        raise DataError(
            f"{name}: none of its {len(counts):,} words is there {least:,} times or more; "
            f"take more text, or a smaller min_count"
        )
    return {word: counts[word] for word in words}


class _Cut:
    """The same sentences, those that are too long for gensim in parts."""

    def __init__(self, sentences: Iterable[Sentence]) -> None:
        self._sentences = sentences

    def __iter__(self) -> Iterator[Sentence]:
        for sentence in self._sentences:
            for first in range(0, len(sentence), _LONGEST):
                yield sentence[first : first + _LONGEST]


class _Pass:
    """Each time it is gone through, the next `count` of the steps: gensim asks once an epoch, and one bar
    shows them all.

    gensim asks in a thread of its own, and would wait for ever for one that has failed. So what goes wrong is
    kept, and the pass ends.
    """

    def __init__(self, steps: Iterator[Sentence], count: int) -> None:
        self._steps = steps
        self._count = count
        self.error: Exception | None = None

    def __iter__(self) -> Iterator[Sentence]:
        try:
            yield from islice(self._steps, self._count)
        except Exception as error:
            self.error = error

    def close(self) -> None:
        """Take the bar away."""
        self._steps.close()  # type: ignore[attr-defined]  # a generator
