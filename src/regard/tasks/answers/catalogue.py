"""The answer for what can be said."""

from regard.tasks.answers.answer import Answer
from regard.tasks.answers.label import LabelAnswer
from regard.tasks.answers.labels import LabelsAnswer
from regard.tasks.answers.number import NumberAnswer
from regard.text.labels import Labels, LabelSets
from regard.text.scale import Scale


def answer_of(said: Labels | Scale) -> Answer:
    """One of several labels, any number of them, or a number on a scale."""
    if isinstance(said, Scale):
        return NumberAnswer(said)
    return LabelsAnswer(said) if isinstance(said, LabelSets) else LabelAnswer(said)
