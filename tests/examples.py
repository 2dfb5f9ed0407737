"""How many examples a property is tried with, where each of them costs much or little."""

from hypothesis import settings

USUAL = 100
"""What a property is tried with in the quick form, unless it says otherwise."""


def examples(quick: int) -> int:
    """The number for `settings(max_examples=…)`: so many in the quick form, more in a long one."""
    chosen: settings = settings.default  # type: ignore[assignment]  # a profile is loaded before tests are
    return max(1, quick * chosen.max_examples // USUAL)
