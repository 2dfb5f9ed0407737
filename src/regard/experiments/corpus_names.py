"""Test sets in a few words, as a table has room for."""

import re
from collections.abc import Mapping
from typing import Any

_FOLDER = "$REGARD_DATA/"
_ENDING = re.compile(r"\.(tsv|csv|jsonl|json|ndjson|conllu|conll|txt)(\.gz)?$")


def test_name(result: Mapping[str, Any]) -> str:
    """What a result was measured on: the corpus, and what was asked of it."""
    data = result["recipe"]["data"]
    name = corpus_name(data.get("test") or {}, "test")
    task = result.get("task", "translation")
    if task == "translation":
        return f"{name}, {data['source']}→{data['target']}"
    if task in ("classification", "tagging"):
        return f"{name}, {data['label']}"
    return name


def corpus_name(corpus: Mapping[str, Any], split: str) -> str:
    """A corpus of a recipe, with its split and what was left out of it."""
    kind = corpus.get("kind")
    if kind == "builtin":
        own = f"builtin:{corpus['world']}:{corpus.get('split') or split}"
    elif kind == "hub":
        own = f"hub:{corpus['name']}:{corpus.get('split') or split}"
    elif kind == "mix":
        own = " + ".join(corpus_name(part["corpus"], split) for part in corpus["parts"])
    else:
        own = _file_name(corpus.get("path") or corpus.get("source_path") or "–")
    conditions = " and ".join(corpus.get("filter") or ())
    part = f" {corpus['part'][0]:g}–{corpus['part'][1]:g}" if corpus.get("part") else ""
    return f"{own}{part}{f' where {conditions}' if conditions else ''}"


def _file_name(path: str) -> str:
    """A file under the data folder by its place there, any other by its last two parts; no ending."""
    place = path.removeprefix(_FOLDER) if path.startswith(_FOLDER) else "/".join(path.split("/")[-2:])
    return _ENDING.sub("", place)
