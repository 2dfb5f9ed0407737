"""A tiny BERT of transformers."""

from pathlib import Path
from typing import Any

import torch
from transformers import BertConfig


def write_their_bert(kind: Any, folder: Path) -> Any:
    """A model of this class with three labels over 17 tokens, written to a folder."""
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=17, hidden_size=12, num_attention_heads=3, intermediate_size=20,
        num_hidden_layers=2, max_position_embeddings=16, num_labels=3, initializer_range=0.5,
    )  # fmt: skip
    model = kind(config).eval()
    model.save_pretrained(folder)
    return model
