import json
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest, Result

import regard
from regard.config.data import BuiltinCorpus, DataConfig
from regard.data.pairs import Pair, read_pairs
from regard.errors import DataError, RegardError, StoreError
from regard.evaluation.comparison import Comparison, compare_evaluations
from regard.evaluation.comparison_figure import FEW, _figure, draw_comparison
from regard.evaluation.test_set import TestSet
from regard.tasks.translation.evaluator import TranslationEvaluator
from regard.tasks.translation.predictor import Translator

PAIRS = list(read_pairs(BuiltinCorpus(rows=100), DataConfig(), split="test"))
DATA = {"kind": "builtin", "rows": 100}


def worse(share: float, seed: int) -> list[str]:
    chance = random.Random(seed)
    return [" ".join(word for word in pair.target.split() if chance.random() > share) for pair in PAIRS]


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Three systems, the second a little worse than the first, the third the same as the first."""
    made = [tmp_path / "기준.txt", tmp_path / "other.txt", tmp_path / "same.txt"]
    for path, texts in zip(made, (worse(0.15, 1), worse(0.25, 2), worse(0.15, 1)), strict=True):
        path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return made


def test_the_table_is_that_of_sacrebleu(files: list[Path]) -> None:
    result = regard.compare(files, DATA, metrics=["bleu"], quiet=True)
    named: list[tuple[str, Sequence[str]]] = [
        (path.name, path.read_text(encoding="utf-8").splitlines()) for path in files
    ]
    references = [[pair.target for pair in PAIRS]]
    _, table = PairedTest(named, {"BLEU": BLEU()}, references, test_type="bs", n_samples=1000)()
    assert list(result.evaluations) == table["System"] == ["기준.txt", "other.txt", "same.txt"]
    _, theirs, _ = table["BLEU"]
    assert isinstance(theirs, Result)
    found = result.differences["other.txt"]["bleu"]
    assert found.p_value == theirs.p_value
    assert found.value == pytest.approx(theirs.score - result.first.metrics["bleu"])
    assert found.interval.low < found.value < found.interval.high < 0
    assert result.differences["same.txt"]["bleu"].p_value == 1.0


def test_groups_differ_by_their_own_scores(files: list[Path]) -> None:
    result = regard.compare(files[:2], DATA, by=["constructions"], metrics=["chrf"], quiet=True)
    one, two = result.evaluations.values()
    for column in ("length", "constructions"):
        for value in one.by[column]:
            scores = [each.by[column][value].metrics["chrf"] for each in (one, two)]
            gap = result.group_difference("other.txt", column, value, "chrf")
            assert gap == pytest.approx(scores[1] - scores[0])
    record = json.loads(json.dumps(result.to_dict()))
    baseline, other = record["systems"]
    assert "differences" not in baseline
    assert other["by"]["length"]["1-5"]["differences"].keys() == {"chrf"}
    assert record["data"] == "builtin:ko-en:test"


def test_the_sentences_that_differ_most_come_first() -> None:
    pairs = [
        Pair("가", "one two three", "t:1"),
        Pair("나", "four five six", "t:2"),
        Pair("다", "seven", "t:3"),
    ]
    test_set = TestSet.of(pairs)
    good = TranslationEvaluator().evaluate([pair.target for pair in pairs], test_set)
    bad = TranslationEvaluator().evaluate(["one two thrice", "nothing", "seven"], test_set)
    result = compare_evaluations({"good": good, "bad": bad}, show=10)
    assert [contrast.where for contrast in result.contrasts] == ["t:2", "t:1"]  # t:3 is the same in both
    first = result.contrasts[0]
    assert first.outputs == {"good": "four five six", "bad": "nothing"}
    assert first.scores["good"] == 100.0 > first.scores["bad"]
    assert len(compare_evaluations({"good": good, "bad": bad}, show=1).contrasts) == 1
    assert compare_evaluations({"good": good, "bad": bad}, show=0).contrasts == ()


def test_models_and_files_side_by_side(translator: Translator, files: list[Path]) -> None:
    result = regard.compare({"모델": translator, "twin": translator, "file": files[0]}, DATA, quiet=True)
    assert result.differences["twin"].keys() == {"bleu", "chrf", "ter", "aer"}
    assert result.differences["file"].keys() == {"bleu", "chrf", "ter"}  # a file has no attention
    assert "모델: bleu" in repr(result)
    assert "p against 모델" in repr(result)
    assert "file: bleu" in repr(result)


def test_systems_are_named_by_as_much_of_their_path_as_is_needed(files: list[Path], tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    twin = tmp_path / "b" / "other.txt"
    twin.write_bytes(files[1].read_bytes())
    result = regard.compare([*files[:2], twin], DATA, metrics=["chrf"], quiet=True)
    assert list(result.evaluations) == ["기준.txt", str(files[1]), str(twin)]


def test_models_of_different_languages_are_refused(translator: Translator) -> None:
    data = translator.recipe.data.model_copy(update={"source": "de"})
    german = Translator(
        translator.module,
        source_tokenizer=translator.source_tokenizer,
        target_tokenizer=translator.target_tokenizer,
        recipe=translator.recipe.model_copy(update={"data": data}),
    )
    with pytest.raises(DataError, match="model 2 translates de→en, but model 1 ko→en; compare models of one"):
        regard.compare([translator, german], DATA)


def test_mistakes(files: list[Path], tmp_path: Path) -> None:
    with pytest.raises(DataError, match="a comparison needs two systems or more, found 1"):
        regard.compare(files[:1], DATA)
    with pytest.raises(DataError, match=r"기준.txt: is named twice"):
        regard.compare([files[0], files[0]], DATA)
    with pytest.raises(DataError, match="expected a list of systems, found only 'runs/a'"):
        regard.compare("runs/a", DATA)
    with pytest.raises(
        StoreError, match="nowhere: there is no such model folder, nor such a file of outputs"
    ):
        regard.compare([files[0], tmp_path / "nowhere"], DATA)
    with pytest.raises(DataError, match=r"기준.txt: expected one line for each row of .*: found 100 for 99"):
        regard.compare(files, {**DATA, "rows": 99})
    test_set, fewer = TestSet.of(PAIRS), TestSet.of(PAIRS[:50])
    texts = [pair.target for pair in PAIRS]
    one = TranslationEvaluator().evaluate(texts, test_set, metrics=["chrf"], samples=10)
    two = TranslationEvaluator().evaluate(texts[:50], fewer, metrics=["chrf"], samples=10)
    with pytest.raises(DataError, match="two: was scored on another test set than the baseline"):
        compare_evaluations({"one": one, "two": two})


def comparison(systems: int, rows: int) -> Comparison:
    test_set = TestSet.of(PAIRS[:rows])
    return compare_evaluations(
        {
            f"시스템 {n} $x_1$ " + "길" * 40: TranslationEvaluator().evaluate(
                worse(0.1, n)[:rows], test_set, samples=20
            )
            for n in range(systems)
        }
    )


@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf"])
def test_a_figure(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"비교{ending}"
    draw_comparison(comparison(2, 100), path)
    signs = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}
    assert path.read_bytes().startswith(signs[ending])
    assert path.stat().st_size > 5000


def test_scales_end_where_a_metric_does() -> None:
    """Both systems are wrong in nearly all: without the end of the scale, it would go on below 0."""
    test_set = TestSet.of(PAIRS[:50])
    poor = [pair.target if n == 0 else "x" for n, pair in enumerate(PAIRS[:50])]
    found = compare_evaluations(
        {
            name: TranslationEvaluator().evaluate(poor, test_set, metrics=["bleu"], samples=20)
            for name in ("a", "b")
        }
    )
    scores, lengths = _figure(found).axes
    assert scores.get_xlim()[0] < 0  # room for the numbers
    assert scores.spines["bottom"].get_bounds()[0] == 0
    assert lengths.get_ylim()[0] == 0


def test_a_group_of_few_rows_is_not_drawn_like_one_of_many() -> None:
    """Hollow, and nothing solid leads to it; the others stay as they are, and each says its count."""
    sizes = {3: FEW, 8: FEW - 1, 13: FEW, 18: FEW}
    pairs = [
        Pair("가 " * words, "one two", f"t:{words}") for words, rows in sizes.items() for _ in range(rows)
    ]
    test_set = TestSet.of(pairs)
    outputs = [pair.target for pair in pairs]
    found = compare_evaluations(
        {name: TranslationEvaluator().evaluate(outputs, test_set, samples=5) for name in ("a", "b")}
    )
    axes = _figure(found).axes[-1]
    drawn = [(line, np.asarray(line.get_xdata(), dtype=float).tolist()) for line in axes.lines]
    marks = [
        (line.get_markerfacecolor() == "white", at) for line, at in drawn if line.get_linestyle() == "None"
    ]
    assert {place for hollow, at in marks for place in at if hollow} == {1.0}
    assert {place for hollow, at in marks for place in at if not hollow} == {0.0, 2.0, 3.0}
    solid = [at for line, at in drawn if at and line.get_linestyle() == "-"]
    assert solid == [[2.0, 3.0]] * 2  # of both systems
    assert [label.get_text() for label in axes.get_xticklabels()][1] == "6-10\n19 rows"
    assert "fewer than 20 rows" in axes.get_xlabel()


def test_a_figure_of_many_systems_and_of_one_row(tmp_path: Path) -> None:
    draw_comparison(comparison(10, 100), tmp_path / "many.png")
    draw_comparison(comparison(2, 1), tmp_path / "one.png")
    with pytest.raises(RegardError, match=r"x.bmp: a picture ends in"):
        draw_comparison(comparison(2, 1), tmp_path / "x.bmp")
