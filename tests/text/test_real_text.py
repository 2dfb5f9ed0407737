"""Lines of real corpora come back, where `REGARD_DATA` names the folder that holds them."""

import gzip
import itertools
import os
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.text.conftest import LOSSLESS_COMBINATIONS, config

from regard.config.text import Kind, Split
from regard.text.tokenizer import Tokenizer

pytestmark = [
    pytest.mark.skipif("REGARD_DATA" not in os.environ, reason="REGARD_DATA names no data folder"),
    pytest.mark.long("text/test_tokenizer.py::test_encode_then_decode_is_the_identity"),
]

COLUMNS = {"ko", "en", "de", "text"}
CORPORA = ["koen", "koen-docs", "multi30k", "nsmc/test"]


def lines(name: str) -> Iterator[str]:
    """The text columns of the tables under a name."""
    folder = Path(os.environ["REGARD_DATA"])
    for path in sorted(folder.glob(f"{name}*.tsv.gz")) + sorted((folder / name).glob("*.tsv.gz")):
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
            header = next(file).rstrip("\n").split("\t")
            wanted = [place for place, column in enumerate(header) if column in COLUMNS]
            for line in file:
                cells = line.rstrip("\n").split("\t")
                yield from (cells[place] for place in wanted)


@pytest.mark.torture
@pytest.mark.parametrize(("kind", "split"), LOSSLESS_COMBINATIONS)
def test_every_line_comes_back(kind: Kind, split: Split, torture: bool) -> None:
    """In the long form, all of them with plain BPE; else as many of each corpus as seconds allow."""
    sample = list(itertools.islice(lines("koen/train"), 4_000))
    tokenizer = Tokenizer.learn(sample, config(kind=kind, split=split, vocabulary_size=4000))
    limit = None if torture and (kind, split) == ("bpe", "none") else 1_000 if split == "morphemes" else 4_000
    for name in CORPORA:
        texts = list(itertools.islice(lines(name), limit))
        assert texts, name
        for text, ids in zip(texts, tokenizer.encode_ids(texts), strict=True):
            wanted = unicodedata.normalize("NFC", text).strip()
            assert tokenizer.decode(ids).text.text == wanted.replace("▁", " "), name
