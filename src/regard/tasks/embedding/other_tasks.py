"""Texts as vectors by models trained for another task: classification, or masked language modelling."""

from collections.abc import Mapping, Sequence
from typing import Self

import torch
from torch import Tensor

from regard.errors import DataError
from regard.models.embedder import Embedder
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.pooling import Pooled
from regard.nn.sequence_classifier import PaddedTokens
from regard.nn.trace import Trace, module_path
from regard.store.folder import StoredModel
from regard.tasks.classification.predictor import Classifier
from regard.tasks.embedding.inputs import EncodedInput
from regard.tasks.embedding.predictor import EmbeddingPredictor
from regard.tasks.embedding.trained import PoolingPredictor
from regard.tasks.masked_lm.predictor import MaskedLanguageModel
from regard.text.scripts import KnownScripts


class PooledClassifier(PoolingPredictor):
    """The vectors before the head of a classifier: its words, pooled."""

    def __init__(self, classifier: Classifier) -> None:
        self.classifier = classifier
        super().__init__(classifier.module, classifier.tokenizer, classifier.recipe, classifier.summary)
        if not callable(getattr(self.module, "pooled", None)):
            raise DataError(f"{classifier!r} has no vector for a text: its model does not pool words")
        with torch.inference_mode():
            one = torch.tensor([[1]], device=self.device)
            self.width = self.embedded(PaddedTokens(one, one[0]), None).shape[1]

    @classmethod
    def opened(cls, stored: StoredModel, where: str) -> Self:
        """The vectors of the classifier that a folder holds; `where` names it in an error."""
        return cls(Classifier.opened(stored, where))

    def __repr__(self) -> str:
        return f"PooledClassifier({self.width} numbers a text, of {self.classifier!r})"

    @property
    def attentions(self) -> Mapping[str, AttentionSpec]:
        """Those over a text; of a model of pairs, it is read as the first of the two."""
        sites = self.classifier.network.attentions
        return {module_path(path): site for path, site in sites.items() if site.text == 0}

    def embedded(self, text: PaddedTokens, trace: Trace | None) -> Tensor:
        """Texts without symbols as vectors, (b, width)."""
        pooled: Pooled = self.network.pooled(*text, trace=trace)
        return pooled.vectors.flatten(1)


class TrainedEncoder(EmbeddingPredictor):
    """A masked language model without its head: the mean of its words."""

    is_alone = True

    def __init__(self, model: MaskedLanguageModel) -> None:
        self.trained, self.recipe, self.summary = model, model.recipe, model.summary
        self.module, self.network = Embedder(model.network, ["mean"], []), model.network
        self.width, self.longest, self.prompts = model.network.config.width, model.network.longest, {}

    @classmethod
    def opened(cls, stored: StoredModel, where: str) -> Self:
        """The encoder that a folder holds; `where` names it in an error."""
        return cls(MaskedLanguageModel.opened(stored, where))

    def __repr__(self) -> str:
        return f"TrainedEncoder({self.width} numbers a text, of {self.trained!r})"

    @property
    def scripts(self) -> KnownScripts:
        """What its vocabulary covers."""
        return self.trained.masked_text.scripts

    def ready(self, texts: Sequence[str], *, whole: bool) -> list[EncodedInput]:
        """Texts in tokens, with the symbols around them that the model was trained with."""
        text = self.trained.masked_text
        room = self.longest - len(text.before) - len(text.after)
        found = []
        for encoding in text.encode(texts):
            kept = len(encoding.ids) if whole else room
            ids = (*text.before, *encoding.ids[:kept], *text.after)
            side = text.side(encoding).first(kept)
            found.append(EncodedInput(encoding.text.original, ids, None, side, len(encoding.ids) > kept))
        return found
