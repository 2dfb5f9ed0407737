"""Word alignment, for whoever calls it from Python."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from regard.analysis.alignment import Aligner, AlignmentOptions, WordAlignment, with_places
from regard.analysis.symmetrize import Symmetrization
from regard.api.loading import StrPath, load
from regard.inference.inputs import several
from regard.insight.word_links import AlignmentUnit

if TYPE_CHECKING:
    from regard.tasks.translation.predictor import Translator


def align(
    model: "Translator | StrPath",
    pairs: Iterable[tuple[str, str]],
    *,
    reverse: "Translator | StrPath | None" = None,
    symmetrize: Symmetrization | None = None,
    threshold: float | None = None,
    unit: AlignmentUnit = "words",
) -> list[WordAlignment]:
    """Align the words of sentences and their translations by the attention of a translator.

    pairs:      (sentence, translation)
    reverse:    a translator in the opposite direction, to align both ways
    symmetrize: how both become one: "intersection", the default, "union" or "grow-diag-final-and"
    threshold:  link what has at least this weight; by default, each target word and one source word
    unit:       what is counted: "words" with punctuation apart; "eojeol", what stands between spaces;
                "morphemes" (extra `korean`); "tokens"
    returns:    an alignment for each pair, in their order

    >>> (found,) = regard.align(model, [("나는 책을 읽었다.", "I read a book.")])
    >>> found.target_words
    ('I', 'read', 'a', 'book', '.')
    >>> len(found.links), found.to_pharaoh().count("-")
    (5, 5)
    """
    options = AlignmentOptions(unit, threshold, symmetrize)
    opened = load(model, task="translation") if isinstance(model, StrPath) else model
    other = load(reverse, task="translation") if isinstance(reverse, StrPath) else reverse
    return list(Aligner(opened, options, other).stream(with_places(several(pairs, "pairs"))))
