"""A statistical aligner for the pairs of a corpus, and its links as a training corpus."""

from collections.abc import Callable, Sequence
from pathlib import Path

from regard.config.data import DataConfig
from regard.data.alignments import GoldLinks
from regard.data.pairs import Pair, read_pairs
from regard.experiments.attention_readings import gold_of
from regard.experiments.ibm_model_1 import IBMModel1
from regard.store.atomic import write_file
from regard.text.words import Links, between_spaces, word_spans

Cut = Callable[[Pair], tuple[list[str], list[str]]]


def learn_aligner(pairs: Sequence[Pair]) -> tuple[IBMModel1, Cut]:
    """IBM model 1 of pairs, and how it cuts one into words: lower case, as links of its corpus count them."""
    counted: dict[str, str] = {}
    for pair, own in zip(pairs, _gold_of_each(pairs), strict=True):
        counted.setdefault(_corpus(pair), "word")
        if own is not None:
            counted[_corpus(pair)] = own.words

    def cut(pair: Pair) -> tuple[list[str], list[str]]:
        spans = word_spans if counted.get(_corpus(pair), "word") == "word" else between_spaces
        source, target = (
            [text[start:end].lower() for start, end in spans(text)] for text in (pair.source, pair.target)
        )
        return source, target

    return IBMModel1.learn([cut(pair) for pair in pairs]), cut


def _gold_of_each(pairs: Sequence[Pair]) -> list[GoldLinks | None]:
    """The gold alignments of rows of several corpora, each by itself."""
    found: dict[int, GoldLinks | None] = {}
    for corpus in dict.fromkeys(map(_corpus, pairs)):
        rows = [row for row, pair in enumerate(pairs) if _corpus(pair) == corpus]
        found |= dict(zip(rows, gold_of([pairs[row] for row in rows]), strict=True))
    return [found[row] for row in range(len(pairs))]


def _corpus(pair: Pair) -> str:
    return pair.where.rpartition(":")[0]


def write_links(data: DataConfig, folder: Path) -> list[Path]:
    """The training texts with the links of IBM model 1, a table for each part of the corpus."""
    pairs = list(read_pairs(data.train, data, split="train"))
    model, cut = learn_aligner(pairs)
    paths = []
    for number, corpus in enumerate(dict.fromkeys(map(_corpus, pairs))):
        own = [pair for pair in pairs if _corpus(pair) == corpus]
        lines = [f"{data.source}\t{data.target}\tlinks"]
        lines += [f"{pair.source}\t{pair.target}\t{_written(model.align(*cut(pair)))}" for pair in own]
        paths.append(folder / f"linked-{number}.tsv")
        write_file(paths[-1], "\n".join(lines) + "\n")
    return paths


def _written(links: Links) -> str:
    return " ".join(f"{source}-{target}" for source, target in sorted(links))
