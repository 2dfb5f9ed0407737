"""The tensors of safetensors files by name: shapes from the headers first, values when they are asked for."""

import contextlib
from dataclasses import dataclass
from pathlib import Path

import safetensors
import torch
from safetensors import SafetensorError
from torch import Tensor

from regard.errors import StoreError
from regard.store.convert.files import inside, read_object

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
HEADER_BYTES = 4 * 2**20
"""Of the longest header that is read: one with 30,000 tensors."""
_FLOATS = {"F64", "F32", "F16", "BF16"}


@dataclass(frozen=True, slots=True)
class Stored:
    """What a header says of one tensor."""

    file: Path
    shape: tuple[int, ...]
    kind: str
    """Such as F32."""

    def __str__(self) -> str:
        return f"{self.shape} of {self.kind}"


@dataclass(frozen=True)
class Tensors:
    """All tensors of a folder."""

    where: Path
    """The file that names them, for messages."""
    stored: dict[str, Stored]

    @classmethod
    def of(cls, folder: Path) -> "Tensors":
        """Read the headers in a folder, of one file or of those that an index names."""
        if (folder / INDEX).exists():
            return cls(folder / INDEX, _by_index(folder))
        if not (folder / WEIGHTS).exists():
            raise StoreError(f"{folder}: {_no_weights(folder)}")
        return cls(folder / WEIGHTS, _headers(folder / WEIGHTS))

    def load(self, name: str) -> Tensor:
        """The values of one, as float32."""
        stored = self.stored[name]
        with safetensors.safe_open(stored.file, framework="pt") as file:
            values: Tensor = file.get_tensor(name).to(torch.float32)
        if not values.isfinite().all():
            raise StoreError(f"{stored.file}: {name} holds values that are not numbers")
        return values


def _by_index(folder: Path) -> dict[str, Stored]:
    index = read_object(folder / INDEX).get("weight_map")
    if not isinstance(index, dict):
        raise StoreError(f"{folder / INDEX}: expected the names of tensors under weight_map, found none")
    files = {name: inside(folder, file, str(folder / INDEX)) for name, file in index.items()}
    found = {path: _headers(path) for path in set(files.values())}
    for name, path in files.items():
        if name not in found[path]:
            raise StoreError(f"{folder / INDEX}: {name} should be in {path.name}, but is not")
    return {name: found[path][name] for name, path in files.items()}


def _headers(path: Path) -> dict[str, Stored]:
    """What is in a file. Nothing but its header is read."""
    if not path.is_file():
        raise StoreError(f"{path}: expected a safetensors file, found none")
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
    if size > HEADER_BYTES:
        raise StoreError(f"{path}: not a safetensors file, or one with a header of {size:,} bytes")
    try:
        with safetensors.safe_open(path, framework="pt") as opened:
            parts = {name: opened.get_slice(name) for name in opened.keys()}  # noqa: SIM118, not a dict
            return {
                name: Stored(path, tuple(part.get_shape()), part.get_dtype()) for name, part in parts.items()
            }
    except (SafetensorError, ValueError, OSError) as error:
        raise StoreError(f"{path}: not a safetensors file: {error}") from None


def check_kinds(tensors: Tensors, names: list[str]) -> None:
    """Refuse weights that are not floating-point numbers, such as those of quantised models."""
    for name in names:
        stored = tensors.stored[name]
        if stored.kind not in _FLOATS:
            raise StoreError(f"{stored.file}: {name} should hold floating-point numbers, found {stored.kind}")


def _no_weights(folder: Path) -> str:
    with contextlib.suppress(OSError):
        if any(path.name.startswith("pytorch_model") for path in folder.iterdir()):
            return (
                f"{WEIGHTS} is missing; pytorch_model.bin is here, but reading it can run code. If you "
                f'trust it, convert it once: python -c "from transformers import AutoModel as M; '
                f"M.from_pretrained('{folder}').save_pretrained('{folder}')\""
            )
    return f"expected {WEIGHTS} or {INDEX}, found neither"
