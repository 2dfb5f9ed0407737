"""The page of experiments and the experiments themselves name the same papers."""

import re
from pathlib import Path

import pytest

from regard.experiments.catalogue import LINES, find_experiment

PAGE = Path(__file__).parents[2] / "docs" / "experiments.md"
ROWS = dict(re.findall(r"^\| `([a-z0-9-]+)` \| ([^|]+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))


def test_every_experiment_has_a_row() -> None:
    assert ROWS.keys() >= LINES.keys()


@pytest.mark.parametrize("name", LINES)
def test_authors_and_years_of_a_row_are_those_of_the_experiment(name: str) -> None:
    words = set(re.findall(r"\b[A-ZÀ-Þ]\w+|\b\d{4}\b", ROWS[name])) - {"Table", "Tables", "Figure", "Figures"}
    assert any(word.isdigit() for word in words)
    told = find_experiment(name).paper
    assert [word for word in sorted(words) if word not in told] == []
