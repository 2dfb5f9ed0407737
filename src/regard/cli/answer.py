"""regard answer: a question and a text in, the words of the text that answer it out, streaming."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regard.cli.lines import Columns, Source, open_input
from regard.cli.options import AsJson, Device, Model, NBest, Quiet, Threads, WithAttention, use_threads
from regard.cli.streaming import Answer, OnBadLine, parsed, print_answers

if TYPE_CHECKING:
    from regard.tasks.question_answering.result import Answered

_SHOWN = 40
_TEXTS = ("text", "context", "source")
"""Where the text stands in an object: also as SQuAD, and as `--json`, have it."""


def answer(
    model: Model,
    question: Annotated[
        str,
        typer.Argument(
            metavar="QUESTION",
            help="The question; or, without a text, a file with a question, a tab and a text on each line, "
            "or of JSON lines; also .gz; nothing or - is stdin.",
            show_default=False,
        ),
    ] = "-",
    text: Annotated[str | None, typer.Argument(metavar="TEXT", help="The text that has the answer.")] = None,
    column: Columns = None,
    n_best: NBest = 3,
    as_json: AsJson = False,
    attention: WithAttention = False,
    on_bad_line: OnBadLine = "stop",
    device: Device = "cpu",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Find the answer to a question in a text: its words, and how probable they are.

    Lines give a line each: the best answer, its first character in the text, one after its last, its
    probability, tab separated. Where there is no answer, nothing stands before the first tab. Empty lines
    stay empty.

    Examples:

      regard answer runs/questions "누가 책을 읽었니?" "지수는 책을 읽었다. 민수는 잤다."

      regard answer runs/questions questions.tsv > answers.tsv

      regard answer runs/questions asked.csv --column question --column context > answers.tsv

      regard answer runs/questions questions.jsonl --json --attention > out.jsonl
    """
    from regard import api
    from regard.errors import ConfigError
    from regard.progress import say

    use_threads(threads)
    if attention and not as_json:
        raise ConfigError("--attention is shown with --json; say --json, or leave it out")
    source = None if text is not None else open_input(question, column or ())
    if source is not None and source.kind == "text":
        raise ConfigError(
            f"'{question[:_SHOWN]}': expected a question and a text, or a file of them, found no such file"
        )
    if text is not None and column:
        raise ConfigError("--column is for a table, and a question with its text is given; leave it out")
    if source is not None:
        source.check_cells(2, objects=_TEXTS)
        if source.columns and len(source.columns) != 2:
            raise ConfigError(f"--column is wanted twice, question and text, found {len(source.columns)}")
    answerer = api.load(model, device=device, task="question-answering")
    if source is None:
        found = answerer.answer(question, text or "", n_best=n_best)
        for note in found.notes:
            say(note, quiet=quiet)
        values = _values(found, attention=attention)
        typer.echo(json.dumps(values, ensure_ascii=False) if as_json else _table(found))
        return

    def written(answer: "Answer[Answered]") -> str:
        if not as_json:
            return answer.result.line()
        return json.dumps(_values(answer.result, attention=attention), ensure_ascii=False)

    lines = source.lines("a question, a tab and a text on each line", quiet=quiet)
    print_answers(
        source,
        parsed(lines, _reader(source)),
        lambda rows, _: answerer.answer_rows(rows, n_best=n_best if as_json else 1, attention=attention),
        written,
        doing="answering",
        on_bad_line=on_bad_line,
        as_json=as_json,
        quiet=quiet,
    )


def _reader(source: Source) -> Callable[[str, str], tuple[str, str]]:
    """How a question and a text are read from a line; where no name says it, { begins JSON."""
    from regard.evaluation.outputs import is_json_lines

    if source.columns:
        return _from_line
    if source.kind == "file":
        return _from_json if is_json_lines(Path(source.given)) else _from_line
    return lambda line, where: (_from_json if line.lstrip().startswith("{") else _from_line)(line, where)


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
