"""Encoders that regard trained, as `transformers` stores BERT."""

import torch

from regard.config.masked_language_model import MaskedLanguageModelRecipe
from regard.errors import StoreError
from regard.store.convert.encoder import StoredEncoder
from regard.store.convert.settings import FAMILIES, Described
from regard.store.folder import StoredModel
from regard.store.vocabularies import vocabularies_of
from regard.text.portable import portable_files
from regard.text.symbols import BOS, EOS, PAD


def encoder_of(model: StoredModel, where: str) -> StoredEncoder:
    """A masked language model with its vocabulary; a head that tells which sentence follows is left out."""
    recipe = model.recipe
    if not isinstance(recipe, MaskedLanguageModelRecipe):
        raise StoreError(f"{where}: expected a masked language model, found one for {recipe.task}")
    config, weights = recipe.model, dict(model.weights)
    if config.uncounted is not None:
        raise StoreError(f"{where}: model.uncounted: BERT counts all places, found {config.uncounted}")
    if not config.segments:  # BERT has one kind at least, which then adds nothing
        config = config.model_copy(update={"segments": 1})
        weights["segment_embedding.weight"] = torch.zeros(1, config.width)
    (tokenizer,) = vocabularies_of(model, where, 1)
    numbers = {"pad_token_id": PAD, "bos_token_id": BOS, "eos_token_id": EOS, "tie_word_embeddings": True}
    return StoredEncoder(
        Described(FAMILIES["bert"], "bert", config, len(tokenizer), dict(numbers)),
        {name: values for name, values in weights.items() if not name.startswith("next_sentence.")},
        portable_files(tokenizer, longest=config.longest, begins=True, where=where),
        tuple(name for name in weights if name.startswith("next_sentence.")),
    )
