"""What the doctor checks: files, folders with train, dev and test, plain files side by side."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from regard.config.data import (
    STDIN,
    BuiltinCorpus,
    CsvCorpus,
    HubCorpus,
    OneCorpus,
    ParallelCorpus,
    TextCorpus,
    TsvCorpus,
)
from regard.config.load import corpus_from_short_form
from regard.data.folders import SPLITS, find_splits
from regard.data.lines import file_path
from regard.doctor.scripts import language_of
from regard.errors import ConfigError, DataError

Role = Literal["train", "dev", "test"]
_ROLES: dict[str, Role] = {"train": "train", "dev": "dev", "test": "test"}
_ROLE_OF = {name: _ROLES[split] for split, names in SPLITS.items() for name in names} | {
    "eval": "test",
    "heldout": "test",
}


@dataclass(frozen=True)
class Input:
    """One corpus of the command line, and what it is for."""

    corpus: OneCorpus
    role: Role
    """By its name; what is named for nothing is for training."""
    languages: tuple[str, ...] = ()
    """Of plain files, by the end of their names: train.ko, train.en."""


def inputs_of(
    arguments: Sequence[str],
    *,
    parallel: bool = False,
    one_side: bool = False,
    names: tuple[str, ...] = (),
    languages: tuple[str, ...] = (),
) -> list[Input]:
    """The corpora that the arguments stand for.

    parallel:  take plain files two by two as sides, whatever they are called
    one_side:  take each plain file alone, even train.ko beside train.en
    names:     of the columns of tables without a header row
    languages: which side of plain files comes first; by default, that of the first file
    """
    if parallel and one_side:
        raise ConfigError("--parallel and --one-side exclude each other")
    if parallel:
        return _two_by_two(arguments, languages)
    found: list[Input] = []
    plain: dict[str, list[str]] = {}
    for argument in arguments:
        if file_path(argument).is_dir():
            found += _folder(argument, one_side=one_side, languages=languages)
        elif _plain_language(argument):
            plain.setdefault(argument if one_side else _stem(argument), []).append(argument)
        else:
            found.append(_one(argument))
    order = [*languages, *(_plain_language(file) or "" for files in plain.values() for file in files)]
    found += [
        _plain_files(sorted(files, key=lambda file: order.index(_plain_language(file) or "")))
        for files in plain.values()
    ]
    return [_with_names(one, names) for one in found] if names else found


def role_of(name: str) -> Role:
    """What a file is for, by the words of its name; `builtin:ko-en:test` likewise."""
    words = re.split(r"[^a-z]+", Path(name).name.lower())
    return next((_ROLE_OF[word] for word in words if word in _ROLE_OF), "train")


def can_be_rewritten(corpus: OneCorpus) -> bool:
    """Whether `--fix` can write the corpus in its own format."""
    return isinstance(corpus, TsvCorpus | CsvCorpus | TextCorpus | ParallelCorpus) or corpus.kind == "jsonl"


def paths_of(corpus: OneCorpus) -> tuple[str, ...]:
    """The files of a corpus as they were written."""
    match corpus:
        case BuiltinCorpus() | HubCorpus():
            return ()
        case ParallelCorpus():
            return corpus.source_path, corpus.target_path
        case _:
            return (corpus.path,)


def _one(argument: str) -> Input:
    try:
        return Input(corpus_from_short_form(argument), role_of(argument))
    except ConfigError:
        if ":" in argument or file_path(argument).exists():
            raise
        raise DataError(f"{argument}: no such file or folder") from None


def _folder(argument: str, *, one_side: bool, languages: tuple[str, ...]) -> list[Input]:
    splits = find_splits(argument)
    if splits:
        return [Input(corpus_from_short_form(str(path)), _ROLES[split]) for split, path in splits.items()]
    place = file_path(argument)
    names = [f"{argument.rstrip('/')}/{file.name}" for file in sorted(place.iterdir()) if file.is_file()]
    plain = [name for name in names if _plain_language(name) and Path(_stem(name)).name in _ROLE_OF]
    if plain:
        return inputs_of(plain, one_side=one_side, languages=languages)
    wanted = ", ".join(SPLITS)
    raise DataError(
        f"{argument}: expected files called {wanted} in the folder, such as train.tsv or train.ko and "
        f"train.en; found {len(names)} others; name the files instead"
    )


def _two_by_two(arguments: Sequence[str], languages: tuple[str, ...]) -> list[Input]:
    if len(arguments) % 2:
        raise ConfigError(f"--parallel takes files two by two, found {len(arguments)}")
    found = []
    for source, target in zip(arguments[::2], arguments[1::2], strict=True):
        spoken = languages or tuple(_plain_language(name) or "" for name in (source, target))
        corpus = ParallelCorpus(source_path=source, target_path=target)
        found.append(Input(corpus, role_of(source), spoken if all(spoken) else ()))
    return found


def _plain_files(files: list[str]) -> Input:
    languages = tuple(_plain_language(file) or "" for file in files)
    if len(files) == 1:
        return Input(TextCorpus(path=files[0]), role_of(_stem(files[0])), languages)
    if len(files) == 2:
        corpus = ParallelCorpus(source_path=files[0], target_path=files[1])
        return Input(corpus, role_of(_stem(files[0])), languages)
    raise ConfigError(
        f"{', '.join(files)}: {len(files)} sides of one text; name two at a time, or --one-side"
    )


def _plain_language(argument: str) -> str | None:
    """The language at the end of a plain file's name: train.ko, train.ko.gz, train.ko.txt."""
    name = _without_ending(argument)
    is_plain = argument.removesuffix(".gz") == name or argument.removesuffix(".gz").endswith(".txt")
    return (
        language_of(Path(name).suffix[1:]) if is_plain and ":" not in argument and argument != STDIN else None
    )


def _stem(argument: str) -> str:
    return _without_ending(argument).rpartition(".")[0]


def _without_ending(argument: str) -> str:
    return argument.removesuffix(".gz").removesuffix(".txt")


def _with_names(one: Input, names: tuple[str, ...]) -> Input:
    if not isinstance(one.corpus, TsvCorpus | CsvCorpus):
        raise ConfigError(f"--names is for tables (.tsv, .csv), not for {one.corpus.kind}")
    return Input(one.corpus.model_copy(update={"columns": names}), one.role, one.languages)
