"""The weights of a model folder: shapes from the header of their file, values when they are wanted."""

import threading
import weakref
from collections.abc import Iterator, Mapping
from pathlib import Path

import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor

from regard.errors import StoreError
from regard.store.atomic import Listing
from regard.store.tensors import HEADER_BYTES, Stored, check_finite, check_kinds, headers


class FileWeights(Mapping[str, Tensor]):
    """Tensors by name. The file is opened at once, and read as a whole with the first value.

    A folder that is removed meanwhile, as a run in progress does with its checkpoints, takes nothing away.
    """

    def __init__(self, listing: Listing, name: str, *, are_tables: bool = False) -> None:
        """are_tables: they are counts and probabilities, not the floating-point numbers of a network"""
        self.path: Path = listing.folder / name
        self._listing, self._name, self._are_tables = listing, name, are_tables
        self._file = listing.open(name)
        weakref.finalize(self, self._file.close)  # where nobody asks for a value
        self._values: dict[str, Tensor] | None = None
        self._problem: StoreError | None = None
        self._reading = threading.Lock()
        self.stored: dict[str, Stored] = headers(self.path)
        if not are_tables:
            check_kinds(self.stored, self.stored)

    def __getitem__(self, name: str) -> Tensor:
        with self._reading:  # the file is read once, whoever asks first
            if self._problem is not None:
                raise self._problem
            if self._values is None:
                try:
                    self._values = self._read()
                except StoreError as error:
                    self._problem = error
                    raise
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.stored)

    def __len__(self) -> int:
        return len(self.stored)

    def _read(self) -> dict[str, Tensor]:
        with self._file as file:
            values = loaded(self._listing.content(self._name, file), self.path)
        if values.keys() != self.stored.keys():
            raise StoreError(f"{self.path}: was changed while it was read")
        if not self._are_tables:
            values = {name: value.to(torch.float32) for name, value in values.items()}
        for name, value in values.items():
            check_finite(value, name, self.path)
        return values


def loaded(content: bytes, path: Path) -> dict[str, Tensor]:
    """The tensors of a safetensors file."""
    try:
        return safetensors.torch.load(content)
    except (SafetensorError, ValueError, KeyError) as error:
        raise StoreError(f"{path}: not a safetensors file: {error}") from None


def saved(tensors: Mapping[str, Tensor], name: str) -> bytes:
    """The content of a safetensors file; one that could not be read again is refused."""
    content = safetensors.torch.save({key: value.contiguous() for key, value in tensors.items()})
    size = int.from_bytes(content[:8], "little")
    if size > HEADER_BYTES:
        raise StoreError(
            f"{name}: a model folder has room for the names of about 30,000 tensors, found {len(tensors):,}; "
            "choose a model of fewer layers"
        )
    return content


def shapes_of(weights: Mapping[str, Tensor]) -> dict[str, tuple[int, ...]]:
    """The shape of each; of a file, nothing but the header is read."""
    if isinstance(weights, FileWeights):
        return {name: stored.shape for name, stored in weights.stored.items()}
    return {name: tuple(value.shape) for name, value in weights.items()}
