"""regard translate, regard complete: text in, text or JSON lines out, streaming."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

from regard import api
from regard.cli.alarm_options import Checking
from regard.cli.align_options import LinkedOutput
from regard.cli.lines import Column, Input, on_one_line, open_input
from regard.cli.options import Model, NBest, option, switch, with_groups
from regard.cli.search_options import Search, TranslationSearch
from regard.cli.streaming import Looking
from regard.errors import ConfigError
from regard.progress import counted, say, warnings_said

if TYPE_CHECKING:
    from regard.analysis.checked_lines import CheckedLine
    from regard.inference.generation import Completion
    from regard.tasks.translation.document import LineTranslation


@with_groups
def translate(
    model: Model,
    given: Input = "-",
    column: Column = "",
    n_best: NBest = 1,
    split: Annotated[
        bool, switch("Cut lines into sentences, and put them together again.", "--split")
    ] = False,
    too_long: Annotated[
        Literal["refuse", "split"],
        option(None, "A line with more tokens than the model takes: refuse it, or cut it."),
    ] = "refuse",
    markup: Annotated[bool, switch("Keep tags (<b>) and placeholders ({name}, %s, addresses).")] = True,
    *,
    run: Looking,
    linked: LinkedOutput,
    alarms: Checking,
    search: TranslationSearch,
) -> None:
    """Translate a text, a line at a time. Empty lines stay empty.

    Examples:

      regard translate runs/demo "나는 책을 읽었다."

      echo "나는 책을 읽었다." | regard translate runs/demo

      regard translate runs/demo sentences.txt --json --attention > out.jsonl

      regard translate runs/demo reviews.csv --column text --on-bad-line empty > reviews.en

      regard translate runs/demo page.txt --split --glossary terms.tsv

      regard translate runs/demo sentences.txt --sample --temperature 0.7 --seed 3

      regard translate runs/demo sentences.txt --alignment > aligned.txt

      regard translate runs/demo sentences.txt --check --flagged flagged.tsv > sentences.en
    """
    from regard.tasks.translation.document import TextOptions, translate_lines

    run.check_json(n_best)
    linked.refuse()
    alarms.refuse([given, str(model), *map(str, filter(None, [search.glossary, *(search.ensemble or ())]))])
    if split and (search.must or search.prefix):
        raise ConfigError("--must and --prefix are for whole lines, so they do not go with --split; choose")
    source = open_input(given, [column])
    source.check_cells()
    glossary, options = search.read_glossary(), TextOptions(split, too_long, markup)
    with warnings_said(quiet=run.quiet):
        translator = api.load(model, *(search.ensemble or ()), device=run.device, task="translation")
    # A mistake is told before anything is read.
    linked.check(translator)
    settings, constraints = search.settings(translator, n_best), search.constraints(search.prefix)
    checker = alarms.checker(translator, [model, *(search.ensemble or ())], quiet=run.quiet)
    missing = cut_off = 0

    def translated(lines: "Iterator[tuple[str, str] | None]", before: int) -> "Iterator[LineTranslation]":
        return translate_lines(
            translator,
            lines,
            options,
            n_best=n_best,
            attention=run.attention or ("alignment" if linked.alignment else False),
            search=settings,
            constraints=constraints,
            glossary=glossary,
            numbered_from=before,
        )

    def read(
        lines: "Iterator[tuple[str, str] | None]", before: int
    ) -> "Iterator[LineTranslation | CheckedLine]":
        nonlocal missing, cut_off
        found = checker.check(lines, before, translated) if checker else translated(lines, before)
        for result in found:
            missing += bool(result.missing)
            cut_off += not result.ended
            yield result

    run.write(
        source,
        source.lines("one sentence a line", quiet=run.quiet),
        read,
        lambda result: (
            on_one_line(result.text) + linked.told(result.line) + (checker.told(result) if checker else "")
        ),
        doing="translating",
        values=lambda result: {**result.to_dict(attention=run.attention), **linked.values(result.line)},
    )
    if checker:
        checker.end(quiet=run.quiet)
    if cut_off:
        say(
            f"{counted(cut_off, 'output')} cut off at the maximum length (--max-length-factor, "
            "--max-length-extra); --json has ended: false there",
            quiet=run.quiet,
        )
    _say_missing(missing, quiet=run.quiet)


@with_groups
def complete(
    model: Model,
    given: Input = "-",
    column: Column = "",
    n_best: NBest = 1,
    *,
    run: Looking,
    search: Search,
) -> None:
    """Complete a prompt, a line at a time. An empty line is an empty prompt.

    Examples:

      regard complete runs/lm-lstm "나는 어제"

      regard complete runs/lm-lstm "나는" --sample --temperature 0.8 --top-p 0.9 --seed 3

      regard complete runs/lm-lstm beginnings.txt --json --attention > out.jsonl
    """
    run.check_json(n_best)
    source = open_input(given, [column])
    source.check_cells()
    opened = api.load(model, device=run.device, task="language-model")
    # A mistake is told before anything is read.
    settings, constraints = search.settings(opened, n_best), search.constraints()
    missing = 0

    def read(lines: "Iterator[tuple[str, str] | None]", before: int) -> "Iterator[Completion]":
        nonlocal missing
        for result in opened.complete_lines(
            lines,
            n_best=n_best,
            attention=run.attention,
            search=settings,
            constraints=constraints,
            numbered_from=before,
        ):
            missing += bool(result.missing)
            yield result

    run.write(
        source,
        source.lines("one beginning of a text a line", quiet=run.quiet),
        read,
        lambda result: on_one_line(result.text),
        doing="completing",
    )
    _say_missing(missing, quiet=run.quiet)


def _say_missing(lines: int, *, quiet: bool) -> None:
    if lines:
        say(
            f"in {counted(lines, 'line')} something that must appear is missing; --json names it", quiet=quiet
        )
