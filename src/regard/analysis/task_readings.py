"""What a model of any task says of texts, so that two readings can be compared."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import sacrebleu

from regard.analysis.alignment import WordAlignment
from regard.analysis.same_words import aligned, link_distance, map_distance, placed_words, word_maps
from regard.data.pairs import Pair
from regard.errors import DataError
from regard.inference.attention import NOT_ASKED
from regard.inference.model import TaskModel
from regard.insight.maps import AttentionMap
from regard.insight.record import AttentionRecord
from regard.text.normalise import normalise
from regard.text.words import word_spans

Texts = tuple[str, ...]
LOG_P_CHANGE = 0.1
"""Nats for each character: a larger change of a language model's log p counts as another output."""
MASK = "\ue000"
"""Stands for the mask symbol while a text is changed: no letter, no mark, no space."""


@dataclass(frozen=True)
class Reading:
    """What a model says of one input."""

    texts: Texts
    said: str
    result: Any
    """What two readings are compared by."""
    attention: WordAlignment | tuple[AttentionMap, ...]
    """Of a translator the word alignment, of others the main attention, word by word."""

    @classmethod
    def of(cls, texts: Texts, said: str, result: Any, record: AttentionRecord) -> "Reading":
        """A reading with its attention, word by word; what is finer is not kept."""
        return cls(texts, said, result, word_maps(record))


@dataclass(frozen=True)
class Difference:
    """How far one reading is from another."""

    changed: bool
    """Whether another output is given."""
    distance: float
    attention: float
    """Of the links of a translator, or of the attention map; NaN where there is none."""


Read = Callable[[Any, Sequence[Texts]], list[Reading]]
Differ = Callable[[Reading, Reading], tuple[bool, float]]


@dataclass(frozen=True)
class TaskReading:
    """How the models of a task are read and compared."""

    output: str
    """What is the output."""
    measure: str
    """What its distance is."""
    read: Read
    differ: Differ
    inputs: Callable[[Any, Pair], Texts] = lambda _, pair: (pair.source,)
    changed_texts: int = 2
    """How many of the texts of an input are changed, from the first."""


def task_reading(model: TaskModel) -> TaskReading:
    """That of a model."""
    if model.task not in READINGS:
        raise DataError(f"what changes an output is not known for models for {model.task}")
    return READINGS[model.task]


def differences(
    model: TaskModel, before: Sequence[Reading], after: Sequence[Reading], pool: Sequence[Reading]
) -> list[Difference]:
    """Readings compared, one by one.

    pool: the readings of all texts as they are: a vector has changed where another text is nearer to it
    """
    own = task_reading(model)
    nearest = _nearest(after, pool) if model.task == "embedding" else None
    found = []
    for place, (old, new) in enumerate(zip(before, after, strict=True)):
        changed, distance = own.differ(old, new)
        if nearest is not None:
            changed = pool[nearest[place]].texts != old.texts
        found.append(Difference(changed, distance, _attention_distance(old, new)))
    return found


def _attention_distance(old: Reading, new: Reading) -> float:
    if isinstance(old.attention, WordAlignment) and isinstance(new.attention, WordAlignment):
        return link_distance(old.attention, new.attention)
    if isinstance(old.attention, tuple) and isinstance(new.attention, tuple):
        return map_distance(old.attention, new.attention)
    return float("nan")


def _nearest(after: Sequence[Reading], pool: Sequence[Reading]) -> list[int]:
    """For each vector the place of the nearest in the pool."""
    if not after:
        return []
    some, others = (
        np.stack([one.result / max(float(np.linalg.norm(one.result)), 1e-12) for one in group])
        for group in (after, pool)
    )
    return [int(place) for place in (some @ others.T).argmax(axis=1)]


def _texts(model: Any, pair: Pair) -> Texts:
    del model
    found: Texts = tuple(getattr(pair, "texts", (pair.source,)))
    return found


def _first_text(model: Any, pair: Pair) -> Texts:
    return _texts(model, pair)[:1]


def _words_of(model: Any, pair: Pair) -> Texts:
    del model
    return (" ".join(getattr(pair, "words", ()) or pair.source.split()),)


def _question(model: Any, pair: Pair) -> Texts:
    del model
    return getattr(pair, "question", ""), pair.source


def _hidden(model: Any, pair: Pair) -> Texts:
    """The text with the word in its middle masked, and the marks beside it as they are."""
    del model
    text = pair.source
    words = [(start, end) for start, end in word_spans(text) if any(map(str.isalnum, text[start:end]))]
    if len(words) < 2:  # nothing to fill it in by
        return ("",)
    start, end = words[len(words) // 2]
    return (text[:start] + MASK + text[end:],)


def _translations(model: Any, inputs: Sequence[Texts]) -> list[Reading]:
    found = model.translate([texts[0] for texts in inputs])
    return [
        Reading(texts, one.text, None, aligned(one.source, one.text, one.attention))
        if one.attention.reason is None and one.attention.main == "cross"
        else Reading.of(texts, one.text, None, one.attention)
        for texts, one in zip(inputs, found, strict=True)
    ]


def _scores(model: Any, inputs: Sequence[Texts]) -> list[Reading]:
    encoded = model.encode([texts[0] for texts in inputs])
    read = model.read(encoded, encoded, [True] * len(encoded))
    found = []
    for texts, (record, values) in zip(inputs, read, strict=True):
        score = float(sum(values)) / len("".join(normalise(texts[0]).text.split()))
        found.append(Reading.of(texts, f"log p {score:.3f} a character", score, record))
    return found


def _predictions(model: Any, inputs: Sequence[Texts]) -> list[Reading]:
    found = model.results([model.encode_texts(texts) for texts in inputs])
    return [
        Reading.of(texts, one.in_words(), _kept(one), one.attention)
        for texts, one in zip(inputs, found, strict=True)
    ]


def _tags(model: Any, inputs: Sequence[Texts]) -> list[Reading]:
    encoded = model.encode_given([texts[0].split() for texts in inputs], ["" for _ in inputs])
    found = model.results(encoded)
    return [
        Reading.of(texts, " ".join(one.tags), _kept(one), one.attention)
        for texts, one in zip(inputs, found, strict=True)
    ]


def _vectors(model: Any, inputs: Sequence[Texts]) -> list[Reading]:
    found = model.results([model.encode_texts(texts) for texts in inputs])
    return [
        Reading.of(texts, "", one.vector.astype(np.float64), one.attention)
        for texts, one in zip(inputs, found, strict=True)
    ]


def _filled(model: Any, inputs: Sequence[Texts]) -> list[Reading]:
    written: list[Texts] = [(texts[0].replace(MASK, model.symbol),) for texts in inputs]
    found = model.results([model.encode_texts(texts) for texts in written])
    return [
        Reading.of(texts, one.in_words(), _kept(one), one.attention)
        for texts, one in zip(written, found, strict=True)
    ]


def _kept(result: Any) -> Any:
    """A result without its weights, which are large."""
    return replace(result, attention=NOT_ASKED)


def _by_letters(old: Reading, new: Reading) -> tuple[bool, float]:
    """1 − chrF/100, the translation of the text as it is taken as the reference."""
    if old.said == new.said:
        return False, 0.0
    if not old.said.strip() or not new.said.strip():
        return True, 1.0
    return True, 1.0 - sacrebleu.CHRF().sentence_score(new.said, [old.said]).score / 100


def _by_score(old: Reading, new: Reading) -> tuple[bool, float]:
    apart = abs(old.result - new.result)
    return apart > LOG_P_CHANGE, apart


def _by_probabilities(old: Reading, new: Reading) -> tuple[bool, float]:
    """½ Σ |p − q| over the labels; of several labels the mean of |p − q|; of a number |a − b|."""
    before, after = old.result, new.result
    changed = before.label != after.label
    if getattr(before, "value", None) is not None:
        return changed, abs(before.value - (after.value or 0.0))
    names = {**before.probabilities, **after.probabilities}
    apart = [abs(before.probabilities.get(n, 0.0) - after.probabilities.get(n, 0.0)) for n in names]
    several = hasattr(before, "labels")
    return changed, sum(apart) / (len(apart) or 1) if several else sum(apart) / 2


def _by_tags(old: Reading, new: Reading) -> tuple[bool, float]:
    """The share of words with another tag, of those that are in both sentences or changed one for one."""
    pairs = placed_words(old.result.words, new.result.words)
    others = sum(old.result.tags[a] != new.result.tags[b] for a, b in pairs)
    return others > 0, others / len(pairs) if pairs else float("nan")


def _by_answer(old: Reading, new: Reading) -> tuple[bool, float]:
    """1 − F1 of the characters of the two answers in the text."""
    first, second = (set(range(one.result.start, one.result.end)) for one in (old, new))
    total = len(first) + len(second)
    return first != second, 1.0 - 2 * len(first & second) / total if total else 0.0


def _by_cosine(old: Reading, new: Reading) -> tuple[bool, float]:
    first, second = old.result, new.result
    size = float(np.linalg.norm(first) * np.linalg.norm(second))
    return False, 1.0 - float(first @ second) / size if size else float("nan")


def _by_candidates(old: Reading, new: Reading) -> tuple[bool, float]:
    """½ Σ |p − q| over the vocabulary."""
    before, after = (one.result.hidden[0] for one in (old, new))
    first, second = ([found.word for found in one.candidates[:1]] for one in (before, after))
    p, q = before.distribution, after.distribution
    return first != second, float(np.abs(p - q).sum() / 2) if p.shape == q.shape else float("nan")


READINGS: Mapping[str, TaskReading] = {
    "translation": TaskReading("translation", "1 − chrF/100", _translations, _by_letters),
    "language-model": TaskReading("log p", "|Δ log p| a character, nats", _scores, _by_score),
    "classification": TaskReading(
        "label", "TVD of the probabilities", _predictions, _by_probabilities, _texts
    ),
    "tagging": TaskReading("tags", "share of other tags", _tags, _by_tags, _words_of),
    "question-answering": TaskReading(
        "answer", "1 − F1 of characters", _predictions, _by_answer, _question, changed_texts=1
    ),
    "embedding": TaskReading("nearest text", "1 − cosine", _vectors, _by_cosine, _first_text),
    "masked-language-model": TaskReading("word", "TVD over the vocabulary", _filled, _by_candidates, _hidden),
}
