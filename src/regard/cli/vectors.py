"""regard vectors: Word2Vec; train, save, neighbours."""

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from regard.cli.options import AsJson, NBest, Quiet, argument, option, switch
from regard.progress import counted

app = typer.Typer(help="Train word vectors on text, and find nearest neighbours.", no_args_is_help=True)


class VectorUnit(StrEnum):
    """What gets a vector."""

    WORDS = "words"
    MORPHEMES = "morphemes"
    TOKENS = "tokens"


@app.command()
def train(
    corpus: Annotated[
        str,
        argument(
            "CORPUS", "Plain text, a sentence a line (.txt, .ko, .gz; - is stdin), a table, builtin:ko-en."
        ),
    ],
    out: Annotated[
        Path, option("FILE", "The file to make: .vec or .txt (text), .bin (binary).", "--out", "-o")
    ],
    column: Annotated[str, option("COLUMN", "Which column, where there are several.")] = "",
    unit: Annotated[
        VectorUnit,
        option(
            None, "What gets a vector: words between spaces (eojeol), morphemes, or tokens of a vocabulary."
        ),
    ] = VectorUnit.WORDS,
    tokenizer: Annotated[
        Path | None, option("FILE", "With --unit tokens: a tokenizer.json of a model folder.")
    ] = None,
    size: Annotated[int, option("N", "Width of a vector.", least=1, most=2**16)] = 256,
    window: Annotated[int, option("N", "How far a neighbour may be.", least=1, most=2**16)] = 5,
    epochs: Annotated[int, option("N", "Passes over the text.", least=1)] = 5,
    min_count: Annotated[int, option("N", "What is seen less often gets no vector.", least=1)] = 2,
    negative: Annotated[int, option("N", "Negative samples for each context word.", least=1, most=1000)] = 5,
    sample: Annotated[
        float,
        option("NUMBER", "More frequent words than this share are thinned out; 0 = never.", least=0, most=1),
    ] = 1e-3,
    skip_gram: Annotated[
        bool, switch("Guess neighbours from a word, or the word from them.", "--sg/--cbow")
    ] = True,
    seed: Annotated[int, option("N", "The seed of the random generator.", least=0, most=2**32 - 1)] = 1,
    workers: Annotated[
        int,
        option(
            "N", "Threads to learn with; with several, results differ from run to run.", least=1, most=1024
        ),
    ] = 1,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Train word vectors with Word2Vec, and write them in the format that every other tool opens.

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
    vectors: Annotated[Path, argument("FILE", "A file of word vectors: .vec, .txt, .bin, also with .gz.")],
    word: Annotated[str, argument("WORD", "The word whose nearest neighbours to find.")],
    plus: Annotated[
        list[str] | None, option("WORD", "Add this word; may be repeated.", "--plus", "-p")
    ] = None,
    minus: Annotated[
        list[str] | None, option("WORD", "Take this word away; may be repeated.", "--minus", "-m")
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
