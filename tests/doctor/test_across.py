"""The arrays against plain Python, and many processes against one."""

import hashlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.doctor.helpers import ALL, look, write_pairs

from regard.doctor.examine import Chunk, Record, Task, examine_chunk
from regard.doctor.keys import key_of, mixed, normal_form, repeats, rows_in
from regard.doctor.ledger import Ledger
from regard.doctor.tokens import Sample
from regard.doctor.workers import Workers
from regard.errors import DataError

FEW = st.lists(st.integers(0, 5), max_size=30)


@given(FEW)
def test_repeats_like_a_dictionary(values: list[int]) -> None:
    first: dict[int, int] = {}
    expected = [
        (row, first[value]) for row, value in enumerate(values) if first.setdefault(value, row) != row
    ]
    later, earlier = repeats(np.array(values, dtype=np.uint64))
    assert list(zip(later.tolist(), earlier.tolist(), strict=True)) == expected


@given(FEW, FEW)
def test_rows_in_like_a_set(values: list[int], wanted: list[int]) -> None:
    rows = rows_in(np.array(values, dtype=np.uint64), np.unique(np.array(wanted, dtype=np.uint64)))
    assert rows.tolist() == [row for row, value in enumerate(values) if value in {*wanted}]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=20))
def test_mixed_keys_are_equal_where_both_are(pairs: list[tuple[int, int]]) -> None:
    first, second = (np.array(side, dtype=np.uint64) for side in zip(*pairs, strict=True))
    keys = mixed(first, second).tolist()
    for (one, key), (other, other_key) in pairwise(zip(pairs, keys, strict=True)):
        assert (one == other) == (key == other_key)
    assert mixed(first.copy(), second, in_place=True).tolist() == keys


def test_forms() -> None:
    assert normal_form("Hello,  World no. 17!") == normal_form("hello world NO 5") == "helloworldno0"
    assert normal_form("나는, 3시에 갔다.") == normal_form("나는 12시에갔다") == "나는0시에갔다"
    assert key_of("나는 갔다 오늘").form == key_of("나는 갔다, 오늘!").form
    assert key_of("나는 갔다 오늘").variant != key_of("나는 갔다, 오늘!").variant
    assert key_of("17").form != key_of("18").form  # too short to be like anything but itself
    assert key_of("abcdef").form == hashlib.blake2b(b"abcdef", digest_size=8).digest()  # not salted


def test_a_sample_is_spread_evenly() -> None:
    sample = Sample(100)
    for number in range(1000):
        sample.add((str(number),))
    numbers = [int(text) for (text,) in sample.rows]
    assert 50 < len(numbers) <= 101
    assert len({after - before for before, after in pairwise(numbers)}) == 1
    assert not {*sample.learned_on()} & {*sample.measured_on()}


TASK = Task(("f", "f"), ("Hangul", "Latin"), True, ALL, 3)


def chunks() -> Iterator[list[Record]]:
    for start in range(0, 60, 10):
        texts = [(f"가나다 라마\u200b {n}", f"abc &amp; def {n * 1000}") for n in range(start, start + 10)]
        yield [Record(start + place, pair, None) for place, pair in enumerate(texts, start=1)]


def as_plain(chunk: Chunk) -> dict[str, object]:
    arrays: list[NDArray[Any]] = [chunk.numbers, chunk.flags, *chunk.forms, *chunk.variants, *chunk.lengths]
    return {"arrays": [array.tolist() for array in arrays], "tally": chunk.tally, "words": chunk.words}


def test_many_processes_say_what_one_says() -> None:
    with Workers(1) as one, Workers(2, alone=1) as many:
        alone = [as_plain(chunk) for chunk in one.examine(chunks(), TASK)]
        together = [as_plain(chunk) for chunk in many.examine(chunks(), TASK)]
    assert alone == together
    assert len(alone) == 6


def test_a_ledger_grows_without_losing_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regard.doctor.ledger._STEP", 16)
    ledger = Ledger("f", "train", 2)
    for records in chunks():
        ledger.append(examine_chunk(records, TASK))
    assert ledger.numbers.tolist() == list(range(1, 61))
    assert ledger.lengths(1).tolist() == [len(f"abc & def {n * 1000}") for n in range(60)]
    assert ledger.words == [180, 240]


def test_a_process_that_is_killed_is_one_clear_error() -> None:
    with Workers(2, alone=0) as workers:
        examined = workers.examine(chunks(), TASK)
        next(examined)
        for process in workers._processes:
            process.kill()
        with pytest.raises(DataError, match="a process that examined rows was ended from outside"):
            list(examined)


def test_two_training_files_are_one_corpus(tmp_path: Path) -> None:
    """A row of the second file repeats one of the first; the copy in the first is kept."""
    one = write_pairs(
        tmp_path / "one.tsv", [("가나다 라마바 사아", "abc def ghi jkl"), ("하나 둘 셋", "one two three")]
    )
    two = write_pairs(
        tmp_path / "two.tsv", [("넷 다섯 여섯", "four five six"), ("가나다 라마바 사아", "abc def ghi jkl")]
    )
    (finding,) = look(one, two).report.findings
    assert (finding.check.id, finding.by_file) == ("duplicate", {str(two): 1})
    assert finding.examples[0].where == f"{two}:3"
    assert finding.examples[0].like == f"{one}:2"
