"""Every model that regard knows: the kind in a recipe, and its builder, imported when one is built."""

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING

from torch import nn

from regard.config.base import FamilyConfig
from regard.errors import ConfigError
from regard.lazy import Lazy

if TYPE_CHECKING:
    from regard.config.bert_reader import BertTaskConfig
    from regard.config.model import Seq2SeqConfig
    from regard.models.bert_backbone import BertBackbone
    from regard.models.seq2seq import Seq2Seq

Builder = Callable[..., nn.Module]


BUILDERS: Lazy[Builder] = Lazy(
    "regard.models",
    {
        "seq2seq": "catalogue.build_seq2seq",
        "transformer": "transformer.Transformer",
        "lstmn": "lstmn.LSTMNSeq2Seq",
        "sentence": "sentence.SentenceModel",
        "bert": "catalogue.build_bert",
        "sentence_embedder": "embedders.SentenceEmbedder",
        "bert_embedder": "embedders.BertEmbedder",
        "tagger": "tagger.TaggerNetwork",
        "recurrent_lm": "language_model.build_language_model",
        "lstmn_lm": "language_model.build_language_model",
        "transformer_lm": "language_model.build_language_model",
    },
)
SHIPPED_MODELS = tuple(BUILDERS)
_BERTS: "Lazy[type[BertBackbone]]" = Lazy(
    "regard.models",
    {
        "classification": "bert_classifier.BertClassifier",
        "tagging": "bert_tagger.BertTagger",
        "question-answering": "bert_span.BertSpanExtractor",
    },
)


def build_seq2seq(config: "Seq2SeqConfig", *, source_size: int, target_size: int) -> "Seq2Seq":
    """The decoder of these settings: by its query, and whether a step needs the attention before it."""
    from regard.models.bahdanau import BahdanauSeq2Seq
    from regard.models.fused import FusedSeq2Seq
    from regard.models.luong import LuongSeq2Seq

    attention, decoder = config.attention, config.decoder
    kind: type[Seq2Seq] = FusedSeq2Seq
    if attention is not None and decoder.query == "previous":
        kind = BahdanauSeq2Seq
    elif attention is not None and (decoder.feeds or attention.coverage):
        kind = LuongSeq2Seq
    return kind(config, source_size=source_size, target_size=target_size)


def build_bert(config: "BertTaskConfig", *, source_size: int, **sizes: int) -> "BertBackbone":
    """The head of the task that these settings are for, on top of a BERT."""
    (task,) = config.tasks
    return _BERTS[task](config, source_size=source_size, **sizes)


def build_classifier(config: FamilyConfig, *, source_size: int, outputs: int, texts: int) -> nn.Module:
    """Build a classifier of texts, or of pairs of texts.

    A builder without `texts` is for single texts: a family of a user's own need not know of pairs.
    """
    config.check_vocabulary(source_size)
    sizes = {"source_size": source_size, "outputs": outputs, **({"texts": texts} if texts > 1 else {})}
    builder = BUILDERS[config.kind]
    try:
        inspect.signature(builder).bind(config, **sizes)
    except TypeError as error:
        raise ConfigError(
            f"model.kind {config.kind}: its builder must take the settings, {', '.join(sizes)} to be made "
            f"for {'pairs of texts' if texts > 1 else 'classification'}; {error}"
        ) from None
    return builder(config, **sizes)


def build_embedder(config: FamilyConfig, *, source_size: int, outputs: int = 0) -> nn.Module:
    """Make a model that gives texts vectors, and pairs of them one of so many labels."""
    config.check_vocabulary(source_size)
    return BUILDERS[config.kind](config, source_size=source_size, outputs=outputs)


def build_model(config: FamilyConfig, **sizes: int) -> nn.Module:
    """Build the model that a recipe describes.

    sizes: of the vocabularies: source_size and target_size for translation; target_size for a language
           model; source_size and outputs for classification and embedding; these and characters for tagging;
           source_size for question answering
    """
    config.check_vocabulary(sizes.get("source_size", 0))
    return BUILDERS[config.kind](config, **sizes)
