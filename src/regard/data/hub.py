"""Data sets of the Hugging Face hub, or of folders in its form."""

from collections.abc import Iterator, Mapping
from typing import Any

from regard.config.data import HubCorpus
from regard.data.jsonlines import MISSING, as_cell, flat_names, look_up
from regard.data.rows import BadRow, Cell, Row, Rows, without
from regard.errors import DataError, MissingExtraError

_SPLITS = {"dev": "validation"}
"""What the hub calls a part that is called otherwise here."""


def hub_rows(
    corpus: HubCorpus,
    split: str,
    wanted: tuple[str, ...] | None,
    absent: Mapping[str, str] | None = None,
) -> Rows:
    """Rows of a split; a column inside another is named by a dot, a class by its name.

    absent: what to do without a column, by its name, if it is not there
    """
    part = _part(corpus, split)
    table = _load(corpus, part)
    features = table.features
    if len(table) == 0:
        raise DataError(f"hub:{corpus.name}: the part '{part}' has no rows")
    columns = wanted if wanted is not None else flat_names(dict(table[0]))

    def read() -> Iterator[Row | BadRow]:
        for number, values in enumerate(table, start=1):
            yield _row(number, values, columns, features, absent)

    return Rows(f"hub:{corpus.name}:{part}", columns, read)


def fingerprint(corpus: HubCorpus, split: str) -> str:
    """What the library itself knows the content by."""
    return str(_load(corpus, _part(corpus, split))._fingerprint)


def _part(corpus: HubCorpus, split: str) -> str:
    return corpus.split or _SPLITS.get(split, split)


def _load(corpus: HubCorpus, part: str) -> Any:
    try:
        import datasets
    except ImportError:
        raise MissingExtraError("a data set of the hub", "hub") from None
    datasets.disable_progress_bars()
    try:
        return datasets.load_dataset(corpus.name, corpus.subset, split=part, revision=corpus.revision)
    except Exception as error:  # the library raises whatever its many parts raise
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise DataError(f"hub:{corpus.name}: the part '{part}' cannot be loaded: {reason}") from None


def _row(
    number: int,
    values: dict[str, Any],
    columns: tuple[str, ...],
    features: Any,
    absent: Mapping[str, str] | None,
) -> Row | BadRow:
    cells: list[Cell] = []
    for column in columns:
        value = look_up(values, column)
        named = getattr(features.get(column), "int2str", None)
        if named is not None and isinstance(value, int) and value >= 0:
            value = named(value)
        cell = None if value is MISSING else as_cell(value)
        if cell is None:
            found = "nothing" if value is MISSING or value is None else type(value).__name__
            hint = without(column, absent) if value is MISSING else ""
            reason = f"expected a text under '{column}', found {found}{hint}"
            return BadRow(number, reason, repr(values)[:500])
        cells.append(cell)
    return Row(number, tuple(cells))
