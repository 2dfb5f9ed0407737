"""regard classify: text in, labels or JSON lines out, streaming."""

import json
from typing import TYPE_CHECKING

from regard.cli.lines import Columns, Input, open_input
from regard.cli.options import AsJson, Device, Model, Quiet, Threads, WithAttention, use_threads
from regard.cli.streaming import Answer, OnBadLine, print_answers

if TYPE_CHECKING:
    from regard.tasks.classification.result import Classification


def classify(
    model: Model,
    given: Input = "-",
    column: Columns = None,
    as_json: AsJson = False,
    attention: WithAttention = False,
    on_bad_line: OnBadLine = "stop",
    device: Device = "cpu",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Print the label of each line and its probability, tab separated. Empty lines stay empty.

    A model that reads pairs takes two texts from a line, with a tab between them. One that says several
    labels writes those that are more probable than not; one that says a number, the number.

    Examples:

      regard classify runs/sentiment "이 책은 아주 좋다."

      regard classify runs/sentiment reviews.txt --json --attention > out.jsonl

      regard classify runs/inference pairs.tsv > labels.tsv

      regard classify runs/inference nli.csv --column premise --column hypothesis > labels.tsv
    """
    from regard import api
    from regard.errors import ConfigError
    from regard.progress import counted

    use_threads(threads)
    if attention and not as_json:
        raise ConfigError("--attention is shown with --json; say --json, or leave it out")
    source = open_input(given, column or ())
    source.check_cells(2)
    classifier = api.load(model, device=device, task="classification")
    texts = 2 if classifier.reads_pairs else 1
    source.check_cells(texts)
    if source.columns and len(source.columns) != texts:
        raise ConfigError(
            f"{model}: reads {counted(texts, 'text')} at a time, found {len(source.columns)} as --column"
        )

    def written(answer: "Answer[Classification]") -> str:
        if not as_json:
            return answer.result.line()
        values = answer.result.to_dict()
        if not attention:
            del values["attention"]
        return json.dumps(values, ensure_ascii=False)

    print_answers(
        source,
        source.lines(
            "two texts with a tab between them a line" if texts == 2 else "one text a line", quiet=quiet
        ),
        lambda lines, _: classifier.classify_lines(lines, attention=attention),
        written,
        doing="classifying",
        on_bad_line=on_bad_line,
        as_json=as_json,
        quiet=quiet,
    )
