"""`regard embed`, and the other commands on a model that embeds, as a user types them."""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.conftest import Run
from tests.tasks.tiny_encoder import WIDTH, stored_encoder, write_tiny_encoder

import regard
from regard.store.convert.encoder import write_encoder

TEXT = "abc d\n\nkjihg ab\n"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_encoder(tmp_path_factory.mktemp("models") / "tiny", query="abc ")


def test_a_vector_for_each_line(run: Run, tiny: Path, tmp_path: Path) -> None:
    done = run("embed", tiny, text=TEXT)
    assert (done.returncode, done.stderr) == (0, "")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["source"] for row in rows] == ["abc d", "", "kjihg ab"]
    expected = regard.load(tiny).embed(["abc d", "", "kjihg ab"])
    np.testing.assert_allclose([row["vector"] for row in rows], expected, atol=1e-5)
    file = tmp_path / "text.txt"
    file.write_text(TEXT)
    done = run("embed", tiny, file, "--out", tmp_path / "v.npy", "--normalise")
    assert (done.stdout, done.returncode) == ("", 0)
    assert f"v.npy: 3 vectors of {WIDTH} numbers" in done.stderr
    np.testing.assert_allclose(np.linalg.norm(np.load(tmp_path / "v.npy"), axis=1), 1.0, rtol=1e-5)
    looked = json.loads(run("embed", tiny, "--attention", text="abc\n").stdout)
    assert looked["attention"]["maps"][0]["path"] == "encoder.0.self"


def test_the_nearest_lines_are_found(run: Run, tiny: Path, tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text("kjihg ab\n\nabc d\nl l\n")
    done = run("embed", tiny, file, "--search", "d", "--search", "l l", "--n-best", "1")
    assert (done.returncode, done.stderr) == (0, "")
    first, found, empty, *_ = done.stdout.splitlines()
    assert (first, empty) == ("d", "")
    assert found == "1.0000\t3\tabc d"  # the prompt of a query is before it
    many = run("embed", tiny, file, "--search", "d", "--query-prompt", "query", "--json").stdout
    values = json.loads(many)
    assert values["query"] == "d"
    assert values["found"][0]["line"] == 3
    assert len(values["found"]) == 3


def test_a_prompt_before_documents_is_no_part_of_a_line(run: Run, tmp_path: Path) -> None:
    """An empty line has no words, whatever is written before it; what is found is printed as it stands."""
    model = write_tiny_encoder(tmp_path / "prompted", document="abc ")
    file = tmp_path / "text.txt"
    file.write_text("d\n\nl d\n")
    found = [line.split("\t") for line in run("embed", model, file, "--search", "d").stdout.splitlines()]
    assert sorted(line[1:] for line in found) == [["1", "d"], ["3", "l d"]]


def test_what_was_cut_off_is_said_once(run: Run, tiny: Path) -> None:
    long = "a b c d e f g h i j k l\n"
    done = run("embed", tiny, text=long * 2)
    assert "2 texts have more than the 10 tokens" in done.stderr
    assert [json.loads(line)["cut"] for line in done.stdout.splitlines()] == [True, True]
    told = "1 text has more than the 10 tokens that this model reads"
    for second in ([], ["a b"]):
        assert run("look", tiny, long, *second).stderr.startswith(told)
        assert told not in run("look", tiny, long, *second, "--quiet").stderr
    done = run("embed", tiny, "--too-long", "windows", text=f"a\n{long}")
    assert "1 text has more than the 10 tokens that this model reads at once, read in windows" in done.stderr
    assert [json.loads(line)["cut"] for line in done.stdout.splitlines()] == [False, False]
    done = run("embed", tiny, "--too-long", "refuse", text=f"a\n{long}")
    assert "<stdin>:2: expected at most 10 tokens" in done.stderr
    assert done.returncode == 2


def test_an_encoder_alone_and_a_classifier_embed_too(run: Run, opinions: Path, tmp_path: Path) -> None:
    write_encoder(tmp_path / "alone", stored_encoder())
    done = run("embed", tmp_path / "alone", text="abc\n")
    assert "a vector is the mean of its words" in done.stderr
    assert len(json.loads(done.stdout)["vector"]) == WIDTH
    done = run("embed", opinions, text="이 책은 좋다.\n")
    assert len(json.loads(done.stdout)["vector"]) == 96


def test_look_shows_attention_or_what_makes_two_sentences_similar(
    run: Run, tiny: Path, tmp_path: Path
) -> None:
    done = run("look", tiny, "abc d")
    assert "[CLS]" in done.stdout, done.stderr
    assert "cosine of the vectors before and after: " in run("look", tiny, "abc d", "--mask-word", "d").stdout
    done = run("look", tiny, "abc d", "kj a", "--out", tmp_path / "near.png")
    assert done.returncode == 0, done.stderr
    assert "cosine " in done.stdout
    assert (tmp_path / "near.png").stat().st_size > 1000
    values = json.loads(run("look", tiny, "abc d", "kj a", "--json", "--tokens").stdout)
    assert values["words"]["rows"] == ["[CLS]", "a", "##b", "##c", "d", "[SEP]"]
    assert np.sum(values["words"]["values"]) == pytest.approx(values["cosine"], abs=1e-4)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--out", "v.csv"], "v.csv: expected a name that ends in .npy, .parquet, .jsonl"),
        (["--search", "a", "--out", "v.npy"], "--search prints what it finds"),
        (["--query-prompt", "query"], "--query-prompt is for --search"),
        (["--search", " "], "--search: expected a text to search for, found ' '"),
        (["--attention", "--out", "v.npy"], "--attention is for JSON lines"),
        (["--prompt", "x"], "this model has no prompt 'x'"),
    ],
)
def test_options_that_do_not_go_together(run: Run, tiny: Path, options: list[str], message: str) -> None:
    done = run("embed", tiny, *options, text="a\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_two_sentences_take_no_edit(run: Run, tiny: Path, trained: Path) -> None:
    assert "leave out edits" in run("look", tiny, "a", "b", "--mask-word", "a").stderr
    assert "leave out --target" in run("look", tiny, "a", "b", "--target", "a").stderr
    assert "one for embedding is needed here" in run("look", trained, "a", "b").stderr


def test_an_encoder_is_trained_measured_and_searched(run: Run, tiny: Path, tmp_path: Path) -> None:
    rows = "a b c\tb a c\t5\na b c\tj k l\t0\nd e f\te d f\t4.5\nd e f\th i l\t0.5\n" * 4
    for split in ("train", "dev", "test"):
        (tmp_path / f"{split}.tsv").write_text(f"one\tother\tnear\n{rows}", encoding="utf-8")
    columns = ["--text", "one", "--second", "other", "--score", "near"]
    settings = ["model.objective=cosine", "training.epochs=1", "data.max_tokens=8"]
    done = run(
        "train", "bert-embedder", "--from", tiny, "--data", tmp_path, *columns, "--out", tmp_path / "r",
        *(part for one in settings for part in ("--set", one)),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "starting from the encoder and the vocabulary of" in done.stderr
    assert "spearman" in done.stdout
    found = json.loads(run("evaluate", tmp_path / "r", "--samples", "0", "--json").stdout)
    assert (found["task"], list(found["metrics"])) == ("embedding", ["spearman", "pearson"])
    test = tmp_path / "test.tsv"
    compared = run(
        "compare", tiny, tmp_path / "r", "--data", test, *columns[:4], "--label", "near", "--samples", "5"
    )
    assert compared.returncode == 0, compared.stderr
    assert "spearman" in compared.stdout
    named = ["--text", "one", "--second", "other", "--label", "near", "--samples", "0"]
    near = json.loads(run("similarity", tmp_path / "r", test, *named, "--json").stdout)
    assert near["scores"]["spearman"] == pytest.approx(found["metrics"]["spearman"], abs=1e-4)
    assert "a b" in run("embed", tmp_path / "r", "--search", "a", "--n-best", "1", text="l k\na b\n").stdout
    alone = run("train", "bert-embedder", "--from", tiny, "--data", tmp_path, *columns[:4], "--dry-run", "-q",
                "--set", "data.max_tokens=8")  # fmt: skip
    assert "parameters:" in alone.stdout, alone.stderr
