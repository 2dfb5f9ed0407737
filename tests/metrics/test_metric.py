"""The list of metrics, which everything that shows a score looks into."""

from pathlib import Path

import pytest

from regard.metrics.metric import METRICS, metric_named

DOCS = Path(__file__).parent.parent.parent / "docs"


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_is_explained(name: str) -> None:
    assert any(f"`{name}`" in page.read_text(encoding="utf-8") for page in DOCS.glob("*.md"))


def test_what_is_not_in_the_list_is_a_share() -> None:
    unknown = metric_named("probability")
    assert (unknown.range, unknown.decimals, unknown.lower_is_better) == ((0.0, 1.0), 3, False)
    assert metric_named("perplexity").lower_is_better
