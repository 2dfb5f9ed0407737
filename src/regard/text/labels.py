"""Labels and their numbers."""

import json
from collections.abc import Iterable, Iterator, Sequence

from regard.errors import DataError, StoreError, did_you_mean
from regard.text.normalise import normalise

FORMAT = 1
MOST = 10_000
"""More labels than this are a sign that the column is another one."""


class Labels:
    """What a model can say, in the order of its numbers: sorted, so that it does not depend on the rows."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self._numbers = {name: number for number, name in enumerate(self.names)}

    @classmethod
    def learn(cls, labels: Iterable[tuple[str, str]], column: str) -> "Labels":
        """All labels that there are, each given with its place; fewer than two are refused."""
        found: set[str] = set()
        for where, label in labels:
            found.add(as_name(label))
            if len(found) > MOST:
                raise DataError(
                    f"{where}: the column '{column}' has more than {MOST:,} labels; is it the right one?"
                )
        if len(found) < 2:
            told = f"only '{found.pop()}'" if found else "none"
            raise DataError(f"a classifier needs two labels or more, and the column '{column}' has {told}")
        return cls(sorted(found))

    @classmethod
    def from_json(cls, text: str, where: str) -> "Labels":
        """Read what `to_json` gave; `where` names the file in an error."""
        try:
            values = json.loads(text)
            names, version = list(values["labels"]), values["format"]
        except (ValueError, KeyError, TypeError):
            raise StoreError(f"{where}: not a list of labels that regard wrote") from None
        if version != FORMAT or not all(isinstance(name, str) for name in names):
            raise StoreError(f"{where}: not a list of labels that this regard reads (format {version!r})")
        return cls(names)

    def to_json(self) -> str:
        """The labels as one JSON text."""
        return json.dumps({"format": FORMAT, "labels": list(self.names)}, ensure_ascii=False)

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def number(self, label: str, where: str) -> int:
        """The number of a label; one that is not known is refused, naming its place."""
        name = as_name(label)
        if name not in self._numbers:
            few = len(self) <= 20
            hint = f"valid: {', '.join(self)}" if few else did_you_mean(name, self.names[:1000])
            raise DataError(f"{where}: the label '{name}' is not one that training knows; {hint}")
        return self._numbers[name]

    def encode_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The number of each label, as a text of one token."""
        return [[self._numbers[as_name(text)]] for text in texts]


def as_name(label: str) -> str:
    """Labels are compared in NFC and without spaces at their ends."""
    return normalise(label).text.strip()
