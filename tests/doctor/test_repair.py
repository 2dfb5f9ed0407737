"""Repairs by hand, and the law that a repaired text needs no repair."""

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.doctor.helpers import ALL

from regard.doctor.examine import Examiner, Task
from regard.doctor.faults import pair_faults
from regard.doctor.findings import excerpt, visible
from regard.doctor.mojibake import decode_line
from regard.doctor.repair import _ABOUT_ENTITIES, is_suspect, repair

REPAIRS = [
    ("ì•ˆë…•í•˜ì„¸ìš”", "Hangul", "안녕하세요"),
    ("cafÃ© â€œdu mondeâ€\x9d", "Latin", "café “du monde”"),
    ("¾È³çÇÏ¼¼¿ä", "Hangul", "안녕하세요"),
    ("¾È³çÇÏ¼¼¿ä", "Latin", "¾È³çÇÏ¼¼¿ä"),  # only what should be Korean
    ("臾몄꽌 媛앹껜", "Hangul", "문서 객체"),
    (
        "¡°Macy¡¯s¡± for ¢æ114, America¡¦s own, ¡Hola! ¡Él!",
        "Latin",
        "“Macy’s” for €114, America’s own, ¡Hola! ¡Él!",
    ),
    ("emperor ( æ´ªæ\xad¦å¸\x9d )", "Latin", "emperor ( 洪武帝 )"),
    ("“café”—which, à « Paris », MANHÃ”", "Latin", "“café”—which, à « Paris », MANHÃ”"),  # no mojibake
    ("······ 꿀꿀이죽 °°°°", "Hangul", "······ 꿀꿀이죽 °°°°"),
    ("&amp;amp;lt; &#39;x&#x27; &nbsp;y& amp; z", "Latin", "< 'x'  y& z"),
    ("a&#10;b&Tab;c", "Latin", "a b c"),
    ("&notanentity; &#0; AT&T; R&D", "Latin", "&notanentity; &#0; AT&T; R&D"),
    ("Couldnu2019t load u2018%sdu2019 moreu2026", "Latin", "Couldn’t load ‘%sd’ more…"),
    ("isnu0027t u0022.u0022 au00a0b 3u0022", "Latin", 'isn\'t "." a b 3u0022'),
    (r"\uc548\ub155\ud558 \u00C7", "Latin", r"안녕하 \u00C7"),
    ("a\x00b\x1b[1mc\rd\x0be\x85f\r\ng", "Latin", "abc d e f\r\ng"),
    (unicodedata.normalize("NFD", "한글 é"), "Hangul", "한글 é"),
    ("ᄏᄏ ᅡ ᆫ", "Hangul", "ㅋㅋ ㅏ ㄴ"),
    ("ᄒᆞᆫ글 나랏말ᄊᆞ미", "Hangul", "ᄒᆞᆫ글 나랏말ᄊᆞ미"),  # Old Hangul
    ("트\u115f랙", "Hangul", "트랙"),
    ("\u3164ㅂㅘㅅ다 \u3164ㄱㅏ\u3164 갑수\u3164ㅎㅛㅇ", "Hangul", "봣다 가 갑수횽"),
    ("Ａ１！～￦ ｶﾞ", "Hangul", "A1!~₩ ガ"),
    ("Ａ１！～", "Kana", "A1！～"),
    ("a\u200bb\ufeffc\u202ed\xade", "Latin", "abcde"),
    ("👨\u200d👩 क\u200dष می\u200cخواهم a\u200db", "Latin", "👨\u200d👩 क\u200dष می\u200cخواهم a\u200db"),
    ("👨\u200d👩 a\u200db", "Latin", "👨\u200d👩 ab"),
    ("a\xa0b\u3000c\u2009d", "Latin", "a b c d"),
    ("a\u3000b", "Kana", "a\u3000b"),
    ("cаpitаl Sеoul Δx 5А", "Latin", "capital Seoul Δx 5А"),
    ("молоко c", "Cyrillic", "молоко c"),
]


@pytest.mark.parametrize(("text", "script", "right"), REPAIRS, ids=[visible(text) for text, _, _ in REPAIRS])
def test_repairs(text: str, script: str, right: str) -> None:
    assert repair(text, script, ALL)[0] == right


def test_changes_lead_from_the_text_to_its_repair() -> None:
    text, changes = repair("&amp;nbsp;\u200bＡ", "Latin", ALL)
    assert text == " A"
    assert changes[0].before == "&amp;nbsp;\u200bＡ"
    assert changes[-1].after == text
    assert all(one.after == other.before for one, other in pairwise(changes))
    assert {change.check for change in changes} == {"entity", "invisible", "full-width"}


def test_only_what_is_asked_for_is_repaired() -> None:
    assert repair("&amp;\u200b", "Latin", frozenset({"entity"}))[0] == "&\u200b"


NASTY = st.text(
    st.one_of(
        st.sampled_from(
            "&amp;ltnbsp#39; u2019\\uc548ÃÂâ€™ìë…•¾È³çÇ칸ㅋㅏ\u3164\u200b\u200d\ufeff\xad\xa0\u3000ＡaеО"
        ),
        st.characters(),
    ),
    max_size=30,
)


@given(NASTY, st.sampled_from([None, "Latin", "Hangul", "Kana", "Cyrillic"]))
def test_a_repaired_text_needs_no_repair(text: str, script: str | None) -> None:
    right, changes = repair(text, script, ALL)
    assert repair(right, script, ALL) == (right, ())
    assert bool(changes) == (right != text)
    right.encode("utf-8")  # no half characters are left


@given(NASTY, st.sampled_from([None, "Latin", "Hangul", "Kana"]))
@example("ESCAP", None)
def test_what_is_not_suspect_would_not_be_changed(text: str, script: str | None) -> None:
    """The quick look misses nothing: the steps, made to run, find nothing either."""
    if not is_suspect(text):
        sign = "&amp;" if _ABOUT_ENTITIES.search(text) else "&"  # a text about entities means what it says
        assert repair(f"{text} &amp;", script, ALL)[0] == f"{text} {sign}"


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_pair_can_be_examined(source: str, target: str) -> None:
    seen = Examiner(Task(("f", "f"), ("Hangul", "Latin"), True, ALL, 3))((source, target))
    assert seen.is_empty() == any(not visible_part(text) for text in seen.texts)


def visible_part(text: str) -> str:
    return "".join(c for c in text if not c.isspace() and unicodedata.category(c) != "Cf")


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("안녕하세요".encode("cp949"), "안녕하세요"),
        ("나는 café".encode(), None),  # never called for UTF-8, and not taken for anything else
        ("une élève à Paris".encode("cp1252"), "une élève à Paris"),
        ("Zwölf Boxkämpfer jagen".encode("latin-1"), "Zwölf Boxkämpfer jagen"),
        ("나는 간다".encode()[:-1], None),  # UTF-8 that was cut
        (b"\xff\xfe\x81", None),
        (b"\x00\x80", None),
        (b"\x80\x81\x82\x83", None),
    ],
)
def test_lines_in_another_encoding(raw: bytes, text: str | None) -> None:
    assert decode_line(raw) == text


def test_what_cannot_be_seen_is_written_out() -> None:
    assert visible("a\u200bb\xa0c 가") == "a⟨U+200B⟩b⟨U+00A0⟩c 가"
    assert visible("\u1112\u1161") == "⟨U+1112⟩⟨U+1161⟩"
    assert excerpt("x" * 100, 50, 30) == f"…{'x' * 30}…"
    assert excerpt("short") == "short"


@pytest.mark.parametrize(
    ("source", "target", "differ"),
    [
        ("1961년에 왔다", "He came in 1961.", False),
        ("1961년에 왔다", "He came in 1916.", True),
        ("1,052개", "1.052 pieces", False),
        ("13 200채의 집", "13,200 houses", False),
        ("2006년 7월 10일", "July 10 2006", False),
        ("2003년 2분기", "Q2 2003", False),
        ("3만 5천 명", "35,000 people", False),  # Korean counts by ten thousands
        ("천 명", "1,000 people", False),
        ("1946~58년", "1946–1958", False),
        ("12개", "a dozen", False),
    ],
)
def test_numbers_that_differ(source: str, target: str, differ: bool) -> None:
    assert ("numbers" in pair_faults((source, target), same_form=False, same_script=False)) == differ


@pytest.mark.parametrize(
    ("source", "target", "differ"),
    [
        ("%2$s의 %1$d행", "line %d of %s", False),
        ("%u주 %u일", "%uw%ud", False),
        ("%1%3 전에", "%1 %3 before", False),
        ("%(name)s님", "%(nmae)s", True),
        ("{0}개", "%d pieces", True),
        ("50%이상, 2.5%p", "50% or more, 2.5 points", False),
        ("%-포매팅", "%-formatting", False),
        ("<b>굵게</b>", "<b>bold</b>", False),
        ("<b>굵게</b>", "bold", True),
        ("<a href='x'>여기</a>", "<a href='y'>here</a>", False),
        ("<언어 이름>", "<name of language>", False),  # a placeholder that is translated
    ],
)
def test_placeholders_that_differ(source: str, target: str, differ: bool) -> None:
    assert ("placeholders" in pair_faults((source, target), same_form=False, same_script=False)) == differ
