"""Encoders that regard trained, as `transformers` and `sentence-transformers` store BERT."""

from collections.abc import Mapping

import torch
from torch import Tensor

from regard.config.bert import BertConfig
from regard.config.embedder import BertEmbedderConfig
from regard.config.masked_language_model import MaskedLanguageModelRecipe
from regard.errors import StoreError
from regard.store.convert.encoder import StoredEncoder
from regard.store.convert.kinds import EXPORTS
from regard.store.convert.sentence import Pooling, StoredSentenceEncoder
from regard.store.convert.settings import FAMILIES, Described
from regard.store.folder import StoredModel
from regard.store.vocabularies import vocabularies_of
from regard.text.foreign_vocabulary import ForeignVocabulary
from regard.text.portable import portable_files, with_inputs
from regard.text.symbols import BOS, EOS, PAD
from regard.text.tokenizer import Tokenizer

_POOLINGS: dict[str, Pooling] = {"mean": "mean", "first": "first", "max": "max"}


def encoder_of(model: StoredModel, where: str) -> StoredEncoder:
    """A masked language model with its vocabulary; a head for next sentence prediction is left out."""
    recipe = model.recipe
    if not isinstance(recipe, MaskedLanguageModelRecipe):
        raise StoreError(f"{where}: expected a masked language model, found one for {recipe.task}")
    (tokenizer,) = vocabularies_of(model, where, 1)
    return encoder_from(recipe.model, model.weights, tokenizer, where)


def sentence_encoder_of(model: StoredModel, where: str) -> StoredSentenceEncoder:
    """A BERT that was trained for embedding; its classifier of pairs is left out."""
    config = model.recipe.model
    if not isinstance(config, BertEmbedderConfig):
        raise StoreError(
            f"{where}: a {config.kind} for {model.recipe.task} cannot be exported there: {EXPORTS}"
        )
    pooling = _POOLINGS.get(config.pooling.kind)
    if pooling is None:
        raise StoreError(
            f"{where}: model.pooling: sentence-transformers has {', '.join(_POOLINGS)}, found "
            f"{config.pooling.kind}"
        )
    (tokenizer,) = vocabularies_of(model, where, 1)
    weights = {
        name.removeprefix("bert."): value for name, value in model.weights.items() if name.startswith("bert.")
    }
    encoder = encoder_from(config.as_reader, weights, tokenizer, where)
    longest = config.encoder.longest
    return StoredSentenceEncoder(
        encoder, (pooling,), ("normalise",) if config.normalise else (), longest, False, {}, None
    )


def encoder_from(
    config: BertConfig,
    weights: Mapping[str, Tensor],
    tokenizer: Tokenizer,
    where: str,
    *,
    kind: str | None = None,
    told_apart: bool = True,
) -> StoredEncoder:
    """An encoder of one of their families, by default BERT or, as positions are counted, RoBERTa.

    told_apart: whether the texts of a pair have different segment ids
    """
    given, size = dict(weights), len(tokenizer)
    if isinstance(tokenizer, ForeignVocabulary):
        files, numbers = tokenizer.portable_files(longest=config.longest, where=where)
    elif config.uncounted is not None:
        raise StoreError(f"{where}: model.uncounted: BERT counts all positions, found {config.uncounted}")
    else:
        files = portable_files(tokenizer, longest=config.longest, begins=True, where=where)
        numbers = {"pad_token_id": PAD, "bos_token_id": BOS, "eos_token_id": EOS}
    kind = kind or ("bert" if config.uncounted is None else "roberta")
    if not config.segments and kind != "distilbert":  # BERT has one kind at least, which then adds nothing
        config = config.model_copy(update={"segments": 1})
        given["segment_embedding.weight"] = torch.zeros(1, config.width)
    rest = {**numbers, "tie_word_embeddings": True}
    files = with_inputs(files, segments=told_apart and config.segments > 1)
    return StoredEncoder(
        Described(FAMILIES[kind], kind, config, size, rest),
        {name: values for name, values in given.items() if not name.startswith("next_sentence.")},
        files,
        tuple(name for name in given if name.startswith("next_sentence.")),
    )
