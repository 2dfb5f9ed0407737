import torch
from torch import Tensor

from regard.nn.cache import StepBuffer


def written(tape: StepBuffer, *numbers: float) -> StepBuffer:
    """One more position of two sentences for each number: the number, and ten times the number."""
    memory, longer = tape.room(len(numbers))
    for place, number in enumerate(numbers):
        memory[:, tape.size + place] = torch.tensor([[number], [10 * number]])
    return longer


def rows(tape: StepBuffer) -> list[list[float]]:
    numbers: Tensor = tape.written.squeeze(-1)
    found: list[list[float]] = numbers.tolist()
    return found


def test_it_grows_past_its_room() -> None:
    tape = StepBuffer.empty(torch.empty(0), 2, 1)
    assert rows(tape) == [[], []]
    numbers = [float(n) for n in range(40)]
    for number in numbers:
        tape = written(tape, number)
    assert rows(tape) == [numbers, [10 * number for number in numbers]]


def test_two_who_go_on_from_one_tape_do_not_see_each_other() -> None:
    before = written(StepBuffer.empty(torch.empty(0), 2, 1), 1.0)
    one, other = written(before, 2.0), written(before, 3.0, 4.0)
    assert rows(before) == [[1.0], [10.0]]
    assert rows(one) == [[1.0, 2.0], [10.0, 20.0]]
    assert rows(other) == [[1.0, 3.0, 4.0], [10.0, 30.0, 40.0]]


def test_the_newest_writes_where_the_others_are() -> None:
    """A step of a search copies nothing."""
    first = written(StepBuffer.empty(torch.empty(0), 2, 1), 1.0)
    second = written(first, 2.0)
    assert first.written.data_ptr() == second.written.data_ptr()


def test_rows_are_chosen_in_any_order() -> None:
    tape = StepBuffer.of(torch.tensor([[[1.0], [2.0]], [[3.0], [4.0]]]))
    chosen = tape.select(torch.tensor([1, 1]))
    assert rows(written(chosen, 5.0)) == [[3.0, 4.0, 5.0], [3.0, 4.0, 50.0]]
    assert rows(tape) == [[1.0, 2.0], [3.0, 4.0]]
