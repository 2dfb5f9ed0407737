"""Encoders of the BERT family as `transformers` stores them: config.json, model.safetensors, a tokenizer.

Shapes are compared with the headers before memory is taken for a model, so that neither settings nor weights
can ask for more than the folder holds.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import safetensors.torch
import torch
from torch import Tensor

from regard.errors import StoreError
from regard.progress import counted
from regard.store.atomic import verify_folder, write_folder
from regard.store.convert.names import Entry, Naming
from regard.store.convert.settings import Described, read_settings, write_settings
from regard.store.files import most_of_a_vocabulary, read_bytes, read_object
from regard.store.tensors import WEIGHTS, Tensors, check_kinds
from regard.text.foreign import ForeignTokenizer

CONFIG = "config.json"
TOKENIZER_FILES = {
    "tokenizer.json": 64 * 2**20,
    "tokenizer_config.json": 4 * 2**20,
    "special_tokens_map.json": 2**20,
    "added_tokens.json": 2**20,
    "vocab.txt": 32 * 2**20,
}
"""Files that go with a model, and the bytes that each may have."""
_BUFFERS = (".position_ids", ".token_type_ids")
_OLD_NAMES = {".LayerNorm.gamma": ".LayerNorm.weight", ".LayerNorm.beta": ".LayerNorm.bias"}


@dataclass(frozen=True)
class StoredEncoder:
    """Everything that such a folder holds."""

    described: Described
    weights: dict[str, Tensor]
    """By regard's names, float32."""
    tokenizer: Mapping[str, bytes] = field(default_factory=dict)
    """Files by name."""
    left_out: tuple[str, ...] = ()
    """Tensors of the folder that belong to a task's head, which are not loaded."""


def read_encoder(folder: Path) -> StoredEncoder:
    """Read a folder of the BERT family, or say in one line what is in the way."""
    if not folder.is_dir():
        raise StoreError(f"{folder}: expected a folder with {CONFIG} and {WEIGHTS}, found none")
    described = read_settings(read_object(folder / CONFIG), str(folder / CONFIG))
    tensors = _renamed(Tensors.of(folder), described.family.naming)
    described = _as_stored(described, tensors, str(folder / CONFIG))
    entries, left_out = _compared(described, tensors)
    weights = {}
    for entry in entries:
        parts = [tensors.load(name) for name in entry.theirs]
        weights[entry.own] = parts[0] if len(parts) == 1 else torch.cat(parts)
    most_of_entries = most_of_a_vocabulary(described.vocabulary_size)
    tokenizer = {
        name: read_bytes(folder / name, most=min(most, most_of_entries))
        for name, most in TOKENIZER_FILES.items()
        if (folder / name).exists()
    }
    verify_folder(folder)  # last, since whatever else is wrong says more
    return StoredEncoder(described, weights, tokenizer, left_out)


def write_encoder(folder: Path, encoder: StoredEncoder) -> None:
    """Write a folder that `transformers` loads."""
    write_folder(folder, files_of(encoder))


def build_tokenizer(
    stored: StoredEncoder, where: str, *, longest: int | None = None, lower: bool = False
) -> ForeignTokenizer:
    """The tokenizer that came with an encoder; texts are truncated to `longest`, or to its maximum length."""
    described = stored.described
    longest = described.config.longest if longest is None else longest
    size = described.vocabulary_size
    tokenizer = ForeignTokenizer.of(stored.tokenizer, where=where, size=size, longest=longest, lower=lower)
    most = max(1, described.config.segments)
    if tokenizer.last_segment >= most:
        raise StoreError(
            f"{where}: its tokenizer tells segment {tokenizer.last_segment} of a token, the model has {most}"
        )
    return tokenizer


def files_of(
    encoder: StoredEncoder, head: Mapping[str, Tensor] | None = None, architecture: str | None = None
) -> dict[str, bytes]:
    """The files of such a folder.

    head:         the tensors of a task's head, by their names
    architecture: what transformers calls an encoder with that head
    """
    described = encoder.described
    naming, config = described.family.naming, described.config
    prefix = naming.prefix if config.masked_words or head is not None else ""
    tensors: dict[str, Tensor] = {name: values.contiguous() for name, values in (head or {}).items()}
    for entry in naming.entries(config, described.vocabulary_size, prefix):
        parts = encoder.weights[entry.own].chunk(len(entry.theirs))
        tensors |= {name: part.contiguous() for name, part in zip(entry.theirs, parts, strict=True)}
    settings = json.dumps(write_settings(described, architecture), indent=2, ensure_ascii=False)
    weights = safetensors.torch.save(tensors, metadata={"format": "pt"})
    return {CONFIG: settings.encode(), WEIGHTS: weights, **encoder.tokenizer}


def _renamed(tensors: Tensors, naming: Naming) -> "_Renamed":
    """The same tensors under the names of today, without what is computed or stored twice."""
    own_bias, copies = naming.bias, naming.copies
    names: dict[str, str] = {}
    for stored in tensors.stored:
        name = stored
        for old, new in _OLD_NAMES.items():
            name = name.removesuffix(old) + new if name.endswith(old) else name
        if name in copies and name.endswith(".bias") and own_bias not in tensors.stored:
            name = own_bias
        if name not in copies and not name.endswith(_BUFFERS):
            names[name] = stored
    return _Renamed(tensors, names)


@dataclass(frozen=True)
class _Renamed:
    """Tensors under other names."""

    tensors: Tensors
    names: dict[str, str]
    """The name in the file of each."""

    def load(self, name: str) -> Tensor:
        """The values of one."""
        return self.tensors.load(self.names[name])

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape that the header gives it."""
        return self.tensors.stored[self.names[name]].shape


def _as_stored(described: Described, tensors: _Renamed, where: str) -> Described:
    """With only the modules that the weights have: a pooler and a head are often left away."""
    family, config = described.family, described.config
    naming = family.naming
    prefix = _prefix(naming, tensors)
    has_head = f"{naming.dense}.weight" in tensors.names
    if has_head and described.rest.get("tie_word_embeddings") is False:
        raise StoreError(
            f"{where}: tie_word_embeddings: regard scores words with their own vectors, found False"
        )
    if has_head and family.head_activation not in (None, config.activation):
        name = family.fields["activation"]
        raise StoreError(
            f"{where}: {name}: the head of a {described.model_type} always uses "
            f"{family.head_activation}, regard's what its layers use: {config.activation}"
        )
    has_pooler = f"{prefix}{naming.pooler}.weight" in tensors.names
    parts = {"pooler": config.pooler and has_pooler, "masked_words": has_head}
    return replace(described, config=config.model_copy(update=parts))


def _prefix(naming: Naming, tensors: _Renamed) -> str:
    return naming.prefix if naming.prefix + naming.words in tensors.names else ""


def _compared(described: Described, tensors: _Renamed) -> tuple[list[Entry], tuple[str, ...]]:
    """The parameters, once every tensor is known to be there in its shape; and those of a task's head."""
    naming, where = described.family.naming, tensors.tensors.where
    entries, used = [], set()
    whole = naming.entries(described.config, described.vocabulary_size, _prefix(naming, tensors))
    for entry in whole:  # settings may promise any number of layers: the first that is not there ends it
        for name in entry.theirs:
            if name not in tensors.names:
                raise StoreError(
                    f"{where}: {name} is missing; {CONFIG} promises it in the shape {entry.shape}"
                )
            if tensors.shape(name) != entry.shape:
                raise StoreError(
                    f"{where}: {name} should have the shape {entry.shape}, as {CONFIG} says, "
                    f"found {tensors.shape(name)}"
                )
            used.add(name)
        entries.append(entry)
    check_kinds(tensors.tensors.stored, [tensors.names[name] for name in used])
    extra = sorted(tensors.names.keys() - used)
    left_out = tuple(name for name in extra if name.startswith(naming.other_heads))
    unknown = [name for name in extra if name not in left_out]
    if unknown:
        raise StoreError(
            f"{where}: no place for {counted(len(unknown), 'tensor')} in a {described.model_type} "
            f"of these settings: {', '.join(unknown[:3])}"
        )
    return entries, left_out
