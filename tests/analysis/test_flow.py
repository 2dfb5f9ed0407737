"""Attention of an outcome: by hand on given weights, and by networkx."""

from typing import Any, ClassVar

import networkx
import numpy as np
import pytest
import torch
from tests.analysis.families import EVERY, TARGET, TEXT, family
from tests.examples import cells

from regard.analysis.causes import outcome_of
from regard.analysis.flow import Sights, Sublayers
from regard.insight.token_axis import TokenAxis
from regard.metrics.statistics import Floats
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.trace import Trace


class Reader:
    """Two words, read by two layers of self-attention; the outcome is made of the first."""

    sides = (TokenAxis("a b", ("a", "b"), ((0, 1), (2, 3)), ()),)
    sites: ClassVar[dict[str, AttentionSpec]] = {
        "low": AttentionSpec("encoder-self", 0),
        "high": AttentionSpec("encoder-self", 1),
    }
    main = ("encoder-self",)

    def rows(self, site: AttentionSpec, count: int) -> list[int]:
        del site, count
        return [0]


LOW, HIGH = np.array([[1.0, 0.0], [0.4, 0.6]]), np.array([[0.2, 0.8], [0.5, 0.5]])


def test_rollout_and_flow_by_hand() -> None:
    """0.5 A + 0.5 I is [[1, 0], [.2, .8]] and [[.6, .4], [.25, .75]]; the first row of their product is
    [.6 + .4 · .2, .4 · .8]. To a, all of .6 flows, and of .4 what .2 lets through; to b, of .4 all: .8 is
    wider."""
    layers = Sublayers(Reader(), {"low": LOW, "high": HIGH}, writes=False)  # type: ignore[arg-type]
    np.testing.assert_allclose(layers.rollout(), [0.68, 0.32])
    np.testing.assert_allclose(layers.flow(), [0.8, 0.4], atol=1e-6)


@pytest.mark.parametrize("name", ["label:bert-first", "label:bert-mean", "translation:transformer"])
def test_flow_is_that_of_networkx(name: str) -> None:
    own = family(name)
    outcome = outcome_of(own.model, own.text, **own.options)
    layers = Sights(outcome).sublayers()
    graph, size = networkx.DiGraph(), layers.read
    below = "read"
    for site, weights in layers.of_kinds("encoder-self"):
        _layer(graph, f"encoder{site.layer}", below, below, weights)
        below = f"encoder{site.layer}"
    top = below
    if layers.writes:
        top = "written"
        for number, (site, weights) in enumerate(layers.of_kinds("decoder-self", "cross")):
            keys = top if site.kind == "decoder-self" else below
            _layer(graph, f"decoder{number}", top, keys, weights)
            top = f"decoder{number}"
        rows = range(len(TARGET.split()) + 1)
    else:
        rows = range(1) if name == "label:bert-first" else range(size)
    for row in rows:
        graph.add_edge("output", (top, row), capacity=1 / len(rows))
    expected = [networkx.maximum_flow_value(graph, "output", ("read", n)) for n in range(size)]
    np.testing.assert_allclose(layers.flow(), expected, atol=1e-4)


def _layer(graph: networkx.DiGraph, name: str, own: str, keys: str, weights: Floats) -> None:
    """Half of each state is from its own place, half from what it attends to."""
    for row, values in enumerate(weights):
        edges = [((keys, column), 0.5 * value) for column, value in enumerate(values)]
        for end, value in [*edges, ((own, row), 0.5)]:
            old = graph.get_edge_data((name, row), end, {"capacity": 0.0})["capacity"]
            graph.add_edge((name, row), end, capacity=old + value)


@cells(
    "name",
    EVERY,
    quick=["translation:transformer", "label:self-attentive", "label:lstmn-last", "tag:bert-mean-crf"],
)
def test_attention_is_that_of_the_word_map(name: str) -> None:
    """The mean over the rows of the outcome; of a whole translation and of hops, over all rows."""
    own = family(name)
    found = own.model.causes(own.text, by="attention", **own.options)
    method = found.method("attention")
    if method.reason is not None:
        return
    assert np.nanmin(method.values) >= 0
    task = own.model.task
    if task == "translation":
        shown = own.model.look(TEXT, TARGET).attention.words()
        np.testing.assert_allclose(method.values, shown.weights.mean(axis=0), atol=1e-6)
    if name.startswith("label:") and "second" not in own.options:
        record = own.model.look(TEXT).attention
        rows = record.words().weights
        first = name == "label:bert-first"
        np.testing.assert_allclose(method.values, rows[0] if first else rows.mean(axis=0), atol=1e-6)
    if task == "tagging" and "bert" in name:
        rows = own.model.look(TEXT).attention.words().weights
        np.testing.assert_allclose(method.values, rows[own.options["word"] + 1], atol=1e-6)


def test_norms_are_those_of_the_vectors_that_are_added() -> None:
    """‖Σ_h α_ij W_O v_j‖, with the vectors of each head made one by one; of one head, ‖α_j h_j‖."""
    own = family("translation:transformer")
    outcome = outcome_of(own.model, TEXT, target=TARGET)
    trace = Trace(outcome.network, inputs=True)
    outcome.forward(trace)
    for sight in Sights(outcome).every:
        (kept,) = trace.kept[sight.path]
        assert kept.asked is not None
        output: Any = outcome.network.get_submodule(sight.path).output
        heads, size = kept.weights.shape[1], kept.asked.values.shape[-1]
        for row, column in ((0, 0), (2, 1)):
            summed = torch.zeros(output.weight.shape[0], dtype=torch.float64)
            for head in range(heads):
                mixed = torch.zeros(heads * size, dtype=torch.float64)
                mixed[head * size : (head + 1) * size] = kept.asked.values[0, head, column]
                summed += kept.weights[0, head, row, column] * (output.weight.detach() @ mixed)
            assert sight.norms[row, column] == pytest.approx(float(summed.norm()), abs=1e-9)
    hops = family("label:self-attentive")
    outcome = outcome_of(hops.model, TEXT)
    trace = Trace(outcome.network, inputs=True)
    outcome.forward(trace)
    (kept,) = trace.kept["pooling"]
    assert kept.asked is not None
    (sight,) = Sights(outcome).every
    expected = kept.weights[0] * kept.asked.values[0].norm(dim=-1)
    np.testing.assert_allclose(sight.norms, expected.numpy(), atol=1e-9)


@cells(
    "name",
    [n for n in EVERY if "transformer" in n or "bert" in n],
    quick=["translation:transformer", "language:lm-transformer", "label:pairs-bert"],
)
def test_what_is_rolled_out_is_a_share_of_all_that_was_read(name: str) -> None:
    own = family(name)
    found = own.model.causes(own.text, by=("rollout", "flow"), **own.options)
    rollout, flow = (found.method(each) for each in ("rollout", "flow"))
    assert rollout.reason is None
    total = rollout.values.sum()
    assert total < 1 if own.model.task == "translation" else total == pytest.approx(1, abs=1e-6)
    assert (flow.values >= rollout.values - 1e-5).all()  # a flow is as wide as any split of it
    assert (flow.values <= 1 + 1e-5).all()
