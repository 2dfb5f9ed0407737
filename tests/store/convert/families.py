"""Tiny random models of each family, written by `transformers`, to be read by regard."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import (
    BertConfig,
    BertForMaskedLM,
    BertForPreTraining,
    BertForSequenceClassification,
    BertModel,
    CamembertConfig,
    CamembertModel,
    DistilBertConfig,
    DistilBertForMaskedLM,
    DistilBertModel,
    RobertaConfig,
    RobertaForMaskedLM,
    RobertaModel,
    XLMRobertaConfig,
    XLMRobertaForMaskedLM,
)

VOCABULARY, WIDTH, HEADS, INNER, LAYERS, PLACES = 29, 12, 3, 20, 2, 16
_SIZES = {
    "vocab_size": VOCABULARY,
    "hidden_size": WIDTH,
    "num_attention_heads": HEADS,
    "intermediate_size": INNER,
    "num_hidden_layers": LAYERS,
    "max_position_embeddings": PLACES,
}
_DISTIL = {
    "vocab_size": VOCABULARY,
    "dim": WIDTH,
    "n_heads": HEADS,
    "hidden_dim": INNER,
    "n_layers": LAYERS,
    "max_position_embeddings": PLACES,
}
MODELS: dict[str, Callable[[], Any]] = {
    "bert": lambda: BertModel(BertConfig(**_SIZES)),
    "bert-gelu-new": lambda: BertModel(BertConfig(**_SIZES, hidden_act="gelu_new", layer_norm_eps=1e-3)),
    "bert-masked": lambda: BertForMaskedLM(BertConfig(**_SIZES, hidden_act="relu")),
    "bert-pretraining": lambda: BertForPreTraining(BertConfig(**_SIZES, type_vocab_size=3)),
    "bert-classifier": lambda: BertForSequenceClassification(BertConfig(**_SIZES, hidden_act="silu")),
    "roberta": lambda: RobertaModel(RobertaConfig(**_SIZES, type_vocab_size=1)),
    "roberta-masked": lambda: RobertaForMaskedLM(RobertaConfig(**_SIZES, layer_norm_eps=1e-5)),
    "xlm-roberta": lambda: XLMRobertaForMaskedLM(XLMRobertaConfig(**_SIZES, pad_token_id=2)),
    "camembert": lambda: CamembertModel(CamembertConfig(**_SIZES)),
    "distilbert": lambda: DistilBertModel(DistilBertConfig(**_DISTIL)),
    "distilbert-masked": lambda: DistilBertForMaskedLM(DistilBertConfig(**_DISTIL)),
}


def written(name: str, folder: Path) -> nn.Module:
    """The model of this name, with no weight at its special value, and its folder."""
    torch.manual_seed(0)
    model: nn.Module = MODELS[name]().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter), alpha=0.2)
    model.save_pretrained(folder)  # type: ignore[operator]
    return model
