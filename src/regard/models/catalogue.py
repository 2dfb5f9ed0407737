"""Every model that regard knows: the kind in a recipe, and its builder."""

from collections.abc import Callable

from torch import nn

from regard.config.family import FamilyConfig
from regard.config.model import Seq2SeqConfig
from regard.models.bahdanau import BahdanauSeq2Seq
from regard.models.bert_decider import BertDecider
from regard.models.fused import FusedSeq2Seq
from regard.models.language import build_language_model
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


BUILDERS: dict[str, Builder] = {
    "seq2seq": build_seq2seq,
    "transformer": Transformer,
    "sentence": SentenceModel,
    "bert": BertDecider,
    "tagger": TaggerNetwork,
    "recurrent_lm": build_language_model,
    "lstmn_lm": build_language_model,
    "transformer_lm": build_language_model,
}
SHIPPED_MODELS = tuple(BUILDERS)


def build_model(config: FamilyConfig, **sizes: int) -> nn.Module:
    """Make the model that a recipe describes.

    sizes: of the vocabularies: source_size and target_size of a model that translates; target_size of a
           language model; source_size and outputs of one that decides; these and characters of one that tags
    """
    return BUILDERS[config.kind](config, **sizes)
