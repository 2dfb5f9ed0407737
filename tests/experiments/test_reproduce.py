"""An experiment from its parts to its verdicts: kept, gone on with, left out, and written."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.experiments.toy import measures, toy

from regard.config.load import load_recipe
from regard.errors import ConfigError, StoreError
from regard.experiments.estimates import Quantity
from regard.experiments.experiment import Measured, Part, World
from regard.experiments.record import Reproduction, effect_text, interval_text, over_text, read_record
from regard.experiments.reproduce import RESULT, keep, kept, reproduce
from regard.store.lock import locked


@pytest.fixture(autouse=True)
def _no_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REGARD_DATA", raising=False)


def test_verdicts_effects_and_intervals(tmp_path: Path) -> None:
    """The gain is 4, 5 and 6 with the three seeds: 5 ± 4.303 / √3."""
    record = reproduce(toy(), tmp_path / "x", quiet=True)
    helps, falls = record.findings
    assert (helps.verdict, helps.sentence, record.headline) == (
        "confirmed",
        "Attention helps",
        "Attention helps",
    )
    assert helps.each == pytest.approx((4.0, 5.0, 6.0))
    assert (effect_text(helps), interval_text(helps), over_text(helps)) == (
        "+5.0 BLEU", "+2.5 to +7.5", "3 seeds",
    )  # fmt: skip
    assert (falls.verdict, falls.sentence) == ("not resolved", "Not resolved: With attention it falls")
    assert falls.interval == pytest.approx((0.0, 0.0))


def test_one_seed_says_that_it_is_one(tmp_path: Path) -> None:
    record = reproduce(toy(), tmp_path / "x", seeds=1, quiet=True)
    assert (record.seeds, record.findings[0].over) == ((1,), "test rows")
    assert over_text(record.findings[0]) == "test rows (1 seed)"
    assert record.findings[0].interval == pytest.approx((4.0, 4.0))  # the two swing together


def test_repetitions_are_called_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The interval is made as that of seeds; and a share of the machine that changed is told."""
    shares = iter([1.0, 2.0, 1.9, 1.9])

    def part(world: World, system: str, seed: int, quick: bool) -> Part:
        measured = Measured(measures(system, seed), {"parameters": 1, "cores": next(shares)}, 1.0)
        return Part(lambda *_: measured, {}, 0.1)

    experiment = replace(toy(), part=part, repeats="repetitions", note="it was windy")
    record = reproduce(experiment, tmp_path / "x", seeds=2)
    helps = record.findings[0]
    assert (helps.over, over_text(helps), helps.each) == ("repetitions", "2 repetitions", (4.0, 5.0))
    assert "without, repetition 2" in capsys.readouterr().err
    assert record.notes[0] == "it was windy"
    assert record.notes[1].startswith(
        "made on the spot, without: the machine was busy; repetitions had from 1 to 1.9 cores"
    )
    assert len(record.notes) == 2
    svg = (tmp_path / "x" / "toy.svg").read_text(encoding="utf-8")
    assert "with 2 repetitions. Bands and bars are 95 % intervals over repetitions." in svg


def test_the_result_file(tmp_path: Path) -> None:
    """It is what was returned, can be read again, and says what it depends on."""
    record = reproduce(toy(), tmp_path / "x", quiet=True)
    text = (tmp_path / "x" / "toy.json").read_text(encoding="utf-8")
    assert read_record(text, "x") == record
    told = json.loads(text)
    assert (told["kind"], told["format"], told["quick"], told["seeds"]) == (
        "reproduction",
        1,
        False,
        [1, 2, 3],
    )
    assert {"regard", "torch", "threads"} <= told["versions"].keys()
    assert [part["seconds"] for part in told["parts"]] == [1.5] * 6
    assert told["seconds"] == 9.0
    assert told["parts"][1] == {
        "world": "here", "system": "attention", "seed": 1, "seconds": 1.5, "about": {"parameters": 1000},
        "values": {"bleu": 8.0, "bleu 10": 8.0, "bleu 20": 8.0, "aer": 0.46},
    }  # fmt: skip


def test_the_schema_says_everything(tmp_path: Path) -> None:
    """A result has the properties of the schema, no fewer and no more; another format is refused."""
    record = reproduce(toy(), tmp_path / "x", seeds=1, quiet=True)
    told = json.loads(record.model_dump_json())
    assert told.keys() == Reproduction.model_json_schema()["properties"].keys()
    for broken, where in (({"format": 2}, "format"), ({"verdicts": []}, "verdicts")):
        with pytest.raises(StoreError, match=rf"r.json: is not a result of regard reproduce \({where}: "):
            read_record(json.dumps({**told, **broken}), "r.json")


def test_a_figure_is_drawn(tmp_path: Path) -> None:
    from matplotlib.image import imread

    reproduce(toy(every_chart=True), tmp_path / "x", quiet=True)
    pixels = imread(tmp_path / "x" / "toy.png")
    assert pixels.shape[1] > 2000  # three charts side by side
    ink = (pixels[:, :, :3].min(axis=2) < 0.8).mean(axis=0)
    thirds = [part.mean() for part in np.array_split(ink, 3)]
    assert min(thirds) > 0.005
    svg = (tmp_path / "x" / "toy.svg").read_text(encoding="utf-8")
    assert svg.count('<g id="axes_') == 3


def test_a_stopped_experiment_goes_on_after_its_finished_parts(tmp_path: Path) -> None:
    def stop(name: str) -> None:
        if name == "here-none-2":
            raise KeyboardInterrupt

    done: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        reproduce(toy(done, before=stop), tmp_path / "x", quiet=True)
    assert done == ["here-none-1", "here-attention-1"]
    assert not (tmp_path / "x" / "toy.json").exists()
    record = reproduce(toy(done), tmp_path / "x", quiet=True)
    assert done == [f"here-{system}-{seed}" for seed in (1, 2, 3) for system in ("none", "attention")]
    whole = reproduce(toy(), tmp_path / "whole", quiet=True)
    assert record == whole


def test_more_seeds_later_use_those_that_are_there(tmp_path: Path) -> None:
    done: list[str] = []
    reproduce(toy(done), tmp_path / "x", seeds=2, quiet=True)
    reproduce(toy(done), tmp_path / "x", seeds=3, quiet=True)
    assert done[4:] == ["here-none-3", "here-attention-3"]


def test_what_is_missing_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record = reproduce(toy(), tmp_path / "a", seeds=1)
    assert [left.why for left in record.left_out] == ["no data folder is named: --data DIR, or REGARD_DATA"]
    assert "real text: left out, no data folder is named" in capsys.readouterr().err
    monkeypatch.setenv("REGARD_DATA", str(tmp_path))
    record = reproduce(toy(), tmp_path / "b", seeds=1, quiet=True)
    assert [left.why for left in record.left_out] == ["the data folder has no 'toy-corpus'"]
    (tmp_path / "toy-corpus").mkdir()
    record = reproduce(toy(), tmp_path / "c", seeds=2, quiet=True)
    assert record.left_out == ()
    assert [(f.name, f.verdict, len(f.each)) for f in record.findings][-1] == (
        "the gain is small",
        "opposite",
        1,
    )
    record = reproduce(toy(), tmp_path / "d", seeds=1, quick=True, quiet=True)
    assert [left.why for left in record.left_out] == ["it is not part of the quick form"]


def test_some_worlds_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was run is kept for the whole, which is run later."""
    monkeypatch.setenv("REGARD_DATA", str(tmp_path))
    (tmp_path / "toy-corpus").mkdir()
    done: list[str] = []
    record = reproduce(toy(done), tmp_path / "x", seeds=1, worlds=["here"], quiet=True)
    assert [left.why for left in record.left_out] == ["it was not asked for (--world)"]
    assert {part.world for part in record.parts} == {"here"}
    assert {finding.world for finding in record.findings} == {"here"}
    first = len(done)
    assert reproduce(toy(done), tmp_path / "x", seeds=1, quiet=True).left_out == ()
    assert not {*done[:first]} & {*done[first:]}
    with pytest.raises(ConfigError, match="has no world 'hear'; did you mean 'here'"):
        reproduce(toy(), tmp_path / "y", worlds=["hear"], quiet=True)
    assert not (tmp_path / "y").exists()


def test_progress_says_which_part_and_how_long(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reproduce(toy(), tmp_path / "x", seeds=1)
    told = capsys.readouterr().err
    assert "part 1 of 2: made on the spot: without, seed 1; about 12 s left" in told
    reproduce(toy(), tmp_path / "x", seeds=2)
    told = capsys.readouterr().err
    assert "2 of 4 parts are there already" in told
    assert "part 3 of 4: made on the spot: without, seed 2" in told


def test_parts_of_other_settings_are_refused(tmp_path: Path) -> None:
    reproduce(toy(facts={"steps": 100}), tmp_path / "x", seeds=1, quiet=True)
    with pytest.raises(StoreError, match=r"other settings \(more.steps is 100 there, 200 here\)"):
        reproduce(toy(facts={"steps": 200}), tmp_path / "x", seeds=1, quiet=True)


def test_parts_of_a_recipe_that_a_newer_setting_was_missing_in_are_kept(tmp_path: Path) -> None:
    facts = {"recipe": load_recipe("bahdanau").model_dump(mode="json")}
    keep(tmp_path, facts, Measured({"bleu": Quantity(1.0, (1.0,))}, {}, 1.0))
    path = tmp_path / RESULT
    older = json.loads(path.read_text())
    assert older["facts"]["recipe"]["training"]["optimizer"].pop("layer_decay") == 1.0
    path.write_text(json.dumps(older))
    assert kept(tmp_path, facts) is not None
    older["facts"]["recipe"]["description"] = "the same in other words"
    path.write_text(json.dumps(older))
    assert kept(tmp_path, facts) is not None
    older["facts"]["recipe"]["training"]["optimizer"]["layer_decay"] = 0.9
    path.write_text(json.dumps(older))
    with pytest.raises(StoreError, match=r"layer_decay is 0\.9 there, 1\.0 here"):
        kept(tmp_path, facts)


def test_a_damaged_part_is_named(tmp_path: Path) -> None:
    reproduce(toy(), tmp_path / "x", seeds=1, quiet=True)
    path = tmp_path / "x" / "parts" / "here-none-1" / RESULT
    for content in (b"", b"{", b"[]", b'{"format": 9}', b'{"format": 1, "quantities": 3}'):
        path.write_bytes(content)
        with pytest.raises(StoreError, match=r"measured\.json: damaged, or of another version; remove it"):
            reproduce(toy(), tmp_path / "x", seeds=1, quiet=True)


def test_places_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "recipe.yaml").touch()
    with pytest.raises(StoreError, match="holds a training run"):
        reproduce(toy(), tmp_path / "run", quiet=True)
    with locked(tmp_path / "x"), pytest.raises(StoreError, match="another run is using it"):
        reproduce(toy(), tmp_path / "x", quiet=True)
