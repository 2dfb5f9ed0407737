"""The requests and answers of Text Embeddings Inference."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Token = Annotated[int, Field(ge=0, le=2**31 - 1)]
Name = Annotated[str | None, Field(max_length=64)]
Single = Annotated[list[str], Field(min_length=1, max_length=2)]


class Schema(BaseModel):
    """A part of a request: JSON has types, and 0.0 is no boolean."""

    model_config = ConfigDict(use_attribute_docstrings=True, strict=True, allow_inf_nan=False)


class Asked(Schema):
    """What all requests have."""

    truncate: bool | None = None
    """Cut the end off a text that is too long (true), refuse it (false), or do what the model does."""
    truncation_direction: Literal["Right", "right"] = "Right"
    """The end is what is cut off."""


class EmbedRequest(Asked):
    """POST /embed."""

    inputs: str | list[str]
    normalize: bool = True
    """Give vectors the length 1."""
    prompt_name: Name = None
    """What is written before each text, by the name that the model has for it."""
    dimensions: int | None = Field(default=None, ge=1, le=2**16)
    """Refused, unless it is the size that the vectors have."""
    encoding_format: Literal["float"] = "float"


class SimilarityInput(Schema):
    """One text, and those that it is compared with."""

    source_sentence: str
    sentences: list[str] = Field(min_length=1)


class SimilarityParameters(Asked):
    """How texts are read."""

    prompt_name: Name = None


class SimilarityRequest(Schema):
    """POST /similarity."""

    inputs: SimilarityInput
    parameters: SimilarityParameters | None = None


class PredictParameters(Schema):
    """What clients of Hugging Face's inference API send; an answer to them is a list of lists."""

    model_config = ConfigDict(extra="forbid")

    top_k: int | None = Field(default=None, ge=1, le=2**16)
    """The likeliest labels alone."""
    function_to_apply: Literal["softmax", "sigmoid"] | None = None
    """Accepted where it is what the model was trained with."""


class PredictRequest(Asked):
    """POST /predict."""

    inputs: str | Single | list[Single]
    """A text; a pair as a list of two texts; or a list of lists of one text or two."""
    raw_scores: bool = False
    """Refused if true: scores are calibrated probabilities."""
    parameters: PredictParameters | None = None


class RerankRequest(Asked):
    """POST /rerank."""

    query: str
    texts: list[str] = Field(min_length=1)
    raw_scores: bool = False
    """Refused of a classifier: scores are calibrated probabilities. Cosines and numbers are what they are."""
    return_text: bool = False


class TokenizeRequest(Schema):
    """POST /tokenize."""

    inputs: str | list[str]
    add_special_tokens: bool = True
    """Also those that a model puts around a text, where its vocabulary has such."""


class DecodeRequest(Schema):
    """POST /decode."""

    ids: list[Token] | list[list[Token]]
    skip_special_tokens: Literal[True] = True
    """They have no text."""


class Prediction(BaseModel):
    """A label, and how probable it is; of a model that says numbers, the number."""

    label: str
    score: float


class Rank(BaseModel):
    """A text by its place in the request."""

    index: int = Field(ge=0, le=2**31 - 1)
    score: float
    text: str | None = None


class TokenAnswer(BaseModel):
    """A token; a special one covers no characters."""

    id: int = Field(ge=0, le=2**31 - 1)
    text: str
    special: bool
    start: int | None = Field(ge=0, le=2**31 - 1)
    stop: int | None = Field(ge=0, le=2**31 - 1)


class ErrorAnswer(BaseModel):
    """What is answered if something is wrong."""

    error: str
    error_type: Literal["Unhealthy", "Backend", "Overloaded", "Validation", "Tokenizer", "Empty"]
