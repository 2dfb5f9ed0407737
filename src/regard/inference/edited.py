"""What an edit changed in what a model says of a text: both results, and how far they are apart."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from regard.insight.edits import Edit, edit_to_dict
from regard.insight.labels import visible
from regard.insight.record import AttentionRecord


class Said(Protocol):
    """What every result has."""

    @property
    def source(self) -> str:
        """The text, as it was given."""
        ...

    @property
    def attention(self) -> AttentionRecord:
        """What was looked at."""
        ...

    def in_words(self) -> str:
        """For a terminal."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        ...


R = TypeVar("R", bound=Said)


@dataclass(frozen=True)
class EditedResult(ABC, Generic[R]):
    """A result without an edit and with it. Both are from runs with a trace."""

    edits: tuple[Edit, ...]
    before: R
    """Without the edit."""
    after: R
    """With it."""
    notes: tuple[str, ...] = ()
    """What a reader should know: which words were meant."""

    @property
    def source(self) -> str:
        """The text, as it was given."""
        return self.before.source

    @property
    def texts(self) -> dict[str, str]:
        """What was read, by what it is called."""
        return {"source": self.source}

    @property
    def attention(self) -> AttentionRecord:
        """What was looked at under the edit."""
        return self.after.attention

    @abstractmethod
    def measures(self) -> dict[str, Any]:
        """How far the two results are apart; plain values."""

    @abstractmethod
    def moved(self) -> Sequence[str]:
        """The same in lines, for a terminal."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            **self.texts,
            "edits": [edit_to_dict(edit) for edit in self.edits],
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            **self.measures(),
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        """For a terminal: what was said before and after, and what moved."""
        lines = [visible(text) for text in self.texts.values()]
        lines += [f"edit    {visible(str(edit))}" for edit in self.edits] or ["edit    none"]
        lines.append(f"before  {self.before.in_words()}")
        lines.append(f"after   {self.after.in_words()}")
        return "\n".join([*lines, *self.moved()])
