"""What one sentence's output must begin with, must have, and must not have, in tokens."""

from dataclasses import dataclass

from regard.decoding.must import Alternatives, Phrase


@dataclass(frozen=True, slots=True)
class TokenConstraints:
    """The wishes of one sentence."""

    prefix: Phrase = ()
    """Tokens that the output begins with."""
    must: tuple[Alternatives, ...] = ()
    """Phrases that must appear, each in one of its spellings."""
    must_not: tuple[Phrase, ...] = ()
    """Phrases that must not appear after the prefix; <s> may be their first token."""

    @property
    def least(self) -> int:
        """How many tokens an output can need at most to have what is wished, </s> counted."""
        return len(self.prefix) + sum(min(len(s.tokens) for s in phrase) for phrase in self.must) + 1


FREE = TokenConstraints()
