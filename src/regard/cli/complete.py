"""regard complete: the beginning of a text in, the whole of it out, streaming."""

import json
from typing import TYPE_CHECKING

from regard.cli.lines import Column, Input, on_one_line, open_input
from regard.cli.options import AsJson, Device, Model, NBest, Quiet, Threads, WithAttention, use_threads
from regard.cli.search_options import SearchOptions, with_search_from_nothing
from regard.cli.streaming import Answer, OnBadLine, print_answers
from regard.progress import counted

if TYPE_CHECKING:
    from regard.inference.generation import Completion


@with_search_from_nothing
def complete(
    model: Model,
    given: Input = "-",
    column: Column = "",
    n_best: NBest = 1,
    as_json: AsJson = False,
    attention: WithAttention = False,
    on_bad_line: OnBadLine = "stop",
    device: Device = "cpu",
    threads: Threads = None,
    quiet: Quiet = False,
    *,
    search: SearchOptions,
) -> None:
    """Continue the beginning of a text, a line at a time. After an empty line, a text from its beginning.

    Examples:

      regard complete runs/lm-lstm "나는 어제"

      regard complete runs/lm-lstm "나는" --sample --temperature 0.8 --top-p 0.9 --seed 3

      regard complete runs/lm-lstm beginnings.txt --json --attention > out.jsonl
    """
    from regard import api
    from regard.errors import ConfigError
    from regard.progress import say

    use_threads(threads)
    if not as_json and (n_best > 1 or attention):
        raise ConfigError("--n-best and --attention are shown with --json; say --json, or leave them out")
    source = open_input(given, [column])
    source.check_cells()
    opened = api.load(model, device=device, task="language-model")
    # A mistake is told before anything is read.
    settings, constraints = search.settings(opened, n_best), search.constraints()
    missing = 0

    def written(answer: "Answer[Completion]") -> str:
        nonlocal missing
        result = answer.result
        missing += bool(result.missing)
        if not as_json:
            return on_one_line(result.text)
        values = result.to_dict()
        if not attention:
            del values["attention"]
        return json.dumps(values, ensure_ascii=False)

    print_answers(
        source,
        source.lines("one beginning of a text a line", quiet=quiet),
        lambda lines, before: opened.complete_lines(
            lines,
            n_best=n_best,
            attention=attention,
            search=settings,
            constraints=constraints,
            numbered_from=before,
        ),
        written,
        doing="completing",
        on_bad_line=on_bad_line,
        as_json=as_json,
        quiet=quiet,
    )
    if missing:
        say(
            f"in {counted(missing, 'line')} something that must appear is missing; --json names it",
            quiet=quiet,
        )
