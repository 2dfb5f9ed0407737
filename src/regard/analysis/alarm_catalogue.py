"""Every alarm: what is wrong, its score, and where it begins without a dev set."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from regard.analysis.alarm_features import (
    content_words,
    copied_share,
    foreign_share,
    length_deviation,
    low_runs,
    repeated_words,
    total_variation_to_uniform,
    uncovered,
)
from regard.analysis.observations import Observation
from regard.analysis.thresholds import AlarmThresholds

_SHOWN_WORDS = 4
_HARDLY = 0.6
"""A word that lacks so much attention is named."""

Score = Callable[[Observation, AlarmThresholds], float | None]
Detail = Callable[[Observation, AlarmThresholds], str]


@dataclass(frozen=True)
class Alarm:
    """One way in which an output can be wrong."""

    name: str
    meaning: str
    score: Score
    """Larger is worse; None where the alarm does not apply to an output."""
    default: float
    """The threshold where no dev set has fitted one."""
    detail: Detail | None = None
    """What in the output it is about, in words."""
    least: float = 0.0
    """No fitted threshold is smaller: good outputs of a small dev set may all have 0."""
    unit: float = 1.0
    """A step of the score, where good outputs do not differ."""
    is_compared: bool = False
    """Whether it compares with good outputs: then one half of a dev set is compared with the other."""
    needs: str = ""
    """What an output must have for it, in words."""


ATTENTION, _WRITTEN, _BOTH = "attention over a source", "a text that the model writes", "a source and a text"
_CONFIDENCE = "a label, tags or an answer with probabilities"


def _dropped(one: Observation, known: AlarmThresholds) -> float | None:
    del known
    lacks = _lacks(one)
    return float(np.mean([lack for _, lack in lacks])) if lacks else None


def _lacks(one: Observation) -> list[tuple[str, float]]:
    """The content words of the source, and what the attention of each lacks to 1."""
    if one.attention is None:
        return []
    labels = one.attention.labels[:-1]
    words = content_words(labels)
    return [
        (labels[w], float(lack)) for w, lack in zip(words, uncovered(one.attention.words, words), strict=True)
    ]


def _dropped_words(one: Observation, known: AlarmThresholds) -> str:
    del known
    worst = sorted((own for own in _lacks(one) if own[1] >= _HARDLY), key=lambda own: -own[1])
    return ", ".join(word for word, _ in worst[:_SHOWN_WORDS])


def _repeated(one: Observation, known: AlarmThresholds) -> float | None:
    del known
    if not one.is_written:
        return None
    before = repeated_words(one.source) if one.has_source else 0
    return float(max(0, repeated_words(one.text) - before))


def _detached(one: Observation, known: AlarmThresholds) -> float | None:
    if one.attention is None:
        return None
    mass = one.attention.mass
    return total_variation_to_uniform(mass) if known.reference is None else known.reference.combined(mass)


def _off_words(one: Observation, known: AlarmThresholds) -> float | None:
    del known
    if one.attention is None:
        return None
    mean = one.attention.words.mean(axis=0)
    return float(mean.sum() - mean[content_words(one.attention.labels[:-1])].sum())


def _improbable(one: Observation, known: AlarmThresholds) -> float | None:
    del known
    return -float(np.mean(one.log_probabilities)) if one.log_probabilities else None


def _low_confidence(one: Observation, known: AlarmThresholds) -> float | None:
    if not one.log_probabilities:
        return None
    return max((below for _, _, below in low_runs(one.log_probabilities, known.token_limit)), default=0.0)


def _low_span(one: Observation, known: AlarmThresholds) -> str:
    runs = low_runs(one.log_probabilities, known.token_limit)
    first, last, _ = max(runs, key=lambda run: run[2])
    return "".join((*one.tokens, "</s>")[first:last]).replace("▁", " ").strip()


def _unsure(one: Observation, known: AlarmThresholds) -> float | None:
    del known
    return None if one.confidence is None else 1.0 - one.confidence


def _unsure_word(one: Observation, known: AlarmThresholds) -> str:
    del known
    if not one.words:
        return ""
    return one.words[int(np.argmin(one.word_confidences))]


def _copied(one: Observation, known: AlarmThresholds) -> float | None:
    del known
    return copied_share(one.source, one.text) if one.is_written and one.has_source else None


def _unknown(one: Observation, known: AlarmThresholds) -> float | None:
    del known
    lacking, every = one.unknown
    return lacking / every if every else 0.0


def _script(one: Observation, known: AlarmThresholds) -> float | None:
    if one.foreign:
        return 1.0
    return foreign_share(one.text, known.scripts) if one.is_written and known.scripts else 0.0


def _length(one: Observation, known: AlarmThresholds) -> float | None:
    return (
        length_deviation(one.source, one.text, known.length_ratio)
        if one.is_written and one.has_source
        else None
    )


def _lengths(one: Observation, known: AlarmThresholds) -> str:
    del known
    return f"{len(one.text)} characters for {len(one.source)}"


ALARMS: tuple[Alarm, ...] = (
    Alarm("dropped", "source words that no output word attends to", _dropped, 0.7, _dropped_words,
          needs=ATTENTION, unit=0.1),
    Alarm("repeated", "words that repeat beyond what the source repeats", _repeated, 1.0, least=1.0,
          needs=_WRITTEN),
    Alarm("detached", "attention that lies unlike that of good translations", _detached, 0.9,
          is_compared=True, needs=ATTENTION, unit=0.1),
    Alarm("off-words", "attention on the end and on punctuation", _off_words, 0.9,
          needs=ATTENTION, unit=0.1),
    Alarm("improbable", "an improbable text, on average over its tokens", _improbable, 5.0, needs=_WRITTEN),
    Alarm("low-confidence", "a run of improbable tokens", _low_confidence, 10.0, _low_span, needs=_WRITTEN),
    Alarm("unsure", "a label, tag or answer that is not probable", _unsure, 0.5, _unsure_word,
          needs=_CONFIDENCE, unit=0.1),
    Alarm("copied", "output words that stand in the source", _copied, 0.5, least=0.3, needs=_BOTH, unit=0.1),
    Alarm("unknown", "tokens that the vocabulary has no entry for", _unknown, 0.2, least=0.1, unit=0.1,
          needs="a text"),
    Alarm("script", "letters of another script", _script, 0.5, least=0.1, unit=0.1, needs="a text"),
    Alarm("length", "an output too short or too long for its source", _length, 1.4, _lengths, needs=_BOTH,
          unit=0.5),
)  # fmt: skip
"""Every alarm, in the order of a report."""
