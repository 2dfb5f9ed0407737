"""Texts, HTML and documents through one translator, and what LibreTranslate answers of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from regard.server.protocols.calling import Values, run, run_in_parts
from regard.server.protocols.hypertext import pieces
from regard.server.service import ModelCard, Service, ServiceError
from regard.server.settings import Limits
from regard.text.markup import without_tags

_PARAGRAPHS = {"split": True, "too_long": "split"}


@dataclass(frozen=True)
class Translated:
    """One text."""

    text: str
    alternatives: tuple[str, ...] = ()
    parts: tuple[Values, ...] = ()
    """Each sentence with its translation and the attention between their words, where that was asked for."""


class TextTranslator:
    """One translator, for one request."""

    def __init__(self, service: Service, card: ModelCard, limits: Limits, request_id: str) -> None:
        self._service, self._card, self._limits, self._request_id = service, card, limits, request_id

    async def texts(
        self, texts: Sequence[str], *, alternatives: int = 0, attention: bool = False
    ) -> list[Translated]:
        """Texts that are no HTML, each sentence by itself."""
        options: dict[str, Any] = {**_PARAGRAPHS, "attention": attention}
        if alternatives:
            options["n_best"] = alternatives + 1
            if alternatives >= beam_size_of(self._card):
                options["beam_size"] = alternatives + 1
        inputs = [{"text": text} for text in texts]
        found = await run(self._service, self._card, "translate", inputs, options, self._request_id)
        return [
            Translated(
                one["text"],
                # Alternatives have no place for tags.
                () if without_tags(text)[1] else _alternatives(one, alternatives),
                attention_parts(one) if attention else (),
            )
            for text, one in zip(texts, found, strict=True)
        ]

    async def html(self, texts: Sequence[str], *, attention: bool = False) -> list[Translated]:
        """HTML: what is between its blocks, with the tags inside of it."""
        documents = [pieces(text) for text in texts]
        inputs = [{"text": piece.text} for document in documents for piece in document if piece.text]
        found = iter(await self._in_parts(inputs, attention=attention))
        translated = []
        for document in documents:
            written = ""
            parts: list[Values] = []
            for piece in document:
                if piece.text:
                    one = next(found)
                    written += piece.translated(one["text"])
                    parts += attention_parts(one) if attention else ()
                else:
                    written += piece.written
            translated.append(Translated(written, parts=tuple(parts)))
        return translated

    async def document(self, text: str) -> str:
        """A long text; empty lines, and the space at its ends, stay."""
        chunks = list(_chunks(text, self._limits.characters))
        found = await self._in_parts([{"text": chunk} for chunk in chunks if chunk.strip()], attention=False)
        left = iter(found)
        return "".join(
            chunk[: len(chunk) - len(chunk.lstrip())] + next(left)["text"] + chunk[len(chunk.rstrip()) :]
            if chunk.strip()
            else chunk
            for chunk in chunks
        )

    async def _in_parts(self, inputs: Sequence[Values], *, attention: bool) -> list[Values]:
        options = {**_PARAGRAPHS, "attention": attention}
        most = self._limits.texts
        return await run_in_parts(
            self._service, self._card, "translate", inputs, options, self._request_id, most=most
        )


def beam_size_of(card: ModelCard) -> int:
    """How many hypotheses a translator keeps where nobody says it; 1 if its recipe does not tell."""
    return int(decoding_of(card).get("beam_size", 1))


def decoding_of(card: ModelCard) -> Values:
    """How a model searches where nobody says it."""
    recipe = card.about.get("recipe") or {}
    return recipe.get("decoding") or {}


def _chunks(text: str, most: int) -> Iterator[str]:
    """Lines, as many together as a text may have characters."""
    chunk = ""
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        if len(line) > most:
            raise ServiceError(
                413,
                "too_large",
                f"line {number:,}: expected at most {most:,} characters, found {len(line):,}",
                field="file",
                limit=most,
                found=len(line),
            )
        if len(chunk) + len(line) > most:
            yield chunk
            chunk = ""
        chunk += line
    if chunk:
        yield chunk


def _parts_of(result: Values) -> list[Values]:
    """A text was translated as a whole, or in sentences; without words, it has no parts."""
    if "parts" in result:
        return list(result["parts"])
    return [result]


def attention_parts(result: Values) -> tuple[Values, ...]:
    """The sentences of a text, each with its translation and the attention between their words."""
    return tuple(
        {name: part[name] for name in ("source", "text", "attention") if name in part}
        for part in _parts_of(result)
    )


def _alternatives(result: Values, most: int) -> tuple[str, ...]:
    """Other translations: the next best of each sentence together, and so on; each once."""
    text, parts, gaps, place = result["text"], _parts_of(result), [], 0
    for part in parts:
        start = text.find(part["text"], place)
        if start < 0:
            return ()
        gaps.append(text[place:start])
        place = start + len(part["text"])
    found: dict[str, None] = {}
    for number in range(most):
        others = [
            [one["text"] for one in part.get("alternatives", ())][number : number + 1] for part in parts
        ]
        if not any(others):
            break
        chosen = [other[0] if other else part["text"] for other, part in zip(others, parts, strict=True)]
        found["".join(gap + one for gap, one in zip(gaps, chosen, strict=True))] = None
    found.pop(text, None)
    return tuple(found)
