"""regard score: the log-probability of given translations, or texts."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, TypeVar

from regard import api
from regard.cli.lines import BadLine, Source, open_input
from regard.cli.options import Ensemble, Model, argument, with_groups
from regard.cli.streaming import Lines, Read, Streaming, parsed
from regard.errors import ConfigError, DataError

if TYPE_CHECKING:
    from regard.config.data import Corpus, OneCorpus
    from regard.inference.generation import TokenScores
    from regard.tasks.language_model.predictor import LanguageModel
    from regard.tasks.translation.predictor import Translator

T = TypeVar("T")
_CORPORA = ("builtin:", "hub:", "tsv:", "csv:", "jsonl:", "text:", "conllu:", "columns:", "{")


@with_groups
def score(
    model: Model,
    data: Annotated[
        str,
        argument(
            "DATA",
            "A corpus, such as builtin:ko-en:test or pairs.tsv; a text; nothing or - is stdin. A line "
            "is a source, a tab and a target; of a language model, a text.",
        ),
    ] = "-",
    ensemble: Ensemble = None,
    *,
    run: Streaming,
) -> None:
    """Print the log-probability of each translation, or of each text, under a model.

    For each pair: log-probability, its average over the tokens, source, target; tab separated. Of a language
    model, for each text: log-probability, its average over the tokens, the text.

    Examples:

      regard score runs/demo builtin:ko-en:test

      regard score runs/lm-lstm sentences.txt

      regard score runs/lm-lstm "나는 책을 읽었다."

      printf '나는 책을 읽었다.\\tI read the book.\\n' | regard score runs/demo --json
    """
    source = _opened(data)
    opened = api.load(model, *(ensemble or []), device=run.device)

    def show(lines: Lines[T], read: "Read[T, TokenScores]") -> None:
        run.write(source, lines, read, _line, doing="scoring", unit="texts")

    if opened.task == "language-model":
        show(_texts(source, opened, quiet=run.quiet), lambda lines, _: opened.score(filter(None, lines)))
    elif opened.task == "translation":
        show(
            _pairs(source, opened, quiet=run.quiet),
            lambda lines, _: opened.score((*line[1], line[0]) for line in lines if line is not None),
        )
    else:
        raise ConfigError(f"{model}: is a model for {opened.task}, and one that writes is needed here")


def _line(result: "TokenScores") -> str:
    told = "\t".join(" ".join(text.split()) for text in result.texts)
    return f"{result.log_probability:.4f}\t{result.average:.4f}\t{told}"


def _opened(data: str) -> Source:
    """A corpus by the names that a recipe has for one; anything else as every command reads it."""
    from regard.config.data import ENDINGS

    if data.startswith(_CORPORA):
        return Source(data, "corpus")
    source = open_input(data)
    is_corpus = source.kind == "file" and data.lower().removesuffix(".gz").endswith(tuple(ENDINGS))
    return Source(data, "corpus") if is_corpus else source


def _texts(source: Source, model: "LanguageModel", *, quiet: bool) -> Lines[str]:
    """Texts with their places."""
    from regard.config.load import with_settings
    from regard.data.sentences import sentence_column

    if source.kind != "corpus":
        return source.lines("one text a line", quiet=quiet)
    data = with_settings(model.recipe, [("data.test", source.given)]).data
    rows = _rows(data.test, source, lambda part: [sentence_column(part, data)])
    return ((row if isinstance(row, BadLine) else (row[0], row[1][0])) for row in rows)


def _pairs(source: Source, translator: "Translator", *, quiet: bool) -> "Lines[tuple[str, str]]":
    """Sources and targets with their places."""
    from regard.config.load import with_settings

    if source.kind != "corpus":
        return parsed(source.lines("a source, a tab and a target on each line", quiet=quiet), _from_line)
    data = with_settings(translator.recipe, [("data.test", source.given)]).data
    rows = _rows(data.test, source, lambda _: [data.source, data.target])
    return ((row if isinstance(row, BadLine) else (row[0], (row[1][0], row[1][1]))) for row in rows)


def _from_line(line: str, where: str) -> tuple[str, str]:
    cells = line.split("\t")
    if len(cells) != 2:
        raise DataError(
            f"{where}: expected a source and a target with a tab between them, "
            f"found {len(cells)} columns; name a file if it has a header or other columns"
        )
    return cells[0], cells[1]


def _rows(
    corpus: "Corpus | None", source: Source, columns: "Callable[[OneCorpus], list[str]]"
) -> Iterator[tuple[str, list[str]] | BadLine]:
    """The cells of some columns with their places, and the rows that cannot be used."""
    from regard.data.readers import open_rows, parts_of
    from regard.data.rows import BadRow

    if corpus is None:
        raise DataError(f"{source.given}: expected the name of a corpus, found none")
    for part in parts_of(corpus):
        rows = open_rows(part, dict.fromkeys(columns(part), "text"), split="test")
        for row in rows:
            where = f"{rows.name}:{row.number}"
            yield BadLine(where, row.reason) if isinstance(row, BadRow) else (where, [*map(str, row.cells)])
