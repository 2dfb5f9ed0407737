"""regard translate: text in, text or JSON lines out, streaming."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from regard.cli.options import Beam, Device, Quiet, Threads, use_threads

if TYPE_CHECKING:
    from regard.config.decoding import DecodingChanges


def translate(
    model: Annotated[Path, typer.Argument(help="A run folder or a model folder.")],
    file: Annotated[str, typer.Argument(help="Text with one sentence a line, also .gz; - is stdin.")] = "-",
    beam: Beam = None,
    n_best: Annotated[int, typer.Option(min=1, max=256, help="Translations a sentence (with --json).")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object a line.")] = False,
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
    ensemble: Annotated[
        list[Path] | None, typer.Option("--with", help="Another model to translate together with; repeat.")
    ] = None,
    glossary: Annotated[
        Path | None, typer.Option(help="Term pairs that must be kept to: a file of two columns (tab).")
    ] = None,
    prefix: Annotated[str, typer.Option(help="What every translation begins with.")] = "",
    must: Annotated[
        list[str] | None, typer.Option(help="A word or phrase that must appear; repeat for more.")
    ] = None,
    must_not: Annotated[
        list[str] | None, typer.Option(help="A word or phrase that must not appear; repeat for more.")
    ] = None,
    length_penalty: Annotated[
        Literal["average", "gnmt"] | None, typer.Option(help="What log-probabilities are divided by.")
    ] = None,
    length_alpha: Annotated[float | None, typer.Option(help="Exponent of the length penalty.")] = None,
    coverage: Annotated[
        float | None, typer.Option(help="Cost of source words that were hardly looked at; 0 is off.")
    ] = None,
    groups: Annotated[int | None, typer.Option(help="Groups of a diverse beam.")] = None,
    diversity: Annotated[float | None, typer.Option(help="How far the groups keep apart.")] = None,
    min_length: Annotated[int | None, typer.Option(help="Fewest tokens of a translation.")] = None,
    no_repeat_ngram: Annotated[
        int | None, typer.Option(help="No run of so many tokens is written twice; 0 is off.")
    ] = None,
    sample: Annotated[
        bool, typer.Option("--sample", help="Draw words by their probability instead of searching.")
    ] = False,
    temperature: Annotated[float | None, typer.Option(help="With --sample: below 1 is more sure.")] = None,
    top_k: Annotated[int | None, typer.Option(help="With --sample: only the k most probable words.")] = None,
    top_p: Annotated[
        float | None, typer.Option(help="With --sample: the fewest words with this probability together.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="With --sample: another seed draws other words.")] = None,
    replace_unknown: Annotated[
        bool | None,
        typer.Option(
            "--replace-unknown/--no-replace-unknown",
            help="Write the source word that was looked at in place of an unknown one; "
            "by default for models with a vocabulary of words.",
        ),
    ] = None,
    device: Device = "cpu",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Translate a text, a line at a time. Empty lines stay empty.

    Examples:

      echo "나는 책을 읽었다." | regard translate runs/demo

      regard translate runs/demo sentences.txt --json --attention > out.jsonl

      regard translate runs/demo page.txt --split --glossary terms.tsv

      regard translate runs/demo sentences.txt --sample --temperature 0.7 --seed 3
    """
    from regard import api
    from regard.progress import say, track
    from regard.tasks.constraints import Constraints
    from regard.tasks.document import LINES_AT_ONCE, TextOptions, translate_lines
    from regard.tasks.glossary import Glossary

    use_threads(threads)
    terms = Glossary.read(glossary) if glossary is not None else None
    translator = api.load(model, *(ensemble or []), device=device)
    if replace_unknown is None and translator.recipe.text.kind == "word":
        replace_unknown = bool(translator.network.cross_attention)
    changes: DecodingChanges = {
        "beam_size": beam,
        "length_penalty": length_penalty,
        "length_alpha": length_alpha,
        "coverage_beta": coverage,
        "beam_groups": groups,
        "diversity": diversity,
        "min_length": min_length,
        "no_repeat_ngram": no_repeat_ngram,
        "sample": sample or None,
        "temperature": temperature,
        "top_k": top_k,
        "top_p": top_p,
        "seed": seed,
        "replace_unknown": replace_unknown,
    }
    translator.search_settings(n_best=n_best, **changes)  # a mistake is told before anything is read
    interactive = file == "-" and sys.stdin.isatty()
    results = translate_lines(
        translator,
        _lines(file),
        TextOptions(split, too_long, markup),
        n_best=n_best,
        attention=as_json and attention,
        constraints=Constraints(prefix, must or (), must_not or ()),
        glossary=terms,
        lines_at_once=1 if interactive else LINES_AT_ONCE,
        **changes,
    )
    missing = 0
    for result in track(results, "translating", unit="lines", total=_count(file), quiet=quiet or interactive):
        missing += bool(result.missing)
        values = (
            json.dumps(result.to_dict(attention=attention), ensure_ascii=False) if as_json else result.text
        )
        sys.stdout.write(values + "\n")
        if interactive:
            sys.stdout.flush()
    sys.stdout.flush()
    if missing:
        say(f"in {missing:,} lines something that must appear is missing; --json names it", quiet=quiet)


def _lines(file: str) -> Iterator[tuple[str, str]]:
    from regard.data.lines import decode_lines, read_lines

    return decode_lines(sys.stdin.buffer, "<stdin>") if file == "-" else read_lines(Path(file))


def _count(file: str) -> int | None:
    """How many lines there will be, where that is soon known."""
    path = Path(file)
    if file == "-" or path.suffix == ".gz" or not path.is_file():
        return None
    with path.open("rb") as opened:
        return sum(block.count(b"\n") for block in iter(lambda: opened.read(1 << 20), b""))
