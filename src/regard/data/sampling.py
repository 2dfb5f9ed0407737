"""Rows drawn at random from a corpus of any size."""

import random

from regard.data.rows import Row, Rows


def draw(rows: Rows, count: int, *, seed: int) -> tuple[list[Row], int, int]:
    """Some rows in the order of the corpus, each as likely as any other; how many there are, how many bad.

    One pass, and no more rows in memory than were asked for (reservoir sampling).
    """
    dice = random.Random(seed)
    kept: list[Row] = []
    total = bad = 0
    for row in rows:
        if not isinstance(row, Row):
            bad += 1
            continue
        total += 1
        if len(kept) < count:
            kept.append(row)
        elif (place := dice.randrange(total)) < count:
            kept[place] = row
    return sorted(kept), total, bad
