"""Where encoded corpora and learned vocabularies are kept between runs, and under which key.

A key is a hash of everything that the content depends on: the bytes of the files (for a built-in world, the
grammar), how they are read, the vocabulary, and the code that encodes. So an entry is never out of date.
"""

import hashlib
import json
import os
import shutil
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.metadata import PackageNotFoundError, version
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Literal

from regard.config.data import STDIN, BuiltinCorpus, HubCorpus, OneCorpus, ParallelCorpus, PluginCorpus
from regard.data.hub import fingerprint
from regard.data.lines import copy_of_stdin, file_path
from regard.data.readers import reader_source
from regard.errors import DataError

_PIECE = 1 << 20

CodePart = Literal["readers", "text", "world"]
CODE: dict[CodePart, tuple[str, ...]] = {
    "readers": ("config/filter.py", "data"),
    "text": (
        "text",
        "tasks/classification/examples.py",
        "tasks/embedding/examples.py",
        "tasks/language_model/examples.py",
        "tasks/masked_lm/examples.py",
        "tasks/question_answering/examples.py",
        "tasks/tagging/examples.py",
        "tasks/translation/examples.py",
    ),
    "world": ("world",),
}
"""The files and packages, below `regard`, that decide which rows are read, how they are encoded, and what the
built-in worlds say."""


def cache_folder() -> Path:
    """`$REGARD_CACHE`, or `regard` in the user's cache folder."""
    if chosen := os.environ.get("REGARD_CACHE"):
        return Path(chosen).expanduser()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "regard"


@dataclass(frozen=True)
class Entry:
    """One thing in the cache."""

    path: Path
    bytes: int


def entries() -> list[Entry]:
    """What the cache holds, by name."""
    found = sorted(cache_folder().glob("*/*"))
    return [Entry(path, _size(path)) for path in found if not path.name.startswith(".")]


def clear_cache() -> int:
    """Remove everything from the cache; bytes that were freed."""
    kinds = ("encoded", "vocabularies")
    freed = sum(_size(path) for kind in kinds for path in (cache_folder() / kind).glob("*"))
    for kind in kinds:
        shutil.rmtree(cache_folder() / kind, ignore_errors=True)
    return freed


def _size(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file())


def key_of(facts: Mapping[str, Any]) -> str:
    """A short name for these facts: equal facts, equal name."""
    text = json.dumps(facts, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def corpus_facts(corpus: OneCorpus, split: str, columns: Mapping[str, str]) -> dict[str, Any]:
    """What the rows of a corpus depend on. The files are read once through."""
    unset = {"links_path"} if getattr(corpus, "links_path", None) is None else set()
    facts: dict[str, Any] = {
        "corpus": corpus.model_dump(mode="json", exclude=unset),  # as runs of older versions know it
        "split": split,
        "columns": list(columns.items()),
    }
    match corpus:
        case BuiltinCorpus():
            facts["world"] = code_fingerprint("world")
        case ParallelCorpus():
            facts["content"] = [_content(path) for path in corpus.paths]
        case HubCorpus():
            facts["content"] = fingerprint(corpus, split)
        case PluginCorpus():
            facts["content"] = [_content(corpus.path), reader_source(corpus)]
        case _:
            facts["content"] = [_content(corpus.path)]
    facts["readers"] = code_fingerprint("readers")
    return facts


def stamps(corpus: OneCorpus) -> list[tuple[int, int]]:
    """Size and time of change of a corpus's files: if these change while it is read, so did the content."""
    match corpus:
        case BuiltinCorpus() | HubCorpus():
            return []
        case ParallelCorpus():
            written = corpus.paths
        case _:
            written = [corpus.path]
    return [_stamp(file_path(path)) for path in written if path != STDIN]


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:  # whoever reads it will say so
        return -1, -1
    return found.st_size, found.st_mtime_ns


def code_fingerprint(part: CodePart) -> str:
    """A hash of the Python files of a part of `CODE`, and of the libraries that encode text."""
    digest = hashlib.sha256()
    for path in CODE[part]:
        for name, content in _code(resources.files("regard").joinpath(*path.split("/")), path):
            digest.update(name.encode() + content)
    digest.update(unicodedata.unidata_version.encode())
    for library in ("tokenizers", "kiwipiepy"):
        try:
            digest.update(version(library).encode())
        except PackageNotFoundError:
            digest.update(b"-")
    return digest.hexdigest()


def _code(place: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    """A file, or all Python files of a package and of those below it, in their order."""
    if not place.is_dir():
        yield path, place.read_bytes()
        return
    for inside in sorted(place.iterdir(), key=lambda inside: inside.name):
        if inside.is_dir() or inside.name.endswith(".py"):
            yield from _code(inside, f"{path}/{inside.name}")


def _content(written: str) -> str:
    path = copy_of_stdin() if written == STDIN else file_path(written)
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while piece := file.read(_PIECE):
                digest.update(piece)
    except FileNotFoundError:
        raise DataError(f"{path}: no such file") from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from None
    return digest.hexdigest()
