"""Labels chosen one by one are a CRF without transitions."""

import torch
from torch.testing import assert_close

from regard.nn.crf import CRF
from regard.nn.token_classifier import SoftmaxTagDecoder


def test_it_is_a_crf_without_transitions() -> None:
    torch.manual_seed(0)
    scores, lengths = torch.randn(3, 5, 4), torch.tensor([5, 1, 3])
    labels = torch.randint(4, (3, 5))
    own, crf = SoftmaxTagDecoder(), CRF(4)
    assert list(own.parameters()) == []
    assert_close(own.log_likelihood(scores, labels, lengths), crf.log_likelihood(scores, labels, lengths))
    assert_close(own.marginals(scores, lengths), crf.marginals(scores, lengths))
    for mine, theirs in zip(own.decode(scores, lengths), crf.decode(scores, lengths), strict=True):
        assert_close(mine, theirs)


def test_by_hand() -> None:
    """Two labels with the scores ln 1 and ln 3: p is 1/4 and 3/4; padding does not matter."""
    scores = torch.tensor([[[1.0, 3.0], [3.0, 1.0], [9.0, 9.0]]]).log()
    lengths = torch.tensor([2])
    own = SoftmaxTagDecoder()
    assert_close(
        own.log_likelihood(scores, torch.tensor([[1, 1, -7]]), lengths).exp(), torch.tensor([3 / 16])
    )
    assert own.decode(scores, lengths)[0].tolist() == [[1, 0, -1]]
    assert own.marginals(scores, lengths)[0, 2].tolist() == [0.0, 0.0]
