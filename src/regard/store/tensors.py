"""The tensors of safetensors files by name: shapes from the headers first, values when they are asked for."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import safetensors
import torch
from safetensors import SafetensorError
from torch import Tensor

from regard.errors import StoreError
from regard.store.files import inside, read_object

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
MODULES = "modules.json"
"""What a folder of sentence-transformers has; its parts are folders in it."""
HEADER_BYTES = 4 * 2**20
"""Of the longest header that is read: one with 30,000 tensors."""
FLOATS = frozenset({"F64", "F32", "F16", "BF16"})


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
    _opened: dict[Path, Any] = field(default_factory=dict, repr=False, compare=False)
    """Files that values were read from: opened for each of them, a header would be read as often as it is
    long, and the file be mapped as often."""

    @classmethod
    def of(cls, folder: Path) -> "Tensors":
        """Read the headers in a folder, of one file; or, without it, of those that an index names."""
        if (folder / WEIGHTS).exists():
            return cls(folder / WEIGHTS, headers(folder / WEIGHTS))
        if not (folder / INDEX).exists():
            raise StoreError(f"{folder}: {_no_weights(folder)}")
        return cls(folder / INDEX, _by_index(folder))

    def load(self, name: str) -> Tensor:
        """The values of one, as float32."""
        stored = self.stored[name]
        try:
            if stored.file not in self._opened:
                self._opened[stored.file] = safetensors.safe_open(stored.file, framework="pt")
            values: Tensor = self._opened[stored.file].get_tensor(name).to(torch.float32)
        except (SafetensorError, RuntimeError, OSError, MemoryError) as error:
            raise StoreError(f"{stored.file}: {name} cannot be read: {str(error)[:200]}") from None
        check_finite(values, name, stored.file)
        return values


def _by_index(folder: Path) -> dict[str, Stored]:
    index = read_object(folder / INDEX).get("weight_map")
    if not isinstance(index, dict):
        raise StoreError(f"{folder / INDEX}: expected the names of tensors under weight_map, found none")
    files = {name: inside(folder, file, str(folder / INDEX)) for name, file in index.items()}
    found = {path: headers(path) for path in set(files.values())}
    for name, path in files.items():
        if name not in found[path]:
            raise StoreError(f"{folder / INDEX}: {name} should be in {path.name}, but is not")
    return {name: found[path][name] for name, path in files.items()}


def headers(path: Path, most: int = HEADER_BYTES) -> dict[str, Stored]:
    """What is in a file. Nothing but its header is read, if that has no more bytes than `most`."""
    if not path.is_file():
        raise StoreError(f"{path}: expected a safetensors file, found none")
    size = header_bytes(path)
    if size > most:
        raise StoreError(
            f"{path}: not a safetensors file, or one with a header of {size:,} bytes; expected at most "
            f"{most:,}"
        )
    try:
        with safetensors.safe_open(path, framework="pt") as opened:
            parts = {name: opened.get_slice(name) for name in opened.keys()}  # noqa: SIM118, not a dict
            return {
                name: Stored(path, tuple(part.get_shape()), part.get_dtype()) for name, part in parts.items()
            }
    except (SafetensorError, ValueError, OSError, RuntimeError, MemoryError) as error:
        raise StoreError(f"{path}: not a safetensors file: {error}") from None


def header_bytes(path: Path) -> int:
    """How long the header of a file says to be."""
    try:
        with path.open("rb") as file:
            return int.from_bytes(file.read(8), "little")
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror}") from None


def check_kinds(stored: Mapping[str, Stored], names: Iterable[str]) -> None:
    """Refuse weights that are not floating-point numbers, such as those of quantised models."""
    for name in names:
        if stored[name].kind not in FLOATS:
            told = stored[name]
            raise StoreError(f"{told.file}: {name} should hold floating-point numbers, found {told.kind}")


def check_finite(values: Tensor, name: str, file: Path) -> None:
    """Refuse a NaN or an infinity. One sum tells of both; a sum may also be too large by itself."""
    if not values.sum().isfinite() and not values.isfinite().all():
        raise StoreError(f"{file}: {name} holds values that are not numbers (NaN or infinite)")


def _no_weights(folder: Path) -> str:
    try:
        has_bin = any(path.name.startswith("pytorch_model") for path in folder.iterdir())
    except OSError:
        has_bin = False
    if not has_bin:
        return f"expected {WEIGHTS} or {INDEX}, found neither"
    return (
        f"{WEIGHTS} is missing; pytorch_model.bin is here, but reading it can run code. If you trust it, "
        f'convert it once, into a folder of its own: python -c "{_conversion(folder)}"'
    )


def _conversion(folder: Path) -> str:
    """Python that writes the whole model as safetensors, with the head that it has."""
    whole = next((path for path in (folder, folder.parent) if (path / MODULES).exists()), None)
    if whole is not None:
        return (
            f"from sentence_transformers import SentenceTransformer as M; "
            f"M('{whole}').save_pretrained('{whole}-safetensors')"
        )
    try:
        named = read_object(folder / "config.json").get("architectures")
    except StoreError:
        named = None
    name = str(named[0]) if isinstance(named, list) and named else ""
    kind = name if re.fullmatch(r"[A-Za-z]\w{0,80}", name) else "AutoModel"  # what runs is no text of others
    return (
        f"from transformers import AutoTokenizer as T, {kind} as M; "
        f"[part.from_pretrained('{folder}').save_pretrained('{folder}-safetensors') for part in (T, M)]"
    )
