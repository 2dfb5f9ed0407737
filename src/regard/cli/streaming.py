"""Lines through a model, a result for each as they come; and what becomes of those that cannot be read."""

import json
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, Protocol, TypeVar

from regard.cli.lines import BadLine, Source
from regard.cli.options import Computing, option, switch
from regard.errors import ConfigError, DataError
from regard.progress import counted, say, track

T = TypeVar("T")
R = TypeVar("R")
Policy = Literal["stop", "skip", "empty"]
Lines = Iterable[tuple[str, T] | BadLine | None]
"""Lines with their places; None where no more is at hand for now."""
Read = Callable[[Iterator[tuple[str, T] | None], int], Iterator[R]]
"""Gives a result for each line; it is also told how many lines there were before them."""


class Told(Protocol):
    """What a model gives for a line."""

    def to_dict(self) -> dict[str, Any]:
        """Its values, as JSON has them."""
        ...


S = TypeVar("S", bound=Told)


@dataclass(frozen=True)
class Streaming(Computing):
    """Options of every command that reads lines and writes a result for each as they come."""

    on_bad_line: Annotated[
        Policy,
        option(
            None,
            "A line that cannot be read: stop there; skip it; or write an empty line in its place, with "
            "--json its error.",
        ),
    ] = "stop"

    def tracked(
        self, source: Source, lines: Lines[T], read: Read[T, R], doing: str, unit: str = "lines"
    ) -> Iterator[R | BadLine]:
        """A result for each line, in their order, and on stderr how far they have come."""
        found = results(lines, read, self.on_bad_line, quiet=self.quiet)
        hushed = self.quiet or source.is_typed
        return track(found, doing, unit=unit, total=source.total(), quiet=hushed)

    def values(self, result: Told) -> dict[str, Any]:
        """A result as JSON has it."""
        return result.to_dict()

    def write(
        self,
        source: Source,
        lines: Lines[T],
        read: Read[T, S],
        plain: Callable[[S], str],
        *,
        doing: str,
        unit: str = "lines",
        values: Callable[[S], dict[str, Any]] | None = None,
        answer: Callable[[str], object] | None = None,
    ) -> None:
        """Write what is read of each line to stdout as it comes.

        plain, values: a result as text, and as JSON has it
        answer:        what takes the lines in the place of stdout
        """
        for one in self.tracked(source, lines, read, doing, unit):
            if not isinstance(one, BadLine):
                text = in_json((values or self.values)(one)) if self.as_json else plain(one)
            else:
                text = in_json({"where": one.where, "error": one.reason}) if self.as_json else ""
            (answer or source.answer)(text)
        sys.stdout.flush()


@dataclass(frozen=True)
class Looking(Streaming):
    """The same of commands that can add attention weights."""

    attention: Annotated[bool, switch("With --json: add the word-level attention.", "--attention")] = False

    def values(self, result: Told) -> dict[str, Any]:
        """A result as JSON has it, with attention weights if they are wanted."""
        values = result.to_dict()
        return {name: value for name, value in values.items() if self.attention or name not in _LOOKED}

    def check_json(self, n_best: int | None = None) -> None:
        """Refuse what JSON alone shows; n_best: of a command that prints the best result alone."""
        if self.as_json or not (self.attention or (n_best or 1) > 1):
            return
        named, them = ("--attention is", "it") if n_best is None else ("--n-best and --attention are", "them")
        raise ConfigError(f"{named} shown with --json; say --json, or leave {them} out")


_LOOKED = ("attention", "looked_at")


def in_json(values: Any) -> str:
    """Values on a line, as every command writes them."""
    return json.dumps(values, ensure_ascii=False)


def parsed(lines: Lines[str], parse: Callable[[str, str], T]) -> Iterator[tuple[str, T] | BadLine | None]:
    """Lines as `parse(text, where)` reads them; one that it refuses is a bad line."""
    for line in lines:
        if not isinstance(line, tuple):
            yield line
            continue
        where, text = line
        try:
            yield where, parse(text, where)
        except DataError as error:
            yield BadLine(where, str(error).removeprefix(f"{where}: "))


def results(lines: Lines[T], read: Read[T, R], on_bad_line: Policy, *, quiet: bool) -> Iterator[R | BadLine]:
    """A result for each line, in their order.

    Those before a bad line come first. Then it ends the stream; or it is told on stderr, and left out or
    given back in its place. What the model refuses is a bad line, too: the lines around it are read again.
    What results note of themselves is told on stderr, unless quiet.
    """
    queue, notes = _Queue(lines), _Notes(quiet=quiet)
    done = bad = 0
    while True:
        try:
            for result in read(queue.good(), done):
                done += 1
                where = queue.waiting.popleft()[0]
                notes.see(where, getattr(result, "notes", ()))
                yield result
        except DataError as error:
            if not queue.refuse(error):
                raise
            continue
        line = queue.next_bad()
        if line is None:
            break
        if on_bad_line == "stop":
            raise DataError(str(line))
        done, bad = done + 1, bad + 1
        say(str(line))
        if on_bad_line == "empty":
            yield line
    notes.end()
    if bad:
        instead = "an empty line, or with --json the error, stands in place of each"
        kept = instead if on_bad_line == "empty" else "skipped"
        say(f"{counted(bad, 'bad line')}: {kept}")


class _Notes:
    """What results note of themselves: each note once, with its place, and how many lines have it, too."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._counts: Counter[str] = Counter()

    def see(self, where: str, notes: Sequence[str]) -> None:
        """Say what was not said before."""
        for note in notes:
            self._counts[note] += 1
            if self._counts[note] == 1:
                say(f"{where}: {note}", quiet=self._quiet)

    def end(self) -> None:
        """Say how many lines more there were."""
        for note, count in self._counts.items():
            if count > 1:
                say(f"{counted(count - 1, 'more line')}: {note}", quiet=self._quiet)


class _Queue(Generic[T]):
    """Lines on their way to a model."""

    def __init__(self, lines: Lines[T]) -> None:
        self._coming = iter(lines)
        self._ahead: deque[tuple[str, T] | BadLine] = deque()
        self._bad: BadLine | None = None
        self._problem: DataError | None = None
        self.waiting: deque[tuple[str, T]] = deque()
        """What the model was given, and has not answered yet."""

    def good(self) -> Iterator[tuple[str, T] | None]:
        """Lines up to the next bad one, which stays; or to the end."""
        while True:
            is_again = bool(self._ahead)
            try:
                line = self._ahead.popleft() if is_again else next(self._coming)
            except StopIteration:
                return
            except DataError as error:  # the rest cannot be read at all
                self._problem = error
                return
            if isinstance(line, BadLine):
                self._bad = line
                return
            if isinstance(line, tuple):
                self.waiting.append(line)
            yield line
            if is_again and not self._ahead:
                yield None  # whoever sent these may wait for their answers

    def refuse(self, error: DataError) -> bool:
        """Make the line that an error names a bad one, and give all that wait once more; False if none is."""
        lines: list[tuple[str, T] | BadLine] = [*self.waiting, *filter(None, [self._bad])]
        for place, (where, _) in enumerate(self.waiting):
            told = str(error).removeprefix(f"{where}: ")
            if told != str(error):
                lines[place] = BadLine(where, told)
                self._ahead.extendleft(reversed(lines))
                self._bad = None
                self.waiting.clear()
                return True
        return False

    def next_bad(self) -> BadLine | None:
        """The bad line that the good ones ended at; None at the end."""
        if self._bad is None and self._problem is not None:
            raise self._problem
        line, self._bad = self._bad, None
        return line
