"""Parts of the Transformer: what is changed, what is asked, and the whole in small."""

from pathlib import Path
from typing import Any

import pytest

from regard.config.load import Setting
from regard.experiments.estimates import Quantity, estimate
from regard.experiments.experiment import World
from regard.experiments.parts import count_parameters
from regard.experiments.reproduce import reproduce
from regard.experiments.vaswani_ablation import BASE, NARROW, SYSTEMS, vaswani_ablation

WHOLE = vaswani_ablation()
BUILTIN, MULTI30K = WHOLE.worlds
TINY: list[Setting] = [
    ("data.train.rows", 40), ("data.train.max_words", 3), ("data.dev.rows", 4), ("data.dev.max_words", 3),
    ("data.test.rows", 8), ("data.test.max_words", 3), ("text.vocabulary_size", 400),
    ("model.encoder_layers", 1), ("model.decoder_layers", 1), ("model.feed_forward", 16),
    ("training.batch_tokens", 128), ("training.epochs", 1),
]  # fmt: skip


def told(world: World, system: str, *, quick: bool = False) -> dict[str, Any]:
    """The recipe of a system, by the path of each setting of its model and its training."""
    recipe = WHOLE.part(world, system, 1, quick).recipe
    assert recipe is not None
    sections = recipe.model_dump(mode="json")
    return {f"{name}.{key}": value for name in ("model", "training") for key, value in sections[name].items()}


@pytest.mark.parametrize(("world", "quick"), [(BUILTIN, False), (BUILTIN, True), (MULTI30K, False)])
def test_one_thing_is_changed_at_a_time(world: World, quick: bool) -> None:
    base = told(world, BASE, quick=quick)
    changed = {}
    for system in world.systems:
        own = told(world, system, quick=quick)
        changed[system] = {path: own[path] for path in base if own[path] != base[path]}
    narrow = base["model.width"] // 32
    wanted = {
        BASE: {},
        "heads-1": {"model.heads": 1},
        "heads-4": {"model.heads": 4},
        "heads-32": {"model.heads": 32},
        NARROW: {"model.head_size": narrow},
        "smoothing-0": {"training.label_smoothing": 0.0},
        "smoothing-0.2": {"training.label_smoothing": 0.2},
        "learned": {"model.positions": "learned"},
        "rotary": {"model.positions": "rotary"},
        "none": {"model.positions": "none"},
        "no-dropout": {"model.dropout": 0.0, "model.attention_dropout": 0.0},
    }
    assert changed == {system: wanted[system] for system in world.systems}
    facts = ("model.heads", "model.positions", "training.label_smoothing", "model.dropout")
    assert [base[path] for path in facts] == [8, "sinusoidal", 0.1, 0.1]


def test_heads_share_the_width() -> None:
    """Other heads, the same parameters; only narrow ones have fewer."""
    sizes = {}
    for system in ("heads-1", "heads-4", BASE, "heads-32", NARROW):
        recipe = WHOLE.part(BUILTIN, system, 1, False).recipe
        assert recipe is not None
        sizes[system] = count_parameters(recipe, vocabulary=500)
    assert sizes.pop(NARROW) < min(sizes.values())
    assert len(set(sizes.values())) == 1


def test_the_effects_by_hand() -> None:
    """Smoothed, perplexity is 5.25 instead of 5 and BLEU 26 instead of 25.5; others beside the base."""
    values = {system: {"bleu": 26.0, "perplexity": 5.25} for system in SYSTEMS}
    values["smoothing-0"] = {"bleu": 25.5, "perplexity": 5.0}
    values["smoothing-0.2"] |= {"perplexity": 6.3}
    values["heads-1"] |= {"perplexity": 10.5}
    values["heads-32"] |= {"perplexity": 5.775}
    values[NARROW] |= {"perplexity": 5.355}
    values["none"] |= {"perplexity": 21.0}
    values["rotary"] |= {"perplexity": 4.2}
    values["no-dropout"] |= {"perplexity": 4.725}
    seed = {
        system: {name: Quantity(value, (value,) * 40) for name, value in own.items()}
        for system, own in values.items()
    }
    asked = [finding for finding in WHOLE.findings if finding.world == BUILTIN.name]
    assert {finding.name: estimate(finding.effect, [seed]).value for finding in asked} == pytest.approx(
        {
            "several heads beat one": 100.0,
            "narrower heads hurt": 2.0,
            "label smoothing hurts perplexity": 5.0,
            "label smoothing helps BLEU": 0.5,
            "learned positions about equal sinusoids": 0.0,
            "dropout helps": -10.0,
            "too many heads hurt": 10.0,
            "more label smoothing hurts perplexity more": 20.0,
            "attention needs positions": 300.0,
            "rotary positions beat sinusoids": 20.0,
        }
    )


def test_the_experiment_in_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REGARD_DATA", raising=False)
    record = reproduce(vaswani_ablation(TINY), tmp_path / "x", quick=True, quiet=True)
    assert [part.system for part in record.parts] == list(SYSTEMS)
    assert len(record.findings) == 10
    assert all((part.values["perplexity"] or 0) > 1 for part in record.parts)
    assert [left.world for left in record.left_out] == [MULTI30K.title]
    assert (tmp_path / "x" / "vaswani-ablation.svg").stat().st_size > 20_000
