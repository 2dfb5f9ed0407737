from typing import Any

from results_page.over_time import time_section
from results_page.tasks import link


def result(best_by: str, *validations: tuple[float, float]) -> dict[str, Any]:
    points = [{"step": 1, "seconds": 60 * minute, best_by: value} for minute, value in validations]
    recipe = {"training": {"best_by": best_by}}
    return {"recipe": recipe, "training": {"validations": points}}


def rows(page: str) -> list[list[str]]:
    return [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| [")]


def test_the_best_up_to_each_time_by_hand() -> None:
    long = result("bleu", (4.0, 10.0), (9.0, 8.0), (15.0, 20.0), (41.0, 15.0))
    short = result("loss", (1.5, 3.0), (6.0, 2.5))
    page = time_section({"long": long, "short": short, "old": {"recipe": {}, "training": {"run": None}}})
    assert "| 1 min | 2 min | 5 min | 10 min | 20 min | 40 min | best | after |" in page
    assert rows(page) == [
        [link("long"), "BLEU", "–", "–", "10.00", "10.00", "20.00", "20.00", "20.00", "15.0 min"],
        [link("short"), "loss", "–", "3.000", "3.000", "–", "–", "–", "2.500", "6.0 min"],
    ]


def test_the_score_of_an_embedder_is_its_first_measure() -> None:
    points = [{"step": 1, "seconds": 90, "loss": 0.1, "spearman": 0.5, "pearson": 0.9}]
    page = time_section(
        {"near": {"recipe": {"training": {"best_by": "score"}}, "training": {"validations": points}}}
    )
    assert rows(page) == [[link("near"), "Spearman's ρ", "–", "0.500", "1.5 min"]]


def test_without_a_run_of_more_than_a_minute_there_is_no_section() -> None:
    assert time_section({"x": result("bleu", (0.5, 10.0)), "y": {"kills": 3}}) == ""
