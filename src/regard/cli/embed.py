"""regard embed: text in, vectors out, streaming; or the sentences of a file nearest to a question."""

import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from regard.cli.lines import count_lines, read_or_stream
from regard.cli.options import AsJson, Device, Quiet, Threads, use_threads

if TYPE_CHECKING:
    from regard.tasks.embedding import Embeds
    from regard.tasks.embedding_result import Embedding

_ROWS_AT_ONCE = 512


def embed(
    model: Annotated[
        Path,
        typer.Argument(
            help="A folder of sentence-transformers, of a BERT, or of a model that regard trained."
        ),
    ],
    file: Annotated[str, typer.Argument(help="Text with one sentence a line, also .gz; - is stdin.")] = "-",
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="A file to make: .npy, .parquet or .jsonl; else JSON lines."),
    ] = None,
    search: Annotated[
        list[str] | None,
        typer.Option(metavar="QUERY", help="Find the lines nearest to this text; may be repeated."),
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="With --search: how many lines to find.")] = 5,
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
    batch: Annotated[int, typer.Option(min=1, max=2**16, help="Lines that are read together.")] = 32,
    as_json: AsJson = False,
    attention: Annotated[
        bool, typer.Option("--attention", help="In JSON lines on stdout: add all attention maps.")
    ] = False,
    device: Device = "cpu",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Print a vector for each line as JSON, or write them into a file; or search. Empty lines count, too.

    Examples:

      echo "나는 책을 읽었다." | regard embed minilm

      regard embed minilm sentences.txt --out sentences.npy

      regard embed minilm sentences.txt --search "a man plays the guitar" --top 3

      regard embed runs/sentiment reviews.txt --out reviews.parquet
    """
    from regard import api
    from regard.data.vector_files import check_vector_file, json_line, write_vectors
    from regard.errors import ConfigError
    from regard.progress import say, track
    from regard.tasks.embedding_result import LongTexts

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
    embedder = api.load(model, device=device, task="embedding")
    if getattr(embedder, "is_alone", False):
        say(
            f"{model}: an encoder alone, which says nothing of sentences; a vector is the mean of its words",
            quiet=quiet,
        )
    if search and prompt is None:
        prompt = embedder.prompt_for("document")
    interactive = file == "-" and sys.stdin.isatty()
    long = LongTexts()

    def results() -> "Iterator[Embedding]":
        lines = embedder.embed_lines(
            read_or_stream(file),
            prompt=prompt,
            normalise=normalise,
            attention=attention,
            batch=batch,
            too_long=too_long,
        )
        total = count_lines(file)
        for one in track(lines, "embedding", unit="lines", total=total, quiet=quiet or interactive):
            yield long.see(one)

    if search:
        _search(embedder, search, results(), top=top, prompt=query_prompt, as_json=as_json)
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
            if file == "-":
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
    top: int,
    prompt: str | None,
    as_json: bool,
) -> None:
    import numpy as np

    from regard.tasks.nearest import nearest

    named = ((f"--search '{query[:30]}'", query) for query in queries)
    prompt = embedder.prompt_for("query") if prompt is None else prompt
    asked = np.stack([one.vector for one in embedder.embed_lines(named, prompt=prompt, too_long="refuse")])
    for number, (query, found) in enumerate(zip(queries, nearest(asked, texts, top=top), strict=True)):
        if as_json:
            values = {"query": query, "found": [one.to_dict() for one in found]}
            typer.echo(json.dumps(values, ensure_ascii=False))
            continue
        if len(queries) > 1:
            typer.echo(("\n" if number else "") + query)
        for one in found:
            typer.echo(f"{one.cosine:.4f}\t{one.number}\t{one.source}")
