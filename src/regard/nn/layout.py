"""Where the real words of a padded batch are: what is done to each word alone is done to real words only."""

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True)
class Layout:
    """Which places of a batch, (b, t), have a word."""

    real: Tensor
    """(b, t), bool."""
    places: Tensor | None
    """(n,), their numbers in the flattened batch; None where every place has a word."""

    @classmethod
    def of(cls, real: Tensor) -> "Layout":
        """From (b, t), bool."""
        places = real.flatten().nonzero().squeeze(1)
        return cls(real, None if len(places) == real.numel() else places)

    def pack(self, values: Tensor) -> Tensor:
        """The real words alone, (b, t, …) -> (n, …)."""
        flat = values.flatten(0, 1)
        return flat if self.places is None else flat[self.places]

    def unpack(self, words: Tensor) -> Tensor:
        """The padded batch again, with zeros, (n, …) -> (b, t, …)."""
        shape = (*self.real.shape, *words.shape[1:])
        if self.places is None:
            return words.view(shape)
        empty = words.new_zeros(self.real.numel(), *words.shape[1:])
        return empty.index_copy(0, self.places, words).view(shape)
