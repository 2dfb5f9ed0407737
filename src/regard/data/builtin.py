"""The built-in worlds as rows."""

from collections.abc import Iterator

from regard.config.data import BuiltinCorpus
from regard.data.rows import Cell, Row, Rows
from regard.world import pairs
from regard.world.inference import inference
from regard.world.questions import questions
from regard.world.sentiment import sentiment
from regard.world.tags import tagged

DEFAULT_ROWS = {"train": 30_000, "dev": 1_000, "test": 1_000, "heldout": 1_000}
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
        made = _made(corpus, split, corpus.rows or DEFAULT_ROWS[split])
        return (Row(number, cells) for number, cells in enumerate(made, start=1))

    return Rows(name, columns, read)


def _made(corpus: BuiltinCorpus, split: str, rows: int) -> Iterator[tuple[Cell, ...]]:
    match corpus.world:
        case "ko-en":
            for pair in pairs(
                split, rows, max_words=corpus.max_words, lengths=corpus.lengths, seed=corpus.seed
            ):
                links = " ".join(f"{korean}-{english}" for korean, english in sorted(pair.links))
                yield pair.korean, pair.english, links, ", ".join(sorted(pair.constructions))
        case "sentiment":
            for opinion in sentiment(split, rows, seed=corpus.seed):
                carriers = " ".join(map(str, sorted(opinion.carriers)))
                yield opinion.korean, opinion.label, carriers
        case "inference":
            for example in inference(split, rows, seed=corpus.seed):
                yield example.premise, example.hypothesis, example.label
        case "tags":
            for sentence in tagged(
                split, rows, max_words=corpus.max_words, lengths=corpus.lengths, seed=corpus.seed
            ):
                yield sentence.words, sentence.tags
        case "questions":
            for asked in questions(split, rows, seed=corpus.seed):
                yield asked.text, asked.question, asked.answer, str(asked.start), asked.asked
