"""A translator that copies its words, trained in seconds: what it must look at is known."""

import random
from typing import Any

import torch

from regard.config.load import load_recipe
from regard.config.translation import TranslationRecipe
from regard.data.batching import SYMBOLS, EncodedPair, make_batch
from regard.models.catalogue import build_model
from regard.nn.loss import loss_of
from regard.tasks.translation.predictor import Translator
from regard.text.tokenizer import Tokenizer

WORDS = "abcdefghijkl"
SETTINGS = [
    ("text", {"kind": "word"}),
    ("model.embedding_size", 24),
    ("model.encoder.hidden_size", 24),
    ("model.encoder.layers", 1),
    ("model.encoder.bidirectional", False),  # a word cannot be known before it is read
    ("model.attention.hidden_size", 24),
    ("model.decoder.hidden_size", 32),
    ("model.dropout", 0.0),
]


def sentences(count: int, seed: int) -> list[str]:
    """Sentences of different words."""
    dice = random.Random(seed)
    return [" ".join(dice.sample(WORDS, dice.randint(2, 8))) for _ in range(count)]


def train_copier(seed: int = 0, steps: int = 400) -> Translator:
    recipe = load_recipe("bahdanau", SETTINGS, kind=TranslationRecipe)
    tokenizer = Tokenizer.learn([" ".join(WORDS)] * 3, recipe.text)
    torch.manual_seed(seed)
    model: Any = build_model(recipe.model, source_size=len(tokenizer), target_size=len(tokenizer))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    texts = sentences(64 * steps, seed)
    ids = [tokenizer.encode(text).ids for text in texts]
    for step in range(steps):
        batch = make_batch(
            [EncodedPair(own, own) for own in ids[64 * step : 64 * step + 64]], range(64), SYMBOLS
        )
        written = model.teacher_forced(batch.inputs)
        loss, _ = loss_of(written.at(batch.real), batch.wanted[batch.real])
        optimizer.zero_grad()
        (loss / batch.real.sum()).backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    return Translator(model, source_tokenizer=tokenizer, target_tokenizer=tokenizer, recipe=recipe)
