"""From a corpus to a file of word vectors, and beside it how it was made."""

import hashlib
import json
from contextlib import closing
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from regard.config.vectors import Word2VecConfig
from regard.data.bad_rows import BadRows
from regard.data.cache import corpus_facts
from regard.data.lines import file_path
from regard.data.readers import open_rows
from regard.doctor.inputs import paths_of
from regard.doctor.raw import guess_lines
from regard.errors import StoreError
from regard.progress import track
from regard.store.atomic import check_writable, write_file
from regard.vectors.files import is_binary, write_vectors
from regard.vectors.sentences import CutSentences, Unit, cutter, find_column
from regard.vectors.word2vec import check_gensim, learn_vectors
from regard.version import __version__


@dataclass(frozen=True)
class Made:
    """What was made."""

    path: Path
    words: int
    """With a vector."""
    size: int
    sentences: int
    units: int
    """Words, morphemes or pieces in the sentences."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {**asdict(self), "path": str(self.path)}


def make_vectors(
    corpus: str,
    out: Path,
    *,
    column: str = "",
    unit: Unit = "words",
    tokenizer: Path | None = None,
    config: Word2VecConfig | None = None,
    size: int = 256,
    seed: int = 1,
    threads: int = 1,
    quiet: bool = False,
) -> Made:
    """Learn the vectors of a corpus, and write them to `out`; `out`.json beside it says how they were made.

    corpus:    plain text, a sentence a line; or whatever else a recipe may name, in its short form
    column:    which one to read, where there are several
    unit:      what gets a vector
    tokenizer: whose pieces, with unit "tokens"
    """
    config = config or Word2VecConfig()
    check_gensim()
    is_binary(out, compressed=False)
    if out.is_dir():
        raise StoreError(f"{out}: expected the name of a file, found a folder")
    check_writable(out.absolute().parent)
    cut = cutter(unit, tokenizer)
    section, column = find_column(corpus, column)
    paths = [file_path(written) for written in paths_of(section)]
    if any(out.resolve() == path.resolve() for path in paths):
        raise StoreError(f"{out}: is the corpus itself; choose another name for the vectors")
    rows = open_rows(section, {column: "text"})
    texts = (str(row.cells[0]) for row in BadRows(None).good(rows))
    total = next((guess_lines(path) for path in paths if path.is_file()), None)
    tracked = track(texts, f"reading {rows.name}", unit="sentences", total=total, quiet=quiet)
    with closing(CutSentences(tracked, cut)) as sentences:
        vectors = learn_vectors(
            sentences, config, size=size, seed=seed, name=rows.name, threads=threads, quiet=quiet
        )
        content = write_vectors(out, vectors)
        facts = {
            "regard": __version__,
            "gensim": metadata.version("gensim"),
            **corpus_facts(section, "train", {column: "text"}),
            "unit": unit,
            "tokenizer": str(tokenizer) if tokenizer else None,
            "sentences": len(sentences),
            "units": sentences.units,
            "words": len(vectors),
            "size": size,
            "seed": seed,
            "threads": threads,
            "word2vec": config.model_dump(mode="json"),
            "file": {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()},
        }
        write_file(out.with_name(f"{out.name}.json"), json.dumps(facts, indent=2, ensure_ascii=False) + "\n")
        return Made(out, len(vectors), size, len(sentences), sentences.units)
