"""A word alignment read from attention."""

from regard.insight.maps import AttentionMap

Links = frozenset[tuple[int, int]]


def best_links(words: AttentionMap, *, specials: int = 1) -> Links:
    """Link each target word to the source word it looked at most, as (source word, target word).

    words:    a word-level map
    specials: symbols at the end of both sides (</s>) that take no part
    """
    weights = words.weights[:-specials, :-specials] if specials else words.weights
    if not weights.size:
        return frozenset()
    return frozenset((int(source), target) for target, source in enumerate(weights.argmax(axis=1)))
