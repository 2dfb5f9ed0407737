"""The causes of an outcome: the words of the input, ranked by measured effect, beside what weights say."""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from regard.analysis.occlusion import HeadEffect
from regard.errors import RegardError
from regard.insight.display import visible
from regard.insight.picture import ENDINGS
from regard.metrics.correlation import spearman_statistics
from regard.metrics.statistics import Floats

Kind = Literal["measured", "weight", "gradient"]
LOW = 0.5
"""A rank correlation below this is called low."""
FEWEST = 3
"""Words that a rank correlation needs."""
NOTHING = 0.01
"""Of the largest value of a method: what is smaller counts as 0 in a rank correlation."""


@dataclass(frozen=True, eq=False)
class Method:
    """One way to say how much an outcome owes to each word."""

    name: str
    kind: Kind
    values: Floats
    """(words,), NaN where it says nothing of a word."""
    instead: tuple[str | None, ...] = ()
    """Of what is measured: what is said without each word, if that was asked for."""
    reason: str | None = None
    """Why it says nothing at all."""
    detail: Mapping[str, float] | None = None
    """Of integrated gradients: steps, and what their sum lacks."""

    @property
    def sign(self) -> str:
        """How its values are written: a weight has no sign."""
        return "" if self.kind == "weight" else "+"


@dataclass(frozen=True)
class Cause:
    """A word of the input, and what each method says of it."""

    word: str
    number: int
    """Among the words of its text, special tokens counted."""
    text: int
    """Which text it is in, counted from 0."""
    special: bool
    values: Mapping[str, float | None]
    """By method; None where that says nothing of this word."""
    instead: Mapping[str, str | None]
    """What is said without it, by method."""


@dataclass(frozen=True)
class Agreement:
    """Whether a method and the measured effects name the same words."""

    method: str
    with_: str
    correlation: float | None
    """Spearman's, over the words; None of fewer than three, or of equal ones."""
    first: str
    """The word that the method puts first."""
    measured_first: str
    agrees: bool

    def __str__(self) -> str:
        told = "" if self.correlation is None else f"; rank correlation {self.correlation:.2f}"
        if self.first != self.measured_first:
            first = f"it puts '{visible(self.first)}' first, the other '{visible(self.measured_first)}'"
            return f"{self.method} disagrees with {self.with_}: {first}{told}"
        first = f"both put '{visible(self.first)}' first"
        if self.agrees:
            return f"{self.method} agrees with {self.with_}: {first}{told}"
        return f"{self.method} disagrees with {self.with_} on the other words: {first}{told}"


@dataclass(frozen=True, eq=False)
class Causes:
    """What an outcome owes to the words of its input.

    The first measured method ranks the words; a positive effect is one without which the outcome were less
    probable.
    """

    texts: tuple[str, ...]
    said: str
    """What is explained."""
    output: str
    """What the model says, where that was asked for."""
    measure: str
    """What effects are differences of: log p, cosine, the number."""
    score: float
    """Of the outcome, in that measure."""
    words: tuple[str, ...]
    numbers: tuple[tuple[int, int], ...]
    """The text, and the number in it, of each word."""
    special: tuple[bool, ...]
    methods: tuple[Method, ...]
    heads: tuple[HeadEffect, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def ranking(self) -> Method | None:
        """The method that ranks the words: the first that measures, else the first that says something."""
        there = [method for method in self.methods if method.reason is None]
        return next((m for m in there if m.kind == "measured"), there[0] if there else None)

    @property
    def rows(self) -> tuple[Cause, ...]:
        """The words, the largest effect first, whichever way it goes; special tokens behind them."""
        return tuple(self._cause(place) for place in self._order())

    def method(self, name: str) -> Method:
        """One of the methods."""
        for own in self.methods:
            if own.name == name:
                return own
        raise RegardError(f"'{name}' was not asked for; there is {', '.join(m.name for m in self.methods)}")

    def agreements(self) -> tuple[Agreement, ...]:
        """Of each weight and gradient, whether it names the words that the measured effects name."""
        measured = self.ranking
        if measured is None or measured.kind != "measured":
            return ()
        others = (m for m in self.methods if m.kind != "measured" and m.reason is None)
        return tuple(found for other in others if (found := self._agreement(measured, other)) is not None)

    def _agreement(self, measured: Method, other: Method) -> Agreement | None:
        # A weight has no sign: it says how much a word matters, not which way.
        effects = np.abs(measured.values) if other.kind == "weight" else measured.values
        both = ~np.isnan(effects) & ~np.isnan(other.values) & ~np.array(self.special)
        places = np.flatnonzero(both)
        if len(places) < 2 or not effects[places].any():
            return None
        value = spearman_statistics(_ranked(other.values[places]), _ranked(effects[places])).value()
        correlation = None if len(places) < FEWEST or math.isnan(value) else value
        first, wanted = (int(places[values[places].argmax()]) for values in (other.values, effects))
        same = self.words[first] == self.words[wanted]
        agrees = same and (correlation is None or correlation >= LOW)
        return Agreement(
            other.name, measured.name, correlation, self.words[first], self.words[wanted], agrees
        )

    def _order(self) -> list[int]:
        ranking = self.ranking
        if ranking is None:
            return list(range(len(self.words)))
        sizes = np.nan_to_num(np.abs(ranking.values), nan=-1.0)
        return sorted(range(len(self.words)), key=lambda place: (self.special[place], -sizes[place], place))

    def _cause(self, place: int) -> Cause:
        there = [method for method in self.methods if method.reason is None]
        values = {m.name: _number(m.values[place]) for m in there}
        instead = {m.name: m.instead[place] for m in there if m.instead}
        text, number = self.numbers[place]
        return Cause(self.words[place], number, text, self.special[place], values, instead)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        ranking = self.ranking
        return {
            "texts": list(self.texts),
            "said": self.said,
            **({"output": self.output} if self.output else {}),
            "measure": self.measure,
            "score": self.score,
            "ranked_by": ranking.name if ranking else None,
            "words": [
                {
                    "word": row.word,
                    "number": row.number,
                    "text": row.text,
                    "special": row.special,
                    "values": dict(row.values),
                    **({"instead": dict(row.instead)} if any(row.instead.values()) else {}),
                }
                for row in self.rows
            ],
            "methods": [
                {
                    "name": method.name,
                    "kind": method.kind,
                    **({"reason": method.reason} if method.reason else {}),
                    **dict(method.detail or {}),
                }
                for method in self.methods
            ],
            "agreements": [
                {
                    "method": own.method,
                    "with": own.with_,
                    "correlation": own.correlation,
                    "first": own.first,
                    "measured_first": own.measured_first,
                    "agrees": own.agrees,
                }
                for own in self.agreements()
            ],
            **({"heads": [_head(own) for own in self.ranked_heads()]} if self.heads else {}),
            "notes": list(self.notes),
        }

    def ranked_heads(self) -> list[HeadEffect]:
        """The largest effect first, whichever way it goes."""
        return sorted(self.heads, key=lambda own: (-abs(own.effect), own.path, own.head))

    def remarks(self) -> Iterator[str]:
        """What there is to say beside the numbers, a line each."""
        for method in self.methods:
            if method.reason:
                yield f"{method.name}: {method.reason}"
            if method.detail:
                yield f"{method.name}: {', '.join(f'{k} {v:g}' for k, v in method.detail.items())}"
        for own in self.agreements():
            if not own.agrees:
                yield str(own)
        yield from self.notes

    def save(self, path: str | Path) -> None:
        """Write a picture (.png, .svg, .pdf), a page (.html) or the values (.json)."""
        from regard.analysis.causes_picture import causes_page, draw_causes
        from regard.store.atomic import write_file

        out = Path(path)
        ending = out.suffix.lower()
        if ending == ".json":
            write_file(out, json.dumps(self.to_dict(), ensure_ascii=False, indent=1) + "\n")
        elif ending == ".html":
            write_file(out, causes_page(self))
        elif ending in ENDINGS:
            draw_causes(self, out)
        else:
            raise RegardError(f"{out}: causes are written to {', '.join((*ENDINGS, '.html', '.json'))}")

    def __repr__(self) -> str:
        """What is explained, and the word it depends on most; print it for the table."""
        ranking, rows = self.ranking, self.rows
        most = f", most by '{visible(rows[0].word)}'" if ranking is not None and rows else ""
        how = (
            f" ({ranking.name} {rows[0].values[ranking.name]:{ranking.sign}.3f})"
            if most and ranking is not None
            else ""
        )
        return f"<Causes of {self.said!r}: {len(self.words)} words{most}{how}>"

    def __str__(self) -> str:
        """For a terminal."""
        from regard.analysis.causes_table import causes_table

        return causes_table(self)

    def _repr_html_(self) -> str:
        """As a notebook shows it."""
        from regard.analysis.causes_picture import causes_html

        return causes_html(self)


def _ranked(values: Floats) -> Floats:
    """The values, with 0 for what is hardly anything: its order is an accident."""
    return np.where(np.abs(values) < NOTHING * np.abs(values).max(), 0.0, values)


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _head(own: HeadEffect) -> dict[str, Any]:
    instead = {} if own.instead is None else {"instead": own.instead}
    return {"path": own.path, "head": own.head, "effect": own.effect, **instead}
