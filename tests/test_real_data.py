"""Real corpora, where `REGARD_DATA` names the folder that holds them."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from tests.conftest import Run

from regard.config.data import ConlluCorpus, DataConfig, TsvCorpus
from regard.config.text import BpeConfig
from regard.data.pairs import read_pairs
from regard.data.readers import open_rows
from regard.data.rows import BadRows
from regard.tasks.translation.examples import pair_corpus

pytestmark = pytest.mark.skipif("REGARD_DATA" not in os.environ, reason="REGARD_DATA names no data folder")


def corpus(name: str) -> TsvCorpus:
    return TsvCorpus(path=f"$REGARD_DATA/{name}.tsv.gz")


@pytest.mark.parametrize(
    ("name", "source", "target", "rows"),
    [
        ("multi30k/train", "de", "en", 29_000),
        ("koen/train", "ko", "en", 37_950),
        ("koen-docs/dev", "ko", "en", 1_470),
    ],
)
def test_every_row_can_be_read(name: str, source: str, target: str, rows: int) -> None:
    pairs = list(read_pairs(corpus(name), DataConfig(source=source, target=target), split="train"))
    assert len(pairs) == rows


@pytest.mark.long("data/test_batching.py::test_like_lengths_meet")
def test_little_of_a_multi30k_batch_is_padding() -> None:
    data = DataConfig(source="de", target="en", train=corpus("multi30k/train"))
    _, _, pairs = pair_corpus(data, BpeConfig(), quiet=True)
    rows = [pairs[row] for row in range(29_000)]
    lengths = np.array([(len(pair.source) + 1, len(pair.target) + 1) for pair in rows])
    batches = list(pairs.plan(budget=1024, seed=1, epoch=0))
    assert sorted(row for batch in batches for row in batch) == list(range(29_000))
    padded = sum(len(batch) * lengths[batch].max(axis=0).sum() for batch in batches)
    assert 1 - lengths.sum() / padded < 0.10


@pytest.mark.parametrize(
    ("name", "rows"),
    [("ko_gsd/train", 4_400), ("ko_kaist/dev", 2_066), ("ko_pud/test", 1_000), ("en_ewt/train", 12_544)],
)
def test_every_sentence_of_a_treebank_can_be_read(name: str, rows: int) -> None:
    corpus = ConlluCorpus(path=f"$REGARD_DATA/pos/{name}.conllu.gz")
    read = list(BadRows(None).good(open_rows(corpus, {"words": "words", "tags": "words"})))
    assert len(read) == rows


def test_filters_on_a_real_column() -> None:
    path = "$REGARD_DATA/koen/train.tsv.gz"
    without = open_rows(TsvCorpus(path=path, filter=("source != bible",)), {"ko": "text", "en": "text"})
    assert len(list(without)) == 37_950 - 27_315


@pytest.mark.long("cli/test_commands.py::test_data_without_a_test_set_is_not_scored_on_another")
def test_a_data_folder_by_its_columns(run: Run, tmp_path: Path) -> None:
    """The commands of the readme on a real folder, cut to a few seconds of training."""
    small = ["model.embedding_size=16", "model.encoder.hidden_size=16", "model.decoder.hidden_size=16"]
    small += ["model.attention.hidden_size=16", "training.epochs=1", "text.vocabulary_size=1000"]
    small += ["data.train=$REGARD_DATA/multi30k/dev.tsv.gz", "data.dev.path=$REGARD_DATA/multi30k/dev.tsv.gz"]
    settings = [argument for setting in small for argument in ("--set", setting)]
    names = ["--source", "de", "--target", "en"]
    done = run(
        "train", "bahdanau", "--data", "$REGARD_DATA/multi30k", *names, "--out", tmp_path / "r", *settings
    )
    assert done.returncode == 0, done.stderr
    scored = run("evaluate", tmp_path / "r", "--json", "--beam-size", "1")
    assert json.loads(scored.stdout)["rows"] == 1000  # the folder's test set
    other = run("evaluate", tmp_path / "r", Path(os.environ["REGARD_DATA"]) / "koen" / "dev.tsv.gz")
    assert other.returncode == 2
    assert "no column is called 'de'; valid: source, ko, en" in other.stderr
