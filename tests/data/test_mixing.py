from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.config.data import BuiltinCorpus, DataConfig, MixCorpus
from regard.config.load import load_recipe
from regard.data.mixing import epoch_rows, epoch_sizes
from regard.errors import ConfigError

PART = BuiltinCorpus()


def mix(**settings: object) -> MixCorpus:
    parts = [{"corpus": PART, "weight": weight} for weight in settings.pop("weights", (1, 1))]  # type: ignore[attr-defined]
    return MixCorpus.model_validate({"parts": parts, **settings})


def test_shares_by_hand() -> None:
    assert epoch_sizes(PART, [10]) is None
    assert epoch_sizes(mix(), [90, 10]) is None
    assert epoch_sizes(mix(by="weight", weights=(3, 1)), [90, 10]) == [75, 25]
    assert epoch_sizes(mix(by="weight", weights=(3, 1), rows_per_epoch=40), [90, 10]) == [30, 10]
    assert epoch_sizes(mix(by="temperature", temperature=1.0), [90, 10]) == [90, 10]
    # 90 ** (1 / 2) : 10 ** (1 / 2) = 3 : 1
    assert epoch_sizes(mix(by="temperature", temperature=2.0), [90, 10]) == [75, 25]
    assert epoch_sizes(mix(by="weight", weights=(1, 1)), [10, 0]) == [10, 0]


def test_without_shares_every_row_comes_once() -> None:
    rows = epoch_rows([5, 7], None, seed=1, epoch=0)
    assert sorted(rows.tolist()) == list(range(12))


@given(
    st.lists(st.tuples(st.integers(1, 30), st.integers(0, 60)), min_size=1, max_size=3),
    st.integers(1, 5),
    st.integers(0, 3),
)
def test_a_part_goes_on_where_it_stopped(parts: list[tuple[int, int]], epochs: int, seed: int) -> None:
    """After any number of epochs, no row of a part came twice more often than another."""
    sizes, wanted = [size for size, _ in parts], [count for _, count in parts]
    seen: Counter[int] = Counter()
    for epoch in range(epochs):
        rows = epoch_rows(sizes, wanted, seed=seed, epoch=epoch).tolist()
        assert len(rows) == sum(wanted)
        seen.update(rows)
    first = 0
    for size, count in parts:
        counts = [seen[row] for row in range(first, first + size)]
        assert sum(counts) == epochs * count
        assert max(counts) - min(counts) <= 1
        first += size


@pytest.mark.parametrize("wanted", [[30, 30], None], ids=["drawn", "all"])
def test_rows_are_a_function_of_seed_and_epoch(wanted: list[int] | None) -> None:
    def drawn(seed: int, epoch: int) -> list[int]:
        rows: list[int] = epoch_rows([50, 20], wanted, seed=seed, epoch=epoch).tolist()
        return rows

    first = drawn(1, 0)
    np.random.seed(3)  # somebody else's random state does not matter
    assert drawn(1, 0) == first
    assert drawn(1, 1) != first
    assert drawn(2, 0) != first


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"weights": (2, 1)}, "the weights are not used with by: size"),
        ({"temperature": 2.0}, "the temperature is not used with by: size"),
        ({"rows_per_epoch": 10}, "rows_per_epoch cannot be set"),
    ],
)
def test_settings_that_would_be_ignored_are_refused(settings: dict[str, object], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        mix(**settings)


def test_a_mix_in_a_recipe() -> None:
    text = "[builtin:ko-en, {corpus: {kind: tsv, path: x.tsv, filter: source != bible}, weight: 2}]"
    recipe = load_recipe("bahdanau", [f"data.train={{kind: mix, by: weight, parts: {text}}}"])
    assert isinstance(recipe.data.train, MixCorpus)
    assert [part.weight for part in recipe.data.train.parts] == [1.0, 2.0]
    again = DataConfig.model_validate(recipe.data.model_dump(mode="json"))
    assert again == recipe.data
    with pytest.raises(ConfigError, match=r"data\.train\.parts\.1\.corpus\.filter"):
        load_recipe("bahdanau", ["data.train=[builtin:ko-en, {kind: tsv, path: x.tsv, filter: source}]"])
