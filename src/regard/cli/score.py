"""regard score: how probable a model finds given translations."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli.options import AsJson, Device, Quiet, Threads, use_threads

if TYPE_CHECKING:
    from regard.tasks.translation import Translator


def score(
    model: Annotated[Path, typer.Argument(help="A run folder or a model folder.")],
    pairs: Annotated[
        str,
        typer.Argument(
            help="A corpus, such as builtin:ko-en:test or pairs.tsv; - is stdin: source, tab, target."
        ),
    ] = "-",
    as_json: AsJson = False,
    ensemble: Annotated[
        list[Path] | None, typer.Option(help="Another model of the same vocabulary; may come several times.")
    ] = None,
    device: Device = "cpu",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Print, for each pair: log-probability, its average over the tokens, source, target; tab separated.

    Examples:

      regard score runs/demo builtin:ko-en:test

      printf '나는 책을 읽었다.\\tI read the book.\\n' | regard score runs/demo --json
    """
    from regard import api
    from regard.progress import track

    use_threads(threads)
    translator = api.load(model, *(ensemble or []), device=device, task="translation")
    results = translator.score(_read(pairs, translator))
    for result in track(results, "scoring", unit="pairs", quiet=quiet):
        if as_json:
            typer.echo(json.dumps(result.to_dict(), ensure_ascii=False))
        else:
            texts = "\t".join(" ".join(text.split()) for text in (result.source, result.target))
            typer.echo(f"{result.log_probability:.4f}\t{result.average:.4f}\t{texts}")


def _read(pairs: str, translator: "Translator") -> Iterator[tuple[str, str, str]]:
    """(source, target, `file:line`), one at a time."""
    from regard.config.load import with_settings
    from regard.data.lines import decode_lines
    from regard.data.pairs import read_pairs
    from regard.errors import DataError

    if pairs == "-":
        for where, line in decode_lines(sys.stdin.buffer, "<stdin>"):
            cells = line.split("\t")
            if len(cells) != 2:
                raise DataError(
                    f"{where}: expected a source and a target with a tab between them, "
                    f"found {len(cells)} columns; name a file if it has a header or other columns"
                )
            yield cells[0], cells[1], where
        return
    data = with_settings(translator.recipe, [("data.test", pairs)]).data
    if data.test is None:
        raise DataError(f"{pairs}: expected the name of a corpus, found none")
    for pair in read_pairs(data.test, data, split="test"):
        yield pair.source, pair.target, pair.where
