"""From the sentences of a corpus, cut into the units that get a vector, to a file of word vectors."""

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from importlib import metadata
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from regard.config.data import STDIN, OneCorpus
from regard.config.vectors import Word2VecConfig
from regard.data.cache import corpus_facts
from regard.data.lines import file_path
from regard.data.readers import open_rows
from regard.data.rows import BadRows
from regard.doctor.inputs import inputs_of, paths_of
from regard.doctor.raw import guess_lines
from regard.errors import ConfigError, DataError, StoreError
from regard.progress import track
from regard.store.atomic import check_writable, write_file
from regard.text.korean import NO_DICTIONARY, split_morphemes
from regard.text.prepare import normalised
from regard.text.tokenizer import Tokenizer
from regard.text.words import split_words
from regard.vectors.files import is_binary, write_vectors
from regard.vectors.word2vec import check_gensim, learn_vectors
from regard.version import __version__

Unit = Literal["words", "morphemes", "tokens"]
"""Words between spaces (in Korean, eojeol), with punctuation apart; these cut at the borders of morphemes;
or pieces of a model's vocabulary."""

Cut = Callable[[Sequence[str]], Iterable[list[str]]]
"""The units of each of some texts."""

_TEXTS_AT_ONCE = 2048


def cutter(unit: Unit, tokenizer: Path | None = None) -> Cut:
    """What cuts texts into units.

    tokenizer: for pieces, a tokenizer.json of a model folder
    """
    if (unit == "tokens") != (tokenizer is not None):
        raise ConfigError("tokens are those of a vocabulary: say --unit tokens --tokenizer FILE, or neither")
    if tokenizer is not None:
        return _pieces(tokenizer)
    if unit == "morphemes":
        return lambda texts: split_morphemes([text.text for text in normalised(texts)], NO_DICTIONARY)
    return lambda texts: [split_words(text.text) for text in normalised(texts)]


def _pieces(path: Path) -> Cut:
    try:
        tokenizer = Tokenizer.from_json(path.read_text(encoding="utf-8"), str(path))
    except UnicodeDecodeError:
        raise DataError(f"{path}: expected a tokenizer.json of a model folder, found no text") from None
    except OSError as error:
        raise DataError(f"{path}: expected a tokenizer.json of a model folder: {error.strerror}") from None
    return lambda texts: (
        [piece for piece in encoding.pieces if not any(map(str.isspace, piece))]
        for encoding in tokenizer.encode_many(texts)
    )


def find_column(corpus: str, column: str = "") -> tuple[OneCorpus, str]:
    """A corpus as the command line names it, and its column; without a name, the only one that there is."""
    if corpus != STDIN and ":" not in corpus and file_path(corpus).is_dir():
        raise DataError(f"{corpus}: expected a file of text, found a folder")
    (one,) = inputs_of([f"text:{STDIN}" if corpus == STDIN else corpus], one_side=True)
    if column:
        return one.corpus, column
    rows = open_rows(one.corpus)
    if len(rows.columns) != 1:
        raise DataError(f"{rows.name}: which column? say --column, one of {', '.join(rows.columns)}")
    return one.corpus, rows.columns[0]


class CutSentences:
    """Sentences in units, cut once and kept in a passing file: however many, they take no memory."""

    def __init__(self, texts: Iterable[str], cut: Cut) -> None:
        self._file = tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n")  # noqa: SIM115
        self.units = 0
        """In all sentences."""
        self._count = 0
        try:
            self._fill(iter(texts), cut)
        except OSError as error:
            raise DataError(
                f"{tempfile.gettempdir()}: the words cannot be kept there: {error.strerror}; "
                f"TMPDIR names another place"
            ) from None
        except BaseException:
            self.close()
            raise

    def _fill(self, texts: Iterator[str], cut: Cut) -> None:
        while batch := list(islice(texts, _TEXTS_AT_ONCE)):
            for sentence in filter(None, cut(batch)):
                self._file.write(" ".join(sentence) + "\n")
                self._count, self.units = self._count + 1, self.units + len(sentence)
        self._file.flush()

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[list[str]]:
        self._file.seek(0)
        for line in self._file:
            yield line.rstrip("\n").split(" ")

    def close(self) -> None:
        """Forget them."""
        self._file.close()


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
