"""n-grams and an LSTM over growing text: what is trained, the effects by hand, and the whole in small."""

from pathlib import Path

import pytest
from torch import nn

from regard.config.language import NGramConfig, RecurrentLMConfig
from regard.config.load import Setting
from regard.experiments.estimates import Quantity, estimate
from regard.experiments.ngram_growth import AMOUNTS, LSTM, NGRAMS, megabytes, ngram_growth, recipe_of
from regard.experiments.reproduce import reproduce

WHOLE = ngram_growth()
TINY: list[Setting] = [
    ("data.train.max_words", 3),
    ("data.dev", {"kind": "builtin", "rows": 6, "max_words": 3}),
    ("data.test", {"kind": "builtin", "rows": 20, "max_words": 3}),
    ("text.vocabulary_size", 400),
]
SHORT = {"built-in": {50: 1, 200: 1}}


@pytest.mark.parametrize("world", [world.name for world in WHOLE.worlds])
def test_only_the_text_grows(world: str) -> None:
    """The model and its vocabulary have the same settings whatever the amount of text."""
    for system in (*NGRAMS, LSTM):
        recipes = [recipe_of(world, system, amount) for amount in AMOUNTS]
        assert len({str((one.model, one.text)) for one in recipes}) == 1
        assert len({str((one.data.dev, one.data.test)) for one in recipes}) == 1
        assert len({str(one.data.train) for one in recipes}) == len(AMOUNTS)
    orders = [recipe_of(world, system, 1000).model for system in NGRAMS]
    assert [own.order for own in orders if isinstance(own, NGramConfig)] == [2, 3, 4, 5]
    assert isinstance(recipe_of(world, LSTM, 1000).model, RecurrentLMConfig)


def test_real_text_is_apart() -> None:
    """Shares of the rows: dev, test and each amount of training text."""
    for amount in AMOUNTS:
        data = recipe_of("books", LSTM, amount).model_dump(mode="json")["data"]
        parts = [data[name]["part"] for name in ("dev", "test", "train")]
        assert parts[0][1] <= parts[1][0]
        assert parts[1][1] <= parts[2][0]
        assert 94_869 * (parts[2][1] - parts[2][0]) == pytest.approx(amount)


def test_megabytes_by_hand() -> None:
    assert megabytes(nn.Linear(10, 5)) == pytest.approx(4 * 55 / 1e6)
    assert megabytes(nn.Linear(10, 5).double()) == pytest.approx(8 * 55 / 1e6)


def test_the_effects_by_hand() -> None:
    def own(least: float, most: float, growth: float) -> dict[str, Quantity]:
        values = {"perplexity 1000": least, "perplexity": most, "growth": growth}
        return {name: Quantity(value, (value,) * 40) for name, value in values.items()}

    seed = {name: own(200.0, 100.0, 0.5) for name in NGRAMS}
    seed[NGRAMS[-1]] = own(220.0, 50.0, 0.9)
    seed[LSTM] = own(100.0, 20.0, 0.0)
    effects = {
        finding.name: estimate(finding.effect, [seed]).value
        for finding in WHOLE.findings
        if finding.world == "built-in"
    }
    assert effects["n-grams grow with their text"] == pytest.approx(0.9)
    assert effects["an LSTM keeps its size"] == 0.0
    assert effects["an LSTM beats n-grams"] == pytest.approx(60.0)  # 20 beside 50, the best
    assert effects["more text widens its lead"] == pytest.approx(10.0)  # it was 50, 100 beside 200
    assert effects["long n-grams need text"] == pytest.approx(50.0 + 10.0)
    assert len(effects) == len(WHOLE.findings) / 2


def test_the_experiment_in_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REGARD_DATA", raising=False)
    for name, value in (("AMOUNTS", (50, 200)), ("QUICK_AMOUNTS", (50, 200)), ("EPOCHS", SHORT)):
        monkeypatch.setattr(f"regard.experiments.ngram_growth.{name}", value)
    record = reproduce(ngram_growth(TINY), tmp_path / "x", quick=True, quiet=True)
    assert [part.system for part in record.parts] == [*NGRAMS, LSTM]
    values = {part.system: part.values for part in record.parts}
    assert abs(values[LSTM]["growth"] or 0) < 0.2  # its vocabulary is not full with so little text
    sizes = [values[system]["size"] or 0 for system in NGRAMS]
    assert sizes == sorted(sizes)
    for own in values.values():
        assert own["perplexity"] == own["perplexity 200"]
        assert (own["perplexity"] or 0) > 1
    for system in NGRAMS:
        assert (values[system]["size 50"] or 0) < (values[system]["size 200"] or 0)
    assert len(record.findings) == 5
    assert (tmp_path / "x" / "ngram-growth.svg").stat().st_size > 5_000
