"""regard similarity: how near pairs of sentences are, and how far that agrees with what people say."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli.options import AsJson, Device, Quiet, Threads, use_threads
from regard.progress import counted

if TYPE_CHECKING:
    from regard.tasks.embedding.sentence_pairs import SentencePair


def similarity(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A model that embeds: see regard embed.")],
    data: Annotated[
        str, typer.Argument(metavar="DATA", help="A corpus of pairs, such as sts.tsv.gz or hub:NAME.")
    ],
    text: Annotated[
        str, typer.Option(metavar="COLUMN", help="The column of the first sentence.")
    ] = "sentence1",
    second: Annotated[
        str, typer.Option(metavar="COLUMN", help="The column of the second sentence.")
    ] = "sentence2",
    label: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN", help="The column of what people say, a number: print correlations instead."
        ),
    ] = None,
    samples: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, help="With --label: resampled sets for the intervals; 0 = no intervals."
        ),
    ] = 1000,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="With --label: a JSON file for the result."),
    ] = None,
    as_json: AsJson = False,
    device: Device = "cpu",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Print how similar two sentences are, pair by pair; or the correlation with a column.

    For each pair: the cosine and the two sentences, tab separated.

    Examples:

      regard similarity minilm pairs.tsv --text question --second answer

      regard similarity minilm stsb/test.tsv.gz --label score
    """
    from regard import api
    from regard.cli.tables import print_table
    from regard.config.load import corpus_from_short_form
    from regard.errors import ConfigError
    from regard.progress import say, track
    from regard.store.atomic import write_file
    from regard.tasks.embedding.result import LongTexts
    from regard.tasks.embedding.sentence_pairs import agreement, read_pairs
    from regard.training.versions import versions

    use_threads(threads)
    if out is not None and label is None:
        raise ConfigError("--out is for the correlation with a column; add --label, or leave it out")
    corpus = corpus_from_short_form(data)
    embedder = api.load(model, device=device, task="embedding")
    long = LongTexts()

    def pairs() -> "Iterator[SentencePair]":
        found = read_pairs(embedder, corpus, text, second, gold=label)
        for pair in track(found, "comparing", unit="pairs", quiet=quiet):
            for one in pair.long:
                long.see(one)
            yield pair
        embedder.say_lengths(long, lambda text: say(text, quiet=quiet))

    if label is None:
        for pair in pairs():
            texts = "\t".join(" ".join(text.split()) for text in (pair.first, pair.second))
            typer.echo(
                json.dumps(pair.to_dict(), ensure_ascii=False) if as_json else f"{pair.cosine:.4f}\t{texts}"
            )
        return
    found = agreement(pairs(), samples=samples)
    if as_json:
        typer.echo(json.dumps(found.to_dict()))
    else:
        rows = [
            [name, f"{score:.4f}", "{:.4f} to {:.4f}".format(*found.intervals[name]) if samples else ""]
            for name, score in found.scores.items()
        ]
        print_table(["metric", "score", "95 % interval"], rows)
        say(f"{counted(found.pairs, 'pair')}", quiet=quiet)
    if out is not None:
        asked = {"kind": "similarity", "format": 1, "model": model.name, "data": data, "gold": label}
        told = {**asked, **found.to_dict(), "samples": samples, "versions": versions()}
        write_file(out, json.dumps(told, indent=1, ensure_ascii=False) + "\n")
        say(f"wrote {out}", quiet=quiet)
