"""Labelled texts in ids: what a classifier learns from."""

from typing import NamedTuple

from regard.config.answer import LabelsConfig, NumberConfig
from regard.config.classification import LabelledConfig
from regard.config.text import TextConfig
from regard.data.batching import Ids
from regard.data.corpus import Choose, CorpusBuilder, TrainingRows, learned
from regard.data.labelled import labelled_schema, text_columns
from regard.text.labels import Labels, Scale
from regard.text.tokenizer import Tokenizer


class EncodedText(NamedTuple):
    """A text, or two, as ids; and its label, as ids of its own."""

    texts: tuple[Ids, ...]
    said: Ids


TrainingTexts = TrainingRows[EncodedText]


def labelled_corpus(
    data: LabelledConfig,
    text: TextConfig,
    *,
    said: Labels | Scale | None = None,
    choose: Choose = learned,
    quiet: bool = False,
) -> tuple[Tokenizer, Labels | Scale, TrainingTexts]:
    """The vocabulary of a recipe, the label set, and its training texts in ids.

    said: the labels, or the scale of the numbers; by default those of the training rows
    """
    builder = CorpusBuilder(data, text, labelled_schema, choose=choose, quiet=quiet)
    texts = range(len(text_columns(data)))
    tokenizer = builder.tokenizer(texts)
    known = said or _said(builder, data, len(texts))
    return (
        tokenizer,
        known,
        builder.encoded(
            [*(tokenizer for _ in texts), known], lambda *sides: EncodedText(sides[:-1], sides[-1])
        ),
    )


def _said(builder: CorpusBuilder, data: LabelledConfig, side: int) -> Labels | Scale:
    match data.answer:
        case NumberConfig():
            return builder.scale(side, data.label)
        case LabelsConfig(separator=separator):
            return builder.label_sets(side, data.label, separator)
        case _:
            return builder.labels(side, data.label)
