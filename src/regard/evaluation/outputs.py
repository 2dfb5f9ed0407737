"""The outputs of a system: of a model, or of somebody before, in a file with one a line, or with one JSON
object a line; tags also beside their words, as `regard tag` writes them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from regard.config.data import ENDINGS
from regard.config.load import corpus_from_short_form
from regard.config.tagging import TaggedConfig
from regard.data.lines import read_lines
from regard.data.rows import cell_text
from regard.data.tagged import read_tagged, tag_line
from regard.errors import DataError
from regard.evaluation.test_set import TestSet
from regard.metrics.statistics import Floats, Statistics

_KEYS = ("output", "text", "label", "tags", "answer")
"""Where it stands in an object, as `evaluate --outputs`, and `--json` of `translate`, `classify`, `tag` and
`answer` write it; see also `_as_output`."""
_SHOWN = 40
R = TypeVar("R")


@dataclass(frozen=True)
class Outputs(Generic[R]):
    """The outputs of a model for the rows of a test set, or outputs from elsewhere."""

    texts: tuple[str, ...]
    """What is scored, one for each row."""
    results: tuple[R, ...] = ()
    """As the model gave them, without their attention; none where the outputs come from a file."""
    seconds: float | None = None
    """What the model took; None where the outputs come from a file."""
    temperature: float | None = None
    """What the model's logits are divided by, where it has one."""
    confidence: Floats | None = None
    """The probability of what was predicted, where it is known."""
    values: tuple[float, ...] = ()
    """The outputs in full, where they are numbers."""
    statistics: Mapping[str, Statistics] = field(default_factory=dict)
    """What needs the model itself: whether its attention is where it should be."""
    not_measured: Mapping[str, str] = field(default_factory=dict)
    """Why a metric of the task cannot be had of them."""


def is_json_lines(path: Path) -> bool:
    """Whether the name of a file says that it has JSON lines."""
    endings = [ending for ending, kind in ENDINGS.items() if kind == "jsonl"]
    return path.name.lower().removesuffix(".gz").endswith(tuple(endings))


def read_outputs(path: Path, test: TestSet) -> list[str]:
    """The outputs in a file, as many as the test set has rows; JSON lines must also name its sources."""
    if _is_columns(path):
        return _from_columns(path, test)
    lines = read_lines(path)
    texts = list(_from_json(lines, test) if is_json_lines(path) else (text for _, text in lines))
    if len(texts) != len(test):
        raise DataError(
            f"{path}: expected one line for each row of {test.name}: found {len(texts):,} for {len(test):,}"
        )
    return texts


def _from_json(lines: Iterator[tuple[str, str]], test: TestSet) -> Iterator[str]:
    row = 0
    for where, line in lines:
        if not line.strip():
            continue
        try:
            values = json.loads(line)
        except (ValueError, RecursionError):
            raise DataError(f"{where}: not JSON; a file with one output a line ends in .txt") from None
        found = _as_output(values) if isinstance(values, dict) else {}
        text = next((text for key in _KEYS if (text := _text(found.get(key))) is not None), _said(found))
        if text is None:
            raise DataError(f"{where}: expected an object with a text under 'output', found {line[:_SHOWN]}")
        if row < len(test) and found.get("source", test.pairs[row].source) != test.pairs[row].source:
            raise DataError(
                f"{where}: this is the output for '{str(found['source'])[:_SHOWN]}', but "
                f"{test.pairs[row].where} has '{test.pairs[row].source[:_SHOWN]}'; is it the same test set?"
            )
        yield text
        row += 1


def _as_output(found: dict[str, Any]) -> dict[str, Any]:
    """An object with its output: in `score --json` of a language model the text is what was scored."""
    log = found.get("log_probability")
    scored = {"text", "perplexity"} <= found.keys() and not {"output", "source"} & found.keys()
    return {"source": found["text"], "output": repr(log)} if scored and isinstance(log, float) else found


def _text(value: object) -> str | None:
    """A text, or tags on a line; None if it is neither."""
    if isinstance(value, list) and all(isinstance(tag, str) for tag in value):
        return tag_line(value)
    return value if isinstance(value, str) else None


def _is_columns(path: Path) -> bool:
    endings = tuple(ending for ending, kind in ENDINGS.items() if kind in ("columns", "conllu"))
    return path.name.lower().removesuffix(".gz").endswith(endings)


def _from_columns(path: Path, test: TestSet) -> list[str]:
    """Tags beside the words that they belong to."""
    data = TaggedConfig()
    found = list(read_tagged(corpus_from_short_form(str(path)), data, split="test"))
    if len(found) != len(test):
        raise DataError(
            f"{path}: expected a sentence for each row of {test.name}: found {len(found):,} for {len(test):,}"
        )
    for own, pair in zip(found, test.pairs, strict=True):
        if own.source != pair.source:
            raise DataError(
                f"{own.where}: these are the tags of '{own.source[:_SHOWN]}', but {pair.where} has "
                f"'{pair.source[:_SHOWN]}'; is it the same test set?"
            )
    return [own.target for own in found]


def _said(found: dict[str, Any]) -> str | None:
    """Several labels, or a number, as `classify --json` writes them; None where neither is there."""
    labels, value = found.get("labels"), found.get("value")
    if isinstance(labels, list) and all(isinstance(label, str) for label in labels):
        return cell_text(tuple(labels))
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return repr(value) if is_number else None
