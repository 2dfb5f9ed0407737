"""Tables of aligners and of serving, from the files that `bench/alignment.py`, `bench/serving.py` write."""

from collections.abc import Mapping
from typing import Any

from regard.progress import counted
from results_page.tasks import cells, link

ALIGNMENT = """
## Word alignment of real text

English and French: {sentences} sentences of the Canadian Hansards that people have aligned. All read their
text and the captions of Multi30k, {texts:,} pairs; nobody sees an alignment. Of translators, heads are chosen
on other sentences. From {file}.

"""
COST = """
## What word alignment costs

{pairs:,} pairs; from {file}.

"""
SERVING = """
## Serving

`regard serve` beside the same model called from Python (*direct*: with one client each sentence alone, with
more all as one batch) and beside FastAPI around the same call (*plain*). A client sends one sentence a
request; all are in one process on the same {cores} cores. Times are medians of the rounds.
"""


def alignment_section(results: Mapping[str, Mapping[str, Any]]) -> str:
    """The error rates of aligners; nothing where they were not measured."""
    page = ""
    for name, found in results.items():
        if "aer" in found and "texts" in found:
            page += ALIGNMENT.format(**found, file=link(name))
            rows = sorted(found["aer"].items(), key=lambda each: float(each[1]))
            page += cells(["aligner", "AER"]) + cells(["---"] * 2)
            page += "".join(cells([aligner, f"{error:.3f}"]) for aligner, error in rows)
    return page


def alignment_cost_section(results: Mapping[str, Mapping[str, Any]]) -> str:
    """How fast words are aligned beside what is done without it; nothing where that was not measured."""
    page = ""
    for name, found in results.items():
        if "align" in found.get("sides", ()):
            sides = found["sides"]
            pairs = next(iter(sides.values()))["pairs"]
            page += COST.format(pairs=pairs, file=link(name))
            page += cells(["work", "pairs/s"]) + cells(["---"] * 2)
            for side, own in sides.items():
                middle = sorted(own["seconds"])[len(own["seconds"]) // 2]
                page += cells([f"`{side}`", f"{pairs / middle:,.0f}"])
            page += "".join(
                f"\n`{what}`: {middle:.2f} times as long ({low:.2f} to {high:.2f}).\n"
                for what, (middle, low, high) in found["times"].items()
            )
    return page


def serving_section(results: Mapping[str, Mapping[str, Any]]) -> str:
    """Throughput and latency by the number of clients; nothing where they were not measured."""
    page = ""
    head = ["side", "sentences/s", "of direct", "p50", "p99", "answers that differ"]
    for name, found in results.items():
        if "clients" not in found or "machine" not in found:
            continue
        page = page or SERVING.format(cores=found["machine"]["cores"])
        page += f"\n### {link(name)}: {found['task']}, {found['sentences']} sentences\n"
        for clients, sides in found["clients"].items():
            page += (
                "\n"
                + cells([f"{head[0]}, {counted(int(clients), 'client')}", *head[1:]])
                + cells(["---"] * len(head))
            )
            for side, own in sides.items():
                middle, low, high = own["throughput / direct"]
                rate = found["sentences"] / sorted(own["seconds"])[len(own["seconds"]) // 2]
                times = [f"{1000 * own[which]:.1f} ms" for which in ("p50", "p99")]
                ratio = f"{middle:.2f} × ({low:.2f}–{high:.2f})"
                page += cells([side, f"{rate:,.1f}", ratio, *times, str(own["differ"])])
    return page
