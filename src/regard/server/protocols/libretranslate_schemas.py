"""The requests and answers of LibreTranslate."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Language = Annotated[str, Field(min_length=1, max_length=16)]
Key = Annotated[str | None, Field(max_length=512)]


class Asked(BaseModel):
    """What all requests have; names that are not known are passed over, as LibreTranslate does."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    api_key: Key = None
    """Or in a header, as `Authorization: Bearer KEY`."""


class TranslateRequest(Asked):
    """POST /translate."""

    q: str | list[str]
    """A text, or several."""
    source: Language
    """A code, or auto."""
    target: Language
    format: Literal["text", "html"] = "text"
    alternatives: int = Field(default=0, ge=0, le=255)
    """How many other translations to give, if there are so many."""
    attention: bool = False
    """Also give the attention between words: `attention` in the answer. An addition of regard."""


class DetectRequest(Asked):
    """POST /detect."""

    q: str | list[str]


class FileFields(Asked):
    """POST /translate_file, besides the file."""

    source: Language
    target: Language


class ErrorAnswer(BaseModel):
    """What is answered if something is wrong."""

    error: str


class DetectedLanguage(BaseModel):
    """A language that a text may be in."""

    confidence: float = Field(ge=0, le=100)
    language: str


class LanguageAnswer(BaseModel):
    """A language, and those that it can be translated to."""

    code: str
    name: str
    targets: list[str]


class FileAnswer(BaseModel):
    """Where the translated file is, for ten minutes."""

    translatedFileUrl: str  # noqa: N815
