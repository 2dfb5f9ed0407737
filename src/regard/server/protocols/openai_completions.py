"""POST /v1/completions: texts that go on from prompts."""

import time
import uuid
from collections.abc import AsyncGenerator
from typing import Any

from regard.server.protocols.openai_schemas import CompletionRequest
from regard.server.protocols.openai_search import check_most
from regard.server.protocols.openai_tokens import completion_logprobs, prompts_of
from regard.server.protocols.openai_writing import Answered, Usage, Writer, Written
from regard.server.service import ModelCard, Service
from regard.server.settings import Limits

_DEFAULT_TOKENS = 16


class Completions:
    """One request."""

    def __init__(
        self, service: Service, card: ModelCard, asked: CompletionRequest, limits: Limits, request_id: str
    ) -> None:
        most = _DEFAULT_TOKENS if asked.max_tokens is None else asked.max_tokens
        self._writer = Writer(service, card, asked, limits, request_id, "prompt", asked.logprobs, most)
        self._asked, self._card, self._service = asked, card, service
        self._prompts: list[str] = []
        self._head = {
            "id": f"cmpl-{uuid.uuid4().hex}",
            "object": "text_completion",
            "created": int(time.time()),
            "model": card.name,
            "system_fingerprint": card.digest[:12],
        }

    async def prepare(self) -> None:
        """Read the prompts."""
        self._writer.check()
        writer, asked = self._writer, self._asked
        self._prompts = await prompts_of(self._service, self._card, asked.prompt, "prompt", writer.request_id)
        check_most("prompt", len(self._prompts), writer.limits.texts)

    async def answer(self) -> dict[str, Any]:
        """All results."""
        usage = Usage()
        choices: list[dict[str, Any]] = []
        answers = await self._writer.answers(self._prompts)
        for prompt, answered in zip(self._prompts, answers, strict=True):
            usage.add(answered)
            choices += [
                self._choice(len(choices) + number, prompt, answered, one)
                for number, one in enumerate(answered.results)
            ]
        return {**self._head, "choices": choices, "usage": usage.to_dict()}

    async def chunks(self) -> AsyncGenerator[dict[str, Any], None]:
        """The same in pieces, one prompt after the other."""
        usage, index = Usage(), 0
        for prompt in self._prompts:
            if self._asked.echo:
                yield self._chunk(self._piece(index, prompt))
            async for piece in self._writer.pieces(prompt):
                if isinstance(piece, str):
                    if piece:
                        yield self._chunk(self._piece(index, piece))
                    continue
                usage.add(piece)
                for number, one in enumerate(piece.results):
                    told = self._choice(index + number, prompt, piece, one)
                    if number == 0:
                        told["text"] = ""  # it was told already
                    yield self._chunk(told)
                index += len(piece.results)
        if self._asked.stream_options and self._asked.stream_options.include_usage:
            yield {**self._head, "choices": [], "usage": usage.to_dict()}

    def _chunk(self, choice: dict[str, Any]) -> dict[str, Any]:
        return {**self._head, "choices": [choice], "usage": None}

    def _piece(self, index: int, text: str) -> dict[str, Any]:
        return {"index": index, "text": text, "logprobs": None, "finish_reason": None}

    def _choice(self, index: int, prompt: str, answered: Answered, one: Written) -> dict[str, Any]:
        asked, told = self._asked, one.text
        logprobs = None
        if asked.logprobs is not None:
            logprobs = completion_logprobs(
                one.tokens, top=asked.logprobs, start=len(prompt) if asked.echo else 0
            )
        if asked.echo:
            told = prompt + told
            if logprobs is not None:
                before = completion_logprobs(answered.prompt_tokens, top=asked.logprobs or 0, start=0)
                logprobs = {
                    name: None if values is None else [*before[name], *values]
                    for name, values in logprobs.items()
                }
        choice = {"index": index, "text": told, "logprobs": logprobs, "finish_reason": one.finish}
        return choice | ({"attention": one.attention} if asked.attention else {})
