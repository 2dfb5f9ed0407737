"""What regard's own requests look like: an input, or a list of them, and options with their limits."""

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, create_model, model_validator
from pydantic.fields import FieldInfo

from regard.config.decoding import DecodingChanges, DecodingConfig
from regard.insight.edit_values import MOST_EDITS
from regard.insight.maps import MapKind, Reduce, Unit
from regard.server.bounds import (
    MOST_BEST,
    MOST_CHARACTERS,
    MOST_ID,
    MOST_INPUTS,
    MOST_ROW_CHARACTERS,
    MOST_ROWS,
    MOST_STEPS,
    MOST_TOKENS,
)
from regard.server.protocols.own_edits import Edit, Word

Text = Annotated[str, Field(max_length=MOST_CHARACTERS)]
Name = Annotated[str, Field(max_length=256)]
Ids = Annotated[list[Annotated[int, Field(ge=0, le=MOST_ID)]], Field(max_length=MOST_TOKENS)]
Best = Annotated[int, Field(ge=1, le=MOST_BEST)]
Row = Annotated[str, Field(max_length=MOST_ROW_CHARACTERS)]
Phrases = Annotated[
    list[Name | Annotated[list[Name], Field(min_length=1, max_length=32)]], Field(max_length=256)
]
Term = Annotated[list[Name], Field(min_length=2, max_length=2)]
Place = Annotated[int, Field(ge=0, le=100_000)]


class Schema(BaseModel):
    """Nothing is guessed: a field that is not known, or of another type, is refused."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class TextInput(Schema):
    """A text."""

    text: Text


class PairInput(TextInput):
    """A text, and a second one for models that read pairs."""

    second: Text | None = None


class TwoTexts(TextInput):
    """Two texts."""

    second: Text


class TargetInput(TextInput):
    """A text, and maybe its translation."""

    target: Text | None = None


class QuestionInput(TextInput):
    """A question, and a text that has the answer."""

    question: Text


class AnyInput(TextInput):
    """A text, with what the model reads beside it: a second text, a translation, or a question."""

    second: Text | None = None
    target: Text | None = None
    question: Text | None = None


class IdsInput(Schema):
    """Tokens by their numbers."""

    ids: Ids


class CheckedRow(Schema):
    """A row of a corpus: what is read, and what is right."""

    text: Row
    second: Row | None = None
    question: Row | None = None
    target: Row | None = None


class RowsInput(Schema):
    """Rows of a corpus."""

    rows: Annotated[list[CheckedRow], Field(min_length=1, max_length=MOST_ROWS)]


class Wishes(Schema):
    """What outputs begin with, must have and must not have."""

    prefix: Text | None = None
    must: Phrases | None = None
    must_not: Annotated[list[Name], Field(max_length=256)] | None = None


class Attention(Schema):
    """Whether the word map is in the answer."""

    attention: bool | None = None


def _optional(field: FieldInfo) -> Any:
    """The type of a field with its limits; or nothing."""
    if not field.metadata:
        return field.annotation | None  # type: ignore[operator]
    return Annotated[field.annotation, *field.metadata] | None


def _settings_of_search() -> dict[str, Any]:
    """Those of `DecodingConfig`, with its limits; None leaves one as the recipe says."""
    fields = DecodingConfig.model_fields
    own = [name for name in DecodingChanges.__annotations__ if name != "batch_tokens"]
    return {name: (_optional(fields[name]), None) for name in own}


Search: Any = create_model(
    "Search", __base__=Schema, __doc__="How to search, where not as in the recipe.", **_settings_of_search()
)


class Writing(Search):  # type: ignore[misc]
    """What all that write can be asked for."""

    constraints: Wishes | None = None
    glossary: Annotated[list[Term], Field(max_length=256)] | None = None


class TranslateOptions(Writing, Attention):
    """Of a translation."""

    n_best: Best | None = None
    split: bool | None = None
    too_long: Literal["refuse", "split"] | None = None
    markup: bool | None = None


class CompleteOptions(Search, Attention):  # type: ignore[misc]
    """Of a completion."""

    n_best: Best | None = None
    constraints: Wishes | None = None
    stop: Annotated[list[Name], Field(max_length=16)] | None = None
    logprobs: Annotated[int, Field(ge=0, le=20)] | None = None


class TreeOptions(Writing):
    """Of a beam tree."""

    begin: Ids | None = None


class BestOptions(Attention):
    """Of several results."""

    n_best: Best | None = None


class EmbedOptions(Attention):
    """Of a vector."""

    normalize: bool | None = None
    prompt: Name | None = None
    too_long: Literal["cut", "windows", "refuse"] | None = None


class SimilarityOptions(Schema):
    """Of a cosine."""

    unit: Unit | None = None
    prompt: Name | None = None


class SideOptions(Schema):
    """Of a translator: whose vocabulary is meant."""

    side: Literal["source", "target"] | None = None


class LookOptions(Schema):
    """Which attention is shown."""

    unit: Unit | None = None
    kind: MapKind | None = None
    layer: Annotated[int, Field(ge=0, le=1000)] | None = None
    head: Annotated[int, Field(ge=0, le=1000)] | None = None
    path: Name | None = None
    reduce: Reduce | None = None
    specials: bool | None = None
    maps: bool | None = None


class EditOptions(LookOptions):
    """The same, and what is changed."""

    edits: Annotated[list[Edit], Field(max_length=MOST_EDITS)]


class ExplainOptions(Schema):
    """Which row is followed."""

    row: Name | Place
    column: Word | None = None
    path: Name | None = None
    head: Annotated[int, Field(ge=0, le=1000)] | None = None


class AlignOptions(Schema):
    """How weights become links."""

    unit: Literal["words", "eojeol", "morphemes", "tokens"] | None = None
    threshold: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] | None = None


class CausesOptions(Schema):
    """What is explained, and how it is measured."""

    word: Word | None = None
    instead: Text | None = None
    by: Annotated[list[Name], Field(min_length=1, max_length=16)] | None = None
    steps: Annotated[int, Field(ge=1, le=MOST_STEPS)] | None = None
    alternatives: bool | None = None


class CheckedSections(Schema):
    """Which sections of a check."""

    only: Annotated[list[Name], Field(min_length=1, max_length=8)] | None = None
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] | None = None


class NoOptions(Schema):
    """Nothing but the inputs."""


OPERATIONS: dict[str, tuple[type[Schema], type[Schema]]] = {
    "translate": (TextInput, TranslateOptions),
    "complete": (TextInput, CompleteOptions),
    "classify": (PairInput, Attention),
    "tag": (TextInput, Attention),
    "answer": (QuestionInput, BestOptions),
    "fill": (TextInput, BestOptions),
    "embed": (TextInput, EmbedOptions),
    "similarity": (TwoTexts, SimilarityOptions),
    "score": (TargetInput, NoOptions),
    "tokenize": (TextInput, SideOptions),
    "decode": (IdsInput, SideOptions),
    "look": (AnyInput, LookOptions),
    "edit": (AnyInput, EditOptions),
    "explain": (AnyInput, ExplainOptions),
    "align": (TargetInput, AlignOptions),
    "causes": (AnyInput, CausesOptions),
    "check": (RowsInput, CheckedSections),
    "alarms": (AnyInput, NoOptions),
    "beam-tree": (TextInput, TreeOptions),
}
"""What one input of an operation has, and its options."""


STREAMED = frozenset({"complete"})
"""What can be seen while it is being written."""


class Asked(Schema):
    """What every request has."""

    one: ClassVar[type[Schema]]
    """What an input is."""
    model: Annotated[str, Field(max_length=128)] | None = None
    """One of those that are served; NAME@step-00000120 is a checkpoint of its run. By default the first that
    can do what is asked for."""
    inputs: Any = None

    @model_validator(mode="after")
    def has_inputs(self) -> Self:
        """One input by its fields, or a list of inputs; not both."""
        given = {name for name in self.one.model_fields if getattr(self, name) is not None}
        if self.inputs is not None and given:
            raise ValueError(f"expected {min(given)} or inputs, found both")
        needed = [name for name, field in self.one.model_fields.items() if field.is_required()]
        lacking = [name for name in needed if name not in given]
        if self.inputs is None and lacking:
            raise ValueError(f"expected {lacking[0]}, or a list of inputs, found neither")
        return self

    def given_inputs(self) -> list[dict[str, Any]]:
        """The inputs, in their order."""
        if self.inputs is None:
            return [self.model_dump(include=set(self.one.model_fields), exclude_none=True)]
        return [one.model_dump(exclude_none=True) for one in self.inputs]

    def given_options(self) -> dict[str, Any]:
        """All that is not an input."""
        others = {"model", "inputs", "stream", *self.one.model_fields}
        return self.model_dump(exclude=others, exclude_none=True)


def request_schema(operation: str) -> type[Asked]:
    """What a request for an operation has."""
    one, options = OPERATIONS[operation]
    base: Any = (options, Asked)
    name = operation.title().replace("-", "")
    fields: dict[str, Any] = {
        "inputs": (Annotated[list[one], Field(min_length=1, max_length=MOST_INPUTS)] | None, None)  # type: ignore[valid-type]
    }
    for own, field in one.model_fields.items():
        fields[own] = (_optional(field), None)
    if operation in STREAMED:
        fields["stream"] = (bool | None, None)
    schema: type[Asked] = create_model(f"{name}Request", __base__=base, __doc__=options.__doc__, **fields)
    schema.one = one
    return schema
