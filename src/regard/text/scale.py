"""The target scale of regression: numbers are standardised."""

import json
import math
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from regard.errors import DataError, StoreError

FORMAT = 1


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
        if version != FORMAT or not (math.isfinite(mean) and 0 < spread < math.inf):
            raise StoreError(f"{where}: not a scale of numbers that this regard reads (format {version!r})")
        return cls(mean, spread)

    def to_json(self) -> str:
        """The scale as one JSON text."""
        return json.dumps({"format": FORMAT, "mean": self.mean, "spread": self.spread})

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
