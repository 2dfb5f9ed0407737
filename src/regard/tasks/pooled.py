"""The vectors that a classifier decides from: its words, pooled."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Self

import torch
from torch import Tensor, nn

from regard.errors import DataError
from regard.models.embedder import shares
from regard.nn.deciding import Padded, frame_of
from regard.nn.kinds import Site
from regard.nn.pooling import MaxPooling, MeanPooling, Pooled, States, StructuredSelfAttention
from regard.nn.trace import Trace, part_of
from regard.store.folder import StoredModel
from regard.tasks.classification import Classifier
from regard.tasks.embedding import Embeds, Ready


class PooledClassifier(Embeds):
    """A classifier without its last step. Of several hops, the vectors stand side by side."""

    def __init__(self, classifier: Classifier) -> None:
        self.classifier = classifier
        self.module, self.recipe = classifier.module, classifier.recipe
        if not callable(getattr(self.module, "pooled", None)):
            raise DataError(f"{classifier!r} has no vector for a text: its model does not pool words")
        self.summary, self.prompts = classifier.summary, {}
        self.longest = sys.maxsize  # as the classifier, which reads a text to its end
        self._frame, window = frame_of(self.module), getattr(self.module, "window", None)
        symbols = 0 if self._frame is None else self._frame.symbols(1)
        self.window = None if window is None else window + symbols
        with torch.inference_mode():
            one = torch.tensor([[1]], device=self.device)
            self.width = self._network.pooled(one, one[0]).vectors.flatten(1).shape[1]

    @classmethod
    def opened(cls, stored: StoredModel, where: str) -> Self:
        """The vectors of the classifier that a folder holds; `where` names it in an error."""
        return cls(Classifier.opened(stored, where))

    def __repr__(self) -> str:
        return f"PooledClassifier({self.width} numbers a text, of {self.classifier!r})"

    @property
    def root(self) -> nn.Module:
        """The whole model."""
        return self.module

    @property
    def attentions(self) -> Mapping[str, Site]:
        """Those over a text; of a model of pairs, it is read as the first of the two."""
        sites = self.classifier.network.attentions
        return {part_of(path): site for path, site in sites.items() if site.text == 0}

    def ready(self, texts: Sequence[str]) -> list[Ready]:
        """Texts in tokens, with the symbols that the model puts around them; nothing of an empty one."""
        found = []
        for encoding in self.classifier.tokenizer.encode_many(texts):
            side, ids = self.classifier.side(encoding), encoding.ids
            if ids and self._frame is not None:
                ids = (self._frame.first, *ids, self._frame.last)
            found.append(Ready(encoding.text.original, ids, None, side))
        return found

    def vectors(
        self, tokens: Tensor, lengths: Tensor, segments: Tensor | None, trace: Trace | None
    ) -> Tensor:
        """(b, t) and (b,) -> (b, width)."""
        del segments
        pooled: Pooled = self._network.pooled(*self._bare(tokens, lengths), trace=trace)
        return pooled.vectors.flatten(1)

    def parts(self, tokens: Tensor, lengths: Tensor, segments: Tensor | None) -> Tensor:
        """What each token adds: its state times its share, of each hop: (b, t, width)."""
        del segments
        pooling = getattr(self.module, "pooling", None)
        if not isinstance(pooling, MeanPooling | MaxPooling | StructuredSelfAttention):
            raise DataError(
                "the vector of this model is no sum over words; that needs mean or max pooling, or attention"
            )
        states: States = self._network.read(*self._bare(tokens, lengths))
        if not isinstance(pooling, StructuredSelfAttention):
            return states.words * shares(pooling, states)
        trace = Trace(self.module)
        pooling(states, trace=trace)
        (sight,) = trace.kept["pooling"]
        weighted = sight.weights[..., None] * states.words[:, None]  # (b, r, t, d)
        return weighted.transpose(1, 2).flatten(2)

    @property
    def _network(self) -> Any:
        return self.module

    def _bare(self, tokens: Tensor, lengths: Tensor) -> Padded:
        """Without the symbols: the model adds its own."""
        return Padded(tokens, lengths) if self._frame is None else Padded(tokens[:, 1:-1], lengths - 2)
