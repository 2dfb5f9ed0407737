"""What is between two sentences, by hand."""

import torch
from torch.testing import assert_close

from regard.nn.combination import FactoredCombination, MatchingCombination

FIRST = torch.tensor([[[1.0, 2.0], [0.5, -1.0]]])  # (1, 2 hops, 2 features)
SECOND = torch.tensor([[[3.0, -2.0], [4.0, 1.0]]])


def test_factored_each_hop_has_weights_of_its_own() -> None:
    """One unit a hop: hop 1 sees 1·1 + 2·10 = 21 and 3 - 2 = 1; hop 2 sees 0.5·2 = 1 and 1·5 = 5."""
    combine = FactoredCombination(rows=2, size=2, hidden_size=1)
    with torch.no_grad():
        combine.first.copy_(torch.tensor([[[1.0], [10.0]], [[2.0], [0.0]]]))
        combine.second.copy_(torch.tensor([[[1.0], [1.0]], [[0.0], [5.0]]]))
    assert_close(combine(FIRST, SECOND), torch.tensor([[[21.0], [5.0]]]))


def test_matching_has_both_their_distance_and_their_product() -> None:
    combined = MatchingCombination(size=2)(FIRST[:, :1], SECOND[:, :1])
    assert combined.tolist() == [[[1.0, 2.0, 3.0, -2.0, 2.0, 4.0, 3.0, -4.0]]]
