"""`regard import` and `regard export`, as a user types them."""

from pathlib import Path

from tests.conftest import Run
from tests.tasks.tiny_encoder import write_tiny_encoder


def test_there_and_back(run: Run, tmp_path: Path) -> None:
    tiny = write_tiny_encoder(tmp_path / "tiny")
    done = run("import", tiny, tmp_path / "own")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"wrote {tmp_path / 'own'}\n"
    done = run("export", tmp_path / "own", tmp_path / "back", "--to", "transformers")
    assert "the encoder alone: pooling and layers above it are left out" in done.stderr
    assert not (tmp_path / "back" / "modules.json").exists()
    assert run("embed", tmp_path / "own", text="abc\n").stdout == run("embed", tiny, text="abc\n").stdout


def test_mistakes_are_one_line(run: Run, tmp_path: Path) -> None:
    mute = write_tiny_encoder(tmp_path / "mute")
    for name in ("vocab.txt", "manifest.json"):  # a folder of somebody who forgot the vocabulary
        (mute / name).unlink()
    wanted = "which says a model_type, or with the modules.json of sentence-transformers"
    for arguments, message in (
        (["import", mute, tmp_path / "own"], "mute: expected tokenizer.json or vocab.txt, found"),
        (
            ["import", tmp_path / "nowhere", tmp_path / "own"],
            "nowhere: no such folder; a model of the Hugging Face hub has a name",
        ),
        (["import", tmp_path, tmp_path / "own"], f"{wanted}; found neither"),
        (["import", "/dev/null", tmp_path / "own"], f"{wanted}; found a file"),
        (["export", tmp_path, tmp_path / "own"], "expected a model folder"),
    ):
        done = run(*arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert message in done.stderr
        assert done.stderr.count("\n") == 1
        assert not (tmp_path / "own").exists()
