"""What is minimised where two texts have a vector each: by hand, and as sentence-transformers has it."""

import math

import pytest
import torch
from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss
from torch.testing import assert_close

from regard.errors import ShapeError
from regard.nn.text_embedder import PairClassifier, cosine_loss, in_batch_loss

FIRST = torch.tensor([[2.0, 0.0], [0.0, 1.0]])
SECOND = torch.tensor([[1.0, 0.0], [3.0, 4.0]])
"""The cosines are 1 and 0.6 for the first, 0 and 0.8 for the other."""


def test_the_partner_is_found_among_all_seconds_by_hand() -> None:
    forth = math.log(1 + math.exp(2 * (0.6 - 1.0))) + math.log(1 + math.exp(2 * (0.0 - 0.8)))
    back = math.log(1 + math.exp(2 * (0.0 - 1.0))) + math.log(1 + math.exp(2 * (0.6 - 0.8)))
    assert_close(in_batch_loss(FIRST, SECOND, scale=2.0, both_ways=False), torch.tensor(forth))
    assert_close(in_batch_loss(FIRST, SECOND, scale=2.0), torch.tensor((forth + back) / 2))


def test_a_hard_negative_stands_beside_the_seconds_of_all_rows() -> None:
    more = torch.tensor([[0.0, -5.0]])  # cosines 0 and -1
    forth = math.log(1 + math.exp(2 * (0.6 - 1.0)) + math.exp(2 * (0.0 - 1.0)))
    forth += math.log(1 + math.exp(2 * (0.0 - 0.8)) + math.exp(2 * (-1.0 - 0.8)))
    found = in_batch_loss(FIRST, SECOND, more, scale=2.0, both_ways=False)
    assert_close(found, torch.tensor(forth))


def test_what_does_not_count_against_a_text_is_not_there() -> None:
    against = torch.tensor(
        [[False, False], [True, False]]
    )  # the second row has the first's second against it
    forth, back = math.log(1 + math.exp(2 * (0.0 - 0.8))), math.log(1 + math.exp(2 * (0.0 - 1.0)))
    found = in_batch_loss(FIRST, SECOND, scale=2.0, against=against)
    assert_close(found, torch.tensor((forth + back) / 2))
    alone = in_batch_loss(FIRST[:1], SECOND[:1])
    assert float(alone) == 0.0, "a pair alone has nothing against it"


def test_as_sentence_transformers_has_it() -> None:
    torch.manual_seed(0)
    first, second, more = torch.randn(3, 4, 6)
    theirs = MultipleNegativesRankingLoss(model=None, scale=20.0)
    expected = theirs.compute_loss_from_embeddings([first, second, more], None)
    assert_close(in_batch_loss(first, second, more, both_ways=False) / len(first), expected)


def test_a_score_is_what_the_cosine_is_to_be() -> None:
    expected = (1.0 - 0.5) ** 2 + (0.8 - 0.0) ** 2
    assert_close(cosine_loss(FIRST, SECOND, torch.tensor([0.5, 0.0])), torch.tensor(expected))


def test_a_label_is_told_from_both_vectors_and_how_far_they_are_apart() -> None:
    relation = PairClassifier(width=2, outputs=1)
    with torch.no_grad():
        relation.output.weight.copy_(torch.tensor([[1.0, 10.0, 100.0, 1e3, 1e4, 1e5]]))
        relation.output.bias.fill_(0.5)
    (found,) = relation(torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, 1.0]]))
    assert_close(found, torch.tensor([1 + 20 + 300 + 1e3 + 2e4 + 1e5 + 0.5]))


def test_rows_that_do_not_pair() -> None:
    with pytest.raises(ShapeError, match="expected as many firsts as seconds, found 2 and 1"):
        in_batch_loss(FIRST, SECOND[:1])
