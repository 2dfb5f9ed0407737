"""The models that say one thing of each word, under contract. A new one joins by a line in TAGGERS."""

from types import MappingProxyType
from typing import Any

from regard.config.bert_tagger import BertTaggerConfig
from regard.config.tagger import TaggerConfig

Part = dict[str, Any]
BILSTM: Part = {"kind": "bilstm", "character_size": 3, "hidden_size": 4}
CNN: Part = {"kind": "cnn", "character_size": 3, "filters": 2, "widths": [1, 3]}
SOFTMAX: Part = {"kind": "softmax"}


def tagger(characters: Part | None, **changes: Any) -> TaggerConfig:
    """Sizes are tiny and all different, so that a swapped axis fails."""
    sizes = {"embedding_size": 6, "encoder": {"hidden_size": 5, "layers": 2}, "dropout": 0.25}
    return TaggerConfig.model_validate({**sizes, "word_dropout": 0.3, "characters": characters, **changes})


def bert(word: str, labelling: Part) -> BertTaggerConfig:
    """Words are read in pieces; two symbols are around them."""
    encoder = {"width": 12, "heads": 2, "feed_forward": 10, "layers": 2, "places": 130}
    values = {"encoder": encoder, "word": word, "labelling": labelling, "dropout": 0.25}
    return BertTaggerConfig.model_validate(values)


SOURCE_SIZE, CHARACTERS, OUTPUTS = 17, 11, 3

TAGGERS: MappingProxyType[str, TaggerConfig | BertTaggerConfig] = MappingProxyType(
    {
        "words-softmax": tagger(None, labelling=SOFTMAX),
        "bilstm-crf": tagger(BILSTM),
        "cnn-softmax": tagger(CNN, labelling=SOFTMAX),
        "gru-crf": tagger(None, encoder={"cell": "gru", "hidden_size": 5}),
        "attention-crf": tagger(BILSTM, attention={"heads": 2, "feed_forward": 7}),
        "bert-first-softmax": bert("first", SOFTMAX),
        "bert-mean-crf": bert("mean", {"kind": "crf"}),
    }
)
