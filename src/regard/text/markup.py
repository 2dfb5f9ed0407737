"""Parts of a text that are not language: tags such as <b>, placeholders such as {name}, %s or an address."""

import re
from dataclasses import dataclass

_VALUE = r"\"[^\"<>]*\"|'[^'<>]*'|[^\s\"'<>]+"
_TAG = re.compile(rf"</?[A-Za-z][\w:.-]*(?:\s+[\w:.-]+\s*=\s*(?:{_VALUE}))*\s*/?>", re.ASCII)
_PLACEHOLDER = re.compile(
    r"\{\{\s*[\w.]+\s*\}\}"  # {{ name }}
    r"|\$?\{[\w.:]*\}"  # {0}, {name}, ${name}
    r"|%\(\w+\)[a-z]"  # %(name)s
    r"|%(?:\d+\$)?[-+0#]*\d*(?:\.\d+)?l?[sdifgxu@](?![A-Za-z0-9_])"  # %s, %1$d, %.2f, %@
    r"|https?://[^\s<>\"']*[^\s<>\"'.,;:!?)\]]"
    r"|[\w.+-]+@\w[\w-]*(?:\.\w[\w-]*)+"
)


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag, and where it stood in the text without tags."""

    written: str
    place: int

    @property
    def opens(self) -> bool:
        """Whether a closing tag may follow."""
        return not self.closes and not self.written.endswith("/>")

    @property
    def closes(self) -> bool:
        """Whether it closes another."""
        return self.written.startswith("</")

    @property
    def name(self) -> str:
        """The name in it, in small letters."""
        return re.split(r"[\s/>]", self.written.lstrip("</"), maxsplit=1)[0].lower()


def without_tags(text: str) -> tuple[str, tuple[Tag, ...]]:
    """The text without its tags, and the tags."""
    tags: list[Tag] = []
    parts: list[str] = []
    length = end = 0
    for found in _TAG.finditer(text):
        parts.append(text[end : found.start()])
        length += len(parts[-1])
        tags.append(Tag(found.group(), length))
        end = found.end()
    return "".join([*parts, text[end:]]), tuple(tags)


def placeholders(text: str) -> tuple[str, ...]:
    """What must be written as it stands, in its order; what comes twice is here twice."""
    return tuple(found.group() for found in _PLACEHOLDER.finditer(text))
