"""The log is read as far as it is whole, and a fault in it is named."""

import json
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


def test_listeners_hear_what_is_written(tmp_path: Path) -> None:
    class Ear:
        def __init__(self) -> None:
            self.heard: list[object] = []

        def hear(self, event: object) -> None:
            self.heard.append(event)

        def flush(self) -> None:
            self.heard.append("flush")

        def close(self) -> None:
            self.heard.append("close")

    ear, log = Ear(), RunLog(tmp_path)
    log.listeners.append(ear)
    log.write("step", step=1, loss=float("inf"))
    log.sync()
    log.close()
    line = json.loads((tmp_path / LOG).read_text())
    assert ear.heard == [line, "flush", "close"]


def test_logs_are_read_without_torch() -> None:
    code = "import regard.training.runs.figure, regard.training.runs.terminal, regard.training.runs.history"
    assert not loaded_after(code) & {"torch", "numpy", "pydantic", "matplotlib"}
