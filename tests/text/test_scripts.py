"""Which scripts a vocabulary was learned on, and which texts are in another one."""

import pytest
from tests.text.conftest import COMBINATIONS, config
from tokenizers import Tokenizer as Backend
from tokenizers import decoders, models, pre_tokenizers, trainers

from regard.config.text import Kind, Split
from regard.text.foreign import ForeignTokenizer
from regard.text.scripts import KnownScripts, script_notes
from regard.text.tokenizer import Tokenizer

KOREAN = [
    "나는 학교에서 책을 읽었다.",
    "그는 어제 시장에 갔다.",
    "비가 와서 우산을 샀다.",
    "친구는 라면을 먹었습니다.",
    "고양이가 물을 마신다.",
] * 5
THAI, RUSSIAN, ENGLISH = "ฉันอ่านหนังสือเมื่อวานนี้", "Я вчера прочитал книгу.", "I read a book."
CHINESE = "我昨天看了一本书"


@pytest.mark.parametrize(("kind", "split"), COMBINATIONS)
def test_what_a_korean_vocabulary_never_saw(kind: Kind, split: Split) -> None:
    """Bytes that can spell anything are no sign that anything was met; 뷁 is Korean, seen or not."""
    known = Tokenizer.learn(KOREAN, config(kind=kind, split=split, vocabulary_size=420)).scripts
    for text in (
        *KOREAN,
        "뷁뷁 쀍쀍",
        "나는 어제 Кафе에서 책을 읽었다.",
        "KBS를 봤다.",
        "123 !? 😀",
        "",
        "Я",
    ):
        assert known.unknown(text) == (), text
    assert known.unknown(THAI) == ("Thai",)
    assert known.unknown(RUSSIAN) == ("Cyrillic",)
    assert known.unknown(ENGLISH) == ("Latin",)
    assert known.unknown(CHINESE) == ("Chinese (Han)",)


def test_a_letter_that_strayed_in_is_known_and_not_its_script() -> None:
    known = KnownScripts(["학교", "책을", "읽었다", "Я"])
    assert known.unknown(RUSSIAN) == ("Cyrillic",)
    assert known.unknown("ЯЯЯ") == ()


def test_wide_letters_and_both_kana_are_of_their_script() -> None:
    known = KnownScripts(["abcde", "あいうえお"])
    assert known.unknown("ＡＢＣＤ") == ()
    assert known.unknown("カタカナー") == ()


def test_bytes_of_a_vocabulary_from_elsewhere() -> None:
    """Pieces of letters that were met are known, though no entry is a whole letter."""
    backend = Backend(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=264, initial_alphabet=alphabet, show_progress=False)
    backend.train_from_iterator([THAI] * 50, trainer)
    known = ForeignTokenizer(backend, longest=None, where="x").scripts
    assert known.unknown(THAI) == ()
    assert known.unknown(RUSSIAN) == ("Cyrillic",)


def test_placeholders_are_no_language() -> None:
    known = KnownScripts(KOREAN)
    assert script_notes(known, "{name}을 {number}번 봤어요.", "https://example.org 봤다") == ()
    (note,) = script_notes(known, f"{ENGLISH} {{name}}", ENGLISH)
    assert note.startswith("the text is in Latin letters, which this model was not trained on")
