import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close

from regard.errors import RegardError, ShapeError
from regard.nn.attention import Attention
from regard.nn.scores import AdditiveScore
from regard.nn.trace import AttentionWeights, Trace


def model() -> nn.ModuleDict:
    return nn.ModuleDict({"cross": Attention(AdditiveScore(query_size=2, key_size=3, hidden_size=4))})


def look(parts: nn.ModuleDict, trace: Trace | None, path: str = "cross") -> Tensor:
    attention = parts[path]
    assert isinstance(attention, Attention)
    torch.manual_seed(1)
    memory = attention.remember(torch.randn(2, 5, 3), torch.tensor([5, 5]))
    context: Tensor = attention(torch.randn(2, 1, 2), memory, trace=trace)[0]
    return context


def test_it_keeps_weights_by_path_with_their_place() -> None:
    parts = model()
    trace = Trace(parts)
    trace.examples, trace.step = [7, 3], 4
    look(parts, trace)
    (sight,) = trace.kept["cross"]
    assert (sight.path, sight.examples, sight.step) == ("cross", (7, 3), 4)
    assert sight.weights.shape == (2, 1, 5)


def test_it_keeps_the_paths_asked_for_alone() -> None:
    parts = model()
    parts["other"] = model()["cross"]
    trace = Trace(parts, {"other": lambda sight: torch.zeros_like(sight.weights)}, keep=["cross"])
    look(parts, trace)
    edited = look(parts, trace, "other")
    assert list(trace.kept) == ["cross"]
    assert look(parts, None, "other").any()
    assert not edited.any(), "what is not kept is edited all the same"
    with pytest.raises(RegardError, match=r"this model has no module 'corss'; did you mean 'cross'\?"):
        Trace(parts, keep=["corss"])


def test_an_edit_answers_back_for_one_example() -> None:
    def only_first_key_for_example_3(sight: AttentionWeights) -> Tensor:
        edited = sight.weights.clone()
        row = sight.examples.index(3)
        edited[row] = torch.eye(5)[0]
        return edited

    parts = model()
    plain, trace = look(parts, None), Trace(parts, {"cross": only_first_key_for_example_3})
    trace.examples = [7, 3]
    edited = look(parts, trace)
    torch.manual_seed(1)
    values = torch.randn(2, 5, 3)
    assert torch.equal(edited[0], plain[0])
    assert torch.equal(edited[1, 0], values[1, 0])
    assert torch.equal(look(parts, None), plain), "an edit leaves nothing on the model"
    assert trace.kept["cross"][0].weights[1].tolist() == [[1, 0, 0, 0, 0]], "what was used is what is kept"


def test_wrong_edits_are_refused() -> None:
    parts = model()
    with pytest.raises(RegardError, match=r"this model has no module 'corss'; did you mean 'cross'\?"):
        Trace(parts, {"corss": lambda sight: sight.weights})
    with pytest.raises(ShapeError, match=r"must keep the shape \(2, 1, 5\), it gave \(2, 1, 4\)"):
        look(parts, Trace(parts, {"cross": lambda sight: sight.weights[:, :, :4]}))


def test_rows_of_one_example_are_its_hypotheses() -> None:
    sight = AttentionWeights("cross", torch.zeros(5, 1, 2), (1, 0, 1, 1, 0), 0)
    assert sight.hypotheses == (0, 0, 1, 2, 1)


def test_a_call_for_some_of_the_examples_knows_which() -> None:
    parts = model()
    trace = Trace(parts)
    trace.part = [4, 6]
    look(parts, trace)
    trace.examples = [1, 1]
    look(parts, trace)
    trace.begin()
    look(parts, trace)
    assert [sight.examples for sight in trace.kept["cross"]] == [(4, 6), (6, 6), (4, 6)]


def test_it_keeps_what_it_was_asked_to() -> None:
    parts = model()
    nothing, inputs = Trace(parts, keep=False), Trace(parts, inputs=True)
    assert torch.equal(look(parts, nothing), look(parts, inputs))
    assert not nothing.kept
    (sight,) = inputs.kept["cross"]
    assert sight.asked is not None
    assert sight.asked.query.shape == (2, 1, 2)
    assert_close(sight.weights @ sight.asked.values, look(parts, None))


def test_a_part_that_reads_two_texts_has_a_path_for_each() -> None:
    parts = model()
    trace = Trace(parts, {"second.cross": lambda sight: torch.zeros_like(sight.weights)})
    first, second = (look(parts, trace.reading(text)) for text in (0, 1))
    assert set(trace.kept) == {"first.cross", "second.cross"}
    assert (second == 0).all()
    assert_close(first, look(parts, None))
    with pytest.raises(RegardError, match=r"this model has no module 'third.cross'"):
        Trace(parts, {"third.cross": lambda sight: sight.weights})
