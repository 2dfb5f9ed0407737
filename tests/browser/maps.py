"""Maps for the tests of the page: every word is another one, so that a swapped axis is seen."""

from pathlib import Path

import numpy as np

from regard.insight.html import attention_page
from regard.insight.maps import AttentionMap, Weights


def make(rows: int, columns: int, *, seed: int = 0, sharp: float = 0.3) -> AttentionMap:
    random = np.random.default_rng(seed)
    weights = random.dirichlet([sharp] * columns, rows).astype(np.float32)
    output, read = (f"word{y}" for y in range(rows)), (f"낱말{x}" for x in range(columns))
    return AttentionMap("attention", "cross", tuple(output), tuple(read), weights)


def heads(layers: int, number: int, rows: int, columns: int, *, sharp: float = 0.3) -> list[AttentionMap]:
    """One map a layer and head, in an order that is not theirs."""
    found = []
    for head in reversed(range(number)):
        for layer in range(layers):
            one = make(rows, columns, seed=layer * number + head, sharp=sharp)
            # Fields of a map that knows its place; set from outside until all maps do.
            object.__setattr__(one, "layer", layer)
            object.__setattr__(one, "head", head)
            object.__setattr__(one, "path", f"decoder.{layer}.cross")
            found.append(one)
    return found


def of(maps: list[AttentionMap], layer: int, head: int) -> Weights:
    places = {(getattr(one, "layer", None), getattr(one, "head", None)): one.weights for one in maps}
    return places[layer, head]


def write(path: Path, *maps: AttentionMap, view: str = "heat", **options: str) -> Path:
    page = attention_page(
        {"words": maps}, source="나는 책을 읽었다.", target="I read.", view=view, options=options
    )
    path.write_text(page, encoding="utf-8")
    return path
