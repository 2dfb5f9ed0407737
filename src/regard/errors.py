"""What can go wrong, as one tree.

    RegardError            everything below; the command line prints it as one line and exits with 2
    ├── ConfigError        a recipe, or an override of it, says something it may not
    ├── DataError          a corpus, a row of it, or a sentence cannot be used
    ├── StoreError         a model folder is missing, damaged, or in the way
    ├── ShapeError         a tensor does not have the shape or type that was asked for
    ├── DivergedError      training met a loss that is not a number
    ├── StoppedError       a signal stopped training; what was done is kept
    └── MissingExtraError  an optional part is needed and not installed

A message says what was expected, what was found, where, and what to do.
"""

import difflib
import traceback
from collections.abc import Container, Iterable


class RegardError(Exception):
    """A user's mistake or a broken input, told in words that a user can act on."""


class ConfigError(RegardError):
    """A recipe, or an override of it, says something it may not."""


class DataError(RegardError):
    """A corpus, a row of it, or a sentence cannot be used."""


class StoreError(RegardError):
    """A model folder is missing, damaged, or in the way."""


class ShapeError(RegardError):
    """A tensor does not have the shape or type that was asked for."""


class DivergedError(RegardError):
    """Training met a loss that is not a number."""


class StoppedError(RegardError):
    """A signal stopped training; what was done is kept."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class MissingExtraError(RegardError):
    """An optional part is needed and not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs the optional part '{extra}': pip install 'regard[{extra}]'")


def place_in(error: BaseException, files: Container[str]) -> str | None:
    """The last line in one of these files that an error came through, as file:line."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in files]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else None


def in_one_line(error: BaseException) -> str:
    """What an error of somebody else's code says: its kind, and its first line."""
    told = next(iter(str(error).strip().splitlines()), "")
    return f"{type(error).__name__}: {told}" if told else type(error).__name__


def did_you_mean(name: str, valid: Iterable[str]) -> str:
    """End an error about an unknown name: the nearest valid one, or all of them."""
    names = list(valid)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if near:
        return f"did you mean '{near[0]}'?"
    return f"valid: {', '.join(names)}"
