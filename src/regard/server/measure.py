"""How large an input is for its model, in tokens, before anything is computed of it."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from regard.progress import counted
from regard.server.service import ServiceError

_LOOKS = frozenset({"look", "explain", "align", "causes", "check", "alarms"})
"""Operations that keep all attention; others do where it is asked for."""
_CUTS = frozenset({"split", "cut", "windows"})


class Size(NamedTuple):
    """Of one input."""

    tokens: int
    weights: int
    """Attention weights that are kept of it, at most: T² · L · H; 0 where none are asked for."""


class Measure:
    """Tells sizes, and refuses what is too large."""

    def __init__(self, model: Any, card: Mapping[str, Any], most_weights: int) -> None:
        """most_weights: those of one request that may be kept."""
        self.most_weights = most_weights
        self._model, self._card = model, card
        self._heads = sum(site["heads"] for site in card["attentions"])
        """Of all layers together."""

    def sizes(
        self, operation: str, inputs: Sequence[Mapping[str, Any]], options: Mapping[str, Any]
    ) -> list[Size | ServiceError]:
        """The size of each input, or why it is refused."""
        looks = bool(options.get("attention")) or operation in _LOOKS
        texts = [[value for value in one.values() if isinstance(value, str)] for one in inputs]
        flat = self._tokens([text for own in texts for text in own], looks=looks)
        found: list[Size | ServiceError] = []
        start = 0
        for own in texts:
            counts, start = flat[start : start + len(own)], start + len(own)
            found.append(self._checked(operation, counts, options, looks=looks))
        return found

    def _tokens(self, texts: Sequence[str], *, looks: bool) -> list[int]:
        """How many tokens each text has; 0 where the model tells it itself, and nobody needs it here."""
        tokenizer = getattr(self._model, "source_tokenizer", None) or self._model.tokenizer
        if hasattr(tokenizer, "encode_ids"):
            return [len(ids) for ids in tokenizer.encode_ids(texts)]
        if not looks:
            return [0] * len(texts)
        return [len(one.ids) for one in self._model.encode(texts, too_long="windows")]

    def _checked(
        self, operation: str, counts: Sequence[int], options: Mapping[str, Any], *, looks: bool
    ) -> Size | ServiceError:
        longest, tokens, most = max(counts, default=0), sum(counts), self._card["max_tokens"]
        refuses = self._card["task"] in ("translation", "language-model") and operation != "tokenize"
        if refuses and most is not None and longest > most and options.get("too_long") not in _CUTS:
            return ServiceError(
                413,
                "too_large",
                f"expected at most {most:,} tokens, found {longest:,}; split the text into sentences",
                field="text",
                limit=most,
                found=longest,
            )
        if not looks:
            return Size(tokens, 0)
        length = max(tokens, self._longest_output(tokens, options)) + 1
        weights = length**2 * self._heads
        if weights > self.most_weights:
            return ServiceError(
                413,
                "too_large",
                f"the attention of {counted(length, 'token')} in {counted(self._heads, 'head')} has "
                f"{weights:,} weights, and {self.most_weights:,} are allowed; ask for shorter texts, or "
                f"without attention",
                field="attention",
                limit=self.most_weights,
                found=weights,
            )
        return Size(tokens, weights)

    def _longest_output(self, tokens: int, options: Mapping[str, Any]) -> int:
        """The most tokens that a model that writes can write; 0 of others."""
        decoding = getattr(getattr(self._model, "recipe", None), "decoding", None)
        if decoding is None:
            return 0
        names = ("max_length_factor", "max_length_extra")
        factor, extra = (
            value if (value := options.get(name)) is not None else getattr(decoding, name) for name in names
        )
        longest: int = max(1, int(factor * tokens) + int(extra))
        most: int | None = getattr(self._model.network, "longest", None)
        return longest if most is None else min(longest, most)
