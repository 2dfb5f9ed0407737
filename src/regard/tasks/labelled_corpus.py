"""Labelled texts in ids: what a classifier learns from."""

from collections.abc import Callable
from typing import NamedTuple

from regard.config.classification import LabelledConfig
from regard.config.text import TextConfig
from regard.data.batching import Ids
from regard.data.labelled import labelled_columns
from regard.store.vocabularies import Vocabularies
from regard.tasks.corpus import Preparation, TrainingRows
from regard.text.labels import Labels
from regard.text.tokenizer import Tokenizer


class EncodedText(NamedTuple):
    """A text as ids, and the number of its label."""

    text: Ids
    label: int


TrainingTexts = TrainingRows[EncodedText]


def prepare_labelled(
    data: LabelledConfig,
    text: TextConfig,
    *,
    vocabularies: Callable[[Callable[[], Vocabularies]], Vocabularies] = lambda learn: learn(),
    labels: Labels | None = None,
    quiet: bool = False,
) -> tuple[Tokenizer, Labels, TrainingTexts]:
    """The vocabulary and the labels of a recipe, and its training texts in ids.

    vocabularies: chooses the vocabulary, given how to learn it; by default the one that is learned
    labels:       what may be said; by default what the training rows say
    """
    preparation = Preparation(data, text, labelled_columns(data), (data.text, data.label), quiet=quiet)
    (tokenizer,) = vocabularies(lambda: tuple(preparation.vocabularies([[0]])))
    known = labels or preparation.labels(1)
    return tokenizer, known, preparation.encoded([tokenizer, known], _encoded_text)


def _encoded_text(text: Ids, label: Ids) -> EncodedText:
    return EncodedText(text, int(label[0]))
