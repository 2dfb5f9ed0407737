"""Label sets, labels and their ids; and the target scale of regression, whose numbers are standardised."""

import json
import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from regard.errors import DataError, StoreError, did_you_mean
from regard.text.normalise import normalise

FORMAT = 1
MOST = 10_000
"""More labels than this are a sign that the column is another one."""


class Labels:
    """A label set, in the order of its ids: sorted, so that it does not depend on the rows."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self._numbers = {name: number for number, name in enumerate(self.names)}

    @classmethod
    def learn(cls, labels: Iterable[tuple[str, str]], column: str) -> "Labels":
        """The label set of a corpus, each label with its file:line; fewer than two are refused."""
        found: set[str] = set()
        for where, label in labels:
            found.add(as_name(label))
            if len(found) > MOST:
                raise DataError(
                    f"{where}: the column '{column}' has more than {MOST:,} labels; is it the right one?"
                )
        if len(found) < 2:
            told = f"only '{found.pop()}'" if found else "none"
            raise DataError(f"two labels or more are needed, and the column '{column}' has {told}")
        return cls(sorted(found))

    @classmethod
    def from_json(cls, text: str, where: str) -> "Labels":
        """Read what `to_json` gave; `where` names the file in an error."""
        try:
            values = json.loads(text)
            names, version = list(values["labels"]), values["format"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise StoreError(f"{where}: not a list of labels that regard wrote") from None
        if version != FORMAT or not all(isinstance(name, str) for name in names):
            raise StoreError(f"{where}: not a list of labels that this regard reads (format {version!r})")
        if len(names) > MOST:
            raise StoreError(f"{where}: expected at most {MOST:,} labels, found {len(names):,}")
        return cls(names)

    def to_json(self) -> str:
        """The labels as one JSON text."""
        return json.dumps({"format": FORMAT, "labels": list(self.names)}, ensure_ascii=False)

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def number(self, label: str, where: str) -> int:
        """The id of a label; an unknown one is refused, naming its file:line."""
        name = as_name(label)
        if name not in self._numbers:
            few = len(self) <= 20
            hint = f"valid: {', '.join(self)}" if few else did_you_mean(name, self.names[:1000])
            raise DataError(f"{where}: the label '{name}' is not one that training knows; {hint}")
        return self._numbers[name]

    def numbers(self, text: str, where: str) -> list[int]:
        """The ids of a cell; an unknown label is refused, naming its file:line."""
        return [self.number(text, where)]

    def encode_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The id of each label, as a text of one token."""
        return [[self._numbers[as_name(text)]] for text in texts]


class LabelSets(Labels):
    """A label set for multi-label classification."""

    def __init__(self, names: Sequence[str], separator: str) -> None:
        super().__init__(names)
        self.separator = separator

    @classmethod
    def learn_sets(cls, cells: Iterable[tuple[str, str]], column: str, separator: str) -> "LabelSets":
        """The label set of a corpus, from cells with their file:line."""
        each = ((where, label) for where, cell in cells for label in split_labels(cell, separator))
        return cls(Labels.learn(each, column).names, separator)

    def numbers(self, text: str, where: str) -> list[int]:
        """The ids of the labels in a cell, each once, in their order."""
        return sorted({self.number(label, where) for label in split_labels(text, self.separator)})

    def encode_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of the labels of each cell."""
        return [self.numbers(text, "") for text in texts]

    def joined(self, names: Iterable[str]) -> str:
        """Labels as one text."""
        sign = self.separator.strip()
        return (f"{sign} " if sign else self.separator).join(names)


def split_labels(cell: str, separator: str) -> list[str]:
    """The labels of a cell: a line for each (see `cell_text`), or with something between them."""
    parts = cell.splitlines() if "\n" in cell else cell.split(separator)
    return [name for name in map(as_name, parts) if name]


def as_name(label: str) -> str:
    """Labels are compared in NFC and without spaces at their ends."""
    return normalise(label).text.strip()


_SCALE_FORMAT = 1


class Scale:
    """The mean and the standard deviation of the numbers of a corpus."""

    def __init__(self, mean: float, spread: float) -> None:
        self.mean, self.spread = mean, spread

    @classmethod
    def learn(cls, cells: Iterable[tuple[str, str]], column: str) -> "Scale":
        """Of the numbers of a corpus, each with its file:line; if all are the same, that is refused."""
        count, mean, squares = 0, 0.0, 0.0  # Welford (1962): nothing is kept, nothing cancels out
        for _, cell in cells:
            value = float(cell)
            count += 1
            beside = value - mean
            mean += beside / count
            squares += beside * (value - mean)
        spread = math.sqrt(squares / count) if count else 0.0
        if not 0 < spread < math.inf:
            told = f"only {mean:g}" if count else "none"
            raise DataError(f"a number to learn needs to differ, and the column '{column}' has {told}")
        return cls(mean, spread)

    @classmethod
    def from_json(cls, text: str, where: str) -> "Scale":
        """Read what `to_json` gave; `where` names the file in an error."""
        try:
            values = json.loads(text)
            mean, spread, version = float(values["mean"]), float(values["spread"]), values["format"]
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            raise StoreError(f"{where}: not a scale of numbers that regard wrote") from None
        if version != _SCALE_FORMAT or not (math.isfinite(mean) and 0 < spread < math.inf):
            raise StoreError(f"{where}: not a scale of numbers that this regard reads (format {version!r})")
        return cls(mean, spread)

    def to_json(self) -> str:
        """The scale as one JSON text."""
        return json.dumps({"format": _SCALE_FORMAT, "mean": self.mean, "spread": self.spread})

    def __len__(self) -> int:
        return 1 << 16

    def numbers(self, text: str, where: str) -> list[int]:
        """A number as ids, four of 16 bits; the reader has refused what is none, with its file:line."""
        del where
        halves: list[int] = np.array([float(text)], dtype="<f8").view("<u2").tolist()
        return halves

    def encode_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Each number, to the bit, as ids."""
        return [self.numbers(text, "") for text in texts]

    @staticmethod
    def decode(ids: npt.ArrayLike) -> float:
        """The number that `encode_ids` made ids of."""
        return float(np.asarray(ids, dtype="<u2").view("<f8")[0])


class Bounded(Scale):
    """Numbers from a lowest to a highest, which become 0 to 1."""

    def __init__(self, lowest: float, highest: float) -> None:
        super().__init__(lowest, highest - lowest)
        self.lowest, self.highest = lowest, highest

    def numbers(self, text: str, where: str) -> list[int]:
        """A number as ids; one beyond the bounds is refused, naming its file:line."""
        if not self.lowest <= float(text) <= self.highest:
            raise DataError(
                f"{where}: expected a number from {self.lowest:g} to {self.highest:g}, found {text}; "
                f"say which there are: data.range"
            )
        return super().numbers(text, where)

    def share(self, value: float) -> float:
        """Where a number is between the two."""
        return (value - self.mean) / self.spread
