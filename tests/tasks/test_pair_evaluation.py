"""Vectors of pairs, measured: correlation with scores, or partners that find each other."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr
from tests.tasks.tiny_encoder import write_tiny_encoder

import regard
from regard.errors import DataError
from regard.tasks.embedding.evaluator import EmbeddingEvaluation

PAIRS = [
    ("a b c", "b a c", 4.0), ("d e", "k l", 0.5), ("f g h", "f g", 3.0), ("i", "j k", 1.0),
    ("a b c", "l", 0.0), ("b a c", "h i", 2.0),
]  # fmt: skip


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_encoder(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pairs") / "pairs.tsv"
    rows = "".join(f"{first}\t{second}\t{score}\n" for first, second, score in PAIRS)
    path.write_text(f"sentence1\tsentence2\tscore\n{rows}", encoding="utf-8")
    return path


def test_the_cosines_are_correlated_with_the_scores(tiny: Path, pairs: Path, tmp_path: Path) -> None:
    found = regard.evaluate(tiny, pairs, label="score", samples=10, quiet=True)
    model = regard.load(tiny)
    first, second = (model.embed([pair[side] for pair in PAIRS], normalise=True) for side in (0, 1))
    cosines, scores = (first * second).sum(1), [pair[2] for pair in PAIRS]
    assert found.metrics["spearman"] == pytest.approx(spearmanr(cosines, scores).statistic, abs=1e-6)
    assert found.metrics["pearson"] == pytest.approx(pearsonr(cosines, scores).statistic, abs=1e-5)
    np.testing.assert_allclose([float(text) for text in found.texts], cosines, atol=1e-4)
    assert next(found.sentences())["second"] == "b a c"
    assert (found.best(), found.worst()) == ((), ())  # one cosine alone is neither
    file = tmp_path / "cosines.txt"
    file.write_text("\n".join(map(str, cosines)) + "\n")
    options: dict[str, Any] = {"label": "score", "task": "embedding", "samples": 0, "quiet": True}
    again = regard.evaluate(file, pairs, **options)
    assert again.metrics == pytest.approx(found.metrics, abs=1e-6)
    file.write_text("0.1\n0.2\nx\n0.3\n0.4\n0.5\n")
    with pytest.raises(DataError, match="line 3 of the outputs: expected a number, found 'x'"):
        regard.evaluate(file, pairs, **options)
    with pytest.raises(DataError, match="a file of cosines is measured against scores, and none are named"):
        regard.evaluate(file, pairs, **{**options, "label": ""})


@pytest.mark.parametrize(
    ("rows", "label", "message"),
    [
        (["a b\tb a\t3"], "", "found 1 in 1 pair; give more rows"),
        (["a b\tb a\t3", "c\tb a\t1"], "", "expected two different second texts or more .* in 2 pairs"),
        (["a b\tb a\t3"], "score", "expected pairs whose scores differ, found 1 pair, all with 3"),
        (["a b\tb a\t3", "c d\te\t3.0"], "score", "found 2 pairs, all with 3"),
    ],
)
def test_a_test_set_that_tells_nothing_is_refused(
    tiny: Path, tmp_path: Path, rows: list[str], label: str, message: str
) -> None:
    path = tmp_path / "few.tsv"
    path.write_text("\n".join(["sentence1\tsentence2\tscore", *rows]) + "\n")
    with pytest.raises(DataError, match=message):
        regard.evaluate(tiny, path, label=label, samples=0, quiet=True)
    if label:
        outputs = tmp_path / "cosines.txt"
        outputs.write_text("0.1\n" * len(rows))
        with pytest.raises(DataError, match=message):
            regard.evaluate(outputs, path, label=label, task="embedding", samples=0, quiet=True)


def test_without_scores_partners_find_each_other(tiny: Path, pairs: Path) -> None:
    found = regard.evaluate(tiny, pairs, samples=0, quiet=True)
    assert list(found.metrics) == ["retrieval", "mrr"]
    assert isinstance(found, EmbeddingEvaluation)
    near = regard.load(tiny).similarity
    ranks = []
    for first, second, _ in PAIRS:
        right = {pair[1] for pair in PAIRS if pair[0] == first}
        others = {pair[1] for pair in PAIRS} - right - {first}
        partner = near(first, second).cosine
        ranks.append(1 + sum(near(first, other).cosine > partner for other in others))
    assert found.ranks == tuple(ranks)
    assert len({*ranks}) > 1, "not all partners are as near"
    assert found.metrics["retrieval"] == pytest.approx(ranks.count(1) / len(ranks))
    assert found.metrics["mrr"] == pytest.approx(sum(1 / rank for rank in ranks) / len(ranks))
    only = regard.evaluate(tiny, pairs, metrics=["mrr"], samples=0, quiet=True)
    assert only.metrics == {"mrr": found.metrics["mrr"]}
