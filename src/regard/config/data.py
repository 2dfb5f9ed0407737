"""Where sentence pairs come from."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from regard.config.base import Config, Count

BUILTIN_PREFIX = "builtin:"
TSV_ENDINGS = (".tsv", ".tsv.gz")


class BuiltinCorpus(Config):
    """Pairs of the built-in world, made on the spot; in short, `builtin:ko-en`."""

    kind: Literal["builtin"] = "builtin"
    world: Literal["ko-en"] = "ko-en"
    """Which world: Korean-English sentence pairs with gold word alignments."""
    split: Literal["train", "dev", "test", "heldout"] | None = None
    """Which part of the world, by default the one that the corpus is named for in the recipe; heldout has
    combinations of words that no other part has."""
    rows: Count | None = None
    """How many pairs; by default 30,000 for training and 1,000 to measure on."""
    lengths: Literal["natural", "long"] = "natural"
    """How long sentences are: mostly 2 to 12 words, or evenly up to 60 and more."""
    max_words: Count | None = None
    """The longest Korean sentence, in words; by default as long as the grammar makes them."""


class TsvCorpus(Config):
    """A table with one header row, tab separated, without quoting, plain or .gz; in short, its path."""

    kind: Literal["tsv"] = "tsv"
    path: str
    """The file. `$NAME` is replaced by the environment variable of that name."""


class ParallelCorpus(Config):
    """Two text files, plain or .gz, with one sentence a line, line i beside line i."""

    kind: Literal["parallel"] = "parallel"
    source_path: str
    """The file of the source sentences."""
    target_path: str
    """The file of the target sentences."""


def expand_short_form(value: Any) -> Any:
    """Read `builtin:ko-en`, `builtin:ko-en:test` and `some/file.tsv.gz` as the corpus they stand for."""
    if not isinstance(value, str):
        return value
    if value.startswith(BUILTIN_PREFIX):
        world, _, split = value.removeprefix(BUILTIN_PREFIX).partition(":")
        return {"kind": "builtin", "world": world, "split": split or None}
    if value.endswith(TSV_ENDINGS):
        return {"kind": "tsv", "path": value}
    raise ValueError(
        f"expected 'builtin:ko-en', a file that ends in {' or '.join(TSV_ENDINGS)}, "
        f"or a section with a kind, found '{value}'"
    )


_AnyCorpus = BuiltinCorpus | TsvCorpus | ParallelCorpus
Corpus = Annotated[
    Annotated[_AnyCorpus, Field(discriminator="kind")],
    BeforeValidator(expand_short_form, json_schema_input_type=str | _AnyCorpus),
]


class DataConfig(Config):
    """The corpora, and which of their columns is which language."""

    source: str = "ko"
    """The source language: the name of its column in a table, and a label in results."""
    target: str = "en"
    """The target language, likewise."""
    train: Corpus = BuiltinCorpus()
    """What is learned from."""
    dev: Corpus = BuiltinCorpus()
    """What the best checkpoint is chosen on."""
    test: Corpus | None = None
    """What `regard evaluate MODEL` measures on when no data is named."""
    max_tokens: Count = 128
    """A training pair with a longer side, in tokens, is left out; how many were is said."""
