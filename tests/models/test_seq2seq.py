from typing import Any

import pytest
import torch
from torch.testing import assert_close

from regard.config.model import Seq2SeqConfig
from regard.models.catalogue import build_seq2seq
from regard.nn.scores import AdditiveScore
from regard.nn.trace import Trace
from regard.store.folder import weights_of


@pytest.mark.parametrize("tied", [True, False])
def test_output_words_are_scored_with_their_vectors(tied: bool) -> None:
    model = build_seq2seq(Seq2SeqConfig(tie_embeddings=tied), source_size=11, target_size=13)
    assert (model.output.weight is model.target_embedding.weight) == tied
    assert ("output.weight" in weights_of(model)) != tied, "a shared tensor is stored once"


def test_one_step_by_its_formulas() -> None:
    """c_1 from s_0, s_1 = cell([y_0; c_1], s_0), and an output that sees [s_1; y_0; c_1]."""
    torch.manual_seed(0)
    model: Any = build_seq2seq(Seq2SeqConfig(embedding_size=4), source_size=11, target_size=13).double()
    source, lengths, token = torch.tensor([[5, 7, 3]]), torch.tensor([3]), torch.tensor([2])
    state = model.start(source, lengths)
    logits, after = model.step(token, state)

    states = state.source.memory.values[0]  # h_1 … h_3
    s_0 = state.top[0]
    score = model.attention.score
    assert isinstance(score, AdditiveScore)
    energies = torch.stack([score.energy((score.query(s_0) + score.key(h)).tanh())[0] for h in states])
    weights = energies.exp() / energies.exp().sum()
    context = sum(weight * h for weight, h in zip(weights, states, strict=True))
    word = model.target_embedding(token)[0] * 4**0.5
    gates = model.cell.input(word) + model.context(context) + model.cell.hidden(s_0)
    i, f, o = gates[: 3 * 512].sigmoid().chunk(3)
    memory = f * state.layers[0][1][0] + i * gates[3 * 512 :].tanh()
    s_1 = o * memory.tanh()
    readout = model.readout(torch.cat([s_1, word, context])).tanh()

    assert_close(after.top[0], s_1)
    assert_close(logits[0], model.target_embedding.weight @ readout + model.output.bias)


def small() -> Any:
    torch.manual_seed(0)
    return build_seq2seq(Seq2SeqConfig(embedding_size=4), source_size=11, target_size=13).double()


def test_rows_that_share_a_source_are_seen_one_by_one() -> None:
    """A trace that comes after the first step keeps what one from the beginning keeps."""
    model, rows, tokens = small(), torch.tensor([0, 0, 0, 1, 1, 1]), torch.tensor([2, 5, 6, 2, 7, 8])
    source, lengths = torch.tensor([[5, 7, 3], [4, 6, 0]]), torch.tensor([3, 2])
    shared = model.start(source, lengths).select(rows)
    assert len(shared.source.tokens) == 2, "no copy a row"
    late, early = Trace(model), Trace(model)
    logits, after = model.step(tokens, shared, trace=late)
    expected, _ = model.step(tokens, model.start(source, lengths, trace=early).select(rows), trace=early)
    assert_close(logits, expected)
    (seen,), (own,) = late.kept["attention"], early.kept["attention"]
    assert seen.weights.shape == (6, 1, 3)
    assert_close(seen.weights, own.weights)
    assert len(after.source.tokens) == 2, "who looks no more shares again"


def test_of_no_rows_nothing_is_chosen() -> None:
    model, none = small(), torch.zeros(0, dtype=torch.long)
    nobody = model.start(torch.tensor([[5, 7, 3]]), torch.tensor([3])).select(none)
    assert len(nobody.top) == len(nobody.select(none).top) == len(nobody.examples) == 0
