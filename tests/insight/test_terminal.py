"""The other kinds in the terminal: lists of lines, shaded text, small maps."""

import unicodedata

import numpy as np
import pytest
from rich.cells import cell_len

from regard.insight.maps import AttentionMap, difference
from regard.insight.similarity import SimilarityMap
from regard.insight.terminal import (
    change_map,
    heat_map,
    highlighted,
    line_list,
    overview,
    similarity_map,
)

WEIGHTS = np.array([[0.5, 0.25, 0.25], [0.04, 0.06, 0.9]], dtype=np.float32)
SMALL = AttentionMap("attention", "cross", ("I", "sleep"), ("나는", "잘", "잔다"), WEIGHTS)


def test_lines_go_from_most_to_least_and_tell_the_rest() -> None:
    assert line_list(SMALL, threshold=0.05).plain.split("\n") == [
        "    I ← 나는 50% 잘 25% 잔다 25%",
        "sleep ← 잔다 90% 잘 6% (others 4%)",
    ]


def test_shaded_words_fit_the_width_and_have_their_numbers() -> None:
    text = highlighted(SMALL.columns * 20, np.tile(WEIGHTS[1], 20), width=50)
    assert all(cell_len(line) <= 50 for line in text.plain.split("\n"))
    assert text.plain.split() == ["나는", "4%", "잘", "6%", "잔다", "90%"] * 20
    strong = [span for span in text.spans if text.plain[span.start : span.end] == "잔다 90%"]
    assert len(strong) == 20
    plain = highlighted(SMALL.columns, WEIGHTS[1], colour=False).plain
    assert plain == " 나는 4%  잘 6% █잔다 90%"


def test_columns_of_a_similarity_stand_below_their_words_whatever_the_numbers() -> None:
    values = np.array([[0.123, 0.01], [-0.456, 0.02]], dtype=np.float32)
    for colour in (True, False):
        head, *lines = similarity_map(
            SimilarityMap(("a", "b"), ("x", "y"), values, 0.3), colour=colour
        ).plain.split("\n")
        assert {len(line) for line in lines} == {len(head)}
        assert {line.rindex(".") - head.index("y") for line in lines} == {-1}


def test_hostile_words_stay_words() -> None:
    assert "\x1b" not in highlighted(("\x1b[2J",), np.ones(1, dtype=np.float32)).plain


def test_small_maps_show_the_largest_weight_under_a_sign() -> None:
    weights = np.zeros((60, 120), dtype=np.float32)
    weights[59, 0] = 1.0
    large = AttentionMap("a", "cross", ("x",) * 60, ("y",) * 120, weights)
    lines = overview({"layer 1": [large] * 12}, width=80).plain.split("\n")
    assert all(cell_len(line.rstrip()) <= 80 for line in lines)
    assert "".join(lines).count("█") == 12
    assert " ".join(lines).count("head") == 12


def test_a_change_has_signs_and_a_word_of_one_side_has_no_number() -> None:
    after = AttentionMap(
        "a",
        "cross",
        ("We", "sleep"),
        SMALL.columns,
        np.array([[1, 0, 0], [0.54, 0.06, 0.4]], dtype=np.float32),
    )
    header, gone, new, kept = change_map(difference(SMALL, after), colour=False).plain.split("\n")
    assert header.split() == ["나는", "잘", "잔다"]
    assert (gone.split(), new.split()) == (["−I"], ["+We"])
    assert kept.split() == ["sleep", "+50", "·", "−50"]


def test_what_is_outside_of_a_window_is_a_column_of_its_own() -> None:
    """Rows that sum to 0.75 and to 1."""
    weights = np.array([[0.5, 0.25, 0.0], [0.05, 0.05, 0.9]], dtype=np.float32)
    cut = AttentionMap("attention", "cross", SMALL.rows, SMALL.columns, weights)
    lines = heat_map(cut, colour=False).plain.split("\n")
    assert lines[0].split() == ["나는", "잘", "잔다", "(missing)"]
    assert lines[1].split()[-1] == "░25"
    assert lines[2].split()[-1] == "·"
    assert "(missing)" not in heat_map(SMALL).plain
    assert cut.to_dict()["missing"] == [0.25, 0.0]
    assert "missing" not in SMALL.to_dict()


def test_what_is_hidden_is_not_missing() -> None:
    hidden = np.array([0.25, 0.9], dtype=np.float32)
    shown = AttentionMap(
        "attention", "cross", SMALL.rows, ("나는", "잘"), WEIGHTS[:, :2].copy(), hidden=hidden
    )
    assert not shown.missing.any()


def test_before_the_first_word_there_is_nothing_to_look_at() -> None:
    weights = np.array([[0.0, 0.0], [0.75, 0.0]], dtype=np.float32)
    assert AttentionMap("m", "memory", ("a", "b"), ("a", "b"), weights).missing.tolist() == [0.0, 0.25]
    assert AttentionMap("m", "cross", ("a", "b"), ("a", "b"), weights).missing.tolist() == [1.0, 0.25]


FAMILY, FLAG, WOMAN = "👨\u200d👩\u200d👧", "🇰🇷", "🤷🏽\u200d♀\ufe0f"


def test_emoji_of_several_parts_take_the_same_cells_in_all_terminals() -> None:
    """A terminal that joins emoji and one that does not would put what follows at different cells."""
    odd = AttentionMap("a", "cross", (FAMILY, "e\u0301te\u0301"), (FLAG, WOMAN, "학교"), WEIGHTS)
    text = heat_map(odd, colour=False).plain
    assert not set(text) & set("\u200d\ufe0f🏽")
    header, *lines = text.split("\n")
    assert header.split() == [FLAG, "🤷:skin-tone-4:+♀", "학교"]
    assert [line.split()[0] for line in lines] == ["👨+👩+👧", "été"]
    assert {cells(line) for line in lines} == {cells(header)}


def cells(text: str) -> int:
    """As the C library counts: wide signs take two, marks that combine none, all others one."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("words", [2, 12, 60])
def test_long_sentences_stay_within_the_terminal(words: int, width: int) -> None:
    """Further columns go below, with the labels of all rows again; nothing is left out."""
    columns = tuple(f"단어{n}" for n in range(words))
    rows = tuple(f"word{n}" for n in range(words))
    weights = np.random.default_rng(0).dirichlet([0.3] * words, words).astype(np.float32)
    shown = AttentionMap("a", "cross", rows, columns, weights)
    panels = heat_map(shown, width=width, colour=False).plain.split("\n\n")
    assert [word for panel in panels for word in panel.split("\n")[0].split()] == list(columns)
    for panel in panels:
        assert [line.split()[0] for line in panel.split("\n")[1:]] == list(rows)
    listed = line_list(shown, threshold=0.0, width=width).plain
    assert listed.count("%") == words * words
    shaded = highlighted(columns, weights[0], width=width, colour=False).plain
    for line in "\n".join([*panels, listed, shaded]).split("\n"):
        assert cells(line) <= width


def test_a_long_word_is_cut_between_its_signs() -> None:
    header = heat_map(
        AttentionMap("a", "cross", ("x",), ("가" * 30, "e\u0320" * 30), np.full((1, 2), 0.5, np.float32)),
        colour=False,
    ).plain.split("\n")[0]
    assert header.split() == ["가" * 8 + "…", "e\u0320" * 17 + "…"]
