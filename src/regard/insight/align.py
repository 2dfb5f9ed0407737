"""A word alignment read from attention."""

from regard.insight.record import AttentionRecord
from regard.text.words import Links


def best_links(record: AttentionRecord) -> Links:
    """Link each target word to the source word it looked at most; </s> takes no part on either side."""
    words = record.words()
    weights = words.weights[: record.target_words, : record.source_words]
    if not weights.size:
        return frozenset()
    return frozenset((int(source), target) for target, source in enumerate(weights.argmax(axis=1)))
