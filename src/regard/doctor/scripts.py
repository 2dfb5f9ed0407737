"""The script that a language is written in, and letters that do not belong to it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

_LETTERS = {
    "Latin": "A-Za-zªºÀ-ÖØ-öø-ɏḀ-ỿ",
    "Hangul": "가-힣ᄀ-ᇿㄱ-ㆎꥠ-ꥼힰ-ퟻ",
    "Han": "々〇一-鿿㐀-䶿豈-龎\U00020000-\U000323af",
    "Kana": "ぁ-ゖゝゞァ-ヺーヽヾｦ-ﾟ",
    "Cyrillic": "Ѐ-ҁҊ-ԯ",
    "Greek": "Ͱ-ͳͶͷͻ-ͽΆΈ-ϿἀἁἂΆ-Ώἀ-ῼ",
    "Arabic": "ء-يٮ-ۓۺ-ۼݐ-ݿࢠ-ࣇ",
    "Hebrew": "א-ת",
    "Devanagari": "ऄ-हक़-ॡॲ-ॿ",
    "Bengali": "অ-হ",
    "Tamil": "அ-ஹ",
    "Thai": "ก-ะเ-ๆ",
    "Georgian": "Ⴀ-ჿ",
    "Armenian": "Ա-Ֆա-և",
}
_LANGUAGES = {
    "Hangul": "ko kor korean 한국어 국어",
    "Kana": "ja jpn japanese 일본어",
    "Han": "zh zho chinese 중국어",
    "Latin": (
        "en eng english 영어 de deu german fr fra french es spa spanish pt por portuguese it ita italian nl "
        "nld dutch sv da nb nn no fi et lv lt pl cs sk sl hr hu ro tr vi ms ca eu gl ga cy is mt sq sw"
    ),
    "Cyrillic": "ru rus russian uk bg be mk sr kk mn",
    "Greek": "el ell greek",
    "Arabic": "ar ara arabic fa ur",
    "Hebrew": "he heb hebrew",
    "Devanagari": "hi mr ne",
    "Bengali": "bn",
    "Tamil": "ta",
    "Thai": "th",
    "Georgian": "ka",
    "Armenian": "hy",
}
"""Names that a column or the end of a file may have. Not `id`: that is a column of numbers more often."""
_SCRIPT_OF = {name: script for script, names in _LANGUAGES.items() for name in names.split()}
_ALSO_USED = {"Hangul": ("Han",), "Kana": ("Han",)}
_ENOUGH = 4
"""Letters of another script; a name or an abbreviation says nothing about the language."""


@dataclass(frozen=True)
class Writing:
    """How a side is written. `Latin` and `Greek` letters, for names and formulas, are foreign nowhere."""

    script: str
    own: re.Pattern[str]
    other: re.Pattern[str]
    """A letter of any other known script."""
    foreign: re.Pattern[str]
    """A letter of a script that is not used beside this one."""

    def is_wrong(self, text: str) -> bool:
        """Whether the text is of another script.

        In Latin script, half of the letters must be Latin. Elsewhere, Latin names and code among the words
        are usual, so that one letter of the script is enough.
        """
        if self.script == "Latin":
            if text.isascii() or not self.other.search(text):
                return False
            others = len(self.other.findall(text))
            return others >= _ENOUGH and others > len(self.own.findall(text))
        return not self.own.search(text) and len(self.other.findall(text)) >= _ENOUGH


@cache
def writing(script: str) -> Writing:
    """The letters of a script, compiled once."""
    own = (script, *_ALSO_USED.get(script, ()))
    known = (script, *own, "Latin", "Greek")
    return Writing(
        script,
        re.compile(_any_of(own if script == "Kana" else (script,))),
        re.compile(_any_of(name for name in _LETTERS if name not in own)),
        re.compile(_any_of(name for name in _LETTERS if name not in known)),
    )


def _any_of(scripts: Iterable[str]) -> str:
    return f"[{''.join(_LETTERS[script] for script in scripts)}]"


def language_of(name: str) -> str | None:
    """The language that a column or an ending is named for: `ko`, `translation.ko`, `pt_BR`, `Korean`."""
    last = name.rsplit(".", 1)[-1].lower()
    language = re.split("[-_]", last)[0]
    return language if language in _SCRIPT_OF else None


def script_of(language: str) -> str:
    """The script of a language that `language_of` knows."""
    return _SCRIPT_OF[language]


def dominant_script(texts: Iterable[str]) -> str | None:
    """The script of most letters; Japanese is known by its kana, however few. None without letters."""
    text = "".join(texts)
    counts = {script: len(re.findall(f"[{letters}]", text)) for script, letters in _LETTERS.items()}
    total = sum(counts.values())
    if not total:
        return None
    if counts["Kana"] > total / 10 and counts["Han"]:
        return "Kana"
    return max(counts, key=lambda script: counts[script])
