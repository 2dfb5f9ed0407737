"""A table of how well the cosines of sentence vectors follow what people say."""

from collections.abc import Mapping

from regard.experiments.corpus_names import corpus_name
from regard.experiments.task_tables import METRICS, Result, cells, link, score

HEAD = """
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
    return HEAD + "".join(lines)
