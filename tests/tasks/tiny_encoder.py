"""A tiny sentence encoder in the layout of sentence-transformers, written by regard alone."""

import json
from pathlib import Path
from typing import Any

import torch

from regard.config.bert import BertConfig
from regard.models.bert import Bert
from regard.store.convert.encoder import StoredEncoder, write_encoder
from regard.store.convert.settings import FAMILIES, Described
from regard.store.folder import weights_of

LETTERS = "abcdefghijkl"
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *LETTERS, *(f"##{letter}" for letter in LETTERS)]
WIDTH, LONGEST = 12, 10


def stored_encoder() -> StoredEncoder:
    """Random weights, none at its special value, and a vocabulary of letters."""
    config = BertConfig(
        width=WIDTH, heads=3, feed_forward=20, layers=2, places=16, dropout=0.0, masked_words=False
    )
    torch.manual_seed(0)
    model = Bert(config, vocabulary_size=len(WORDS))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter), alpha=0.3)
    described = Described(FAMILIES["bert"], "bert", config, len(WORDS), {})
    told = {"tokenizer_class": "BertTokenizer", "model_max_length": LONGEST}
    files = {
        "vocab.txt": ("\n".join(WORDS) + "\n").encode(),
        "tokenizer_config.json": json.dumps(told).encode(),
    }
    return StoredEncoder(described, weights_of(model), files)


def write_tiny_encoder(folder: Path, pooling: str = "mean", **prompts: str) -> Path:
    """A folder with an encoder, its pooling and prompts."""
    write_encoder(folder, stored_encoder())
    (folder / "1_Pooling").mkdir()
    kinds = {"Transformer": "", "Pooling": "1_Pooling"}
    modules = [
        {"idx": n, "name": str(n), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for n, (kind, path) in enumerate(kinds.items())
    ]
    files: dict[str, Any] = {
        "modules.json": modules,
        "1_Pooling/config.json": {"word_embedding_dimension": WIDTH, "pooling_mode": pooling},
        "config_sentence_transformers.json": {"prompts": prompts, "default_prompt_name": None},
    }
    for name, values in files.items():
        (folder / name).write_text(json.dumps(values))
    return folder
