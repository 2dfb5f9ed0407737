"""`regard classify`, and the other commands on a classifier, as a user types them."""

import json
from pathlib import Path

import pytest
from tests.conftest import Run
from tests.tasks.pairs import train_pairs

TEXT = "그 학생이 어제 읽은 책은 재미있지 않았다."


def test_labels_come_line_by_line(run: Run, opinions: Path) -> None:
    done = run("classify", opinions, text=f"{TEXT}\n\n이 책은 아주 좋다.\n")
    assert done.returncode == 0, done.stderr
    first, second, third = done.stdout.splitlines()
    assert first.split("\t")[0] in ("negative", "positive")
    assert 0.5 <= float(first.split("\t")[1]) <= 1
    assert second == ""
    assert third.startswith("positive\t")


def test_json_lines_have_probabilities_and_attention_when_asked(
    run: Run, opinions: Path, tmp_path: Path
) -> None:
    path = tmp_path / "texts.txt"
    path.write_text(f"{TEXT}\n\n", encoding="utf-8")
    plain, empty = map(json.loads, run("classify", opinions, path, "--json").stdout.splitlines())
    assert plain.keys() == {"source", "label", "probability", "probabilities"}
    assert (empty["label"], empty["probabilities"]) == (None, {})
    looked, _ = map(json.loads, run("classify", opinions, path, "--json", "--attention").stdout.splitlines())
    assert looked["attention"]["words"]["rows"] == ["hop 0", "hop 1", "hop 2"]
    assert run("classify", opinions, "--attention").stderr.startswith(
        "regard: --attention is shown with --json"
    )


def test_look_shows_each_hop_their_sum_and_their_overlap(run: Run, opinions: Path, tmp_path: Path) -> None:
    done = run("look", opinions, TEXT)
    assert done.returncode == 0, done.stderr
    for shown in ("hop 0", "hop 2", "all hops", "재미있지", "overlap between hops: 0."):
        assert shown in done.stdout
    values = json.loads(run("look", opinions, TEXT, "--json").stdout)["attention"]
    assert len(values["overlap"]) == len(values["weights"]) == 3
    assert sum(values["sum"]) == pytest.approx(1.0, abs=1e-4)
    for name in ("look.png", "look.html", "text.svg", "edit.png"):
        more = {"text.svg": ["--kind", "text"], "edit.png": ["--mask-word", "책은"]}.get(name, [])
        done = run("look", opinions, TEXT, "--out", tmp_path / name, *more)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / name).stat().st_size > 1000
    assert "all hops" in (tmp_path / "look.html").read_text(encoding="utf-8")


def test_edits_are_made_through_the_same_options(run: Run, opinions: Path) -> None:
    done = run("look", opinions, TEXT, "--mask-head", "pooling:1", "--force-row", "0=책은")
    assert "mask pooling, head 1" in done.stdout
    assert "KL(before ‖ after)" in done.stdout


def test_a_hop_is_computed_before_the_readers_eyes(run: Run, opinions: Path) -> None:
    done = run("look", opinions, TEXT, "--explain", "1=책은")
    assert done.returncode == 0, done.stderr
    assert "e_j = w · tanh(W₁ h_j)" in done.stdout


def test_evaluate_prints_scores_and_the_confusion(run: Run, opinions: Path, tmp_path: Path) -> None:
    out = tmp_path / "result.json"
    done = run("evaluate", opinions, "--samples", "20", "--out", out, "--outputs", tmp_path / "o.txt")
    assert done.returncode == 0, done.stderr
    for shown in (
        "accuracy",
        "macro_f1",
        "ece",
        "attention_precision",
        "attention_recall",
        "gold \\ predicted",
    ):
        assert shown in done.stdout
    record = json.loads(out.read_text(encoding="utf-8"))
    assert record["recipe"]["task"] == record["task"] == "classification"
    corpus = "{kind: builtin, world: sentiment, rows: 200}"
    again = run("compare", opinions, tmp_path / "o.txt", "--data", corpus, "--samples", "20", "--json")
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["systems"][1]["differences"]["accuracy"]["value"] == 0.0


def test_files_of_ones_own_are_trained_on(run: Run, tmp_path: Path) -> None:
    for split in ("train", "dev"):
        rows = "".join(f"이 책은 {word}.\t{stars}\n" for word, stars in (("좋다", "5"), ("나쁘다", "1"))) * 4
        (tmp_path / f"{split}.tsv").write_text(f"review\tstars\n{rows}", encoding="utf-8")
    options = ["--data", tmp_path, "--text", "review", "--label", "stars", "--set", "training.epochs=1"]
    dry = run("train", "bag", *options, "--dry-run")
    assert "8 training texts, 8 dev texts; a vocabulary of" in dry.stdout, dry.stderr
    done = run("train", "bag", *options, "--out", tmp_path / "r", "-q")
    assert done.returncode == 0, done.stderr
    assert run("classify", tmp_path / "r", text="이 책은 좋다.\n").stdout[0] in "15"
    look = run("look", tmp_path / "r", "이 책은 좋다.")
    assert "nothing to show: this model has no attention" in look.stderr
    assert run("runs", tmp_path / "r").returncode == 0


def test_pairs_on_the_command_line(run: Run, tmp_path: Path) -> None:
    train_pairs(tmp_path / "r")
    one, other = "서연은 그저께 역에서 유나를 기다렸다.", "서연은 그저께 유나를 기다리지 않았다."
    done = run("classify", tmp_path / "r", text=f"{one}\t{other}\n\n{one}\n")
    assert done.returncode == 2
    assert done.stdout.count("\n") == 2  # what was good is said
    assert "<stdin>:3: expected two texts with a tab between them, found 1" in done.stderr
    shown = run("look", tmp_path / "r", one, other)
    assert shown.returncode == 0, shown.stderr
    for part in (one, other, "기다렸다    .    ‖ 서연은", "first, overlap between hops", "second, overlap"):
        assert part in shown.stdout
    values = json.loads(run("look", tmp_path / "r", one, other, "--json").stdout)
    assert values["second_attention"]["columns"][-2] == "않았다"
    for name in ("look.png", "look.html"):
        done = run(
            "look", tmp_path / "r", one, other, "--mask-word", "second:않았다", "--out", tmp_path / name
        )
        assert done.returncode == 0, done.stderr
    assert run("look", tmp_path / "r", one, other, "--out", tmp_path / "x.html").returncode == 0
    assert "reads two texts, and found one" in run("look", tmp_path / "r", one).stderr


def test_a_long_line_is_read_whole_with_a_notice(run: Run, opinions: Path) -> None:
    done = run("classify", opinions, text="좋다.\n" + "이 책은 아주 좋다. " * 300 + "\n")
    assert done.returncode == 0
    assert done.stdout.count("\n") == 2
    assert "<stdin>:2: " in done.stderr
    assert "windows of at most 1,024 that overlap" in done.stderr


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["translate", "{}"], "is a model for classification, and one for translation is needed here"),
        (["score", "{}"], "is a model for classification, and one that writes is needed here"),
        (["look", "{}", TEXT, "--target", "x"], "is a model for classification; --target is for translators"),
        (
            ["look", "{}", TEXT, "--explain", "3"],
            "row 3 is not there; the rows are 0 hop 0, 1 hop 1, 2 hop 2",
        ),
        (["look", "{}", TEXT, "--force-prefix", "x"], "a prefix is forced while a model writes"),
        (["evaluate", "{}", "--beam-size", "2"], "beam_size is not for classification"),
        (["evaluate", "{}", "--metrics", "bleu"], "no metric is called 'bleu'"),
        (["evaluate", "{}", "--task", "classfication"], "did you mean 'classification'?"),
    ],
)
def test_what_does_not_fit_is_one_line(run: Run, opinions: Path, command: list[str], message: str) -> None:
    done = run(*(part.replace("{}", str(opinions)) for part in command), text="x\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_translator_is_no_classifier(run: Run, trained: Path) -> None:
    done = run("classify", trained, text="x\n")
    assert done.returncode == 2
    assert "is a model for translation, and one for classification is needed here" in done.stderr
