"""`regard vectors` as it is typed: learn, save, look for near words; and what a careless user types."""

import gzip
import hashlib
import json
from pathlib import Path

import pytest
from gensim.models import KeyedVectors
from tests.cli.test_careless import refused
from tests.conftest import Run
from tests.examples import cells

SENTENCES = [
    f"{who} {what} {verb}"
    for who in ("민수가", "영희가", "철수가", "지수가")
    for what, verb in (("사과를", "먹었다"), ("포도를", "먹었다"), ("학교에", "갔다"), ("병원에", "갔다"))
] * 30
SMALL = ["--size", "12", "--epochs", "20", "--sample", "0", "--window", "1"]


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("text") / "ko.txt.gz"
    path.write_bytes(gzip.compress("\n".join(SENTENCES).encode()))
    return path


@pytest.fixture(scope="module")
def vectors(run: Run, text: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("vectors") / "ko.vec"
    done = run("vectors", "train", text, "--out", out, *SMALL)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{out}: 10 words, width 12; from 1,440 words in 480 sentences\n"
    return out


def test_near_words(run: Run, vectors: Path) -> None:
    lines = run("vectors", "similar", vectors, "학교에", "-n", "3").stdout.splitlines()
    assert lines[0].split() == ["word", "cosine"]
    assert len(lines) == 4
    assert lines[1].split()[0] == "병원에"


def test_as_json_and_as_gensim_says(run: Run, vectors: Path) -> None:
    arguments = ["사과를", "--plus", "갔다", "--minus", "먹었다", "-n", "4", "--json"]
    found = json.loads(run("vectors", "similar", vectors, *arguments).stdout)
    assert (found["plus"], found["minus"]) == (["사과를", "갔다"], ["먹었다"])
    theirs = KeyedVectors.load_word2vec_format(str(vectors))
    expected = theirs.most_similar(positive=["사과를", "갔다"], negative=["먹었다"], topn=4)
    assert [each["word"] for each in found["similar"]] == [word for word, _ in expected]
    assert [each["similarity"] for each in found["similar"]] == pytest.approx(
        [c for _, c in expected], abs=1e-5
    )


def test_it_is_known_how_they_were_made(vectors: Path) -> None:
    facts = json.loads((vectors.parent / "ko.vec.json").read_text(encoding="utf-8"))
    assert facts["file"]["sha256"] == hashlib.sha256(vectors.read_bytes()).hexdigest()
    assert (facts["seed"], facts["size"], facts["unit"], facts["words"]) == (1, 12, "words", 10)
    assert facts["word2vec"]["epochs"] == 20
    assert {"regard", "gensim", "content"} <= facts.keys()
    assert sorted(path.name for path in vectors.parent.iterdir()) == ["ko.vec", "ko.vec.json"]


@cells("method", ["--sg", "--cbow"], quick=["--sg"])
def test_the_same_bytes_again(run: Run, text: Path, tmp_path: Path, method: str) -> None:
    files = [tmp_path / f"{name}.bin" for name in ("one", "again", "other")]
    for file, seed in zip(files, ("7", "7", "8"), strict=True):
        done = run("vectors", "train", text, "-o", file, *SMALL, method, "--seed", seed, "--json", "-q")
        assert (done.returncode, done.stderr) == (0, "")
        assert json.loads(done.stdout) == {
            "path": str(file), "words": 10, "size": 12, "sentences": 480, "units": 1440,
        }  # fmt: skip
    one, again, other = (file.read_bytes() for file in files)
    assert one == again != other
    assert len(KeyedVectors.load_word2vec_format(str(files[0]), binary=True)) == 10


def test_tables_stdin_and_morphemes(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("ko\ten\n" + "학교에\tto school\n" * 3, encoding="utf-8")
    table = [tmp_path / "t.tsv", "--column", "ko", "--unit", "morphemes"]
    done = run("vectors", "train", *table, "-o", tmp_path / "m.txt")
    assert done.returncode == 0, done.stderr
    words = {line.split()[0] for line in (tmp_path / "m.txt").read_text(encoding="utf-8").splitlines()[1:]}
    assert words == {"학교", "에"}
    done = run("vectors", "train", "-", "-o", tmp_path / "s.vec", "--size", "2", text="가 나\n가 나\n")
    assert "2 words, width 2; from 4 words in 2 sentences" in done.stdout


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("wrong")
    (root / "folder").mkdir()
    (root / "empty.txt").write_text("")
    (root / "blank.txt").write_text(" \n\n \n")
    (root / "once.txt").write_text("a b c\n")
    (root / "t.tsv").write_text("ko\ten\n가\ta\n", encoding="utf-8")
    (root / "cut.vec").write_text("3 2\na 1 2\n")
    (root / "nan.vec").write_text("1 2\na nan 2\n")
    (root / "picture.bin").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    return root


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nothing.txt"], "nothing.txt: no such file"),
        (["nothing"], "nothing: no such file or folder"),
        (["{}/empty.txt"], "empty.txt: has no words"),
        (["{}/blank.txt"], "blank.txt: has no words"),
        (["{}/once.txt"], "none of its 3 words is there 2 times or more"),
        (["{}/folder"], "expected a file of text, found a folder"),
        (["{}/t.tsv"], "which column? say --column, one of ko, en"),
        (["{}/t.tsv", "--column", "kr"], "no column is called 'kr'"),
        (["text:{}/picture.bin"], "picture.bin:1: not UTF-8"),
        (["{}/once.txt", "--unit", "tokens"], "--unit tokens --tokenizer FILE"),
        (["{}/once.txt", "--unit", "tokens", "--tokenizer", "{}/t.tsv"], "t.tsv: not a tokenizer"),
        (["{}/once.txt", "--out", "{}/x.npy"], "expected a file of word vectors: .vec or .txt (text), .bin"),
        (["{}/once.txt", "--out", "{}/folder"], "found a folder"),
        (["{}/once.txt", "--out", "{}/once.txt/v.vec"], "is a file, expected a folder"),
        (["{}/once.txt", "--out", "{}/once.txt", "--min-count", "1"], "is the corpus itself"),
    ],
)
def test_a_careless_train(run: Run, wrong: Path, arguments: list[str], told: str) -> None:
    filled = [argument.replace("{}", str(wrong)) for argument in arguments]
    out = [] if "--out" in filled else ["--out", str(wrong / "v.vec")]
    before = sorted(wrong.rglob("*"))
    assert told in refused(run, "vectors", "train", *filled, *out)
    assert sorted(wrong.rglob("*")) == before
    assert (wrong / "once.txt").read_text() == "a b c\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nothing.vec", "a"], "nothing.vec: no such file"),
        (["{}/folder", "a"], "found a folder"),
        (["{}/cut.vec", "a"], "cut off: its first line says 3 words, found 1"),
        (["{}/nan.vec", "a"], "has a number that is none"),
        (["{}/picture.bin", "a"], "not in word2vec's format"),
        (["{}/empty.txt", "a"], "not in word2vec's format"),
        (["{}/t.tsv", "a"], "expected a file of word vectors"),
        (["{vectors}", "학꾜에"], "has no word '학꾜에'; did you mean '학교에'?"),
        (
            ["{vectors}", "학교에", "--minus", "zzz"],
            "has no word 'zzz'; none of its 10 words is spelt like it",
        ),
    ],
)
def test_a_careless_look(run: Run, wrong: Path, vectors: Path, arguments: list[str], told: str) -> None:
    filled = [argument.replace("{vectors}", str(vectors)).replace("{}", str(wrong)) for argument in arguments]
    assert told in refused(run, "vectors", "similar", *filled)


def test_a_model_begins_with_them(run: Run, text: Path, vectors: Path, tmp_path: Path) -> None:
    """A recipe that names the file: how many entries were found is said, and the width must agree."""
    rows = "".join(f"{sentence}\tx {number % 9}\n" for number, sentence in enumerate(SENTENCES[:60]))
    (tmp_path / "t.tsv").write_text("ko\ten\n" + rows, encoding="utf-8")
    settings = [
        f"data.train={tmp_path / 't.tsv'}", f"data.dev={tmp_path / 't.tsv'}", "text={kind: word}",
        "model.encoder.hidden_size=8", "model.attention.hidden_size=8", "model.decoder.hidden_size=8",
        "training.epochs=1", f"vectors.source={{kind: file, path: {vectors}}}",
    ]  # fmt: skip
    options = [part for one in settings for part in ("--set", one)]
    line = refused(run, "train", "demo", "-q", "--out", tmp_path / "q", *options)
    assert "ko.vec: has vectors of width 12, but source_embedding.weight of the model has 128" in line
    done = run("train", "demo", "--out", tmp_path / "r", *options, "--set", "model.embedding_size=12")
    assert done.returncode == 0, done.stderr
    assert "vectors.source: 10 of 14 entries found in" in done.stderr
