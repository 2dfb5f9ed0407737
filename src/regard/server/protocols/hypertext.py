"""HTML as pieces to translate: runs of text with the tags inside a sentence; all else stays as it is.

No tree is built, and nothing is repaired: what stands between two runs is written again letter for letter.
Every step reads on from where the last one ended, so the time grows with the length alone.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape, unescape

from regard.text.markup import without_tags

_TAG = re.compile(r"</?[A-Za-z](?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*>|<![A-Za-z][^<>]*>|<\?[^<>]*>")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9:-]*")
_INLINE = frozenset(
    re.findall(
        r"\w+",
        "a abbr b bdi bdo big cite code data del dfn em font i img ins kbd label mark q s samp small span "
        "strike strong sub sup time tt u var wbr br",
    )
)
"""Tags that may stand inside of a sentence."""
_KEPT = frozenset(("script", "style", "pre", "template", "svg", "math", "textarea"))
"""What is in them is no text to translate."""


@dataclass(frozen=True)
class Piece:
    """A part of a document."""

    written: str
    """As it stands there."""
    tags: tuple[str, ...] = ()
    """Those inside of a text, as they are written."""
    text: str = ""
    """What is to be translated, with its tags but without entities; nothing where all stays as it is."""

    def translated(self, text: str) -> str:
        """The same piece with another text: its own tags are tags again, all else is escaped."""
        head = self.written[: len(self.written) - len(self.written.lstrip())]
        tail = self.written[len(self.written.rstrip()) :]
        parts = [text]
        if self.tags:
            parts = re.split("(" + "|".join(map(re.escape, dict.fromkeys(self.tags))) + ")", text)
        shown = [part if n % 2 else escape(unescape(part), quote=False) for n, part in enumerate(parts)]
        return head + "".join(shown).strip() + tail


def pieces(document: str) -> list[Piece]:
    """A document in its parts; their `written`, joined, are the document."""
    found: list[Piece] = []
    run: list[tuple[str, bool]] = []
    for written, kind in _tokens(document):
        if kind == "kept":
            found += _run(run)
            found.append(Piece(written))
            run = []
        else:
            run.append((written, kind == "inline"))
    return found + _run(run)


def _run(parts: Sequence[tuple[str, bool]]) -> list[Piece]:
    """Text and tags between two borders; tags around all of it are translated with it."""
    if not parts:
        return []
    written = "".join(part for part, _ in parts)
    if not any(part.strip() for part, is_tag in parts if not is_tag):
        return [Piece(written)]
    text = "".join(part if is_tag else _readable(part) for part, is_tag in parts)
    return [Piece(written, tuple(part for part, is_tag in parts if is_tag), text.strip())]


def _readable(text: str) -> str:
    """Without entities, unless it would look like a tag then."""
    plain = unescape(text)
    return plain if without_tags(plain)[0] == plain else text


def _tokens(document: str) -> Iterator[tuple[str, str]]:
    """Parts with what each is: text, an inline tag, or what is kept."""
    place, no_comment_ends = 0, False
    while place < len(document):
        start = document.find("<", place)
        if start < 0:
            yield document[place:], "text"
            return
        if start > place:
            yield document[place:start], "text"
        if document.startswith("<!--", start) and not no_comment_ends:
            end = document.find("-->", start + 4)
            if end >= 0:
                yield document[start : end + 3], "kept"
                place = end + 3
                continue
            no_comment_ends = True
        tag = _TAG.match(document, start)
        if tag is None:
            yield "<", "text"
            place = start + 1
            continue
        named = _NAME.search(tag.group())
        name = named.group().lower() if named else ""
        place = tag.end()
        if name in _KEPT and not tag.group().startswith("</"):
            closing = re.compile(f"</{name}", re.ASCII | re.IGNORECASE).search(document, place)
            place = len(document) if closing is None else closing.start()
            yield document[start:place], "kept"
        elif name in _INLINE and not without_tags(tag.group())[0]:
            yield tag.group(), "inline"
        else:
            yield tag.group(), "kept"
