"""The points of the curves: of the size they say, and with the operations that are really done."""

from pathlib import Path
from typing import Any

import pytest
import torch
from bench.demand import search_operations, search_reads, step_operations
from bench.growth_figure import draw_growth
from bench.job import Transformer
from bench.sides.growing import Point, decoding, opening, training
from bench.synthetic import write_corpus
from torch.utils.flop_counter import FlopCounterMode

NETWORK = Transformer(width=8, heads=2, feed_forward=12, encoder_layers=2, decoder_layers=1)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path / "cache"))


def added_in_place(total: Any, one: Any, other: Any, **_: Any) -> int:
    """A product that torch does not count by itself; shapes are given."""
    return 2 * int(one[0] * one[1] * other[1])


def attended(query: Any, keys: Any, values: Any, *_: Any, **__: Any) -> int:
    """The two products of torch's fused attention on a CPU, (b, h, q, d) and (b, h, k, d), likewise."""
    return 2 * int(query[0] * query[1] * query[2] * keys[2] * (query[3] + values[3]))


def laid_out(x: Any, weights: Any, *_: Any, **__: Any) -> int:
    """A product with weights that were laid out, (…, i) and (o, i), likewise."""
    return 2 * int(torch.Size(x).numel() * weights[0])


def counted(point: Point) -> tuple[dict[str, int], int]:
    """What a point says of itself, and the operations that torch counts."""
    facts, work = training(point) if point.work == "training" else decoding(point)
    uncounted = {
        torch.ops.aten.addmm_: added_in_place,
        torch.ops.aten._scaled_dot_product_flash_attention_for_cpu: attended,
        torch.ops.mkldnn._linear_pointwise: laid_out,
    }
    with FlopCounterMode(display=False, custom_mapping=uncounted) as counter:
        told = work()
    return {**facts, **told}, counter.get_total_flops()


def test_a_training_step_demands_what_it_does() -> None:
    point = Point("training", NETWORK, length=5, batch=3, vocabulary=300)
    told, operations = counted(point)
    assert told == {"vocabulary": 300, "tokens": 3 * 6}  # </s> is written, too
    assert operations == step_operations(point)


def test_a_search_demands_what_it_does() -> None:
    point = Point("decoding", NETWORK, length=9, batch=3, vocabulary=300, beam=1)
    told, operations = counted(point)
    assert told == {"vocabulary": 300, "tokens": 3 * 9}
    assert operations == search_operations(point)


def test_a_search_reads_weights_and_what_was_written() -> None:
    network = Transformer(width=2, heads=1, feed_forward=3, encoder_layers=5, decoder_layers=1)
    point = Point("decoding", network, length=3, batch=10, vocabulary=100, beam=4)
    weights = 3 * (6 * 4 + 2 * 2 * 3 + 2 * 100)  # of three steps
    own = 10 * 4 * (1 + 2 + 3) * 2 * 2  # each hypothesis: keys and values of its words so far, two wide
    source = 10 * 3 * 3 * 2 * 2  # each sentence, at every step
    assert search_reads(point) == 4 * (weights + own + source)


def test_a_corpus_is_opened_and_planned(tmp_path: Path) -> None:
    corpus = tmp_path / "rows.tsv"
    write_corpus(corpus, rows=50, length=6, vocabulary=300, spread=2)
    sides = [side.split() for line in corpus.read_text().splitlines()[1:] for side in line.split("\t")]
    assert {len(side) for side in sides} == {4, 5, 6, 7, 8}
    assert len({word for side in sides for word in side}) == 296
    _, work = opening(Point("opening", NETWORK, vocabulary=300, corpus=str(corpus)))
    assert work() == {"batches": 1}


def test_curves_are_drawn(tmp_path: Path) -> None:
    curve = {"values": [1, 2], "seconds": [0.1, 0.3], "memory": [5e6, 6e6], "demanded": [1, 2]}
    named = [{**curve, "axis": "length", "work": "training"}, {**curve, "axis": "rows", "work": "opening"}]
    draw_growth(named, tmp_path / "growth.svg")
    assert "sentence length" in (tmp_path / "growth.svg").read_text()
