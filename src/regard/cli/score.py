"""regard score: how probable a model finds given translations, or texts."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli.options import AsJson, Device, Quiet, Threads, use_threads

if TYPE_CHECKING:
    from regard.tasks.language import LanguageModel
    from regard.tasks.translation import Translator


def score(
    model: Annotated[Path, typer.Argument(help="A run folder or a model folder.")],
    pairs: Annotated[
        str,
        typer.Argument(
            help="A corpus, such as builtin:ko-en:test or pairs.tsv; - is stdin: source, tab, target; of a "
            "language model a text a line."
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

    Of a language model, for each text: log-probability, its average over the tokens, the text.

    Examples:

      regard score runs/demo builtin:ko-en:test

      regard score runs/lm-lstm sentences.txt

      printf '나는 책을 읽었다.\\tI read the book.\\n' | regard score runs/demo --json
    """
    from regard import api
    from regard.errors import ConfigError
    from regard.progress import track
    from regard.tasks.language import LanguageModel
    from regard.tasks.result import TokenScores
    from regard.tasks.translation import Translator

    use_threads(threads)
    opened = api.load(model, *(ensemble or []), device=device)
    results: Iterator[TokenScores]
    if isinstance(opened, LanguageModel):
        results = opened.score(_read_texts(pairs, opened))
    elif isinstance(opened, Translator):
        results = opened.score(_read(pairs, opened))
    else:
        raise ConfigError(f"{model}: is a model for {opened.task}, and one that writes is needed here")
    for result in track(results, "scoring", unit="texts", quiet=quiet):
        if as_json:
            typer.echo(json.dumps(result.to_dict(), ensure_ascii=False))
        else:
            told = "\t".join(" ".join(text.split()) for text in result.texts)
            typer.echo(f"{result.log_probability:.4f}\t{result.average:.4f}\t{told}")


def _read_texts(texts: str, model: "LanguageModel") -> Iterator[tuple[str, str]]:
    """(`file:line`, text), one at a time."""
    from regard.config.load import with_settings
    from regard.data.lines import decode_lines
    from regard.data.sentences import read_sentences
    from regard.errors import DataError

    if texts == "-":
        yield from decode_lines(sys.stdin.buffer, "<stdin>")
        return
    data = with_settings(model.recipe, [("data.test", texts)]).data
    if data.test is None:
        raise DataError(f"{texts}: expected the name of a corpus, found none")
    for row in read_sentences(data.test, data, split="test"):
        yield row.where, row.source


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
    for pair in read_pairs(data.test, data, split="test", links=False):
        yield pair.source, pair.target, pair.where
