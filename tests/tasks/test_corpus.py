"""Preparing a training corpus: vocabularies and ids, made once, kept, and made anew when anything changes."""

import json
from pathlib import Path
from typing import Any

import pytest

from regard.config.data import DataConfig
from regard.config.text import BpeConfig
from regard.data import cache as keys
from regard.data import corpus as module
from regard.data.encoded import write_encoded
from regard.errors import DataError, StoreError
from regard.tasks.translation.examples import TrainingPairs, pair_corpus
from regard.text.tokenizer import Tokenizer

TEXT = BpeConfig(vocabulary_size=400)
LINES = [("나는 책을 읽었다.", "I read a book."), ("그는 학교에 갔다.", "He went to school.")] * 20


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def table(path: Path, lines: list[tuple[str, str]]) -> str:
    path.write_text("ko\ten\n" + "".join(f"{ko}\t{en}\n" for ko, en in lines), encoding="utf-8")
    return str(path)


def config(train: Any, **settings: Any) -> DataConfig:
    return DataConfig.model_validate({"train": train, **settings})


def prepared(data: DataConfig, text: BpeConfig = TEXT) -> tuple[Tokenizer, Tokenizer, TrainingPairs]:
    return pair_corpus(data, text, quiet=True)


def made(cache: Path) -> dict[str, int]:
    """When each entry of the cache was made."""
    return {path.name: path.stat().st_mtime_ns for path in cache.glob("*/*")}


def test_ids_are_those_of_the_text(tmp_path: Path) -> None:
    source, target, pairs = prepared(config(table(tmp_path / "x.tsv", LINES)))
    assert len(pairs) == len(LINES)
    for row, (korean, english) in enumerate(LINES):
        assert source.decode(pairs[row].source).text.text == korean  # type: ignore[arg-type]
        assert target.decode(pairs[row].target).text.text == english  # type: ignore[arg-type]
    assert pairs.where(3) == f"{tmp_path / 'x.tsv'}:5"


def test_a_second_time_nothing_is_learned_or_encoded(tmp_path: Path, cache: Path) -> None:
    data = config(table(tmp_path / "x.tsv", LINES))
    first = prepared(data)
    before = made(cache)
    assert len(before) == 2
    second = prepared(data)
    assert made(cache) == before
    assert first[0].to_json() == second[0].to_json()
    assert [first[2][row].source.tolist() for row in range(40)] == [  # type: ignore[union-attr]
        second[2][row].source.tolist()  # type: ignore[union-attr]
        for row in range(40)
    ]


@pytest.mark.parametrize("change", ["content", "vocabulary", "max_tokens", "filter", "columns", "bad rows"])
def test_whatever_changes_makes_it_anew(tmp_path: Path, cache: Path, change: str) -> None:
    path = table(tmp_path / "x.tsv", LINES)
    data, text = config(path), TEXT
    prepared(data)
    before = made(cache)
    if change == "content":
        table(tmp_path / "x.tsv", [*LINES[:-1], ("그는 학교에 왔다.", "He went to school.")])
    if change == "vocabulary":
        text = BpeConfig(vocabulary_size=400, joint=True)
    if change == "max_tokens":
        data = config(path, max_tokens=7)
    if change == "filter":
        data = config({"kind": "tsv", "path": path, "filter": "en != x"})
    if change == "columns":
        data = config(path, source="en", target="ko")
    if change == "bad rows":
        data = config(path, on_bad_row="skip")
    source, _, pairs = prepared(data, text)
    assert made(cache).keys() > before.keys()
    for row in range(len(pairs)):  # the ids are those of this vocabulary, not of another
        sentence = source.decode(pairs[row].source).text.text  # type: ignore[arg-type]
        assert sentence in {side for line in [*LINES, ("그는 학교에 왔다.", "")] for side in line}


def test_a_damaged_entry_is_made_anew(tmp_path: Path, cache: Path) -> None:
    data = config(table(tmp_path / "x.tsv", LINES))
    prepared(data)
    (ids,) = cache.glob("encoded/*/ids.bin")
    ids.write_bytes(b"\xff" * ids.stat().st_size)
    source, _, pairs = prepared(data)
    assert source.decode(pairs[0].source).text.text == LINES[0][0]  # type: ignore[arg-type]


def test_a_damaged_vocabulary_is_learned_anew(tmp_path: Path, cache: Path) -> None:
    data = config(table(tmp_path / "x.tsv", LINES))
    size = len(prepared(data)[0])
    (kept,) = cache.glob("vocabularies/*")
    for damage in ("", "[]", '["{}", "{}"]', "[1, 2]"):
        kept.write_text(damage)
        assert len(prepared(data)[0]) == size


def test_bad_rows_stop_before_anything_is_kept(tmp_path: Path, cache: Path) -> None:
    path = table(tmp_path / "x.tsv", [*LINES, ("나는", " ")])
    with pytest.raises(DataError, match=r"x\.tsv:42: the en side is empty"):
        prepared(config(path))
    assert made(cache) == {}


def test_skipped_rows_are_told_even_when_the_corpus_comes_from_the_cache(tmp_path: Path) -> None:
    data = config(table(tmp_path / "x.tsv", [*LINES, ("나는", " ")]), on_bad_row="skip")
    for _ in range(2):
        _, _, pairs = prepared(data)
        assert (len(pairs), pairs.bad) == (40, 1)
        (record,) = map(json.loads, pairs.quarantine().splitlines())
        assert record["where"] == f"{tmp_path / 'x.tsv'}:42"


def test_a_file_that_changes_while_it_is_read_is_not_kept(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = table(tmp_path / "x.tsv", LINES)
    real = write_encoded

    def with_a_writer_beside(*arguments: Any, **names: Any) -> Any:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write("하나\tone\n")
        return real(*arguments, **names)

    monkeypatch.setattr(module, "write_encoded", with_a_writer_beside)
    with pytest.raises(DataError, match=r"x\.tsv: changed while it was being read"):
        prepared(config(path))
    assert list(cache.glob("encoded/*")) == []


def test_parts_are_counted_through(tmp_path: Path) -> None:
    one, two = table(tmp_path / "1.tsv", LINES[:6]), table(tmp_path / "2.tsv", LINES[:4])
    data = config({"kind": "mix", "by": "weight", "rows_per_epoch": 12, "parts": [one, two]})
    _, _, pairs = prepared(data)
    assert len(pairs) == 10
    assert [pairs.where(5), pairs.where(6)] == [f"{one}:7", f"{two}:2"]
    rows = [row for batch in pairs.plan(budget=100, seed=1, epoch=0) for row in batch]
    assert len([row for row in rows if row >= 6]) == len([row for row in rows if row < 6]) == 6


def test_a_world_is_kept_under_its_grammar(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = config({"kind": "builtin", "rows": 50})
    prepared(data)
    before = made(cache)
    prepared(data)
    assert made(cache) == before
    assert prepared(data)[2].where(0) == "builtin:ko-en:train:1"
    real = keys.code_fingerprint

    def changed(part: keys.CodePart) -> str:
        return "another grammar" if part == "world" else real(part)

    monkeypatch.setattr(keys, "code_fingerprint", changed)
    prepared(data)
    assert made(cache).keys() > before.keys()


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path / "file" / "x"))
    named = "cannot be written: .*; REGARD_CACHE names another place for the cache$"
    with pytest.raises(StoreError, match=named):
        prepared(config(table(tmp_path / "x.tsv", LINES)))


def test_the_plan_of_a_large_corpus_takes_few_bytes(tmp_path: Path) -> None:
    """Twelve bytes a row at the most, of the sixteen allowed: measured by Python's own count of memory."""
    import tracemalloc

    import numpy as np

    from regard.data.batching import plan_batches
    from regard.data.mixing import epoch_rows

    rows = 2_000_000
    lengths = np.random.default_rng(1).integers(5, 40, (rows, 2)).astype(np.uint32)
    tracemalloc.start()
    plan = plan_batches([lengths], epoch_rows([rows], None, seed=1, epoch=0), budget=4096, seed=1, epoch=0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(plan) > 10_000
    assert peak / rows < 16


def test_a_part_that_gives_nothing_is_named(tmp_path: Path) -> None:
    path = table(tmp_path / "x.tsv", LINES)
    nothing = {"kind": "tsv", "path": path, "filter": "en == nothing"}
    with pytest.raises(DataError, match=r"x\.tsv: this part of the mix gives no rows; is its filter right"):
        prepared(config([path, nothing]))
