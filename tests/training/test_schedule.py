from pathlib import Path

import pytest
from tests.training.tiny import TINY

import regard
from regard.config.training import ScheduleConfig
from regard.training.optimizer import learning_rate_share


def shares(kind: str, *, warmup: int = 4, total: int = 12) -> list[float]:
    schedule = ScheduleConfig(kind=kind, warmup_steps=warmup, floor=0.2)  # type: ignore[arg-type]
    return [learning_rate_share(step, total, schedule) for step in range(1, total + 1)]


@pytest.mark.parametrize("kind", ["constant", "inverse_sqrt", "linear", "cosine"])
def test_all_warm_up_to_the_peak(kind: str) -> None:
    assert shares(kind)[:4] == [0.25, 0.5, 0.75, 1.0]


def test_decays_by_hand() -> None:
    assert shares("constant")[4:] == [1.0] * 8
    assert shares("inverse_sqrt", total=16)[15] == pytest.approx(0.5)  # sqrt(4 / 16)
    assert shares("linear")[7] == pytest.approx(0.6)  # half way from 1 to 0.2
    assert shares("linear")[-1] == pytest.approx(0.2)
    assert shares("cosine")[7] == pytest.approx(0.6)
    assert shares("cosine")[-1] == pytest.approx(0.2)
    assert shares("cosine")[5] == pytest.approx(0.2 + 0.8 * (1 + 2**-0.5) / 2)  # a quarter of the way


def test_no_warm_up() -> None:
    assert shares("cosine", warmup=0)[0] == pytest.approx(1.0, abs=0.05)
    assert shares("inverse_sqrt", warmup=0)[3] == pytest.approx(0.5)


def test_a_decay_follows_the_time_where_that_is_further_on() -> None:
    schedule = ScheduleConfig(kind="linear", warmup_steps=4, floor=0.2)
    # Of steps that are alike, 4 of 8 were the warm-up, 0.4 of the time: of the 0.6 behind it, 0.4 are over.
    assert learning_rate_share(8, 100, schedule, spent=0.8) == pytest.approx(1 - 0.8 * 0.4 / 0.6)
    assert learning_rate_share(8, 12, schedule, spent=0.1) == pytest.approx(0.6)  # the steps are further on
    assert learning_rate_share(4, 12, schedule, spent=0.5) == 1.0  # the peak is reached, however long it took
    assert learning_rate_share(5, 12, schedule, spent=1.0) == pytest.approx(0.2)
    assert learning_rate_share(2, 12, schedule, spent=0.9) == 0.5  # the warm-up goes by steps


def test_a_run_that_ends_within_its_warm_up_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for warmup, told in ((500, 1), (2, 0)):
        settings = [*TINY, "training.epochs=1", f"training.schedule.warmup_steps={warmup}"]
        regard.train("demo", out=tmp_path / str(warmup), set_=settings)
        assert capsys.readouterr().err.count("500 are no fewer than the ") == told
