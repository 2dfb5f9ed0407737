"""A row that cannot be used stops the reading; or it is counted and kept to look at, up to a limit."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from regard.config.data import CorporaConfig
from regard.data.rows import Row, Rows
from regard.errors import DataError


@dataclass
class BadRows:
    """The policy of a recipe, and the bad rows met so far."""

    limit: int | None
    """How many may be skipped in one corpus; None = the first stops the reading."""
    met: list[tuple[str, str, str]] = field(default_factory=list)
    """(`file:line`, reason, what stands there)"""

    @classmethod
    def of(cls, data: CorporaConfig) -> "BadRows":
        """The policy that a recipe states."""
        return cls(data.bad_row_limit if data.on_bad_row == "skip" else None)

    def good(self, rows: Rows) -> Iterator[Row]:
        """The rows that can be used."""
        skipped = 0
        for row in rows:
            if isinstance(row, Row):
                yield row
                continue
            where = f"{rows.name}:{row.number}"
            if self.limit is None:
                raise DataError(f"{where}: {row.reason}")
            skipped += 1
            if skipped > self.limit:
                raise DataError(
                    f"{where}: {row.reason}; this is bad row {skipped:,}, "
                    f"more than data.bad_row_limit = {self.limit:,}"
                )
            self.met.append((where, row.reason, row.raw))

    def to_json_lines(self) -> str:
        """The bad rows as a quarantine file: where, reason, row."""
        records = ({"where": where, "reason": reason, "row": raw} for where, reason, raw in self.met)
        return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
