"""How a trained model generates its output."""

from typing import Any, Literal, Self, TypedDict

from pydantic import Field, ValidationError, model_validator

from regard.config.base import Config, Count
from regard.config.problems import config_error

LengthPenalty = Literal["average", "gnmt"]


class DecodingConfig(Config):
    """The search: its beam size, its ranking, its constraints, and its longest output."""

    beam_size: int = Field(default=5, ge=1, le=256)
    """Hypotheses kept at each step; 1 is greedy search. Not used when sampling."""
    length_penalty: LengthPenalty = "average"
    """What a log-probability is divided by: average is length ** alpha; gnmt is ((5 + length) / 6) ** alpha
    (Wu et al. 2016). The length counts </s>."""
    length_alpha: float = Field(default=1.0, ge=0.0, le=2.0)
    """The exponent of the length penalty; with average, 1 is the mean over the tokens. 0 is the sum."""
    endings: Literal["any", "best"] = "any"
    """Which candidates may end a hypothesis: any that is better than the last one that is continued; or one
    of the `beam_size` best candidates alone, as in fairseq and transformers."""
    coverage_beta: float = Field(default=0.0, ge=0.0, le=10.0)
    """How much a source word with hardly any attention costs: beta * sum_i log min(sum_t a_ti, 1) is added to
    the score of a finished hypothesis (Wu et al. 2016). 0 is off; needs a model with attention."""
    beam_groups: int = Field(default=1, ge=1, le=256)
    """Groups of diverse beam search: each avoids the tokens of those before it
    (Vijayakumar et al. 2016). Divides `beam_size`."""
    diversity: float = Field(default=0.5, ge=0.0, le=100.0)
    """With groups: what a token costs for each time that an earlier group has chosen it at this step."""
    min_length: int = Field(default=0, ge=0, le=1000)
    """No output has fewer tokens, </s> not counted, unless the maximum length is shorter than this."""
    max_length_factor: float = Field(default=2.0, ge=0.0, le=10.0)
    """No output is longer than factor * source tokens + extra; with 0, all have one bound."""
    max_length_extra: int = Field(default=10, ge=0, le=10_000)
    """See `max_length_factor`."""
    no_repeat_ngram: int = Field(default=0, ge=0, le=100)
    """No n-gram of so many tokens occurs twice in an output; 0 is off."""
    sample: bool = False
    """Draw each token by its probability instead of searching for the best sentence."""
    temperature: float = Field(default=1.0, gt=0.0, le=10.0)
    """When sampling: log-probabilities are divided by it before a token is sampled; below 1 is more
    confident."""
    top_k: int = Field(default=0, ge=0, le=1_000_000)
    """When sampling: sample only from so many most probable tokens; 0 is all."""
    top_p: float = Field(default=1.0, gt=0.0, le=1.0)
    """When sampling: sample only from the fewest tokens that together have this probability; 1 is all."""
    seed: int = Field(default=0, strict=True, ge=0, le=2**63 - 1)
    """When sampling: another seed gives other samples."""
    replace_unknown: bool | None = None
    """Let <unk> be generated, and show instead the source word with the largest weight (Luong et al.
    2015). For vocabularies that have unknown words: word, where this is the default, and wordpiece."""
    batch_tokens: Count = 2048
    """Source tokens, padding included, that are decoded together."""

    @model_validator(mode="after")
    def settings_have_a_meaning(self) -> Self:
        """Refuse settings that would be ignored, or that cannot be met."""
        if self.beam_size % self.beam_groups:
            raise ValueError(
                f"beam_size must be a multiple of beam_groups, found {self.beam_size} and {self.beam_groups}"
            )
        if self.sample and (self.beam_groups > 1 or self.coverage_beta):
            raise ValueError("beam_groups and coverage_beta belong to beam search; set sample to false")
        for name in ("temperature", "top_k", "top_p", "seed"):
            if not self.sample and getattr(self, name) != type(self).model_fields[name].default:
                raise ValueError(f"{name} is only used when sampling; set sample to true")
        return self

    def greedy(self) -> "DecodingConfig":
        """Plain greedy search with the same bounds: quick, and the same whatever else is set."""
        return DecodingConfig(
            beam_size=1,
            max_length_factor=self.max_length_factor,
            max_length_extra=self.max_length_extra,
            batch_tokens=self.batch_tokens,
            replace_unknown=False,
        )

    def max_length(self, source_tokens: int) -> int:
        """The most tokens that the output of a source sentence may have."""
        return max(1, int(self.max_length_factor * source_tokens) + self.max_length_extra)

    def changed(self, changes: "DecodingChanges") -> "DecodingConfig":
        """The same search with some settings changed; None leaves one as it is."""
        given: dict[str, Any] = {name: value for name, value in changes.items() if value is not None}
        if not given:
            return self
        try:
            return DecodingConfig.model_validate({**self.model_dump(), **given})
        except ValidationError as error:
            raise config_error(error, DecodingConfig, "decoding") from None


class DecodingChanges(TypedDict, total=False):
    """Settings of `DecodingConfig` to change for one call; None leaves one as it is."""

    beam_size: int | None
    length_penalty: LengthPenalty | None
    length_alpha: float | None
    endings: Literal["any", "best"] | None
    coverage_beta: float | None
    beam_groups: int | None
    diversity: float | None
    min_length: int | None
    max_length_factor: float | None
    max_length_extra: int | None
    no_repeat_ngram: int | None
    sample: bool | None
    temperature: float | None
    top_k: int | None
    top_p: float | None
    seed: int | None
    replace_unknown: bool | None
    batch_tokens: int | None
