"""The folder of a clean copy: it appears whole or not at all."""

import gzip
import os
import shutil
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Self, cast

from regard.errors import DataError


def check_out(out: Path) -> None:
    """Refuse, before any work, a place where the copy cannot be written."""
    if out.is_dir() and any(out.iterdir()):
        raise DataError(f"{out}: expected a new or empty folder for the clean copy, found files in it")
    if out.exists() and not out.is_dir():
        raise DataError(f"{out}: expected a new folder for the clean copy, found a file")
    nearest = next(place for place in out.absolute().parents if place.exists())
    if not nearest.is_dir():
        raise DataError(f"{out}: cannot be written: {nearest} is a file, expected a folder")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise DataError(f"{out}: cannot be written: no permission to write in {nearest}")


class OutputFolder:
    """Files that are written under a passing name, which one rename ends."""

    def __init__(self, out: Path) -> None:
        self._out = out.absolute()
        self._passing = self._out.with_name(f".{out.name}.{os.getpid()}.tmp")
        self._files = ExitStack()

    def __enter__(self) -> Self:
        self._passing.mkdir(parents=True)
        return self

    def open(self, name: str) -> IO[bytes]:
        """A file in the folder, compressed if its name says so; the same rows give the same bytes."""
        raw = self._files.enter_context((self._passing / name).open("wb"))
        if not name.endswith(".gz"):
            return raw
        packed = gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=0)
        return cast(IO[bytes], self._files.enter_context(packed))

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            self._files.close()
            if kind is None:
                self._passing.rename(self._out)
        finally:  # after the rename there is nothing left to remove
            shutil.rmtree(self._passing, ignore_errors=True)
