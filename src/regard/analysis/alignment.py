"""Word alignment: links between the words of a sentence and of its translation, read from attention."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from regard.analysis.symmetrize import Symmetrization, check_symmetrization, symmetrized
from regard.errors import ConfigError, DataError, did_you_mean
from regard.inference.inputs import given_tuple
from regard.inference.streaming import LINES_AT_ONCE, chunks
from regard.insight.record import AttentionRecord
from regard.insight.word_links import AlignmentUnit, WordWeights
from regard.tasks.translation.document import LineTranslation, TextOptions, translate_lines
from regard.tasks.translation.predictor import Translator
from regard.text.words import Links

PAIRS_AT_ONCE = 2048
Placed = tuple[str, tuple[str, str]]
"""A place such as `file:line`; a sentence and its translation."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link from a source word to a target word, both counted from 0."""

    source: int | None
    """None: the target word belongs to no source word."""
    target: int
    probability: float
    """The attention that the target word pays to the source word; of two directions, the mean of both."""

    def moved(self, source: int, target: int) -> "Link":
        """The same after so many words more."""
        own = None if self.source is None else self.source + source
        return Link(own, self.target + target, self.probability)

    def to_pharaoh(self, *, soft: bool = False) -> str:
        """As Pharaoh files have it, i-j; soft: i-j:p. A word that belongs to none has NULL for i."""
        ends = f"{'NULL' if self.source is None else self.source}-{self.target}"
        return f"{ends}:{self.probability:.4f}" if soft else ends


@dataclass(frozen=True)
class WordAlignment:
    """The word alignment of one sentence pair."""

    source: str
    target: str
    links: tuple[Link, ...]
    """By source word, then target word."""
    unaligned: tuple[Link, ...] = ()
    """Target words that attend to the end of the source rather than to any word: their source is None."""
    unit: AlignmentUnit = "words"
    """What is counted."""
    source_words: tuple[str, ...] = field(default=(), repr=False)
    target_words: tuple[str, ...] = field(default=(), repr=False)

    @property
    def pairs(self) -> Links:
        """The links without their probabilities."""
        return frozenset((link.source, link.target) for link in self.links if link.source is not None)

    def to_pharaoh(self, *, soft: bool = False, null: bool = False) -> str:
        """One line, such as `0-0 1-2`; empty where there is no link.

        soft: with probabilities, 0-0:0.9321
        null: also target words that belong to no source word, NULL-3
        """
        links = (*self.links, *(self.unaligned if null else ()))
        return " ".join(link.to_pharaoh(soft=soft) for link in links)

    def to_dict(self, *, null: bool = False) -> dict[str, Any]:
        """Plain values, for JSON."""
        links = (*self.links, *(self.unaligned if null else ()))
        return {
            "source": self.source,
            "target": self.target,
            "unit": self.unit,
            "source_words": list(self.source_words),
            "target_words": list(self.target_words),
            "links": [[link.source, link.target, round(link.probability, 6)] for link in links],
        }


@dataclass(frozen=True)
class AlignmentOptions:
    """How weights become links."""

    unit: AlignmentUnit = "words"
    threshold: float | None = None
    """Link what has at least this weight; by default, each target word and the word of its largest weight."""
    symmetrize: Symmetrization | None = None
    """How two directions become one."""

    def __post_init__(self) -> None:
        if self.unit not in get_args(AlignmentUnit):
            raise DataError(f"unknown unit '{self.unit}'; {did_you_mean(self.unit, get_args(AlignmentUnit))}")
        if self.threshold is not None and not 0.0 < self.threshold <= 1.0:
            raise DataError(f"threshold: expected a weight above 0 and up to 1, found {self.threshold}")
        if self.symmetrize is not None:
            check_symmetrization(self.symmetrize)


def word_alignment(
    source: str,
    target: str,
    record: AttentionRecord,
    options: AlignmentOptions,
    backward: AttentionRecord | None = None,
    where: str = "",
) -> WordAlignment:
    """The alignment of a pair from its attention, and from that of the other direction."""
    if record.reason is not None or (backward is not None and backward.reason is not None):
        return WordAlignment(source, target, (), unit=options.unit)
    seen = WordWeights.of(record, options.unit)
    links, weights = seen.links(options.threshold), seen.weights
    if backward is not None:
        other = WordWeights.of(backward, options.unit)
        if (other.rows, other.columns) != (seen.columns, seen.rows):
            raise DataError(
                f"{where}: the two models cut the sentences into different {options.unit}; "
                "count what both have: words or eojeol"
            )
        flipped = frozenset((first, second) for second, first in other.links(options.threshold))
        links = symmetrized(links, flipped, options.symmetrize or "intersection")
        weights = 0.5 * (weights + other.weights.T)
    ordered = tuple(Link(i, j, float(weights[j, i])) for i, j in sorted(links))
    linked = {target for _, target in links}
    ends = seen.ends.tolist()
    left = tuple(Link(None, place, ends[place]) for place in seen.unaligned() if place not in linked)
    return WordAlignment(source, target, ordered, left, options.unit, seen.columns, seen.rows)


def line_alignment(line: LineTranslation, options: AlignmentOptions) -> WordAlignment:
    """The alignment of a translated line: its parts one after the other. Tags are not counted."""
    links: list[Link] = []
    left: list[Link] = []
    sources: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    for part in line.parts:
        found = word_alignment(part.source, part.text, part.attention, options)
        moved = (len(sources), len(targets))
        links += [link.moved(*moved) for link in found.links]
        left += [link.moved(*moved) for link in found.unaligned]
        sources, targets = (*sources, *found.source_words), (*targets, *found.target_words)
    return WordAlignment(line.source, line.text, tuple(links), tuple(left), options.unit, sources, targets)


class Aligner:
    """Aligns sentence pairs by the attention of a translator, or of two in opposite directions."""

    def __init__(
        self, model: Translator, options: AlignmentOptions, reverse: Translator | None = None
    ) -> None:
        self.model, self.reverse, self.options = model, reverse, options
        for one in (model, *([] if reverse is None else [reverse])):
            check_aligns(one)
        if reverse is not None:
            check_opposite(model, reverse)
        if options.symmetrize is not None and reverse is None:
            raise ConfigError("symmetrize needs two directions; name the other model with reverse")

    def align(
        self,
        pairs: Sequence[tuple[str, str]],
        places: Sequence[str],
        units: Sequence[AlignmentUnit] | None = None,
        *,
        any_length: bool = False,
    ) -> list[WordAlignment]:
        """The alignments of some pairs.

        places:     such as `file:line`, for an error
        units:      what is counted in each, where that differs
        any_length: a model has written some of the texts, and they are as long as they are
        """
        options = [self.options] * len(pairs)
        if units is not None:
            options = [replace(self.options, unit=unit) for unit in units]
        records = self.model.read_pairs(pairs, places, any_length=any_length)
        back: Sequence[AttentionRecord | None] = [None] * len(pairs)
        if self.reverse is not None:
            turned = [(target, source) for source, target in pairs]
            back = self.reverse.read_pairs(turned, places, any_length=any_length)
        return [
            word_alignment(*pair, record, own, other, where)
            for pair, record, own, other, where in zip(pairs, records, options, back, places, strict=True)
        ]

    def stream(self, placed: Iterable[Placed | None]) -> Iterator[WordAlignment]:
        """As many as there are, in their order; None among them says that no more is at hand for now."""
        for chunk in chunks(placed, PAIRS_AT_ONCE):
            yield from self.align([pair for _, pair in chunk], [where for where, _ in chunk])

    def stream_outputs(self, lines: Iterable[tuple[str, str] | None]) -> Iterator[WordAlignment]:
        """The same of sentences, given with their places, and the model's own translations of them."""
        for chunk in chunks(lines, LINES_AT_ONCE):
            written = translate_lines(self.model, chunk, TextOptions(markup=False))
            pairs = [(text, own.text) for (_, text), own in zip(chunk, written, strict=True)]
            yield from self.align(pairs, [where for where, _ in chunk], any_length=True)


def check_aligns(model: Translator, name: str = "the model") -> None:
    """Refuse a model that has no attention over the source."""
    if not model.network.cross_attention:
        raise ConfigError(f"{name} has no attention over the source, and its words cannot be aligned")


def check_opposite(model: Translator, reverse: Translator) -> None:
    """Refuse a reverse model that does not translate in the opposite direction."""
    one, other = model.recipe.data, reverse.recipe.data
    if (one.source, one.target) != (other.target, other.source):
        raise ConfigError(
            f"reverse: expected a model {one.target}→{one.source}, found {other.source}→{other.target}"
        )


def with_places(pairs: Iterable[tuple[str, ...]]) -> Iterator[Placed]:
    """Pairs of a Python call, each with its place."""
    for number, pair in enumerate(pairs, start=1):
        source, target = given_tuple(pair, f"pair {number}", sizes=(2,))
        yield f"pair {number}", (source, target)
