"""Every model that regard knows: the kind in a recipe, and its builder."""

import inspect
from collections.abc import Callable

from torch import nn

from regard.config.bert_reader import BertReaderConfig, BertTaskConfig
from regard.config.bert_span import BertSpanConfig
from regard.config.bert_tagger import BertTaggerConfig
from regard.config.family import FamilyConfig
from regard.config.model import Seq2SeqConfig
from regard.errors import ConfigError
from regard.models.bahdanau import BahdanauSeq2Seq
from regard.models.bert_decider import BertDecider
from regard.models.bert_reader import BertReader
from regard.models.bert_span import BertSpan
from regard.models.bert_tagger import BertTagger
from regard.models.embedders import BertEmbedder, SentenceEmbedder
from regard.models.fused import FusedSeq2Seq
from regard.models.language import build_language_model
from regard.models.lstmn import LSTMNSeq2Seq
from regard.models.luong import LuongSeq2Seq
from regard.models.sentence import SentenceModel
from regard.models.seq2seq import Seq2Seq
from regard.models.tagger import TaggerNetwork
from regard.models.transformer import Transformer

Builder = Callable[..., nn.Module]


def build_seq2seq(config: Seq2SeqConfig, *, source_size: int, target_size: int) -> Seq2Seq:
    """The decoder of these settings: who asks, and whether a step needs the look of the one before."""
    attention, decoder = config.attention, config.decoder
    kind: type[Seq2Seq] = FusedSeq2Seq
    if attention is not None and decoder.query == "previous":
        kind = BahdanauSeq2Seq
    elif attention is not None and (decoder.feeds or attention.coverage):
        kind = LuongSeq2Seq
    return kind(config, source_size=source_size, target_size=target_size)


_BERTS: dict[type[BertTaskConfig], type[BertReader]] = {
    BertReaderConfig: BertDecider,
    BertTaggerConfig: BertTagger,
    BertSpanConfig: BertSpan,
}


def build_bert(config: BertTaskConfig, *, source_size: int, **sizes: int) -> BertReader:
    """The head that these settings are of, on top of a BERT."""
    return _BERTS[type(config)](config, source_size=source_size, **sizes)


BUILDERS: dict[str, Builder] = {
    "seq2seq": build_seq2seq,
    "transformer": Transformer,
    "lstmn": LSTMNSeq2Seq,
    "sentence": SentenceModel,
    "bert": build_bert,
    "sentence_embedder": SentenceEmbedder,
    "bert_embedder": BertEmbedder,
    "tagger": TaggerNetwork,
    "recurrent_lm": build_language_model,
    "lstmn_lm": build_language_model,
    "transformer_lm": build_language_model,
}
SHIPPED_MODELS = tuple(BUILDERS)


def build_decider(config: FamilyConfig, *, source_size: int, outputs: int, texts: int) -> nn.Module:
    """Make a model that reads one text, or two, and decides.

    A builder that is not told of `texts` reads one: a family of a user's own need not know of pairs.
    """
    _check_frame(config, source_size)
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
    _check_frame(config, source_size)
    return BUILDERS[config.kind](config, source_size=source_size, outputs=outputs)


def _check_frame(config: FamilyConfig, source_size: int) -> None:
    if isinstance(config, BertTaskConfig) and (most := max(config.frame)) >= source_size:
        raise ConfigError(
            f"model.frame: expected entries below {source_size:,}, the size of the vocabulary, found {most}; "
            f"leave it out"
        )


def build_model(config: FamilyConfig, **sizes: int) -> nn.Module:
    """Make the model that a recipe describes.

    sizes: of the vocabularies: source_size and target_size of a model that translates; target_size of a
           language model; source_size and outputs of one that decides or makes vectors; these and characters
           of one that tags; source_size of one that finds answers
    """
    _check_frame(config, sizes.get("source_size", 0))
    return BUILDERS[config.kind](config, **sizes)
