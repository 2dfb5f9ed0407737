"""Special tokens, byte fallback, the sign of a space, and symbols that are never split."""

import re
from collections import Counter
from collections.abc import Iterable

from regard.config.text import RESERVED, TextConfig
from regard.text.normalise import Span

PAD, UNK, BOS, EOS = range(4)
SPECIAL = ("<pad>", "<unk>", "<s>", "</s>")
BYTES = tuple(f"<0x{byte:02X}>" for byte in range(256))
"""Byte fallback: bytes of characters that have no entry."""
SPACE = "▁"
"""Stands for a space, at the head of the word after it."""
MARK = "\ufdd0"
"""Stands where no token may cross; Unicode has set this code point aside for use inside programs."""
REPLACEMENT = "\ufffd"
HIDDEN = "[MASK]"
"""The mask token, where a vocabulary has it."""


class Symbols:
    """What is one token wherever it stands; the longest where several begin."""

    def __init__(self, symbols: Iterable[str]) -> None:
        self.all = tuple(symbols)
        longest_first = sorted(self.all, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")

    def spans(self, text: str) -> list[Span]:
        """Where symbols stand."""
        return [match.span() for match in self._pattern.finditer(text)] if self.all else []

    def sections(self, text: str) -> list[tuple[str, bool]]:
        """The text cut at its symbols: (part, is a symbol)."""
        parts: list[tuple[str, bool]] = []
        position = 0
        for start, end in [*self.spans(text), (len(text), len(text))]:
            parts += [(text[position:start], False)] if position < start else []
            parts += [(text[start:end], True)] if start < end else []
            position = end
        return parts

    def taken_out(self, text: str) -> str:
        """The text with a mark where each symbol was, so that nothing is learned from them."""
        return self._pattern.sub(MARK, text) if self.all else text


def find_symbols(lines: Iterable[str], config: TextConfig) -> Symbols:
    """The symbols that a config names, and what its patterns match often enough."""
    literal = dict.fromkeys(config.keep)
    counts: Counter[str] = Counter()
    patterns = [re.compile(pattern) for pattern in config.keep_patterns]
    for line in lines if patterns else ():
        for pattern in patterns:
            counts.update(match.group() for match in pattern.finditer(line))
    often = [symbol for symbol, count in counts.items() if count >= config.min_frequency]
    fit = [symbol for symbol in often if _can_be_kept(symbol) and symbol not in literal]
    fit.sort(key=lambda symbol: (-counts[symbol], symbol))
    return Symbols([*literal, *fit][: max(len(literal), config.room // 2)])


def _can_be_kept(symbol: str) -> bool:
    return bool(symbol) and symbol == symbol.strip() and not RESERVED.fullmatch(symbol)
