"""Make what all sides are given: a corpus in ids, some of its batches, the network as a recipe of regard."""

import os
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from bench.job import Job, Network, Transformer
from bench.rounds import say

from regard.config.load import Setting, load_recipe
from regard.config.translation import TranslationRecipe
from regard.data.batching import SYMBOLS, make_batch
from regard.data.pairs import read_pairs
from regard.tasks.translation.examples import pair_corpus
from regard.text.tokenizer import BOS, EOS, PAD, UNK

VOCABULARY, BATCH_TOKENS = 8000, 4096


def corpus_settings() -> list[Setting]:
    """Multi30k de→en where `REGARD_DATA` names a folder that has it; else the built-in world."""
    data = os.environ.get("REGARD_DATA")
    if not data or not (Path(data) / "multi30k").is_dir():
        return [("data.source", "ko"), ("data.target", "en")]
    files: list[Setting] = [
        (f"data.{split}", f"{data}/multi30k/{split}.tsv.gz") for split in ("train", "dev", "test")
    ]
    return [("data.source", "de"), ("data.target", "en"), *files]


def corpus_name(recipe: TranslationRecipe) -> str:
    """How to name the corpus in a result."""
    corpus = recipe.data.train
    kind = "the built-in world" if corpus.kind == "builtin" else "Multi30k"
    return f"{kind}, {recipe.data.source}→{recipe.data.target}"


def english_sentences(count: int) -> tuple[str, list[str]]:
    """The name of a corpus, and the English sentences of its test set."""
    recipe = load_recipe("transformer-small", corpus_settings(), kind=TranslationRecipe)
    data = recipe.data
    corpus = data.test or data.dev
    texts = [pair.target for pair in islice(read_pairs(corpus, data, split="test"), count)]
    return corpus_name(recipe), texts


def recipe_of(
    network: Network | Transformer,
    *,
    vocabulary: int = VOCABULARY,
    batch_tokens: int = BATCH_TOKENS,
    more: Sequence[Setting] = (),
) -> TranslationRecipe:
    """The network as regard has it."""
    settings: list[Setting] = [
        *corpus_settings(),
        ("text.joint", True),
        ("text.vocabulary_size", vocabulary),
        ("training.batch_tokens", batch_tokens),
    ]
    if isinstance(network, Transformer):
        return load_recipe(
            "transformer-small", [*settings, *_transformer(network), *more], kind=TranslationRecipe
        )
    return load_recipe("bahdanau", [*settings, *_recurrent(network), *more], kind=TranslationRecipe)


def _transformer(network: Transformer) -> list[Setting]:
    """All three tables of words are one, as in the peers."""
    sizes = ("width", "heads", "feed_forward", "encoder_layers", "decoder_layers", "order")
    drops = ("dropout", "attention_dropout", "activation_dropout")
    return [
        *[(f"model.{name}", getattr(network, name)) for name in sizes],
        *[(f"model.{name}", network.dropout) for name in drops],
    ]


def _recurrent(network: Network) -> list[Setting]:
    """Nothing is shared but the vocabulary, as in the peers."""
    attention: dict[str, object] = {"score": network.score}
    if network.score == "additive":
        attention["hidden_size"] = network.align
    decoder: dict[str, object] = {
        "cell": "lstm",
        "hidden_size": network.decoder,
        "query": network.query,
        "readout_size": network.readout,
    }
    if network.query == "current":
        decoder["input_feeding"] = network.input_feeding
    return [
        ("model.embedding_size", network.embedding),
        ("model.encoder", {"cell": "lstm", "hidden_size": network.encoder}),
        ("model.attention", attention),
        ("model.decoder", decoder),
        ("model.tie_embeddings", False),
        ("model.dropout", network.dropout),
    ]


def make_job(
    recipe: TranslationRecipe, network: Network | Transformer, folder: Path, *, batches: int, polite: bool
) -> Job:
    """Encode the corpus and write so many of its batches, from the shortest sentences to the longest."""
    source, _, pairs = pair_corpus(recipe.data, recipe.text, quiet=True)
    plan = pairs.plan(budget=recipe.training.batch_tokens, seed=recipe.training.seed, epoch=0)
    by_length = sorted(range(len(plan)), key=lambda place: -len(plan[place]))
    middles = [by_length[int((place + 0.5) * len(plan) / batches)] for place in range(batches)]
    arrays: dict[str, Any] = {}
    for place, chosen in enumerate(middles):
        batch = make_batch(pairs, plan[chosen], SYMBOLS)
        wanted = batch.wanted.numpy()
        begin = np.full((len(wanted), 1), BOS, wanted.dtype)
        arrays[f"source{place}"] = batch.source.numpy()
        arrays[f"target{place}"] = np.concatenate([begin, wanted], axis=1)
        arrays[f"rows{place}"] = np.array(plan[chosen])
    path = folder / "batches.npz"
    np.savez(path, **arrays)
    sizes = ", ".join(f"{len(arrays[f'rows{place}'])}" for place in range(batches))
    say(f"{corpus_name(recipe)}: {len(pairs):,} pairs, {len(source):,} entries; batches of {sizes} pairs")
    return Job(
        network=network,
        vocabulary=len(source),
        batches=str(path),
        recipe=recipe.model_dump(mode="json"),
        pad=PAD,
        bos=BOS,
        eos=EOS,
        unk=UNK,
        smoothing=recipe.training.label_smoothing,
        learning_rate=recipe.training.optimizer.learning_rate,
        clip=recipe.training.clip_norm,
        seed=recipe.training.seed,
        polite=polite,
    )
