import numpy as np
import pytest
from numpy.testing import assert_allclose

from regard.errors import DataError
from regard.tasks.translation.predictor import Translator

SENTENCE = "d a h b e c"


def test_it_follows_the_row_that_the_map_shows(copier: Translator) -> None:
    seen = copier.look(SENTENCE)
    shown = seen.attention.tokens()
    for row, label in enumerate(shown.rows):
        told = copier.explain(SENTENCE, row=row, column="h")
        assert (told.label, told.columns, told.chosen) == (label, shown.columns, (2,))
        assert_allclose(told.weights, shown.weights[row], atol=1e-5)


def test_the_numbers_are_those_of_the_formula(copier: Translator) -> None:
    """v · tanh(W s + U h), from the parameters of the model."""
    told = copier.explain(SENTENCE, "d a h", row="a")
    own = {name: value.double().numpy() for name, value in copier.module.state_dict().items()}
    w, u, v = (own[f"attention.score.{name}.weight"] for name in ("query", "key", "energy"))
    hidden = np.tanh(w @ told.query + told.values @ u.T)
    assert told.row == 1
    assert_allclose(told.scores, hidden @ v[0], atol=1e-5)
    assert_allclose(told.terms["W s"], w @ told.query, atol=1e-5)


def test_mistakes(copier: Translator) -> None:
    for arguments, message in (
        ({"row": 9}, "row 9 is not there; the rows are 0 ▁d, 1 ▁a, 2 ▁h, 3 </s>"),
        ({"row": "z"}, "'z' is not in the rows; its words are 0 d, 1 a, 2 h, 3 </s>"),
        ({"row": 0, "column": "z"}, "'z' is not in the sentence"),
        ({"row": 0, "path": "atention"}, "no attention of this model is called 'atention'; did you mean"),
        ({"row": 0, "head": 1}, "attention has no heads, found head 1"),
    ):
        with pytest.raises(DataError, match=message):
            copier.explain(SENTENCE, "d a h", **arguments)
    with pytest.raises(DataError, match=r"'a' is 2 tokens \(1 ▁a, 2 ▁a\); choose one by its number"):
        copier.explain(SENTENCE, "d a a", row="a")
    with pytest.raises(DataError, match="the sentence has no words"):
        copier.explain("", row=0)
