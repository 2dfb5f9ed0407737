"""Pairs of texts in ids: what an encoder of sentences learns from."""

from functools import partial
from typing import NamedTuple

from regard.config.embedder import CosineConfig, ObjectiveConfig, SoftmaxConfig
from regard.config.embedding import TextPairsConfig
from regard.config.text import TextConfig
from regard.data.batching import Ids
from regard.data.corpus import Choose, CorpusBuilder, TrainingRows, learned
from regard.data.text_pairs import PairLabel, text_pair_schema
from regard.text.labels import Bounded, Labels
from regard.text.tokenizer import Tokenizer


class EncodedTexts(NamedTuple):
    """Texts that are encoded separately, and the label or score of the first two, as ids of its own."""

    texts: tuple[Ids, ...]
    """Two, or three with a text that does not belong to the first."""
    said: Ids | None


TrainingTextPairs = TrainingRows[EncodedTexts]


def learned_from(objective: ObjectiveConfig) -> PairLabel | None:
    """The label or score of training pairs, beside their texts."""
    match objective:
        case CosineConfig():
            return "number"
        case SoftmaxConfig():
            return "label"
        case _:
            return None


def text_pair_corpus(
    data: TextPairsConfig,
    text: TextConfig,
    objective: ObjectiveConfig,
    *,
    labels: Labels | None = None,
    choose: Choose = learned,
    quiet: bool = False,
) -> tuple[Tokenizer, Labels | Bounded | None, TrainingTextPairs]:
    """The vocabulary of a recipe, the label set of pairs, and its training pairs in ids.

    labels: those of pairs; by default those of the training rows
    """
    said = learned_from(objective)
    schema = partial(text_pair_schema, said=said, negative=True)
    builder = CorpusBuilder(data, text, schema, choose=choose, quiet=quiet)
    count = 2 if data.negative is None else 3
    tokenizer = builder.tokenizer(range(count))
    known: Labels | Bounded | None = None
    if said is not None:
        known = Bounded(*data.range) if said == "number" else labels or builder.labels(count, data.label)

    def encoded(*ids: Ids) -> EncodedTexts:
        return EncodedTexts(ids[:count], ids[count] if len(ids) > count else None)

    encoders = [*(tokenizer for _ in range(count)), *([known] if known is not None else [])]
    return tokenizer, known, builder.encoded(encoders, encoded, counted=count)
