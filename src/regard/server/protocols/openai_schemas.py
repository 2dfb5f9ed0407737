"""The requests of OpenAI's protocol, as far as it is about texts.

Names that are not here are refused if they would change the result, and passed over if they would not.
"""

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from regard.server.service import ServiceError

MOST_TOKENS = 4096
Token = Annotated[int, Field(ge=0, le=2**31 - 1)]
Texts = str | list[str] | list[Token] | list[list[Token]]
HARMLESS = frozenset(
    re.findall(
        r"\w+",
        "user metadata store service_tier safety_identifier prompt_cache_key prompt_cache_retention "
        "prompt_cache_options prediction parallel_tool_calls",
    )
)
"""What is said to a platform, not to a model."""
NEUTRAL: dict[str, tuple[Any, ...]] = {
    "frequency_penalty": (0,),
    "presence_penalty": (0,),
    "logit_bias": ({},),
    "suffix": ("",),
    "best_of": (1,),
    "tools": ([],),
    "tool_choice": ("none", "auto"),
    "functions": ([],),
    "function_call": ("none", "auto"),
    "response_format": ({"type": "text"},),
    "modalities": (["text"],),
}
"""Values that change nothing."""


class Asked(BaseModel):
    """What all requests have."""

    model_config = ConfigDict(extra="allow", use_attribute_docstrings=True, strict=True, allow_inf_nan=False)

    model: str = Field(max_length=64)
    """The name of a served model."""
    attention: bool = False
    """Also give the attention between words: `attention` beside each result. An addition of regard."""

    def check_unknown(self) -> None:
        """Refuse what would change the result elsewhere, and would not here."""
        for name, value in (self.model_extra or {}).items():
            if name in HARMLESS or value is None or value in NEUTRAL.get(name, ()):
                continue
            raise ServiceError(
                400, "unsupported", f"{name[:64]} is not supported here; leave it out", field=name[:64]
            )


class EmbeddingRequest(Asked):
    """POST /v1/embeddings."""

    input: Texts
    """A text, or several; or the tokens of a text, or of several."""
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: int | None = Field(default=None, ge=1, le=2**16)
    """Refused, unless it is the size that the vectors have."""
    normalize: bool = True
    """Give vectors the length 1, as OpenAI does. An addition of regard."""


class StreamOptions(BaseModel):
    """How a stream is told."""

    model_config = ConfigDict(strict=True)

    include_usage: bool = False
    include_obfuscation: bool = False
    """Accepted; nothing is padded here."""


class WritingRequest(Asked):
    """What requests for text have."""

    temperature: float | None = Field(default=None, ge=0, le=2)
    """0 is greedy search. By default 1 of a language model; of a translator the search of its recipe."""
    top_p: float | None = Field(default=None, ge=0, le=1)
    n: int | None = Field(default=None, ge=1, le=128)
    seed: int | None = Field(default=None, ge=0, le=2**63 - 1)
    """The same seed draws the same texts; without one, each request has its own."""
    stop: str | Annotated[list[str], Field(max_length=4)] | None = None
    """Texts before which a language model ends."""
    stream: bool | None = None
    stream_options: StreamOptions | None = None

    @property
    def count(self) -> int:
        """How many results are wanted of each prompt."""
        return self.n or 1

    @property
    def stops(self) -> list[str]:
        """The texts before which to end."""
        given = [self.stop] if isinstance(self.stop, str) else self.stop or []
        return [stop for stop in given if stop]


class CompletionRequest(WritingRequest):
    """POST /v1/completions."""

    prompt: Texts | None = ""
    max_tokens: int | None = Field(default=16, ge=0, le=MOST_TOKENS)
    logprobs: int | None = Field(default=None, ge=0, le=5)
    """Also give the log-probability of each token, and of so many that were the likeliest there."""
    echo: bool | None = None
    """Write the prompt before the completion."""


class TextPart(BaseModel):
    """A part of a message."""

    type: Literal["text"]
    text: str


class Message(BaseModel):
    """One of a conversation."""

    model_config = ConfigDict(extra="ignore")

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[TextPart] | None = None

    @property
    def text(self) -> str:
        """What it says."""
        if isinstance(self.content, str):
            return self.content
        return "".join(part.text for part in self.content or ())


class ChatRequest(WritingRequest):
    """POST /v1/chat/completions: the last message of the user is translated, or completed."""

    messages: list[Message] = Field(min_length=1, max_length=1024)
    max_tokens: int | None = Field(default=None, ge=1, le=MOST_TOKENS)
    max_completion_tokens: int | None = Field(default=None, ge=1, le=MOST_TOKENS)
    logprobs: bool | None = None
    top_logprobs: int | None = Field(default=None, ge=0, le=20)

    @property
    def text(self) -> str:
        """The last message of the user."""
        for message in reversed(self.messages):
            if message.role == "user":
                return message.text
        raise ServiceError(400, "invalid", "messages: expected one with the role user", field="messages")

    @property
    def most_tokens(self) -> int | None:
        """The most tokens of an answer."""
        return self.max_completion_tokens or self.max_tokens


class ErrorDetail(BaseModel):
    """What is wrong."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    message: str
    type: str
    param: str | None
    """The field that is meant."""
    code: str


class ErrorAnswer(BaseModel):
    """What is answered if something is wrong."""

    error: ErrorDetail
