"""Operations of models that say something of what they read."""

from collections.abc import Mapping, Sequence
from typing import Any

from regard.server.operations.observer import BatchObserver
from regard.server.operations.options import check_options


def classify(
    model: Any, inputs: Sequence[Mapping[str, Any]], options: Mapping[str, Any], observer: BatchObserver
) -> list[dict[str, Any]]:
    """The label of each text, or pair."""
    del observer
    check_options(options, {"attention"})
    attention = bool(options.get("attention"))
    rows = [
        ("the text", (one["text"], *([one["second"]] if one.get("second") is not None else [])))
        for one in inputs
    ]
    for _, texts in rows:
        model.check_pair(is_pair=len(texts) == 2)
    return [
        without_attention(found.to_dict(), attention)
        for found in model.classify_rows(rows, attention=attention)
    ]


def embed(
    model: Any, inputs: Sequence[Mapping[str, Any]], options: Mapping[str, Any], observer: BatchObserver
) -> list[dict[str, Any]]:
    """The vector of each text."""
    del observer
    check_options(options, {"attention", "normalize", "prompt", "too_long"})
    attention = bool(options.get("attention"))
    lines = [("the text", one["text"]) for one in inputs]
    found = model.embed_lines(
        lines,
        attention=attention,
        normalise=bool(options.get("normalize")),
        prompt=options.get("prompt"),
        too_long=options.get("too_long"),
    )
    return [without_attention(one.to_dict(), attention) for one in found]


def without_attention(values: dict[str, Any], wanted: bool) -> dict[str, Any]:
    """A result, with its attention only where that was asked for."""
    if not wanted:
        values.pop("attention", None)
    return values
