"""Scores, windows and input feeding: what is trained, what is asked, and a part in small."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr
from tests.experiments.test_translating import TINY
from tests.experiments.toy import recurrent

from regard.experiments.estimates import Quantity, estimate
from regard.experiments.luong_scores import SYSTEMS, luong_scores, rank_correlation

WHOLE = luong_scores()
BUILTIN, MULTI30K = WHOLE.worlds


@pytest.mark.parametrize("quick", [False, True])
def test_what_is_trained(quick: bool) -> None:
    """Every score and window of the paper, and what came since; all else is equal."""
    found = {}
    for system in BUILTIN.systems:
        model = recurrent(WHOLE.part(BUILTIN, system, 1, quick).recipe)
        assert model.attention is not None
        assert model.decoder.query == "current"
        found[system] = (model.attention.score, model.attention.window, model.decoder.input_feeding)
    assert found == {
        "dot": ("dot", "global", True),
        "scaled-dot": ("scaled_dot", "global", True),
        "general": ("general", "global", True),
        "additive": ("additive", "global", True),
        "cosine": ("cosine", "global", True),
        "location": ("location", "global", True),
        "local-m": ("general", "local_m", True),
        "local-p": ("general", "local_p", True),
        "local-p-normalised": ("general", "local_p", True),
        "local-p-dot": ("dot", "local_p", True),
        "no-feeding": ("general", "global", False),
    }


def test_real_text_is_named_by_the_variable_not_by_its_place() -> None:
    recipe = WHOLE.part(MULTI30K, "general", 1, False).recipe
    assert recipe is not None
    assert recipe.model_dump(mode="json")["data"]["train"]["path"] == "$REGARD_DATA/multi30k/train.tsv.gz"


def test_rank_correlation() -> None:
    """By hand: 1 - 6 Σd² / n(n² - 1) = 1 - 6 · 2 / 24; and as scipy has it, with ties."""
    one, other = np.array([[1.0], [2.0], [3.0]]), np.array([[10.0], [30.0], [20.0]])
    assert rank_correlation(one, other).tolist() == pytest.approx([0.5])
    generator = np.random.default_rng(1)
    one, other = generator.integers(0, 4, size=(2, 8, 5)).astype(np.float64)
    wanted = [spearmanr(one[:, draw], other[:, draw]).statistic for draw in range(5)]
    assert rank_correlation(one, other) == pytest.approx(np.array(wanted))


def test_the_effects_by_hand() -> None:
    values = {system: {"bleu": 20.0, "aer": 0.3, "perplexity": 6.0} for system in SYSTEMS}
    values["location"] |= {"bleu": 18.0, "aer": 0.4}
    values["additive"] |= {"aer": 0.35}
    values["no-feeding"] |= {"bleu": 19.0}
    values["dot"] |= {"bleu": 21.0}
    values["local-p"] |= {"bleu": 20.5}
    values["local-p-normalised"] |= {"bleu": 22.0}
    seed = {
        system: {name: Quantity(value, (value,) * 40) for name, value in own.items()}
        for system, own in values.items()
    }
    effects = {(f.name, f.world): estimate(f.effect, [seed]).value for f in WHOLE.findings}
    assert effects["location aligns worst", "built-in"] == pytest.approx(0.05)  # beside additive
    assert effects["input feeding helps", "built-in"] == pytest.approx(1.0)
    assert effects["local-p about equals global", "built-in"] == pytest.approx(0.5)
    assert effects["from the diagonal and renormalised, local-p beats global", "built-in"] == pytest.approx(
        2.0
    )
    assert effects["dot suits global windows, general local ones", "built-in"] == pytest.approx(1.5)
    assert effects["content beats location", "multi30k"] == pytest.approx(2.0)
    assert 0 < effects["AER and BLEU are not well correlated", "built-in"] < 1


@pytest.mark.parametrize("system", ["location", "local-p"])
def test_a_part_in_small(tmp_path: Path, system: str) -> None:
    sizes = [("model.decoder.hidden_size", 16), ("model.attention.positions", 8)]
    part = luong_scores([*TINY, *sizes]).part(BUILTIN, system, 1, True)
    found = part.work(tmp_path / "part", True)
    assert found.quantities.keys() == {"bleu", "aer", "perplexity"}
    assert 0 <= found.quantities["aer"].value <= 1
    assert found.quantities["perplexity"].value > 1
    assert len(found.quantities["perplexity"].resampled) == 1000
