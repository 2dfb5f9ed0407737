"""Pre-tokenization: from an NFC text to the engine's input, with offsets."""

import re
from collections.abc import Iterable, Iterator, Sequence

from tokenizers import Regex, pre_tokenizers

from regard.config.text import Kind
from regard.errors import DataError
from regard.text.korean import jamo, morpheme_borders
from regard.text.normalise import NormalisedText, normalise
from regard.text.rules import Rules
from regard.text.symbols import MARK, REPLACEMENT, SPACE, Symbols

_Made = tuple[str, Sequence[int]]
_WHITE = re.compile(r"\s")


def pre_tokenizer(kind: Kind, *, prefix: bool, marks: bool) -> pre_tokenizers.PreTokenizer:
    """Split a prepared text into pre-tokens, which no token crosses.

    A space goes to the head of the word after it; punctuation and other white space stand apart, but not in
    words that are given.
    prefix: the first word, too, gets the sign of a space, so that it is segmented as in the middle of a text
    marks:  cut where marks stand, and take them away
    """
    scheme = "first" if prefix and kind != "char" else "never"
    sign = " " if kind == "byte_bpe" else SPACE
    parts: list[pre_tokenizers.PreTokenizer] = [
        pre_tokenizers.Metaspace(replacement=sign, prepend_scheme=scheme)
    ]
    if marks:
        parts.append(pre_tokenizers.Split(MARK, behavior="removed"))
    if kind != "given":
        parts += [
            pre_tokenizers.Punctuation(behavior="isolated"),
            pre_tokenizers.Split(Regex(r"[^\S ]|[\x1c-\x1f\x85]"), behavior="isolated"),
        ]
    if kind == "byte_bpe":
        parts.append(pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False))
    return pre_tokenizers.Sequence(parts)


def normalised(texts: Iterable[str]) -> Iterator[NormalisedText]:
    """The texts in NFC; one that holds half a character, as undecodable bytes do, is refused."""
    for text in texts:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise DataError(
                f"U+{ord(text[error.start]):04X} at character {error.start + 1} is no character; "
                f"the text was not read as UTF-8"
            ) from None
        yield normalise(text)


def prepare(texts: Sequence[str], rules: Rules, symbols: Symbols) -> list[NormalisedText]:
    """Strip NFC texts, and split their Korean as the rules say."""
    cleaned = [clean(text, rules.kind) for text in texts]
    if rules.lower:
        cleaned = [lowered(text) for text in cleaned]
    bodies = [text.strip() for text in cleaned]
    match rules.split:
        case "none":
            made: list[_Made] = [(body, range(len(body) + 1)) for body in bodies]
        case "jamo":
            made = [_with_jamo(body, symbols) for body in bodies]
        case "morphemes":
            borders = morpheme_borders(bodies, rules.dictionary)
            made = [_with_marks(body, places, symbols) for body, places in zip(bodies, borders, strict=True)]
    return [_after_spaces(text, *each) for text, each in zip(cleaned, made, strict=True)]


def _after_spaces(text: str, made: str, starts: Sequence[int]) -> NormalisedText:
    """What was made of a text without the spaces at its ends."""
    spaces = len(text) - len(text.lstrip())
    return NormalisedText(text, made, [start + spaces for start in starts] if spaces else starts)


def clean(text: str, kind: Kind) -> str:
    """The text without the signs that stand for others; as long as before."""
    text = text.replace(MARK, REPLACEMENT)
    text = _WHITE.sub(" ", text) if kind == "given" else text
    return text if kind == "byte_bpe" else text.replace(SPACE, " ")


def lowered(text: str) -> str:
    """The text in lower case, as long as before: a letter that has no single lower one stays."""
    lower = text.lower()
    return (
        lower if len(lower) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    )


def _with_jamo(body: str, symbols: Symbols) -> _Made:
    letters: list[str] = []
    for section, is_symbol in symbols.sections(body):
        letters += section if is_symbol else map(jamo, section)
    starts = [place for place, written in enumerate(letters) for _ in written]
    return "".join(letters), [*starts, len(body)]


def _with_marks(body: str, borders: Sequence[int], symbols: Symbols) -> _Made:
    kept = symbols.spans(body)
    places = [place for place in borders if not any(start <= place <= end for start, end in kept)]
    parts = [body[start:end] for start, end in zip([0, *places], [*places, len(body)], strict=True)]
    return MARK.join(parts), sorted([*range(len(body) + 1), *places])
