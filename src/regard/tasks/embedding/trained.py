"""Texts as vectors: words pooled by a network that regard trained."""

import sys
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

from torch import Tensor, nn

from regard.config.embedder import SoftmaxConfig
from regard.config.embedding import EmbeddingRecipe
from regard.config.recipe import Recipe
from regard.errors import DataError
from regard.inference.attention import token_axis
from regard.models.catalogue import build_embedder
from regard.models.embedder import shares
from regard.nn.pooling import EncoderStates, FirstPooling, MaxPooling, MeanPooling, StructuredSelfAttention
from regard.nn.sequence_classifier import PaddedTokens, special_tokens_of
from regard.nn.text_embedder import TextEmbedder as EmbeddingNetwork
from regard.nn.trace import Trace
from regard.store.build import build_from_weights, labels_of, vocabularies_of
from regard.store.folder import StoredModel
from regard.tasks.embedding.inputs import EncodedInput
from regard.tasks.embedding.predictor import EmbeddingPredictor
from regard.text.tokenizer import Tokenizer


class PoolingPredictor(EmbeddingPredictor):
    """A model that regard trained, and its vocabulary. Of several hops, the vectors stand side by side.

    It puts its own symbols around words, and knows its own windows.
    """

    tokenizer: Tokenizer

    def __init__(
        self, module: nn.Module, tokenizer: Tokenizer, recipe: Recipe, summary: dict[str, Any]
    ) -> None:
        self.module, self.tokenizer, self.recipe, self.summary = module, tokenizer, recipe, summary
        self.network: Any = module
        self.prompts = {}
        self._frame, window = special_tokens_of(module), getattr(module, "window", None)
        self._symbols = 0 if self._frame is None else self._frame.symbols(1)
        self._most: int | None = getattr(module, "longest", None)
        """Of a model that has no windows: tokens that it reads."""
        self.longest = self._most or (sys.maxsize if window is None else window + self._symbols)

    def ready(self, texts: Sequence[str], *, whole: bool) -> list[EncodedInput]:
        """Texts in tokens, with the symbols that the model puts around them; nothing of an empty one."""
        found = []
        for encoding in self.tokenizer.encode_many(texts):
            kept = len(encoding.ids) if whole else self.longest - self._symbols
            side, ids = token_axis(encoding, self.tokenizer.dictionary, ended=False).first(kept), encoding.ids
            was_cut, ids = len(ids) > kept, ids[:kept]
            if self._most is not None and len(ids) > self._most:
                raise DataError(
                    f"expected at most {self._most:,} tokens, which this model reads at once, found "
                    f"{len(ids):,} in '{encoding.text.original[:30]}…'; split it into sentences"
                )
            if self._frame is not None:
                around = self._frame.first, self._frame.last
                before, after = map(self.tokenizer.piece, around)
                side = replace(side, before=(before,), specials=(after,))
                ids = (around[0], *ids, around[1]) if ids else ()
            found.append(EncodedInput(encoding.text.original, ids, None, side, was_cut))
        return found

    def vectors(
        self, tokens: Tensor, lengths: Tensor, segments: Tensor | None, trace: Trace | None
    ) -> Tensor:
        """(b, t) and (b,) -> (b, width)."""
        del segments
        return self.embedded(self._bare(tokens, lengths), trace)

    @abstractmethod
    def embedded(self, text: PaddedTokens, trace: Trace | None) -> Tensor:
        """Texts without symbols as vectors, (b, width)."""

    def parts(self, tokens: Tensor, lengths: Tensor, segments: Tensor | None) -> Tensor:
        """What each token adds: its state times its share, of each hop: (b, t, width)."""
        del segments
        pooling = getattr(self.module, "pooling", None)
        if not isinstance(pooling, MeanPooling | MaxPooling | FirstPooling | StructuredSelfAttention):
            raise DataError(
                "the vector of this model is no sum over words; that needs mean or max pooling, or attention"
            )
        states: EncoderStates = self.network.read(*self._bare(tokens, lengths))
        if not isinstance(pooling, StructuredSelfAttention):
            return states.words * shares(pooling, states)
        trace = Trace(self.module)
        pooling(states, trace=trace)
        (sight,) = trace.kept["pooling"]
        weighted = sight.weights[..., None] * states.words[:, None]  # (b, r, t, d)
        return weighted.transpose(1, 2).flatten(2)

    def _bare(self, tokens: Tensor, lengths: Tensor) -> PaddedTokens:
        """Without the symbols: the model adds its own."""
        return (
            PaddedTokens(tokens, lengths)
            if self._frame is None
            else PaddedTokens(tokens[:, 1:-1], lengths - 2)
        )


class TrainedEmbedder(PoolingPredictor):
    """A network that was trained on pairs of texts."""

    recipe: EmbeddingRecipe
    network: EmbeddingNetwork

    def __init__(
        self,
        model: nn.Module,
        *,
        tokenizer: Tokenizer,
        recipe: EmbeddingRecipe,
        summary: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(model, tokenizer, recipe, summary or {})
        self.width, self.normalised = self.network.width, recipe.model.normalise

    @classmethod
    def opened(cls, stored: StoredModel, where: str) -> Self:
        """The encoder that a folder holds; `where` names it in an error."""
        recipe = cls.recipe_of(stored, EmbeddingRecipe, where)
        (tokenizer,) = vocabularies_of(stored, where, 1)
        is_labelled = isinstance(recipe.model.objective, SoftmaxConfig)
        outputs = len(labels_of(stored, where)) if is_labelled else 0
        sizes = {"source_size": len(tokenizer), "outputs": outputs}
        model = build_from_weights(lambda: build_embedder(recipe.model, **sizes), stored, where)
        return cls(model, tokenizer=tokenizer, recipe=recipe, summary=stored.summary)

    def describe(self) -> tuple[str, ...]:
        """How large a vector is."""
        return f"{self.width} numbers a text", self.recipe.model.kind

    def embedded(self, text: PaddedTokens, trace: Trace | None) -> Tensor:
        """Texts without symbols as vectors, (b, width)."""
        return self.network(*text, trace=trace).vectors
