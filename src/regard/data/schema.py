"""How rows become examples: the columns that are read, and what is made of their cells; and their reader."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from regard.config.data import CorporaConfig, Corpus, OneCorpus
from regard.data.readers import open_rows, parts_of
from regard.data.rows import RAW_SHOWN, BadRow, BadRows, Cell, CellKind, Row, Rows, cell_text

Cells = tuple[Cell, ...]
E_co = TypeVar("E_co", covariant=True)
D_contra = TypeVar("D_contra", bound=CorporaConfig, contravariant=True)


@dataclass(frozen=True)
class Schema(Generic[E_co]):
    """What is read of one corpus, and the examples that it gives."""

    columns: Mapping[str, CellKind]
    make: Callable[[Cells, str, Cells], E_co]
    """An example, from the cells of these columns, its `file:line`, and the cells of further columns."""
    absent: Mapping[str, str] = field(default_factory=dict)
    """What to do without a column, by its name, if it is not there."""
    check: Callable[[Cells], object] | None = None
    """Says by a ValueError why a row whose cells are in order cannot be used all the same."""

    def open(self, part: OneCorpus, *, split: str, more: Sequence[str] = ()) -> Rows:
        """The rows of a corpus: the cells of the columns, then those of further ones, taken as they are."""
        others: dict[str, CellKind] = {name: "any" for name in more if name not in self.columns}
        rows = open_rows(part, {**self.columns, **others}, split=split, absent=self.absent)
        if (check := self.check) is None:
            return rows
        return Rows(rows.name, rows.columns, lambda: self._checked(rows, check))

    def example(self, row: Row, where: str, more: Cells = ()) -> E_co:
        """The example that a row gives."""
        return self.make(row.cells[: len(self.columns)], where, more)

    def _checked(self, rows: Rows, check: Callable[[Cells], object]) -> Iterator[Row | BadRow]:
        for row in rows:
            if isinstance(row, BadRow):
                yield row
                continue
            try:
                check(row.cells[: len(self.columns)])
            except ValueError as error:
                yield BadRow(row.number, str(error), " ".join(map(cell_text, row.cells))[:RAW_SHOWN])
            else:
                yield row


class SchemaOf(Protocol[D_contra, E_co]):
    """What a task reads of a corpus, given the section `data` of a recipe."""

    def __call__(self, data: D_contra, part: OneCorpus, split: str, /) -> Schema[E_co]:
        """The schema for one part of a corpus, which is named for a split."""
        ...


class Reader(Generic[D_contra, E_co]):
    """Reads what a schema says: the examples of a corpus, all parts of a mix one after the other."""

    def __init__(self, schema_of: SchemaOf[D_contra, E_co]) -> None:
        self._schema_of = schema_of

    def __call__(
        self,
        corpus: Corpus,
        data: D_contra,
        *,
        split: str,
        bad: BadRows | None = None,
        more: Sequence[str] = (),
    ) -> Iterator[E_co]:
        """Read.

        split: what the corpus is named for in the recipe
        bad:   what to do with bad rows; by default, what the recipe says
        more:  further columns, taken as they are
        """
        policy = bad or BadRows.of(data)
        for part in parts_of(corpus):
            schema = self._schema_of(data, part, split)
            rows = schema.open(part, split=split, more=more)
            places = tuple(map(rows.columns.index, more))
            for row in policy.good(rows):
                cells = tuple(row.cells[place] for place in places)
                yield schema.example(row, f"{rows.name}:{row.number}", cells)
