"""Conditions on the columns of a row, such as `source != bible`."""

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_CONDITION = re.compile(
    r"\s*(?P<column>[^\s=!<>]+)\s*(?P<sign>==?|!=|<=?|>=?|\bnot in\b|\bin\b)\s*(?P<value>.*)", re.DOTALL
)
_FORMS = "column == value, != value, < number, <= number, > number, >= number, in a, b or not in a, b"


@dataclass(frozen=True, slots=True)
class Condition:
    """One test of one column."""

    column: str
    sign: str
    values: tuple[str, ...]

    def holds(self, cell: str) -> bool:
        """Whether a cell passes; one that is no number passes no comparison of numbers."""
        if self.sign in _COMPARE:
            try:
                return _COMPARE[self.sign](float(cell), float(self.values[0]))
            except ValueError:
                return False
        return (cell in self.values) == (self.sign in ("==", "in"))


def parse_condition(text: str) -> Condition:
    """Read a condition; a ValueError says what one looks like."""
    found = _CONDITION.fullmatch(text)
    if not found or not found["value"].strip() or found["value"].strip()[0] in "=!<>":
        raise ValueError(f"expected a condition such as 'source != bible', found {text!r}; forms: {_FORMS}")
    sign = "==" if found["sign"] == "=" else found["sign"]
    value = found["value"].strip()
    entries = value.strip("()[]").split(",") if sign.endswith("in") else [value]
    values = tuple(map(_unquoted, entries))
    if sign in _COMPARE:
        try:
            float(values[0])
        except ValueError:
            raise ValueError(f"expected a number after {sign} in the condition {text!r}") from None
    return Condition(found["column"], sign, values)


def _unquoted(value: str) -> str:
    value = value.strip()
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"" else value
