"""What models write for requests of OpenAI's protocol, before it is told in the shape of an endpoint."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, Literal

from regard.server.protocols.calling import Values, renamed, run
from regard.server.protocols.openai_schemas import WritingRequest
from regard.server.protocols.openai_search import check_most, search_options
from regard.server.protocols.translating import attention_parts, beam_size_of, decoding_of
from regard.server.service import Call, ModelCard, Service, ServiceError
from regard.server.settings import Limits


@dataclass(frozen=True)
class Written:
    """One result of one prompt."""

    text: str
    finish: Literal["stop", "length"]
    tokens: Sequence[Values] = ()
    """With log-probabilities, where those were asked for."""
    count: int = 0
    """Of tokens."""
    attention: Any = None
    """Of the first of several results alone."""


@dataclass(frozen=True)
class Answered:
    """The results of one prompt."""

    results: Sequence[Written]
    prompt_count: int
    """Of its tokens."""
    prompt_tokens: Sequence[Values] = ()


@dataclass
class Usage:
    """Tokens that were read and written."""

    prompt: int = 0
    written: int = 0

    def add(self, answered: Answered) -> None:
        """Count one prompt and its results."""
        self.prompt += answered.prompt_count
        self.written += sum(one.count for one in answered.results)

    def to_dict(self) -> dict[str, int]:
        """As all endpoints tell it."""
        total = self.prompt + self.written
        return {"prompt_tokens": self.prompt, "completion_tokens": self.written, "total_tokens": total}


@dataclass(frozen=True)
class Writer:
    """One model, for one request."""

    service: Service
    card: ModelCard
    asked: WritingRequest
    limits: Limits
    request_id: str
    field: str
    """Where the prompts stand in the request."""
    top: int | None = None
    """How many likely tokens are wanted beside each; None where no log-probability is."""
    most_tokens: int | None = None

    @property
    def translates(self) -> bool:
        """Whether it is a translator."""
        return "translate" in self.card.operations

    def check(self) -> None:
        """Refuse what this model cannot do, before anything is computed."""
        check_most("n", self.asked.count, self.limits.beam_size)
        if not self.translates:
            check_most("max_tokens", self.most_tokens or 0, self.limits.new_tokens)
            return
        for name, value in (("stop", self.asked.stops), ("logprobs", self.top is not None)):
            if value:
                raise ServiceError(
                    400,
                    "unsupported",
                    f"{name} is for language models; {self.card.name} translates",
                    field=name,
                )

    async def answers(self, prompts: Sequence[str]) -> list[Answered]:
        """The results of prompts."""
        if self.translates:
            return [await self._translated(prompt) for prompt in prompts]
        inputs = [{"text": prompt} for prompt in prompts]
        found = await self._run("complete", inputs, self._options())
        return [self._completed(one) for one in found]

    async def pieces(self, prompt: str) -> AsyncGenerator[str | Answered, None]:
        """What is written for one prompt, piece by piece; the results last. Pieces join to the first text.

        What can change until the end comes whole: of a beam, of several results, and with log-probabilities.
        """
        if self.translates or self.asked.count > 1 or self.top is not None:
            (answered,) = await self.answers([prompt])
            yield answered.results[0].text
            yield answered
            return
        call = Call(self.card.name, "complete", [{"text": prompt}], self._options(), self.request_id)
        told = ""
        try:
            async with aclosing(self.service.stream(call)) as events:  # type: ignore[type-var]
                async for event in events:
                    if "result" not in event:
                        told += event["text"]
                        yield event["text"]
                        continue
                    answered = self._completed(event["result"])
                    yield answered.results[0].text[len(told) :]
                    yield answered
        except ServiceError as error:
            raise renamed(error, self.field) from None

    async def _run(self, operation: str, inputs: Sequence[Values], options: Values) -> list[Values]:
        return await run(self.service, self.card, operation, inputs, options, self.request_id, self.field)

    def _options(self) -> dict[str, Any]:
        """What both kinds of models are told."""
        options = search_options(self.asked, samples=not self.translates)
        options["attention"] = self.asked.attention
        if self.asked.count > 1 and options.get("sample") is not False:  # greedy search finds one
            options["n_best"] = self.asked.count
        if self.translates:
            return options
        if self.most_tokens is not None:  # a completion begins with its prompt
            options |= {"max_length_factor": 1.0, "max_length_extra": max(1, self.most_tokens)}
        return options | {"stop": self.asked.stops, "logprobs": self.top}

    def _completed(self, found: Values) -> Answered:
        results = [
            Written(
                one["text"],
                _finish(one),
                one["tokens"],
                len(one["tokens"]),
                found.get("attention") if number == 0 else None,
            )
            for number, one in enumerate(found["written"])
        ]
        if self.most_tokens == 0:
            results = [replace(one, text="", finish="length", tokens=(), count=0) for one in results]
        prompt = found["prompt"]["tokens"]
        return Answered(self._as_many(results), len(prompt), prompt)

    async def _translated(self, text: str) -> Answered:
        count = await self._count(text, "source")
        options = self._options() | self._most_of_a_translation(count)
        if "n_best" not in options:
            options |= {"split": True, "too_long": "split"}
        elif not options.get("sample"):
            options["beam_size"] = max(self.asked.count, beam_size_of(self.card))
        (found,) = await self._run("translate", [{"text": text}], options)
        attention = list(attention_parts(found)) if self.asked.attention else None
        results = [Written(found["text"], _finish(found), count=len(found["tokens"]), attention=attention)]
        for other in found.get("alternatives", ())[: self.asked.count - 1]:
            size = await self._count(other["text"], "target")
            results.append(Written(other["text"], _finish(other), count=size))
        return Answered(self._as_many(results), count)

    def _most_of_a_translation(self, source_tokens: int) -> dict[str, float]:
        """How long it may be, if that is less than its recipe allows; each sentence has its share."""
        most, search = self.most_tokens, decoding_of(self.card)
        factor, extra = search.get("max_length_factor", 2.0), search.get("max_length_extra", 10)
        if most is None or most >= factor * source_tokens + extra:
            return {}
        share = min(self.limits.length_factor, most / max(1, source_tokens))
        return {"max_length_factor": share, "max_length_extra": round(most - share * source_tokens)}

    async def _count(self, text: str, side: str) -> int:
        """How many tokens a text has in a vocabulary."""
        (found,) = await self._run("tokenize", [{"text": text}], {"side": side})
        return len(found["tokens"])

    def _as_many(self, results: Sequence[Written]) -> Sequence[Written]:
        """Greedy search finds the same text however often it is asked."""
        if len(results) == 1 < self.asked.count:
            return [*results, *([replace(results[0], attention=None)] * (self.asked.count - 1))]
        return results


def _finish(found: Values) -> Literal["stop", "length"]:
    return "stop" if found["ended"] else "length"
