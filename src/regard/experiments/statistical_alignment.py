"""A statistical aligner for the pairs of a corpus, and its links as a training corpus."""

from collections.abc import Sequence
from pathlib import Path

from regard.config.data import DataConfig
from regard.data.pairs import Pair, pair_links, read_pairs
from regard.experiments.ibm_model_1 import IBMModel1
from regard.metrics.alignment import AER, alignment_statistics
from regard.metrics.statistics import Statistics
from regard.store.atomic import write_file
from regard.text.words import Links, between_spaces, word_spans

FORWARD, REVERSE, BOTH = "each target word", "each source word", "both"
"""Links that were found for each word of one side, and those that were found for both."""


class StatisticalAligner:
    """IBM model 1 in both directions, of the words that the links of each corpus count, in lower case."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self._counted: dict[str, str] = {}
        for pair, own in zip(pairs, pair_links(pairs), strict=True):
            if own is not None:
                self._counted[_corpus(pair)] = own.words
        words = [self.words(pair) for pair in pairs]
        self._forward = IBMModel1.learn(words)
        self._reverse = IBMModel1.learn([(target, source) for source, target in words])

    def __len__(self) -> int:
        """Parameters: the probabilities of both tables."""
        return len(self._forward) + len(self._reverse)

    def words(self, pair: Pair) -> tuple[list[str], list[str]]:
        """The words of a pair."""
        cut = between_spaces if self._counted.get(_corpus(pair)) == "token" else word_spans
        source, target = (
            [text[start:end].lower() for start, end in cut(text)] for text in (pair.source, pair.target)
        )
        return source, target

    def align(self, pair: Pair) -> dict[str, Links]:
        """The links of a pair, by how they were found."""
        source, target = self.words(pair)
        forward = self._forward.align(source, target)
        reverse = frozenset((read, written) for written, read in self._reverse.align(target, source))
        return {FORWARD: forward, REVERSE: reverse, BOTH: forward & reverse}


def aligner_errors(aligner: StatisticalAligner, pairs: Sequence[Pair]) -> dict[str, Statistics]:
    """The alignment error rate of each way to find links, against gold."""
    found = [aligner.align(pair) for pair in pairs]
    gold = pair_links(pairs)
    return {
        name: alignment_statistics(
            [
                None if own is None else (links[name], own.sure, own.possible)
                for links, own in zip(found, gold, strict=True)
            ]
        )[AER]
        for name in (FORWARD, REVERSE, BOTH)
    }


def _corpus(pair: Pair) -> str:
    return pair.where.rpartition(":")[0]


def write_links(data: DataConfig, folder: Path) -> list[Path]:
    """The training texts with links of IBM model 1 that both directions have, a table for each corpus."""
    pairs = list(read_pairs(data.train, data, split="train"))
    aligner = StatisticalAligner(pairs)
    paths = []
    for number, corpus in enumerate(dict.fromkeys(map(_corpus, pairs))):
        own = [pair for pair in pairs if _corpus(pair) == corpus]
        lines = [f"{data.source}\t{data.target}\tlinks"]
        lines += [f"{pair.source}\t{pair.target}\t{_written(aligner.align(pair)[BOTH])}" for pair in own]
        paths.append(folder / f"linked-{number}.tsv")
        write_file(paths[-1], "\n".join(lines) + "\n")
    return paths


def _written(links: Links) -> str:
    return " ".join(f"{source}-{target}" for source, target in sorted(links))
