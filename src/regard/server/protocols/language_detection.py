"""The language of a text, among those that are served.

Two steps. The letters of a text say which languages it can be in: those that are written in the script of
most of them. Where several are left, as for Latin letters, the vocabularies of the models decide: that of
its own language writes a text in fewer tokens. A confidence is the share of the letters that are of the
scripts of a language, times its share in what the vocabularies say. It is no probability, and languages
that are not served are not considered.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from regard.server.protocols.calling import run
from regard.server.protocols.language_names import scripts_of
from regard.server.service import ModelCard, Service
from regard.text.scripts import script_of

READ = 1_000
"""Characters that are looked at: more say nothing new."""
SHARPNESS = 4
"""The power of letters a token: in half of the tokens is 16 times the weight."""


@dataclass(frozen=True)
class Detected:
    """A language that a text may be in."""

    language: str
    confidence: float
    """From 0 to 100."""


async def detect_language(service: Service, texts: Sequence[str], request_id: str) -> list[Detected]:
    """Languages of the served translators that texts may be in, the likeliest first; at least one.

    Texts without letters are in the first language, with no confidence.
    """
    sides = served_sides(service)
    text = " ".join(texts)[:READ]
    counts = Counter(script for letter in text if (script := script_of(letter)))
    letters = sum(counts.values())
    shares = {code: sum(counts[script] for script in scripts_of(code)) / max(1, letters) for code in sides}
    best = max(shares.values(), default=0.0)
    if not best:
        return [Detected(code, 0.0) for code in list(sides)[:1]]
    likely = [code for code, share in shares.items() if share == best]
    weights = dict.fromkeys(likely, 1.0)
    if len(likely) > 1:
        found = await asyncio.gather(
            *(_letters_a_token(service, *sides[code], text, letters, request_id) for code in likely)
        )
        weights = {code: value**SHARPNESS for code, value in zip(likely, found, strict=True)}
    total = sum(weights.values())
    detected = [Detected(code, round(100 * best * weight / total, 1)) for code, weight in weights.items()]
    detected += [Detected(code, round(100 * share, 1)) for code, share in shares.items() if 0 < share < best]
    return sorted(detected, key=lambda one: -one.confidence)


def served_sides(service: Service) -> dict[str, tuple[ModelCard, str]]:
    """The languages of all translators, each with a model and the side of it that is in this language."""
    sides: dict[str, tuple[ModelCard, str]] = {}
    for card in translators(service):
        sides.setdefault(str(card.source), (card, "source"))
    for card in translators(service):
        sides.setdefault(str(card.target), (card, "target"))
    return sides


def translators(service: Service) -> list[ModelCard]:
    """The models that translate, in their order."""
    return [card for card in service.models.values() if card.source and card.target]


async def _letters_a_token(
    service: Service, card: ModelCard, side: str, text: str, letters: int, request_id: str
) -> float:
    """How well the vocabulary of a side fits."""
    (found,) = await run(service, card, "tokenize", [{"text": text}], {"side": side}, request_id)
    return letters / max(1, len(found["tokens"]))
