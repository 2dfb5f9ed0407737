"""Laws of every kind of tokenizer, and the kinds by example."""

import json
import os
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.text.conftest import COMBINATIONS, LOSSLESS, LOSSLESS_COMBINATIONS, TEXTS, config, learned
from tokenizers import Tokenizer as Backend

from regard.config.text import Kind, Split
from regard.errors import DataError, StoreError
from regard.text.tokenizer import EOS, SPECIAL, Encoding, Tokenizer
from regard.text.words import word_spans

for_all = pytest.mark.parametrize(("kind", "split"), COMBINATIONS)
for_the_lossless = pytest.mark.parametrize(("kind", "split"), LOSSLESS_COMBINATIONS)
any_text = st.one_of(
    st.text(alphabet=st.characters(codec="utf-8")),
    st.text(alphabet="나는학교갔다 .<s>a\t뷁쀓\u11a8▁\ufdd0"),
)

ROOT = Path(__file__).parents[2]
HARD = [
    "“안녕하세요?” 그가 말했다.",
    "'작은따옴표'와 \"큰따옴표\", 「낫표」",
    "(괄호) [대괄호]{중괄호}<꺾쇠>",
    "don't we'll it's rock 'n' roll",
    "3.5% 올라 1,234.56원(₩)이다",
    "글쎄… 음... 그래!?",
    "A/S 센터, TCP/IP, and/or",
    "Python은 쉽다. API를 씁니다",
    "10km를 5kg짜리로 -3℃에서 2m²",
    "👨‍👩‍👧‍👦 가족 👍🏽 🇰🇷",
    "ＡＢＣ　１２３！",
    "제로\u200b폭 조\u200d이너 \ufeff끝",
    "\u202e거꾸로\u202c 왼쪽\u200e표시 \u2067אבג\u2069",
    unicodedata.normalize("NFD", "자모로 쓴 한글 café"),
    "ㅋㅋㅋ 그래ㅠㅠ ㅇㅋ",
    "\u113c\u1161옛한글 \ud7b0\ua960",
    "e\u0323\u0301 가\u0301 \u0301앞",
    "줄\u2028바꿈\x85과\x1c가름",
    "띄어\u00a0쓰기 전각\u3000칸",
    "  앞뒤에\t",
    "<s> </s> <pad> <unk> <0x41> ##안 Ġ안",
    "https://example.com/가?a=b&c=%20#x",
    "①②③ ㎏ ½ ﬁ 漢字 かな",
    "a  b   c",
    "뷁쀓 뷁",
    "",
    " ",
]


def nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text).strip()


@for_the_lossless
@pytest.mark.parametrize("text", HARD)
def test_text_comes_back_clean(kind: Kind, split: Split, text: str) -> None:
    tokenizer = learned(kind, split)
    assert tokenizer.decode(tokenizer.encode(text).ids).text.text == nfc(text)


@for_the_lossless
@given(any_text)
def test_encode_then_decode_is_the_identity(kind: Kind, split: Split, text: str) -> None:
    """Up to NFC, spaces at the ends, and the signs that stand for others."""
    tokenizer = learned(kind, split)
    wanted = unicodedata.normalize("NFC", text).replace("\ufdd0", "\ufffd")
    if kind != "byte_bpe":
        wanted = wanted.replace("▁", " ")
    encoding = tokenizer.encode(text)
    decoded = tokenizer.decode(encoding.ids)
    assert decoded.text.text == wanted.strip()
    assert min(encoding.ids, default=9) >= len(SPECIAL)
    if wanted == text.strip():  # both ways agree on what each token stands for
        assert covered(encoding) == covered(decoded)


@for_the_lossless
def test_signs_that_stand_for_others_are_not_taken_from_the_text(kind: Kind, split: Split) -> None:
    tokenizer = learned(kind, split)
    for text, wanted in (("학교▁에서▁", "학교 에서"), ("학교\ufdd0에서", "학교\ufffd에서"), ("▁ ▁", "")):
        own = text.strip() if kind == "byte_bpe" and "▁" in text else wanted
        assert tokenizer.decode(tokenizer.encode(text).ids).text.text == own


def covered(encoding: Encoding) -> list[str]:
    return [encoding.text.text[start:end] for start, end in encoding.spans]


@for_all
@given(any_text)
def test_tokens_know_their_characters(kind: Kind, split: Split, text: str) -> None:
    """In order, and every character but the spaces belongs to a token."""
    encoding = learned(kind, split).encode(text)
    assert len(encoding.spans) == len(encoding.ids) == len(encoding.pieces)
    assert list(encoding.spans) == sorted(encoding.spans)
    places = {place for start, end in encoding.spans for place in range(start, end)}
    visible = {
        i for i, character in enumerate(encoding.text.text) if not (character.isspace() or character == "▁")
    }
    assert visible <= places <= set(range(len(encoding.text.text)))


@for_all
@given(st.lists(st.integers(-2, 450)))
def test_any_tokens_can_be_decoded(kind: Kind, split: Split, ids: list[int]) -> None:
    decoded = learned(kind, split).decode(ids)
    assert not decoded.text.text.startswith(" ")
    assert len(decoded.spans) == len(decoded.pieces) == len(ids)
    assert all(0 <= start <= end <= len(decoded.text.text) for start, end in decoded.spans)


@for_all
def test_the_fast_way_gives_the_same_and_a_text_does_not_depend_on_its_batch(
    kind: Kind, split: Split
) -> None:
    tokenizer = learned(kind, split)
    texts = [*HARD, *TEXTS]
    alone = [tokenizer.encode(text) for text in texts]
    assert list(tokenizer.encode_many(texts)) == alone
    assert tokenizer.encode_ids(texts) == [list(encoding.ids) for encoding in alone]
    assert tokenizer.encode_ids([]) == []
    assert list(tokenizer.encode_many([])) == []


@for_all
def test_it_is_stored_as_json_without_loss(kind: Kind, split: Split) -> None:
    tokenizer = learned(kind, split, keep=True)
    again = Tokenizer.from_json(tokenizer.to_json(), "x")
    assert again.to_json() == tokenizer.to_json()
    assert list(again.encode_many(HARD)) == list(tokenizer.encode_many(HARD))
    assert [again.decode(range(len(again)))] == [tokenizer.decode(range(len(tokenizer)))]
    assert [again.piece(token) for token in range(4)] == list(SPECIAL)


@for_all
def test_the_library_opens_the_file_too(kind: Kind, split: Split) -> None:
    tokenizer = learned(kind, split)
    backend = Backend.from_str(tokenizer.to_json())
    assert backend.get_vocab_size() == len(tokenizer) <= 420
    if split == "none":
        assert backend.encode("나는 책을 샀다.").ids == list(tokenizer.encode("나는 책을 샀다.").ids)


@for_all
def test_no_token_crosses_the_end_of_a_word(kind: Kind, split: Split) -> None:
    """Whatever stands between the words, and whatever marks stand at their ends."""
    for between in (" ", "\t", "\u00a0", "\u3000", "\u2028", ", ", "。", "”"):
        text = f"학교에서{between}책을"
        fresh = Tokenizer.learn([text] * 9, config(kind=kind, split=split, vocabulary_size=400))
        for one in (learned(kind, split), fresh):
            for start, end in one.encode(text).spans:
                touched = [word for word in word_spans(text) if word[0] < end and start < word[1]]
                assert len(touched) <= 1, (between, one.encode(text).pieces)


def test_merges_are_learned() -> None:
    assert learned("bpe").encode("나는 책을").pieces == ("▁나는", "▁책을")


def test_the_kinds_by_example() -> None:
    pieces = {
        kind: learned(kind).encode("나는 뷁.").pieces for kind, split in COMBINATIONS if split == "none"
    }
    spelt = ("<0xEB>", "<0xB7>", "<0x81>")
    assert pieces["word"] == ("▁나는", "<unk>", ".")
    assert pieces["wordpiece"] == ("▁나는", "<unk>", ".")
    assert pieces["char"] == ("나", "는", "▁", *spelt, ".")
    assert pieces["bpe"] == pieces["unigram"] == pieces["byte_bpe"] == ("▁나는", "▁", *spelt, ".")


def test_wordpiece_takes_the_longest_piece_and_marks_what_goes_on() -> None:
    tokenizer = Tokenizer.learn(["학교에서 학교를"] * 9, config(kind="wordpiece", vocabulary_size=300))
    assert tokenizer.encode("학교를 학교").pieces == ("▁학교를", "▁학교")
    assert tokenizer.encode("서교").pieces == ("▁", "##서", "##교")
    assert tokenizer.decode(tokenizer.encode("서교 학교를").ids).text.text == "서교 학교를"


def test_the_most_frequent_words_have_entries() -> None:
    texts = ["셋 셋 셋 둘 둘 하나"]
    tokenizer = Tokenizer.learn(texts, config(kind="word", min_frequency=2))
    assert [tokenizer.piece(token) for token in range(len(tokenizer))] == [*SPECIAL, "▁셋", "▁둘"]


def test_rare_characters_leave_room_for_pieces() -> None:
    """At most half of the room goes to single characters, the most frequent ones."""
    texts = [chr(0xAC00 + i) for i in range(1000)] + ["자주 자주 자주 또 또"] * 9
    for kind in ("bpe", "unigram", "wordpiece"):
        tokenizer = Tokenizer.learn(texts, config(kind=kind, vocabulary_size=500))
        single = [piece for token in range(260, 500) if len(piece := tokenizer.piece(token).strip("#▁")) == 1]
        assert len(single) <= 250
        assert tokenizer.encode("자주 또").pieces == ("▁자주", "▁또")


def test_jamo_are_shown_as_syllables_and_know_them() -> None:
    tokenizer = learned("bpe", "jamo")
    encoding = tokenizer.encode("나는 갉")
    assert encoding.pieces[0] == "▁나는"  # and not the decomposed ▁나는
    assert "".join(encoding.pieces[1:]) == "▁갈ᆨ" or encoding.pieces[-1] == "ᆰ"
    assert encoding.spans[-1] == (3, 4)
    assert tokenizer.decode(encoding.ids).spans[-1] == (3, 4)
    alone = learned("char", "jamo").encode("갉")
    assert alone.pieces == ("ᄀ", "ᅡ", *alone.pieces[2:])
    assert set(alone.spans) == {(0, 1)}


def test_nfd_gives_the_same_tokens_and_points_to_the_typed_characters() -> None:
    typed = unicodedata.normalize("NFD", "나는 책을")
    for kind, split in COMBINATIONS:
        encoding = learned(kind, split).encode(typed)
        assert encoding.ids == learned(kind, split).encode("나는 책을").ids
        start, end = encoding.text.to_original(encoding.spans[-1])
        assert "책을".endswith(unicodedata.normalize("NFC", typed[start:end]).strip())
        assert end == len(typed)


def test_the_sign_before_the_first_word_covers_nothing() -> None:
    assert learned("bpe").encode(" 뷁").spans == ((1, 1), *[(1, 2)] * 3)


def test_spaces_at_the_ends_are_passed_over() -> None:
    for kind, split in COMBINATIONS:
        plain, spaced = (learned(kind, split).encode(text) for text in ("나는 책을", "\u3000 나는 책을 "))
        assert spaced.ids == plain.ids
        assert spaced.spans == tuple((start + 2, end + 2) for start, end in plain.spans)


def test_spaces_at_the_ends_are_not_written() -> None:
    """A model may write the sign of a space, and then nothing."""
    tokenizer = learned("bpe")
    space, words = tokenizer.encode("뷁").ids[0], tokenizer.encode("나는 책을").ids
    decoded = tokenizer.decode((space, *words, space, space, EOS), whole=True)
    assert decoded.text.text == "나는 책을"
    assert covered(decoded) == ["", "나는", " 책을", "", "", ""]
    assert tokenizer.decode((space, space), whole=True).text.text == ""
    assert tokenizer.decode((*words, space)).text.text == "나는 책을 "


def test_decoding_says_which_token_wrote_what() -> None:
    tokenizer = learned("bpe")
    decoded = tokenizer.decode((*tokenizer.encode("나는 뷁 책을.").ids, EOS))
    assert decoded.text.text == "나는 뷁 책을."
    assert covered(decoded) == ["나는", " ", "뷁", "뷁", "뷁", " 책을", ".", ""]
    assert covered(tokenizer.decode(tokenizer.encode("뷁쀓").ids)) == ["", *"뷁뷁뷁", *"쀓쀓쀓"]
    assert covered(learned("unigram").encode("뷁쀓")) == ["", *"뷁뷁뷁", *"쀓쀓쀓"]
    assert tokenizer.decode(tokenizer.encode("뷁").ids[:-1]).text.text == "\ufffd"


_LEARN_ALL = """
import hashlib
from tests.text.conftest import COMBINATIONS, config
from regard.text.tokenizer import Tokenizer
ties = [chr(0xAC00 + i) + chr(0xAC01 + i) + f" w{i} %{i % 50}" for i in range(0, 1600, 2)]
for kind, split in COMBINATIONS:
    if split == "morphemes" and kind != "bpe":
        continue
    made = config(kind=kind, split=split, vocabulary_size=700, min_frequency=1, keep_patterns="%[0-9]+")
    print(kind, split, hashlib.sha256(Tokenizer.learn(ties, made).to_json().encode()).hexdigest())
"""


def test_a_vocabulary_is_a_function_of_its_text() -> None:
    """Two processes learn the same, though more characters, words and pairs tie than there is room for."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    outputs = {
        subprocess.run(
            [sys.executable, "-c", _LEARN_ALL],
            env={**os.environ, "PYTHONHASHSEED": seed, "RAYON_NUM_THREADS": seed, "PYTHONPATH": path},
            capture_output=True,
            check=True,
        ).stdout.decode()
        for seed in ("1", "2")
    }
    assert len(outputs) == 1, outputs


class Line(str):
    """A line that counts how many of its kind are held at once."""

    alive = most = 0

    def __init__(self, *_: object) -> None:
        Line.alive += 1
        Line.most = max(Line.most, Line.alive)

    def __del__(self) -> None:
        Line.alive -= 1


class Lines:
    """Text that is read from somewhere each time anew."""

    def __iter__(self) -> Iterator[str]:
        return (Line(f"줄 {number % 100} 번째") for number in range(20_000))


def test_text_is_not_held_in_memory() -> None:
    for kind in ("bpe", "unigram", "wordpiece"):
        Tokenizer.learn(Lines(), config(kind=kind, vocabulary_size=400, keep_patterns="[0-9]+"))
    assert Line.most < 5_000


def test_text_that_can_be_read_only_once_is_refused() -> None:
    with pytest.raises(TypeError, match="such as a list, not an iterator"):
        Tokenizer.learn(iter(["가"]), config())


@for_all
def test_nothing_to_learn_from(kind: Kind, split: Split) -> None:
    for texts in ([], [""], [" "]):
        tokenizer = Tokenizer.learn(texts, config(kind=kind, split=split))
        wanted = "가 나" if kind in LOSSLESS else ""
        assert tokenizer.decode(tokenizer.encode("가 나").ids).text.text == wanted


def test_half_a_character_is_refused() -> None:
    for call in (learned().encode, lambda text: learned().encode_ids([text])):
        with pytest.raises(DataError, match=r"U\+DCFF at character 3 is no character"):
            call("가나\udcff")


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"model": 3}', "not json", '{"pre_tokenizer": null}', "3"])
def test_a_foreign_file_is_refused(text: str) -> None:
    with pytest.raises(StoreError, match=r"^here/tokenizer.json: not a tokenizer that regard wrote: .+$"):
        Tokenizer.from_json(text, "here/tokenizer.json")


def damaged(**rules: object) -> str:
    state = json.loads(learned("bpe").to_json())
    state["pre_tokenizer"]["regard"] |= rules
    return json.dumps(state)


def altered(path: tuple[str, ...], value: object) -> str:
    state = place = json.loads(learned("bpe").to_json())
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return json.dumps(state)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            learned("bpe").to_json().replace('"<pad>"', '"<x>"'),
            "its first entries are not <pad> <unk> <s> </s>",
        ),
        (damaged(kind="unigram"), "its kind is unigram, but its vocabulary is one of BPE"),
        (damaged(kind="bpf"), "kind: Input should be 'word', 'given'"),
        (damaged(new=1), "new: Extra inputs are not permitted"),
        (
            damaged(kind="byte_bpe"),
            "wrote: pre_tokenizer: expected the rules of the kind byte_bpe, found others",
        ),
        (
            altered(("normalizer",), {"type": "Lowercase"}),
            'wrote: normalizer: expected null, found {"type": "L',
        ),
        (altered(("post_processor",), {"type": "ByteLevel"}), "wrote: post_processor: expected null, found"),
        (altered(("model", "fuse_unk"), True), "wrote: model.fuse_unk: expected false, found true"),
        (altered(("model", "dropout"), 0.5), "wrote: model.dropout: expected null, found 0.5"),
        (altered(("model", "vocab", "<0x00>"), 2**31), "each once, found 2147483648"),
        (altered(("model", "vocab", "<0x00>"), 5), "each once, found one of them twice"),
        (altered(("model", "vocab", "<0x00>"), True), "each once, found True"),
        (altered(("added_tokens",), [{"id": 10**6, "content": "x y"}]), "in their order, found 1000000"),
        (learned("bpe").to_json()[:-9], "not a tokenizer that regard wrote: Expecting"),
    ],
)
def test_a_damaged_file_is_refused(text: str, reason: str) -> None:
    with pytest.raises(StoreError) as caught:
        Tokenizer.from_json(text, "x")
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_from_before_there_were_kinds_is_plain_bpe() -> None:
    state = json.loads(learned("bpe").to_json())
    del state["pre_tokenizer"]["regard"]
    state["pre_tokenizer"]["pretokenizers"][0]["prepend_scheme"] = "always"
    old = Tokenizer.from_json(json.dumps(state), "x")
    assert list(old.encode_many(HARD)) == list(learned("bpe").encode_many(HARD))
    assert old.dropout == 0.0
