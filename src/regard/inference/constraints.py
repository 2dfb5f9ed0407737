"""What a user wants in a translation, in words; and the same in tokens."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from regard.decoding.constraints import FREE, TokenConstraints
from regard.decoding.must import Alternatives, Phrase
from regard.errors import DataError
from regard.inference.glossary import Glossary
from regard.inference.interventions import SentenceEdits
from regard.inference.phrases import Speller

Wish = str | Sequence[str]
"""A phrase; or several of which one is enough."""


@dataclass(frozen=True)
class Constraints:
    """What a translation begins with, must have, and must not have."""

    prefix: str = ""
    """The translation begins with this."""
    must: Sequence[Wish] = ()
    """Words or phrases that must appear, each at the beginning of a word; each is a text, or several texts of
    which one is enough, such as ("school", "School")."""
    must_not: Sequence[str] = ()
    """Words or phrases that must not appear."""

    def __post_init__(self) -> None:
        for name in ("must", "must_not"):
            if isinstance(getattr(self, name), str):
                raise DataError(f"{name} takes a list of phrases, found the text '{getattr(self, name)}'")


@dataclass(frozen=True)
class Wishes:
    """The wishes of one sentence: in tokens, and how to name them."""

    tokens: TokenConstraints = FREE
    must: tuple[str, ...] = ()
    """A name for each phrase that must appear."""


def each(constraints: Constraints | Sequence[Constraints] | None, count: int) -> list[Constraints]:
    """The constraints of each sentence."""
    if constraints is None or isinstance(constraints, Constraints):
        return [constraints or Constraints()] * count
    if len(constraints) != count:
        raise DataError(f"expected constraints for {count} sentences, found {len(constraints)}")
    return list(constraints)


def with_prefixes(
    constraints: Sequence[Constraints], edited: Sequence[SentenceEdits] | None
) -> Sequence[Constraints]:
    """The same with the prefixes that edits force."""
    if edited is None:
        return constraints
    for own, change in zip(constraints, edited, strict=True):
        if own.prefix and change.prefix:
            raise DataError(f"two prefixes, '{own.prefix}' and '{change.prefix}' of an edit; choose one")
    return [
        replace(own, prefix=change.prefix) if change.prefix else own
        for own, change in zip(constraints, edited, strict=True)
    ]


def wishes_of(
    sources: Sequence[str],
    constraints: Sequence[Constraints],
    glossary: Glossary | None,
    speller: Speller,
) -> list[Wishes]:
    """The wishes of each sentence."""
    spelt: dict[tuple[object, ...], Wishes] = {}
    wishes = []
    for source, own in zip(sources, constraints, strict=True):
        must = (*own.must, *(glossary.wanted(source) if glossary is not None else ()))
        alternatives = tuple((m,) if isinstance(m, str) else tuple(m) for m in must)
        key = own.prefix, alternatives, tuple(own.must_not)
        if key not in spelt:
            spelt[key] = _spell(*key, speller)
        wishes.append(spelt[key])
    return wishes


def _spell(
    prefix: str, must: tuple[tuple[str, ...], ...], must_not: tuple[str, ...], speller: Speller
) -> Wishes:
    if not prefix and not must and not must_not:
        return Wishes()
    forbidden = tuple(tokens for text in must_not for tokens in speller.must_not(text))
    names = tuple(" | ".join(texts) for texts in must)
    wanted = [
        _possible(tuple(s for text in texts for s in speller.must(text)), forbidden, name)
        for texts, name in zip(must, names, strict=True)
    ]
    return Wishes(TokenConstraints(speller.prefix(prefix), tuple(wanted), forbidden), names)


def _possible(spellings: Alternatives, forbidden: Sequence[Phrase], name: str) -> Alternatives:
    """The spellings that have no forbidden phrase in them."""
    free = tuple(s for s in spellings if not any(_holds(s.tokens, phrase) for phrase in forbidden))
    if not free:
        raise DataError(f"'{name}' must appear, but a phrase in it must not; choose one")
    return free


def _holds(tokens: Phrase, part: Phrase) -> bool:
    size = len(part)
    return any(tokens[start : start + size] == part for start in range(len(tokens) - size + 1))
