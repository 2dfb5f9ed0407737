"""One corpus in three: no sentence, on any side, stands in two parts."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.config.data import OneCorpus, ParallelCorpus
from regard.config.load import corpus_from_short_form
from regard.data.readers import open_rows
from regard.data.rows import CellKind, Row
from regard.data.writers import write_rows
from regard.doctor.splitting import connected, cut_corpus, divide, key_of, survey
from regard.errors import DataError

PAIRS: dict[str, CellKind] = {"ko": "text", "en": "text"}


def connected_slowly(rows: list[tuple[int, int]]) -> list[int]:
    """For each row the first row of its set: labels are passed on between rows that share a key."""
    labels = list(range(len(rows)))
    for _ in rows:
        for one, keys in enumerate(rows):
            for other, others in enumerate(rows):
                if {*keys} & {*others}:
                    labels[one] = labels[other] = min(labels[one], labels[other])
    return labels


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=20))
def test_rows_that_share_a_side_are_connected(rows: list[tuple[int, int]]) -> None:
    found = connected([*zip(*rows, strict=True)]).tolist()
    first = {number: place for place, number in reversed(list(enumerate(found)))}
    assert [first[number] for number in found] == connected_slowly(rows)


def test_a_long_chain_is_one_set() -> None:
    chain = np.random.default_rng(1).permutation(20_000).tolist()
    assert len({*connected([chain[:-1], chain[1:]]).tolist()}) == 1


def test_case_punctuation_spacing_and_composition_do_not_count() -> None:
    assert key_of("Ich gehe.") == key_of("ich  gehe!") == key_of("ICH GEHE")
    assert key_of("\u1112\u1161\u11ab") == key_of("한")
    assert key_of("?") != key_of("!")
    assert key_of("1 go") != key_of("2 go")


def lines(count: int = 1_000) -> list[tuple[str, str]]:
    """Pairs of which a third share a side with another: some a source, some a target."""
    pairs = []
    for number in range(count):
        source = f"문장 {number - 1 if number % 6 == 1 else number} 번이다."
        target = f"This is number {number - 2 if number % 6 == 3 else number}!"
        pairs.append((source, target))
    return pairs


def cut(path: Path, corpus: OneCorpus) -> dict[str, list[tuple[str, ...]]]:
    rows = open_rows(corpus, PAIRS)
    parts = divide(survey(rows, 2, quiet=True))
    found = cut_corpus(rows, corpus, parts, path.parent / "parts", quiet=True)
    made = {}
    for part, (one, count) in found.items():
        made[part] = [tuple(map(str, row.cells)) for row in open_rows(one) if isinstance(row, Row)]
        assert len(made[part]) == count
    return made


@pytest.mark.parametrize("name", ["x.tsv", "x.csv", "x.csv.gz", "x.jsonl"])
def test_no_sentence_on_either_side_stands_in_two_parts(tmp_path: Path, name: str) -> None:
    """And every row is in one of them, with all its columns."""
    path = tmp_path / name
    rows = [Row(n, (str(n), ko, en, f"note {n}")) for n, (ko, en) in enumerate(lines())]
    write_rows(rows, ("id", "ko", "en", "note"), str(path))
    made = cut(path, corpus_from_short_form(str(path)))
    assert sorted(row for part in made.values() for row in part) == sorted(row.cells for row in rows)
    assert {part: len(some) for part, some in made.items() if part != "train"} == {
        "dev": pytest.approx(50, abs=4),
        "test": pytest.approx(50, abs=4),
    }
    for side in (1, 2):
        seen = {part: {row[side] for row in some} for part, some in made.items()}
        assert not seen["train"] & (seen["dev"] | seen["test"])
        assert not seen["dev"] & seen["test"]


def test_plain_files_stay_beside_each_other(tmp_path: Path) -> None:
    pairs = lines(400)
    for place, side in enumerate(("ko", "en")):
        (tmp_path / f"train.{side}").write_text("\n".join(pair[place] for pair in pairs), encoding="utf-8")
    corpus = ParallelCorpus(source_path=f"{tmp_path}/train.ko", target_path=f"{tmp_path}/train.en")
    made = cut(tmp_path / "train.ko", corpus)
    assert sorted(row for some in made.values() for row in some) == sorted(pairs)
    assert sorted(path.name for path in (tmp_path / "parts").iterdir()) == [
        "dev.en", "dev.ko", "test.en", "test.ko", "train.en", "train.ko"
    ]  # fmt: skip


def test_a_corpus_of_one_set_cannot_be_cut(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text("ko\ten\n" + "".join(f"문장 {n}\tYes.\n" for n in range(300)), encoding="utf-8")
    with pytest.raises(DataError, match=r"300 of its 300 rows are connected .* too few are left for dev"):
        cut(path, corpus_from_short_form(str(path)))
    assert [file.name for file in tmp_path.iterdir()] == ["x.tsv"]


def test_a_corpus_that_changes_meanwhile_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    write_rows([Row(n, pair) for n, pair in enumerate(lines())], ("ko", "en"), str(path))
    corpus = corpus_from_short_form(str(path))
    rows = open_rows(corpus, PAIRS)
    parts = divide(survey(rows, 2, quiet=True))
    with path.open("a", encoding="utf-8") as file:
        file.write("한 줄 더\tone more line\n")
    with pytest.raises(DataError, match="has changed while it was read"):
        cut_corpus(rows, corpus, parts, tmp_path / "parts", quiet=True)
    assert not (tmp_path / "parts").exists()
