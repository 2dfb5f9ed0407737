"""With attention and without: equal parameters, equal minutes, and the effects by hand."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.experiments.test_translating import TINY
from tests.experiments.toy import recurrent

from regard.config.recipe import Recipe
from regard.experiments.bahdanau_length import ATTENTION, BIBLE, PLAIN, bahdanau_length
from regard.experiments.estimates import Quantity, estimate
from regard.experiments.experiment import Experiment, Measured, Part, World
from regard.experiments.parts import count_parameters
from regard.experiments.reproduce import reproduce

WHOLE = bahdanau_length()


def recipes(experiment: Experiment, world: str, *, quick: bool) -> tuple[Recipe, Recipe]:
    (place,) = (each for each in experiment.worlds if each.name == world)
    found = [experiment.part(place, system, 1, quick).recipe for system in (ATTENTION, PLAIN)]
    assert found[0] is not None
    assert found[1] is not None
    return found[0], found[1]


@pytest.mark.parametrize(("world", "quick"), [("built-in", False), ("built-in", True), (BIBLE, False)])
def test_as_many_parameters_and_minutes(world: str, quick: bool) -> None:
    attending, plain = recipes(WHOLE, world, quick=quick)
    assert recurrent(attending).attention is not None
    assert recurrent(plain).attention is None
    sizes = [
        count_parameters(recipe, vocabulary=recipe.text.vocabulary_size) for recipe in (attending, plain)
    ]
    assert sizes[1] == pytest.approx(sizes[0], rel=0.02)
    assert recurrent(plain).decoder.hidden_size > recurrent(attending).decoder.hidden_size
    assert attending.training == plain.training
    assert attending.training.minutes is not None
    assert attending.data == plain.data


def test_the_effects_by_hand() -> None:
    """Without attention 30 falls to 10, with attention 32 to 27: by 15 less; up to 20 words by 11 less."""
    measured = {
        ATTENTION: {"bleu": 30.0, "bleu short": 32.0, "bleu 16-20": 31.0, "bleu long": 27.0},
        PLAIN: {"bleu": 20.0, "bleu short": 30.0, "bleu 16-20": 18.0, "bleu long": 10.0},
    }
    seed = {
        system: {name: Quantity(value, (value,) * 40) for name, value in values.items()}
        for system, values in measured.items()
    }
    effects = {finding.name: estimate(finding.effect, [seed]).value for finding in WHOLE.findings}
    assert effects == {
        "attention keeps BLEU up to 20 words": 11.0,
        "attention keeps BLEU up beyond 30 words": 15.0,
        "without attention BLEU falls with length": 20.0,
        "attention beats none": 10.0,
        "attention beats none on long sentences": 17.0,
        "attention beats none on real text": 10.0,
    }


def test_a_busy_machine_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trainings of equal minutes that got 0.5 and 1.0 cores cannot be compared; 0.9 and 1.0 can."""
    monkeypatch.delenv("REGARD_DATA", raising=False)
    shares = {ATTENTION: 0.5, PLAIN: 1.0}

    def part(world: World, system: str, seed: int, quick: bool) -> Part:
        quantity = Quantity(1.0, (1.0,) * 40)
        names = ("bleu", "bleu short", "bleu long", "bleu 1-5", "bleu 6-10", "bleu 16-20")
        about = {"parameters": 1, "cores": shares[system]}
        measured = Measured(dict.fromkeys(names, quantity), about, 1.0)
        return replace(WHOLE.part(world, system, seed, quick), work=lambda *_: measured)

    experiment = replace(WHOLE, part=part)
    busy = reproduce(experiment, tmp_path / "busy", quick=True, quiet=True)
    assert "equal minutes had from 0.5 to 1 cores" in busy.notes[0]
    shares[ATTENTION] = 0.9
    assert reproduce(experiment, tmp_path / "idle", quick=True, quiet=True).notes == ()


def test_the_experiment_in_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REGARD_DATA", raising=False)
    small = [setting for setting in TINY if setting[0] != "data.train.rows"]
    train = ("data.train", {"kind": "builtin", "rows": 60, "max_words": 3})
    lengths = [("data.test.max_words", 40), ("training.minutes", 0.01)]
    experiment = bahdanau_length([train, *small, *lengths])
    record = reproduce(experiment, tmp_path / "x", quick=True, quiet=True)
    attending, plain = record.parts
    assert plain.about["parameters"] == pytest.approx(attending.about["parameters"], rel=0.02)
    assert {"bleu", "bleu short", "bleu long"} <= plain.values.keys()
    assert len(record.findings) == 5
    assert (tmp_path / "x" / "bahdanau-length.svg").stat().st_size > 20_000
