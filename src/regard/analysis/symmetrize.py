"""Two directed word alignments as one, by the heuristics of Och and Ney (2003) and Koehn et al. (2003)."""

from typing import Literal, get_args

from regard.errors import DataError, did_you_mean
from regard.text.words import Links

Symmetrization = Literal["intersection", "union", "grow-diag-final-and"]
_NEIGHBOURS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))
"""Beside a link, then across a corner."""


def check_symmetrization(how: str) -> None:
    """Refuse what is no heuristic."""
    if how not in get_args(Symmetrization):
        raise DataError(f"unknown symmetrization '{how}'; {did_you_mean(how, get_args(Symmetrization))}")


def symmetrized(forward: Links, backward: Links, how: Symmetrization) -> Links:
    """The links of both directions as one alignment.

    forward:  (source word, target word), each target word linked by a model that writes the target
    backward: the same pairs of words, each source word linked by a model that writes the source
    """
    if how == "intersection":
        return forward & backward
    if how == "union":
        return forward | backward
    return _grow_diag_final_and(forward, backward)


def _grow_diag_final_and(forward: Links, backward: Links) -> Links:
    """Begin with the links of both; add neighbours, then what links two words that have no link yet.

    grow-diag: a link of either direction beside one that is there, also across a corner, is added if its
    source word or its target word has none yet; until nothing is added. final-and: a link of either
    direction whose words both have none is added, those of `forward` first.
    """
    found, union = set(forward & backward), forward | backward
    sources, targets = {link[0] for link in found}, {link[1] for link in found}

    def add(link: tuple[int, int]) -> None:
        found.add(link)
        sources.add(link[0])
        targets.add(link[1])

    ordered = sorted(union, key=lambda link: link[::-1])
    size = -1
    while len(found) > size:
        size = len(found)
        for source, target in ordered:
            if (source, target) not in found:  # as it is now: one that was just added counts
                continue
            for across, down in _NEIGHBOURS:
                link = source + across, target + down
                if link in union and (link[0] not in sources or link[1] not in targets):
                    add(link)
    for direction in (forward, backward):
        for link in sorted(direction, key=lambda link: link[::-1]):
            if link[0] not in sources and link[1] not in targets:
                add(link)
    return frozenset(found)
