"""The models that make vectors of texts, under contract. A new one joins every law by a line here."""

from types import MappingProxyType

from tests.contracts.sentence_models import BAG, BILSTM, HOPS, LSTMN, Part

from regard.config.base import FamilyConfig
from regard.config.embedder import BertEmbedderConfig, SentenceEmbedderConfig

SOURCE_SIZE, LABELS = 17, 3


def sentence(pooling: Part, encoder: Part = BILSTM, objective: str = "in-batch-negatives") -> FamilyConfig:
    """Sizes are tiny and all different, so that a swapped axis fails."""
    parts = {"encoder": encoder, "pooling": pooling, "objective": objective}
    return SentenceEmbedderConfig.model_validate(
        {"embedding_size": 6, "dropout": 0.25, "window": 16, **parts}
    )


def bert(pooling: Part, objective: str = "in-batch-negatives", *, normalise: bool = False) -> FamilyConfig:
    encoder = {"width": 12, "heads": 2, "feed_forward": 10, "layers": 2, "places": 18}
    parts = {"encoder": encoder, "pooling": pooling, "objective": objective, "normalise": normalise}
    return BertEmbedderConfig.model_validate({"dropout": 0.25, **parts})


EMBEDDERS: MappingProxyType[str, FamilyConfig] = MappingProxyType(
    {
        "bag-mean": sentence({"kind": "mean"}, BAG, "cosine"),
        "bilstm-max": sentence({"kind": "max"}),
        "bilstm-self-attentive": sentence(HOPS, objective="softmax"),
        "lstmn-last": sentence({"kind": "last"}, LSTMN),
        "bert-mean": bert({"kind": "mean"}, "softmax"),
        "bert-first": bert({"kind": "first"}, normalise=True),
        "bert-max": bert({"kind": "max"}, "cosine"),
        "bert-self-attentive": bert(HOPS),
    }
)
