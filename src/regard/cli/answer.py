"""regard answer: a question and a text in, the words of the text that answer it out, streaming."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regard.cli.lines import count_lines, is_there, read_or_stream
from regard.cli.options import AsJson, Device, Quiet, Threads, use_threads

if TYPE_CHECKING:
    from regard.tasks.span_result import Answered

_SHOWN = 40
_TEXTS = ("text", "context", "source")
"""Where the text stands in an object: also as SQuAD, and as `--json`, have it."""


def answer(
    model: Annotated[Path, typer.Argument(help="A run folder or a model folder.")],
    question: Annotated[
        str,
        typer.Argument(
            help="The question; or, without a text, a file with a question, a tab and a text on each line, "
            "or of JSON lines; also .gz; - is stdin."
        ),
    ] = "-",
    text: Annotated[str | None, typer.Argument(help="The text that has the answer.")] = None,
    top: Annotated[int, typer.Option("--top", "-n", min=1, help="How many answers; lines have one.")] = 3,
    as_json: AsJson = False,
    attention: Annotated[
        bool, typer.Option("--attention", help="With --json: add the word-level attention.")
    ] = False,
    device: Device = "cpu",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Find the answer to a question in a text: words that stand there, and how probable they are.

    Lines give a line each: the answer, its first character in the text, one after its last, its probability,
    tab separated. Nothing stands before the first tab where there is no answer. Empty lines stay empty.

    Examples:

      regard answer runs/questions "누가 책을 읽었니?" "지수는 책을 읽었다. 민수는 잤다."

      regard answer runs/questions questions.tsv > answers.tsv

      regard answer runs/questions questions.jsonl --json --attention > out.jsonl
    """
    from regard import api
    from regard.errors import ConfigError
    from regard.progress import say, track
    from regard.tasks.outputs import is_json_lines

    use_threads(threads)
    if attention and not as_json:
        raise ConfigError("--attention is shown with --json; say --json, or leave it out")
    if text is None and question != "-" and not is_there(question):
        raise ConfigError(
            f"'{question[:_SHOWN]}': expected a question and a text, or a file of them, found no such file"
        )
    answerer = api.load(model, device=device, task="question-answering")
    if text is not None:
        found = answerer.answer(question, text, top=top)
        for note in found.notes:
            say(note, quiet=quiet)
        values = _values(found, attention=attention)
        typer.echo(json.dumps(values, ensure_ascii=False) if as_json else _table(found))
        return
    interactive = question == "-" and sys.stdin.isatty()
    in_json = question != "-" and is_json_lines(Path(question))
    results = answerer.answer_rows(_rows(question, in_json), top=top if as_json else 1, attention=attention)
    total = count_lines(question)
    tracked = track(results, "answering", unit="lines", total=total, quiet=quiet or interactive)
    for number, result in enumerate(tracked, start=1):
        for note in result.notes:
            say(f"line {number}: {note}", quiet=quiet)
        values = _values(result, attention=attention)
        line = json.dumps(values, ensure_ascii=False) if as_json else result.line()
        sys.stdout.write(line + "\n")
        if question == "-":
            sys.stdout.flush()  # whoever wrote the line may wait for this one
    sys.stdout.flush()


def _rows(file: str, in_json: bool) -> Iterator[tuple[str, tuple[str, str]] | None]:
    """Questions and texts with their places; on stdin a line that begins with { is JSON."""
    for line in read_or_stream(file):
        if line is None:
            yield None
            continue
        where, content = line
        is_object = in_json or (file == "-" and content.lstrip().startswith("{"))
        yield where, _from_json(content, where) if is_object else _from_line(content, where)


def _from_line(line: str, where: str) -> tuple[str, str]:
    from regard.errors import DataError

    question, tab, text = line.partition("\t")
    if line.strip() and (not tab or "\t" in text):
        raise DataError(
            f"{where}: expected a question and a text with a tab between them, found '{line[:_SHOWN]}'"
        )
    return question, text


def _from_json(line: str, where: str) -> tuple[str, str]:
    from regard.errors import DataError

    if not line.strip():
        return "", ""
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        raise DataError(f"{where}: not JSON; expected an object, found {line[:_SHOWN]}") from None
    values = values if isinstance(values, dict) else {}
    question, text = values.get("question"), next((values[key] for key in _TEXTS if key in values), None)
    if not isinstance(question, str) or not isinstance(text, str):
        raise DataError(f'{where}: expected texts under "question" and "text", found {line[:_SHOWN]}')
    return question, text


def _values(found: "Answered", *, attention: bool) -> dict[str, Any]:
    values = found.to_dict()
    if not attention:
        del values["attention"]
        del values["looked_at"]
    return values


def _table(found: "Answered") -> str:
    from regard.insight.labels import visible

    lines = [visible(found.question), visible(found.source), ""]
    for one in found.answers:
        where = f"  characters {one.start} to {one.end}" if one.text else ""
        lines.append(f"{one.probability:7.1%}  {visible(one.text) or '(no answer)'}{where}")
    looked = ", ".join(f"{visible(word)} {weight:.0%}" for word, weight in found.most_looked_at())
    return "\n".join([*lines, *([f"looked in the question at {looked}"] if looked else [])])
