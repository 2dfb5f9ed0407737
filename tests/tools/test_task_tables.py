from typing import Any

from results_page.tasks import task_sections


def result(task: str, data: dict[str, Any], metrics: dict[str, float], **more: Any) -> dict[str, Any]:
    model = {"kind": "sentence", "encoder": {"kind": "bag"}, "pooling": {"kind": "mean"}}
    return {
        "task": task,
        "rows": 1000,
        "metrics": metrics,
        "seed": 1,
        "parameters": 12345,
        "training": {"run": {"seconds": 150.0}},
        "recipe": {"task": task, "data": data, "model": model},
        **more,
    }


def tsv(path: str) -> dict[str, Any]:
    return {"kind": "tsv", "path": path, "filter": []}


def lines(page: str) -> list[str]:
    return [line for line in page.splitlines() if line.startswith("| ") and "---" not in line]


TREC = {"text": "text", "label": "label", "test": tsv("$REGARD_DATA/en-classification/trec/test.tsv.gz")}


def test_a_translator_by_hand_also_from_a_file_that_knows_less() -> None:
    data = {"source": "de", "target": "en", "test": tsv("/home/x/multi30k/test.tsv.gz")}
    old = result("translation", data, {"bleu": 33.333, "chrf": 55.0}, beam_size=5)
    old["recipe"]["model"] = {"kind": "seq2seq", "encoder": {"cell": "lstm"}, "attention": {"score": "dot"}}
    del old["task"], old["parameters"]
    old["by"] = {
        "length": {"1-5": {"rows": 9, "metrics": {"bleu": 1.0, "chrf": 2.0}}},
        "source": {"news": {"rows": 1200, "metrics": {"bleu": 3.456, "chrf": 20.0}}},
    }
    page = task_sections({"x": old, "y": {"kills": 1000}})
    assert page.startswith("\n## Translation\n\n| test set | result | model | rows | BLEU | chrF | beam |")
    assert lines(page)[1:] == [
        "| multi30k/test, de→en | [x](../results/x.json) | seq2seq, lstm, dot | 1,000 | 33.33 | 55.00 | 5 "
        "| – | 2.5 min | 1 |",
        "| source | rows | BLEU | chrF |",
        "| news | 1,200 | 3.46 | 20.00 |",
    ]


def test_the_linear_baseline_stands_above_the_models_of_its_test_set() -> None:
    bounds = {"accuracy": [0.85, 0.95]}
    linear = result("classification", TREC, {"accuracy": 0.888}, baseline="TF-IDF …")
    linear |= {"seed": None, "training": {"run": {"seconds": 6.0}}}
    fine = result("classification", {**TREC, "label": "fine_label"}, {"accuracy": 0.8})
    bag = result("classification", TREC, {"accuracy": 0.9, "macro_f1": 0.5}, intervals=bounds)
    bag["recipe"]["start"] = {"model": "runs/mini/"}
    found = lines(task_sections({"bag": bag, "fine": fine, "linear": linear}))
    place = "| en-classification/trec/test, label |"
    assert found[2:] == [
        f"{place} [linear](../results/linear.json) | linear | 1,000 | 88.8 | – | 12,345 | 6.0 s | – |",
        f"{place} [bag](../results/bag.json) | sentence, bag, mean, from mini | 1,000 | 90.0 [85.0, 95.0] "
        "| 50.0 | 12,345 | 2.5 min | 1 |",
    ]
    assert "trec/test, fine_label | [fine]" in found[1]


def test_what_is_said_has_a_section_of_its_own() -> None:
    data = {**TREC, "answer": {"kind": "number"}, "second": "other"}
    tags = {"label": "tags", "test": {"kind": "builtin", "world": "tags", "split": None}}
    page = task_sections(
        {
            "tags": result("tagging", tags, {"accuracy": 0.5, "unknown_accuracy": 0.25}),
            "sts": result("classification", data, {"spearman": 0.81234, "mse": 1.5}),
            "lm": result("language-model", {"test": tsv("a.txt")}, {"perplexity": 1234.5}),
        }
    )
    assert [line for line in page.splitlines() if line.startswith("##")] == [
        "## Numbers",
        "## Tagging",
        "## Language models",
    ]
    rows = lines(page)
    assert "0.812 | 1.500" in rows[1]
    assert rows[3].startswith("| builtin:tags:test, tags | [tags]")
    assert "50.0 | 25.0" in rows[3]
    assert rows[5].startswith("| a | [lm]")
    assert "1,234.50" in rows[5]


def test_a_single_checkpoint_has_the_time_to_it() -> None:
    early = result("classification", TREC, {"accuracy": 0.5}, training={"seconds": 600.0, "run": None})
    assert "| 10.0 min |" in task_sections({"early": early})


def test_what_was_left_out_of_a_test_set_is_named() -> None:
    mix = {
        "kind": "mix",
        "parts": [
            {"corpus": {**tsv("$REGARD_DATA/a/test.tsv"), "filter": ["source != x"]}},
            {"corpus": {**tsv("$REGARD_DATA/b/test.tsv"), "part": [0.0, 0.02]}},
        ],
    }
    page = task_sections({"lm": result("language-model", {"test": mix}, {"perplexity": 5.0})})
    assert "| a/test where source != x + b/test 0–0.02 |" in page
