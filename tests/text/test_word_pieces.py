"""Given words in the pieces of a vocabulary: every word has some, and each piece is of one word."""

import pytest
from tokenizers import Tokenizer as Backend
from tokenizers import models, normalizers, pre_tokenizers, processors

from regard.config.text import BpeConfig, TextConfig, WordPieceConfig
from regard.text.foreign import ForeignTokenizer
from regard.text.foreign_vocabulary import ForeignVocabulary
from regard.text.pretokenized import PieceCounts, WordPieces, join_words
from regard.text.tokenizer import Tokenizer

WORDS = ["나는", "학교에서", "don't", "!", "100", "나는"]
LINE = join_words(WORDS)


def foreign() -> ForeignVocabulary:
    """A WordPiece vocabulary of BERT's, whose rules leave nothing of control characters."""
    entries = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "good", "##s", "."]
    backend = Backend(models.WordPiece({word: n for n, word in enumerate(entries)}, unk_token="[UNK]"))
    backend.normalizer = normalizers.BertNormalizer()
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    backend.add_special_tokens(entries[:4])
    backend.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return ForeignVocabulary(ForeignTokenizer(backend, longest=None, where="x"), len(entries), "x")


def test_words_by_hand() -> None:
    pieces = WordPieces(foreign())
    words = ["unaffable", "goods.", "\u200b\x07", "하늘", "good"]
    (cut,) = pieces.cut([join_words(words)])
    assert cut.pieces == ("un", "##aff", "##able", "good", "##s", ".", "[UNK]", "[UNK]", "good")
    assert cut.ids == (4, 5, 6, 7, 8, 9, 1, 1, 7)
    assert cut.sizes == (3, 3, 1, 1, 1)
    assert cut.spans[:3] == ((0, 2), (2, 5), (5, 9))
    assert PieceCounts(pieces).encode_ids([join_words(words), "good"]) == [[3, 3, 1, 1, 1], [1]]
    assert pieces.encode_ids(["good good"]) == [[7, 7]]


@pytest.mark.parametrize(
    "config",
    [BpeConfig(vocabulary_size=300), WordPieceConfig(vocabulary_size=300), BpeConfig(split="jamo")],
    ids=["bpe", "wordpiece", "jamo"],
)
def test_the_pieces_are_those_of_the_text_and_each_is_of_its_word(config: TextConfig) -> None:
    tokenizer = Tokenizer.learn([LINE, "나는 학교 에서 don't! 10"] * 3, config)
    (cut,) = WordPieces(tokenizer).cut([LINE])
    assert cut.ids == tokenizer.encode(LINE).ids
    assert len(cut.sizes) == len(WORDS)
    assert min(cut.sizes) >= 1
    assert sum(cut.sizes) == len(cut.ids)
    spans, first = iter(cut.spans), 0
    for word, size in zip(WORDS, cut.sizes, strict=True):
        own = [next(spans) for _ in range(size)]
        assert "".join(dict.fromkeys(LINE[start:end] for start, end in own)).strip() in (word, f"▁{word}")
        first += len(word) + 1
