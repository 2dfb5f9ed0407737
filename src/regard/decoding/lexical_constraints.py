"""Lexical constraints: dynamic beam allocation (Post and Vilar 2018)."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from regard.decoding.hypothesis import SearchLimits
from regard.decoding.rules import NEVER

Phrase = tuple[int, ...]


class TokenPhrase(NamedTuple):
    """A phrase in tokens."""

    tokens: Phrase
    closed: bool = False
    """It counts only if a new word, or the end, follows: `cat` is not in `cat|egory`."""


Alternatives = tuple[TokenPhrase, ...]
"""Tokenisations of one phrase; any of them will do."""


class Candidate(NamedTuple):
    """A hypothesis and its next token."""

    total: float
    origin: int
    token: int


MatchState = tuple[tuple[int, ...] | None, ...]
"""For each phrase, how much of each tokenisation stands at the end of a hypothesis; None = it is met."""


class PhraseMatcher:
    """The constraints of one sentence, and how much of each a hypothesis has. Phrases may overlap."""

    def __init__(self, phrases: Sequence[Alternatives], bos: int, borders: Container[int]) -> None:
        self._phrases = [[_PhraseAutomaton(spelling) for spelling in phrase] for phrase in phrases]
        self._least = [min(len(spelling.tokens) for spelling in phrase) for phrase in phrases]
        self._borders = borders
        self.nothing = self.after(tuple((0,) * len(phrase) for phrase in phrases), bos)
        """What is matched at the beginning."""

    def after(self, matched: MatchState, token: int) -> MatchState:
        """What is matched after one more token."""
        is_border = token in self._borders
        return tuple(
            None if places is None else _moved(finders, places, token, is_border)
            for finders, places in zip(self._phrases, matched, strict=True)
        )

    def missing(self, matched: MatchState) -> int:
        """How many tokens are still needed, at least, when the phrase that is furthest is continued.

        It can be made smaller by one: by the next token of that phrase. A phrase that only waits for the end
        of its word needs none.
        """
        missing, furthest = 0, 0
        for finders, places, least in zip(self._phrases, matched, self._least, strict=True):
            if places is not None:
                need = min(len(finder.tokens) - place for finder, place in zip(finders, places, strict=True))
                missing += least if need else 0
                furthest = max(furthest, least - need if need else 0)
        return missing - furthest

    def next_tokens(self, matched: MatchState) -> set[int]:
        """Tokens that begin a missing phrase or continue it."""
        return {
            finder.tokens[place]
            for finders, places in zip(self._phrases, matched, strict=True)
            if places is not None
            for finder, place in zip(finders, places, strict=True)
            if place < len(finder.tokens)
        }

    def waits(self, matched: MatchState) -> bool:
        """Whether a phrase waits for the end of its word."""
        return any(
            place == len(finder.tokens)
            for finders, places in zip(self._phrases, matched, strict=True)
            if places is not None
            for finder, place in zip(finders, places, strict=True)
        )


class _PhraseAutomaton:
    """Finds a phrase in a sequence of tokens, one at a time (Knuth, Morris and Pratt 1977)."""

    def __init__(self, spelling: TokenPhrase) -> None:
        self.tokens, self.closed = spelling
        self._fall_back = [0] * (len(self.tokens) + 1)  # the longest end of tokens[:i] that is a beginning
        for end in range(2, len(self.tokens) + 1):
            self._fall_back[end] = self.after(self._fall_back[end - 1], self.tokens[end - 1])

    def after(self, place: int, token: int) -> int:
        """How many tokens match after this one, when `place` did before it."""
        while place and (place == len(self.tokens) or self.tokens[place] != token):
            place = self._fall_back[place]
        return place + (self.tokens[place] == token)


def _moved(
    finders: Sequence[_PhraseAutomaton], places: tuple[int, ...], token: int, is_border: bool
) -> tuple[int, ...] | None:
    """The matches after one more token; None where that makes the phrase complete."""
    moved = []
    for finder, place in zip(finders, places, strict=True):
        if place == len(finder.tokens) and is_border:
            return None
        moved.append(finder.after(place, token))
        if moved[-1] == len(finder.tokens) and not finder.closed:
            return None
    return tuple(moved)


@dataclass(frozen=True, slots=True)
class BeamAllocation:
    """What dynamic beam allocation has chosen for one sentence at one step."""

    ending: list[Candidate]
    going_on: list[Candidate]
    """Best first."""


class LexicalConstraints:
    """The constraints of every sentence that has some, and what each hypothesis of its beam has met."""

    def __init__(self, phrases: Sequence[Sequence[Alternatives]], limits: SearchLimits) -> None:
        self._wanted = {
            number: PhraseMatcher(own, limits.bos, limits.borders)
            for number, own in enumerate(phrases)
            if own
        }
        self._beams = {number: [wanted.nothing] for number, wanted in self._wanted.items()}
        self._eos = limits.eos
        self._borders = torch.tensor(sorted(limits.borders), dtype=torch.long)

    def __contains__(self, sentence: int) -> bool:
        return sentence in self._wanted

    def choose(self, sentence: int, totals: Tensor, steps: Tensor, size: int) -> BeamAllocation:
        """Choose `size` candidates that continue, and those that end.

        totals: (w,) of the hypotheses in the beam
        steps:  (w, v) what each token would add; -inf = it is forbidden

        Candidates are put into banks by the tokens that they still need. The slots of the beam are allocated
        evenly, from the bank that needs least. So whatever the model prefers, each step brings the best
        bank one token further, until all constraints are met; only then may a sentence end.
        """
        wanted = self._wanted[sentence]
        banks: dict[int, list[Candidate]] = {}
        for candidate, missing in self._candidates(sentence, wanted, totals, steps, size):
            banks.setdefault(missing, []).append(candidate)
        ranked = [sorted(banks[missing], reverse=True) for missing in sorted(banks)]
        live = [[c for c in bank if c.token != self._eos] for bank in ranked]
        slots = _allocate(size, [len(bank) for bank in live])
        going = sorted((c for bank, n in zip(live, slots, strict=True) for c in bank[:n]), reverse=True)
        ending = []
        if 0 in banks:  # an ending counts if it ranks before the last slot of its bank
            last = live[0][slots[0] - 1].total if slots[0] else NEVER
            ending = [c for c in ranked[0] if c.token == self._eos and c.total >= last][:size]
        return BeamAllocation(ending, going)

    def _candidates(
        self, sentence: int, wanted: PhraseMatcher, totals: Tensor, steps: Tensor, size: int
    ) -> list[tuple[Candidate, int]]:
        """The best tokens of each hypothesis, </s> where all is there, and the tokens of missing phrases."""
        found = []
        _, best = steps.topk(min(size + 1, steps.shape[1]), dim=1)
        for origin, (total, tokens) in enumerate(zip(totals.tolist(), best.tolist(), strict=True)):
            if total == NEVER:
                continue
            matched = self._beams[sentence][origin]
            missing = wanted.missing(matched)
            options = {*tokens, *wanted.next_tokens(matched), self._eos}
            if wanted.waits(matched):
                options.update(self._best_borders(steps[origin], size))
            places = sorted(options)
            for token, gain in zip(places, steps[origin, places].tolist(), strict=True):
                if gain != NEVER:
                    # </s> needs what its hypothesis needs, and ends it only in the bank that needs nothing
                    after = missing if token == self._eos else wanted.missing(wanted.after(matched, token))
                    found.append((Candidate(total + gain, origin, token), after))
        return found

    def _best_borders(self, steps: Tensor, size: int) -> list[int]:
        """The best tokens that begin a new word; steps: (v,)."""
        borders = self._borders.to(steps.device)
        best: list[int] = borders[steps[borders].topk(min(size, len(borders))).indices].tolist()
        return best

    def move(self, sentence: int, origins: Sequence[int], tokens: Sequence[int]) -> None:
        """Update the beam: row i comes from `origins[i]` and has got `tokens[i]`."""
        wanted, beam = self._wanted[sentence], self._beams[sentence]
        self._beams[sentence] = [
            wanted.after(beam[o], token) for o, token in zip(origins, tokens, strict=True)
        ]

    def is_met(self, sentence: int, origin: int, token: int | None) -> bool:
        """Whether every constraint is met when hypothesis `origin` gets `token`, or nothing more."""
        if sentence not in self._wanted:
            return True
        wanted, matched = self._wanted[sentence], self._beams[sentence][origin]
        return wanted.missing(matched if token is None else wanted.after(matched, token)) == 0


def _allocate(places: int, sizes: Sequence[int]) -> list[int]:
    """Allocate slots to banks of these sizes, one each in turn, the first bank first."""
    given = [0] * len(sizes)
    while places and any(n < size for n, size in zip(given, sizes, strict=True)):
        for bank, size in enumerate(sizes):
            if places and given[bank] < size:
                given[bank] += 1
                places -= 1
    return given


def unmet_constraints(
    phrases: Sequence[Alternatives], tokens: Sequence[int], bos: int, borders: Container[int]
) -> list[int]:
    """The numbers of the phrases that a finished sentence lacks."""
    missing = []
    for number, phrase in enumerate(phrases):
        wanted = PhraseMatcher([phrase], bos, borders)
        matched = wanted.nothing
        for token in tokens:
            matched = wanted.after(matched, token)
        missing += [number] if wanted.missing(matched) else []
    return missing


@dataclass(frozen=True, slots=True)
class TokenConstraints:
    """The constraints of one sentence, in tokens."""

    prefix: Phrase = ()
    """Tokens that the output begins with."""
    must: tuple[Alternatives, ...] = ()
    """Phrases that must appear, each in one of its tokenisations."""
    must_not: tuple[Phrase, ...] = ()
    """Phrases that must not appear after the prefix; <s> may be their first token."""

    @property
    def least(self) -> int:
        """How many tokens an output can need at most to meet the constraints, </s> counted."""
        return len(self.prefix) + sum(min(len(s.tokens) for s in phrase) for phrase in self.must) + 1


UNCONSTRAINED = TokenConstraints()
