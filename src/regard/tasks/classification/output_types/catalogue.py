"""The answer for what can be said."""

from regard.tasks.classification.output_types.multi_label import LabelsAnswer
from regard.tasks.classification.output_types.output_type import Answer
from regard.tasks.classification.output_types.regression import NumberAnswer
from regard.tasks.classification.output_types.single_label import LabelAnswer
from regard.text.labels import Labels, LabelSets
from regard.text.scale import Scale


def answer_of(said: Labels | Scale) -> Answer:
    """One of several labels, any number of them, or a number on a scale."""
    if isinstance(said, Scale):
        return NumberAnswer(said)
    return LabelsAnswer(said) if isinstance(said, LabelSets) else LabelAnswer(said)
