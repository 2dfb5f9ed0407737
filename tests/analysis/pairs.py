"""Untrained Transformers of six heads over a few words, in both directions; and a few pairs."""

from pathlib import Path

import torch
from tests.contracts.models import transformer

from regard.config.text import WordConfig
from regard.config.translation import TranslationRecipe
from regard.models.catalogue import build_model
from regard.store.folder import StoredModel, weights_of, write_model
from regard.tasks.translation.predictor import Translator
from regard.text.tokenizer import Tokenizer

PAIRS = [
    ("나는 새 책을 읽었다.", "I read a new book."),
    ("그는 어제 학교에 갔다.", "He went to school yesterday."),
    ("우리는 큰 집을 봤다.", "We saw the big house."),
    ("그녀는 물을 마신다.", "She drinks water."),
]
PLACES = [f"pair {number}" for number in range(1, len(PAIRS) + 1)]
PLACED = list(zip(PLACES, PAIRS, strict=True))
WORDS = Tokenizer.learn([text for pair in PAIRS for text in pair], WordConfig(min_frequency=1))


def untrained(source: str = "ko", target: str = "en", seed: int = 3) -> Translator:
    """A model whose heads look here and there, each at its own words."""
    torch.manual_seed(seed)
    config = transformer(dropout=0.0)
    recipe = TranslationRecipe.model_validate(
        {
            "model": config.model_dump(),
            "text": {"kind": "word", "joint": True},
            "data": {"source": source, "target": target},
            "decoding": {"beam_size": 1},
        }
    )
    network = build_model(config, source_size=len(WORDS), target_size=len(WORDS))
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(torch.randn_like(parameter))
    return Translator(network, source_tokenizer=WORDS, target_tokenizer=WORDS, recipe=recipe)


def stored(model: Translator, folder: Path) -> Path:
    """Its folder."""
    write_model(folder, StoredModel(model.recipe, weights_of(model.module), {"joint": WORDS.to_json()}))
    return folder
