"""Tables of speed, from figures that can be checked by hand."""

from typing import Any

from results_page.speed import speed_sections

MACHINE = {"cores": 2, "threads": 2}


def side(version: str, seconds: list[float], **more: Any) -> dict[str, Any]:
    return {"version": version, "tokens": 1200, "seconds": seconds, **more}


def test_a_comparison_by_hand() -> None:
    training = {
        "network": "transformer",
        "sides": {
            "floor": side("torch 2", [1.0, 2.0, 1.0], memory=1),
            "regard": side("regard 1", [1.2, 2.0, 1.5], memory=7_000_000),
            "other": side("Other 3", [2.0, 3.0, 4.0]),
        },
    }
    decoding = {
        "beam": 5,
        "sentences": 10,
        "sides": {"regard 64": side("regard 1", [2.0], together=64, bleu=28.567)},
        "one by one": {"threads": {"1": {"regard": {"median": 0.0123, "p95": 0.045}}}},
    }
    page = speed_sections({"x": {"machine": MACHINE, "training": [training], "decoding": decoding}})
    assert "on 2 cores with 2 threads" in page
    assert "| floor | 1,200 (600–1,200) | 1.00 × | – |\n" in page
    assert "| regard 1 | 800 (600–1,000) | 1.20 × | 7 MB |\n" in page
    assert "| Other 3 | 400 (300–600) | 2.00 × | – |\n" in page
    assert "| transformer: beam 5, 10 sentences | at a time | sentences/s | BLEU |\n" in page
    assert "| regard 1 | 64 | 5.0 (5.0–5.0) | 28.57 |\n" in page
    assert "| regard | 1 | 12.3 ms | 45.0 ms |\n" in page


def test_peers_by_hand() -> None:
    sides = {
        "regard": side("regard 1", [1.0, 2.0, 1.0], memory=7_000_000),
        "other": side("Other 3", [2.0, 3.0, 4.0], memory=9_000_000),
    }
    found = {"machine": MACHINE | {"vectors": "AVX2"}, "corpus": "Multi30k", "sides": sides}
    page = speed_sections({"x": found | {"sentences": 1000}, "y": found | {"steps": 4}})
    assert page.count("\nOn a CPU with AVX2.\n") == 2
    assert "| 1,000 sentences, Multi30k | sentences/s | of regard's time | memory |\n" in page
    assert "| regard 1 | 1,000 (500–1,000) | 1.00 × | 7 MB |\n" in page
    assert "| Other 3 | 333 (250–500) | 2.00 × | 9 MB |\n" in page
    assert "| 4 steps, Multi30k | tokens/s | of regard's time | memory |\n" in page
    assert "| Other 3 | 400 (300–600) | 2.00 × | 9 MB |\n" in page


def test_growth_by_hand() -> None:
    curve = {
        "axis": "length",
        "work": "training",
        "values": [20, 100, 2000],
        "seconds": [0.5, 0.6, 2.0],
        "memory": [10, 11, 15],
        "demanded": [10, 20, 55],
    }
    page = speed_sections({"bench-growth": {"machine": MACHINE, "curves": [curve]}})
    assert page.endswith("| training | length | 20 | 2,000 | 5.5 × | – | 4.0 × | 1.5 × |\n")
    searched = {**curve, "work": "decoding", "read": [100, 300, 1250]}
    page = speed_sections({"bench-growth": {"machine": MACHINE, "curves": [searched]}})
    assert page.endswith("| decoding | length | 20 | 2,000 | 5.5 × | 12.5 × | 4.0 × | 1.5 × |\n")


def test_other_results_say_nothing_of_speed() -> None:
    assert speed_sections({"a": {"recipe": {}, "training": {"run": {}}}, "b": {"kills": 3}}) == ""
