"""Labelled texts in ids: what a classifier learns from."""

from collections.abc import Callable
from typing import NamedTuple

from regard.config.answer import LabelsConfig, NumberConfig
from regard.config.classification import LabelledConfig
from regard.config.text import TextConfig
from regard.data.batching import Ids
from regard.data.corpus import Preparation, TrainingRows
from regard.data.labelled import labelled_columns, text_columns
from regard.store.vocabularies import Vocabularies
from regard.text.labels import Labels
from regard.text.scale import Scale
from regard.text.tokenizer import Tokenizer


class EncodedText(NamedTuple):
    """A text, or two, as ids; and what is said of it, as ids of its own."""

    texts: tuple[Ids, ...]
    said: Ids


TrainingTexts = TrainingRows[EncodedText]


def prepare_labelled(
    data: LabelledConfig,
    text: TextConfig,
    *,
    vocabularies: Callable[[Callable[[], Vocabularies]], Vocabularies] = lambda learn: learn(),
    said: Labels | Scale | None = None,
    quiet: bool = False,
) -> tuple[Tokenizer, Labels | Scale, TrainingTexts]:
    """The vocabulary of a recipe, what may be said, and its training texts in ids.

    vocabularies: chooses the vocabulary, given how to learn it; by default the one that is learned
    said:         the labels, or the scale of the numbers; by default those of the training rows
    """
    columns = text_columns(data)
    preparation = Preparation(data, text, labelled_columns(data), (*columns, data.label), quiet=quiet)
    texts = range(len(columns))
    (tokenizer,) = vocabularies(lambda: tuple(preparation.vocabularies([texts])))
    known = said or _said(preparation, data, len(columns))
    encoders = [*(tokenizer for _ in texts), known]
    return tokenizer, known, preparation.encoded(encoders, _encoded_text)


def _said(preparation: Preparation, data: LabelledConfig, side: int) -> Labels | Scale:
    match data.answer:
        case NumberConfig():
            return preparation.scale(side)
        case LabelsConfig(separator=separator):
            return preparation.label_sets(side, separator)
        case _:
            return preparation.labels(side)


def _encoded_text(*sides: Ids) -> EncodedText:
    return EncodedText(sides[:-1], sides[-1])
