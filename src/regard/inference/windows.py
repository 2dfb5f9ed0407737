"""Texts that are longer than what a model reads at once, beside those that are not."""

from collections.abc import Iterator, Sequence

from regard.data.batching import length_batches
from regard.nn.long_texts import windows_of


def window_of(network: object) -> int | None:
    """How many tokens of a text a model reads at once; None where there is no limit."""
    window: int | None = getattr(network, "window", None)
    return window


def window_batches(lengths: Sequence[int], window: int | None, *, budget: int) -> Iterator[list[int]]:
    """Rows of like length; what is read in windows apart from what is not."""
    most = window or max(lengths, default=0)
    for is_long in (False, True):
        own = [row for row, length in enumerate(lengths) if (length > most) == is_long]
        for rows in length_batches([lengths[row] for row in own], budget=budget):
            yield [own[row] for row in rows]


def window_notes(lengths: Sequence[int], window: int | None) -> tuple[str, ...]:
    """What there is to say of texts that are longer than what a model reads at once."""
    if window is None:
        return ()
    return tuple(
        f"{length:,} tokens, read in {len(windows_of(length, window))} windows of at most {window:,} that "
        f"overlap"
        for length in lengths
        if length > window
    )
