"""Rows that a model of any family reads."""

from tests.analysis.families import SECOND, TARGET, TEXT, Family

from regard.data.labelled import LabelledText
from regard.data.pairs import Pair
from regard.data.questions import QuestionExample
from regard.data.tagged import TaggedSentence
from regard.data.text_pairs import TextPair
from regard.evaluation.test_set import TestSet


def rows_of(own: Family) -> TestSet:
    """Three rows for a model of a family."""
    texts = [TEXT, SECOND, f"{SECOND} {TEXT}."]
    task = own.model.task
    found: list[Pair] = []
    for number, text in enumerate(texts, start=1):
        where = f"rows:{number}"
        if task == "classification":
            found.append(LabelledText(text, "good", where, second=own.options.get("second")))
        elif task == "tagging":
            words = tuple(text.removesuffix(".").split())
            found.append(TaggedSentence(text, " ".join("a" for _ in words), where, words=words))
        elif task == "question-answering":
            found.append(QuestionExample(TEXT, TEXT[:1], where, question=text, spans=((0, 1),)))
        elif task == "embedding":
            found.append(TextPair(text, "", where, second=SECOND))
        else:
            found.append(Pair(text, TARGET, where))
    return TestSet.of(found)
