"""Answers from characters to tokens: the tokens that have characters of it, and none that is only space."""

import pytest

from regard.config.text import BpeConfig, CharConfig, TextConfig, WordPieceConfig
from regard.text.answer_spans import NO_ANSWER, AnswerSpanIds, answer_token_span, shown_spans
from regard.text.tokenizer import Tokenizer

TEXT = "  어제 큰 공원에서,  책을 읽었다."
CONFIGS = [BpeConfig(vocabulary_size=400), WordPieceConfig(vocabulary_size=400), CharConfig()]


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: str(config.kind))
def test_a_place_covers_the_answer_and_no_more_than_its_tokens_do(config: TextConfig) -> None:
    tokenizer = Tokenizer.learn([TEXT, "공원에서 책을 큰 어제 읽었다."] * 4, config)
    encoding = tokenizer.encode(TEXT)
    spans = shown_spans(encoding)
    for answer in ("어제", "큰 공원에서", "책을", "읽었다", "."):
        start = TEXT.index(answer)
        first, last = answer_token_span(encoding, (start, start + len(answer)))
        found = TEXT[spans[first - 1][0] : spans[last - 1][1]]
        assert found == answer or config.kind == "bpe"  # whose tokens may be longer
        assert answer in found
    assert all(TEXT[start:end] == TEXT[start:end].strip() for start, end in spans)
    assert answer_token_span(encoding, (0, 1)) == NO_ANSWER


def test_places_as_ids() -> None:
    tokenizer = Tokenizer.learn(["책을 읽었다."] * 4, CharConfig())
    cells = [AnswerSpanIds.cell("책을 읽었다.", (0, 2)), AnswerSpanIds.cell("책을 읽었다.", None)]
    encoding = tokenizer.encode("책을 읽었다.")
    assert AnswerSpanIds(tokenizer).encode_ids(cells) == [list(answer_token_span(encoding, (0, 2))), [0, 0]]


def test_what_was_typed_is_given_back() -> None:
    """Letters that were typed apart (NFD) are counted as they were typed."""
    import unicodedata

    typed = unicodedata.normalize("NFD", "나는 책을 읽었다")
    tokenizer = Tokenizer.learn(["나는 책을 읽었다"] * 4, CharConfig())
    encoding = tokenizer.encode(typed)
    answer = unicodedata.normalize("NFD", "책을")
    start = typed.index(answer)
    spans = shown_spans(encoding)
    first, last = answer_token_span(encoding, (start, start + len(answer)))
    assert typed[spans[first - 1][0] : spans[last - 1][1]] == answer
