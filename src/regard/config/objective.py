"""What a sentence encoder learns from two texts."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from regard.config.base import Config


class InBatchConfig(Config):
    """Pairs of equal meaning. Of all second texts of a batch, a text is to be nearest to its own:
    cross-entropy of softmax(scale · cosine) (Henderson et al. 2017, Reimers and Gurevych 2019)."""

    kind: Literal["in-batch-negatives"] = "in-batch-negatives"
    scale: float = Field(default=20.0, gt=0.0)
    """What cosines are multiplied by: the larger, the more only the nearest count."""
    both_ways: bool = True
    """Also find the first text of a pair from its second; the loss is the mean of both."""


class CosineConfig(Config):
    """A number for each pair (`data.score`): the squared distance of the cosine from it, put into 0 to 1."""

    kind: Literal["cosine"] = "cosine"


class SoftmaxConfig(Config):
    """A label for each pair (`data.label`), such as those of inference: the cross-entropy of
    softmax(W [u; v; |u − v|] + b) (Reimers and Gurevych 2019). W and b are for training alone."""

    kind: Literal["softmax"] = "softmax"


_ObjectiveConfig = InBatchConfig | CosineConfig | SoftmaxConfig


def _expand(value: Any) -> Any:
    """`cosine` stands for `{kind: cosine}`."""
    return {"kind": value} if isinstance(value, str) else value


ObjectiveConfig = Annotated[
    Annotated[_ObjectiveConfig, Field(discriminator="kind")],
    BeforeValidator(_expand, json_schema_input_type=str | _ObjectiveConfig),
]
