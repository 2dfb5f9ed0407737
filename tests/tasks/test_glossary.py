from pathlib import Path

import pytest

from regard.errors import DataError
from regard.inference.constraints import Glossary

TERMS = Glossary(
    [
        ("학교", "school"),
        ("학교 급식", "school lunch"),
        ("API", "interface"),
        ("서울", "Seoul"),
        ("서울", "Seoul City"),
        ("New York", "NYC"),
    ]
)


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("나는 학교에서 책을 읽었다.", [("school",)]),  # a particle is written onto the word
        ("학교", [("school",)]),
        ("'학교'는 크다", [("school",)]),  # after a punctuation mark
        ("고등학교에서", []),  # inside a word
        ("학교 급식이 맛있다", [("school lunch",)]),  # the longest of those that begin there
        ("학교  급식과 학교", [("school lunch",), ("school",)]),  # however many spaces
        ("서울에 간다", [("Seoul", "Seoul City")]),  # either will do
        ("API를 쓴다", [("interface",)]),
        ("APIs are", []),
        ("MyAPI", []),
        ("In New York, he", [("NYC",)]),
        ("학교에서 학교까지", [("school",)]),  # asked for once
        ("\u1112\u1161\u11a8\u1100\u116d\u1105\u1173\u11af", [("school",)]),  # decomposed: 학교를
        ("", []),
    ],
)
def test_terms_are_found_at_word_borders(source: str, wanted: list[tuple[str, ...]]) -> None:
    assert list(TERMS.wanted(source)) == wanted


def test_a_file_of_terms(tmp_path: Path) -> None:
    path = tmp_path / "terms.tsv"
    path.write_text("학교\tschool\n\n서울\tSeoul\n", encoding="utf-8")
    assert len(Glossary.read(path)) == 2
    assert Glossary.read(path).wanted("서울") == (("Seoul",),)
    path.write_text("학교\tschool\n서울 Seoul\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"terms.tsv:2: expected a source term, a tab and a target term"):
        Glossary.read(path)


def test_terms_have_two_sides() -> None:
    with pytest.raises(DataError, match="a glossary needs terms on both sides, found '학교' and ' '"):
        Glossary([("학교", " ")])
    assert Glossary([]).wanted("학교") == ()
