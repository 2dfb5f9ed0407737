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
            400, "unsupported", f"this model can {can}, and {call.operation} is none of it", field="model"
        )
    _most("texts", len(call.inputs), limits.texts, "texts", 422)
    for given in call.inputs:
        for name, value in given.items():
            _check_value(name, value, limits)
    options = call.options
    beam, n_best = options.get("beam_size"), options.get("n_best")
    if isinstance(beam, int):
        _most("beam_size", beam, limits.beam_size, "hypotheses", 422)
    if isinstance(n_best, int):
        _most("n_best", n_best, limits.beam_size, "results", 422)


def _check_value(name: str, value: Any, limits: Limits) -> None:
    if isinstance(value, str):
        _most(name, len(value), limits.characters, "characters", 413)
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise ServiceError(
                422,
                "invalid",
                f"expected text, found half a character (a lone surrogate) at place {error.start}",
                field=name,
            ) from None
    elif isinstance(value, list):
        _most(name, len(value), limits.characters, "items", 413)


def _most(field: str, found: int, limit: int, unit: str, status: int) -> None:
    if found > limit:
        code = "too_large" if status == 413 else "invalid"
        message = f"{field}: expected at most {limit:,} {unit}, found {found:,}"
        raise ServiceError(status, code, message, field=field, limit=limit, found=found)


def found_in(options: Mapping[str, Any], name: str, default: int) -> int:
    """A number among the options."""
    value = options.get(name)
    return value if isinstance(value, int) else default
