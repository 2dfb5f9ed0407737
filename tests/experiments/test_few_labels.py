"""What pre-training is worth with few labels: what differs between systems, and the whole in small."""

from ast import literal_eval
from dataclasses import replace
from pathlib import Path

import pytest
from tests.experiments.tiny_bert import FEW, TINY

from regard.experiments.experiment import Part, World
from regard.experiments.few_labels import BUILTIN, KORSTS, NSMC, SCRATCH, TRAINED, few_labels
from regard.experiments.reproduce import reproduce

WHOLE = few_labels()


def settings_of(part: Part) -> dict[str, str]:
    """What a part is fine-tuned with; the last of two settings of the same holds."""
    return dict(map(literal_eval, part.facts["task"]))


@pytest.mark.parametrize("world", WHOLE.worlds, ids=lambda world: str(world.name))
def test_what_differs_is_the_weights(world: World) -> None:
    parts = {system: WHOLE.part(world, system, 2, False) for system in world.systems}
    for system, part in parts.items():
        if not system.startswith(TRAINED):
            continue
        other = parts[system.replace(TRAINED, SCRATCH)]
        assert part.facts["pre-training"] == other.facts["pre-training"]
        own, theirs = settings_of(part), settings_of(other)
        assert (own["start.weights"], theirs["start.weights"]) == ("keep", "chance")
        assert {name for name in own if own[name] != theirs[name]} == {"start.weights"}


def test_vectors_are_learned_without_labels() -> None:
    """Each sentence with itself, or with the one beside it: no column says how alike they are."""
    (world,) = (world for world in WHOLE.worlds if world.name == KORSTS)
    vectors = dict(
        literal_eval(setting) for setting in WHOLE.part(world, f"{TRAINED} 100", 1, False).facts["vectors"]
    )
    assert "vectors" not in WHOLE.part(world, f"{SCRATCH} 100", 1, False).facts
    assert "model.objective" not in vectors, "in-batch negatives do not look at scores; others would"
    for part in vectors["data.train"]:
        assert part["names"].keys() == {"sentence1", "sentence2"}
        assert {*part["names"].values()} <= {"sentence1", "sentence2", "premise", "hypothesis", "ko"}
        assert "test" not in part["path"]
        assert "koen" not in part["path"] or part["filter"] == ["source in tatoeba, context"]


def test_the_sentences_of_korsts_are_not_trained_on() -> None:
    (world,) = (world for world in WHOLE.worlds if world.name == KORSTS)
    plain = WHOLE.part(world, f"{TRAINED} 100", 1, False).facts["pre-training"]
    parts = [part["corpus"] for part in plain["data"]["train"]["parts"]]
    assert {part["path"]: part["filter"] for part in parts if "/koen/" in part["path"]} == {
        "$REGARD_DATA/koen/train.tsv.gz": ["source != stsb"]
    }
    assert {part["path"] for part in parts if "/korsts/" in part["path"]} == {
        "$REGARD_DATA/korsts/train.tsv.gz"
    }
    assert not any("test" in part["path"] for part in parts)
    assert plain["data"]["dev"]["filter"] == ["source != stsb"]


def test_each_seed_draws_other_labels() -> None:
    for world in WHOLE.worlds[:3]:
        tasks = {str(WHOLE.part(world, f"{TRAINED} 100", seed, False).facts["task"]) for seed in range(1, 6)}
        assert len({task.partition("training.seed")[0] for task in tasks}) == 5


def test_the_whole_in_small(tmp_path: Path) -> None:
    done = reproduce(few_labels(TINY, FEW), tmp_path / "out", seeds=1, quick=True, quiet=True)
    assert [finding.world for finding in done.findings] == [BUILTIN, BUILTIN]
    assert all(0 <= part.values["accuracy"] <= 100 for part in done.parts if part.values["accuracy"])
    encoders = {path.name for path in (tmp_path / "out" / "parts").glob("encoder-*")}
    assert encoders == {f"encoder-{BUILTIN}"}, "one for all parts"


def test_a_world_that_lacks_one_of_its_folders_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("nsmc", "raw", "koen", "koen-docs"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("REGARD_DATA", str(tmp_path))
    (world,) = (world for world in WHOLE.worlds if world.name == NSMC)
    only = replace(few_labels(TINY, FEW), worlds=(WHOLE.worlds[0], world))
    done = reproduce(only, tmp_path / "out", seeds=1, quick=False, quiet=True)
    assert [left.why for left in done.left_out] == ["the data folder has no 'koen-software'"]
