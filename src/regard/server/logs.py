"""What the service says on stderr: a JSON object a line. No texts, no keys, no messages of others' errors."""

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any, TextIO


class Log:
    """The log of one process."""

    def __init__(self, *, quiet: bool = False, stream: TextIO | None = None) -> None:
        """quiet: tell of what went wrong alone."""
        self._quiet, self._stream = quiet, stream or sys.stderr

    def info(self, event: str, **values: Any) -> None:
        """What happens every day."""
        if not self._quiet:
            self._write("info", event, values)

    def warning(self, event: str, **values: Any) -> None:
        """What somebody should look at."""
        self._write("warning", event, values)

    def error(self, event: str, error: BaseException | None = None, **values: Any) -> None:
        """What went wrong; of an error its kind and its place, for its message may have a user's text."""
        if error is not None:
            frames = traceback.extract_tb(error.__traceback__)[-3:]
            places = [f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in frames]
            values = {**values, "error": type(error).__name__, "at": places}
        self._write("error", event, values)

    def _write(self, level: str, event: str, values: dict[str, Any]) -> None:
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        told = {name: value for name, value in values.items() if value is not None}
        # In ASCII: nothing in it can end a line, or colour a terminal.
        self._stream.write(json.dumps({"time": now, "level": level, "event": event, **told}) + "\n")
        self._stream.flush()


class _Passed(logging.Handler):
    """Messages of libraries, in the form of the log; of those with an error, that alone."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Write one."""
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            self._log.error("library", error, logger=record.name)
        else:
            self._log.warning("library", logger=record.name, message=record.getMessage()[:300])


def log_libraries(log: Log) -> None:
    """Let what uvicorn and asyncio say come into the log."""
    for name in ("uvicorn", "uvicorn.error", "asyncio", "fastapi"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [_Passed(log)], False
        logger.setLevel(logging.WARNING)
