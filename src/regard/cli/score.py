"""regard score: the log-probability of given translations, or texts."""

from typing import TYPE_CHECKING, Annotated, TypeVar

from regard import api
from regard.cli.lines import BadLine, Source
from regard.cli.options import Ensemble, Model, argument, with_groups
from regard.cli.pairs import corpus_rows, open_corpus, pair_lines, test_corpus
from regard.cli.streaming import Lines, Read, Streaming
from regard.errors import ConfigError
from regard.progress import warnings_said

if TYPE_CHECKING:
    from regard.inference.generation import TokenScores
    from regard.tasks.language_model.predictor import LanguageModel

T = TypeVar("T")


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
    source = open_corpus(data)
    with warnings_said(quiet=run.quiet):
        opened = api.load(model, *(ensemble or []), device=run.device)

    def show(lines: Lines[T], read: "Read[T, TokenScores]") -> None:
        run.write(source, lines, read, _line, doing="scoring", unit="texts")

    if opened.task == "language-model":
        show(_texts(source, opened, quiet=run.quiet), lambda lines, _: opened.score(filter(None, lines)))
    elif opened.task == "translation":
        show(
            pair_lines(source, opened, quiet=run.quiet),
            lambda lines, _: opened.score((*line[1], line[0]) for line in lines if line is not None),
        )
    else:
        raise ConfigError(f"{model}: is a model for {opened.task}, and one that writes is needed here")


def _line(result: "TokenScores") -> str:
    told = "\t".join(" ".join(text.split()) for text in result.texts)
    return f"{result.log_probability:.4f}\t{result.average:.4f}\t{told}"


def _texts(source: Source, model: "LanguageModel", *, quiet: bool) -> Lines[str]:
    """Texts with their places."""
    from regard.config.load import with_settings
    from regard.data.sentences import sentence_column

    if source.kind != "corpus":
        return source.lines("one text a line", quiet=quiet)
    data = with_settings(model.recipe, [test_corpus(source)]).data
    rows = corpus_rows(data.test, source, lambda part: [sentence_column(part, data)])
    return ((row if isinstance(row, BadLine) else (row[0], row[1][0])) for row in rows)
