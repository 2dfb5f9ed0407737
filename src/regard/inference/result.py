"""The results of predictors: a prediction; and, of an edit, the predictions without it and with it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Generic, TypeVar

from regard.insight.display import visible
from regard.insight.edit_values import edit_to_dict
from regard.insight.edits import Edit
from regard.insight.maps import AttentionMap
from regard.insight.record import AttentionRecord
from regard.insight.svg import heat_map_svg


class Prediction(ABC):
    """What every result has; the results of tasks are frozen dataclasses."""

    source: str
    """The text, as it was given."""
    attention: AttentionRecord
    """The attention weights behind it."""
    notes: tuple[str, ...]
    """What a user should know of it."""

    @property
    def texts(self) -> str:
        """What was read, a line for each text."""
        return self.source

    @abstractmethod
    def in_words(self) -> str:
        """For a terminal."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""

    def _repr_html_(self) -> str:
        """The result with its attention, as a notebook shows it."""
        told = escape(self.texts).replace("\n", "<br>")
        return f"<div><p>{told}<br><b>{escape(self.in_words())}</b></p>{self._picture()}</div>"

    def _picture(self) -> str:
        reason = self.attention.reason
        return f"<p><i>{escape(reason)}</i></p>" if reason else heat_map_svg(self._map())

    def _map(self) -> AttentionMap:
        return self.attention.words()


P = TypeVar("P", bound=Prediction)


@dataclass(frozen=True)
class EditEffect(ABC, Generic[P]):
    """A prediction without an edit and with it. Both are from runs with a trace."""

    edits: tuple[Edit, ...]
    before: P
    """Without the edit."""
    after: P
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
        """The attention weights under the edit."""
        return self.after.attention

    def shown(self, prediction: P) -> str:
        """One of the two, for a terminal."""
        return prediction.in_words()

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
        """For a terminal: the predictions before and after, and what changed."""
        lines = [visible(text) for text in self.texts.values()]
        lines += [f"edit    {visible(str(edit))}" for edit in self.edits] or ["edit    none"]
        lines.append(f"before  {self.shown(self.before)}")
        lines.append(f"after   {self.shown(self.after)}")
        return "\n".join([*lines, *self.moved()])
