"""The log is read as far as it is whole, and a fault in it is named."""

import hashlib
import re
from pathlib import Path

import pytest
from tests.test_public_face import loaded_after

from regard.errors import StoreError
from regard.training.log import LOG, LONGEST_LINE, RunLog, end_of_run, read_events

STEP = '{"event": "step", "step": 1, "loss": 2.5}\n'
END = '{"event": "end", "steps": 1}\n'


def write(run: Path, content: str | bytes) -> Path:
    (run / LOG).write_bytes(content if isinstance(content, bytes) else content.encode())
    return run


def test_what_is_written_is_read(tmp_path: Path) -> None:
    log = RunLog(tmp_path)
    log.write("start", recipe={"description": "첫 실행"})
    log.write("step", step=1, loss=float("nan"), nll=0.5)
    log.close()
    assert list(read_events(tmp_path)) == [
        {"event": "start", "recipe": {"description": "첫 실행"}},
        {"event": "step", "step": 1, "loss": None, "nll": 0.5},
    ]


@pytest.mark.parametrize("length", range(1, len(END) - 1))
def test_a_last_line_that_is_half_written_is_left_out(tmp_path: Path, length: int) -> None:
    run = write(tmp_path, STEP + END[:length])
    assert [event["event"] for event in read_events(run)] == ["step"]
    assert end_of_run(run) is None


@pytest.mark.parametrize("end", ["\n", "", "\r\n"])
def test_a_last_line_that_is_whole_counts(tmp_path: Path, end: str) -> None:
    run = write(tmp_path, STEP + END.strip() + end)
    assert [event["event"] for event in read_events(run)] == ["step", "end"]
    assert end_of_run(run) == {"steps": 1}


@pytest.mark.parametrize(
    "line",
    [
        b'{"event": "step", "st', b"\0\0\0\0", b'{"step": 3}', b'["event"]', b'{"event": 3}', b"",
        b"\xff\xfe", b'{"event": "step"} {}', b"[" * 100_000,
    ],
    ids=["cut", "zeros", "no event", "a list", "no name", "empty", "no UTF-8", "two", "deep"],
)  # fmt: skip
def test_a_damaged_line_in_the_middle_is_named(tmp_path: Path, line: bytes) -> None:
    run = write(tmp_path, STEP.encode() * 2 + line + b"\n" + STEP.encode())
    with pytest.raises(StoreError, match=r"log\.jsonl:3: damaged: expected a JSON object with an 'event'"):
        list(read_events(run))


def test_no_flipped_bit_changes_what_is_read(tmp_path: Path) -> None:
    """It is refused, or the line is taken for one that was being written when the run was killed."""
    log = RunLog(tmp_path)
    log.write("step", step=12, loss=2.5)
    log.write("validation", step=12, bleu=31.25, best=True)
    log.write("end", steps=12, best={"bleu": 31.25})
    log.close()
    told, end = list(read_events(tmp_path)), end_of_run(tmp_path) or {}
    whole = (tmp_path / LOG).read_bytes()
    refused = 0
    for bit in range(8 * len(whole)):
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        (tmp_path / LOG).write_bytes(damaged)
        try:
            found = list(read_events(tmp_path))  # in the first line the name of the checksum may be another
            assert [{**one, **two} for one, two in zip(found, told, strict=False)] == found, bit
            assert len(found) >= len(told) - 1
        except StoreError as error:
            assert re.search(r"log\.jsonl:[123]: damaged: ", str(error))  # noqa: PT017
            refused += 1
        try:
            last = end_of_run(tmp_path)
            assert last is None or {**last, **end} == last, bit
        except StoreError as error:
            assert "log.jsonl: damaged: its last line" in str(error)  # noqa: PT017
    assert refused > 0.95 * 8 * len(whole)


def test_lines_of_older_versions_have_no_checksum_and_are_gone_on_with(tmp_path: Path) -> None:
    write(tmp_path, STEP)
    log = RunLog(tmp_path, keep=len(STEP))
    log.write("end", steps=1)
    log.close()
    assert [event["event"] for event in read_events(tmp_path)] == ["step", "end"]
    with (tmp_path / LOG).open("a") as file:
        file.write(STEP)
    with pytest.raises(StoreError, match=r"log\.jsonl:3: damaged: the line does not have the crc32"):
        list(read_events(tmp_path))


def test_a_log_goes_on_only_after_what_was_written(tmp_path: Path) -> None:
    log = RunLog(tmp_path)
    log.write("step", step=1)
    size, sha256 = log.sync()
    log.write("step", step=2)
    log.close()
    whole = (tmp_path / LOG).read_bytes()
    assert sha256 == hashlib.sha256(whole[:size]).hexdigest()
    RunLog(tmp_path, keep=size, sha256=sha256).close()
    assert (tmp_path / LOG).read_bytes() == whole[:size], "the line after it belongs to lost work"
    for damaged, told in (
        (whole[: size - 3], f"it has {size - 3} bytes of the {size} that the last checkpoint knows"),
        (whole[: size - 3] + b"\0\0\0", f"its first {size} bytes are not those"),
    ):
        write(tmp_path, damaged)
        with pytest.raises(StoreError, match=f"log.jsonl: damaged: {told}"):
            RunLog(tmp_path, keep=size, sha256=sha256)
        assert (tmp_path / LOG).read_bytes() == damaged, "nothing was cut or added"


def test_a_line_without_end_is_not_read_into_memory(tmp_path: Path) -> None:
    run = write(tmp_path, STEP + '{"event": "' + "x" * (3 * LONGEST_LINE))
    with pytest.raises(StoreError, match=r"log\.jsonl:2: damaged"):
        list(read_events(run))
    assert end_of_run(run) is None


def test_a_log_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / LOG).mkdir()
    with pytest.raises(StoreError, match=r"log\.jsonl: cannot be read: Is a directory"):
        list(read_events(tmp_path))
    assert end_of_run(tmp_path) is None


def test_loggers_are_told_what_is_written(tmp_path: Path) -> None:
    class Ear:
        def __init__(self) -> None:
            self.heard: list[object] = []

        def log(self, event: object) -> None:
            self.heard.append(event)

        def flush(self) -> None:
            self.heard.append("flush")

        def close(self) -> None:
            self.heard.append("close")

    ear, log = Ear(), RunLog(tmp_path)
    log.loggers.append(ear)
    log.write("step", step=1, loss=float("inf"))
    log.sync()
    log.close()
    (line,) = read_events(tmp_path)
    assert ear.heard == [line, "flush", "close"]


def test_logs_are_read_without_torch() -> None:
    code = "import regard.training.runs.figure, regard.training.runs.terminal, regard.training.runs.history"
    assert not loaded_after(code) & {"torch", "numpy", "pydantic", "matplotlib"}
