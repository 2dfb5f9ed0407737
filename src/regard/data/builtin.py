"""The built-in worlds as rows. A world is imported when it is read: to build its grammar takes a while."""

from collections.abc import Iterator
from functools import lru_cache
from threading import Lock

from regard.config.data import BuiltinCorpus
from regard.data.rows import Cell, Row, Rows

DEFAULT_ROWS = {"train": 30_000, "dev": 1_000, "test": 1_000, "heldout": 1_000}
_MOST_KEPT = 50_000
"""Rows of natural length; they take about 50 MB."""
COLUMNS: dict[str, tuple[str, ...]] = {
    "ko-en": ("ko", "en", "links", "constructions"),
    "sentiment": ("text", "label", "carriers"),
    "inference": ("premise", "hypothesis", "label"),
    "tags": ("words", "tags"),
    "questions": ("text", "question", "answer", "start", "asked"),
}


def world_rows(corpus: BuiltinCorpus, split: str) -> Rows:
    """Rows of a split of a world, the same ones each time."""
    columns = COLUMNS[corpus.world]
    name = f"builtin:{corpus.world}:{split}"

    def read() -> Iterator[Row]:
        rows = corpus.rows or DEFAULT_ROWS[split]
        small = rows <= _MOST_KEPT and corpus.lengths == "natural"
        made = _kept(corpus.model_dump_json(), split, rows) if small else _made(corpus, split, rows)
        return (Row(number, cells) for number, cells in enumerate(made, start=1))

    return Rows(name, columns, read)


@lru_cache(maxsize=2)
def _kept(corpus: str, split: str, rows: int) -> "_Replayed":
    return _Replayed(_made(BuiltinCorpus.model_validate_json(corpus), split, rows))


class _Replayed:
    """Rows that are generated when they are first asked for, and then kept.

    A training run reads its rows once for each vocabulary and once more to encode them, and making a row is
    dearer than all the rest.
    """

    def __init__(self, made: Iterator[tuple[Cell, ...]]) -> None:
        self._made = made
        self._rows: list[tuple[Cell, ...]] = []
        self._lock = Lock()

    def __iter__(self) -> Iterator[tuple[Cell, ...]]:
        number = 0
        while True:
            with self._lock:  # two threads may read
                if number == len(self._rows):
                    try:
                        row = next(self._made)
                    except StopIteration:
                        return
                    except BaseException:  # such as Ctrl-C: what was interrupted cannot be resumed
                        _kept.cache_clear()
                        raise
                    self._rows.append(row)
            yield self._rows[number]
            number += 1


def _made(corpus: BuiltinCorpus, split: str, rows: int) -> Iterator[tuple[Cell, ...]]:
    match corpus.world:
        case "ko-en":
            from regard.world import pairs

            for pair in pairs(
                split, rows, max_words=corpus.max_words, lengths=corpus.lengths, seed=corpus.seed
            ):
                links = " ".join(f"{korean}-{english}" for korean, english in sorted(pair.links))
                yield pair.korean, pair.english, links, ", ".join(sorted(pair.constructions))
        case "sentiment":
            from regard.world.sentiment import sentiment

            for opinion in sentiment(split, rows, seed=corpus.seed):
                carriers = " ".join(map(str, sorted(opinion.carriers)))
                yield opinion.korean, opinion.label, carriers
        case "inference":
            from regard.world.inference import inference

            for example in inference(split, rows, seed=corpus.seed):
                yield example.premise, example.hypothesis, example.label
        case "tags":
            from regard.world import tagged

            for sentence in tagged(
                split, rows, max_words=corpus.max_words, lengths=corpus.lengths, seed=corpus.seed
            ):
                yield sentence.words, sentence.tags
        case "questions":
            from regard.world.questions import questions

            for asked in questions(split, rows, seed=corpus.seed):
                yield asked.text, asked.question, asked.answer, str(asked.start), asked.asked
