"""Fitted thresholds in a model folder: alarms.json, which the manifest names as it does every file."""

import json
from pathlib import Path

from regard.analysis.thresholds import AlarmThresholds
from regard.errors import StoreError
from regard.store.atomic import ALARMS, MANIFEST, Listing, list_folder, replace_file
from regard.store.files import JSON_BYTES
from regard.store.folder import WEIGHTS
from regard.store.resolve import find_model

FORMAT = 1


def write_alarms(path: Path, thresholds: AlarmThresholds) -> Path:
    """Store thresholds beside the weights that they were fitted for; of a run, in its best model.

    returns: the file
    """
    folder = find_model(path)
    files = list_folder(folder)
    values = {"format": FORMAT, "weights": _weights(files), **thresholds.to_dict()}
    content = json.dumps(values, ensure_ascii=False).encode()
    if len(content) > JSON_BYTES:
        raise StoreError(f"{folder / ALARMS}: expected at most {JSON_BYTES:,} bytes, found {len(content):,}")
    replace_file(folder, ALARMS, content)
    return folder / ALARMS


def read_alarms(path: Path, task: str = "") -> AlarmThresholds | None:
    """The thresholds of a model folder, or of the best model of a run; None where none were fitted.

    task: what the model is for
    """
    if not any((path / name).is_file() for name in (MANIFEST, "run.json")):
        return None  # a folder of another library
    files = list_folder(find_model(path))
    if ALARMS not in files:
        return None
    where = files.folder / ALARMS
    again = f"fit them again: regard check {path} --fit-alarms"
    try:
        content = files.read(ALARMS, JSON_BYTES)
    except StoreError as error:
        raise StoreError(f"{error}; {again}") from None
    try:
        values = json.loads(content)
        version, weights = values["format"], values["weights"]
        found = AlarmThresholds.from_dict(values) if version == FORMAT else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise StoreError(f"{where}: not thresholds that regard wrote; {again}") from None
    if found is None:
        raise StoreError(f"{where}: has format {version}, this regard reads format {FORMAT}; {again}")
    if weights != _weights(files):
        raise StoreError(f"{where}: its thresholds were fitted for another model; {again}")
    if task and found.task != task:
        raise StoreError(f"{where}: its thresholds are for {found.task}, this is a model for {task}; {again}")
    return found


def _weights(files: Listing) -> str:
    """What tells the weights of a folder from all others."""
    facts = files.facts(WEIGHTS) if WEIGHTS in files else {}
    return str(facts.get("sha256", ""))
