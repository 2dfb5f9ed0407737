"""Gold alignments: what the cells of a table say, and what they cannot mean."""

import pytest

from regard.data.alignments import GOLD, AlignedRow, GoldCells, GoldLinks, Words, gold_columns, gold_links
from regard.errors import DataError


def row(
    source: str, target: str, *, turned: bool = False, words: Words | None = None, **cells: str
) -> AlignedRow:
    return AlignedRow(source, target, "t.tsv:7", GoldCells(tuple(cells.items()), turned, words))


def read(*rows: AlignedRow) -> list[GoldLinks | None]:
    return gold_links(rows)


def test_the_forms_of_links() -> None:
    (one,) = read(row("das Haus", "the house", links="0-0 1-1 0p1 1?0"))
    assert one is not None
    assert one.sure == {(0, 0), (1, 1)}
    assert one.possible == {(0, 0), (1, 1), (0, 1), (1, 0)}
    (two,) = read(row("das Haus", "the house", sure="0-0 1-1", possible="0-1 1p0"))
    assert two == one
    (turned,) = read(row("ein Haus am See", "the house", turned=True, links="1-3"))
    assert turned is not None
    assert turned.sure == {(3, 1)}
    assert read(row("a", "b", links=" "), AlignedRow("a", "b", "t.tsv:8", None)) == [None, None]


def test_what_links_count() -> None:
    """Between spaces, as tools write them; with punctuation apart only where a link needs that."""
    tokenised = row("Das ist z.B. gut .", "That 's good , e.g.", links="0-0 1-1 3-2 2-4")
    (found,) = read(tokenised)
    assert found is not None
    assert found.words == "token"
    plain = row("Ja, gut.", "Yes, good.", links="0-0 1-1 2-2 3-3")
    assert [own.words for own in read(plain, row("Ja.", "Yes.", links="0-0")) if own] == ["word", "word"]
    (known,) = read(row("Ja.", "Yes.", words="word", links="0-0"))
    assert known is not None
    assert known.words == "word"


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (
            {"links": "0-0 1"},
            "the links side: expected links i-j (sure) or ipj (possible), such as 0-0, found '1'",
        ),
        ({"links": "0-0-1"}, "found '0-0-1'"),
        ({"links": "-1-0"}, "found '-1-0'"),
        ({"links": "0-²"}, "found '0-²'"),
        ({"links": "0-0:nan"}, "found '0-0:nan'"),
        ({"links": "0-0:2"}, "found '0-0:2'"),
        ({"sure": "0p0"}, "the sure side: expected links i-j, such as 0-0, found '0p0'"),
        (
            {"links": "0-0 2-1"},
            "the link 2-1 is beyond the sentences of 2 words and 2 words (between spaces)",
        ),
        ({"sure": "0-0", "possible": "0-9"}, "the link 0-9 is beyond the sentences"),
    ],
)
def test_links_that_cannot_be(cells: dict[str, str], message: str) -> None:
    with pytest.raises(DataError) as caught:
        read(AlignedRow("das Haus", "the house", "t.tsv:7", GoldCells(tuple(cells.items()))))
    assert str(caught.value).startswith("t.tsv:7: ")
    assert message in str(caught.value)


def test_links_as_regard_writes_them_can_be_read() -> None:
    """Soft links and words without any: `regard align --soft --null`."""
    (found,) = read(row("das Haus da", "the house", links="0-0:0.9312 1-1:1.0 2p1:0.25 NULL-1 NULL-0:0.5"))
    assert found is not None
    assert found.sure == {(0, 0), (1, 1)}
    assert found.possible == {(0, 0), (1, 1), (2, 1)}


def test_a_link_of_a_file_is_told_as_the_file_counts() -> None:
    """From 1 in the NAACL form; and a file has no columns."""
    gold = GoldCells(((GOLD, "8-0"),), first=1)
    with pytest.raises(DataError, match=r"the link 9-1 is beyond .*; links count from 1, from the source"):
        read(AlignedRow("das Haus", "the house", "gold:3", gold))


def test_a_link_of_a_turned_row_is_told_as_it_is_written() -> None:
    with pytest.raises(DataError, match="the link 3-1 is beyond the sentences of 2 words and 4 words"):
        read(row("ein Haus am See", "the house", turned=True, links="3-1"))


def test_the_columns_of_an_alignment() -> None:
    assert gold_columns(["ko", "links", "en"], "t") == ("links",)
    assert gold_columns(["possible", "sure"], "t") == ("sure", "possible")
    assert gold_columns(["ko", "possible"], "t") == ()
    with pytest.raises(DataError, match="t: expected the alignment in 'links' or in 'sure', found both"):
        gold_columns(["links", "sure"], "t")
