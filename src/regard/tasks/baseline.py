"""What a linear model says of the words and characters of a text: the baseline of every classifier."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import safetensors.numpy
from safetensors import SafetensorError
from scipy import sparse

from regard.errors import DataError, StoreError
from regard.models.linear import Linear
from regard.text.tfidf import Tfidf

Read = str | tuple[str, ...]
"""What is read together: one text, or two."""
VOCABULARY, WEIGHTS = "vocabulary.json", "model.safetensors"


@dataclass(frozen=True)
class LinearBaseline:
    """TF-IDF of n-grams of words and of characters, and a linear classifier.

    Of two texts, each has n-grams of its own. It is stored as two files, JSON and safetensors, and read
    without scikit-learn.
    """

    labels: tuple[str, ...]
    features: tuple[Tfidf, ...]
    """Those of the first text first; as many of each."""
    linear: Linear
    texts: int = 1
    """How many are read together."""

    @classmethod
    def fit(
        cls,
        texts: Sequence[Read],
        labels: Sequence[str],
        *,
        words: tuple[int, int] = (1, 2),
        characters: tuple[int, int] = (2, 5),
        least: int = 2,
        strength: float = 1.0,
    ) -> "LinearBaseline":
        """Learn from labelled texts, or pairs.

        words, characters: the shortest and the longest n-gram
        least:             texts that an n-gram must be in
        strength:          how freely the weights may follow the texts; 1 / λ of the penalty λ |W|² / 2
        """
        if len(texts) != len(labels):
            raise DataError(f"expected a label for each of {len(texts):,} texts, found {len(labels):,}")
        names = tuple(sorted(set(labels)))
        number = {name: place for place, name in enumerate(names)}
        sides = _sides(texts)
        features = tuple(
            part
            for side in sides
            for part in (
                Tfidf.fit(side, "words", shortest=words[0], longest=words[1], least=least),
                Tfidf.fit(side, "characters", shortest=characters[0], longest=characters[1], least=least),
            )
        )
        numbers = [number[label] for label in labels]
        linear = Linear.fit(_vectors(features, texts), numbers, labels=len(names), strength=strength)
        return cls(names, features, linear, len(sides))

    @property
    def parameters(self) -> int:
        """How many weights are free: of two labels, those of the first are 0."""
        free = len(self.labels) if len(self.labels) > 2 else 1
        return free * (int(self.linear.weights.shape[1]) + 1)

    @property
    def in_words(self) -> str:
        """What it is made of."""
        return "TF-IDF of words and characters, logistic regression"

    def predict_proba(self, texts: Sequence[Read]) -> npt.NDArray[np.float64]:
        """The probability of each label, (n, labels), in the order of `labels`."""
        return self.linear.probabilities(_vectors(self.features, texts))

    def predict(self, texts: Sequence[Read]) -> list[str]:
        """The most probable label of each text."""
        return [self.labels[place] for place in self.predict_proba(texts).argmax(axis=1)]

    def to_files(self) -> dict[str, bytes]:
        """By name, as `regard.store.atomic.write_folder` takes them."""
        told = {
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
            read = int(told.get("texts", 1))
        except (SafetensorError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise StoreError(f"{where}: not a linear baseline that regard wrote: {error!r}") from None
        columns = sum(len(part.terms) for part in features)
        expected = [(len(labels), columns), (len(labels),)]
        found = [linear.weights.shape, linear.biases.shape]
        if found != expected or any(part.weights.shape != (len(part.terms),) for part in features):
            raise StoreError(f"{where}: the vocabulary and the weights do not fit: {expected}, found {found}")
        return cls(labels, features, linear, read)


def _feature(told: dict[str, Any], weights: npt.NDArray[np.float64]) -> Tfidf:
    if told["unit"] not in ("words", "characters"):
        raise ValueError(f"n-grams of {told['unit']}")
    terms = {str(term): column for column, term in enumerate(told["terms"])}
    return Tfidf(told["unit"], int(told["shortest"]), int(told["longest"]), terms, weights)


def _sides(texts: Sequence[Read]) -> list[list[str]]:
    """All first texts, and all second ones, where there are two."""
    rows = [(row,) if isinstance(row, str) else tuple(row) for row in texts]
    return [list(side) for side in zip(*rows, strict=True)]


def _vectors(features: Sequence[Tfidf], texts: Sequence[Read]) -> Any:
    sides = _sides(texts)
    each = len(features) // len(sides)
    parts = [part(sides[place // each]) for place, part in enumerate(features)]
    return sparse.hstack(parts, format="csr")
