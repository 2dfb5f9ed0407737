"""`regard doctor` as a user types it; and as a careless user does."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import Run
from tests.doctor.helpers import CLEAN, write_pairs

FAULTY = [*CLEAN, ("문을\u200b 연다.", "He opens the door."), CLEAN[0]]


def test_a_report(run: Run, tmp_path: Path) -> None:
    path = write_pairs(tmp_path / "train.tsv", FAULTY)
    done = run("doctor", path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert f"{path}:7: 문을⟨U+200B⟩ 연다." in done.stdout
    assert "duplicate (1 row, 14.29%)" in done.stdout
    assert "guessed: ko and en: the two sides of a translation" in done.stdout


def test_json_and_a_clean_copy(run: Run, tmp_path: Path) -> None:
    path = write_pairs(tmp_path / "train.tsv", FAULTY)
    out = tmp_path / "out"
    done = run("doctor", path, "--json", "--examples", "1", "--fix", out, "--skip", "duplicate")
    assert [finding["id"] for finding in json.loads(done.stdout)["findings"]] == ["invisible"]
    assert f"{out}: rows repaired 1, dropped 0" in done.stderr
    assert sorted(file.name for file in out.iterdir()) == ["changes.jsonl", "train.tsv"]
    again = json.loads(run("doctor", out / "train.tsv", "--json", "--skip", "duplicate").stdout)
    assert again["findings"] == []


def test_strict_for_scripts(run: Run, tmp_path: Path) -> None:
    path = write_pairs(tmp_path / "train.tsv", FAULTY)
    assert run("doctor", path, "--strict").returncode == 0  # warnings only
    write_pairs(path, [*FAULTY, ("문을\x07 연다.", "He opens a door.")])
    assert run("doctor", path).returncode == 0
    assert run("doctor", path, "--strict").returncode == 1


def test_from_stdin(run: Run, tmp_path: Path) -> None:
    text = "ko\ten\n" + "".join(f"{source}\t{target}\n" for source, target in FAULTY)
    done = run("doctor", "tsv:-", "--json", "--fix", tmp_path / "out", text=text)
    (file,) = json.loads(done.stdout)["files"]
    assert (file["name"], file["rows"]) == ("<stdin>", 7)
    assert len((tmp_path / "out" / "stdin.tsv").read_text(encoding="utf-8").splitlines()) == 7


def test_the_built_in_world_is_clean(run: Run, tmp_path: Path) -> None:
    """500 rows of each world: nothing that a person would have to look at."""
    for world in ("ko-en", "sentiment", "inference", "tags", "questions"):
        path = tmp_path / f"{world}.jsonl"
        run("data", "write", f"builtin:{world}:train", "--rows", "500", "--out", path)
        found = json.loads(run("doctor", path, "--json").stdout)["findings"]
        assert [finding["id"] for finding in found if finding["severity"] == "error"] == [], world
        assert {finding["id"] for finding in found if finding["severity"] == "warning"} <= {"duplicate"}, (
            world
        )


def test_the_vocabulary_of_a_model(run: Run, trained: Path) -> None:
    done = run("doctor", "builtin:ko-en:test", "--model", trained, "--json")
    tokens = json.loads(done.stdout)["tokens"]
    assert tokens["vocabulary"] == "of the model"
    assert [fit["side"] for fit in tokens["fits"]] == ["ko", "en"]
    assert all(1 < fit["tokens_per_word"] < 6 for fit in tokens["fits"])
    turned = run(
        "doctor", "builtin:ko-en:test", "--text", "en", "--second", "ko", "--model", trained, "--json"
    )
    fits = json.loads(turned.stdout)["tokens"]["fits"]
    assert list(reversed(fits)) == tokens["fits"]  # by language, not by place


MISTAKES = [
    (["doctor"], "missing argument"),
    (["doctor", "missing.tsv"], "regard: missing.tsv: no such file"),
    (["doctor", "nowhere"], "regard: nowhere: no such file or folder"),
    (["doctor", "{empty}"], "expected files called train, dev, test in the folder"),
    (["doctor", "tsv:{empty}"], "expected a file, found a folder"),
    (["doctor", "{file}"], "expected builtin:WORLD"),
    (["doctor", "tsv:{file}"], "file: expected rows, found none"),
    (["doctor", "{nothing}"], "found an empty file"),
    (["doctor", "{binary}"], "not UTF-8 at byte 1 of the line"),
    (["doctor", "{table}", "--source", "ko"], "--source needs --target"),
    (["doctor", "{table}", "--source", "ko", "--target", "eng"], "did you mean 'en'?"),
    (
        ["doctor", "{table}", "--text", "ko", "--source", "ko", "--target", "en"],
        "are for translation, --text",
    ),
    (["doctor", "{table}", "--label", "lable"], "no column is called 'lable'"),
    (["doctor", "{table}", "--checks", "duplicates"], "did you mean 'duplicate'?"),
    (["doctor", "{table}", "--skip", "leek"], "did you mean 'leak'?"),
    (["doctor", "{table}", "--checks", "leak", "--skip", "leak"], "--checks and --skip both name leak"),
    (["doctor", "{table}", "--drop", "length-ratio"], "--drop says what --fix drops"),
    (
        ["doctor", "{table}", "--fix", "{empty}/x", "--drop", "fertility"],
        "no row can be dropped for 'fertility'",
    ),
    (["doctor", "{table}", "--fix", "{full}"], "full: expected a new or empty folder"),
    (
        ["doctor", "{table}", "--fix", "{file}"],
        "file: expected a new folder for the clean copy, found a file",
    ),
    (["doctor", "{table}", "--fix", "{file}/x"], "file is a file, expected a folder"),
    (["doctor", "{table}", "{table}"], "named twice"),
    (["doctor", "{table}", "--parallel"], "--parallel takes files two by two, found 1"),
    (["doctor", "{table}", "{table}", "--parallel", "--one-side"], "exclude each other"),
    (["doctor", "{table}", "--names", "a,b,c"], "no column looks like text"),
    (["doctor", "builtin:ko-en:test", "--names", "a,b"], "--names is for tables"),
    (["doctor", "{table}", "--model", "nowhere"], "nowhere: no such folder"),
    (["doctor", "builtin:tags:dev", "--fix", "{empty}/x"], "--fix writes tables, JSON lines and plain text"),
    (["doctor", "{uneven}/train.ko", "{uneven}/train.en"], "both need as many lines"),
    (["doctor", "$NOWHERE/train.tsv"], "the environment variable $NOWHERE is not set"),
]


@pytest.mark.parametrize(("arguments", "message"), MISTAKES, ids=[" ".join(a) for a, _ in MISTAKES])
def test_a_mistake_is_one_clear_line_and_exit_code_2(
    run: Run, tmp_path: Path, arguments: list[str], message: str
) -> None:
    places = {name: tmp_path / name for name in ("empty", "full", "file", "uneven")}
    for folder in ("empty", "full", "uneven"):
        places[folder].mkdir()
    for file in (places["file"], places["full"] / "x", places["uneven"] / "train.ko"):
        file.write_text("x")
    (places["uneven"] / "train.en").write_text("a\nb\n")
    places |= {name: tmp_path / f"{name}.tsv" for name in ("table", "nothing", "binary")}
    write_pairs(places["table"], CLEAN)
    places["nothing"].write_bytes(b"")
    places["binary"].write_bytes(b"\xff\xd8\xff\xe0" + bytes(range(128, 200)))
    before = sorted(path.name for path in tmp_path.rglob("*"))
    done = run(*(argument.format(**places) for argument in arguments))
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert len([line for line in done.stderr.splitlines() if line.startswith("regard: ")]) <= 1
    assert sorted(path.name for path in tmp_path.rglob("*")) == before, "nothing is left behind"


def started_by(process: int) -> list[Path]:
    """The processes that examine rows for this one."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
    folders = [Path("/proc") / child for child in children]
    return [folder for folder in folders if b"spawn_main" in (folder / "cmdline").read_bytes()]


def test_a_corpus_for_many_processes_and_ctrl_c(run: Run, tmp_path: Path) -> None:
    """Large enough that other processes take part; and they end when the first one does."""
    path = tmp_path / "train.tsv"
    rows = "".join(f"나는 {n}번째 문장을 썼다.\tI wrote sentence number {n}.\n" for n in range(60_000))
    path.write_text(f"ko\ten\n{rows}", encoding="utf-8")
    done = run("doctor", path, "--json")
    report = json.loads(done.stdout)
    assert report["files"][0]["rows"] == 60_000
    assert {finding["id"]: finding["count"] for finding in report["findings"]} == {"near-duplicate": 59_999}
    process = subprocess.Popen(
        [sys.executable, "-m", "regard", "doctor", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    while not (helpers := started_by(process.pid)):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert not any(helper.exists() for helper in helpers)
    assert b"Traceback" not in errors
