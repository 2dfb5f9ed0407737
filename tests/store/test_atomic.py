import hashlib
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from regard.errors import StoreError
from regard.store.atomic import (
    check_foreign,
    check_writable,
    read_folder,
    verify_folder,
    write_file,
    write_folder,
)

FILES = {"a.bin": b"\x00\x01", "b.json": b"{}"}


def test_a_folder_comes_back_with_its_hashes(tmp_path: Path) -> None:
    write_folder(tmp_path / "x" / "one", FILES)
    assert read_folder(tmp_path / "x" / "one") == FILES
    manifest = json.loads((tmp_path / "x" / "one" / "manifest.json").read_text())
    assert manifest["files"]["a.bin"] == {"bytes": 2, "sha256": hashlib.sha256(b"\x00\x01").hexdigest()}
    assert [entry.name for entry in (tmp_path / "x").iterdir()] == ["one"]


@pytest.mark.parametrize("name", FILES)
def test_every_changed_bit_is_found(tmp_path: Path, name: str) -> None:
    write_folder(tmp_path / "one", FILES)
    path = tmp_path / "one" / name
    good = path.read_bytes()
    for bit in range(8 * len(good)):
        damaged = bytearray(good)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        with pytest.raises(StoreError, match=f"{name}: damaged: its size or SHA-256 is not the one in man"):
            read_folder(tmp_path / "one")
    path.write_bytes(good)
    assert read_folder(tmp_path / "one") == FILES


def test_missing_and_strange_parts_are_named(tmp_path: Path) -> None:
    write_folder(tmp_path / "one", FILES)
    (tmp_path / "one" / "a.bin").unlink()
    with pytest.raises(
        StoreError, match=r"a.bin: the manifest names it, but it is not a file of this folder"
    ):
        read_folder(tmp_path / "one")
    (tmp_path / "elsewhere").write_bytes(FILES["a.bin"])
    for place in ("/dev/zero", tmp_path / "elsewhere"):
        (tmp_path / "one" / "a.bin").symlink_to(place)
        with pytest.raises(StoreError, match=r"not a file of this folder"):
            read_folder(tmp_path / "one")
        (tmp_path / "one" / "a.bin").unlink()
    (tmp_path / "one" / "manifest.json").write_text("{")
    with pytest.raises(StoreError, match=r"manifest.json: missing or damaged"):
        read_folder(tmp_path / "one")


@pytest.mark.parametrize(
    "manifest",
    [
        "[]",
        '{"format": 1}',
        '{"format": 1, "files": []}',
        "null",
        "[" * 100_000,
        '{"format": 1, "files": {}}' + " " * 2**22,
        '{"format": "1\\n", "files": {}}',
    ],
    ids=["list", "no files", "list of files", "null", "deep", "large", "format"],
)
def test_a_manifest_of_another_shape(tmp_path: Path, manifest: str) -> None:
    (tmp_path / "manifest.json").write_text(manifest)
    with pytest.raises(StoreError, match="missing or damaged"):
        read_folder(tmp_path)
    with pytest.raises(StoreError, match="damaged"):
        verify_folder(tmp_path)


def test_paths_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "manifest.json").write_text('{"format": 1, "files": {"../secret": {}}}')
    with pytest.raises(StoreError, match="not a file of this folder"):
        read_folder(tmp_path / "one")


def write_manifest(folder: Path, files: dict[str, object]) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "manifest.json").write_text(json.dumps({"format": 1, "files": files}))


def facts(content: bytes) -> dict[str, object]:
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


@pytest.mark.parametrize(
    "name",
    [
        "/{}/secret",
        "../secret",
        "./a.bin",
        "././a.bin",
        "sub//b.bin",
        "sub/../a.bin",
        "a.bin/",
        "",
        "a.bin\n",
    ],
)
@pytest.mark.parametrize("read", [read_folder, verify_folder])
def test_names_that_are_not_plain_are_refused(
    tmp_path: Path, read: Callable[[Path], object], name: str
) -> None:
    """What is of another folder is not opened, and nothing is read under a second name."""
    folder = tmp_path / "one"
    (folder / "sub").mkdir(parents=True)
    for path in (tmp_path / "secret", folder / "a.bin", folder / "sub" / "b.bin", folder / "a.bin\n"):
        path.write_bytes(b"x")
    name = name.format(str(tmp_path)[1:])
    write_manifest(folder, {name: facts(b"x")})
    with pytest.raises(StoreError) as caught:
        read(folder)
    told = f"{folder / 'manifest.json'}: names {name[:60]!r}, which is not a file of this folder"
    assert str(caught.value) == told


@pytest.mark.parametrize("name", ["\0", "\ud800", "x" * 300])
@pytest.mark.parametrize("read", [read_folder, verify_folder])
def test_names_that_no_file_can_have_are_refused(
    tmp_path: Path, read: Callable[[Path], object], name: str
) -> None:
    write_manifest(tmp_path, {name: facts(b"x")})
    with pytest.raises(StoreError) as caught:
        read(tmp_path)
    assert str(caught.value).isprintable()


def test_a_folder_within_a_model_folder_is_not_entered(tmp_path: Path) -> None:
    """It may be a link that leads elsewhere."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "secret").write_bytes(b"x")
    write_manifest(tmp_path / "one", {"sub/secret": facts(b"x")})
    (tmp_path / "one" / "sub").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="sub/secret: the manifest names it, but it is not a file of this"):
        read_folder(tmp_path / "one")


@pytest.mark.parametrize("said", [{"bytes": 1, "sha256": "0"}, {"sha256": "0"}, {}, [], 5, None])
@pytest.mark.parametrize("read", [read_folder, verify_folder])
def test_a_file_of_another_size_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: Callable[[Path], object], said: object
) -> None:
    write_manifest(tmp_path, {"a.bin": said})
    with (tmp_path / "a.bin").open("wb") as file:
        file.truncate(2**31)  # a lot of nothing, which takes no room on the disk
    real = io.open

    def watched(file: object, *rest: Any, **names: Any) -> object:
        assert "a.bin" not in str(file), "it is read"
        return real(file, *rest, **names)  # type: ignore[call-overload]

    monkeypatch.setattr(io, "open", watched)
    with pytest.raises(StoreError) as caught:
        read(tmp_path)
    told = f"{tmp_path / 'a.bin'}: damaged: its size or SHA-256 is not the one in manifest.json"
    assert str(caught.value) == told


def test_a_file_that_may_not_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_folder(tmp_path / "one", FILES)
    real = io.open

    def watched(file: object, *rest: Any, **names: Any) -> object:
        if "a.bin" in str(file):
            raise PermissionError(13, "Permission denied")
        return real(file, *rest, **names)  # type: ignore[call-overload]

    monkeypatch.setattr(io, "open", watched)
    for read in (read_folder, verify_folder):
        with pytest.raises(StoreError, match=r"a.bin: cannot be read: Permission denied$"):
            read(tmp_path / "one")


def test_a_newer_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"format": 99, "files": {}}')
    with pytest.raises(StoreError, match="has format 99, this regard reads format 1"):
        read_folder(tmp_path)


@pytest.mark.parametrize("operation", ["fsync", "rename"])
def test_a_failure_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, operation: str
) -> None:
    write_file(tmp_path / "f", "old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    if operation == "fsync":
        monkeypatch.setattr(os, "fsync", fail)
    else:
        monkeypatch.setattr(Path, "rename", fail)
        monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(StoreError, match="one: cannot be written: No space left on device"):
        write_folder(tmp_path / "one", FILES)
    with pytest.raises(StoreError, match="f: cannot be written: No space left on device"):
        write_file(tmp_path / "f", "new")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["f"]
    assert (tmp_path / "f").read_text() == "old"


def test_everything_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut after the rename must not find files without their content."""
    synced: set[int] = set()
    unsynced: list[str] = []
    fsync, rename = os.fsync, Path.rename

    def note(handle: int) -> None:
        synced.add(os.fstat(handle).st_ino)
        fsync(handle)

    def look(self: Path, target: Path) -> Path:
        unsynced.extend(path.name for path in (self, *self.iterdir()) if path.stat().st_ino not in synced)
        synced.clear()
        return rename(self, target)

    monkeypatch.setattr(os, "fsync", note)
    monkeypatch.setattr(Path, "rename", look)
    write_folder(tmp_path / "one", FILES)
    assert unsynced == []
    assert tmp_path.stat().st_ino in synced, "the name is on the disk, too"


def test_what_a_killed_process_of_the_same_number_left_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / f".one.{os.getpid()}.tmp").mkdir()
    (tmp_path / f".one.{os.getpid()}.tmp" / "stale.bin").write_bytes(b"half")
    write_folder(tmp_path / "one", FILES)
    assert read_folder(tmp_path / "one") == FILES
    assert {path.name for path in tmp_path.rglob("*")} == {"one", "manifest.json", *FILES}


def test_an_interruption_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise SystemExit(130)

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(SystemExit):
        write_folder(tmp_path / "one", FILES)
    with pytest.raises(SystemExit):
        write_file(tmp_path / "f", "x")
    assert list(tmp_path.iterdir()) == []


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="expected the name of a file, found a folder"):
        write_file(Path(), "x")
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match=r"file is a file, expected a folder"):
        check_writable(tmp_path / "file" / "a" / "b")
    check_writable(tmp_path / "new" / "deep")
    assert not (tmp_path / "new").exists()


def test_a_folder_with_files_of_others_is_refused(tmp_path: Path) -> None:
    check_foreign(tmp_path / "new")
    check_foreign(tmp_path)
    for name in (".hidden", "recipe.yaml"):
        (tmp_path / name).write_text("")
    check_foreign(tmp_path, ["recipe.yaml"])
    for name in ("a.txt", "b.txt", "c.txt", "d.txt"):
        (tmp_path / name).write_text("")
    with pytest.raises(StoreError, match=r"expected a new or empty .* in it: a\.txt, b\.txt, c\.txt, …$"):
        check_foreign(tmp_path, ["recipe.yaml"])
