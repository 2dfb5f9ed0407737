"""Systems that differ in their pooling alone, the effects by hand, and the whole in small."""

from pathlib import Path

import pytest

from regard.config.load import Setting
from regard.config.sentence import SentenceConfig
from regard.experiments.estimates import Quantity, estimate
from regard.experiments.lin_hops import FREE, MANY, MAX, ONE, STRICT, lin_hops
from regard.experiments.reproduce import reproduce

WHOLE = lin_hops()
TINY: list[Setting] = [
    ("data.train.rows", 60),
    ("data.dev.rows", 10),
    ("data.test.rows", 20),
    ("training.epochs", 1),
]


@pytest.mark.parametrize("quick", [True, False])
def test_the_pooling_is_all_that_differs(quick: bool) -> None:
    for world in [world for world in WHOLE.worlds if world.in_quick or not quick]:
        recipes = [WHOLE.part(world, system, 1, quick).recipe for system in world.systems]
        rest = set()
        for recipe in recipes:
            assert recipe is not None
            assert isinstance(recipe.model, SentenceConfig)
            values = recipe.model_dump(mode="json")
            del values["model"]["pooling"]
            rest.add(str(values))
        assert len(rest) == 1


def test_the_effects_by_hand() -> None:
    """The paper's own numbers, of Yelp."""
    accuracy = {MAX: 0.6199, ONE: 0.60, MANY: 0.6421, FREE: 0.6174, STRICT: 0.63}
    seed = {name: {"accuracy": Quantity(value, (value,) * 40)} for name, value in accuracy.items()}
    for name, value in ((FREE, 0.8), (STRICT, 0.3)):
        seed[name]["overlap"] = Quantity(value, (value,) * 40)
    effects = {finding.name: estimate(finding.effect, [seed]).value for finding in WHOLE.findings}
    assert effects["self-attention beats max pooling"] == pytest.approx(2.22)
    assert effects["many hops beat one"] == pytest.approx(4.21)
    assert effects["the penalty keeps hops apart"] == pytest.approx(50.0)
    assert effects["the penalty helps"] == pytest.approx(2.47)
    assert len(effects) == len(WHOLE.findings)


def test_the_experiment_in_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REGARD_DATA", raising=False)
    record = reproduce(lin_hops(TINY), tmp_path / "x", quick=True, quiet=True)
    assert [part.system for part in record.parts] == list(WHOLE.worlds[0].systems)
    values = {part.system: part.values for part in record.parts}
    assert all(0 < (own["accuracy"] or 0) <= 1 for own in values.values())
    assert [name for name, own in values.items() if "overlap" in own] == list(values)[2:]
    assert len(record.findings) == 4
    assert (tmp_path / "x" / "lin-hops.svg").stat().st_size > 5_000
