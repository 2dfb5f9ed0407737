"""regard translate: text in, text or JSON lines out, streaming."""

import json
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from regard.cli.lines import Column, Input, on_one_line, open_input
from regard.cli.options import AsJson, Device, Model, NBest, Quiet, Threads, WithAttention, use_threads
from regard.cli.search_options import SearchOptions, with_search
from regard.cli.streaming import Answer, OnBadLine, print_answers
from regard.progress import counted

if TYPE_CHECKING:
    from regard.tasks.translation.document import LineTranslation


@with_search
def translate(
    model: Model,
    given: Input = "-",
    column: Column = "",
    n_best: NBest = 1,
    as_json: AsJson = False,
    attention: WithAttention = False,
    split: Annotated[
        bool, typer.Option("--split", help="Cut lines into sentences, and put them together again.")
    ] = False,
    too_long: Annotated[
        Literal["refuse", "split"],
        typer.Option(help="A line with more tokens than the model takes: refuse it, or cut it."),
    ] = "refuse",
    markup: Annotated[
        bool,
        typer.Option(
            "--markup/--no-markup", help="Keep tags (<b>) and placeholders ({name}, %s, addresses)."
        ),
    ] = True,
    on_bad_line: OnBadLine = "stop",
    device: Device = "cpu",
    threads: Threads = None,
    quiet: Quiet = False,
    *,
    search: SearchOptions,
) -> None:
    """Translate a text, a line at a time. Empty lines stay empty.

    Examples:

      regard translate runs/demo "나는 책을 읽었다."

      echo "나는 책을 읽었다." | regard translate runs/demo

      regard translate runs/demo sentences.txt --json --attention > out.jsonl

      regard translate runs/demo reviews.csv --column text --on-bad-line empty > reviews.en

      regard translate runs/demo page.txt --split --glossary terms.tsv

      regard translate runs/demo sentences.txt --sample --temperature 0.7 --seed 3
    """
    from regard.errors import ConfigError
    from regard.progress import say
    from regard.tasks.translation.document import TextOptions, translate_lines

    use_threads(threads)
    if not as_json and (n_best > 1 or attention):
        raise ConfigError("--n-best and --attention are shown with --json; say --json, or leave them out")
    if split and (search.must or search.prefix):
        raise ConfigError("--must and --prefix are for whole lines, so they do not go with --split; choose")
    source = open_input(given, [column])
    source.check_cells()
    glossary = search.glossary()
    translator = search.open(model, device)
    # A mistake is told before anything is read.
    settings = search.settings(translator, n_best)
    missing = cut_off = 0

    def written(answer: "Answer[LineTranslation]") -> str:
        nonlocal missing, cut_off
        result = answer.result
        missing += bool(result.missing)
        cut_off += not result.ended
        if as_json:
            return json.dumps(result.to_dict(attention=attention), ensure_ascii=False)
        return on_one_line(result.text)

    print_answers(
        source,
        source.lines("one sentence a line", quiet=quiet),
        lambda lines, before: translate_lines(
            translator,
            lines,
            TextOptions(split, too_long, markup),
            n_best=n_best,
            attention=as_json and attention,
            search=settings,
            constraints=search.constraints(),
            glossary=glossary,
            numbered_from=before,
        ),
        written,
        doing="translating",
        on_bad_line=on_bad_line,
        as_json=as_json,
        quiet=quiet,
    )
    if cut_off:
        say(
            f"{counted(cut_off, 'output')} cut off at the maximum length (--max-length-factor, "
            "--max-length-extra); --json has ended: false there",
            quiet=quiet,
        )
    if missing:
        say(
            f"in {counted(missing, 'line')} something that must appear is missing; --json names it",
            quiet=quiet,
        )
