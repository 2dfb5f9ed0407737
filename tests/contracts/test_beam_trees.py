"""Laws of the tree of a search, for models of every family: what it says is so, and it changes nothing."""

from typing import Any

import pytest
import torch
from tests.contracts.models import ATTENDING, TARGET_SIZE
from tests.contracts.test_decoding import LONGEST, OPTIONS, forced, run
from tests.contracts.test_encoder_decoders import PAIRS, SYMBOLS, make

from regard.config.decoding import DecodingConfig
from regard.data.batching import pad_sources
from regard.decoding.beam_recorder import BeamRecorder
from regard.decoding.coverage import SourceAttention
from regard.decoding.hypothesis import Hypothesis, Ranking, SearchLimits
from regard.decoding.lexical_constraints import UNCONSTRAINED, TokenConstraints
from regard.decoding.search import search
from regard.nn.trace import Trace

FAMILIES = ["bahdanau-lstm", "plain", "pointer", "transformer", "lm-lstmn", "lm-transformer"]
SEARCHES: dict[str, tuple[dict[str, Any], TokenConstraints]] = {
    **{name: own for name, own in OPTIONS.items() if name not in ("sample", "lengths")},
    "best endings": ({"beam_size": 3, "endings": "best"}, UNCONSTRAINED),
}
UNFINISHED = ("kept", "truncated", "pruned")
CELLS = [
    (name, option) for name in FAMILIES for option in SEARCHES if option != "coverage" or name in ATTENDING
]


def recorded(
    model: Any, row: int, settings: dict[str, Any], wish: TokenConstraints
) -> tuple[list[Hypothesis], BeamRecorder]:
    source, lengths = pad_sources([PAIRS[row].source], SYMBOLS)
    config = DecodingConfig(**settings)
    recorder = BeamRecorder(SYMBOLS.bos, SYMBOLS.eos, config.beam_groups)
    counted = torch.arange(source.shape[1]) < lengths[:, None] - 1
    looking = SourceAttention(Trace(model), model.cross_attention, counted) if config.coverage_beta else None
    (found,) = search(
        model,
        source,
        lengths,
        SearchLimits(SYMBOLS.bos, SYMBOLS.eos, (0, 1, 2), (LONGEST,)),
        config,
        constraints=[wish],
        looking=looking,
        recorder=recorder,
    )
    return found, recorder


@pytest.mark.parametrize(("name", "option"), CELLS)
def test_a_tree_says_what_the_search_did(name: str, option: str) -> None:
    settings, wish = SEARCHES[option]
    model, config = make(name).double(), DecodingConfig(**settings)
    for row in (0, 1):
        found, recorder = recorded(model, row, settings, wish)
        assert found == run(model, [row], settings, wish)[0]  # in every bit
        root, *nodes = recorder.nodes
        assert (root.number, root.parent, root.token, root.total) == (0, None, SYMBOLS.bos, 0.0)
        for number, node in enumerate(nodes, start=1):
            parent = recorder.nodes[node.parent or 0]
            assert (node.number, node.length) == (number, parent.length + 1)
            assert parent.number < number
            assert parent.outcome in ("kept", "truncated")
            assert node.total == pytest.approx(parent.total + node.log_probability, abs=1e-12)
            assert (node.reason is not None) == (node.outcome == "pruned")
            assert node.outcome in (("finished", "pruned") if node.token == SYMBOLS.eos else UNFINISHED)
        # The sum over a path is what the model says of the sentence.
        for node in nodes[:: max(1, len(nodes) // 12)]:
            tokens = recorder.tokens(node.number)
            steps = forced(model, row, tokens)[: node.length]
            assert node.total == pytest.approx(float(steps.sum()), abs=1e-6)
        ranked = {node.rank: node for node in nodes if node.rank is not None}
        assert sorted(ranked) == list(range(len(found)))
        for rank, hypothesis in enumerate(found):
            assert recorder.tokens(ranked[rank].number) == hypothesis.tokens
            assert ranked[rank].total == hypothesis.log_probability
            assert ranked[rank].score == hypothesis.score
        width = config.beam_size // config.beam_groups
        for length in {node.length for node in nodes}:
            for group in range(config.beam_groups):
                step = [node for node in nodes if (node.length, node.group) == (length, group)]
                kept = [node for node in step if node.outcome == "kept"]
                lost = [node for node in step if node.reason == "beam"]
                assert len(kept) <= width
                if lost and kept and option != "must":  # whose beam has room for each number of words met
                    assert max(n.compared for n in lost) <= min(n.compared for n in kept)
                if option not in ("groups", "must", "coverage"):
                    ranking = Ranking.of(config)
                    assert all(node.score == ranking.score(node.total, length) for node in step)


@pytest.mark.parametrize("name", ["bahdanau-lstm", "transformer"])
def test_each_step_has_the_best_continuations_of_what_was_kept(name: str) -> None:
    """Every continuation of every kept hypothesis, by the forced pass: twice the beam are its candidates."""
    model = make(name).double()
    width = 3
    _, recorder = recorded(model, 0, {"beam_size": width}, UNCONSTRAINED)
    nodes = recorder.nodes
    last = max(node.length for node in nodes)
    for length in range(1, last + 1):
        parents = [n for n in nodes if n.length == length - 1 and n.outcome == "kept"]
        every = []
        for parent in parents:
            tokens = recorder.tokens(parent.number)
            for token in range(SYMBOLS.eos, TARGET_SIZE):  # those before it are never written
                steps = forced(model, 0, tokens if token == SYMBOLS.eos else (*tokens, token))
                every.append((float(steps[:length].sum()), parent.number, token))
        best = sorted(every, reverse=True)[: 2 * width]
        step = [n for n in nodes if n.length == length]
        assert [(n.parent, n.token) for n in step] == [(parent, token) for _, parent, token in best]
