"""Translators as `transformers` stores Marian's: a Transformer, two models of SentencePiece, a vocabulary.

Marian has ids of its own, pads with the token that its decoder starts with, and never generates that. In
regard every vocabulary begins with the same four symbols. So the rows of the word tables are put into
regard's order: the row of padding is there twice, and as <s> it can never be generated.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import safetensors.torch
import torch
from torch import Tensor

from regard.config.transformer import TransformerConfig
from regard.config.translation import TranslationRecipe
from regard.errors import StoreError
from regard.progress import counted
from regard.store.atomic import verify_folder, write_folder
from regard.store.convert.kinds import EXPORTS
from regard.store.convert.marian_settings import (
    CONFIG,
    GENERATION,
    TOKENIZER,
    MarianNumbers,
    MarianSettings,
    read_settings,
    write_settings,
)
from regard.store.convert.names import Entry, module_entries
from regard.store.files import most_of_a_vocabulary, read_bytes, read_object
from regard.store.folder import StoredModel
from regard.store.tensors import WEIGHTS, Tensors, check_kinds
from regard.text.portable import portable_files
from regard.text.sentencepiece import SentencePieceTokenizer
from regard.text.symbols import BOS, EOS, PAD, SPECIAL, UNK
from regard.text.tokenizer import Tokenizer

VOCABULARY, TARGET_VOCABULARY = "vocab.json", "target_vocab.json"
MODELS = {"source": "source.spm", "target": "target.spm"}
_BIAS = "final_logits_bias"
_SHARED = "model.shared.weight"
_TABLES = ("model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight")
_WAVES = ("model.encoder.embed_positions.weight", "model.decoder.embed_positions.weight")
NEVER = -1e4
"""The bias of tokens that are never generated: no probability is left of them."""
_PARTS: dict[str, tuple[str, ...]] = {
    "self.input": ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
    "self.output": ("self_attn.out_proj",),
    "around_self.norm": ("self_attn_layer_norm",),
    "feed_forward.up": ("fc1",),
    "feed_forward.down": ("fc2",),
    "around_feed_forward.norm": ("final_layer_norm",),
}
_CROSS: dict[str, tuple[str, ...]] = {
    "cross.query": ("encoder_attn.q_proj",),
    "cross.memory": ("encoder_attn.k_proj", "encoder_attn.v_proj"),
    "cross.output": ("encoder_attn.out_proj",),
    "around_cross.norm": ("encoder_attn_layer_norm",),
}


@dataclass(frozen=True, slots=True)
class _Side:
    """One vocabulary: its entries in regard's order, and the row that each has in Marian's tables."""

    names: tuple[str, ...]
    rows: tuple[int, ...]


def read_marian(folder: Path) -> StoredModel:
    """Read a folder of a Marian translator, or say in one line what is in the way."""
    config = read_object(folder / CONFIG)
    generation = read_object(folder / GENERATION) if (folder / GENERATION).exists() else None
    tokenizer = read_object(folder / TOKENIZER) if (folder / TOKENIZER).exists() else {}
    settings = read_settings(config, generation, tokenizer, folder)
    tensors = Tensors.of(folder)
    tables = _compared(settings, tensors)  # before anything large is read
    sides = _sides(folder, settings)
    weights = {
        entry.own: _joined([tensors.load(name) for name in entry.theirs]) for entry in _layers(settings.model)
    }
    source, target = (torch.tensor(side.rows) for side in sides)
    for own, name in tables.items():
        weights[own] = tensors.load(name)[source if own.startswith("source") else target]
    bias = tensors.load(_BIAS)[0][target] if _BIAS in tensors.stored else torch.zeros(len(target))
    bias[[PAD, BOS] if settings.renormalises else [BOS]] = NEVER
    weights["output.bias"] = bias
    tokenizers = {}
    for (name, file), side in zip(MODELS.items(), sides, strict=True):
        model = read_bytes(folder / file, most=most_of_a_vocabulary(len(side.names)))
        tokenizers[name] = SentencePieceTokenizer(model, side.names, side.rows, str(folder / file)).to_json()
    verify_folder(folder)  # last, since whatever else is wrong says more
    summary = {"from": "marian", "notes": list(settings.notes)}
    return StoredModel(settings.recipe, weights, tokenizers, summary)


def write_marian(folder: Path, model: StoredModel, where: str) -> tuple[str, ...]:
    """Write a folder that `transformers` loads; `where` names the model in an error.

    returns: what a user should know of it
    """
    write_folder(folder, marian_files(model, where))
    if _learned_here(model, where) is None:
        return ()
    return (
        "its vocabulary is regard's own, in tokenizer.json: open it with AutoTokenizer, not MarianTokenizer",
    )


def marian_files(model: StoredModel, where: str) -> dict[str, bytes]:
    """The files of such a folder."""
    recipe = model.recipe
    if not isinstance(recipe, TranslationRecipe) or not isinstance(recipe.model, TransformerConfig):
        raise StoreError(
            f"{where}: a {recipe.model.kind} for {recipe.task} cannot be exported to marian: {EXPORTS}"
        )
    learned = _learned_here(model, where)
    if learned is not None:
        rows = [list(range(len(learned)))] * 2
    else:
        sides = [_sentencepiece_of(model, side, where) for side in MODELS]
        rows = [_back(side.numbers, name, where) for side, name in zip(sides, MODELS, strict=True)]
    shared = recipe.model.share_embeddings
    if shared and rows[0] != rows[1]:
        raise StoreError(f"{where}: the two sides share their word vectors, but not their entries")
    own = model.weights
    tensors: dict[str, Tensor] = {}
    for entry in _layers(recipe.model):
        parts = own[entry.own].chunk(len(entry.theirs))
        tensors |= {name: part.contiguous() for name, part in zip(entry.theirs, parts, strict=True)}
    source, target = map(torch.tensor, rows)
    if shared:
        tensors[_SHARED] = own["source_embedding.weight"][source]
    else:
        tensors[_TABLES[0]] = own["source_embedding.weight"][source]
        tensors[_TABLES[1]] = own["target_embedding.weight"][target]
    if not recipe.model.tie_embeddings:
        tensors[_TABLES[2]] = own["output.weight"][target]
    tensors[_BIAS] = own["output.bias"][target][None].contiguous()
    if learned is not None:
        size = len(learned)
        own_numbers = MarianNumbers(
            source_size=size, target_size=size, pad=PAD, start=BOS, end=EOS, separate=False
        )
        told = write_settings(recipe, own_numbers, where, never=(PAD, UNK, BOS), renormalises=False)
        return {
            **{name: _json(values) for name, values in told.items()},
            **portable_files(learned, longest=recipe.model.longest, begins=False, where=where),
            WEIGHTS: safetensors.torch.save(tensors, metadata={"format": "pt"}),
        }
    vocabularies = [_vocabulary(side) for side in sides]
    numbers = MarianNumbers(
        source_size=len(rows[0]),
        target_size=len(rows[1]),
        pad=sides[1].numbers[PAD],
        start=sides[1].numbers[BOS],
        end=sides[1].numbers[EOS],
        separate=vocabularies[0] != vocabularies[1],
    )
    told = write_settings(
        recipe,
        numbers,
        where,
        never=(numbers.pad,),
        renormalises=own["output.bias"][PAD].item() < NEVER / 2,  # as it was read; training hardly moves it
    )
    files = {name: _json(values) for name, values in told.items()}
    files[WEIGHTS] = safetensors.torch.save(tensors, metadata={"format": "pt"})
    files |= {file: side.model for file, side in zip(MODELS.values(), sides, strict=True)}
    files[VOCABULARY] = _json(vocabularies[0])
    if numbers.separate:
        files[TARGET_VOCABULARY] = _json(vocabularies[1])
    return files


def _vocabulary(side: SentencePieceTokenizer) -> dict[str, int]:
    """Marian's numbers by entry; of a row with two names, that of regard's <s> is not Marian's."""
    pairs = list(zip(side.names, side.numbers, strict=True))
    pairs.append(pairs.pop(BOS))
    names: dict[int, str] = {}
    for name, row in pairs:
        names.setdefault(row, name)
    return {names[row]: row for row in sorted(names) if names[row] != _unnamed(row)}


def _unnamed(row: int) -> str:
    """What a row is called that Marian has no name for."""
    return f"<row {row}>"


def _learned_here(model: StoredModel, where: str) -> Tokenizer | None:
    """The vocabulary that regard learned for both sides; None where it came from Marian."""
    if "joint" in model.tokenizers:
        return Tokenizer.from_json(model.tokenizers["joint"], where)
    if all("sentencepiece" in json.loads(text) for text in model.tokenizers.values()):
        return None
    raise StoreError(
        f"{where}: text.joint: transformers has one tokenizer for both sides, and regard learned two"
    )


def _sentencepiece_of(model: StoredModel, side: str, where: str) -> SentencePieceTokenizer:
    tokenizer = Tokenizer.from_json(model.tokenizers.get(side, "{}"), where)
    if not isinstance(tokenizer, SentencePieceTokenizer):
        raise StoreError(f"{where}: the {side} vocabulary is missing")
    return tokenizer


def _back(numbers: Sequence[int], side: str, where: str) -> list[int]:
    """For each row of Marian's table, the row of regard's that it comes from."""
    rows: dict[int, int] = {}
    for own, theirs in enumerate(numbers):
        rows.setdefault(theirs, own)  # of padding, which is there twice, the first
    if sorted(rows) != list(range(len(rows))):
        raise StoreError(f"{where}: the {side} vocabulary has gaps in its numbers")
    return [rows[theirs] for theirs in range(len(rows))]


def _json(values: Any) -> bytes:
    return json.dumps(values, indent=2, ensure_ascii=False).encode()


def _joined(parts: list[Tensor]) -> Tensor:
    return parts[0] if len(parts) == 1 else torch.cat(parts)


def _layers(config: TransformerConfig) -> Iterator[Entry]:
    """Every parameter of the layers, one by one: there may be very many."""
    width, inner = config.width, config.feed_forward
    shapes: dict[str, tuple[int, ...]] = {
        "feed_forward.up": (inner, width),
        "feed_forward.down": (width, inner),
    }
    for side, count in (("encoder", config.encoder_layers), ("decoder", config.decoder_layers)):
        parts = _PARTS if side == "encoder" else {**_PARTS, **_CROSS}
        for number in range(count):
            for own, theirs in parts.items():
                names = tuple(f"model.{side}.layers.{number}.{name}" for name in theirs)
                shape = shapes.get(own, (width,) if own.endswith("norm") else (width, width))
                yield from module_entries(f"{side}.{number}.{own}", names, shape)


def _compared(settings: MarianSettings, tensors: Tensors) -> dict[str, str]:
    """Once every tensor is known to be there in its shape: the word tables by regard's name, and theirs."""
    config, where = settings.model, tensors.where
    used: set[str] = set()
    for entry in _layers(config):  # settings may promise any number of layers: the first that is not there
        for name in entry.theirs:
            _check(tensors, name, entry.shape)
            used.add(name)
    shared, tied = config.share_embeddings, len(_TABLES) if config.tie_embeddings else len(_TABLES) - 1
    sizes = {"source": settings.numbers.source_size, "target": settings.numbers.target_size}
    tables: dict[str, str] = {}
    wanted: list[tuple[Literal["source", "target"], str, tuple[str, ...]]] = [
        ("source", "source_embedding.weight", (_SHARED, *_TABLES[:tied]) if shared else (_TABLES[0],))
    ]
    if not shared:
        wanted.append(("target", "target_embedding.weight", _TABLES[1:tied]))
    if not config.tie_embeddings:
        wanted.append(("target", "output.weight", (_TABLES[2],)))
    for side, own, names in wanted:
        name = next((name for name in names if name in tensors.stored), names[0])
        _check(tensors, name, (sizes[side], config.width))
        tables[own] = name
    if _BIAS in tensors.stored:
        _check(tensors, _BIAS, (1, settings.numbers.target_size))
    used |= {*tables.values(), *({_BIAS} & tensors.stored.keys())}
    unknown = sorted(tensors.stored.keys() - used - {_SHARED, *_TABLES, *_WAVES})
    if unknown:
        raise StoreError(
            f"{where}: no place for {counted(len(unknown), 'tensor')} in a Marian of these settings: "
            f"{', '.join(unknown[:3])}"
        )
    check_kinds(tensors.stored, sorted(used))
    return tables


def _check(tensors: Tensors, name: str, shape: tuple[int, ...]) -> None:
    if name not in tensors.stored:
        raise StoreError(f"{tensors.where}: {name} is missing; {CONFIG} promises it in the shape {shape}")
    found = tensors.stored[name].shape
    if found != shape:
        raise StoreError(
            f"{tensors.where}: {name} should have the shape {shape}, as {CONFIG} says, found {found}"
        )


def _sides(folder: Path, settings: MarianSettings) -> tuple[_Side, _Side]:
    source = _side(folder / VOCABULARY, settings.numbers.source_size, settings)
    if not settings.numbers.separate:
        return source, source
    target = _side(folder / TARGET_VOCABULARY, settings.numbers.target_size, settings)
    if settings.model.share_embeddings and source.rows[UNK] != target.rows[UNK]:
        raise StoreError(
            f"{folder / TARGET_VOCABULARY}: {settings.unknown}: the two sides share their word vectors, and "
            f"it is {source.rows[UNK]} in {VOCABULARY}, found {target.rows[UNK]}"
        )
    return source, target


def _side(path: Path, size: int, settings: MarianSettings) -> _Side:
    numbers = settings.numbers
    content = read_bytes(path, most=most_of_a_vocabulary(size))
    try:
        entries = json.loads(content)
    except (ValueError, RecursionError):
        raise StoreError(f"{path}: not a JSON file") from None
    if not isinstance(entries, dict) or not all(type(row) is int for row in entries.values()):
        raise StoreError(f"{path}: expected numbers by entry")
    names = {row: name for name, row in entries.items()}
    if len(names) != len(entries) or min(names, default=0) < 0 or max(names, default=0) >= size:
        raise StoreError(f"{path}: expected the numbers 0 to {size - 1}, each once, as the weights have rows")
    unknown = entries.get(settings.unknown)
    if unknown is None:
        raise StoreError(f"{path}: {settings.unknown} is missing")
    if names.get(numbers.end) != settings.end_name:
        raise StoreError(
            f"{path}: eos_token_id is {numbers.end}, which is {names.get(numbers.end)!r} here, "
            f"expected {settings.end_name!r}"
        )
    for row in (numbers.pad, numbers.start):
        if row >= size:
            raise StoreError(f"{path}: {CONFIG} begins or pads with {row}, and there are {size} rows")
    special = (numbers.pad, unknown, numbers.start, numbers.end)  # in the order of SPECIAL
    rest = [row for row in range(size) if row not in special]
    return _Side(
        (*SPECIAL, *(names.get(row, _unnamed(row)) for row in rest)),
        (*special, *rest),
    )
