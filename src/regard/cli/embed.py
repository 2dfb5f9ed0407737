"""regard embed: text in, vectors out, streaming; or the sentences of a file nearest to a question."""

import json
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from regard.cli.lines import BadLine, Column, Input, open_input
from regard.cli.options import AsJson, Device, NBest, Quiet, Threads, use_threads
from regard.cli.streaming import OnBadLine, answers

if TYPE_CHECKING:
    from regard.tasks.embedding.predictor import Embeds
    from regard.tasks.embedding.result import Embedding

_ROWS_AT_ONCE = 512


def embed(
    model: Annotated[
        Path,
        typer.Argument(
            metavar="MODEL",
            help="A folder of sentence-transformers, of a BERT, or of a model that regard trained.",
        ),
    ],
    given: Input = "-",
    column: Column = "",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="A file to make: .npy, .parquet or .jsonl; else JSON lines."
        ),
    ] = None,
    search: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="Find the lines nearest to this text; may be repeated."),
    ] = None,
    n_best: NBest = 5,
    prompt: Annotated[
        str | None, typer.Option(metavar="NAME", help="Write this prompt of the model before each line.")
    ] = None,
    query_prompt: Annotated[
        str | None, typer.Option(metavar="NAME", help="With --search: the prompt before each query.")
    ] = None,
    normalise: Annotated[
        bool, typer.Option("--normalise", help="Vectors of length 1, whatever the model does.")
    ] = False,
    too_long: Annotated[
        Literal["cut", "windows", "refuse"] | None,
        typer.Option(
            help="A line with more tokens than the model reads at once: leave its end out (as models of "
            "sentence-transformers do), read it in windows (as others do), or refuse it."
        ),
    ] = None,
    batch_size: Annotated[
        int, typer.Option(metavar="N", min=1, max=2**16, help="Lines that are read together.")
    ] = 32,
    as_json: AsJson = False,
    attention: Annotated[
        bool, typer.Option("--attention", help="In JSON lines on stdout: add all attention maps.")
    ] = False,
    on_bad_line: OnBadLine = "stop",
    device: Device = "cpu",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Print a vector for each line as JSON, or write them into a file; or search. Empty lines count, too.

    Examples:

      regard embed minilm "A man plays the guitar."

      regard embed minilm sentences.txt --out sentences.npy

      regard embed minilm sentences.txt --search "a man plays the guitar" --n-best 3

      regard embed runs/sentiment reviews.txt --out reviews.parquet
    """
    from regard import api
    from regard.data.vector_files import check_vector_file, json_line, write_vectors
    from regard.errors import ConfigError
    from regard.progress import say, track
    from regard.tasks.embedding.result import LongTexts

    use_threads(threads)
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
    embedder = api.load(model, device=device, task="embedding")
    if getattr(embedder, "is_alone", False):
        say(
            f"{model}: an encoder alone, which says nothing of sentences; a vector is the mean of its words",
            quiet=quiet,
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
        found = answers(source.lines("one text a line", quiet=quiet), read, on_bad_line, quiet=quiet)
        total = source.total()
        for one in track(found, "embedding", unit="lines", total=total, quiet=quiet or source.is_typed):
            if isinstance(one, BadLine):  # read as an empty line, whose vector is written like any other
                yield from read([(one.where, "")])
            else:
                yield long.see(one.result)

    if search:
        _search(embedder, search, results(), n_best=n_best, prompt=query_prompt, as_json=as_json)
    elif out is not None:
        import numpy as np

        found = results()
        parts = (
            ([_facts(one) for one in some], np.stack([one.vector for one in some]))
            for some in iter(lambda: list(islice(found, _ROWS_AT_ONCE)), [])
        )
        count = write_vectors(parts, out, embedder.width)
        say(f"wrote {out}: {count:,} vectors of {embedder.width} numbers", quiet=quiet)
    else:
        for one in results():
            facts = _facts(one)
            if attention:
                facts["attention"] = one.attention.to_dict()
            sys.stdout.write(json_line(facts, one.vector) + "\n")
            if source.is_live:
                sys.stdout.flush()  # whoever wrote the line may wait for this one
        sys.stdout.flush()
    embedder.say_lengths(long, lambda text: say(text, quiet=quiet))


def _facts(one: "Embedding") -> dict[str, Any]:
    return {"source": one.source, "tokens": one.tokens, "cut": one.was_cut}


def _search(
    embedder: "Embeds",
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
            typer.echo(json.dumps(values, ensure_ascii=False))
            continue
        if len(queries) > 1:
            typer.echo(("\n" if number else "") + query)
        for one in found:
            typer.echo(f"{one.cosine:.4f}\t{one.number}\t{one.source}")
