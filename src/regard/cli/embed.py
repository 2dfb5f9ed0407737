"""regard embed, regard similarity: vectors of texts, the lines nearest to one, and how near pairs are."""

import json
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from regard import api
from regard.cli.lines import BadLine, Column, Input, open_input
from regard.cli.options import Computing, NBest, argument, option, switch, with_groups
from regard.cli.streaming import Streaming, in_json
from regard.errors import ConfigError
from regard.progress import counted, say, track

if TYPE_CHECKING:
    from regard.tasks.embedding.predictor import EmbeddingPredictor
    from regard.tasks.embedding.result import Embedding
    from regard.tasks.embedding.sentence_pairs import SentencePair

_ROWS_AT_ONCE = 512


@with_groups
def embed(
    model: Annotated[
        Path,
        argument("MODEL", "A folder of sentence-transformers, of a BERT, or of a model that regard trained."),
    ],
    given: Input = "-",
    column: Column = "",
    out: Annotated[
        Path | None,
        option("FILE", "A file to make: .npy, .parquet or .jsonl; else JSON lines.", "--out", "-o"),
    ] = None,
    search: Annotated[
        list[str] | None, option("TEXT", "Find the lines nearest to this text; may be repeated.")
    ] = None,
    n_best: NBest = 5,
    prompt: Annotated[str | None, option("NAME", "Write this prompt of the model before each line.")] = None,
    query_prompt: Annotated[
        str | None, option("NAME", "With --search: the prompt before each query.")
    ] = None,
    normalise: Annotated[
        bool, switch("Vectors of length 1, whatever the model does.", "--normalise")
    ] = False,
    too_long: Annotated[
        Literal["cut", "windows", "refuse"] | None,
        option(
            None,
            "A line with more tokens than the model reads at once: leave its end out (as models of "
            "sentence-transformers do), read it in windows (as others do), or refuse it.",
        ),
    ] = None,
    batch_size: Annotated[int, option("N", "Lines in a batch: for speed only.", least=1, most=2**16)] = 32,
    attention: Annotated[
        bool, switch("In JSON lines on stdout: add all attention maps.", "--attention")
    ] = False,
    *,
    run: Streaming,
) -> None:
    """Print a vector for each line as JSON, or write them into a file; or search. Empty lines count, too.

    Examples:

      regard embed minilm "A man plays the guitar."

      regard embed minilm sentences.txt --out sentences.npy

      regard embed minilm sentences.txt --search "a man plays the guitar" --n-best 3

      regard embed runs/sentiment reviews.txt --out reviews.parquet
    """
    from regard.data.vector_files import check_vector_file, json_line, write_vectors
    from regard.tasks.embedding.result import LongTexts

    if out is not None:
        check_vector_file(out)
    if search and (out is not None or attention):
        raise ConfigError("--search prints what it finds; leave out --out and --attention")
    for query in search or ():
        if not query.strip():
            raise ConfigError(f"--search: expected a text to search for, found '{query}'")
    if attention and out is not None:
        raise ConfigError("--attention is for JSON lines on stdout; leave out --out")
    if query_prompt is not None and not search:
        raise ConfigError("--query-prompt is for --search; say what to search for, or leave it out")
    source = open_input(given, [column])
    source.check_cells()
    embedder = api.load(model, device=run.device, task="embedding")
    if getattr(embedder, "is_alone", False):
        say(
            f"{model}: an encoder alone, which says nothing of sentences; a vector is the mean of its words",
            quiet=run.quiet,
        )
    if search and prompt is None:
        prompt = embedder.prompt_for("document")
    long = LongTexts()

    def read(lines: "Iterable[tuple[str, str] | None]", _: int = 0) -> "Iterator[Embedding]":
        return embedder.embed_lines(
            lines,
            prompt=prompt,
            normalise=normalise,
            attention=attention,
            batch_size=batch_size,
            too_long=too_long,
        )

    def results() -> "Iterator[Embedding]":
        for one in run.tracked(source, source.lines("one text a line", quiet=run.quiet), read, "embedding"):
            if isinstance(one, BadLine):  # read as an empty line, whose vector is written like any other
                yield from read([(one.where, "")])
            else:
                yield long.see(one)

    if search:
        _search(embedder, search, results(), n_best=n_best, prompt=query_prompt, as_json=run.as_json)
    elif out is not None:
        import numpy as np

        found = results()
        parts = (
            ([_facts(one) for one in some], np.stack([one.vector for one in some]))
            for some in iter(lambda: list(islice(found, _ROWS_AT_ONCE)), [])
        )
        count = write_vectors(parts, out, embedder.width)
        say(f"wrote {out}: {count:,} vectors of {embedder.width} numbers", quiet=run.quiet)
    else:
        for one in results():
            facts = _facts(one)
            if attention:
                facts["attention"] = one.attention.to_dict()
            source.answer(json_line(facts, one.vector))
        sys.stdout.flush()
    embedder.say_lengths(long, lambda text: say(text, quiet=run.quiet))


def _facts(one: "Embedding") -> dict[str, Any]:
    return {"source": one.source, "tokens": one.tokens, "cut": one.was_cut}


def _search(
    embedder: "EmbeddingPredictor",
    queries: list[str],
    texts: "Iterator[Embedding]",
    *,
    n_best: int,
    prompt: str | None,
    as_json: bool,
) -> None:
    import numpy as np

    from regard.tasks.embedding.nearest import nearest

    named = ((f"--search '{query[:30]}'", query) for query in queries)
    prompt = embedder.prompt_for("query") if prompt is None else prompt
    asked = np.stack([one.vector for one in embedder.embed_lines(named, prompt=prompt, too_long="refuse")])
    for number, (query, found) in enumerate(zip(queries, nearest(asked, texts, n_best=n_best), strict=True)):
        if as_json:
            values = {"query": query, "found": [one.to_dict() for one in found]}
            typer.echo(in_json(values))
            continue
        if len(queries) > 1:
            typer.echo(("\n" if number else "") + query)
        for one in found:
            typer.echo(f"{one.cosine:.4f}\t{one.number}\t{one.source}")


@with_groups
def similarity(
    model: Annotated[Path, argument("MODEL", "A model that embeds: see regard embed.")],
    data: Annotated[str, argument("DATA", "A corpus of pairs, such as sts.tsv.gz or hub:NAME.")],
    text: Annotated[str, option("COLUMN", "The column of the first sentence.")] = "sentence1",
    second: Annotated[str, option("COLUMN", "The column of the second sentence.")] = "sentence2",
    label: Annotated[
        str | None,
        option("COLUMN", "The column of the human scores, a number: print correlations instead."),
    ] = None,
    samples: Annotated[
        int, option("N", "With --label: resampled sets for the intervals; 0 = no intervals.", least=0)
    ] = 1000,
    out: Annotated[
        Path | None, option("FILE", "With --label: a JSON file for the result.", "--out", "-o")
    ] = None,
    *,
    run: Computing,
) -> None:
    """Print how similar two sentences are, pair by pair; or the correlation with a column.

    For each pair: the cosine and the two sentences, tab separated.

    Examples:

      regard similarity minilm pairs.tsv --text question --second answer

      regard similarity minilm stsb/test.tsv.gz --label score
    """
    from regard.cli.tables import print_table
    from regard.config.load import corpus_from_short_form
    from regard.store.atomic import write_file
    from regard.tasks.embedding.result import LongTexts
    from regard.tasks.embedding.sentence_pairs import agreement, read_pairs
    from regard.training.versions import versions

    if out is not None and label is None:
        raise ConfigError("--out is for the correlation with a column; add --label, or leave it out")
    corpus = corpus_from_short_form(data)
    embedder = api.load(model, device=run.device, task="embedding")
    long = LongTexts()

    def pairs() -> "Iterator[SentencePair]":
        found = read_pairs(embedder, corpus, text, second, gold=label)
        for pair in track(found, "comparing", unit="pairs", quiet=run.quiet):
            for one in pair.long:
                long.see(one)
            yield pair
        embedder.say_lengths(long, lambda text: say(text, quiet=run.quiet))

    if label is None:
        for pair in pairs():
            texts = "\t".join(" ".join(text.split()) for text in (pair.first, pair.second))
            typer.echo(in_json(pair.to_dict()) if run.as_json else f"{pair.cosine:.4f}\t{texts}")
        return
    found = agreement(pairs(), samples=samples)
    if run.as_json:
        typer.echo(json.dumps(found.to_dict()))
    else:
        rows = [
            [name, f"{score:.4f}", "{:.4f} to {:.4f}".format(*found.intervals[name]) if samples else ""]
            for name, score in found.scores.items()
        ]
        print_table(["metric", "score", "95 % interval"], rows)
        say(f"{counted(found.pairs, 'pair')}", quiet=run.quiet)
    if out is not None:
        asked = {"kind": "similarity", "format": 1, "model": model.name, "data": data, "gold": label}
        told = {**asked, **found.to_dict(), "samples": samples, "versions": versions()}
        write_file(out, json.dumps(told, indent=1, ensure_ascii=False) + "\n")
        say(f"wrote {out}", quiet=run.quiet)
