"""A masked language model that regard trained."""

from typing import Any, ClassVar, Self

from regard.config.masked_language_model import MaskedLanguageModelRecipe
from regard.errors import StoreError
from regard.inference.model import TaskModel
from regard.models.bert import Bert
from regard.store.fitting import build_fitting
from regard.store.folder import StoredModel
from regard.store.vocabularies import vocabularies_of
from regard.tasks.masked_lm.inputs import OwnMaskedText
from regard.tasks.masked_lm.predictor import Filler
from regard.text.tokenizer import Tokenizer


class MaskedLanguageModel(Filler, TaskModel):
    """An encoder trained on plain text: it tells hidden words, and other tasks begin with it."""

    task: ClassVar[str] = "masked-language-model"
    recipe: MaskedLanguageModelRecipe

    def __init__(
        self,
        model: Bert,
        *,
        tokenizer: Tokenizer,
        recipe: MaskedLanguageModelRecipe,
        where: str,
        summary: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(model, OwnMaskedText(tokenizer, where), where)
        self.module = model
        self.tokenizer = tokenizer
        self.recipe = recipe
        self.summary = summary or {}

    @classmethod
    def opened(cls, stored: StoredModel, where: str) -> Self:
        """The model that a folder holds; `where` names it in an error."""
        recipe = stored.recipe
        if not isinstance(recipe, MaskedLanguageModelRecipe):
            raise StoreError(f"{where}: is a model for {recipe.task}, not for {cls.task}")
        (tokenizer,) = vocabularies_of(stored, where, 1)
        model = build_fitting(lambda: build_bert(recipe, len(tokenizer)), stored, where)
        return cls(model, tokenizer=tokenizer, recipe=recipe, where=where, summary=stored.summary)

    def __repr__(self) -> str:
        parameters = sum(p.numel() for p in self.module.parameters())
        return f"MaskedLanguageModel({self.recipe.model.kind}, {parameters:,} parameters)"


def build_bert(recipe: MaskedLanguageModelRecipe, size: int) -> Bert:
    """The encoder of a recipe, for a vocabulary of this size."""
    return Bert(recipe.model, vocabulary_size=size, next_sentence=recipe.asks_for_pairs)
