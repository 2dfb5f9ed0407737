"""What Korean words are made of: morphemes, as Kiwi finds them, and jamo, the letters of a syllable."""

import re
import tempfile
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from regard.config.text import split_user_word
from regard.errors import DataError, MissingExtraError
from regard.text.normalise import NormalisedText, Span, normalise
from regard.text.words import word_spans

if TYPE_CHECKING:
    from kiwipiepy import Kiwi, Token

_HANGUL = re.compile(r"[가-힣ㄱ-ㆎ\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]")
_SYLLABLE = re.compile(r"[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Dictionary:
    """What Kiwi shall know besides its own words."""

    words: tuple[str, ...] = ()
    """Each as `word` or `word/TAG`."""
    entries: str = ""
    """The text of a dictionary file in Kiwi's own format."""


NO_DICTIONARY = Dictionary()


@dataclass(frozen=True, slots=True)
class Morpheme:
    """A morpheme in its dictionary form, its tag (of the Sejong set), and where it stands in the text.

    Where sounds have run together, morphemes share characters: 갔다 is 가/VV, 었/EP (both on 갔) and 다/EF.
    """

    form: str
    tag: str
    span: Span


def morphemes(text: str, dictionary: Dictionary = NO_DICTIONARY) -> list[Morpheme]:
    """The morphemes of a text, as it was typed."""
    normalised = normalise(text)
    return [
        Morpheme(token.form, str(token.tag), normalised.to_original((token.start, token.end)))
        for token in _analyse([normalised.text], dictionary)[0]
    ]


def morpheme_spans(text: str, dictionary: Dictionary = NO_DICTIONARY) -> list[Span]:
    """Where the words are, as `word_spans` gives them, cut where one morpheme ends and another begins.

    Morphemes that share a character stay together, so that spans do not overlap: 읽|었|다, but 갔|다.
    """
    normalised = normalise(text)
    (spans,) = _cut_words([normalised.text], dictionary)
    return [normalised.to_original(span) for span in spans]


def split_morphemes(texts: Sequence[str], dictionary: Dictionary = NO_DICTIONARY) -> list[list[str]]:
    """What `morpheme_spans` covers in each of some NFC texts, found on all cores."""
    found = zip(texts, _cut_words(texts, dictionary), strict=True)
    return [[text[start:end] for start, end in spans] for text, spans in found]


def _cut_words(texts: Sequence[str], dictionary: Dictionary) -> Iterator[list[Span]]:
    for text, borders in zip(texts, morpheme_borders(texts, dictionary), strict=True):
        spans = []
        for start, end in word_spans(text):
            inside = borders[bisect_right(borders, start) : bisect_left(borders, end)]
            spans += list(zip([start, *inside], [*inside, end], strict=True))
        yield spans


def morpheme_borders(texts: Sequence[str], dictionary: Dictionary) -> list[list[int]]:
    """The places inside words of NFC texts where one morpheme ends and the next begins, beside Hangul."""
    return [
        [place for place in _gaps(tokens) if _beside_hangul(text, place)]
        for text, tokens in zip(texts, _analyse(texts, dictionary), strict=True)
    ]


def _gaps(tokens: Sequence["Token"]) -> Iterator[int]:
    """Where a morpheme begins and none goes on. Those that left no trace, as 이 in 뭐래, have no place."""
    reach = 0
    for start, end in sorted((token.start, token.end) for token in tokens if token.start < token.end):
        if start >= max(reach, 1):
            yield start
        reach = max(reach, end)


def _beside_hangul(text: str, place: int) -> bool:
    before, after = text[place - 1], text[place]
    is_inside = not before.isspace() and not after.isspace()
    return is_inside and bool(_HANGUL.match(before) or _HANGUL.match(after))


def _analyse(texts: Sequence[str], dictionary: Dictionary) -> list[list["Token"]]:
    """Kiwi's tokens, found on all cores; a text without Hangul is not asked about."""
    korean = [place for place, text in enumerate(texts) if _HANGUL.search(text)]
    found: list[list[Token]] = [[] for _ in texts]
    if korean:
        results = _kiwi(dictionary).tokenize([texts[place] for place in korean])
        for place, tokens in zip(korean, results, strict=True):
            found[place] = tokens
    return found


@lru_cache(maxsize=4)
def _kiwi(dictionary: Dictionary) -> "Kiwi":
    """Kiwi with a user's words; reading its model takes a second, so it is kept."""
    try:
        from kiwipiepy import Kiwi
    except ImportError:
        raise MissingExtraError("splitting Korean into morphemes", "korean") from None
    kiwi = Kiwi()
    for written in dictionary.words:
        kiwi.add_user_word(*split_user_word(written))
    if dictionary.entries:
        _add_entries(kiwi, dictionary.entries)
    return kiwi


def _add_entries(kiwi: "Kiwi", entries: str) -> None:
    with tempfile.TemporaryDirectory() as folder:  # Kiwi reads a dictionary only from a file
        path = Path(folder) / "dictionary.txt"
        path.write_text(entries, encoding="utf-8")
        try:
            kiwi.load_user_dictionary(str(path))
        except ValueError as error:
            problem = str(error).removeprefix("[loadUserDictionary] ")
            raise DataError(f"the user dictionary is not in Kiwi's format: {problem}") from None


def kiwi_version() -> str | None:
    """Which Kiwi finds the morphemes here; None where it is not installed."""
    try:
        return " ".join(metadata.version(name) for name in ("kiwipiepy", "kiwipiepy_model"))
    except metadata.PackageNotFoundError:
        return None


def jamo(character: str) -> str:
    """A Hangul syllable as the letters it is written with; all else as it is."""
    return unicodedata.normalize("NFD", character) if "가" <= character <= "힣" else character


def compose(text: str) -> NormalisedText:
    """The way back from jamo to syllables. In NFC no other letters stand so that they would compose."""
    units = [(match.start(), match.group()) for match in _SYLLABLE.finditer(text)]
    written = (unicodedata.normalize("NFC", unit) if len(unit) > 1 else unit for _, unit in units)
    return NormalisedText(text, "".join(written), (*(start for start, _ in units), len(text)))
