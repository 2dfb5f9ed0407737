from results_page.tasks import similarity_section


def test_a_row_by_hand() -> None:
    result = {
        "kind": "similarity",
        "model": "mini",
        "data": "$REGARD_DATA/en-pairs/stsb/test.tsv.gz",
        "gold": "score",
        "pairs": 1379,
        "scores": {"spearman": 0.82, "pearson": 0.83},
        "intervals": {"spearman": [0.8, 0.84], "pearson": [0.81, 0.85]},
    }
    assert similarity_section({"x": result, "y": {"kills": 3}}).endswith(
        "| en-pairs/stsb/test, score | [x](../results/x.json) | mini | 1,379 | 0.820 [0.800, 0.840] "
        "| 0.830 [0.810, 0.850] |\n"
    )
    assert similarity_section({"y": {"kills": 3}}) == ""
