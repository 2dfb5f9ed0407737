"""Tables of speed for the docs, from the files that the programs in `bench/` write."""

import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

HEAD = """
## Speed

Made by `make bench` on {cores} cores with {threads} threads; what is compared, and how, is in
`bench/README.md`. Rates are medians, in brackets the minimum and the maximum; a ratio is the median of the
ratios within rounds. Memory is the peak resident size, above what the imports needed.
"""
TRAINING = """
| {network}: training | target tokens/s | of the floor's time | memory |
|---|---|---|---|
"""
DECODING = """
| {network}: beam {beam}, {sentences:,} sentences | at a time | sentences/s | BLEU |
|---|---|---|---|
"""
ALONE = """
| one sentence at a time | threads | median | 95 % are faster than |
|---|---|---|---|
"""
PEERS = """
| {what} | {unit}/s | of regard's time | memory |
|---|---|---|---|
"""
GROWTH = """
## How the cost grows

![Time and memory of training, decoding and opening against what grows](images/growth.svg)

From the smallest size to the largest, each is so many times as much. What the work demands is counted in
multiplications, or in rows; and of a search, in bytes that it reads: its weights at every step, and the keys
and values of all words so far.

| work | what grows | from | to | demanded | read | time | memory |
|---|---|---|---|---|---|---|---|
"""


def speed_sections(results: Mapping[str, Mapping[str, Any]]) -> str:
    """The sections for those of these results that are of speed; nothing where there are none."""
    compared = {
        name: found
        for name, found in results.items()
        if isinstance(found.get("training"), list)
        or ("sides" in found and "machine" in found and "align" not in found["sides"])
    }
    page = "".join(_comparison(name, found) for name, found in compared.items())
    if page:
        machine = next(iter(compared.values()))["machine"]
        page = HEAD.format(cores=machine["cores"], threads=machine["threads"]) + page
    grown = [found["curves"] for found in results.values() if "curves" in found and "machine" in found]
    curves = [curve for each in grown for curve in each]
    return page + (GROWTH + "".join(map(_growth, curves)) if curves else "")


def _comparison(name: str, found: Mapping[str, Any]) -> str:
    page = f"\n### [{name}](../results/{name}.json)\n"
    if "vectors" in found["machine"]:
        page += f"\nOn a CPU with {found['machine']['vectors']}.\n"
    if "sides" in found:
        return page + _peers(found)
    for each in found["training"]:
        page += TRAINING.format(network=each["network"]) + "".join(_training(each["sides"]))
    decoding = found["decoding"]
    if decoding:
        network = found["training"][-1]["network"] if found["training"] else "decoding"
        page += DECODING.format(network=network, **decoding) + "".join(_decoding(decoding))
        if "one by one" in decoding:
            page += ALONE + "".join(_alone(decoding["one by one"]["threads"]))
    return page


def _peers(found: Mapping[str, Any]) -> str:
    """regard beside others that do the same: vectors of so many sentences, or steps of so many tokens."""
    sentences: int | None = found.get("sentences")
    what = f"{sentences:,} sentences" if sentences else f"{found['steps']} steps"
    page = PEERS.format(what=f"{what}, {found['corpus']}", unit="sentences" if sentences else "tokens")
    own = found["sides"]["regard"]["seconds"]
    for name, side in found["sides"].items():
        times = statistics.median(its / regards for its, regards in zip(side["seconds"], own, strict=True))
        rate = _rate(sentences or side["tokens"], side["seconds"])
        page += _cells(_named(name, side), rate, f"{times:.2f} ×", f"{side['memory'] / 1e6:,.0f} MB")
    return page


def _training(sides: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    floor = sides["floor"]["seconds"]
    for name, side in sides.items():
        times = statistics.median(own / its for own, its in zip(side["seconds"], floor, strict=True))
        memory = f"{side['memory'] / 1e6:,.0f} MB" if "memory" in side and name != "floor" else "–"
        yield _cells(_named(name, side), _rate(side["tokens"], side["seconds"]), f"{times:.2f} ×", memory)


def _decoding(found: Mapping[str, Any]) -> Iterator[str]:
    for name, side in found["sides"].items():
        rate = _rate(found["sentences"], side["seconds"])
        score = f"{side['bleu']:.2f}" if "bleu" in side else "–"
        yield _cells(_named(name.split()[0], side), str(side["together"]), rate, score)


def _alone(threads: Mapping[str, Mapping[str, Mapping[str, float]]]) -> Iterator[str]:
    for number, sides in threads.items():
        for name, seconds in sides.items():
            median, late = (f"{1000 * seconds[kind]:.1f} ms" for kind in ("median", "p95"))
            yield _cells(name, number, median, late)


def _growth(curve: Mapping[str, Any]) -> str:
    first, last = curve["values"][0], curve["values"][-1]
    grown = (
        f"{curve[kind][-1] / curve[kind][0]:.1f} ×" if kind in curve else "–"
        for kind in ("demanded", "read", "seconds", "memory")
    )
    return _cells(curve["work"], curve["axis"], f"{first:,}", f"{last:,}", *grown)


def _named(name: str, side: Mapping[str, Any]) -> str:
    """Of a library its version; the floor and plain torch are none."""
    return name if name in ("floor", "plain torch") else str(side["version"])


def _rate(amount: float, seconds: Sequence[float]) -> str:
    median, least, most = (amount / bound(seconds) for bound in (statistics.median, max, min))
    digits = 0 if median >= 100 else 1
    return f"{median:,.{digits}f} ({least:,.{digits}f}–{most:,.{digits}f})"


def _cells(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n"
