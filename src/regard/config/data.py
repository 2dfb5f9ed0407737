"""Corpora: one class a format; a short form for each."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, field_validator, model_validator

from regard.config.base import Config, Count
from regard.config.filter import parse_condition

BUILTIN_PREFIX, HUB_PREFIX = "builtin:", "hub:"
STDIN = "-"
ENDINGS = {
    ".tsv": "tsv",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".json": "jsonl",
    ".ndjson": "jsonl",
    ".conllu": "conllu",
    ".conll": "columns",
    ".txt": "text",
}
"""The format that the end of a file's name stands for; each may be followed by .gz."""
OWN_ENDINGS: list[str] = []
"""Ends of names of files that plugins read."""
SPREADSHEETS = (".xlsx", ".xls", ".xlsm", ".ods", ".numbers")
PATH_KINDS = ("tsv", "csv", "jsonl", "conllu", "columns", "text")


def _is_condition(text: str) -> str:
    parse_condition(text)
    return text


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Conditions = Annotated[tuple[Annotated[str, AfterValidator(_is_condition)], ...], BeforeValidator(_as_list)]


class BuiltinCorpus(Config):
    """Rows of a built-in world, made on the spot; in short, `builtin:ko-en` or `builtin:ko-en:test`."""

    kind: Literal["builtin"] = "builtin"
    world: Literal["ko-en", "sentiment", "inference", "tags", "questions"] = "ko-en"
    """Korean-English pairs with gold word alignments; Korean sentences with their sentiment; Korean
    inference pairs; Korean words with their parts of speech; Korean texts with questions and where their
    answers stand."""
    split: Literal["train", "dev", "test", "heldout"] | None = None
    """Which part of the world, by default the one that the corpus is named for in the recipe; heldout (of
    ko-en and tags) has combinations of words that no other part has."""
    rows: Count | None = None
    """How many rows; by default 30,000 for training and 1,000 to measure on."""
    lengths: Literal["natural", "long"] = "natural"
    """How long sentences of ko-en and tags are: mostly 2 to 12 words, or evenly up to 60 and more."""
    max_words: Count | None = None
    """The longest Korean sentence of ko-en and tags, in words; by default whatever the grammar makes."""
    seed: int = Field(default=1, strict=True, ge=0)
    """Another seed makes other rows; the splits stay apart whatever it is."""
    filter: Conditions = ()
    """Conditions that a row must meet, such as `label == positive`."""

    @field_validator("world", mode="before")
    @classmethod
    def by_its_old_name(cls, value: Any) -> Any:
        """Stored recipes may call inference by the name that it had first."""
        return "inference" if value == "nli" else value

    @model_validator(mode="after")
    def only_sentences_have_lengths(self) -> Self:
        """Refuse settings that another world would ignore."""
        of_sentences = self.world in ("ko-en", "tags")
        if not of_sentences and (self.max_words or self.lengths != "natural"):
            raise ValueError(f"lengths and max_words belong to ko-en and tags, not to {self.world}")
        if not of_sentences and self.split == "heldout":
            raise ValueError(f"{self.world} has no heldout part; it has train, dev and test")
        return self


Share = Annotated[float, Field(ge=0.0, le=1.0)]


class _FileCorpus(Config):
    path: str
    """The file, plain or .gz; - is stdin. `$NAME` is replaced by the environment variable of that name."""
    filter: Conditions = ()
    """Conditions on columns that a row must meet, such as `source != bible`; several must all hold."""
    part: tuple[Share, Share] | None = None
    """A part of the rows, from one fraction to another, by their position in the file: `[0, 0.02]` and
    `[0.02, 1]` have no row in common and are all rows together. By default all."""
    names: Mapping[str, str] = Field(default_factory=dict)
    """What this file calls a column that the task wants, such as `{text: ko}`: for a mix of files that do not
    name theirs alike. Conditions have the file's own names."""

    @field_validator("part")
    @classmethod
    def _grows(cls, part: tuple[float, float] | None) -> tuple[float, float] | None:
        if part is not None and part[0] >= part[1]:
            raise ValueError(f"expected two shares, the smaller first, such as [0, 0.02], found {list(part)}")
        return part


class TsvCorpus(_FileCorpus):
    """A table, tab separated, without quoting; in short, its path."""

    kind: Literal["tsv"] = "tsv"
    columns: tuple[str, ...] | None = None
    """Names of the columns of a file without a header row."""


class CsvCorpus(_FileCorpus):
    """A table as spreadsheets write it: quoted where needed; in short, its path."""

    kind: Literal["csv"] = "csv"
    columns: tuple[str, ...] | None = None
    """Names of the columns of a file without a header row."""
    delimiter: str | None = Field(default=None, min_length=1, max_length=1)
    """The separator of cells. By default it is guessed from the first rows: a comma, or else a semicolon, a
    tab or a vertical bar, with a notice."""


class JsonLinesCorpus(_FileCorpus):
    """One JSON object a line; a column inside an object is named by a dot: `translation.ko`."""

    kind: Literal["jsonl"] = "jsonl"


class ConlluCorpus(_FileCorpus):
    """Universal Dependencies: a row is a sentence: words, lemmas, tags (UPOS), xpos, text, sent_id, heads,
    relations."""

    kind: Literal["conllu"] = "conllu"


class ColumnsCorpus(_FileCorpus):
    """One word a line with its tags beside it, an empty line after each sentence, as in CoNLL 2003."""

    kind: Literal["columns"] = "columns"
    columns: tuple[str, ...] = ("words", "tags")
    """What each column holds, from the first; the name _ passes over one."""


class PluginCorpus(_FileCorpus):
    """A file that a plugin reads (`regard.register.reader`); in short, its path."""

    kind: Literal["plugin"] = "plugin"
    ending: str
    """The end of the file's name that the plugin has registered."""


class TextCorpus(_FileCorpus):
    """Plain text, one sentence a line; its one column is called text. Empty lines are skipped."""

    kind: Literal["text"] = "text"


class ParallelCorpus(Config):
    """Two text files, plain or .gz, with one sentence a line, line i beside line i."""

    kind: Literal["parallel"] = "parallel"
    source_path: str
    """The file of the source sentences."""
    target_path: str
    """The file of the target sentences."""
    links_path: str | None = None
    """A file of word alignments, one line a pair, as fast_align and eflomal write them: 0-0 1-2, from a word
    of the source to one of the target, counted from 0. By default there are none."""

    @property
    def paths(self) -> list[str]:
        """All its files."""
        own = [self.source_path, self.target_path]
        return own if self.links_path is None else [*own, self.links_path]


class HubCorpus(Config):
    """A data set of the Hugging Face hub, or of a folder in its form; in short, `hub:owner/name`."""

    kind: Literal["hub"] = "hub"
    name: str
    """owner/name on the hub, or the path of a folder."""
    subset: str | None = None
    """The configuration, where a data set has several, such as `ko-en`."""
    split: str | None = None
    """Which part, by default the one that the corpus is named for in the recipe."""
    revision: str | None = None
    """A commit or tag of the data set; without it the newest is taken."""
    filter: Conditions = ()
    """Conditions on columns that a row must meet."""


def expand_short_form(value: Any) -> Any:
    """Read `builtin:ko-en:test`, `some/file.tsv.gz`, `jsonl:-`, `hub:owner/name` as what they stand for."""
    if isinstance(value, list | tuple):
        return {"kind": "mix", "parts": list(value)}
    if not isinstance(value, str):
        return value
    if value.startswith(BUILTIN_PREFIX):
        world, _, split = value.removeprefix(BUILTIN_PREFIX).partition(":")
        return {"kind": "builtin", "world": world, "split": split or None}
    if value.startswith(HUB_PREFIX):
        name, _, split = value.removeprefix(HUB_PREFIX).partition(":")
        return {"kind": "hub", "name": name, "split": split or None}
    kind, colon, path = value.partition(":")
    if colon and kind in PATH_KINDS:
        return {"kind": kind, "path": path}
    for ending, kind in ENDINGS.items():
        if value.lower().endswith((ending, ending + ".gz")):
            return {"kind": kind, "path": value}
    for ending in OWN_ENDINGS:
        if value.lower().endswith(ending):
            return {"kind": "plugin", "ending": ending, "path": value}
    if value.lower().endswith(SPREADSHEETS):
        raise ValueError(f"{value}: is a spreadsheet; save it as CSV (UTF-8), and name that file")
    raise ValueError(
        f"expected builtin:WORLD, hub:NAME, a file that ends in {', '.join([*ENDINGS, *OWN_ENDINGS])} (or "
        f"with .gz), KIND:FILE with a kind of {', '.join(PATH_KINDS)}, or a section with a kind, found "
        f"{value!r}"
    )


_OneCorpus = (
    BuiltinCorpus
    | TsvCorpus
    | CsvCorpus
    | JsonLinesCorpus
    | ConlluCorpus
    | ColumnsCorpus
    | TextCorpus
    | PluginCorpus
    | ParallelCorpus
    | HubCorpus
)
OneCorpus = Annotated[
    Annotated[_OneCorpus, Field(discriminator="kind")],
    BeforeValidator(expand_short_form, json_schema_input_type=str | _OneCorpus),
]


class Part(Config):
    """A corpus with its weight in a mix."""

    corpus: OneCorpus
    """Where its rows come from."""
    weight: float = Field(default=1.0, gt=0.0)
    """Its share of an epoch, relative to the others' weights."""


def _as_part(value: Any) -> Any:
    """A corpus where a part is expected is a part without a weight."""
    return value if isinstance(value, dict) and "corpus" in value else {"corpus": value}


class MixCorpus(Config):
    """Several corpora as one; in short, a list of them: every row of each, once an epoch."""

    kind: Literal["mix"] = "mix"
    parts: tuple[Annotated[Part, BeforeValidator(_as_part)], ...] = Field(min_length=1)
    """The corpora: each in its short form, as a section, or with a weight as `{corpus: …, weight: 2}`."""
    by: Literal["size", "weight", "temperature"] = "size"
    """What decides a part's share of an epoch: its own size (each row once), its weight, or its size to the
    power 1 / temperature. A part that gets less than it has continues in the next epoch where it stopped."""
    temperature: float = Field(default=5.0, ge=1.0)
    """With `by: temperature`: 1 is `size`; the larger, the more a small part gets."""
    rows_per_epoch: Count | None = None
    """With `by: weight` or `temperature`: how long an epoch is; by default all parts' rows together."""

    @model_validator(mode="after")
    def weights_have_a_meaning(self) -> Self:
        """Refuse settings that would be ignored."""
        if self.by != "weight" and any(part.weight != 1.0 for part in self.parts):
            raise ValueError(f"the weights are not used with by: {self.by}; say by: weight")
        if self.by != "temperature" and self.temperature != type(self).model_fields["temperature"].default:
            raise ValueError(f"the temperature is not used with by: {self.by}; say by: temperature")
        if self.by == "size" and self.rows_per_epoch is not None:
            raise ValueError("with by: size an epoch is every row once; rows_per_epoch cannot be set")
        return self


class NoCorpus(Config):
    """No rows: what the recipe of a model says that was trained elsewhere, on data that nobody named."""

    kind: Literal["none"] = "none"


_AnyCorpus = _OneCorpus | MixCorpus | NoCorpus
Corpus = Annotated[
    Annotated[_AnyCorpus, Field(discriminator="kind")],
    BeforeValidator(expand_short_form, json_schema_input_type=str | list[Any] | _AnyCorpus),
]


class CorporaConfig(Config):
    """The corpora of any task; which of their columns are read is the task's to say."""

    train: Corpus = BuiltinCorpus()
    """The training set."""
    dev: Corpus = BuiltinCorpus()
    """The dev set, which chooses the best checkpoint."""
    test: Corpus | None = None
    """What `regard evaluate MODEL` measures on when no data is named."""
    max_tokens: Count = 128
    """A training row with a longer text, in tokens, is left out; their number is reported."""
    on_bad_row: Literal["stop", "skip"] = "stop"
    """A row that cannot be used stops the run before it begins, or is counted and written to
    `quarantine.jsonl` in the run folder."""
    bad_row_limit: Count = 100
    """With `on_bad_row: skip`: more bad rows than this in one corpus stop the run."""


def check_different(*columns: str | None) -> None:
    """Refuse columns of which one is named twice; None names none."""
    named = [column for column in columns if column is not None]
    if len({*named}) < len(named):
        raise ValueError(f"data: expected different columns, found one named twice: {', '.join(named)}")


class _Languages(Config):
    source: str = "ko"
    """The source language: the name of its column, and a label in results."""
    target: str = "en"
    """The target language, likewise."""


class DataConfig(CorporaConfig, _Languages):
    """The corpora of a translator, and which of their columns is which language."""

    @model_validator(mode="after")
    def two_columns(self) -> Self:
        """Refuse one column for both sides: the model would learn to copy."""
        if self.source == self.target:
            raise ValueError(f"source and target are both '{self.source}'; name two different columns")
        return self
