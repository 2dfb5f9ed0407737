"""n-grams behind the door of models that write."""

import pytest
import torch
from tests.contracts.test_decoding import OPTIONS, run
from tests.contracts.test_encoder_decoders import PAIRS, SYMBOLS
from torch.testing import assert_close

from regard.data.batching import make_batch
from regard.errors import StoreError
from regard.models.kneser_ney import KneserNey
from regard.models.ngram import NGramNetwork
from regard.store.folder import weights_of

TEXTS = [(7, 12, 5), (7, 12, 6, 5), (4, 4, 9, 10, 11, 6), (12,), (7, 5)]


@pytest.fixture(scope="module")
def network() -> NGramNetwork:
    return NGramNetwork(KneserNey.fit(TEXTS, size=13, start=2, end=3, never=[0], order=3))


def test_every_position_has_the_probability_of_the_sentence(network: NGramNetwork) -> None:
    batch = make_batch(PAIRS, [0, 1, 2], SYMBOLS)
    written = network.teacher_forced(batch.inputs)
    logs = written.logits()
    assert_close(logs.exp().sum(-1), torch.ones(batch.fed.shape, dtype=torch.float64))
    for row, pair in enumerate(PAIRS):
        size = len(pair.target) + 1
        own = logs[row, :size].gather(1, batch.wanted[row, :size, None]).squeeze(1)
        assert own.tolist() == pytest.approx(network.model.log_probabilities(list(pair.target)).tolist())
    assert_close(written.at(batch.real).at(slice(2, 4)).logits(), logs[batch.real][2:4])


def test_steps_equal_the_forced_pass_and_states_are_selected(network: NGramNetwork) -> None:
    batch = make_batch(PAIRS, [0, 1, 2], SYMBOLS)
    whole = network.teacher_forced(batch.inputs).logits()
    state = network.start(batch.source, batch.lengths)
    for position in range(3):
        logits, state = network.step(batch.fed[:, position], state)
        assert_close(logits, whole[:, position])
    turned, _ = network.step(batch.fed[[2, 0], 3], state.select(torch.tensor([2, 0])))
    assert_close(turned, whole[[2, 0], 3])


@pytest.mark.parametrize("option", ["greedy", "beam", "prefix", "sample"])
def test_searches_write_with_it(network: NGramNetwork, option: str) -> None:
    for found in run(network, [0], *OPTIONS[option])[0]:
        total = network.model.log_probabilities(found.tokens)[: len(found.tokens) + found.ended].sum()
        assert found.log_probability == pytest.approx(float(total))


def test_its_tables_are_stored_as_weights_are(network: NGramNetwork) -> None:
    weights = weights_of(network)
    again = NGramNetwork.of_weights(weights, "x")
    assert again.model.log_probabilities([7, 12]) == pytest.approx(network.model.log_probabilities([7, 12]))
    assert not any(parameter.requires_grad for parameter in network.parameters())
    rounded = {**weights, "table_base": weights["table_base"].bfloat16()}
    with pytest.raises(StoreError, match=r"x: table_base should be int64 or float64, found torch.bfloat16"):
        NGramNetwork.of_weights(rounded, "x")
    del weights["table_base"]
    with pytest.raises(StoreError, match="x: expected the arrays of an n-gram model"):
        NGramNetwork.of_weights(weights, "x")
