"""Edits as the schema of a request tells them; `regard.insight.edit_values` is what reads them."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from regard.insight.edit_values import MOST_CHARACTERS, MOST_FACTOR, MOST_HEADS
from regard.insight.edits import MOST_WORDS, Where
from regard.insight.maps import MapKind

Text = Annotated[str, Field(max_length=MOST_CHARACTERS)]
Number = Annotated[int, Field(ge=0, le=MOST_WORDS)]
Word = Text | Number
"""A source word: its text, or its number, counted from 0."""


class _Edit(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class _OfWords(_Edit):
    word: Word | None = None
    words: Annotated[list[Word], Field(min_length=1, max_length=1000)] | None = None


class _OfWeights(_Edit):
    where: Where | None = None
    renormalise: bool | None = None


class Mask(_OfWords, _OfWeights):
    """No attention to some words."""

    edit: Literal["mask"]


class MaskWindow(_OfWeights):
    """No attention to a run of words, both ends in it."""

    edit: Literal["mask_window"]
    first: Number
    last: Number


class Reweight(_OfWords, _OfWeights):
    """More attention to some words, or less."""

    edit: Literal["reweight"]
    factor: Annotated[float, Field(ge=0, le=MOST_FACTOR)]


class Remove(_OfWords):
    """Words are taken out of the input."""

    edit: Literal["remove"]


class MaskHead(_Edit):
    """A head adds nothing."""

    edit: Literal["mask_head"]
    path: Text
    head: Annotated[int, Field(ge=0, le=MOST_HEADS)]


class MaskLayer(_Edit):
    """All heads of an attention add nothing."""

    edit: Literal["mask_layer"]
    path: Text


class ForceRow(_Edit):
    """All weight of a row goes to one word."""

    edit: Literal["force_row"]
    row: Number
    column: Word
    path: Text | None = None


class ForcePrefix(_Edit):
    """The output begins with this."""

    edit: Literal["force_prefix"]
    text: Text


class Transplant(_Edit):
    """The attention that the model has of another text."""

    edit: Literal["transplant"]
    source: Text
    target: Text | None = None
    kind: MapKind | None = None


Edit = Annotated[
    Mask | MaskWindow | Reweight | Remove | MaskHead | MaskLayer | ForceRow | ForcePrefix | Transplant,
    Field(discriminator="edit"),
]
