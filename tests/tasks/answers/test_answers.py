"""What is said of a text: losses, decisions and scores, by hand."""

import math

import numpy as np
import pytest
import torch

from regard.insight.record import AttentionRecord
from regard.tasks.classification.output_types import output_type_of
from regard.tasks.classification.result import MultiLabelClassification, RegressionResult
from regard.text.labels import Labels, LabelSets, Scale

NONE = AttentionRecord(reason="none")
SETS = LabelSets(["a", "b", "c"], ",")
SCALE = Scale(mean=3.0, spread=2.0)


def test_the_loss_of_a_label_is_its_surprise() -> None:
    answer = output_type_of(Labels(["a", "b"]))
    logits, wanted = torch.tensor([[0.0, math.log(3)]]), torch.from_numpy(answer.wanted([[1]]))
    assert answer.loss(logits, wanted).item() == pytest.approx(math.log(4 / 3))
    smoothed = 0.75 * math.log(4 / 3) + 0.25 * math.log(4)  # half of 0.5 goes to either label
    assert answer.loss(logits, wanted, 0.5).item() == pytest.approx(smoothed)


def test_each_of_several_labels_is_a_question_of_its_own() -> None:
    """p = 3/4, 1/4, 1/2 of a, b, c; right are a and c: 3/4 · 3/4 · 1/2."""
    answer = output_type_of(SETS)
    logits = np.array([[math.log(3), -math.log(3), 0.0]])
    wanted = answer.wanted([SETS.numbers("c, a", "x")])
    assert wanted.tolist() == [[True, False, True]]
    loss = -math.log(3 / 4 * 3 / 4 / 2)
    assert answer.loss(torch.from_numpy(logits), torch.from_numpy(wanted)).item() == pytest.approx(loss)
    assert answer.scores(logits, wanted) == pytest.approx(
        {"loss": loss, "accuracy": 0.0, "micro_f1": 2 / 3, "macro_f1": 0.5}  # b was neither said nor right
    )
    found = answer.result(["text"], logits[0], 1.0, NONE)
    assert isinstance(found, MultiLabelClassification)
    assert (found.labels, found.label) == (("a",), "a")  # a half is not more probable than not
    assert found.probability == pytest.approx(3 / 4 * 3 / 4 / 2)
    assert found.line() == "a\t0.7500"
    cooled = answer.result(["text"], logits[0], 0.5, NONE)
    assert cooled.probabilities["a"] == pytest.approx(0.9)
    nothing = answer.result(["text"], logits[0] - 9, 1.0, NONE)
    assert (nothing.label, nothing.line(), nothing.in_words()) == ("", "\t", "(no label)")
    assert answer.nothing(["", "x"], NONE).line() == ""


def test_a_number_is_learned_in_standard_units_and_said_in_its_own() -> None:
    answer = output_type_of(SCALE)
    wanted = answer.wanted(SCALE.encode_ids(["5", "2.0"]))
    assert wanted.tolist() == [1.0, -0.5]
    logits = np.array([[0.5], [0.5]])
    assert answer.loss(torch.from_numpy(logits), torch.from_numpy(wanted)).item() == pytest.approx(1.25)
    assert answer.scores(logits, wanted) == {"loss": 0.625, "pearson": 0.0, "spearman": 0.0}
    assert answer.scores(np.array([[1.0], [0.0]]), wanted)["spearman"] == pytest.approx(1.0)
    found, other = (answer.result(["x", "y"], np.array([z]), 1.0, NONE) for z in (0.5, -1.0))
    assert isinstance(found, RegressionResult)
    assert (found.value, found.line(), found.in_words()) == (4.0, "4.0000", "4.000")
    assert found.moved(other) == ["  4.000 → 1.000 (-3.000)"]
    assert found.to_dict()["value"] == 4.0
    assert answer.nothing(["", "x"], NONE).to_dict()["value"] is None


def test_how_far_two_sets_of_labels_are_apart_is_summed_over_the_labels() -> None:
    one = MultiLabelClassification("x", "", {"a": 0.5, "b": 1.0}, NONE)
    other = MultiLabelClassification("x", "", {"a": 0.25, "b": 1.0}, NONE)
    assert one.divergence(other) == pytest.approx(0.5 * math.log(2) + 0.5 * math.log(0.5 / 0.75))
    assert one.moved(other)[0] == "  a: 0.500 → 0.250 (-0.250)"
