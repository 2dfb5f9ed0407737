"""Real commands on real files: regard data, train --dry-run, new."""

import gzip
import json
import shlex
from pathlib import Path

import pytest
from tests.conftest import SMALL_SETTINGS, Run

from regard.cli.train import print_estimate
from regard.config.classification import ClassificationRecipe
from regard.config.load import load_recipe
from regard.config.tagging import TaggingRecipe
from regard.config.translation import TranslationRecipe
from regard.training.estimate import Estimate

TABLE = "source\tko\ten\nnews\t나는 간다.\tI go.\nbible\t그는 왔다.\tHe came.\nnews\t비가 온다.\tIt rains.\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "x.tsv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_what_there_is(run: Run, tmp_path: Path, table: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "y.jsonl.gz").write_bytes(gzip.compress(b'{"text": "a", "label": 1}\nbroken\n'))
    done = run("data")
    assert done.returncode == 0
    for world in (
        "builtin:ko-en",
        "builtin:sentiment",
        "builtin:inference",
        "builtin:tags",
        "builtin:questions",
    ):
        assert world in done.stdout
    done = run("data", "list", tmp_path)
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["file", "rows", "bad", "columns"],
        ["sub/y.jsonl.gz", "1", "1", "text,", "label"],
        ["x.tsv", "3", "source,", "ko,", "en"],
    ]


def test_samples(run: Run, table: Path) -> None:
    done = run("data", "sample", table, "--filter", "source != bible", "--columns", "en", "--json")
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"where": f"{table}:2", "en": "I go."},
        {"where": f"{table}:4", "en": "It rains."},
    ]
    assert done.stderr == "2 of 2 rows\n"
    shown = run("data", "sample", "builtin:sentiment:test", "-n", "1").stdout.splitlines()
    assert [line.split(":")[0].strip() for line in shown] == ["builtin", "text", "label", "carriers"]
    drawn = [
        run("data", "sample", "builtin:inference:dev", "-n", "2", "--seed", seed).stdout
        for seed in ("1", "1", "2")
    ]
    assert drawn[0] == drawn[1] != drawn[2]


def test_values_of_every_type_can_be_looked_at(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"ko": "가", "ok": true, "none": null, "n": 3}\n', encoding="utf-8")
    done = run("data", "sample", tmp_path / "x.jsonl", "--json")
    seen = json.loads(done.stdout)
    assert (seen["ko"], seen["ok"], seen["none"], seen["n"]) == ("가", "true", "null", "3")


@pytest.mark.parametrize("packed", [False, True])
def test_samples_from_stdin(run: Run, packed: bool) -> None:
    given = gzip.compress(TABLE.encode()) if packed else TABLE.encode()
    done = run("data", "sample", "tsv:-", "--columns", "ko", "--json", text=given)
    assert json.loads(done.stdout.splitlines()[0]) == {"where": "<stdin>:2", "ko": "나는 간다."}


@pytest.mark.parametrize("ending", [".tsv", ".csv", ".jsonl", ".tsv.gz", ".csv.gz", ".jsonl.gz"])
def test_what_is_written_reads_the_same(run: Run, tmp_path: Path, ending: str) -> None:
    first, second = tmp_path / f"a{ending}", tmp_path / "b.jsonl"
    done = run("data", "write", "builtin:ko-en:test", "--rows", "20", "--out", first)
    assert done.stdout == f"{first}: 20 rows of ko, en, links, constructions\n"
    run("data", "write", first, "--out", second)
    direct = tmp_path / "c.jsonl"
    run("data", "write", "builtin:ko-en:test", "-n", "20", "--out", direct)
    assert second.read_bytes() == direct.read_bytes()
    assert len(second.read_text(encoding="utf-8").splitlines()) == 20


def test_parallel_and_tagged_files(run: Run, tmp_path: Path, table: Path) -> None:
    run("data", "write", table, "--columns", "ko,en", "--out", tmp_path / "out" / "train.{column}")
    assert (tmp_path / "out" / "train.ko").read_text(encoding="utf-8").splitlines()[1] == "그는 왔다."
    assert (tmp_path / "out" / "train.en").read_text(encoding="utf-8").splitlines()[1] == "He came."
    run("data", "write", "builtin:tags:dev", "-n", "2", "--out", tmp_path / "t.conll")
    words = run("data", "sample", tmp_path / "t.conll", "--json").stdout
    assert words.replace(str(tmp_path / "t.conll"), "") != ""
    assert len(words.splitlines()) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sample", "nothing.tsv"], "nothing.tsv: no such file"),
        (["sample", "x.docx"], "expected builtin:WORLD"),
        (["sample", "builtin:moon"], "unknown value 'moon'"),
        (["sample", "x.tsv", "--columns", "eng"], "no column is called 'eng'; did you mean 'en'?"),
        (
            ["sample", "x.tsv", "--filter", "sauce == a"],
            "no column is called 'sauce'; did you mean 'source'?",
        ),
        (["sample", "x.tsv", "--filter", "source"], "expected a condition such as 'source != bible'"),
        (["write", "x.tsv", "--out", "y.doc"], "y.doc: expected a name that ends in .tsv"),
        (["write", "x.tsv", "--out", "y.txt"], "a .txt file has one column, these rows have 3"),
        (["write", "bad.tsv", "--out", "y.tsv"], "bad.tsv:3: expected 2 columns as in the header, found 1"),
        (["write", "lines.jsonl", "--out", "y.tsv"], "row 1: t has a tab or a line end"),
        (["list", "nowhere"], "nowhere: expected a folder"),
        (["list", "empty"], "empty: no file in it ends in .tsv"),
    ],
)
def test_mistakes_are_one_line(
    run: Run, table: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(table.parent)
    Path("bad.tsv").write_text("a\tb\n1\t2\n3\n")
    Path("x.docx").write_text("no table")
    Path("lines.jsonl").write_text('{"t": "a\\tb"}\n')
    Path("empty").mkdir()
    before = set(Path().iterdir())
    done = run("data", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert set(Path().iterdir()) == before  # nothing half-written


def test_the_cache_can_be_seen_and_cleared(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path / "cache"))
    assert "0 entries" in run("data", "cache").stdout
    run("train", "demo", "--dry-run", *SMALL_SETTINGS, "--set", "data.train.rows=50")
    assert "2 entries" in run("data", "cache").stdout
    assert "removed" in run("data", "cache", "--clear").stdout
    assert "0 entries" in run("data", "cache").stdout


def test_a_dry_run_tells_what_training_takes_and_writes_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(
        "train", "demo", "--dry-run", "--out", "runs/x", *SMALL_SETTINGS, "--set", "data.train.rows=300"
    )
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []
    for line in ("parameters: ", "memory: ", "speed: ", "time: "):
        assert line in done.stdout
    said = int(done.stdout.split("parameters: ")[1].split(" ")[0].replace(",", ""))
    parts = done.stdout.split("(")[1].split(")")[0].split(", ")
    assert said == sum(int(part.split()[-1].replace(",", "")) for part in parts)
    assert " epochs; validation comes on top" in done.stdout


def test_a_dry_run_counts_the_epochs_that_fit_into_the_minutes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    steps = {"steps_per_epoch": 100, "step_seconds": 1.2, "step_spread": 0.1, "tokens_per_second": 1000.0}
    sizes = {"parameters": {"all": 1}, "weight_bytes": 4, "training_bytes": 16, "peak_bytes": 99}
    for minutes, told in ((5.0, "2.5 of 12 epochs in the 5 min"), (30.0, "24.0 min for 12 epochs")):
        print_estimate("rows", Estimate(**sizes, **steps, epochs=12, minutes=minutes))  # type: ignore[arg-type]
        assert f"2.0 min an epoch of 100 steps, {told}" in capsys.readouterr().out


def test_bad_rows_are_skipped_when_asked(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("data", "write", "builtin:ko-en:train", "-n", "100", "--columns", "ko,en", "--out", "train.tsv")
    with Path("train.tsv").open("ab") as file:
        file.write(b"\xff\tbroken\nempty\t \n")
    train = [
        "train",
        "demo",
        "--set",
        "data.train=train.tsv",
        *SMALL_SETTINGS[6:],
        "--set",
        "training.epochs=1",
    ]
    refused = run(*train, "--out", "a")
    assert refused.returncode == 2
    assert refused.stderr.splitlines()[-1].startswith(
        "regard: train.tsv:102: not UTF-8 at byte 1 of the line"
    )
    assert not Path("a").exists()
    done = run(*train, "--out", "b", "--set", "data.on_bad_row=skip")
    assert done.returncode == 0, done.stderr
    assert "2 bad rows skipped" in done.stderr
    records = [
        json.loads(line) for line in Path("b/quarantine.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert [record["where"] for record in records] == ["train.tsv:102", "train.tsv:103"]


@pytest.fixture
def pairs(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    run("data", "write", "builtin:ko-en:train", "-n", "300", "--columns", "ko,en", "--out", path)
    return path


def test_a_recipe_for_one_file(
    run: Run, tmp_path: Path, pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The columns are guessed, the file is cut in three, and the recipe trains."""
    monkeypatch.chdir(tmp_path)
    done = run("new", "--data", pairs, "--out", "mine.yaml", "--hours", "0.06")
    assert done.returncode == 0, done.stderr
    recipe = load_recipe("mine.yaml", kind=TranslationRecipe)
    assert (recipe.data.source, recipe.data.target) == ("ko", "en")
    assert recipe.training.minutes == 3.6
    assert all(Path(f"mine-data/{part}.csv").exists() for part in ("train", "dev", "test"))
    text = Path("mine.yaml").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 32
    assert "  minutes: 3.6                        # --hours 0.06;" in text
    assert not Path("mine-data").joinpath(".cache").exists()
    tried = run("train", "mine.yaml", "--dry-run", "--set", "training.epochs=1")
    assert tried.returncode == 0, tried.stderr
    done = run("new", "--data", "mine-data", "--out", "full.yaml", "--full")
    assert done.returncode == 0, done.stderr
    whole = load_recipe("full.yaml", kind=TranslationRecipe)
    assert whole.training.minutes is None
    assert len(Path("full.yaml").read_text(encoding="utf-8").splitlines()) > 150
    assert "# Here: an epoch takes" in Path("full.yaml").read_text(encoding="utf-8")


def test_bad_rows_are_counted_and_the_next_command_is_named(
    run: Run, tmp_path: Path, pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each way out leads to a recipe: the command that is named, as it is, and --skip-bad."""
    monkeypatch.chdir(tmp_path)
    rows = [line.replace(",", ";") for line in pairs.read_text(encoding="utf-8").splitlines()]
    marked = [f"{row};note {n}" for n, row in enumerate(rows[1:])]
    bad = [";It rains.;x", ";It snows.;x"]
    Path("our pairs.csv").write_text("\n".join([f"{rows[0]};note", *marked, *bad]), encoding="utf-8")
    before = sorted(path.name for path in tmp_path.iterdir())
    done = run("new", "--data", "our pairs.csv", "--out", "mine.yaml")
    assert done.returncode == 2
    line = done.stderr.splitlines()[-1]
    assert (
        "our pairs.csv: 2 of 302 rows cannot be used; the first: our pairs.csv:302: the ko side is " in line
    )
    assert "; add --skip-bad to leave them out, or write a clean copy: regard doctor 'our pairs.csv' " in line
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    for command in line.partition("clean copy: ")[2].split(" && "):
        done = run(*shlex.split(command)[1:], "-q")
        assert done.returncode == 0, done.stderr
    done = run("new", "--data", "our pairs.csv", "--out", "skip.yaml", "--skip-bad")
    assert done.returncode == 0, done.stderr
    assert (
        "our pairs.csv: 2 of 302 rows cannot be used, and are left out; the first: our pairs" in done.stderr
    )
    for name in ("mine", "skip"):
        kept = [
            Path(f"{name}-data/{part}.csv").read_text(encoding="utf-8") for part in ("train", "dev", "test")
        ]
        assert sorted(row for part in kept for row in part.splitlines()[1:]) == sorted(marked)
    done = run("new", "--data", "skip-data", "--out", "more.yaml", "--skip-bad")
    assert load_recipe("more.yaml").data.on_bad_row == "stop", "nothing is bad in it"


def test_plain_files_are_cut_side_by_side(
    run: Run, tmp_path: Path, pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plain").mkdir()
    rows = [line.split(",") for line in pairs.read_text(encoding="utf-8").splitlines()[1:]]
    for place, side in enumerate(("ko", "en")):
        text = "".join(f"{row[place]}\n" for row in rows)
        Path(f"plain/train.{side}").write_text(text, encoding="utf-8")
    named = ["--source", "ko", "--target", "en"]
    Path("base.yaml").write_text("task: translation\nvectors: {source: nowhere.vec}\n")
    wrong = run("new", "--data", "plain", *named, "--recipe", "base.yaml", "--out", "mine.yaml", "-q")
    assert "nowhere.vec" in wrong.stderr.splitlines()[-1]
    assert not Path("mine-data").exists(), "nothing is left of what came to nothing"
    done = run("new", "--data", "plain", *named, "--out", "mine.yaml", "-q")
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in Path("mine-data").iterdir()) == [
        "dev.en", "dev.ko", "test.en", "test.ko", "train.en", "train.ko"
    ]  # fmt: skip
    assert run("train", "mine.yaml", "--dry-run", "-q").returncode == 0


def test_the_advice_names_the_parts_that_were_cut(
    run: Run, tmp_path: Path, pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pairs.open("a", encoding="utf-8") as file:
        file.write("그는 &amp; 나는 학교에 갔다.,He &amp; I went to school.\n")
    done = run("new", "--data", pairs, "--out", "mine.yaml")
    assert "`regard doctor mine-data --source ko --target en` shows examples" in done.stderr
    assert "entity (1" in run("doctor", "mine-data", "--source", "ko", "--target", "en", "-q").stdout


def test_a_recipe_for_a_classifier(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The columns are guessed by their names and cells; pairs and numbers are asked for."""
    monkeypatch.chdir(tmp_path)
    run("data", "write", "builtin:sentiment:train", "-n", "300", "--columns", "text,label", "--out", "a.csv")
    done = run("new", "--data", "a.csv", "--out", "mine.yaml", "--hours", "1")
    assert done.returncode == 0, done.stderr
    recipe = load_recipe("mine.yaml", kind=ClassificationRecipe)
    assert (recipe.data.text, recipe.data.label, recipe.data.answer.kind) == ("text", "label", "label")
    rows = len(Path("mine-data/train.csv").read_text(encoding="utf-8").splitlines()) - 1
    assert f"# the corpus has {rows} texts" in Path("mine.yaml").read_text(encoding="utf-8")
    cells = "".join(f"{n} 책이 {n % 5} 번,책이 {n % 7} 번,{n % 5 - n % 7}\n" for n in range(220))
    Path("b.csv").write_text(f"one,two,gap\n{cells}", encoding="utf-8")
    options = ["--text", "one", "--second", "two", "--label", "gap", "--answer", "number"]
    done = run("new", "--data", "b.csv", *options, "--out", "pairs.yaml", "--hours", "1")
    assert done.returncode == 0, done.stderr
    pairs = load_recipe("pairs.yaml", kind=ClassificationRecipe)
    assert (pairs.data.second, pairs.data.answer.kind) == ("two", "number")
    assert "two: has the same few cells again and again; they stand in all parts" in done.stderr
    for more, message in (
        (["--source", "one"], "--source and --target are for translation, --text and --label for a class"),
        (["--label", "one"], "--text, --second and --label name a column twice: one, two, one"),
        (["--answer", "nubmer"], "--answer: expected label, labels or number, found 'nubmer'"),
        (["--recipe", "bahdanau"], "is for translation, and a recipe for classification is needed here"),
    ):
        wrong = run("new", "--data", "b.csv", *options, *more, "--out", f"{more[1]}.yaml")
        assert wrong.returncode == 2
        assert message in wrong.stderr


def test_a_recipe_for_a_tagger(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of words and their tags is recognised, and cut between its sentences."""
    monkeypatch.chdir(tmp_path)
    sentences = [f"the\tD\ncat\tN\nsaw\tV\n{n}\tNUM\ndogs{n}\tN\n\n" for n in range(220)]
    Path("words.conll").write_text("".join(sentences), encoding="utf-8")
    done = run("new", "--data", "words.conll", "--out", "mine.yaml", "--hours", "1", "-q")
    assert done.returncode == 0, done.stderr
    recipe = load_recipe("mine.yaml", kind=TaggingRecipe)
    assert (recipe.data.text, recipe.data.label) == ("words", "tags")
    parts = [Path(f"mine-data/{part}.conll").read_text() for part in ("train", "dev", "test")]
    kept = [f"{sentence}\n\n" for part in parts for sentence in part.removesuffix("\n\n").split("\n\n")]
    assert sorted(kept) == sorted(sentences)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--data is missing"),
        (["--data", "nothing"], "nothing: no such file or folder"),
        (["--data", "pairs.csv", "--source", "kr", "--out", "m.yaml"], "no column is called 'kr'"),
        (["--data", "pairs.csv", "--source", "ko", "--target", "ko", "--out", "m.yaml"], "name two columns"),
        (["--data", "pairs.csv", "--out", "pairs.csv"], "pairs.csv: expected a name that ends in .yaml"),
        (["--data", "there.yaml", "--out", "m.yaml"], "expected builtin:WORLD"),
        (["--data", "pairs.csv", "--out", "there.yaml"], "there.yaml: is there already"),
        (["--data", "few.csv", "--out", "m.yaml"], "few.csv: has 2 rows; 200 are the fewest"),
        (["--data", "pairs.csv", "--out", "old.yaml"], "old-data: is there already"),
        (["--data", ".", "--source", "ko", "--target", "en", "--out", "m.yaml"], ".: has no train file"),
    ],
)
def test_careless_beginnings(
    run: Run, pairs: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(pairs.parent)
    Path("there.yaml").write_text("")
    Path("old-data").mkdir()
    Path("few.csv").write_text(
        "ko,en\n나는 학교에 간다,I go to school\n그는 집에 왔다,He came home\n", encoding="utf-8"
    )
    done = run("new", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert not Path("m.yaml").exists()
    assert Path("there.yaml").read_text() == ""
