"""The attention of one prediction, at token and at word level."""

from dataclasses import dataclass
from typing import Any

from regard.errors import RegardError
from regard.insight.maps import AttentionMap, Weights
from regard.insight.merge import Side, Unit, merge_to_words


@dataclass(frozen=True, eq=False)
class AttentionRecord:
    """What a model looked at while it wrote. A row is labelled by the token predicted.

    There is always a record: where there is nothing to show, `reason` says why.
    """

    source: Side | None = None
    target: Side | None = None
    weights: Weights | None = None
    """(target tokens and </s>, source tokens and </s>)."""
    path: str = ""
    reason: str | None = None

    def tokens(self) -> AttentionMap:
        """Token by token, as the model computed it."""
        source, target, weights = self._parts()
        return AttentionMap(self.path, "cross", target.tokens, source.tokens, weights)

    def words(self, unit: Unit = "word") -> AttentionMap:
        """Word by word: sums over source pieces, means over target pieces; </s> is shown, rows sum to 1.

        unit: "word", in Korean an eojeol, or "morpheme" (extra `korean`)

        >>> written, read, weights = model.translate("나는 책을 읽었다.").attention.words()
        >>> read
        ('나는', '책을', '읽었다', '.', '</s>')
        >>> weights.shape == (len(written), len(read))
        True
        >>> print(weights.sum(axis=1).round(3)[0])
        1.0
        """
        source, target, weights = self._parts()
        merged = merge_to_words(weights, target, source, unit)
        return AttentionMap(self.path, "cross", target.words(unit), source.words(unit), merged)

    @property
    def source_words(self) -> int:
        """How many columns of the word map are words; the symbols come after them."""
        source, _, _ = self._parts()
        return len(source.words()) - len(source.specials)

    @property
    def target_words(self) -> int:
        """How many rows of the word map are words; the symbols come after them."""
        _, target, _ = self._parts()
        return len(target.words()) - len(target.specials)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, for JSON."""
        return {"reason": self.reason} if self.weights is None else {"words": self.words().to_dict()}

    def __repr__(self) -> str:
        return f"AttentionRecord({self.reason or self.path})"

    def _parts(self) -> tuple[Side, Side, Weights]:
        if self.source is None or self.target is None or self.weights is None:
            raise RegardError(f"there is no attention to show: {self.reason}")
        return self.source, self.target, self.weights
