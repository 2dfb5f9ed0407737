"""Lexical constraints: what an output begins with, must have and must not have, in words and in tokens."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from regard.data.lines import read_lines
from regard.decoding.lexical_constraints import (
    UNCONSTRAINED,
    Alternatives,
    Phrase,
    TokenConstraints,
    TokenPhrase,
)
from regard.errors import DataError
from regard.text.tokenizer import BOS, EOS, SPECIAL, UNK, Tokenizer
from regard.text.words import is_mark, is_open

PhraseInput = str | Sequence[str]
"""A phrase; or several of which one is enough."""


@dataclass(frozen=True)
class Constraints:
    """What a translation begins with, must have, and must not have."""

    prefix: str = ""
    """The translation begins with this."""
    must: Sequence[PhraseInput] = ()
    """Words or phrases that must appear, each at the beginning of a word; each is a text, or several texts of
    which one is enough, such as ("school", "School")."""
    must_not: Sequence[str] = ()
    """Words or phrases that must not appear."""

    def __post_init__(self) -> None:
        for name in ("must", "must_not"):
            if isinstance(getattr(self, name), str):
                raise DataError(f"{name} takes a list of phrases, found the text '{getattr(self, name)}'")


class Glossary:
    """Source terms, and what each is to be called."""

    def __init__(self, terms: Iterable[tuple[str, str]]) -> None:
        """Take (source term, target term); several targets of one source term are alternatives."""
        self._targets: dict[str, list[str]] = {}
        for source, target in terms:
            clean = _clean(source)
            if not clean or not _clean(target):
                raise DataError(f"a glossary needs terms on both sides, found '{source}' and '{target}'")
            self._targets.setdefault(clean, []).append(target)
        longest_first = sorted(self._targets, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(_as_pattern, longest_first)) or r"(?!)")

    @classmethod
    def read(cls, path: str | Path) -> "Glossary":
        """A file of two columns, tab separated: a source term and its target term a line."""
        terms = []
        for where, line in read_lines(Path(path)):
            if not line.strip():
                continue
            cells = line.split("\t")
            if len(cells) != 2 or not all(cell.strip() for cell in cells):
                raise DataError(
                    f"{where}: expected a source term, a tab and a target term, found {line[:60]!r}"
                )
            terms.append((cells[0], cells[1]))
        return cls(terms)

    def __len__(self) -> int:
        return len(self._targets)

    def wanted(self, source: str) -> tuple[tuple[str, ...], ...]:
        """The target terms that a source sentence asks for, each with its alternatives.

        A term stands at the beginning of a word. After one that ends in Hangul, anything may follow in the
        word: 학교 is in 학교에서; after another, Hangul may: API is in API를, but not in APIs. Where terms
        overlap, the first counts, and of those that begin together the longest.
        """
        text = unicodedata.normalize("NFC", source)
        found = dict.fromkeys(_clean(match.group()) for match in self._pattern.finditer(text))
        return tuple(dict.fromkeys(tuple(self._targets[term]) for term in found))


class PhraseTokenizer:
    """The tokens of phrases as they stand inside an output."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer

    def prefix(self, text: str) -> Phrase:
        """The tokens that an output begins with."""
        tokens = self._tokenizer.encode(text).ids
        if UNK in tokens:
            raise DataError(f"the vocabulary cannot encode the prefix '{text}'; begin with other words")
        return tokens

    def must(self, text: str) -> Alternatives:
        """A phrase that must appear: at the beginning of a word."""
        clean = self._clean(text)
        after_space, first = self._after_space(clean), self._tokenizer.encode(clean).ids
        if UNK in after_space:
            raise DataError(
                f"'{text}' must appear, but the vocabulary cannot encode it; leave it out, or use other words"
            )
        closed = not is_open(clean)
        spellings = self._with_more([after_space], clean)
        if first != after_space and len(first) + 1 >= len(after_space):
            spellings += self._with_more([(BOS, *first)], clean)
        return tuple(TokenPhrase(tokens, closed) for tokens in spellings)

    def must_not(self, text: str) -> tuple[Phrase, ...]:
        """A phrase that must not appear: after a space, at the beginning, or after a punctuation mark."""
        clean = self._clean(text)
        after_space, first = self._after_space(clean), self._tokenizer.encode(clean).ids
        after_mark = _from(self._tokenizer, "(" + clean, 1)
        spellings = [after_space, *([(BOS, *first)] if first != after_space else [])]
        spellings += [(mark, *after_mark) for mark in self._marks]
        spellings = self._with_more([s for s in dict.fromkeys(spellings) if UNK not in s], clean)
        return tuple(dict.fromkeys(spellings))

    def _with_more(self, spellings: list[Phrase], text: str) -> list[Phrase]:
        """Also those whose last token is longer: ▁학교에서 for 학교, where a word may continue."""
        if not is_open(text) or is_mark(text[-1]):
            return spellings
        longer: list[Phrase] = []
        for tokens in spellings:
            for start in range(1 if tokens[0] == BOS else 0, len(tokens)):
                end = "".join(self._texts[token] for token in tokens[start:])
                longer += [(*tokens[:start], token) for token in self._beginning_with(end)]
        return [*spellings, *longer]

    def _beginning_with(self, text: str) -> list[int]:
        """Tokens that write a text and more."""
        return [t for t, own in enumerate(self._texts) if own.startswith(text) and own != text]

    @cached_property
    def borders(self) -> frozenset[int]:
        """Tokens that begin a new word, and </s>."""
        starts = (t for t, text in enumerate(self._texts) if text[:1].isspace() or is_mark(text[:1]))
        return frozenset({*starts, EOS})

    @cached_property
    def _marks(self) -> list[int]:
        """Tokens after which a word may begin without a space."""
        return [token for token, text in enumerate(self._texts) if is_mark(text[-1:])]

    @cached_property
    def _texts(self) -> list[str]:
        """What each token writes after another one; nothing for special symbols."""
        decode, own = self._tokenizer.decode, range(len(SPECIAL), len(self._tokenizer))
        another = next((token for token in own if decode([token]).text.text), UNK)
        begun = len(decode([another]).text.text)
        return ["" if t not in own else decode([another, t]).text.text[begun:] for t in range(own.stop)]

    def _after_space(self, text: str) -> Phrase:
        return _from(self._tokenizer, "( " + text, 1)

    def _clean(self, text: str) -> str:
        clean = _clean(text)
        if not self._tokenizer.encode(clean).ids:
            raise DataError("expected a word or a phrase that must or must not appear, found an empty text")
        return clean


def _from(tokenizer: Tokenizer, text: str, start: int) -> Phrase:
    """The tokens of a text that write the characters from `start` on."""
    encoded = tokenizer.encode(text)
    return tuple(t for t, span in zip(encoded.ids, encoded.spans, strict=True) if span[1] > start)


@dataclass(frozen=True)
class TokenisedConstraints:
    """The constraints of one sentence: in tokens, and how to name them."""

    tokens: TokenConstraints = UNCONSTRAINED
    names: tuple[str, ...] = ()
    """Of each phrase that must appear."""


def each_constraints(
    constraints: Constraints | Sequence[Constraints] | None, count: int, *, decoder_only: bool
) -> list[Constraints]:
    """The constraints of each input; where an output begins with its input, they have no prefix."""
    if constraints is None or isinstance(constraints, Constraints):
        found = [constraints or Constraints()] * count
    elif len(constraints) == count:
        found = list(constraints)
    else:
        raise DataError(f"expected constraints for {count} sentences, found {len(constraints)}")
    if decoder_only and any(own.prefix for own in found):
        raise DataError("the text itself is what is gone on with; leave out the prefix")
    return found


def tokenise_constraints(
    sources: Sequence[str],
    constraints: Sequence[Constraints],
    glossary: Glossary | None,
    phrases: PhraseTokenizer,
) -> list[TokenisedConstraints]:
    """The constraints of each sentence in tokens, with those that a glossary asks for."""
    made: dict[tuple[object, ...], TokenisedConstraints] = {}
    found = []
    for source, own in zip(sources, constraints, strict=True):
        must = (*own.must, *(glossary.wanted(source) if glossary is not None else ()))
        alternatives = tuple((m,) if isinstance(m, str) else tuple(m) for m in must)
        key = own.prefix, alternatives, tuple(own.must_not)
        if key not in made:  # sentences mostly share their constraints
            made[key] = _tokenized(*key, phrases) if any(key) else TokenisedConstraints()
        found.append(made[key])
    return found


def _tokenized(
    prefix: str, must: tuple[tuple[str, ...], ...], must_not: tuple[str, ...], phrases: PhraseTokenizer
) -> TokenisedConstraints:
    forbidden = tuple(tokens for text in must_not for tokens in phrases.must_not(text))
    names = tuple(" | ".join(texts) for texts in must)
    wanted = [
        _possible(tuple(s for text in texts for s in phrases.must(text)), forbidden, name)
        for texts, name in zip(must, names, strict=True)
    ]
    return TokenisedConstraints(TokenConstraints(phrases.prefix(prefix), tuple(wanted), forbidden), names)


def _possible(spellings: Alternatives, forbidden: Sequence[Phrase], name: str) -> Alternatives:
    """The tokenisations that have no forbidden phrase in them."""
    free = tuple(s for s in spellings if not any(_holds(s.tokens, phrase) for phrase in forbidden))
    if not free:
        raise DataError(f"'{name}' must appear, but a phrase in it must not; choose one")
    return free


def _holds(tokens: Phrase, part: Phrase) -> bool:
    size = len(part)
    return any(tokens[start : start + size] == part for start in range(len(tokens) - size + 1))


def _clean(term: str) -> str:
    return " ".join(unicodedata.normalize("NFC", term).split())


def _as_pattern(term: str) -> str:
    words = r"\s+".join(map(re.escape, term.split()))
    return rf"(?<!\w){words}" if is_open(term) else rf"(?<!\w){words}(?![^\W가-힣])"
