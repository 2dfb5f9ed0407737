"""Tables of what models reach, one a task, and of how well cosines of vectors follow what people say.

They are made from the files of `evaluate --out`, `baseline --out` and `similarity --out`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from regard.evaluation.test_set import LENGTH

_FOLDER = "$REGARD_DATA/"
_ENDING = re.compile(r"\.(tsv|csv|jsonl|json|ndjson|conllu|conll|txt)(\.gz)?$")


def test_name(result: Mapping[str, Any]) -> str:
    """What a result was measured on: the corpus, and what was asked of it."""
    data = result["recipe"]["data"]
    name = corpus_name(data.get("test") or {}, "test")
    task = result.get("task", "translation")
    if task == "translation":
        return f"{name}, {data['source']}→{data['target']}"
    if task in ("classification", "tagging"):
        return f"{name}, {data['label']}"
    return name


def corpus_name(corpus: Mapping[str, Any], split: str) -> str:
    """A corpus of a recipe, with its split and what was left out of it."""
    kind = corpus.get("kind")
    if kind == "builtin":
        own = f"builtin:{corpus['world']}:{corpus.get('split') or split}"
    elif kind == "hub":
        own = f"hub:{corpus['name']}:{corpus.get('split') or split}"
    elif kind == "mix":
        own = " + ".join(corpus_name(part["corpus"], split) for part in corpus["parts"])
    else:
        own = _file_name(corpus.get("path") or corpus.get("source_path") or "–")
    conditions = " and ".join(corpus.get("filter") or ())
    part = f" {corpus['part'][0]:g}–{corpus['part'][1]:g}" if corpus.get("part") else ""
    return f"{own}{part}{f' where {conditions}' if conditions else ''}"


def _file_name(path: str) -> str:
    """A file under the data folder by its place there, any other by its last two parts; no ending."""
    place = path.removeprefix(_FOLDER) if path.startswith(_FOLDER) else "/".join(path.split("/")[-2:])
    return _ENDING.sub("", place)


Result = Mapping[str, Any]


@dataclass(frozen=True)
class Shown:
    """How a metric is written."""

    head: str
    times: float = 1.0
    decimals: int = 2


METRICS = {
    "bleu": Shown("BLEU"),
    "chrf": Shown("chrF"),
    "ter": Shown("TER"),
    "accuracy": Shown("accuracy, %", 100, 1),
    "unknown_accuracy": Shown("of unknown words, %", 100, 1),
    "micro_f1": Shown("micro F1, %", 100, 1),
    "macro_f1": Shown("macro F1, %", 100, 1),
    "span_f1": Shown("span F1, %", 100, 1),
    "exact_match": Shown("exact match, %", 100, 1),
    "f1": Shown("F1, %", 100, 1),
    "spearman": Shown("Spearman's ρ", decimals=3),
    "pearson": Shown("Pearson's r", decimals=3),
    "mse": Shown("MSE", decimals=3),
    "retrieval": Shown("partner nearest, %", 100, 1),
    "mrr": Shown("MRR", decimals=3),
    "perplexity": Shown("perplexity"),
    "aer": Shown("AER, %", 100, 1),
    "attention_precision": Shown("attention: precision, %", 100, 1),
    "attention_recall": Shown("attention: recall, %", 100, 1),
    "ece": Shown("ECE, %", 100, 1),
}
SECTIONS = {
    "translation": "Translation",
    "classification": "Classification: a label",
    "classification, labels": "Classification: several labels",
    "classification, number": "Numbers",
    "tagging": "Tagging",
    "question-answering": "Question answering",
    "language-model": "Language models",
    "masked-language-model": "Masked language models",
    "embedding": "Vectors of sentences",
}
PARTS = {"encoder": ("cell", "kind"), "attention": ("score",), "pooling": ("kind",), "labelling": ("kind",)}
"""What tells networks of one kind apart, by the sections of a recipe's model."""
LINEAR = "linear"
NONE = "–"


def task_sections(results: Mapping[str, Result]) -> str:
    """A section for each task that has results; of the others, those without a recipe, nothing is said."""
    kept = {name: result for name, result in results.items() if "recipe" in result and "metrics" in result}
    pages = []
    for kind, title in SECTIONS.items():
        own = {name: result for name, result in kept.items() if _kind(result) == kind}
        if own:
            groups = "".join(_by(name, result) for name, result in own.items())
            pages.append(f"\n## {title}\n\n{_table(own)}{groups}")
    return "".join(pages)


def _kind(result: Result) -> str:
    """The task, and of classification what is said."""
    recipe = result["recipe"]
    task: str = result.get("task", "translation")
    answer = recipe["data"].get("answer", {}).get("kind", "label") if task == "classification" else "label"
    return task if answer == "label" else f"{task}, {answer}"


def _table(results: Mapping[str, Result]) -> str:
    metrics = [name for name in METRICS if any(name in result["metrics"] for result in results.values())]
    beams = any("beam_size" in result for result in results.values())
    heads = [METRICS[name].head for name in metrics] + ["beam"] * beams
    head = ["test set", "result", "model", "rows", *heads, "parameters", "training", "seed"]
    # What is measured on one test set stands together, the linear baseline first.
    order = sorted(results.items(), key=lambda item: (test_name(item[1]), "baseline" not in item[1], item[0]))
    lines = [cells(head), cells(["---"] * len(head))]
    for name, result in order:
        scores = [score(result, metric) for metric in metrics]
        beam = [str(result.get("beam_size", NONE))] * beams
        facts = [parameters(result), training_time(result), _or_none(result.get("seed"))]
        lines.append(
            cells(
                [test_name(result), link(name), _model(result), f"{result['rows']:,}", *scores, *beam, *facts]
            )
        )
    return "".join(lines)


def _by(name: str, result: Result) -> str:
    """The scores of a result by each column that was asked for; that by length is in the file."""
    metrics = [metric for metric in METRICS if metric in result["metrics"]]
    tables = []
    for column, groups in result.get("by", {}).items():
        if column == LENGTH:
            continue
        head = [column, "rows", *(METRICS[metric].head for metric in metrics)]
        lines = [
            cells([value, f"{group['rows']:,}", *(score(group, metric) for metric in metrics)])
            for value, group in groups.items()
        ]
        table = cells(head) + cells(["---"] * len(head)) + "".join(lines)
        tables.append(f"\n### {name}, by {column}\n\n{table}")
    return "".join(tables)


def _model(result: Result) -> str:
    """What kind of network, what its parts are, and what it started from."""
    if "baseline" in result:
        return LINEAR
    recipe = result["recipe"]
    model = recipe["model"]
    kinds = [model["kind"], model.get("cell")]
    for part, names in PARTS.items():
        section = model.get(part) or {}
        kinds.append(next((section[name] for name in names if name in section), None))
    start = recipe.get("start")
    begun = [f"from {start['model'].rstrip('/').rpartition('/')[2]}"] if start else []
    return ", ".join([*dict.fromkeys(filter(None, kinds)), *begun])


def score(result: Result, metric: str) -> str:
    """A score with its interval."""
    if metric not in result["metrics"]:
        return NONE
    how = METRICS[metric]
    text = _number(result["metrics"][metric], how)
    bounds = result.get("intervals", {}).get(metric)
    return f"{text} [{', '.join(_number(bound, how) for bound in bounds)}]" if bounds else text


def _number(value: float, how: Shown) -> str:
    return f"{value * how.times:,.{how.decimals}f}"


def parameters(result: Result) -> str:
    """How many there are; older files do not say it."""
    found = result.get("parameters")
    return NONE if found is None else f"{found:,}"


def training_time(result: Result) -> str:
    """How long the whole run was; of a single checkpoint, how long it took to get there."""
    training = result["training"]
    seconds = (training.get("run") or training).get("seconds")
    if seconds is None:
        return NONE
    return f"{seconds:.1f} s" if seconds < 60 else f"{seconds / 60:.1f} min"


def _or_none(value: object) -> str:
    return NONE if value is None else str(value)


def link(name: str) -> str:
    """The name of a result, that leads to its file."""
    return f"[{name}](../results/{name}.json)"


def cells(texts: Sequence[str]) -> str:
    """A line of a table."""
    return f"| {' | '.join(text.replace('|', chr(92) + '|') for text in texts)} |\n"


SIMILARITY = """
## Similarity of sentences

The correlation of the cosine of two vectors with human scores, without training for them.

"""
_SCORES = ("spearman", "pearson")


def similarity_section(results: Mapping[str, Result]) -> str:
    """The section for the files of `regard similarity --out`; nothing where there are none."""
    own = {name: result for name, result in results.items() if result.get("kind") == "similarity"}
    if not own:
        return ""
    head = ["test set", "result", "model", "pairs", *(METRICS[name].head for name in _SCORES)]
    lines = [cells(head), cells(["---"] * len(head))]
    for name, result in own.items():
        data = f"{corpus_name({'path': result['data']}, 'test')}, {result['gold']}"
        scores = [score({**result, "metrics": result["scores"]}, metric) for metric in _SCORES]
        lines.append(cells([data, link(name), result["model"], f"{result['pairs']:,}", *scores]))
    return SIMILARITY + "".join(lines)
