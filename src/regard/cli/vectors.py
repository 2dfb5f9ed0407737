"""regard vectors: Word2Vec; train, save, neighbours."""

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from regard.cli.options import AsJson, NBest, Quiet
from regard.progress import counted

app = typer.Typer(help="Learn word vectors from text, and look for near words.", no_args_is_help=True)


class VectorUnit(StrEnum):
    """What gets a vector."""

    WORDS = "words"
    MORPHEMES = "morphemes"
    TOKENS = "tokens"


@app.command()
def train(
    corpus: Annotated[
        str,
        typer.Argument(
            metavar="CORPUS",
            help="Plain text, a sentence a line (.txt, .ko, .gz; - is stdin), a table, builtin:ko-en.",
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", metavar="FILE", help="The file to make: .vec or .txt (text), .bin (binary)."
        ),
    ],
    column: Annotated[
        str, typer.Option(metavar="COLUMN", help="Which column, where there are several.")
    ] = "",
    unit: Annotated[
        VectorUnit,
        typer.Option(
            help="What gets a vector: words between spaces (eojeol), morphemes, or tokens of a vocabulary."
        ),
    ] = VectorUnit.WORDS,
    tokenizer: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="With --unit tokens: a tokenizer.json of a model folder."),
    ] = None,
    size: Annotated[int, typer.Option(metavar="N", min=1, max=2**16, help="Width of a vector.")] = 256,
    window: Annotated[
        int, typer.Option(metavar="N", min=1, max=2**16, help="How far a neighbour may be.")
    ] = 5,
    epochs: Annotated[int, typer.Option(metavar="N", min=1, help="Passes over the text.")] = 5,
    min_count: Annotated[
        int, typer.Option(metavar="N", min=1, help="What is seen less often gets no vector.")
    ] = 2,
    negative: Annotated[
        int, typer.Option(metavar="N", min=1, max=1000, help="Negative samples for each context word.")
    ] = 5,
    sample: Annotated[
        float,
        typer.Option(
            metavar="NUMBER",
            min=0,
            max=1,
            help="More frequent words than this share are thinned out; 0 = never.",
        ),
    ] = 1e-3,
    skip_gram: Annotated[
        bool, typer.Option("--sg/--cbow", help="Guess neighbours from a word, or the word from them.")
    ] = True,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, max=2**32 - 1, help="The seed of the random generator.")
    ] = 1,
    workers: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            max=1024,
            help="Threads to learn with; with several, results differ from run to run.",
        ),
    ] = 1,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Learn word vectors with Word2Vec, and write them in the format that every other tool opens.

    A file beside it, with .json at its end, says how they were made.

    Examples:

      regard vectors train news.txt.gz --out ko.vec

      regard vectors train corpora/koen/train.tsv.gz --column ko --unit morphemes --size 128 --out ko.bin

      regard vectors train builtin:ko-en --column ko --size 64 --out world.vec
    """
    from regard.config.vectors import Word2VecConfig
    from regard.vectors.make import make_vectors

    made = make_vectors(
        corpus,
        out,
        column=column,
        unit=unit.value,
        tokenizer=tokenizer,
        config=Word2VecConfig(
            method="skip_gram" if skip_gram else "cbow",
            window=window,
            epochs=epochs,
            min_count=min_count,
            negative=negative,
            sample=sample,
        ),
        size=size,
        seed=seed,
        threads=workers,
        quiet=quiet,
    )
    if as_json:
        typer.echo(json.dumps(made.to_dict(), ensure_ascii=False))
        return
    typer.echo(
        f"{made.path}: {counted(made.words, 'word')}, width {made.size}; "
        f"from {counted(made.units, unit.value[:-1])} in {counted(made.sentences, 'sentence')}"
    )


@app.command()
def similar(
    vectors: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file of word vectors: .vec, .txt, .bin, also with .gz.")
    ],
    word: Annotated[str, typer.Argument(metavar="WORD", help="The word to look near.")],
    plus: Annotated[
        list[str] | None, typer.Option("--plus", "-p", metavar="WORD", help="Add this word; may be repeated.")
    ] = None,
    minus: Annotated[
        list[str] | None,
        typer.Option("--minus", "-m", metavar="WORD", help="Take this word away; may be repeated."),
    ] = None,
    n_best: NBest = 10,
    as_json: AsJson = False,
) -> None:
    """Print the words that are nearest to a word, by cosine; or to a sum of words, as in an analogy.

    Examples:

      regard vectors similar ko.vec 학교

      regard vectors similar ko.vec 왕 --minus 남자 --plus 여자 -n 5 --json
    """
    from regard.cli.tables import print_table
    from regard.vectors.files import read_vectors

    near = read_vectors(vectors).similar([word, *(plus or [])], minus or [], n_best=n_best)
    if as_json:
        asked = {"plus": [word, *(plus or [])], "minus": minus or []}
        found = [{"word": each.word, "similarity": each.similarity} for each in near]
        typer.echo(json.dumps({**asked, "similar": found}, ensure_ascii=False))
        return
    print_table(["word", "cosine"], [[each.word, f"{each.similarity:.4f}"] for each in near])
