"""regard tag: sentences in, a tag for each word out, streaming."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli.lines import Column, Input, open_input
from regard.cli.options import AsJson, Device, Model, Quiet, Threads, WithAttention, use_threads
from regard.cli.streaming import Answer, Lines, OnBadLine, parsed, print_answers

if TYPE_CHECKING:
    from regard.tasks.tagging.inputs import Given
    from regard.tasks.tagging.result import Tagging


def tag(
    model: Model,
    given: Input = "-",
    column: Column = "",
    words: Annotated[
        bool,
        typer.Option("--words", help='Lines are JSON: a list of words, or {"words": [...]}, as in a .jsonl.'),
    ] = False,
    as_json: AsJson = False,
    attention: WithAttention = False,
    on_bad_line: OnBadLine = "stop",
    device: Device = "cpu",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Print each word and its tag, tab separated, and an empty line after each sentence.

    The words of plain text are what stands between spaces: a tagger that learned punctuation as words of
    their own needs spaces around it.

    Examples:

      regard tag runs/tagger "그 학생이 책을 읽었다 ."

      regard tag runs/tagger sentences.txt --json > out.jsonl
    """
    from regard import api
    from regard.errors import ConfigError
    from regard.tasks.tagging.inputs import words_from_json

    use_threads(threads)
    if attention and not as_json:
        raise ConfigError("--attention is shown with --json; say --json, or leave it out")
    source = open_input(given, [column])
    in_json = words or (source.kind == "file" and not column and _is_json_lines(given))
    source.check_cells(objects=["words"])
    tagger = api.load(model, device=device, task="tagging")
    lines = source.lines("one sentence a line", quiet=quiet)
    sentences: Lines[Given] = parsed(lines, words_from_json) if in_json else lines

    def written(answer: "Answer[Tagging]") -> str:
        result = answer.result
        if not as_json:
            pairs = zip(result.words, result.tags, strict=True)
            return "".join(f"{_one_cell(word)}\t{name}\n" for word, name in pairs)
        values = result.to_dict()
        if not attention:
            del values["attention"]
        return json.dumps(values, ensure_ascii=False)

    print_answers(
        source,
        sentences,
        lambda lines, _: tagger.tag_lines(lines, attention=attention),
        written,
        doing="tagging",
        unit="sentences",
        on_bad_line=on_bad_line,
        as_json=as_json,
        quiet=quiet,
    )


def _is_json_lines(given: str) -> bool:
    from regard.evaluation.outputs import is_json_lines

    return is_json_lines(Path(given))


def _one_cell(word: str) -> str:
    """A word of a list may hold what would end a cell, or the line."""
    return " ".join(word.split())
