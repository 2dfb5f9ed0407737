"""Small vocabularies of every kind, learned once."""

from functools import cache
from typing import get_args

from pydantic import TypeAdapter, ValidationError

from regard.config.text import Kind, Split, TextConfig
from regard.text.tokenizer import Tokenizer

TEXTS = [
    "나는 학교에서 책을 읽었다.",
    "나는 책을 샀다.",
    "학교에 갔다.",
    "{name}은 %s를 <b>굵게</b> 썼다.",
    "Two books, please! Don't read 3.5% of it.",
] * 5
SYMBOLS = ("%s", "{name}", "<b>", "</b>", "【이름】")
LOSSLESS = ("bpe", "unigram", "byte_bpe", "char")


def config(**settings: object) -> TextConfig:
    made: TextConfig = TypeAdapter(TextConfig).validate_python(settings)
    return made


def combinations() -> list[tuple[Kind, Split]]:
    """Every kind with every split that it takes; words that are given are not looked for in a text."""
    found: list[tuple[Kind, Split]] = []
    for kind in get_args(Kind):
        if kind == "given":
            continue
        for split in get_args(Split):
            try:
                config(kind=kind, split=split)
            except ValidationError:
                continue
            found.append((kind, split))
    return found


COMBINATIONS = combinations()
LOSSLESS_COMBINATIONS = [(kind, split) for kind, split in COMBINATIONS if kind in LOSSLESS]


@cache
def learned(kind: Kind = "bpe", split: Split = "none", *, keep: bool = False) -> Tokenizer:
    symbols = SYMBOLS if keep else ()
    return Tokenizer.learn(TEXTS, config(kind=kind, split=split, vocabulary_size=420, keep=symbols))
