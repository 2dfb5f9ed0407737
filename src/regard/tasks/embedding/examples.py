"""Pairs of texts in ids: what an encoder of sentences learns from."""

from collections.abc import Callable
from typing import NamedTuple

from regard.config.embedding import TextPairsConfig
from regard.config.objective import CosineConfig, ObjectiveConfig, SoftmaxConfig
from regard.config.text import TextConfig
from regard.data.batching import Ids
from regard.data.corpus import Preparation, TrainingRows
from regard.data.text_pairs import Said, pair_columns, said_column
from regard.store.vocabularies import Vocabularies
from regard.text.labels import Labels
from regard.text.scale import Bounded
from regard.text.tokenizer import Tokenizer


class EncodedTexts(NamedTuple):
    """Texts that are read for themselves, and what is said of the first two, as ids of its own."""

    texts: tuple[Ids, ...]
    """Two, or three with a text that does not belong to the first."""
    said: Ids | None


TrainingTextPairs = TrainingRows[EncodedTexts]


def learned_from(objective: ObjectiveConfig) -> Said | None:
    """What is said of training pairs, beside their texts."""
    match objective:
        case CosineConfig():
            return "number"
        case SoftmaxConfig():
            return "label"
        case _:
            return None


def prepare_text_pairs(
    data: TextPairsConfig,
    text: TextConfig,
    objective: ObjectiveConfig,
    *,
    vocabularies: Callable[[Callable[[], Vocabularies]], Vocabularies] = lambda learn: learn(),
    labels: Labels | None = None,
    quiet: bool = False,
) -> tuple[Tokenizer, Labels | Bounded | None, TrainingTextPairs]:
    """The vocabulary of a recipe, what may be said of pairs, and its training pairs in ids.

    vocabularies: chooses the vocabulary, given how to learn it; by default the one that is learned
    labels:       those of pairs; by default those of the training rows
    """
    said = learned_from(objective)
    columns = pair_columns(data, said)
    texts = [data.text, data.second, *filter(None, [data.negative])]
    columns |= dict.fromkeys(texts, "text")
    column = said_column(data, said)
    sides = [*texts, *([column] if column is not None else [])]
    preparation = Preparation(data, text, columns, sides, quiet=quiet)
    count = len(texts)
    (tokenizer,) = vocabularies(lambda: tuple(preparation.vocabularies([range(count)])))
    known: Labels | Bounded | None = None
    if said is not None:
        known = Bounded(*data.range) if said == "number" else labels or preparation.labels(count)

    def encoded(*ids: Ids) -> EncodedTexts:
        return EncodedTexts(ids[:count], ids[count] if len(ids) > count else None)

    encoders = [*(tokenizer for _ in texts), *([known] if known is not None else [])]
    return tokenizer, known, preparation.encoded(encoders, encoded, counted=count)
