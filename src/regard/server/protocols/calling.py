"""What every protocol does with the service: find a model, and ask it."""

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import Request

from regard.server.service import Blob, Call, ModelCard, Service, ServiceError

Values = Mapping[str, Any]


def request_id_of(request: Request) -> str:
    """What the service calls a request, in its log and in its answers."""
    return str(request.scope.get("request_id", ""))


def model_named(service: Service, name: str, field: str = "model") -> ModelCard:
    """The model that a request names."""
    card = service.models.get(name)
    if card is None:
        served = ", ".join(service.models)
        raise ServiceError(404, "not_found", f"no model is called so; served are {served}", field=field)
    return card


def first_model(service: Service, *operations: str) -> ModelCard:
    """The first model that can do one of some things, for requests that name none."""
    for card in service.models.values():
        if not card.operations.isdisjoint(operations):
            return card
    wanted = " or ".join(operations)
    raise ServiceError(400, "unsupported", f"no model is served that can {wanted}", field="model")


def check_can(card: ModelCard, operation: str, instead: str = "") -> None:
    """Refuse what a model cannot do.

    instead: what to do then
    """
    if operation not in card.operations:
        can = ", ".join(sorted(card.operations))
        raise ServiceError(
            400,
            "unsupported",
            f"{card.name} is a model for {card.task}, and cannot {operation}; it can {can}{instead}",
            field="model",
        )


async def run(
    service: Service,
    card: ModelCard,
    operation: str,
    inputs: Sequence[Values],
    options: Values,
    request_id: str,
    field: str = "",
) -> list[Values]:
    """The results of an operation, as plain values.

    field: what the protocol calls the texts
    """
    try:
        found = await service.run(Call(card.name, operation, inputs, options, request_id))
    except ServiceError as error:
        raise renamed(error, field) from None
    return [one.about if isinstance(one, Blob) else one for one in found]


def renamed(error: ServiceError, field: str) -> ServiceError:
    """An error in a text, with the name that the protocol has for it."""
    if not field or error.field not in ("text", "second", "texts", "ids"):
        return error
    return ServiceError(
        error.status,
        error.code,
        error.message.replace(f"{error.field}:", f"{field}:", 1),
        field=field,
        limit=error.limit,
        found=error.found,
        retry_after=error.retry_after,
    )


async def run_in_parts(
    service: Service,
    card: ModelCard,
    operation: str,
    inputs: Sequence[Values],
    options: Values,
    request_id: str,
    *,
    most: int,
) -> list[Values]:
    """The same for the parts of one text, of which there may be more than a request may have texts."""
    found: list[Values] = []
    for first in range(0, len(inputs), most):
        part = inputs[first : first + most]
        found += await run(service, card, operation, part, options, request_id)
    return found


def check_length(text: str, limit: int, field: str) -> None:
    """Refuse a text that is too long, where the parts of it alone are what a model is given."""
    if len(text) > limit:
        raise ServiceError(
            413,
            "too_large",
            f"{field}: expected at most {limit:,} characters, found {len(text):,}",
            field=field,
            limit=limit,
            found=len(text),
        )
