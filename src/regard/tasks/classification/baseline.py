"""A linear model of the words and characters of a text: the baseline that every classifier must beat."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict, Unpack

import numpy as np
import numpy.typing as npt
import safetensors.numpy
from safetensors import SafetensorError
from scipy import sparse

from regard.errors import DataError, StoreError
from regard.models.linear import Linear
from regard.progress import counted
from regard.text.tfidf import Tfidf

Read = str | tuple[str, ...]
"""What is read together: one text, or two."""
Says = Literal["label", "labels", "number"]
"""One label of several; any number of them; or a number, and then there are no labels."""
_BY: dict[Says, str] = {
    "label": "logistic regression",
    "labels": "a logistic regression for each label",
    "number": "ridge regression",
}


class NGrams(TypedDict, total=False):
    """Which n-grams are features."""

    words: tuple[int, int]
    """The shortest and the longest of words, by default 1 and 2."""
    characters: tuple[int, int]
    """Likewise of characters, by default 2 and 5."""
    least: int
    """Texts that one must be in, by default 2."""


VOCABULARY, WEIGHTS = "vocabulary.json", "model.safetensors"


@dataclass(frozen=True)
class LinearBaseline:
    """TF-IDF of n-grams of words and of characters, and a linear model.

    Of two texts, each has n-grams of its own. It is stored as two files, JSON and safetensors, and read
    without scikit-learn.
    """

    labels: tuple[str, ...]
    features: tuple[Tfidf, ...]
    """Those of the first text first; as many of each."""
    linear: Linear
    texts: int = 1
    """How many are read together."""
    says: Says = "label"

    @classmethod
    def fit(
        cls, texts: Sequence[Read], labels: Sequence[str], *, strength: float = 1.0, **ngrams: Unpack[NGrams]
    ) -> "LinearBaseline":
        """Learn one label a text, or pair, by logistic regression.

        strength: how freely the weights may follow the texts; 1 / λ of the penalty λ |W|² / 2
        """
        _check_rows(texts, labels)
        names = tuple(sorted(set(labels)))
        number = {name: place for place, name in enumerate(names)}
        sides = _sides(texts)
        features = _features(sides, **ngrams)
        numbers = [number[label] for label in labels]
        linear = Linear.fit(_vectors(features, sides), numbers, labels=len(names), strength=strength)
        return cls(names, features, linear, len(sides))

    @classmethod
    def fit_sets(
        cls,
        texts: Sequence[Read],
        sets: Sequence[Collection[str]],
        *,
        strength: float = 1.0,
        **ngrams: Unpack[NGrams],
    ) -> "LinearBaseline":
        """Learn any number of labels a text: a logistic regression for each, against the rest."""
        _check_rows(texts, sets)
        names = tuple(sorted({name for own in sets for name in own}))
        if not names:
            raise DataError("expected rows with labels, found none that has any")
        sides = _sides(texts)
        features = _features(sides, **ngrams)
        marks = np.array([[name in own for name in names] for own in sets], dtype=bool)
        linear = Linear.fit_each(_vectors(features, sides), marks, strength=strength)
        return cls(names, features, linear, len(sides), "labels")

    @classmethod
    def fit_numbers(
        cls,
        texts: Sequence[Read],
        values: Sequence[float],
        *,
        strength: float = 1.0,
        **ngrams: Unpack[NGrams],
    ) -> "LinearBaseline":
        """Learn a number a text by ridge regression."""
        _check_rows(texts, values)
        sides = _sides(texts)
        features = _features(sides, **ngrams)
        linear = Linear.fit_numbers(_vectors(features, sides), values, strength=strength)
        return cls((), features, linear, len(sides), "number")

    @property
    def parameters(self) -> int:
        """How many weights are free: of two labels, those of the first are 0."""
        rows, columns = self.linear.weights.shape
        free = 1 if self.says == "label" and rows == 2 else int(rows)
        return free * (int(columns) + 1)

    @property
    def in_words(self) -> str:
        """What it is made of."""
        return f"TF-IDF of words and characters, {_BY[self.says]}"

    def predict_proba(self, texts: Sequence[Read]) -> npt.NDArray[np.float64]:
        """The probability of each label, (n, labels), in the order of `labels`."""
        vectors = self._vectors(texts)
        if self.says == "labels":
            return self.linear.probabilities_of_each(vectors)
        return self.linear.probabilities(vectors)

    def predict_numbers(self, texts: Sequence[Read]) -> npt.NDArray[np.float64]:
        """(n,): the number of each text."""
        return self.linear.scores(self._vectors(texts))[:, 0]

    def predict(self, texts: Sequence[Read]) -> list[str]:
        """The most probable label of each text."""
        return [self.labels[place] for place in self.predict_proba(texts).argmax(axis=1)]

    def _vectors(self, texts: Sequence[Read]) -> Any:
        return _vectors(self.features, _sides(texts, self.texts))

    def to_files(self) -> dict[str, bytes]:
        """By name, as `regard.store.atomic.write_folder` takes them."""
        told = {
            "says": self.says,
            "labels": self.labels,
            "texts": self.texts,
            "features": [
                {
                    "unit": part.unit,
                    "shortest": part.shortest,
                    "longest": part.longest,
                    "terms": [*part.terms],
                }
                for part in self.features
            ],
        }
        arrays = {f"features.{number}": part.weights for number, part in enumerate(self.features)}
        arrays |= {"weights": self.linear.weights, "biases": self.linear.biases}
        return {
            VOCABULARY: json.dumps(told, ensure_ascii=False).encode(),
            WEIGHTS: safetensors.numpy.save(
                {name: np.ascontiguousarray(part) for name, part in arrays.items()}
            ),
        }

    @classmethod
    def from_files(cls, files: dict[str, bytes], where: str) -> "LinearBaseline":
        """What `to_files` gave; `where` names their folder in an error."""
        try:
            told = json.loads(files[VOCABULARY])
            arrays = safetensors.numpy.load(files[WEIGHTS])
            features = tuple(
                _feature(part, arrays[f"features.{number}"]) for number, part in enumerate(told["features"])
            )
            labels, linear = tuple(told["labels"]), Linear(arrays["weights"], arrays["biases"])
            read, says = int(told.get("texts", 1)), told.get("says", "label")
            if says not in _BY:
                raise ValueError(f"says {says!r}")
            if read < 1 or len(features) % read:
                raise ValueError(f"{len(features)} features of {read} texts")
        except (SafetensorError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise StoreError(f"{where}: not a linear baseline that regard wrote: {error!r}") from None
        columns = sum(len(part.terms) for part in features)
        rows = 1 if says == "number" else len(labels)
        expected = [(rows, columns), (rows,)]
        found = [linear.weights.shape, linear.biases.shape]
        if found != expected or any(part.weights.shape != (len(part.terms),) for part in features):
            raise StoreError(f"{where}: the vocabulary and the weights do not fit: {expected}, found {found}")
        return cls(labels, features, linear, read, says)


def _feature(told: dict[str, Any], weights: npt.NDArray[np.float64]) -> Tfidf:
    if told["unit"] not in ("words", "characters"):
        raise ValueError(f"n-grams of {told['unit']}")
    terms = {str(term): column for column, term in enumerate(told["terms"])}
    return Tfidf(told["unit"], int(told["shortest"]), int(told["longest"]), terms, weights)


def _check_rows(texts: Sequence[Read], right: Sequence[object]) -> None:
    if len(texts) != len(right):
        raise DataError(f"expected a label for each of {len(texts):,} texts, found {len(right):,}")
    if not texts:
        raise DataError("expected texts to learn from, found none")


def _features(
    sides: Sequence[Sequence[str]],
    words: tuple[int, int] = (1, 2),
    characters: tuple[int, int] = (2, 5),
    least: int = 2,
) -> tuple[Tfidf, ...]:
    return tuple(
        part
        for side in sides
        for part in (
            Tfidf.fit(side, "words", shortest=words[0], longest=words[1], least=least),
            Tfidf.fit(side, "characters", shortest=characters[0], longest=characters[1], least=least),
        )
    )


def _sides(texts: Sequence[Read], count: int | None = None) -> list[list[str]]:
    """All first texts, and all second ones, where there are two.

    count: how many are read together, by default as in the first row
    """
    rows = [(row,) if isinstance(row, str) else tuple(row) for row in texts]
    count = len(rows[0]) if count is None else count
    for number, row in enumerate(rows, start=1):
        if len(row) != count:
            raise DataError(f"row {number:,}: expected {counted(count, 'text')}, found {len(row)}")
    return [[row[place] for row in rows] for place in range(count)]


def _vectors(features: Sequence[Tfidf], sides: Sequence[Sequence[str]]) -> Any:
    each = len(features) // len(sides)
    parts = [part(sides[place // each]) for place, part in enumerate(features)]
    return sparse.hstack(parts, format="csr")
