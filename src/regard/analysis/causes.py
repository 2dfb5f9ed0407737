"""The causes of what a model says: the words of its input that the output depends on, by measured effect."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, get_args

import numpy as np

from regard.analysis.attribution import (
    STEPS,
    gradient_times_attention,
    gradient_times_input,
    integrated_gradients,
)
from regard.analysis.flow import CannotSayError, Sights
from regard.analysis.generated import NextWordOutcome, TranslationOutcome
from regard.analysis.labels import LabelOutcome, TagOutcome
from regard.analysis.occlusion import Way, measure
from regard.analysis.outcome import Outcome, refuse
from regard.analysis.result import Causes, Method
from regard.analysis.texts import AnswerOutcome, FilledOutcome, SimilarityOutcome
from regard.errors import DataError, did_you_mean
from regard.inference.attention import IN_WINDOWS
from regard.inference.inputs import given_text
from regard.inference.predictor import Predictor
from regard.insight.edits import Word
from regard.metrics.statistics import Floats
from regard.tasks.classification.predictor import Classifier
from regard.tasks.embedding.predictor import EmbeddingPredictor
from regard.tasks.language_model.predictor import LanguageModel
from regard.tasks.masked_lm.predictor import FillMask
from regard.tasks.question_answering.predictor import QuestionAnswerer
from regard.tasks.tagging.predictor import Tagger
from regard.tasks.translation.predictor import Translator

MethodName = Literal[
    "removal",
    "occlusion",
    "mask",
    "heads",
    "attention",
    "norm",
    "rollout",
    "flow",
    "gradient",
    "gradient-attention",
    "integrated",
]
METHODS: tuple[MethodName, ...] = get_args(MethodName)
DEFAULT: tuple[MethodName, ...] = (
    "removal",
    "occlusion",
    "mask",
    "attention",
    "norm",
    "rollout",
    "gradient",
    "integrated",
)
"""Without heads and flow, which cost more."""


def causes(
    model: Any,
    text: str,
    *,
    second: str | None = None,
    target: str | None = None,
    word: Word | None = None,
    instead: str | None = None,
    by: str | Sequence[str] = DEFAULT,
    steps: int = STEPS,
    alternatives: bool | None = None,
) -> Causes:
    """Rank the words of an input by what an output owes to them.

    second:       the second text: of a pair, the text with the answer, or what a cosine is with
    target:       the output: a translation, a continuation, a label, an answer, a filled word; by default
                  what the model says
    word:         a word of the output, by text or number: of a translation, of a tagged sentence, of the
                  text of a language model, of a text with masks
    instead:      another word, label or answer in its place: why this, and not that?
    by:           the methods, in their order; the first measured one ranks
    steps:        of integrated gradients
    alternatives: what the model says without each word: True tells it for every measured method, None for
                  the one that ranks, which is quicker where a model writes, False for none
    """
    chosen = _methods(by)
    if not 1 <= steps <= 1000:
        raise DataError(f"steps: expected a number from 1 to 1000, found {steps}")
    outcome = outcome_of(model, text, second=second, target=target, word=word, instead=instead)
    sights = Sights(outcome)
    if outcome.sites and not sights.every:
        outcome.sites, outcome.no_attention = {}, str(IN_WINDOWS.reason)
    words = outcome.words
    notes = list(outcome.notes)
    ways: list[Way] = [name for name in chosen if name in get_args(Way)]  # type: ignore[misc]
    heads = "heads" in chosen and bool(outcome.sites)
    if "heads" in chosen and not outcome.sites:
        notes.append(f"heads: {outcome.no_attention}")
    score, output, measured, by_head = measure(outcome, words, ways, heads=heads, alternatives=alternatives)
    methods = []
    for name in chosen:
        if name in measured:
            own = measured[name]
            methods.append(Method(name, "measured", own.effects, own.instead, own.reason))
        elif name != "heads":
            methods.append(_said(name, outcome, sights, len(words), steps))
    return Causes(
        outcome.texts,
        outcome.said,
        output,
        outcome.measure,
        score,
        tuple(outcome.label(one) for one in words),
        tuple((one.side, one.number) for one in words),
        tuple(outcome.is_special(one) for one in words),
        tuple(methods),
        tuple(by_head),
        tuple(dict.fromkeys(notes)),
    )


def outcome_of(
    model: Any,
    text: str,
    *,
    second: str | None = None,
    target: str | None = None,
    word: Word | None = None,
    instead: str | None = None,
) -> Outcome:
    """What is explained of a model."""
    given_text(text)
    options = {"target": target, "word": word, "instead": instead}
    kinds: tuple[tuple[type, Callable[..., Outcome]], ...] = (
        (Translator, TranslationOutcome),
        (LanguageModel, NextWordOutcome),
    )
    for kind, writes in kinds:
        if isinstance(model, kind):
            refuse({"second": second}, "this model reads one text; leave it out")
            return writes(model, text, **options)
    if isinstance(model, EmbeddingPredictor):
        refuse(options, "a vector has no words and no labels; leave it out")
        if second is None:
            raise DataError("second: what is explained is the cosine with another text; say that")
        return SimilarityOutcome(model, *model.encode([text, given_text(second, "second text")]))
    others: tuple[tuple[type[Predictor[Any, Any, Any, Any, Any]], Callable[..., Outcome]], ...] = (
        (Classifier, LabelOutcome),
        (Tagger, TagOutcome),
        (QuestionAnswerer, AnswerOutcome),
        (FillMask, FilledOutcome),
    )
    for kind, says in others:
        if isinstance(model, kind):
            model.check_pair(is_pair=second is not None)
            texts = (text,) if second is None else (text, given_text(second, "second text"))
            return says(model, model.encode_texts(texts), **options)
    raise DataError(f"causes are not known of a {type(model).__name__}; it is a model of a task of its own")


def _methods(by: str | Sequence[str]) -> tuple[MethodName, ...]:
    names = [by] if isinstance(by, str) else list(by)
    names = list(METHODS) if names == ["all"] else list(dict.fromkeys(names))
    for name in names:
        if name not in METHODS:
            raise DataError(f"by: unknown method '{name}'; {did_you_mean(str(name), METHODS)}")
    if not names:
        raise DataError(f"by: expected one method or more of {', '.join(METHODS)}, found none")
    return tuple(names)  # type: ignore[arg-type]


def _said(name: MethodName, outcome: Outcome, sights: Sights, count: int, steps: int) -> Method:
    """What weights or gradients say of the words."""
    kind: Literal["weight", "gradient"] = (
        "weight" if name in ("attention", "norm", "rollout", "flow") else "gradient"
    )
    detail = None
    try:
        if name == "integrated":
            tokens, lack = integrated_gradients(outcome, steps)
            detail = {"steps": float(steps), "completeness error": lack}
        else:
            tokens = _BY_TOKEN[name](outcome, sights)
    except CannotSayError as why:
        return Method(name, kind, np.full(count, np.nan), reason=str(why))
    return Method(name, kind, _over_words(outcome, tokens), detail=detail)


_BY_TOKEN: dict[str, Callable[[Outcome, Sights], Floats]] = {
    "attention": lambda _, sights: sights.over_words(norms=False),
    "norm": lambda _, sights: sights.over_words(norms=True),
    "rollout": lambda _, sights: sights.sublayers().rollout(),
    "flow": lambda _, sights: sights.sublayers().flow(),
    "gradient": lambda outcome, _: gradient_times_input(outcome),
    "gradient-attention": lambda outcome, _: gradient_times_attention(outcome),
}


def _over_words(outcome: Outcome, tokens: Floats) -> Floats:
    """Sums over the tokens of each word; a token that reaches over two words counts for each by its share."""
    found, first = [], 0
    for side in outcome.sides:
        own = tokens[first : first + len(side.tokens)]
        first += len(side.tokens)
        shares = side.shares()
        found.append((own @ shares.astype(np.float64))[shares.any(axis=0)])
    return np.concatenate(found)
