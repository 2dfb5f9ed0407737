"""Prompts that are given as tokens, and log-probabilities of tokens."""

from collections.abc import Sequence
from typing import Any

from regard.server.protocols.calling import Values, run
from regard.server.protocols.openai_schemas import Texts
from regard.server.service import ModelCard, Service, ServiceError


async def prompts_of(
    service: Service, card: ModelCard, given: Texts | None, field: str, request_id: str
) -> list[str]:
    """The texts of a request; those in tokens are written out.

    The model would cut a text into tokens of its own, so tokens that it would not choose are refused.
    """
    if given is None or isinstance(given, str):
        return [given or ""]
    if not given:
        raise ServiceError(400, "invalid", f"{field}: expected a text or more, found none", field=field)
    if isinstance(given[0], str):
        return [text for text in given if isinstance(text, str)]
    rows = [[token for token in given if isinstance(token, int)]] if isinstance(given[0], int) else given
    ids = [list(row) for row in rows if isinstance(row, list)]
    decoded = await run(service, card, "decode", [{"ids": row} for row in ids], {}, request_id, field)
    texts = [str(one["text"]) for one in decoded]
    again = await run(service, card, "tokenize", [{"text": text} for text in texts], {}, request_id, field)
    for row, one in zip(ids, again, strict=True):
        if [token["id"] for token in one["tokens"] if not token["special"]] != row:
            raise ServiceError(
                400,
                "unsupported",
                f"{field}: the model would cut the text of these tokens into others; send it as text",
                field=field,
            )
    return texts


def completion_logprobs(tokens: Sequence[Values], *, top: int, start: int) -> dict[str, Any]:
    """As /v1/completions tells them.

    top:   how many of the likeliest tokens are wanted
    start: where the first token begins in what is answered
    """
    first = tokens[0]["start"] if tokens else 0
    return {
        "tokens": [token["text"] for token in tokens],
        "token_logprobs": [token["log_probability"] for token in tokens],
        "top_logprobs": [dict(token["top"]) for token in tokens] if top else None,
        "text_offset": [start + token["start"] - first for token in tokens],
    }


def chat_logprobs(tokens: Sequence[Values]) -> dict[str, Any]:
    """As /v1/chat/completions tells them."""
    return {
        "content": [
            {
                **_of_token(token["text"], token["log_probability"]),
                "top_logprobs": [_of_token(*other) for other in token["top"]],
            }
            for token in tokens
        ],
        "refusal": None,
    }


def _of_token(text: str, log_probability: float) -> dict[str, Any]:
    return {"token": text, "logprob": log_probability, "bytes": list(text.encode())}
