"""docs/serving.md: its curl lines, its Python and its JavaScript run against a service."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.documented import ROOT
from tests.server.running import RunningServer

PAGE = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")
NAMES = {"ko-en": "translator", "mood": "opinions", "lm": "language"}
"""The models of the page, and what the service of the session calls such ones."""


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def at(server: RunningServer, text: str) -> str:
    text = text.replace("http://localhost:8000", server.url)
    for name, own in NAMES.items():
        text = re.sub(rf'"{name}(["@])', rf'"{own}\1', text)
        text = text.replace(f"models/{name}/", f"models/{own}/")
    return text


@pytest.fixture
def folder(tmp_path: Path, trained: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "demo").symlink_to(trained)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_page_runs(running_server: RunningServer, folder: Path) -> None:
    """From its top to its end: later blocks read what earlier ones have written."""
    done = {"sh": 0, "python": 0}
    told = re.findall(r"^```(sh|python)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    for language, block in told:
        text = at(running_server, block)
        if language == "python":
            exec(compile(text, "docs/serving.md", "exec"), {"__name__": "page"})
            done["python"] += 1
            continue
        for line in re.sub(r"\\\n\s*", " ", text).splitlines():
            if line.startswith("curl "):
                ended = subprocess.run(
                    ["bash", "-c", line + " --fail-with-body"], capture_output=True, check=False
                )
                assert ended.returncode == 0, f"{line}\n{ended.stdout.decode()}{ended.stderr.decode()}"
                done["sh"] += 1
    assert done["sh"] >= 9
    assert done["python"] >= 6


@pytest.mark.skipif(shutil.which("node") is None, reason="no node")
@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_javascript_reads_the_weights(dtype: str, running_server: RunningServer, tmp_path: Path) -> None:
    accept = f"application/vnd.regard.attention; dtype={dtype}"
    values = {"model": "language", "text": "나는 책을 읽었다."}
    answer = running_server.post("/v1/regard/look", values, Accept=accept)
    (tmp_path / "look").write_bytes(answer.content)
    (script,) = blocks("javascript")
    read = """
const bytes = require("fs").readFileSync("look");
const header = readAttention(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
console.log(JSON.stringify(header.records[0].attentions.map((one) => [one.path, ...one.weights])));
"""
    done = subprocess.run(
        ["node", "-"], input=script + read, capture_output=True, text=True, check=True, cwd=tmp_path
    )
    from regard.insight.attention_bytes import from_bytes

    record = from_bytes(answer.content).records["attention"]
    expected = [[look.path, *look.weights.ravel().tolist()] for look in record.attentions]
    assert json.loads(done.stdout) == expected


def test_the_tables_are_whole() -> None:
    """Every operation, edit and limit is in the page."""
    from regard.insight.edit_values import EDIT_NAMES
    from regard.server.protocols.own_schemas import OPERATIONS

    rows = set(re.findall(r"^\| `([\w-]+)` \|", PAGE, re.MULTILINE))
    assert rows >= {*OPERATIONS, *EDIT_NAMES}
