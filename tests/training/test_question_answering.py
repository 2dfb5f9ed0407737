"""A model that finds answers: trained, stopped, opened, asked, edited, measured; and its commands."""

import json
from dataclasses import replace
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any

import numpy as np
import pytest
import torch
from tests.conftest import Run
from tests.tasks.tiny_encoder import write_tiny_encoder
from tests.training.test_pretrained_encoder import encoder  # noqa: F401  # two layers, 40 places
from tests.training.tiny import assert_same, stop_in

import regard
from regard.config.load import load_recipe
from regard.config.question_answering import QuestionAnsweringRecipe
from regard.config.text import CharConfig
from regard.errors import ConfigError, DataError, StoppedError
from regard.nn.span_extractor import SpanLogits
from regard.store.folder import read_model
from regard.tasks.calibration import calibrated
from regard.tasks.question_answering.predictor import QuestionAnswerer, calibration_rows
from regard.tasks.question_answering.trainer import QuestionAnsweringTrainer
from regard.text.answer_spans import answer_token_span, shown_spans
from regard.text.tokenizer import Tokenizer

FEW = [
    "data.train.rows=40", "data.dev.rows=6", "data.test.rows=12", "data.max_question=18",
    "training.epochs=2", "training.batch_tokens=256", "training.schedule.warmup_steps=2",
]  # fmt: skip
PEOPLE = ("민수는", "지영은", "수진은", "유나는")
PLACES = ("공원에서", "집에서", "바다에서", "학교에서")
SIZES = "{width: 16, heads: 2, feed_forward: 24, layers: 2, places: 40, dropout: 0.0, attention_dropout: 0.0}"


def rows(tmp: Path) -> Path:
    """Who and where, of people and places in texts of one sentence; nothing is known of when."""
    made: list[dict[str, Any]] = []
    for who in PEOPLE:
        for where in PLACES:
            text = f"{who}  {where} 잤다."  # two spaces: an answer of both words has them, too
            made.append({"question": "누가 잤니?", "text": text, "answer": [who, who[:2]], "start": [0, 0]})
            made.append(
                {"question": "어디에서 잤니?", "text": text, "answer": where, "start": text.index(where)}
            )
            made.append({"question": "언제 잤니?", "text": text, "answer": [], "start": []})
    path = tmp / "rows.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in made), encoding="utf-8")
    return path


def train(start: Path, out: Path, *settings: str) -> QuestionAnswerer:
    regard.train("bert-span", out=out, from_=start, set_=[*FEW, *settings], quiet=True)
    return regard.load(out, task="question-answering")


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """From scratch, on a small world with questions that have no answer."""
    folder = tmp_path_factory.mktemp("answers")
    data = rows(folder)
    settings = [f"data.{part}={data}" for part in ("train", "dev", "test")]
    settings += [
        "data.unanswerable=true",
        "data.max_question=18",
        f"model.encoder={SIZES}",
        "model.dropout=0",
    ]
    settings += ["text={kind: word, vocabulary_size: 300}", "training.epochs=25", "training.batch_tokens=96"]
    settings += ["training.optimizer={kind: adam, learning_rate: 0.01}", "training.schedule.warmup_steps=5"]
    regard.train("bert-span", out=folder / "r", set_=[*settings], quiet=True)
    return folder / "r"


@pytest.fixture(scope="module")
def answerer(trained: Path) -> QuestionAnswerer:
    return regard.load(trained, task="question-answering")


def test_it_has_learned_who_where_and_that_there_is_no_answer(answerer: QuestionAnswerer) -> None:
    found = regard.evaluate(answerer, samples=0, quiet=True)
    assert found.metrics["exact_match"] > 0.9, "each place by chance: a quarter"
    text = "수진은  바다에서 잤다."
    who, where, when = answerer.answer(["누가 잤니?", "어디에서 잤니?", "언제 잤니?"], [text] * 3)
    assert (who.answer, where.answer, when.answer) == ("수진은", "바다에서", "")
    for one in (who, where, when):
        assert one.answer == text[one.start : one.end] == one.source[one.start : one.end]
        assert 0.5 < one.probability <= 1.0
        assert [best.probability for best in one.answers] == sorted(
            (best.probability for best in one.answers), reverse=True
        )
    assert when.in_words().startswith("(no answer) (")


def test_an_answer_is_as_it_stands_in_the_text_and_no_longer_than_may_be(answerer: QuestionAnswerer) -> None:
    text = "수진은  바다에서 잤다."
    found = answerer.answer("누가 잤니?", text, n_best=100)
    assert sum(one.probability for one in found.answers) == pytest.approx(1.0)
    assert {"수진은", "수진은  바다에서", ".", ""} <= {one.text for one in found.answers}
    assert all(one.text == text[one.start : one.end] == one.text.strip() for one in found.answers)
    recipe = answerer.recipe.model_copy(
        update={"data": answerer.recipe.data.model_copy(update={"max_answer": 1, "unanswerable": False})}
    )
    short = QuestionAnswerer(answerer.module, tokenizer=answerer.tokenizer, recipe=recipe)
    assert {one.text for one in short.answer("누가 잤니?", text, n_best=100).answers} == {
        "수진은",
        "바다에서",
        "잤다",
        ".",
    }


def test_no_answer_begins_or_ends_with_a_space(answerer: QuestionAnswerer) -> None:
    """Whatever the scores: a token that is only space has the best ones here."""
    tokenizer = Tokenizer.learn(["책을 읽었다"] * 4, CharConfig())
    encoding = tokenizer.encode("책을 읽었다")
    spaces = [place for place, (start, end) in enumerate(shown_spans(encoding), start=1) if start == end]
    assert spaces
    logits = torch.zeros(1, 1 + len(encoding.ids), dtype=torch.float64)
    logits[0, spaces] = 5.0
    spelt = QuestionAnswerer(answerer.module, tokenizer=tokenizer, recipe=answerer.recipe)
    found = spelt.found(SpanLogits(logits, logits), 0, encoding, n_best=50)
    assert {"책을 읽", "책", "다"} <= {one.text for one in found}
    assert all(one.text == one.text.strip() for one in found)
    assert [one.text for one in found].count("") == 1, "that there is no answer"


def test_probabilities_are_calibrated(trained: Path, answerer: QuestionAnswerer) -> None:
    """The stored temperature is that of the weights, and what is said is divided by it."""
    stored = read_model(trained)
    assert answerer.temperature == stored.summary["temperature"] != 1.0
    again = calibrated(replace(stored, summary={}), "x")
    assert again.summary["temperature"] == pytest.approx(answerer.temperature, rel=1e-3)
    asked = ("누가 잤니?", "민수는  공원에서 잤다.")
    own = answerer.answer(*asked).best.probability
    raw = (
        QuestionAnswerer(answerer.module, tokenizer=answerer.tokenizer, recipe=answerer.recipe)
        .answer(*asked)
        .best
    )
    assert (own > raw.probability) == (answerer.temperature < 1)
    found = regard.evaluate(trained, quiet=True)
    assert 0 <= found.metrics["ece"] <= 1
    assert found.to_dict()["temperature"] == answerer.temperature


def test_of_several_right_answers_the_most_probable_counts(answerer: QuestionAnswerer) -> None:
    (asked,) = answerer.encode([("누가 잤니?", "민수는  공원에서 잤다.")])
    text = asked.text
    size = 1 + len(text.ids)
    logits = SpanLogits(*(torch.zeros(1, size, dtype=torch.float64) for _ in range(2)))
    spans = [(0, 3), (5, 9)]  # the first word, the second
    logits.start[0, answer_token_span(text, spans[1])[0]] = 1.0
    ((scores, right),) = answerer.choices(logits, 0, text, spans)
    assert scores[right] == scores.max() == 1.0
    ((_, other),) = answerer.choices(logits, 0, text, spans[:1])
    assert scores[other] == 0.0
    ((_, nothing),) = answerer.choices(logits, 0, text, [])
    assert nothing == 0


@pytest.mark.parametrize(("count", "rows"), [(0, 0), (3, 3), (500, 500), (501, 251), (1000, 500)])
def test_a_temperature_is_fitted_on_rows_from_everywhere(count: int, rows: int) -> None:
    chosen = calibration_rows(count)
    assert len(chosen) == rows
    assert not count or count - 1 - chosen[-1] < chosen.step


def test_alone_as_in_company_and_nothing_without_words(answerer: QuestionAnswerer) -> None:
    text = "수진은 바다에서 잤다."
    questions, texts = ["누가 잤니?", "누가 잤니?", "", "누가?"], [text, f"{text} " * 9, text, "  "]
    first, long, *empty = answerer.answer(questions, texts)
    assert first.answers[0].probability == pytest.approx(
        answerer.answer("누가 잤니?", text).probability, abs=1e-5
    )
    assert "windows of at most" in long.notes[0]
    assert "longer than what this model reads at once" in str(long.attention.reason)
    assert [(one.answer, one.answers, one.in_words()) for one in empty] == [("", (), "(no words)")] * 2


def test_the_attention_is_of_question_and_text_together(answerer: QuestionAnswerer) -> None:
    found = answerer.answer("누가 잤니?", "수진은 바다에서 잤다.")
    words = found.attention.words()
    assert words.columns == ("<s>", "누가", "잤니", "?", "</s>", "수진은", "바다에서", "잤다", ".", "</s>")
    assert words.weights.sum(axis=1) == pytest.approx(np.ones(10), abs=1e-5)
    assert [word for word, _ in found.looked_at] == ["누가", "잤니", "?"]
    assert [weight for _, weight in found.looked_at] == pytest.approx(words.weights[5, 1:4].tolist())
    assert json.loads(json.dumps(found.to_dict()))["answer"] == "수진은"


def test_edits_and_what_they_change(answerer: QuestionAnswerer) -> None:
    asked = ("누가 잤니?", "수진은 바다에서 잤다.")
    nothing = answerer.answer(*asked, edit=[])
    assert not nothing.changed
    assert nothing.left == pytest.approx(nothing.before.probability)
    masked = answerer.answer(*asked, edit=regard.mask("누가"))
    assert masked.left < masked.before.probability
    gone = answerer.answer(*asked, edit=regard.remove("수진은"))
    assert gone.changed
    assert gone.left == 0.0
    words = gone.attention.words()
    assert words.weights[:, words.columns.index("수진은")].sum() == 0.0
    assert gone.after.answer == gone.source[gone.after.start : gone.after.end]
    for edit, message in (
        (regard.remove("</s>"), "between two texts cannot be removed|frame every sentence"),
        (regard.remove("없다"), "없다"),
    ):
        with pytest.raises(DataError, match=message):
            answerer.answer(*asked, edit=edit)
    with pytest.raises(DataError, match="what is read in windows has no attention over the whole text"):
        answerer.answer("누가 잤니?", "수진은 바다에서 잤다. " * 9, edit=regard.mask("누가"))


def test_a_question_must_leave_room_for_the_text(answerer: QuestionAnswerer) -> None:
    with pytest.raises(DataError, match=r"the question: expected at most 18 tokens in a question, found 38"):
        answerer.answer("잤니? " * 19, "수진은 잤다.")
    with pytest.raises(DataError, match="expected a text for each of 2 questions, found 1"):
        answerer.answer(["누가?", "언제?"], ["수진은 잤다."])


def test_a_stopped_run_goes_on_to_the_same_bits(
    encoder: Path,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moved = tmp_path / "encoder"
    copytree(encoder, moved)
    tuned = train(moved, tmp_path / "whole", "training.frozen_layers=0")
    assert isinstance(tuned.recipe, QuestionAnsweringRecipe)
    assert tuned.recipe.model.encoder.width == 8
    assert tuned.tokenizer.to_json() == regard.load(encoder).tokenizer.to_json()
    stop_in(monkeypatch, {3})
    with pytest.raises(StoppedError):
        train(moved, tmp_path / "r", "training.frozen_layers=0")
    rmtree(moved)  # what goes on needs no more than its run
    train(moved, tmp_path / "r", "training.frozen_layers=0")
    assert_same(tmp_path / "whole", tmp_path / "r")


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("data.max_question=19", r"data.max_question 19 is more than the 18 tokens that .* has room for"),
        ("data.max_tokens=70000", "data.max_tokens: expected less than 65536, found 70000"),
        ("model.encoder.width=16", r"model.encoder.width is 16 here, and 8 in"),
        ("training.label_smoothing=0.1", "label_smoothing is not for question answering"),
        (
            "training.best_by=accuracy",
            "training.best_by: unknown value 'accuracy'; valid: f1, exact_match, loss",
        ),
        ("data.train=builtin:tags", "no column is called"),
    ],
)
def test_what_does_not_fit_is_told(
    encoder: Path,  # noqa: F811
    tmp_path: Path,
    setting: str,
    message: str,
) -> None:
    with pytest.raises((ConfigError, DataError), match=message):
        train(encoder, tmp_path / "r", setting)


def training(tmp_path: Path, row: dict[str, Any], *settings: str) -> QuestionAnsweringTrainer:
    """Of one row and those of the small world, as it is before its first step."""
    path = rows(tmp_path)
    train = tmp_path / "train.jsonl"
    train.write_text(json.dumps(row) + "\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    data = [f"data.train={train}", f"data.dev={path}", "data.max_question=18", "data.unanswerable=true"]
    sizes = [f"model.encoder={SIZES}", "text={kind: word, vocabulary_size: 300}"]
    recipe = load_recipe("bert-span", [*data, *sizes, *settings], kind=QuestionAnsweringRecipe)
    return QuestionAnsweringTrainer(recipe, tmp_path / "r", torch.device("cpu"), quiet=True)


ASKED = {"question": "누가 잤니?", "text": "민수는 어제 잤다.", "answer": "민수는 어제 잤다.", "start": 0}


def test_an_answer_that_is_too_long_to_be_said_is_counted(tmp_path: Path) -> None:
    told = training(tmp_path, ASKED, "data.max_answer=3").describe_corpus()
    assert told.endswith("; 1 training answer longer than data.max_answer = 3, never predicted")
    assert "max_answer" not in training(tmp_path, ASKED, "data.max_answer=4").describe_corpus()


def test_what_is_too_long_is_told_with_both_limits(tmp_path: Path) -> None:
    limits = "data.max_tokens = 120, or its question than data.max_question = 1"
    with pytest.raises(DataError, match=f"^every training question is longer than {limits}$"):
        training(tmp_path, ASKED, "data.max_question=1")


def test_an_answer_without_tokens_is_refused_before_training(tmp_path: Path) -> None:
    """The tokenizer of BERT drops what stands for a damaged character."""
    for name, answer in (("train", "\ufffd"), ("dev", "c")):
        row = {"question": "a b", "text": f"ab {answer}", "answer": answer, "start": 3}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row), encoding="utf-8")
    data = [f"data.{name}={tmp_path / name}.jsonl" for name in ("train", "dev")]
    tiny = write_tiny_encoder(tmp_path / "tiny")
    settings = [*data, "data.max_question=2", "data.max_tokens=8"]
    with pytest.raises(DataError, match=r"train.jsonl:1: the vocabulary has no token for anything"):
        regard.train("bert-span", out=tmp_path / "r", from_=tiny, set_=settings, quiet=True)
    assert not (tmp_path / "r" / "recipe.yaml").exists(), "no run has begun"


def test_commands(run: Run, trained: Path, tmp_path: Path) -> None:
    text = "수진은  바다에서 잤다."
    one = run("answer", trained, "누가 잤니?", text)
    assert one.returncode == 0, one.stderr
    assert "수진은  characters 0 to 3" in one.stdout
    lines = run("answer", trained, text=f"누가 잤니?\t{text}\n\n언제 잤니?\t{text}\n")
    cells = [line.split("\t") for line in lines.stdout.splitlines()]
    assert (cells[0][:3], cells[1], cells[2][:3]) == (["수진은", "0", "3"], [""], ["", "0", "0"])
    data = tmp_path / "q.jsonl"
    rows = [{"question": "누가 잤니?", "context": text}, {"question": "어디에서 잤니?", "text": text}]
    data.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    done = run("answer", trained, data, "--json", "--attention")
    first, second = map(json.loads, done.stdout.splitlines())
    assert (first["answer"], second["answer"], len(first["answers"])) == ("수진은", "바다에서", 3)
    assert first["looked_at"][0]["word"] == "누가"
    looked = run("look", trained, "누가 잤니?", text, "--mask-word", "누가")
    assert "before  수진은" in looked.stdout
    picture = run("look", trained, "누가 잤니?", text, "--over-training", "--out", tmp_path / "x.svg")
    assert picture.returncode == 0, picture.stderr
    assert run("look", trained, "누가 잤니?").stderr.endswith("say the question, and then the text\n")


def test_outputs_of_others_are_measured_and_compared(run: Run, trained: Path, tmp_path: Path) -> None:
    test = rows(tmp_path)
    kept = tmp_path / "kept.jsonl"
    done = run("evaluate", trained, test, "--outputs", kept, "--json", "-q")
    assert done.returncode == 0, done.stderr
    own = json.loads(done.stdout)["metrics"]
    told = tmp_path / "said.txt"
    asked = [json.loads(line) for line in test.read_text(encoding="utf-8").splitlines()]
    told.write_text("".join("수진은\t0\t3\t0.5\n" for _ in asked), encoding="utf-8")
    options = ("--data", f"{test}", "--json", "-q")
    compared = json.loads(
        run("compare", kept, trained, told, "--task", "question-answering", *options).stdout
    )
    scores = {one["name"]: one["metrics"] for one in compared["systems"]}
    assert scores["r"] == own
    del own["ece"]  # a file has no probabilities
    assert scores["kept.jsonl"] == own
    assert scores["said.txt"]["exact_match"] == pytest.approx(
        4 / 48, abs=1e-4
    )  # of 48, where 수진은 is asked for


@pytest.mark.parametrize(
    ("arguments", "text", "message"),
    [
        (("누가 잤니?",), "", "expected a question and a text, or a file of them, found no such file"),
        ((), "누가 잤니?\n", "<stdin>:1: expected a question and a text with a tab between them"),
        ((), '{"question": "누가?"}\n', '<stdin>:1: expected texts under "question" and "text"'),
        ((), "{누가\n", "<stdin>:1: not JSON"),
        (("-", "--attention"), "", "--attention is shown with --json"),
    ],
)
def test_mistakes_are_one_line(
    run: Run, trained: Path, arguments: tuple[str, ...], text: str, message: str
) -> None:
    done = run("answer", trained, *arguments, text=text)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr
