"""What a call may ask for: refused before it waits, with what was found and what is allowed."""

from collections.abc import Mapping
from typing import Any

from regard.server.service import Call, ModelCard, ServiceError
from regard.server.settings import Limits


def check_call(call: Call, card: ModelCard, limits: Limits) -> None:
    """Refuse what the model cannot do, and what is too much."""
    if call.operation not in card.operations:
        can = ", ".join(sorted(card.operations))
        raise ServiceError(
            400, "unsupported", f"this model can {can}; found {call.operation[:32]}", field="model"
        )
    _most("texts", len(call.inputs), limits.texts, "texts")
    for given in call.inputs:
        for name, value in given.items():
            _check_length(name, value, limits)
            _check_characters(name, value)
    for name, value in call.options.items():
        _check_characters(name, value)
    _check_search(call.options, limits, limits.new_tokens if call.operation == "complete" else None)
    _check_phrases(call.options, limits)


def _check_length(name: str, value: Any, limits: Limits) -> None:
    if isinstance(value, str):
        _most(name, len(value), limits.characters, "characters", status=413)
    elif isinstance(value, list):
        _most(name, len(value), limits.characters, "items", status=413)


def _check_characters(name: str, value: Any) -> None:
    """Refuse half a character in a text, wherever it is; JSON can write one, but no model has read any."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise ServiceError(
                422,
                "invalid",
                f"{name}: expected text, found half a character (a lone surrogate) at place {error.start}",
                field=name,
            ) from None
    elif isinstance(value, list | tuple):
        for one in value:
            _check_characters(name, one)
    elif isinstance(value, Mapping):
        for own, one in value.items():
            _check_characters(str(own), one)


def _check_search(options: Mapping[str, Any], limits: Limits, new_tokens: int | None) -> None:
    extra = limits.length_extra if new_tokens is None else new_tokens
    for name, limit in (
        ("beam_size", limits.beam_size),
        ("beam_groups", limits.beam_size),
        ("n_best", limits.beam_size),
        ("min_length", extra),
        ("max_length_extra", extra),
        ("max_length_factor", limits.length_factor),
    ):
        value = options.get(name)
        if value is not None:
            _most(name, value, limit, "")


def _check_phrases(options: Mapping[str, Any], limits: Limits) -> None:
    """Each phrase costs time at every step."""
    wanted = options.get("constraints") or {}
    for name, phrases in (*wanted.items(), ("glossary", options.get("glossary"))):
        if isinstance(phrases, list):
            _most(name, len(phrases), limits.phrases, "phrases")


def _most(field: str, found: float, limit: float, unit: str, *, status: int = 422) -> None:
    if found > limit:
        code = "too_large" if status == 413 else "invalid"
        message = f"{field}: expected at most {limit:,} {unit}".rstrip() + f", found {found:,}"
        raise ServiceError(status, code, message, field=field, limit=limit, found=found)
