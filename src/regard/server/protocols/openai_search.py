"""How a model is to search, from what OpenAI's protocol says of it."""

import secrets
from typing import Any

from regard.server.protocols.openai_schemas import WritingRequest
from regard.server.service import ServiceError

GREEDY: dict[str, Any] = {
    "sample": False,
    "beam_size": 1,
    "beam_groups": 1,
    "temperature": 1.0,
    "top_k": 0,
    "top_p": 1.0,
    "seed": 0,
}
"""Whatever the recipe says."""


def search_options(asked: WritingRequest, *, samples: bool) -> dict[str, Any]:
    """The options of an operation that writes, besides those of the length.

    samples: whether the model draws where nothing is said of it
    """
    if asked.temperature == 0 or asked.top_p == 0:
        return dict(GREEDY)
    if not samples and asked.temperature is None and asked.top_p is None:
        return {}
    seed = secrets.randbits(63) if asked.seed is None else asked.seed
    drawn: dict[str, Any] = {"sample": True, "beam_groups": 1, "coverage_beta": 0.0, "top_k": 0}
    drawn["temperature"] = 1.0 if asked.temperature is None else asked.temperature
    drawn["top_p"] = 1.0 if asked.top_p is None else asked.top_p
    return {**drawn, "seed": seed}


def check_most(field: str, found: int, limit: int) -> None:
    """Refuse more than the service gives."""
    if found > limit:
        raise ServiceError(
            400,
            "invalid",
            f"{field}: expected at most {limit:,}, found {found:,}",
            field=field,
            limit=limit,
            found=found,
        )
