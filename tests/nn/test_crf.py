"""The linear-chain CRF against all labellings, one by one."""

import itertools

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from regard.errors import ShapeError
from regard.nn.crf import CRF, AllowedTransitions
from regard.text.span_labels import Scheme, label_rules, may_follow

B, T, L = 3, 4, 3
LENGTHS = torch.tensor([4, 1, 2])
OUT, B_X, I_X = range(3)
BIO = AllowedTransitions(
    between=torch.tensor([[True, True, False], [True, True, True], [True, True, True]]),
    first=torch.tensor([True, True, False]),
    last=torch.tensor([True, True, True]),
)


def crf(*, boundaries: bool = True, allowed: AllowedTransitions | None = None) -> CRF:
    torch.manual_seed(0)
    head = CRF(L, boundaries=boundaries, allowed=allowed).double()
    for parameter in head.parameters():
        torch.nn.init.normal_(parameter)
    return head


def scores() -> Tensor:
    return torch.randn(B, T, L, dtype=torch.double, generator=torch.Generator().manual_seed(1))


def every_labelling(
    head: CRF, scores: Tensor, allowed: AllowedTransitions | None
) -> dict[tuple[int, ...], float]:
    """The score of each labelling of one sentence, (t, l), that may be."""
    found = {}
    for path in itertools.product(range(L), repeat=len(scores)):
        steps = list(itertools.pairwise(path))
        if allowed is not None and not (
            allowed.first[path[0]] and allowed.last[path[-1]] and all(allowed.between[i, j] for i, j in steps)
        ):
            continue
        score = sum(scores[t, label].item() for t, label in enumerate(path))
        score += sum(head.transitions[i, j].item() for i, j in steps)
        if head.start is not None and head.end is not None:
            score += head.start[path[0]].item() + head.end[path[-1]].item()
        found[path] = score
    return found


CASES = pytest.mark.parametrize(
    ("boundaries", "allowed"), [(True, None), (False, None), (True, BIO), (False, BIO)]
)


@CASES
def test_it_equals_the_enumeration_of_all_labellings(
    boundaries: bool, allowed: AllowedTransitions | None
) -> None:
    head, given = crf(boundaries=boundaries, allowed=allowed), scores()
    best, totals = head.decode(given, LENGTHS)
    marginals = head.marginals(given, LENGTHS)
    for row, length in enumerate(LENGTHS.tolist()):
        labellings = every_labelling(head, given[row, :length], allowed)
        log_z = torch.tensor(list(labellings.values()), dtype=torch.double).logsumexp(0)
        likely = max(labellings, key=lambda path: labellings[path])
        assert best[row].tolist() == [*likely, *[-1] * (T - length)]
        assert_close(totals[row].item(), labellings[likely])
        expected = torch.zeros(T, L, dtype=torch.double)
        for path, score in labellings.items():
            gold = torch.full((B, T), -1)
            gold[row, :length] = torch.tensor(path)
            gold[torch.arange(B) != row] = 0
            assert_close(head.log_likelihood(given, gold, LENGTHS)[row], score - log_z)
            expected[range(length), path] += (score - log_z).exp()
        assert_close(marginals[row], expected)


def test_two_words_by_hand() -> None:
    """Label 1 scores 1 at each word, staying scores 1: 1 for labels 00, 3 for 11, 1 for 01 and 10."""
    head = CRF(2, boundaries=False)
    torch.nn.init.eye_(head.transitions)
    given = torch.tensor([[[0.0, 1.0], [0.0, 1.0]]])
    log_z = torch.tensor([1.0, 3.0, 1.0, 1.0]).logsumexp(0)
    assert_close(head.log_likelihood(given, torch.tensor([[1, 1]]), torch.tensor([2])), (3 - log_z)[None])
    labels, total = head.decode(given, torch.tensor([2]))
    assert (labels.tolist(), total.tolist()) == ([[1, 1]], [3.0])


@CASES
def test_padding_does_not_matter(boundaries: bool, allowed: AllowedTransitions | None) -> None:
    """More of it, with other scores and other labels in it, changes nothing and gets no gradient."""
    head, given = crf(boundaries=boundaries, allowed=allowed), scores()
    gold = torch.tensor([[OUT, B_X, I_X, OUT], [OUT, -1, -1, -1], [B_X, I_X, -1, -1]])
    padded = torch.cat([given, torch.full((B, 2, L), 50.0, dtype=torch.double)], 1)
    padded[1, 1:], padded[2, 2:] = 70.0, -70.0
    padded.requires_grad_()
    longer = torch.cat([gold, torch.full((B, 2), 99)], 1)
    likely = head.log_likelihood(padded, longer, LENGTHS)
    assert_close(likely, head.log_likelihood(given, gold, LENGTHS))
    assert_close(head.marginals(padded, LENGTHS)[:, :T], head.marginals(given, LENGTHS))
    assert_close(head.decode(padded, LENGTHS)[0][:, :T], head.decode(given, LENGTHS)[0])
    (gradient,) = torch.autograd.grad(likely.sum(), padded)
    assert not gradient[torch.arange(T + 2) >= LENGTHS[:, None]].any()


def test_the_gradient_is_the_truth_less_the_marginals() -> None:
    head, given = crf(allowed=BIO), scores().requires_grad_()
    gold = torch.tensor([[OUT, B_X, I_X, OUT], [OUT, 0, 0, 0], [B_X, I_X, 0, 0]])
    (gradient,) = torch.autograd.grad(head.log_likelihood(given, gold, LENGTHS).sum(), given)
    real = torch.arange(T) < LENGTHS[:, None]
    truth = torch.nn.functional.one_hot(gold, L) * real[..., None]
    assert_close(gradient, truth - head.marginals(given, LENGTHS))


def test_gradients_of_every_parameter() -> None:
    head, given = crf(allowed=BIO), scores().requires_grad_()
    gold = torch.tensor([[OUT, B_X, I_X, OUT], [OUT, 0, 0, 0], [B_X, I_X, 0, 0]])
    assert torch.autograd.gradcheck(
        lambda values, *_: head.log_likelihood(values, gold, LENGTHS), (given, *head.parameters())
    )
    head.log_likelihood(given, gold, LENGTHS).sum().backward()  # type: ignore[no-untyped-call]
    assert head.transitions.grad is not None
    assert head.transitions.grad[OUT, I_X] == 0  # what may not be is not learned
    assert head.transitions.grad[OUT, B_X] != 0


def test_what_may_not_be_is_never_decoded() -> None:
    """Though every word by itself would be I-X."""
    given = torch.zeros(1, 3, L)
    given[..., I_X] = 20.0
    labels, _ = CRF(L, allowed=BIO).decode(given, torch.tensor([3]))
    assert labels.tolist() == [[B_X, I_X, I_X]]


def test_rules_of_another_size_are_refused() -> None:
    with pytest.raises(ShapeError, match=r"shapes \[\(4, 4\).*found \[\(3, 3\)"):
        CRF(4, allowed=BIO)


@pytest.mark.parametrize(("scheme", "names"), [("bio", "O B-X I-X B-Y I-Y"), ("bioes", "O B-X I-X E-X S-X")])
def test_with_the_rules_of_span_labels_every_labelling_is_well_formed(scheme: Scheme, names: str) -> None:
    labels = names.split()
    head = CRF(len(labels), allowed=AllowedTransitions(*map(torch.tensor, label_rules(labels, scheme))))
    lengths = torch.tensor([7, 1, 4, 2])
    given = 10 * torch.randn(4, 7, len(labels), generator=torch.Generator().manual_seed(1))
    for row, length in zip(head.decode(given, lengths)[0].tolist(), lengths.tolist(), strict=True):
        found = [None, *(labels[number] for number in row[:length]), None]
        assert all(may_follow(before, after, scheme) for before, after in itertools.pairwise(found))
