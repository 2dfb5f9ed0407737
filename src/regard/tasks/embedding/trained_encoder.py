"""Vectors of an encoder that regard trained on hidden words: the mean of its words."""

from collections.abc import Mapping, Sequence
from typing import Self

from torch import Tensor

from regard.models.bert import Bert
from regard.models.embedder import Embedder
from regard.nn.kinds import Site
from regard.nn.trace import Trace
from regard.store.folder import StoredModel
from regard.tasks.embedding.predictor import Embeds, Ready
from regard.tasks.masked_lm.trained import MaskedLanguageModel
from regard.text.scripts import KnownScripts


class TrainedEncoder(Embeds):
    """A masked language model without its head."""

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
