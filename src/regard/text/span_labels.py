"""BIO and BIOES: spans as a label for each word; B-X begins one of type X, I-X continues it, O is outside.

BIOES writes E-X at the last word of a span, and S-X at a span of one word.
"""

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from regard.errors import DataError

Scheme = Literal["bio", "bioes"]
_TAGS = "BIOES"
_SPAN_LABEL = re.compile(r"O|[BIES](-.+)?")


class LabelSpan(NamedTuple):
    """A labelled span of words."""

    kind: str
    first: int
    end: int
    """The word after the last."""


def spans_of(labels: Sequence[str]) -> set[LabelSpan]:
    """The spans of one sentence, whatever a tagger has written.

    As conlleval and seqeval have it: I-X or E-X continues a span of type X that has not ended; where there
    is none, it begins one.
    """
    spans = set()
    begun: tuple[str, int] | None = None  # the type and the first word of a span that may continue
    for place, label in enumerate([*labels, "O"]):
        tag, kind = split_label(label)
        goes_on = tag in "IE" and begun is not None and begun[0] == kind
        if begun is not None and not goes_on:
            spans.add(LabelSpan(*begun, place))
            begun = None
        if tag == "O":
            continue
        begun = begun or (kind, place)
        if tag in "ES":
            spans.add(LabelSpan(*begun, place + 1))
            begun = None
    return spans


def split_label(label: str) -> tuple[str, str]:
    """The tag and the kind of a label: B-PER is B and PER."""
    tag, _, kind = label.partition("-")
    if tag not in tuple(_TAGS) or (tag == "O" and kind):
        raise DataError(f"expected a span label such as B-X, I-X, E-X, S-X or O, found '{label}'")
    return tag, kind


def may_follow(before: str | None, after: str | None, scheme: Scheme) -> bool:
    """Whether a label may come after another in a well-formed sentence; None is its beginning, or its end."""
    (last, old), (tag, new) = (split_label(label or "O") for label in (before, after))
    may_go_on = last in "BI"
    if tag in "IE":
        return may_go_on and old == new
    return scheme == "bio" or not may_go_on  # in BIOES, E ends what B began


def label_rules(labels: Sequence[str], scheme: Scheme) -> tuple[list[list[bool]], list[bool], list[bool]]:
    """What a well-formed sentence may have: after each label each other, as the first label, as the last."""
    return (
        [[may_follow(before, after, scheme) for after in labels] for before in labels],
        [may_follow(None, label, scheme) for label in labels],
        [may_follow(label, None, scheme) for label in labels],
    )


def are_span_labels(labels: Sequence[str]) -> bool:
    """Whether labels write spans: each is O, or B, I, E or S, mostly with a kind; and not all are O."""
    return any(label != "O" for label in labels) and all(map(_SPAN_LABEL.fullmatch, labels))
