"""How many examples a test is tried with, where each of them costs much or little."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
from hypothesis import settings

USUAL = 100
"""What a property is tried with in the quick form, unless it says otherwise."""


def examples(quick: int) -> int:
    """The number for `settings(max_examples=…)`: so many in the quick form, more in a long one."""
    chosen: settings = settings.default  # type: ignore[assignment]  # a profile is loaded before tests are
    return max(1, quick * chosen.max_examples // USUAL)


def cells(
    names: str | Sequence[str],
    every: Iterable[Any],
    *,
    quick: Sequence[Any],
    ids: Callable[[Any], object] | None = None,
) -> pytest.MarkDecorator:
    """Parametrize a test with every value: `make test` runs the quick ones, `make test-long` the others."""
    values = list(every)
    assert quick
    assert all(value in values for value in quick)
    several = not isinstance(names, str)
    long = pytest.mark.long("its quick cells")
    marked = [
        pytest.param(*(value if several else (value,)), marks=() if value in quick else long)
        for value in values
    ]
    return pytest.mark.parametrize(names, marked, ids=ids)
