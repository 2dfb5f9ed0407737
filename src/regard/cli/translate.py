"""regard translate: text in, text or JSON lines out, streaming."""

import json
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from regard.cli.lines import count_lines, on_one_line, read_or_stream
from regard.cli.options import AsJson, Device, Quiet, Threads, use_threads
from regard.cli.search_options import SearchOptions, with_search
from regard.progress import counted


@with_search
def translate(
    model: Annotated[Path, typer.Argument(help="A run folder or a model folder.")],
    file: Annotated[str, typer.Argument(help="Text with one sentence a line, also .gz; - is stdin.")] = "-",
    n_best: Annotated[int, typer.Option(min=1, max=256, help="Translations a sentence (with --json).")] = 1,
    as_json: AsJson = False,
    attention: Annotated[
        bool, typer.Option("--attention", help="With --json: add the word-level attention.")
    ] = False,
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
    device: Device = "cpu",
    threads: Threads = None,
    quiet: Quiet = False,
    *,
    search: SearchOptions,
) -> None:
    """Translate a text, a line at a time. Empty lines stay empty.

    Examples:

      echo "나는 책을 읽었다." | regard translate runs/demo

      regard translate runs/demo sentences.txt --json --attention > out.jsonl

      regard translate runs/demo page.txt --split --glossary terms.tsv

      regard translate runs/demo sentences.txt --sample --temperature 0.7 --seed 3
    """
    from regard.errors import ConfigError
    from regard.progress import say, track
    from regard.tasks.document import TextOptions, translate_lines

    use_threads(threads)
    if not as_json and (n_best > 1 or attention):
        raise ConfigError("--n-best and --attention are shown with --json; say --json, or leave them out")
    if split and (search.must or search.prefix):
        raise ConfigError("--must and --prefix are for whole lines, so they do not go with --split; choose")
    glossary = search.glossary()
    translator = search.open(model, device)
    # A mistake is told before anything is read.
    settings = search.settings(translator, n_best)
    interactive = file == "-" and sys.stdin.isatty()
    results = translate_lines(
        translator,
        read_or_stream(file),
        TextOptions(split, too_long, markup),
        n_best=n_best,
        attention=as_json and attention,
        search=settings,
        constraints=search.constraints(),
        glossary=glossary,
    )
    missing = cut_off = 0
    for result in track(
        results, "translating", unit="lines", total=count_lines(file), quiet=quiet or interactive
    ):
        missing += bool(result.missing)
        cut_off += not result.ended
        values = result.to_dict(attention=attention) if as_json else None
        line = json.dumps(values, ensure_ascii=False) if as_json else on_one_line(result.text)
        sys.stdout.write(line + "\n")
        if file == "-":
            sys.stdout.flush()  # whoever wrote the line may wait for this one
    sys.stdout.flush()
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
