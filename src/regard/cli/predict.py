"""regard classify, tag, answer, fill, predict: lines in, a prediction for each out, streaming."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regard import api
from regard.cli.lines import Column, Columns, Input, Source, open_input
from regard.cli.options import Model, NBest, argument, switch, with_groups
from regard.cli.streaming import Lines, Looking, in_json, parsed
from regard.errors import ConfigError, DataError
from regard.progress import counted, say

if TYPE_CHECKING:
    from regard.tasks.masked_lm.result import FillMaskResult
    from regard.tasks.question_answering.result import QuestionAnswer
    from regard.tasks.tagging.inputs import Given
    from regard.tasks.tagging.result import Tagging

_SHOWN = 40
_TEXTS = ("text", "context", "source")
"""Where the text stands in an object: also as SQuAD, and as `--json`, have it."""
_LOOKED_AT = 4
"""Words that are shown, those with the largest attention weights."""


@with_groups
def classify(model: Model, given: Input = "-", column: Columns = None, *, run: Looking) -> None:
    """Print the label of each line and its probability, tab separated. Empty lines stay empty.

    A model that reads pairs takes two texts from a line, with a tab between them. One that says several
    labels writes those that are more probable than not; one that says a number, the number.

    Examples:

      regard classify runs/sentiment "이 책은 아주 좋다."

      regard classify runs/sentiment reviews.txt --json --attention > out.jsonl

      regard classify runs/inference pairs.tsv > labels.tsv

      regard classify runs/inference nli.csv --column premise --column hypothesis > labels.tsv
    """
    run.check_json()
    source = open_input(given, column or ())
    source.check_cells(2)
    classifier = api.load(model, device=run.device, task="classification")
    texts = 2 if classifier.reads_pairs else 1
    source.check_cells(texts)
    if source.columns and len(source.columns) != texts:
        raise ConfigError(
            f"{model}: reads {counted(texts, 'text')} at a time, found {len(source.columns)} as --column"
        )
    awaited = "two texts with a tab between them a line" if texts == 2 else "one text a line"
    run.write(
        source,
        source.lines(awaited, quiet=run.quiet),
        lambda lines, _: classifier.classify_lines(lines, attention=run.attention),
        lambda result: result.line(),
        doing="classifying",
    )


@with_groups
def tag(
    model: Model,
    given: Input = "-",
    column: Column = "",
    words: Annotated[
        bool, switch('Lines are JSON: a list of words, or {"words": [...]}, as in a .jsonl.', "--words")
    ] = False,
    *,
    run: Looking,
) -> None:
    """Print each word and its tag, tab separated, and an empty line after each sentence.

    The words of plain text are what stands between spaces: a tagger that learned punctuation as words of
    their own needs spaces around it.

    Examples:

      regard tag runs/tagger "그 학생이 책을 읽었다 ."

      regard tag runs/tagger sentences.txt --json > out.jsonl
    """
    from regard.tasks.tagging.inputs import words_from_json

    run.check_json()
    source = open_input(given, [column])
    source.check_cells(objects=["words"])
    tagger = api.load(model, device=run.device, task="tagging")
    lines = source.lines("one sentence a line", quiet=run.quiet)
    sentences: Lines[Given] = parsed(lines, words_from_json) if words or source.is_json else lines
    run.write(
        source,
        sentences,
        lambda lines, _: tagger.tag_lines(lines, attention=run.attention),
        _tagged_words,
        doing="tagging",
        unit="sentences",
    )


def _tagged_words(result: "Tagging") -> str:
    pairs = zip(result.words, result.tags, strict=True)
    # A word of a list may hold what would end a cell, or the line.
    return "".join(f"{' '.join(word.split())}\t{name}\n" for word, name in pairs)


@with_groups
def answer(
    model: Model,
    question: Annotated[
        str,
        argument(
            "QUESTION",
            "The question; or, without a text, a file with a question, a tab and a text on each line, "
            "or of JSON lines; also .gz; nothing or - is stdin.",
        ),
    ] = "-",
    text: Annotated[str | None, argument("TEXT", "The text that has the answer.")] = None,
    column: Columns = None,
    n_best: NBest = 3,
    *,
    run: Looking,
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
    run.check_json()
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
    answerer = api.load(model, device=run.device, task="question-answering")
    if source is None:
        found = answerer.answer(question, text or "", n_best=n_best)
        for note in found.notes:
            say(note, quiet=run.quiet)
        typer.echo(in_json(run.values(found)) if run.as_json else _answer_table(found))
        return
    lines = source.lines("a question, a tab and a text on each line", quiet=run.quiet)
    most = n_best if run.as_json else 1
    run.write(
        source,
        parsed(lines, _question_reader(source)),
        lambda rows, _: answerer.answer_rows(rows, n_best=most, attention=run.attention),
        lambda result: result.line(),
        doing="answering",
    )


def _question_reader(source: Source) -> Callable[[str, str], tuple[str, str]]:
    """How a question and a text are read from a line; where no name says it, { begins JSON."""
    if source.columns or source.kind == "file":
        return _from_json if source.is_json else _from_line
    return lambda line, where: (_from_json if line.lstrip().startswith("{") else _from_line)(line, where)


def _from_line(line: str, where: str) -> tuple[str, str]:
    question, tab, text = line.partition("\t")
    if line.strip() and (not tab or "\t" in text):
        raise DataError(
            f"{where}: expected a question and a text with a tab between them, found '{line[:_SHOWN]}'"
        )
    return question, text


def _from_json(line: str, where: str) -> tuple[str, str]:
    if not line.strip():
        return "", ""
    try:
        values: Any = json.loads(line)
    except (ValueError, RecursionError):
        raise DataError(f"{where}: not JSON; expected an object, found {line[:_SHOWN]}") from None
    values = values if isinstance(values, dict) else {}
    question, text = values.get("question"), next((values[key] for key in _TEXTS if key in values), None)
    if not isinstance(question, str) or not isinstance(text, str):
        raise DataError(f'{where}: expected texts under "question" and "text", found {line[:_SHOWN]}')
    return question, text


def _answer_table(found: "QuestionAnswer") -> str:
    from regard.insight.display import visible

    lines = [visible(found.question), visible(found.source), ""]
    for one in found.answers:
        where = f"  characters {one.start} to {one.end}" if one.text else ""
        lines.append(f"{one.probability:7.1%}  {visible(one.text) or '(no answer)'}{where}")
    looked = ", ".join(f"{visible(word)} {weight:.0%}" for word, weight in found.most_looked_at())
    return "\n".join([*lines, *([f"attended in the question to {looked}"] if looked else [])])


@with_groups
def fill(
    model: Annotated[
        Path, argument("MODEL", "A run folder, a model folder, or one that transformers wrote.")
    ],
    given: Input = "-",
    column: Column = "",
    n_best: NBest = 5,
    *,
    run: Looking,
) -> None:
    """Predict the words under [MASK], with their probabilities and what the model attends to.

    A text gives a table; lines give a line each: the filled text, and the words for each mask, tab separated.

    Examples:

      regard fill runs/bert-tiny "나는 [MASK]에 간다."

      regard fill runs/bert-tiny texts.txt --json > out.jsonl

      regard fill models/bert-base-uncased "The [MASK] is red." --n-best 10
    """
    source = open_input(given, [column])
    source.check_cells()
    run.check_json()
    filler = api.load_fill_mask(model, device=run.device)
    if source.text is not None:
        filled = filler.fill(source.text, n_best=n_best)
        typer.echo(in_json(filled.to_dict()) if run.as_json else _filled_table(filled))
        return
    run.write(
        source,
        source.lines(f"one text with {filler.symbol} in it a line", quiet=run.quiet),
        lambda lines, _: filler.fill_lines(lines, n_best=n_best, attention=run.attention),
        _filled_line,
        doing="filling",
        values=lambda result: result.to_dict(),
    )


def _filled_line(filled: "FillMaskResult") -> str:
    words = (
        " ".join(f"{one.word} {one.probability:.4f}" for one in each.candidates) for each in filled.hidden
    )
    return "\t".join([filled.text, *words]) if filled.hidden else ""


def _filled_table(filled: "FillMaskResult") -> str:
    from regard.insight.display import visible

    lines = [visible(filled.source), visible(filled.text)]
    for number, hidden in enumerate(filled.hidden, start=1):
        lines.append("" if len(filled.hidden) == 1 else f"\nmask {number}")
        lines += [f"{one.probability:7.1%}  {visible(one.word)}" for one in hidden.candidates]
        most = sorted(hidden.looked_at, key=lambda seen: -seen[1])[:_LOOKED_AT]
        lines.append("attended to " + ", ".join(f"{visible(word)} {weight:.0%}" for word, weight in most))
    return "\n".join(lines)


@with_groups
def predict(model: Model, given: Input = "-", column: Column = "", *, run: Looking) -> None:
    """Print the prediction of a model of any task for each line, also of a task of your own.

    Shipped tasks have commands with options of their own: classify, tag, fill, embed, answer. A model that
    writes is run by translate or complete. One that reads pairs takes two texts with a tab between them.

    Examples:

      regard predict runs/sentiment "이 책은 아주 좋다."

      regard --plugin keyword.py predict runs/keyword texts.txt --json > out.jsonl
    """
    from regard.inference.predictor import Predictor

    run.check_json()
    source = open_input(given, [column])
    source.check_cells(2)
    predictor = api.load(model, device=run.device)
    if not isinstance(predictor, Predictor):
        verb = "translate" if predictor.task == "translation" else "complete"
        raise ConfigError(f"{model}: is a model for {predictor.task}; run it with regard {verb}")

    def encode(texts: Sequence[str], places: Sequence[str]) -> list[Any]:
        return [predictor.encode_line(text, where) for text, where in zip(texts, places, strict=True)]

    run.write(
        source,
        source.lines("one text a line", quiet=run.quiet),
        lambda lines, _: predictor.predict_lines(
            lines, encode, lambda encoded: predictor.results(encoded, attention=run.attention)
        ),
        lambda result: result.in_words(),
        doing="predicting",
    )
