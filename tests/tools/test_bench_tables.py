from typing import Any

from results_page.benches import alignment_cost_section, alignment_section, serving_section


def test_aligners_by_hand() -> None:
    found = {"aer": {"worse": 0.5, "eflomal": 0.1316}, "texts": 29447, "sentences": 313}
    page = alignment_section({"x": found, "other": {"aer": 0.2}})
    assert "313 sentences of the Canadian" in page
    assert "29,447 pairs" in page
    assert page.endswith("| aligner | AER |\n| --- | --- |\n| eflomal | 0.132 |\n| worse | 0.500 |\n")
    assert alignment_section({"other": {"aer": 0.2}}) == ""


def test_the_cost_of_alignment_by_hand() -> None:
    sides = {"align": {"pairs": 600, "seconds": [0.3, 0.2, 0.1]}, "score": {"pairs": 600, "seconds": [0.1]}}
    page = alignment_cost_section({"x": {"sides": sides, "times": {"align / score": [2.0, 1.0, 3.0]}}})
    assert "| `align` | 3,000 |\n| `score` | 6,000 |\n" in page
    assert page.endswith("`align / score`: 2.00 times as long (1.00 to 3.00).\n")


def test_serving_by_hand() -> None:
    side: dict[str, Any] = {"throughput / direct": [0.9, 0.8, 1.0], "p50": 0.0123, "p99": 0.2, "differ": 0}
    found = {
        "machine": {"cores": 2}, "task": "translate", "sentences": 100,
        "clients": {"64": {"regard": {**side, "seconds": [2.0, 1.0, 4.0]}}},
    }  # fmt: skip
    page = serving_section({"x": found})
    assert "same 2 cores" in page
    assert "| side, 64 clients | sentences/s | of direct | p50 | p99 | answers that differ |\n" in page
    assert page.endswith("| regard | 50.0 | 0.90 × (0.80–1.00) | 12.3 ms | 200.0 ms | 0 |\n")
