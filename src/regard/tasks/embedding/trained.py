"""Texts as vectors by models that regard trained: to embed, to classify, or to tell hidden words."""

import sys
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import torch
from torch import Tensor, nn

from regard.config.embedding import EmbeddingRecipe
from regard.config.objective import SoftmaxConfig
from regard.config.recipe import Recipe
from regard.errors import DataError
from regard.inference.attention import side_of
from regard.models.bert import Bert
from regard.models.catalogue import build_embedder
from regard.models.embedder import Embedder, shares
from regard.nn.deciding import Padded, frame_of
from regard.nn.embedding import Embedding as EmbeddingNetwork
from regard.nn.kinds import Site
from regard.nn.pooling import FirstPooling, MaxPooling, MeanPooling, Pooled, States, StructuredSelfAttention
from regard.nn.trace import Trace, part_of
from regard.store.fitting import build_fitting
from regard.store.folder import StoredModel
from regard.store.vocabularies import labels_of, vocabularies_of
from regard.tasks.classification.predictor import Classifier
from regard.tasks.embedding.inputs import Ready
from regard.tasks.embedding.predictor import Embeds
from regard.tasks.masked_lm.predictor import MaskedLanguageModel
from regard.text.scripts import KnownScripts
from regard.text.tokenizer import Tokenizer


class PoolsWords(Embeds):
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
        self._frame, window = frame_of(module), getattr(module, "window", None)
        self._symbols = 0 if self._frame is None else self._frame.symbols(1)
        self._most: int | None = getattr(module, "longest", None)
        """Of a model that has no windows: tokens that it reads."""
        self.longest = self._most or (sys.maxsize if window is None else window + self._symbols)

    def ready(self, texts: Sequence[str], *, whole: bool) -> list[Ready]:
        """Texts in tokens, with the symbols that the model puts around them; nothing of an empty one."""
        found = []
        for encoding in self.tokenizer.encode_many(texts):
            kept = len(encoding.ids) if whole else self.longest - self._symbols
            side, ids = side_of(encoding, self.tokenizer.dictionary, ended=False).first(kept), encoding.ids
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
            found.append(Ready(encoding.text.original, ids, None, side, was_cut))
        return found

    def vectors(
        self, tokens: Tensor, lengths: Tensor, segments: Tensor | None, trace: Trace | None
    ) -> Tensor:
        """(b, t) and (b,) -> (b, width)."""
        del segments
        return self.embedded(self._bare(tokens, lengths), trace)

    @abstractmethod
    def embedded(self, text: Padded, trace: Trace | None) -> Tensor:
        """Texts without symbols as vectors, (b, width)."""

    def parts(self, tokens: Tensor, lengths: Tensor, segments: Tensor | None) -> Tensor:
        """What each token adds: its state times its share, of each hop: (b, t, width)."""
        del segments
        pooling = getattr(self.module, "pooling", None)
        if not isinstance(pooling, MeanPooling | MaxPooling | FirstPooling | StructuredSelfAttention):
            raise DataError(
                "the vector of this model is no sum over words; that needs mean or max pooling, or attention"
            )
        states: States = self.network.read(*self._bare(tokens, lengths))
        if not isinstance(pooling, StructuredSelfAttention):
            return states.words * shares(pooling, states)
        trace = Trace(self.module)
        pooling(states, trace=trace)
        (sight,) = trace.kept["pooling"]
        weighted = sight.weights[..., None] * states.words[:, None]  # (b, r, t, d)
        return weighted.transpose(1, 2).flatten(2)

    def _bare(self, tokens: Tensor, lengths: Tensor) -> Padded:
        """Without the symbols: the model adds its own."""
        return Padded(tokens, lengths) if self._frame is None else Padded(tokens[:, 1:-1], lengths - 2)


class PooledClassifier(PoolsWords):
    """The vectors that a classifier decides from: its words, pooled."""

    def __init__(self, classifier: Classifier) -> None:
        self.classifier = classifier
        super().__init__(classifier.module, classifier.tokenizer, classifier.recipe, classifier.summary)
        if not callable(getattr(self.module, "pooled", None)):
            raise DataError(f"{classifier!r} has no vector for a text: its model does not pool words")
        with torch.inference_mode():
            one = torch.tensor([[1]], device=self.device)
            self.width = self.embedded(Padded(one, one[0]), None).shape[1]

    @classmethod
    def opened(cls, stored: StoredModel, where: str) -> Self:
        """The vectors of the classifier that a folder holds; `where` names it in an error."""
        return cls(Classifier.opened(stored, where))

    def __repr__(self) -> str:
        return f"PooledClassifier({self.width} numbers a text, of {self.classifier!r})"

    @property
    def attentions(self) -> Mapping[str, Site]:
        """Those over a text; of a model of pairs, it is read as the first of the two."""
        sites = self.classifier.network.attentions
        return {part_of(path): site for path, site in sites.items() if site.text == 0}

    def embedded(self, text: Padded, trace: Trace | None) -> Tensor:
        """Texts without symbols as vectors, (b, width)."""
        pooled: Pooled = self.network.pooled(*text, trace=trace)
        return pooled.vectors.flatten(1)


class TrainedEmbedder(PoolsWords):
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
        model = build_fitting(lambda: build_embedder(recipe.model, **sizes), stored, where)
        return cls(model, tokenizer=tokenizer, recipe=recipe, summary=stored.summary)

    def describe(self) -> tuple[str, ...]:
        """How large a vector is."""
        return f"{self.width} numbers a text", self.recipe.model.kind

    def embedded(self, text: Padded, trace: Trace | None) -> Tensor:
        """Texts without symbols as vectors, (b, width)."""
        return self.network(*text, trace=trace).vectors


class TrainedEncoder(Embeds):
    """A masked language model without its head: the mean of its words."""

    is_alone = True

    def __init__(self, model: MaskedLanguageModel) -> None:
        self.trained, self.recipe, self.summary = model, model.recipe, model.summary
        self.module = self.embedder = Embedder(model.network, ["mean"], [])
        self.width, self.longest, self.prompts = model.network.config.width, model.network.longest, {}

    @classmethod
    def opened(cls, stored: StoredModel, where: str) -> Self:
        """The encoder that a folder holds; `where` names it in an error."""
        return cls(MaskedLanguageModel.opened(stored, where))

    def __repr__(self) -> str:
        return f"TrainedEncoder({self.width} numbers a text, of {self.trained!r})"

    @property
    def scripts(self) -> KnownScripts:
        """What its vocabulary can spell."""
        return self.trained.masked_text.scripts

    @property
    def root(self) -> Bert:
        """The encoder."""
        return self.trained.network

    @property
    def attentions(self) -> Mapping[str, Site]:
        """Every attention, lower layers first."""
        return self.trained.network.attentions

    def ready(self, texts: Sequence[str], *, whole: bool) -> list[Ready]:
        """Texts in tokens, with the symbols around them that the model was trained with."""
        text = self.trained.masked_text
        room = self.longest - len(text.before) - len(text.after)
        found = []
        for encoding in text.encode(texts):
            kept = len(encoding.ids) if whole else room
            ids = (*text.before, *encoding.ids[:kept], *text.after)
            side = text.side(encoding).first(kept)
            found.append(Ready(encoding.text.original, ids, None, side, len(encoding.ids) > kept))
        return found

    def vectors(
        self, tokens: Tensor, lengths: Tensor, segments: Tensor | None, trace: Trace | None
    ) -> Tensor:
        """(b, t) and (b,) -> (b, width)."""
        vectors: Tensor = self.embedder(tokens, lengths, segments, trace=trace)
        return vectors

    def parts(self, tokens: Tensor, lengths: Tensor, segments: Tensor | None) -> Tensor:
        """What each token adds: (b, t, width)."""
        return self.embedder.parts(tokens, lengths, segments)
