"""The vectors that a classifier decides from: its words, pooled."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import torch
from torch import Tensor, nn

from regard.errors import DataError
from regard.nn.kinds import Site
from regard.nn.pooling import Pooled
from regard.nn.trace import Trace
from regard.store.folder import StoredModel
from regard.tasks.classification import Classifier
from regard.tasks.embedding import Embeds, Ready
from regard.tasks.lengths import MAX_SOURCE_TOKENS
from regard.tasks.reading import side_of


class PooledClassifier(Embeds):
    """A classifier without its last step. Of several hops, the vectors stand side by side."""

    def __init__(self, classifier: Classifier) -> None:
        self.classifier = classifier
        self.module, self.recipe = classifier.module, classifier.recipe
        if not callable(getattr(self.module, "pooled", None)):
            raise DataError(f"{classifier!r} has no vector for a text: its model does not pool words")
        self.summary, self.prompts, self.longest = classifier.summary, {}, MAX_SOURCE_TOKENS
        with torch.inference_mode():
            one = torch.tensor([[1]], device=self.device)
            self.width = self.vectors(one, torch.tensor([1], device=self.device), None, None).shape[1]

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
        """The attention of the pooling, if it is one."""
        return self.classifier.network.attentions

    def ready(self, texts: Sequence[str]) -> list[Ready]:
        """Texts in tokens; one that is too long is cut."""
        found = []
        for encoding in self.classifier.tokenizer.encode_many(texts):
            side = side_of(encoding, self.classifier.tokenizer.dictionary, ended=False)
            ids = encoding.ids[: self.longest]
            found.append(
                Ready(encoding.text.original, ids, None, side.first(len(ids)), len(ids) < len(encoding.ids))
            )
        return found

    def vectors(
        self, tokens: Tensor, lengths: Tensor, segments: Tensor | None, trace: Trace | None
    ) -> Tensor:
        """(b, t) and (b,) -> (b, width)."""
        del segments
        network: Any = self.module
        pooled: Pooled = network.pooled(tokens, lengths, trace=trace)
        return pooled.vectors.flatten(1)

    def parts(self, tokens: Tensor, lengths: Tensor, segments: Tensor | None) -> Tensor:
        """What each token adds: its state times its weight, of each hop: (b, t, width)."""
        del segments
        if not self.attentions:
            raise DataError(
                "this model pools its words without weights; the map needs mean pooling or attention"
            )
        trace = Trace(self.module, inputs=True)
        self.vectors(tokens, lengths, None, trace)
        ((sight,),) = trace.kept.values()
        if sight.asked is None:
            raise DataError("this model does not say what its weights were computed from")
        weighted = sight.weights[..., None] * sight.asked.values[:, None]  # (b, r, t, d)
        return weighted.transpose(1, 2).flatten(2)
