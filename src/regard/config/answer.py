"""What is said of a text: one label, any number of labels, or a number."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field

from regard.config.base import Config


class LabelConfig(Config):
    """One label of several; the most probable one is said."""

    measures: ClassVar[tuple[str, ...]] = ("accuracy", "macro_f1")
    kind: Literal["label"] = "label"


class LabelsConfig(Config):
    """Any number of labels, none too; each that is more probable than not is said."""

    measures: ClassVar[tuple[str, ...]] = ("micro_f1", "macro_f1", "accuracy")
    kind: Literal["labels"] = "labels"
    separator: str = Field(default=",", min_length=1, max_length=8)
    """What stands between two labels of a cell; in JSON lines, a cell may be a list instead."""


class NumberConfig(Config):
    """A number, such as how alike two sentences are."""

    measures: ClassVar[tuple[str, ...]] = ("spearman", "pearson")
    kind: Literal["number"] = "number"


_AnswerConfig = LabelConfig | LabelsConfig | NumberConfig


def _expand(value: Any) -> Any:
    """`number` stands for `{kind: number}`."""
    return {"kind": value} if isinstance(value, str) else value


AnswerConfig = Annotated[
    Annotated[_AnswerConfig, Field(discriminator="kind")],
    BeforeValidator(_expand, json_schema_input_type=str | _AnswerConfig),
]
