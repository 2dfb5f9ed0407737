"""The names of an encoder's parameters in other libraries, and their shapes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from regard.config.bert import BertConfig


@dataclass(frozen=True, slots=True)
class Entry:
    """One parameter of regard's, and the tensors elsewhere that it is made of, one under the other."""

    own: str
    theirs: tuple[str, ...]
    shape: tuple[int, ...]
    """Of each of theirs."""


@dataclass(frozen=True, kw_only=True)
class Naming:
    """The names that one family uses. Most are of modules with a weight and a bias."""

    prefix: str
    """Before the names of the encoder, where a head is stored with it."""
    words: str = "embeddings.word_embeddings.weight"
    places: str = "embeddings.position_embeddings.weight"
    segments: str = "embeddings.token_type_embeddings.weight"
    norm: str = "embeddings.LayerNorm"
    layer: str = "encoder.layer."
    parts: Mapping[str, tuple[str, ...]]
    """Of a layer: regard's name, and theirs."""
    pooler: str = "pooler.dense"
    dense: str
    """Of the masked language modelling head; its names have no prefix."""
    head_norm: str
    bias: str
    """One value for each word."""
    copies: tuple[str, ...]
    """Tensors that are stored twice: the words' vectors and that bias, as parts of the output layer."""
    other_heads: tuple[str, ...]
    """How names begin that belong to a task."""
    classes: tuple[str, str]
    """What transformers calls the encoder alone, and with the head."""
    text_layer: str | None = None
    """Of the classification head: the layer above the first token; None = the pooler."""
    text_output: str = "classifier"
    """Of the classification head: the output layer."""
    text_activation: Literal["tanh", "relu"] = "tanh"
    """Between the two."""

    def entries(self, config: BertConfig, vocabulary_size: int, prefix: str) -> Iterator[Entry]:
        """Every parameter of the encoder of these settings, one by one: there may be very many."""
        width, inner = config.width, config.feed_forward
        yield Entry("word_embedding.weight", (prefix + self.words,), (vocabulary_size, width))
        yield Entry("place_embedding.weight", (prefix + self.places,), (config.places, width))
        if config.segments:
            yield Entry("segment_embedding.weight", (prefix + self.segments,), (config.segments, width))
        yield from module_entries("embedding_norm", (prefix + self.norm,), (width,))
        shapes: dict[str, tuple[int, ...]] = {
            "self.input": (width, width),
            "self.output": (width, width),
            "around_self.norm": (width,),
            "feed_forward.up": (inner, width),
            "feed_forward.down": (width, inner),
            "around_feed_forward.norm": (width,),
        }
        for number in range(config.layers):
            for own, theirs in self.parts.items():
                names = tuple(f"{prefix}{self.layer}{number}.{name}" for name in theirs)
                yield from module_entries(f"encoder.{number}.{own}", names, shapes[own])
        if config.pooler:
            yield from module_entries("pooler", (prefix + self.pooler,), (width, width))
        if config.masked_words:
            yield from module_entries("masked_words.dense", (self.dense,), (width, width))
            yield from module_entries("masked_words.norm", (self.head_norm,), (width,))
            yield Entry("masked_words.output.bias", (self.bias,), (vocabulary_size,))


def module_entries(own: str, theirs: tuple[str, ...], shape: tuple[int, ...]) -> Iterator[Entry]:
    """A weight of this shape, and its bias."""
    yield Entry(f"{own}.weight", tuple(f"{name}.weight" for name in theirs), shape)
    yield Entry(f"{own}.bias", tuple(f"{name}.bias" for name in theirs), shape[:1])


_BERT_PARTS = {
    "self.input": ("attention.self.query", "attention.self.key", "attention.self.value"),
    "self.output": ("attention.output.dense",),
    "around_self.norm": ("attention.output.LayerNorm",),
    "feed_forward.up": ("intermediate.dense",),
    "feed_forward.down": ("output.dense",),
    "around_feed_forward.norm": ("output.LayerNorm",),
}
BERT = Naming(
    prefix="bert.",
    parts=_BERT_PARTS,
    dense="cls.predictions.transform.dense",
    head_norm="cls.predictions.transform.LayerNorm",
    bias="cls.predictions.bias",
    copies=("cls.predictions.decoder.weight", "cls.predictions.decoder.bias"),
    other_heads=("cls.seq_relationship.", "classifier.", "qa_outputs."),
    classes=("BertModel", "BertForMaskedLM"),
)
ROBERTA = Naming(
    prefix="roberta.",
    parts=_BERT_PARTS,
    dense="lm_head.dense",
    head_norm="lm_head.layer_norm",
    bias="lm_head.bias",
    copies=("lm_head.decoder.weight", "lm_head.decoder.bias"),
    other_heads=("classifier.", "qa_outputs."),
    classes=("RobertaModel", "RobertaForMaskedLM"),
    text_layer="classifier.dense",
    text_output="classifier.out_proj",
)
DISTILBERT = Naming(
    prefix="distilbert.",
    layer="transformer.layer.",
    parts={
        "self.input": ("attention.q_lin", "attention.k_lin", "attention.v_lin"),
        "self.output": ("attention.out_lin",),
        "around_self.norm": ("sa_layer_norm",),
        "feed_forward.up": ("ffn.lin1",),
        "feed_forward.down": ("ffn.lin2",),
        "around_feed_forward.norm": ("output_layer_norm",),
    },
    dense="vocab_transform",
    head_norm="vocab_layer_norm",
    bias="vocab_projector.bias",
    copies=("vocab_projector.weight",),
    other_heads=("pre_classifier.", "classifier.", "qa_outputs."),
    classes=("DistilBertModel", "DistilBertForMaskedLM"),
    text_layer="pre_classifier",
    text_activation="relu",
)
