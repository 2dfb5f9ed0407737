"""How far a word alignment is from the truth."""

from collections.abc import Iterable

from regard.text.words import Links


def alignment_error_rate(alignments: Iterable[tuple[Links, Links, Links]]) -> float:
    """AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|), over a corpus (Och and Ney 2003).

    alignments: for each sentence pair, the links found (A), the sure ones (S), and the possible ones (P),
                which hold the sure ones
    """
    found_right = total = 0
    for found, sure, possible in alignments:
        found_right += len(found & sure) + len(found & (possible | sure))
        total += len(found) + len(sure)
    return 1.0 - found_right / total if total else 0.0
