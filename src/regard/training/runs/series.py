"""Curves in a fixed amount of memory, however many points come."""

from collections.abc import Sequence

Point = tuple[float, float]


class Bins:
    """The means of neighbouring points: each bin is of equally many, and a full list of bins is halved.

    A short series is kept as it is. A long one has between `most / 2` and `most` points, each an exact mean.
    """

    def __init__(self, most: int = 1024) -> None:
        self.size = 1
        """Points in a bin."""
        self._most = most
        self._bins: list[Point] = []
        self._count = 0
        self._x = self._y = 0.0

    def add(self, x: float, y: float) -> None:
        """Take in a point; they come in the order of x."""
        self._count += 1
        self._x += x
        self._y += y
        if self._count == self.size:
            self._bins.append((self._x / self.size, self._y / self.size))
            self._count, self._x, self._y = 0, 0.0, 0.0
            if len(self._bins) == self._most:
                pairs = zip(self._bins[::2], self._bins[1::2], strict=True)
                self._bins = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in pairs]
                self.size *= 2

    def points(self) -> list[Point]:
        """The bins; the last may have fewer points than the others."""
        rest = [(self._x / self._count, self._y / self._count)] if self._count else []
        return self._bins + rest


def smooth(points: Sequence[Point], window: int) -> list[Point]:
    """The mean of y over `window` points around each; at the ends, of those that are there."""
    half = window // 2
    sums = [0.0]
    for _, y in points:
        sums.append(sums[-1] + y)
    ends = [(max(0, place - half), min(len(points), place + half + 1)) for place in range(len(points))]
    return [
        (x, (sums[last] - sums[first]) / (last - first))
        for (x, _), (first, last) in zip(points, ends, strict=True)
    ]
