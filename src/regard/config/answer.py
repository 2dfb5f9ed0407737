"""The output type of a classifier: single-label, multi-label, or regression."""

from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field

from regard.config.base import Config, expand_kind


class LabelConfig(Config):
    """Single-label: the prediction is the most probable label."""

    measures: ClassVar[tuple[str, ...]] = ("accuracy", "macro_f1")
    kind: Literal["label"] = "label"


class LabelsConfig(Config):
    """Multi-label: any number of labels, also none; the prediction has each that is more probable than
    not."""

    measures: ClassVar[tuple[str, ...]] = ("micro_f1", "macro_f1", "accuracy")
    kind: Literal["labels"] = "labels"
    separator: str = Field(default=",", min_length=1, max_length=8)
    """The separator between two labels of a cell; in JSON lines, a cell may be a list instead."""


class NumberConfig(Config):
    """A number, such as how alike two sentences are."""

    measures: ClassVar[tuple[str, ...]] = ("spearman", "pearson")
    kind: Literal["number"] = "number"


_AnswerConfig = LabelConfig | LabelsConfig | NumberConfig


AnswerConfig = Annotated[
    Annotated[_AnswerConfig, Field(discriminator="kind")],
    BeforeValidator(expand_kind, json_schema_input_type=str | _AnswerConfig),
]
