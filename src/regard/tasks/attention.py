"""The attention of a model of any task for the rows of a corpus: given targets are forced, not searched."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from regard.data.labelled import LabelledText
from regard.data.pairs import Pair
from regard.data.questions import QuestionExample
from regard.data.tagged import TaggedSentence
from regard.data.text_pairs import TextPair
from regard.inference.generator import Generator
from regard.inference.model import TaskModel
from regard.inference.predictor import Predictor
from regard.insight.record import AttentionRecord
from regard.metrics.attention import coverage, distributions, entropy
from regard.text.tokenizer import Encoding

ATTENTION_ROWS = 200
"""Dev rows whose attention is measured at a validation."""
TOGETHER = 256
"""Rows whose attention is in memory at the same time."""


def attention_records(model: TaskModel, pairs: Sequence[Pair]) -> Iterator[AttentionRecord]:
    """The record of each row, in their order; of an encoder of sentences, one for each text of a row."""
    for first in range(0, len(pairs), TOGETHER):
        some = pairs[first : first + TOGETHER]
        if isinstance(model, Generator):
            sources, targets = encoded_sides(model, some)
            read = model.read(sources, targets, [True] * len(some))
            yield from (record for record, _ in read)
        elif isinstance(model, Predictor):
            yield from (result.attention for result in model.results(encoded_rows(model, some)))


def attention_scores(model: TaskModel, pairs: Sequence[Pair]) -> dict[str, float]:
    """Entropy, in nats, and coverage of the attention nearest to the output, on the first rows.

    Both are means over rows and heads of the maps of a text, and then over texts; texts that are read in
    windows do not count.
    """
    found: list[tuple[float, float]] = []
    for record in attention_records(model, pairs[:ATTENTION_ROWS]):
        for look in record.attentions:
            if look.kind == record.main:
                p = distributions(look.weights)
                _, columns = record.sides(look.kind, p.shape[-2], text=look.text)
                covered = coverage(p, ~columns.special)
                found.append((float(np.nanmean(entropy(p))), float(np.nanmean(covered))))
    means = np.mean(found, axis=0) if found else (float("nan"), float("nan"))
    return {"attention_entropy": float(means[0]), "attention_coverage": float(means[1])}


def encoded_sides(
    model: Generator[Any], pairs: Sequence[Pair]
) -> tuple[Sequence[Encoding], Sequence[Encoding]]:
    """Sources and targets in tokens; a language model's text is both."""
    sources = model.encode([pair.source for pair in pairs], [pair.where for pair in pairs])
    if model.decoder_only:
        return sources, sources
    return sources, list(model.target_tokenizer.encode_many([pair.target for pair in pairs]))


def encoded_rows(model: Any, pairs: Sequence[Pair]) -> list[Any]:
    """What is read of each row, in tokens; of a pair of sentences to embed, each alone."""
    found = []
    for pair in pairs:
        match pair:
            case LabelledText():
                found.append(model.encode_texts(pair.texts))
            case TaggedSentence():
                found += model.encode_given([pair.words], [pair.where])
            case QuestionExample():
                found.append(model.encode_texts((pair.question, pair.source)))
            case TextPair() if model.task == "embedding":
                found += [model.encode_texts((text,)) for text in pair.texts[:2]]
            case _:
                found.append(model.encode_texts((pair.source,)))
    return found
