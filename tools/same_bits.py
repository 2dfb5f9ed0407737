"""Two checkouts give the same bits: weights, logs and answers of every task and family, byte by byte.

    python tools/same_bits.py OLD NEW [--only WORD] [--keep FOLDER]

A tiny training of every shipped recipe that fits a laptop, then every command with `--json`, is run in both
checkouts with the Python that runs this, one thread each, and what they write is compared. Times and memory
are left out. What was renamed on purpose is listed below, and made equal before it is compared.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

RENAMED_KEYS: dict[str, str] = {}
"""Keys of JSON and recipes, old to new."""
RENAMED_FLAGS: dict[str, str] = {}
"""Flags of the new checkout, and what the old one calls them."""
UNSTABLE = re.compile("second|elapsed|memory_mb|versions|crc32|log_bytes|log_sha256")
"""In keys whose values are the clock's or the machine's."""
TINY = {
    "data.train.rows": 240,
    "data.dev.rows": 16,
    "data.test.rows": 16,
    "training.epochs": 1,
    "text.vocabulary_size": 400,
}
TOO_LARGE = ("bert-base", "bert-mini", "transformer-base", "transformer-big")
"""Recipes for a GPU or for hours; each has a smaller one of its family."""
FINE_TUNED = ("bert-classifier", "bert-embedder", "bert-span", "bert-tagger")
TRANSLATORS = ("demo", "transformer-small", "luong-local-p", "pointer", "lstmn-deep", "rnn")
CLASSIFIERS = ("self-attentive", "self-attentive-pairs", "bag", "bilstm-max", "lstmn-mean", "bert-classifier")
TAGGERS = ("tagger", "tagger-softmax", "bert-tagger")
LANGUAGE_MODELS = ("lm-lstm", "lm-lstmn", "lm-ngram", "lm-transformer")
OTHERS = ("bert-span", "bert-tiny", "bert-embedder", "bilstm-embedder")
COMMANDS = {
    "answer": "answer runs/bert-span '누가 책을 읽었니?' '지영은 책을 읽었다.' --json --attention",
    "fill": "fill runs/bert-tiny '나는 [MASK]에 간다.' --json",
    "embed-bilstm": "embed runs/bilstm-embedder lines.txt --json",
    "embed-bert": "embed runs/bert-embedder lines.txt --json",
    "look-embedder": "look runs/bert-embedder '그는 집에 갔다.' '그는 책을 읽었다.' --json",
    "explain": "look runs/demo '그는 집에 갔다.' --explain 1 --json",
    "sample": "translate runs/demo lines.txt --sample --seed 3 --json",
    "diverse": "translate runs/demo lines.txt --beam-groups 2 --json",
    "must": "translate runs/demo lines.txt --must the --json",
    "split": "translate runs/demo lines.txt --split --json",
    "compare": "compare runs/demo runs/pointer --samples 50 --json",
    "baseline": "baseline self-attentive --set data.train.rows=200 --samples 50 --json",
    "doctor": "doctor builtin:ko-en:test --json",
    "data": "data sample builtin:ko-en:test --rows 5 --seed 1 --json",
    "runs": "runs runs --json",
    "average": "average runs/demo --last 2 --out averaged",
    "export": "export runs/bert-tiny exported",
}
SENTENCE, OTHER = "나는 어제 학교에서 책을 읽었다.", "그는 집에 갔다."
BLOCK = 1 << 20


@dataclass(frozen=True)
class Checkout:
    """A tree of regard, and the folder in which its commands run."""

    tree: Path
    work: Path
    is_old: bool

    def run(self, name: str, *arguments: str) -> None:
        """Run a command; what it prints, and how it ends, is kept under its name."""
        told = [RENAMED_FLAGS.get(word, word) if self.is_old else word for word in arguments]
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.tree / "src"),
            "REGARD_CACHE": str(self.work / ".cache"),
            "OMP_NUM_THREADS": "1",
            "COLUMNS": "100",
        }
        ended = subprocess.run(
            [sys.executable, "-m", "regard", *told],
            cwd=self.work,
            env=environment,
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        out = self.work / "printed" / f"{name}.json"
        out.parent.mkdir(exist_ok=True)
        out.write_bytes(ended.stdout)
        (out.parent / f"{name}.exit").write_text(f"{ended.returncode}\n")
        if ended.returncode:
            print(f"{self.tree}: {name}: exit {ended.returncode}: {ended.stderr.decode()[-300:]}", flush=True)


def recipes(tree: Path) -> list[str]:
    """Names of the recipes that are trained, those that start from another model last."""
    shipped = sorted(path.stem for path in (tree / "src/regard/config/recipes").glob("*.yaml"))
    small = [name for name in shipped if name not in TOO_LARGE]
    return sorted(small, key=lambda name: name in FINE_TUNED)


def commands() -> dict[str, list[str]]:
    """Every command that answers in JSON, on what was trained."""
    found = {name: shlex.split(line) for name, line in COMMANDS.items()}
    for name in TRANSLATORS:
        run = f"runs/{name}"
        found[f"translate-{name}"] = ["translate", run, "lines.txt", "--json", "--attention", "--n-best", "2"]
        found[f"edit-{name}"] = ["look", run, SENTENCE, "--mask-word", "책을", "--json"]
        found[f"score-{name}"] = ["score", run, "builtin:ko-en:test", "--json"]
    for name in CLASSIFIERS:
        lines = "pairs.txt" if name.endswith("pairs") else "lines.txt"
        found[f"classify-{name}"] = ["classify", f"runs/{name}", lines, "--json", "--attention"]
    for name in TAGGERS:
        found[f"tag-{name}"] = ["tag", f"runs/{name}", "lines.txt", "--json", "--attention"]
    for name in LANGUAGE_MODELS:
        found[f"complete-{name}"] = ["complete", f"runs/{name}", "나는", "--json"]
        found[f"score-{name}"] = ["score", f"runs/{name}", "lines.txt", "--json"]
    for name in (*TRANSLATORS, *CLASSIFIERS, *TAGGERS, *LANGUAGE_MODELS, *OTHERS):
        found[f"evaluate-{name}"] = ["evaluate", f"runs/{name}", "--samples", "50", "--json"]
    for name in (*TRANSLATORS, *CLASSIFIERS, *TAGGERS):
        pair = [OTHER] if name.endswith("pairs") else []
        found[f"look-{name}"] = ["look", f"runs/{name}", SENTENCE, *pair, "--json"]
    return found


def work_through(checkout: Checkout, only: str) -> None:
    """Train and ask everything, one after the other."""
    checkout.work.mkdir(parents=True)
    (checkout.work / "lines.txt").write_text(f"{SENTENCE}\n{OTHER}\n\n책\n", encoding="utf-8")
    (checkout.work / "pairs.txt").write_text(f"{SENTENCE}\t{OTHER}\n", encoding="utf-8")
    sizes = [word for name, value in TINY.items() for word in ("--set", f"{name}={value}")]
    for name in recipes(checkout.tree):
        if only and only not in name and name != "bert-tiny":
            continue
        start = ["--from", "runs/bert-tiny"] if name in FINE_TUNED else []
        chosen = sizes[:-2] if start else sizes  # the vocabulary is that of the encoder
        checkout.run(f"train-{name}", "train", name, *start, "--out", f"runs/{name}", *chosen)
    for name, arguments in commands().items():
        if only in name or any(only and only in word for word in arguments):
            checkout.run(name, *arguments)


def without_clock(value: Any, *, renamed: bool) -> Any:
    """A value of JSON without what the clock decides, keys by their new names."""
    if isinstance(value, dict):
        names = RENAMED_KEYS if renamed else {}
        kept = {names.get(key, key): inner for key, inner in value.items() if not UNSTABLE.search(key)}
        return {key: without_clock(inner, renamed=renamed) for key, inner in kept.items()}
    if isinstance(value, list):
        return [without_clock(inner, renamed=renamed) for inner in value]
    return value


def content(path: Path, *, renamed: bool) -> Any:
    """What is compared of a file."""
    if path.suffix in (".json", ".jsonl", ".yaml"):
        text = path.read_text(encoding="utf-8")
        try:
            values = [yaml.safe_load(text)] if path.suffix == ".yaml" else json_values(text)
        except ValueError:
            return re.sub(r"\d+(\.\d+)? (s|ms|min|minutes|MB)\b", "…", text)
        return without_clock(values, renamed=renamed)
    digest = hashlib.sha256()
    with path.open("rb") as opened:
        while block := opened.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


def json_values(text: str) -> list[Any]:
    """One value, or one a line."""
    try:
        return [json.loads(text)]
    except ValueError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]


def first_difference(old: Any, new: Any, where: str = "") -> str:
    """The path of the first value that is not the same."""
    if type(old) is type(new) is dict:
        for key in [*old, *(key for key in new if key not in old)]:
            if key not in old or key not in new:
                return f"{where}.{key} stands only in {'new' if key in new else 'old'}"
            if old[key] != new[key]:
                return first_difference(old[key], new[key], f"{where}.{key}")
    if type(old) is type(new) is list and len(old) == len(new):
        place = next(place for place, pair in enumerate(zip(old, new, strict=True)) if pair[0] != pair[1])
        return first_difference(old[place], new[place], f"{where}[{place}]")
    return f"{where}: {str(old)[:70]!r} against {str(new)[:70]!r}"


def differences(old: Path, new: Path) -> Iterator[str]:
    """Files that are not the same, each with the first place in it."""
    # A manifest holds the sums of files that are compared themselves.
    passed_over = (".lock", "manifest.json")
    files = {
        path.relative_to(root)
        for root in (old, new)
        for path in root.rglob("*")
        if path.is_file() and ".cache" not in path.parts and path.name not in passed_over
    }
    for name in sorted(files):
        if not (old / name).exists() or not (new / name).exists():
            yield f"{name}: only in the {'new' if (new / name).exists() else 'old'} one"
            continue
        before, after = content(old / name, renamed=True), content(new / name, renamed=False)
        if before != after:
            yield f"{name}: {first_difference(before, after)}"


def main() -> int:
    """Compare two checkouts; 0 if they give the same."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--only", default="", help="recipes and commands with this in their names")
    parser.add_argument("--keep", type=Path, help="a new folder for what both write")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        root = asked.keep or Path(temporary)
        pair = [
            Checkout(tree.resolve(), root.resolve() / name, name == "old")
            for tree, name in ((asked.old, "old"), (asked.new, "new"))
        ]
        with concurrent.futures.ThreadPoolExecutor(2) as both:
            list(both.map(lambda checkout: work_through(checkout, asked.only), pair))
        found = list(differences(pair[0].work, pair[1].work))
        count = sum(1 for path in pair[1].work.rglob("*") if path.is_file())
    print("\n".join(found))
    print(f"{count} files, {len(found)} differ")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
