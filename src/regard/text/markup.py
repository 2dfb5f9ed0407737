"""Parts of a text that are not language: tags such as <b>, placeholders such as {name}, %s or an address."""

import re
from dataclasses import dataclass

_VALUE = r"\"[^\"<>]*\"|'[^'<>]*'|[^\s\"'<>]+"
_FLAG = "checked|disabled|hidden|multiple|readonly|required|selected|async|autoplay|controls|loop|open"
_TAG = re.compile(
    rf"</?[A-Za-z][\w:.-]*(?:\s+(?:[\w:.-]+\s*=\s*(?:{_VALUE})|(?:{_FLAG})\b))*\s*/?>|<!--.*?-->", re.ASCII
)
_BREAKS = frozenset(("br", "hr", "p", "div", "li", "ul", "ol", "tr", "td", "th", "h1", "h2", "h3", "h4"))
"""Tags that are as good as a space between two words."""
_PLACEHOLDER = re.compile(
    r"\{\{\s*[\w.]+\s*\}\}"  # {{ name }}
    r"|\$?\{[\w.:]*\}"  # {0}, {name}, ${name}
    r"|%\(\w+\)[a-z]"  # %(name)s
    r"|%(?:\d+\$)?[-+0#]*\d*(?:\.\d+)?l?[sdifgxu@](?![A-Za-z0-9_])"  # %s, %1$d, %.2f, %@
    r"|https?://[!#-&(-;=?-~]*[A-Za-z0-9/#=_-]"  # no Hangul: a particle may follow
    r"|[A-Za-z0-9_.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+"
)


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag, and where it stood in the text without tags."""

    written: str
    place: int

    @property
    def opens(self) -> bool:
        """Whether a closing tag may follow."""
        return not self.closes and not self.written.endswith(("/>", "-->")) and self.name not in ("br", "hr")

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
    plain, end = "", 0
    for found in _TAG.finditer(text):
        plain += text[end : found.start()]
        tag = Tag(found.group(), len(plain))
        end = found.end()
        if tag.name in _BREAKS and plain[-1:].strip() and text[end : end + 1].strip():
            plain += " "
            tag = tag if tag.closes else Tag(tag.written, len(plain))
        tags.append(tag)
    return plain + text[end:], tuple(tags)


def placeholders(text: str) -> tuple[str, ...]:
    """What must be written as it stands, in its order; what comes twice is here twice."""
    return tuple(found.group() for found in _PLACEHOLDER.finditer(text))
