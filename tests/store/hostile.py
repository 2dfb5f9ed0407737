"""Folders that somebody made to do harm, and what opening them takes.

`python -m tests.store.hostile FOLDER` makes them all, opens each with the face that users have, and prints a
line of JSON for each: what was said, the seconds of the processor, and the memory beyond what there was.
"""

import base64
import json
import os
import pickle
import resource
import shutil
import struct
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from tests.store.convert.marian_folder import write_marian_folder
from tests.store.convert.test_encoder import encoder
from tokenizers import Tokenizer as Backend
from tokenizers import models, processors

import regard
from regard.config.load import load_recipe
from regard.errors import StoreError
from regard.models.catalogue import build_model
from regard.store.atomic import read_folder, write_folder
from regard.store.build import stored_vocabularies
from regard.store.checkpoint import Checkpoint, read_checkpoint, write_checkpoint
from regard.store.convert.encoder import write_encoder
from regard.store.folder import StoredModel, weights_of, write_model
from regard.text.tokenizer import Tokenizer

Files = dict[str, bytes]
TEXTS = ["나는 책을 읽었다.", "그는 물을 마신다."]
MEMORY = 4 * 2**30
"""What the whole process may take at most: a test that fails must not take the machine along."""
BOMB = {"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 1_000_000}
DOUBLING = {
    "type": "Sequence",
    "normalizers": [{"type": "Replace", "pattern": {"String": "a"}, "content": "aa"}] * 12,
}
REGEX = {"type": "Split", "pattern": {"Regex": "(a+)+$"}, "behavior": "Isolated", "invert": False}


class Canary:
    """Runs code when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return os.system, (f"touch {self.path}",)


@cache
def empty_tensors(count: int = 300_000) -> bytes:
    """A file of so many tensors without a value."""
    entries = ",".join(f'"t{n}":{{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}' for n in range(count))
    header = f"{{{entries}}}".encode()
    header += b" " * (-len(header) % 8)
    return struct.pack("<Q", len(header)) + header


def one_tensor(name: str, kind: str, shape: list[int], size: int) -> bytes:
    header = json.dumps({name: {"dtype": kind, "shape": shape, "data_offsets": [0, size]}}).encode()
    return struct.pack("<Q", len(header)) + header


def changed(content: bytes, *path: str | int, to: Any) -> bytes:
    """A JSON file with another value in one place."""
    whole = place = json.loads(content)
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return json.dumps(whole).encode()


def tensors(content: bytes, change: Callable[[torch.Tensor], torch.Tensor]) -> bytes:
    """A safetensors file with its first tensor changed."""
    found = safetensors.torch.load(content)
    name = sorted(found)[0]
    return safetensors.torch.save({**found, name: change(found[name])})


def with_value(value: float) -> Callable[[torch.Tensor], torch.Tensor]:
    def put(tensor: torch.Tensor) -> torch.Tensor:
        tensor.view(-1)[-1] = value
        return tensor

    return put


def charsmap(longest: int) -> bytes:
    """A table that writes one character as very many."""
    return struct.pack("<I", 4) + b"\0\0\0\0" + b"a" * longest + b"\0"


def protobuf(number: int, content: bytes) -> bytes:
    """A field of bytes."""
    size, length = len(content), b""
    while size > 0x7F:
        length += bytes([size & 0x7F | 0x80])
        size >>= 7
    return bytes([number << 3 | 2]) + length + bytes([size]) + content


CONFIG, WEIGHTS, TOKENIZER = "config.json", "model.safetensors", "tokenizer.json"
NOT_NUMBERS = {"nan": torch.nan, "inf": torch.inf, "minus inf": -torch.inf}
KINDS = {"int8": torch.int8, "bool": torch.bool, "complex": torch.complex64}
OF_WEIGHTS: dict[str, Callable[[Files], Files]] = {
    "very many empty tensors": lambda _: {WEIGHTS: empty_tensors()},
    "a header of 2^62 bytes": lambda _: {WEIGHTS: struct.pack("<Q", 2**62) + b"{}"},
    "no safetensors": lambda _: {WEIGHTS: b"\xff" * 64},
    "nothing": lambda _: {WEIGHTS: b""},
    **{
        name: lambda files, value=value: {WEIGHTS: tensors(files[WEIGHTS], with_value(value))}  # type: ignore[misc]
        for name, value in NOT_NUMBERS.items()
    },
    **{
        name: lambda files, kind=kind: {WEIGHTS: tensors(files[WEIGHTS], lambda t: t.to(kind))}  # type: ignore[misc]
        for name, kind in KINDS.items()
    },
}
OF_TOKENIZERS: dict[str, Callable[[Files], Files]] = {
    "a regular expression": lambda files: {TOKENIZER: changed(files[TOKENIZER], "pre_tokenizer", to=REGEX)},
    "a rule that multiplies": lambda files: {TOKENIZER: changed(files[TOKENIZER], "normalizer", to=BOMB)},
    "rules that double": lambda files: {TOKENIZER: changed(files[TOKENIZER], "normalizer", to=DOUBLING)},
    "a table that multiplies": lambda files: {
        TOKENIZER: changed(
            files[TOKENIZER],
            "normalizer",
            to={
                "type": "Precompiled",
                "precompiled_charsmap": base64.b64encode(charsmap(10**6)).decode(),
            },
        )
    },
    "an id of 2^31": lambda files: {TOKENIZER: changed(files[TOKENIZER], "model", "vocab", "a", to=2**31)},
    "an id that is no number": lambda files: {
        TOKENIZER: changed(files[TOKENIZER], "model", "vocab", "a", to=None)
    },
    "deep": lambda _: {TOKENIZER: b'{"model":' + b"[" * 200_000},
    "no text": lambda _: {TOKENIZER: b"\xff\xfe"},
    "very many entries": lambda files: {
        TOKENIZER: changed(
            files[TOKENIZER], "model", "vocab", to={f"entry {number}": number for number in range(500_000)}
        )
    },
}


def joint(model: dict[str, Any]) -> StoredModel:
    """A small translator of regard's own, as it is after no step."""
    text = {"joint": True, "kind": "word", "vocabulary_size": 300}
    recipe = load_recipe("demo", [("model", model), ("text", text)])
    tokenizer = Tokenizer.learn([*TEXTS, "a b"], recipe.text)
    torch.manual_seed(0)
    size = len(tokenizer)
    network = build_model(recipe.model, source_size=size, target_size=size)
    return StoredModel(recipe, weights_of(network), stored_vocabularies((tokenizer, tokenizer)))


def own_files(folder: Path) -> dict[str, tuple[Files, str]]:
    """Changed files of regard's own folders, by what is wrong with them; and of which folder they are."""
    transformer = {
        "kind": "transformer", "width": 8, "heads": 2, "feed_forward": 8,
        "encoder_layers": 1, "decoder_layers": 1,
    }  # fmt: skip
    recurrent = {
        "kind": "seq2seq", "embedding_size": 6, "encoder": {"hidden_size": 5},
        "decoder": {"hidden_size": 8}, "attention": {"hidden_size": 7},
    }  # fmt: skip
    for name, model in (("transformer", transformer), ("recurrent", recurrent)):
        write_model(folder / name, joint(model))
    files = {name: read_folder(folder / name) for name in ("transformer", "recurrent")}
    config = files["transformer"][CONFIG]
    made: dict[str, tuple[Files, str]] = {}
    for setting in ("width", "feed_forward", "encoder_layers", "decoder_layers"):
        changes = changed(config, "recipe", "model", setting, to=65536)
        made[f"own: {setting}"] = {CONFIG: changes}, "transformer"
    for path in (("embedding_size",), ("encoder", "hidden_size"), ("decoder", "hidden_size"),
                 ("encoder", "layers"), ("attention", "hidden_size")):  # fmt: skip
        changes = changed(files["recurrent"][CONFIG], "recipe", "model", *path, to=65536)
        made[f"own: {'.'.join(path)}"] = {CONFIG: changes}, "recurrent"
    made["own: a deep config"] = {CONFIG: b"[" * 200_000}, "transformer"
    made["own: a large config"] = {CONFIG: config + b" " * 2**23}, "transformer"
    sentencepiece = {"model": "", "names": ["<pad>", "<unk>", "<s>", "</s>"], "numbers": [0, 1, 2, 3]}
    state = json.dumps({"sentencepiece": sentencepiece}).encode()
    made["own: an empty sentencepiece"] = {TOKENIZER: state}, "transformer"
    for names in (OF_WEIGHTS, OF_TOKENIZERS):
        for name, change in names.items():
            made[f"own: {name}"] = change(files["transformer"]), "transformer"
    pickled = pickle.dumps(Canary(folder / "canary"))
    made["own: a pickle"] = {WEIGHTS: pickled}, "transformer"
    return made


def foreign_files(folder: Path) -> dict[str, Files]:
    """The same of a BERT that transformers wrote."""
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b"]
    backend = Backend(models.WordPiece({word: n for n, word in enumerate(words)}, unk_token="[UNK]"))
    backend.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer = {TOKENIZER: backend.to_str().encode()}
    write_encoder(folder, replace(encoder(pooler=False), tokenizer=tokenizer))
    files = read_folder(folder)
    (folder / "manifest.json").unlink()
    made: dict[str, Files] = {}
    for setting in ("hidden_size", "intermediate_size", "num_hidden_layers", "max_position_embeddings"):
        made[setting] = {CONFIG: changed(files[CONFIG], setting, to=65532)}
    for names in (OF_WEIGHTS, OF_TOKENIZERS):
        made |= {name: change(files) for name, change in names.items()}
    made["bytes of bytes"] = {
        TOKENIZER: changed(
            files[TOKENIZER],
            "pre_tokenizer",
            to={
                "type": "Sequence",
                "pretokenizers": [
                    {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
                ]
                * 16,
            },
        )
    }
    single = [{"Sequence": {"id": "A", "type_id": 9}}]
    made["a segment that is not there"] = {
        TOKENIZER: changed(files[TOKENIZER], "post_processor", "single", to=single)
    }
    made["an unknown rule"] = {TOKENIZER: changed(files[TOKENIZER], "decoder", to={"type": "CTC"})}
    made["a list of very many words"] = {TOKENIZER: b"", "vocab.txt": b"a\n" * 10_000_000}
    made["a pickle"] = {WEIGHTS: pickle.dumps(Canary(folder.parent / "canary"))}
    return {f"foreign: {name}": {**files, **change} for name, change in made.items()}


def marian_files(folder: Path) -> dict[str, Files]:
    """The same of a Marian translator."""
    write_marian_folder(folder, steps=0)
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    source = files["source.spm"]
    bomb = source + protobuf(3, protobuf(2, charsmap(10**6)))
    made: dict[str, Files] = {
        "an empty source.spm": {"source.spm": b""},
        "a source.spm of zeros": {"source.spm": bytes(1000)},
        "a source.spm of anything": {"source.spm": b"\xff" * 1000},
        "half a source.spm": {"source.spm": source[: len(source) // 2]},
        "a source.spm that is JSON": {"source.spm": files[CONFIG]},
        "a source.spm that multiplies": {"source.spm": bomb},
        "a large source.spm": {"source.spm": source + bytes(2**22)},
        "d_model": {CONFIG: changed(files[CONFIG], "d_model", to=65536)},
        "encoder_layers": {CONFIG: changed(files[CONFIG], "encoder_layers", to=65536)},
        **{name: OF_WEIGHTS[name](files) for name in ("nan", "int8")},
    }
    return {f"marian: {name}": {**files, **change} for name, change in made.items()}


def make(folder: Path) -> dict[str, tuple[Path, Callable[[Path], object]]]:
    """Every artefact, and what is done with it."""
    made: dict[str, tuple[Path, Callable[[Path], object]]] = {}
    for name, (changes, origin) in own_files(folder).items():
        write_folder(folder / name, {**read_folder(folder / origin), **changes})
        made[name] = folder / name, regard.load
    for name, files in {**foreign_files(folder / "bert"), **marian_files(folder / "marian")}.items():
        (folder / name).mkdir()
        for file, content in files.items():
            if content or not file.startswith("tokenizer"):
                (folder / name / file).write_bytes(content)
        made[name] = folder / name, regard.load
    made |= _odd_files(folder)
    checkpoint = Checkpoint(joint({"kind": "transformer", "width": 8, "heads": 2}), {}, {"step": 1})
    write_checkpoint(folder / "run", 1, checkpoint, best=True)
    last = folder / "run" / "checkpoints" / "step-00000001"
    whole = read_folder(last)
    write_folder(folder / "other", {**whole, "optimizer.safetensors": empty_tensors()})
    shutil.rmtree(last)
    (folder / "other").rename(last)
    made["own: an optimizer of very many empty tensors"] = folder / "run", _resumed
    return made


def _odd_files(folder: Path) -> dict[str, tuple[Path, Callable[[Path], object]]]:
    """What is no plain file, or one that has no bytes on the disk."""
    made: dict[str, tuple[Path, Callable[[Path], object]]] = {}
    for kind, origin in (("own", "transformer"), ("foreign", "bert")):
        path = folder / f"{kind}: two gigabytes of nothing"
        files = {file.name: file.read_bytes() for file in (folder / origin).iterdir()}
        path.mkdir()
        size = 2 * 2**30
        header = one_tensor("w", "F32", [size // 4], size)
        for name, content in files.items():
            (path / name).write_bytes(header if name == WEIGHTS else content)
        with (path / WEIGHTS).open("r+b") as file:
            file.truncate(len(header) + size)
        if (path / "manifest.json").exists():
            told = changed(files["manifest.json"], "files", WEIGHTS, "bytes", to=len(header) + size)
            (path / "manifest.json").write_bytes(told)
        made[path.name] = path, regard.load
        path = folder / f"{kind}: a pipe"
        path.mkdir()
        for name, content in files.items():
            if name == TOKENIZER:
                os.mkfifo(path / name)
            else:
                (path / name).write_bytes(content)
        made[path.name] = path, regard.load
    return made


def _resumed(run: Path) -> object:
    found, problems = read_checkpoint(run)
    if problems:
        raise StoreError(problems[0])
    return found


def measured(act: Callable[[], object]) -> Mapping[str, Any]:
    """What is said, the seconds of the processor, and the MiB beyond what there was."""
    Path("/proc/self/clear_refs").write_text("5")  # forget the highest memory
    before, begun = _mebibytes("VmRSS"), time.process_time()
    try:
        said = f"opened: {act()!r}"
    except regard.RegardError as error:
        said = str(error)
    except BaseException as error:
        said = f"{type(error).__name__}: {error}"
    seconds = time.process_time() - begun
    return {"said": said, "seconds": seconds, "mebibytes": _mebibytes("VmHWM") - before}


def _mebibytes(name: str) -> float:
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return int(next(line for line in lines if line.startswith(name)).split()[1]) / 1024


def main() -> None:
    folder = Path(sys.argv[1])
    torch.set_num_threads(1)
    artefacts = make(folder)
    for origin in ("transformer", "recurrent", "bert", "marian"):
        regard.load(folder / origin)  # what is whole opens; and everything is imported
    empty_tensors.cache_clear()
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    for name, (path, act) in artefacts.items():
        print(json.dumps({"name": name, **measured(lambda: act(path))}), flush=True)  # noqa: B023


if __name__ == "__main__":
    main()
