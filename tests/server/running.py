"""A `regard serve` in a process of its own, and a plain client for it."""

import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from regard.server.metrics import resident_bytes

LONGEST = 120.0
"""Seconds after which a service that does not come is given up."""


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    """Their names in small letters."""
    content: bytes
    seconds: float

    @property
    def json(self) -> Any:
        return json.loads(self.content)


def is_running(pid: int) -> bool:
    """Whether there is such a process, and it has not ended."""
    try:
        return not Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].startswith("Z")
    except FileNotFoundError:
        return False


def wait_for(is_so: Callable[[], bool], seconds: float = 30.0) -> None:
    """Until something is so."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it has not come to be so"
        time.sleep(0.01)


def _written(file: IO[bytes]) -> str:
    return os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0).decode()


class RunningServer:
    """The service, from its start to its end."""

    def __init__(self, served: dict[str, Path], *options: str) -> None:
        self._arguments = [*(f"{name}={folder}" for name, folder in served.items()), "--port", "0", *options]

    def __enter__(self) -> Self:
        self._log, self._told = tempfile.TemporaryFile("w+b"), tempfile.TemporaryFile("w+b")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "regard", "serve", *self._arguments],
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            stdin=subprocess.DEVNULL,
            stdout=self._told,
            stderr=self._log,
        )
        try:
            self.port = self._find_port()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for worker in self.worker_pids():  # they end with the front, unless just that is broken
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
        self._log.close()
        self._told.close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """What it has written to stderr."""
        return _written(self._log)

    @property
    def told(self) -> str:
        """What it has written to stdout."""
        return _written(self._told)

    def events(self, name: str) -> list[dict[str, Any]]:
        """What the log says of something that happened."""
        lines = [line for line in self.log.splitlines(keepends=True) if line.startswith("{")]
        told = [json.loads(line) for line in lines if line.endswith("\n")]
        return [event for event in told if event["event"] == name]

    def _find_port(self) -> int:
        end = time.monotonic() + LONGEST
        while time.monotonic() < end:
            for event in self.events("listening"):
                return int(event["url"].rpartition(":")[2])
            assert self.process.poll() is None, self.log
            time.sleep(0.02)
        raise AssertionError(f"no service after {LONGEST} s: {self.log}")

    def wait_until_ready(self, longest: float = LONGEST) -> None:
        end = time.monotonic() + longest
        while self.get("/readyz").status != 200:
            assert self.process.poll() is None, self.log
            assert time.monotonic() < end, self.log
            time.sleep(0.02)

    def request(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
        timeout: float = 60.0,
    ) -> Answer:
        begun = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        told = {name.lower(): value for name, value in answer.getheaders()}
        return Answer(answer.status, told, content, time.monotonic() - begun)

    def get(self, path: str, **headers: str) -> Answer:
        return self.request("GET", path, headers=headers)

    def post(self, path: str, values: Any, **headers: str) -> Answer:
        body = json.dumps(values).encode()
        return self.request("POST", path, body, {"Content-Type": "application/json", **headers})

    def worker_pids(self, *models: str) -> list[int]:
        """The processes that compute now, of some models or of all."""
        started = [event for event in self.events("worker started") if event["model"] in models or not models]
        return [event["worker"] for event in started if is_running(event["worker"])]

    def metric(self, series: str) -> float:
        """What it has counted; 0 where it has not seen any."""
        lines = self.get("/metrics").content.decode().splitlines()
        return next((float(line.rpartition(" ")[2]) for line in lines if line.startswith(f"{series} ")), 0.0)

    def front_bytes(self) -> int:
        """The resident memory of the front process."""
        return resident_bytes(self.process.pid) or 0

    def call(self, model: str, operation: str, *texts: str, **options: Any) -> Answer:
        """One operation on some texts."""
        inputs = [{"text": text} for text in texts]
        return self.post(f"/v1/regard/{operation}", {"model": model, "inputs": inputs, **options})
