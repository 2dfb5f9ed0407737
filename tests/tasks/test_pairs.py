"""Two texts in, one answer with the attention over both out; and edits that name the text they mean."""

import json
import re
from pathlib import Path

import pytest
from tests.tasks.pairs import TINY, train_pairs

import regard
from regard.errors import ConfigError, DataError
from regard.insight.edits import Edit
from regard.tasks.classification.predictor import Classifier
from regard.world.inference import inference

FIRST = "서연은 그저께 역에서 유나를 기다렸다."
SECOND = "서연은 그저께 유나를 기다리지 않았다."


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("pairs") / "r"
    train_pairs(out)
    return out


@pytest.fixture(scope="module")
def model(run_folder: Path) -> Classifier:
    return regard.load(run_folder, task="classification")


def test_a_result_has_both_texts_and_the_attention_over_each(model: Classifier) -> None:
    found = model.classify(FIRST, SECOND)
    assert (found.source, found.second) == (FIRST, SECOND)
    assert set(found.probabilities) == {"contradiction", "entailment", "neutral"}
    for text, words in enumerate((FIRST, SECOND)):
        hops, read, weights = found.attention.words(text=text)
        assert read == (*words.removesuffix(".").split(), ".")
        assert hops == ("hop 0", "hop 1", "hop 2")
        assert weights.sum(axis=1) == pytest.approx([1.0] * 3, abs=1e-5)
    assert found.attention.paths == ("first.pooling", "second.pooling")
    values = json.loads(json.dumps(found.to_dict()))
    assert values["second"] == SECOND
    assert values["attention"]["second_words"]["columns"][-2] == "않았다"


def test_the_texts_are_not_taken_for_each_other(model: Classifier) -> None:
    turned = model.classify(SECOND, FIRST)
    assert turned.probabilities != model.classify(FIRST, SECOND).probabilities
    assert turned.attention.words().columns == model.classify(FIRST, SECOND).attention.words(text=1).columns


def test_a_pair_does_not_depend_on_its_batch(model: Classifier) -> None:
    examples = list(inference("test", 12))
    firsts, seconds = [own.premise for own in examples], [own.hypothesis for own in examples]
    for one, other, together in zip(firsts, seconds, model.classify(firsts, seconds), strict=True):
        alone = model.classify(one, other)
        assert alone.probabilities == pytest.approx(together.probabilities, abs=1e-5)
        for text in (0, 1):
            weights = [own.attention.words(text=text).weights for own in (alone, together)]
            assert weights[0] == pytest.approx(weights[1], abs=1e-5)


def test_lines_have_a_tab_between_the_texts(model: Classifier) -> None:
    lines = [("x:1", f"{FIRST}\t{SECOND}"), ("x:2", ""), ("x:3", f"{FIRST}\t"), ("x:4", FIRST)]
    results = model.classify_lines(lines)
    found = [next(results) for _ in range(3)]
    assert found[0].probabilities == pytest.approx(model.classify(FIRST, SECOND).probabilities, abs=1e-5)
    assert [own.label for own in found[1:]] == ["", ""]
    with pytest.raises(DataError, match=r"^x:4: expected two texts with a tab between them, found 1"):
        next(results)


@pytest.mark.parametrize(
    ("edit", "paths"),
    [
        (regard.mask("않았다"), ["second"]),
        (regard.mask("유나를"), ["first", "second"]),
        (regard.mask("first:유나를"), ["first"]),
        (regard.mask("second:1"), ["second"]),
        (regard.mask_head("second.pooling", 1), ["second"]),
        (regard.force_row(0, "역에서"), ["first"]),
        (regard.force_row(0, "유나를", path="second.pooling"), ["second"]),
    ],
)
def test_an_edit_changes_the_text_that_it_names(model: Classifier, edit: Edit, paths: list[str]) -> None:
    effect = model.classify(FIRST, SECOND, edit=edit)
    changed = [
        name
        for text, name in enumerate(("first", "second"))
        if not (
            effect.before.attention.words(text=text).weights
            == effect.after.attention.words(text=text).weights
        ).all()
    ]
    assert changed == paths
    assert effect.before.probabilities != effect.after.probabilities
    assert SECOND in str(effect)


def test_a_word_is_removed_from_the_text_that_has_it(model: Classifier) -> None:
    effect = model.classify(FIRST, SECOND, edit=regard.remove("않았다"))
    before, after = (own.attention.tokens(text=1).columns for own in (effect.before, effect.after))
    assert len(after) < len(before)
    assert effect.before.attention.tokens().columns == effect.after.attention.tokens().columns


def test_attention_of_one_pair_is_put_into_another(model: Classifier) -> None:
    given = model.classify(SECOND, SECOND).attention
    effect = model.classify(SECOND, SECOND, edit=regard.transplant(given, kind="hops"))
    assert effect.before.probabilities == effect.after.probabilities


def test_a_hop_is_explained_over_the_text_that_its_path_names(model: Classifier) -> None:
    for text, path in enumerate(("first.pooling", "second.pooling")):
        told = model.explain(FIRST, SECOND, row=2, path=path)
        seen = model.classify(FIRST, SECOND).attention.tokens(text=text)
        assert told.columns == seen.columns
        assert told.model == pytest.approx(seen.weights[2], abs=1e-6)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (regard.mask(2), "word 2: of which text\\? say first:2 or second:2"),
        (regard.mask("2"), "word 2: of which text\\?"),
        (regard.mask("바다"), "'바다' is in neither text; their words are first: 서연은 그저께"),
        (regard.mask("second:역에서"), "'역에서' is not in the sentence"),
        (regard.mask_head("pooling", 0), "did you mean 'first.pooling'"),
        (
            regard.force_row(0, "않았다", path="first.pooling"),
            "first.pooling does not attend to '않았다', which is in",
        ),
    ],
)
def test_mistakes_in_edits(model: Classifier, edit: Edit, message: str) -> None:
    with pytest.raises(DataError, match=message):
        model.classify(FIRST, SECOND, edit=edit)


def test_one_text_or_two_are_told_apart(model: Classifier, classifier: Classifier) -> None:
    with pytest.raises(DataError, match="this model reads two texts, and found one"):
        model.classify(FIRST)
    with pytest.raises(DataError, match="this model reads one text, and found two"):
        classifier.classify(FIRST, SECOND)
    with pytest.raises(DataError, match="expected a second text for each of 2, found 1"):
        model.classify([FIRST, FIRST], [SECOND])
    assert repr(model).startswith("Classifier(3 labels of pairs, sentence,")


def test_pairs_are_measured_and_compared(run_folder: Path, tmp_path: Path) -> None:
    found = regard.evaluate(run_folder, samples=10, quiet=True)
    line = next(found.sentences())
    example = next(iter(inference("test", 1)))
    assert (line["source"], line["second"]) == (example.premise, example.hypothesis)
    path = tmp_path / "o.jsonl"
    path.write_text(found.outputs_as(json_lines=True), encoding="utf-8")
    both = regard.compare([run_folder, path], samples=10, quiet=True)
    assert both.differences["o.jsonl"]["accuracy"].value == 0.0


def test_word_vectors_are_learned_from_both_texts_and_runs_begin_with_pairs(
    run_folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The second texts alone have words; with the first alone there would be one entry to learn."""
    rows = [("0", "책이 아주 좋다", "a"), ("0", "책이 아주 나쁘다", "b")] * 20
    path = tmp_path / "t.tsv"
    path.write_text("x\ty\tz\n" + "".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    data = [f"data.{name}={value}" for name, value in (("text", "x"), ("second", "y"), ("label", "z"))]
    files = [f"data.train={path}", f"data.dev={path}", "data.test=null"]
    settings = [*TINY, *data, *files, "vectors.text={kind: word2vec, epochs: 1}"]
    regard.train("self-attentive-pairs", out=tmp_path / "r", set_=settings)
    told = re.search(r": (\d+) of \d+ entries", capfd.readouterr().err)
    assert told is not None
    assert int(told[1]) >= 4
    with pytest.raises(ConfigError, match=r"data.answer is label there, labels here"):
        regard.train(out=tmp_path / "s", from_=run_folder, set_=["data.answer=labels"], quiet=True)
