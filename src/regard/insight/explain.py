"""One row of attention, computed step by step from the model's own numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.cells import cell_len

from regard.insight.display import visible
from regard.insight.maps import MapKind

Numbers = NDArray[np.float64]

FEW = 5
"""Summands of a score that are shown; the others are shown as their sum."""


@dataclass(frozen=True, eq=False)
class Explanation:
    """How a query became weights: scores, mask or window, softmax, weighted sum."""

    path: str
    kind: MapKind
    head: int | None
    row: int
    """The number of the row, in tokens."""
    label: str
    """Its token."""
    columns: tuple[str, ...]
    """The key tokens."""
    chosen: tuple[int, ...]
    """The columns that were asked about; none for the row as a whole."""
    formula: str
    """The model's own score."""
    query: Numbers
    """(query_size,)"""
    values: Numbers
    """(k, d): what is summed up."""
    terms: Mapping[str, Numbers]
    """Terms of the formula: (n,), or (k, n)."""
    summands: Numbers
    """(k, n): they sum to the scores."""
    allowed: NDArray[np.bool_]
    """(k,): False where a mask or a window hides a key."""
    factor: Numbers
    """(k,): what a window multiplies the softmax by; 1 without one."""
    model: Numbers
    """(k,): the weights that the model used."""

    @property
    def scores(self) -> Numbers:
        """(k,): e_j, before the mask."""
        return np.asarray(self.summands.sum(axis=-1))

    @property
    def exponentials(self) -> Numbers:
        """(k,): exp(e_j - the largest e), 0 where a key is hidden."""
        if not self.allowed.any():
            return np.zeros_like(self.scores)
        shifted = self.scores - self.scores[self.allowed].max()
        return np.where(self.allowed, np.exp(np.where(self.allowed, shifted, 0.0)), 0.0)

    @property
    def weights(self) -> Numbers:
        """(k,): the weights computed again."""
        total = self.exponentials.sum()
        return self.factor * self.exponentials / (total if total else 1.0)

    @property
    def context(self) -> Numbers:
        """(d,): the weighted sum of the values."""
        return np.asarray(self.weights @ self.values)

    @property
    def error(self) -> float:
        """The largest difference between the weights computed again and those that the model used."""
        return float(np.abs(self.weights - self.model).max(initial=0.0))

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON: all numbers of the computation."""
        return {
            "path": self.path,
            "kind": self.kind,
            **({} if self.head is None else {"head": self.head}),
            "row": self.row,
            "label": self.label,
            "columns": list(self.columns),
            "chosen": list(self.chosen),
            "formula": self.formula,
            "query": self.query.tolist(),
            "values": self.values.tolist(),
            "terms": {name: term.tolist() for name, term in self.terms.items()},
            "summands": self.summands.tolist(),
            "scores": self.scores.tolist(),
            "allowed": self.allowed.tolist(),
            "factor": self.factor.tolist(),
            "exponentials": self.exponentials.tolist(),
            "weights": self.weights.tolist(),
            "model": self.model.tolist(),
            "context": self.context.tolist(),
        }

    def __str__(self) -> str:
        """For a terminal."""
        head = "" if self.head is None else f", head {self.head}"
        windowed = bool((self.factor != 1).any())
        lines = [
            f"row {self.row} '{visible(self.label)}' of {self.path}{head} ({self.kind})",
            f"{self.formula};  α_j = exp(e_j) / Σ exp(e){' · window_j' if windowed else ''};  c = Σ α_j h_j",
            f"query s: {_vector(self.query)}",
            "",
            *_table(self._cells(windowed=windowed)),
            "",
            f"Σ exp = {self.exponentials.sum():.6f}; the model's own weights differ by {self.error:.1e}",
            f"context c: {_vector(self.context)}",
        ]
        for column in self.chosen:
            lines += ["", *self._summed(column)]
        return "\n".join(lines)

    def _cells(self, *, windowed: bool) -> list[list[str]]:
        window = ["window"] if windowed else []
        rows = [["j", "token", "|h_j|", "e_j", "exp(e_j - max)", *window, "α_j", "model"]]
        for j, token in enumerate(self.columns):
            mark = "→" if j in self.chosen else ""
            told = f"{self.exponentials[j]:.6f}" if self.allowed[j] else "masked"
            factor = [f"{self.factor[j]:.6f}"] if windowed else []
            size = f"{np.linalg.norm(self.values[j]):.4f}"
            weights = [f"{self.weights[j]:.6f}", f"{self.model[j]:.6f}"]
            rows.append(
                [f"{mark}{j}", visible(token), size, f"{self.scores[j]:.6f}", told, *factor, *weights]
            )
        return rows

    def _summed(self, column: int) -> list[str]:
        """The score of one key as a sum: its largest summands, and the rest."""
        summands = self.summands[column]
        largest = np.argsort(-np.abs(summands), kind="stable")[:FEW]
        rows = [["n", *self.terms, "summand"]]
        for n in sorted(largest.tolist()):
            parts = [term[n] if term.ndim == 1 else term[column, n] for term in self.terms.values()]
            rows.append([str(n), *(f"{part:.6f}" for part in parts), f"{summands[n]:.6f}"])
        rest = float(summands.sum() - summands[largest].sum())
        blank = [""] * len(self.terms)
        rows.append([f"{len(summands) - len(largest)} more", *blank, f"{rest:.6f}"])
        rows.append([f"e_{column}", *blank, f"{self.scores[column]:.6f}"])
        told = f"e_{column}, of '{visible(self.columns[column])}', is a sum of {len(summands)}; the largest:"
        return [told, *_table(rows)]


def _vector(values: Numbers) -> str:
    """A vector by its size, its length, and its first numbers."""
    first = " ".join(f"{value:.4f}" for value in values[:4])
    more = " …" if len(values) > 4 else ""
    return f"{len(values)} numbers, norm {np.linalg.norm(values):.4f}: {first}{more}"


def _table(rows: list[list[str]]) -> list[str]:
    """Columns set to the right; a Hangul syllable takes two cells."""
    widths = [max(cell_len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return [
        "  ".join(
            " " * (width - cell_len(cell)) + cell for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    ]
