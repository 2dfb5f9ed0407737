"""Operations of the models that tag, answer, fill masks and compare texts."""

from collections.abc import Mapping, Sequence
from typing import Any

from regard.server.operations.looking import texts_of
from regard.server.operations.observer import BatchObserver
from regard.server.operations.options import check_options
from regard.server.operations.reading import without_attention
from regard.server.service import Result


def tag(
    model: Any, inputs: Sequence[Mapping[str, Any]], options: Mapping[str, Any], observer: BatchObserver
) -> list[Result]:
    """The tags of each sentence."""
    del observer
    check_options(options, {"attention"})
    attention = bool(options.get("attention"))
    lines = [("the sentence", *texts_of(model, one)) for one in inputs]
    return [
        without_attention(found.to_dict(), attention) for found in model.tag_lines(lines, attention=attention)
    ]


def answer(
    model: Any, inputs: Sequence[Mapping[str, Any]], options: Mapping[str, Any], observer: BatchObserver
) -> list[Result]:
    """The answer to each question, in its text."""
    del observer
    check_options(options, {"attention", "n_best"})
    attention, n_best = bool(options.get("attention")), options.get("n_best") or 1
    questions, texts = zip(*(texts_of(model, one) for one in inputs), strict=True)
    found = model.answer(list(questions), list(texts), n_best=n_best, attention=attention)
    return [without_attention(one.to_dict(), attention) for one in found]


def fill(
    model: Any, inputs: Sequence[Mapping[str, Any]], options: Mapping[str, Any], observer: BatchObserver
) -> list[Result]:
    """The words for the masks of each text."""
    del observer
    check_options(options, {"attention", "n_best"})
    attention, n_best = bool(options.get("attention")), options.get("n_best") or 5
    texts = [texts_of(model, one)[0] for one in inputs]
    found = model.fill(texts, n_best=n_best, attention=attention)
    return [without_attention(one.to_dict(), attention) for one in found]


def similarity(
    model: Any, inputs: Sequence[Mapping[str, Any]], options: Mapping[str, Any], observer: BatchObserver
) -> list[Result]:
    """How near two texts are, and what each pair of their words adds to it."""
    del observer
    check_options(options, {"unit", "prompt"})
    unit, prompt = options.get("unit") or "words", options.get("prompt")
    found: list[Result] = []
    for one in inputs:
        near = model.similarity(one["text"], one["second"], prompt=prompt)
        found.append({**near.to_dict(), "words": near.words(unit).to_dict()})
    return found
