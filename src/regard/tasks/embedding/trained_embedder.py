"""An encoder of sentences that regard trained: texts in, vectors out."""

from collections.abc import Mapping
from typing import Any, Self

from torch import Tensor, nn

from regard.config.embedding import EmbeddingRecipe
from regard.config.objective import SoftmaxConfig
from regard.errors import StoreError
from regard.models.catalogue import build_embedder
from regard.nn.deciding import Padded
from regard.nn.embedding import Embedding
from regard.nn.kinds import Site
from regard.nn.trace import Trace
from regard.store.fitting import build_fitting
from regard.store.folder import StoredModel
from regard.store.vocabularies import labels_of, vocabularies_of
from regard.tasks.embedding.pooled import PoolsWords
from regard.text.tokenizer import Tokenizer


class TrainedEmbedder(PoolsWords):
    """A network that was trained on pairs of texts."""

    recipe: EmbeddingRecipe

    def __init__(
        self,
        model: nn.Module,
        *,
        tokenizer: Tokenizer,
        recipe: EmbeddingRecipe,
        summary: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(model, tokenizer, recipe, summary or {})
        self.network: Embedding = model  # type: ignore[assignment]
        self.width, self.normalised = self.network.width, recipe.model.normalise

    @classmethod
    def opened(cls, stored: StoredModel, where: str) -> Self:
        """The encoder that a folder holds; `where` names it in an error."""
        recipe = stored.recipe
        if not isinstance(recipe, EmbeddingRecipe):
            raise StoreError(f"{where}: is a model for {recipe.task}, not for {cls.task}")
        (tokenizer,) = vocabularies_of(stored, where, 1)
        is_labelled = isinstance(recipe.model.objective, SoftmaxConfig)
        outputs = len(labels_of(stored, where)) if is_labelled else 0
        sizes = {"source_size": len(tokenizer), "outputs": outputs}
        model = build_fitting(lambda: build_embedder(recipe.model, **sizes), stored, where)
        return cls(model, tokenizer=tokenizer, recipe=recipe, summary=stored.summary)

    def __repr__(self) -> str:
        parameters = sum(p.numel() for p in self.module.parameters())
        kind = self.recipe.model.kind
        return f"TrainedEmbedder({self.width} numbers a text, {kind}, {parameters:,} parameters)"

    @property
    def attentions(self) -> Mapping[str, Site]:
        """Every attention, lower layers first."""
        return self.network.attentions

    def embedded(self, text: Padded, trace: Trace | None) -> Tensor:
        """Texts without symbols as vectors, (b, width)."""
        return self.network(*text, trace=trace).vectors
