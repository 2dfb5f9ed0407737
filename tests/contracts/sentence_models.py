"""The models that decide, under contract. A new one joins every law by a line in SENTENCE_MODELS."""

from types import MappingProxyType
from typing import Any

from regard.config.base import FamilyConfig
from regard.config.bert_reader import BertReaderConfig
from regard.config.sentence import SentenceConfig

Part = dict[str, Any]
BILSTM: Part = {"kind": "recurrent", "hidden_size": 5, "layers": 2}
BAG: Part = {"kind": "bag"}
LSTMN: Part = {"kind": "lstmn", "hidden_size": 5, "layers": 2, "attention_size": 4}
HOPS: Part = {"kind": "structured", "hops": 4, "hidden_size": 7}
MLP: Part = {"kind": "mlp", "hidden_size": 9}


def sentence(pooling: Part, encoder: Part = BILSTM, head: Part = MLP, **changes: Any) -> SentenceConfig:
    """Sizes are tiny and all different, so that a swapped axis fails."""
    parts = {"encoder": encoder, "pooling": pooling, "head": head}
    return SentenceConfig.model_validate({"embedding_size": 6, "dropout": 0.25, **parts, **changes})


def bert(pooling: Part) -> BertReaderConfig:
    """The same sizes for every pooling."""
    encoder = {"width": 12, "heads": 2, "feed_forward": 10, "layers": 2, "places": 130}
    return BertReaderConfig.model_validate({"encoder": encoder, "pooling": pooling, "dropout": 0.25})


SOURCE_SIZE, OUTPUTS = 17, 3

SENTENCE_MODELS: MappingProxyType[str, FamilyConfig] = MappingProxyType(
    {
        "bag-mean": sentence({"kind": "mean"}, BAG, {"kind": "linear"}),
        "bag-attention": sentence({"kind": "attention", "hidden_size": 7}, BAG),
        "bilstm-max": sentence({"kind": "max"}),
        "bilstm-mean": sentence({"kind": "mean"}, BILSTM | {"residual": True}),
        "bilstm-last": sentence({"kind": "last"}),
        "gru-attention": sentence({"kind": "attention", "hidden_size": 7}, BILSTM | {"cell": "gru"}),
        "backwards-last": sentence({"kind": "last"}, BILSTM | {"bidirectional": False, "reverse": True}),
        "self-attentive": sentence(HOPS),
        "self-attentive-free": sentence(HOPS | {"penalty": 0.0}, head={"kind": "linear"}),
        "self-attentive-pruned": sentence(HOPS, head={"kind": "pruned", "row_size": 3, "column_size": 2}),
        "lstmn-last": sentence({"kind": "last"}, LSTMN),
        "lstmn-self-attentive": sentence(HOPS, LSTMN | {"layers": 1}),
        "pairs-factored": sentence(HOPS),
        "pairs-lstmn": sentence({"kind": "max"}, LSTMN),
        "pairs-matching": sentence({"kind": "max"}, BAG),
        "pairs-attention": sentence({"kind": "attention", "hidden_size": 7}, head={"kind": "linear"}),
        "bert-first": bert({"kind": "first"}),
        "bert-mean": bert({"kind": "mean"}),
        "bert-self-attentive": bert(HOPS),
        "pairs-bert": bert({"kind": "first"}),
        "pairs-bert-mean": bert({"kind": "mean"}),
    }
)


def texts_of(name: str) -> int:
    """How many texts a model reads together."""
    return 2 if name.startswith("pairs-") else 1
