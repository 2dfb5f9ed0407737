"""Two senses of one word: whether the state of a model at the word tells them apart, where its vector cannot.

Senses are planted, as `pseudowords` says, before anything is trained. A word vector is the same at every
occurrence, so the best that it allows is the more frequent sense. What is asked is how much better a probe
does with the states of a BERT, of an LSTM language model, and of a BERT without training.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from regard import api
from regard.config.data import BuiltinCorpus, OneCorpus, TsvCorpus
from regard.config.load import Setting, load_recipe, with_settings
from regard.config.masked_language_model import MaskedLanguageModelRecipe
from regard.config.recipe import Recipe
from regard.data.batching import SYMBOLS, length_batches, pad_texts
from regard.data.readers import open_rows
from regard.data.rows import Row
from regard.data.writers import write_rows
from regard.experiments.estimates import Effect, Quantity, more_than, quantities
from regard.experiments.experiment import Chart, Dots, Experiment, Finding, Measured, Part, World
from regard.experiments.parts import overrides, train_once
from regard.experiments.pseudowords import (
    Occurrence,
    centroid_guesses,
    choose_pairs,
    joined,
    majority_guesses,
    occurrences,
    planted,
    share_right,
)
from regard.metrics.statistics import Floats
from regard.models.bert import Bert
from regard.models.language_model import LanguageModelNetwork
from regard.models.word_embeddings import scaled
from regard.tasks.masked_lm.trainer import MaskedLanguageModelTrainer
from regard.text.tokenizer import BOS, EOS, Tokenizer

BUILTIN, BOOKS = "built-in", "books"
BERT, LSTM, CHANCE = "bert", "lstm", "chance"
SYSTEMS = {BERT: "BERT", LSTM: "LSTM, left to right", CHANCE: "BERT, random initialisation"}
STATE, VECTOR, MAJORITY = "accuracy", "word vector", "majority"
_BATCH_TOKENS = 4096


class Planting(NamedTuple):
    """Where pseudowords are planted: the corpora to train on, to learn senses from, and to ask for them."""

    train: OneCorpus
    learned: OneCorpus
    asked: OneCorpus
    column: str
    pairs: int
    skip: int
    """Frequent words that are passed over."""


def _books(first: float, last: float) -> TsvCorpus:
    path = "$REGARD_DATA/raw/en.tsv.gz"
    return TsvCorpus(path=path, filter=("source == books-speeches",), part=(first, last))


def _built_in(rows: int, probed: int) -> Planting:
    train, learned, asked = (
        BuiltinCorpus.model_validate({"split": split, "rows": count})
        for split, count in (("train", rows), ("dev", probed), ("test", probed))
    )
    return Planting(train, learned, asked, "en", pairs=20, skip=30)


PLANTINGS = {
    BUILTIN: _built_in(12000, 3000),
    BOOKS: Planting(_books(0.2, 1.0), _books(0.0, 0.1), _books(0.1, 0.2), "text", pairs=20, skip=100),
}
QUICK = _built_in(5000, 1500)
_LENGTH: dict[str, list[Setting]] = {
    BUILTIN: overrides("training.epochs=15"),
    BOOKS: [*overrides("training.epochs=100 training.minutes=4.5"), ("training.batch_tokens", 1024)],
}
_QUICK_LENGTH: list[Setting] = overrides("training.epochs=10 training.schedule.warmup_steps=100")
_MINUTES = {BUILTIN: 3.5, BOOKS: 4.5}
_QUICK_MINUTES = 1.0
_COMMON: list[Setting] = [("text", {"kind": "word", "vocabulary_size": 8000})]
_SETTINGS: dict[str, list[Setting]] = {
    BERT: [*_COMMON, *overrides("training.optimizer.learning_rate=0.002")],
    LSTM: [
        *_COMMON,
        *overrides("model.embedding_size=128 model.hidden_size=128 training.optimizer.learning_rate=0.004"),
    ],
}


def polysemy(changes: Sequence[Setting] = (), plantings: Mapping[str, Planting] | None = None) -> Experiment:
    """The experiment; `changes` are made in the recipes, and other text may be planted in."""

    def part(world: World, system: str, seed: int, quick: bool) -> Part:
        planting = (plantings or {}).get(world.name) or (QUICK if quick else PLANTINGS[world.name])
        minutes = _QUICK_MINUTES if quick else _MINUTES[world.name]
        family = LSTM if system == LSTM else BERT
        settings = [
            *_SETTINGS[family],
            *(_QUICK_LENGTH if quick else _LENGTH[world.name]),
            ("data.text", planting.column),
            ("data.train", planting.train.model_dump(mode="json")),
            ("data.dev", planting.learned.model_dump(mode="json")),
            ("data.test", planting.asked.model_dump(mode="json")),
            ("training.seed", seed),
        ]
        recipe = load_recipe("lm-lstm" if family == LSTM else "bert-tiny", [*settings, *changes])

        def work(folder: Path, quiet: bool) -> Measured:
            return _measured(system, recipe, planting, folder, quiet=quiet)

        facts = {"recipe": recipe.model_dump(mode="json"), "pairs": planting.pairs, "skip": planting.skip}
        return Part(
            work,
            {**facts, "trained": system != CHANCE},
            0.3 + (minutes if system != CHANCE else 0.0),
            recipe if system != CHANCE else None,
        )

    def charts(_: World) -> tuple[Chart, ...]:
        return (
            Dots("right senses, from the state at the word (%)", STATE),
            Dots("right senses, from the word vector (%)", VECTOR),
        )

    return Experiment(
        name="polysemy",
        paper="Peters et al. 2018, Deep Contextualized Word Representations; Schütze 1992 (pseudowords)",
        worlds=(
            World(BUILTIN, "built-in world, English, planted senses", SYSTEMS),
            World(
                BOOKS,
                "books and speeches, English, planted senses",
                SYSTEMS,
                corpus="raw",
                most_seeds=1,
                in_quick=False,
            ),
        ),
        part=part,
        findings=tuple(finding for world in (BUILTIN, BOOKS) for finding in _findings(world)),
        charts=charts,
        shown=(STATE, VECTOR, MAJORITY),
        note=(
            "two words of like frequency are written as one before training; a probe takes the sense whose "
            "mean vector, over other sentences, is nearest; a word vector is the same at every occurrence"
        ),
    )


def _measured(system: str, recipe: Recipe, planting: Planting, folder: Path, *, quiet: bool) -> Measured:
    begun = time.monotonic()
    texts = {name: _texts(getattr(planting, name), planting.column) for name in ("train", "learned", "asked")}
    pairs = choose_pairs(texts["train"], planting.pairs, skip=planting.skip)
    written = joined(pairs)
    paths = {}
    for split, name in (("train", "train"), ("dev", "learned"), ("test", "asked")):
        path = folder / f"{split}.tsv"
        folder.mkdir(parents=True, exist_ok=True)
        rows = (Row(number, (planted(text, written),)) for number, text in enumerate(texts[name], start=1))
        write_rows(rows, ("text",), str(path))
        paths[split] = {"kind": "tsv", "path": str(path)}
    own: list[Setting] = [("data.text", "text"), *((f"data.{split}", each) for split, each in paths.items())]
    recipe = with_settings(recipe, own)
    states, parameters = _opened(system, recipe, folder, quiet=quiet)
    learned, asked = (occurrences(texts[name], written) for name in ("learned", "asked"))
    known, queries = (states(each) for each in (learned, asked))
    right = {
        STATE: centroid_guesses(learned, known.states, asked, queries.states),
        VECTOR: centroid_guesses(learned, known.vectors, asked, queries.vectors),
        MAJORITY: majority_guesses(learned, asked),
    }
    found: dict[str, Quantity] = quantities({name: share_right(own) for name, own in right.items()})
    about = {
        "parameters": parameters,
        "occurrences": len(asked),
        "pseudowords": [" / ".join(pair) for pair in pairs],
    }
    return Measured(found, about, time.monotonic() - begun)


def _texts(corpus: OneCorpus, column: str) -> list[str]:
    rows = open_rows(corpus)
    place = rows.columns.index(column)
    return [" ".join(str(row.cells[place]).split()) for row in rows if isinstance(row, Row)]


class Vectors(NamedTuple):
    """Of occurrences of pseudowords, (n, d) each."""

    states: Floats
    """The state of the highest layer at the pseudoword."""
    vectors: Floats
    """The word vector of the pseudoword."""


_States = Callable[[Sequence[Occurrence]], Vectors]


def _opened(system: str, recipe: Recipe, folder: Path, *, quiet: bool) -> tuple[_States, int]:
    """What gives the vectors of occurrences, and the parameters of the model."""
    network: nn.Module
    if system == CHANCE and isinstance(recipe, MaskedLanguageModelRecipe):
        training = MaskedLanguageModelTrainer(recipe, folder, torch.device("cpu"), quiet=quiet)
        network, tokenizer = training.bert, training.vocabularies[0]
    else:
        train_once(recipe, folder / "run", quiet=quiet)
        model = api.load(folder / "run")
        network, tokenizer = model.module, model.tokenizer

    def states(found: Sequence[Occurrence]) -> Vectors:
        return _vectors(network, tokenizer, found)

    return states, sum(parameter.numel() for parameter in network.parameters())


def _read(network: nn.Module, tokens: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """The states of the highest layer, (b, t, d), and the word vectors, (v, d)."""
    if isinstance(network, Bert):
        return network(tokens, lengths), network.word_embedding.weight
    if isinstance(network, LanguageModelNetwork):
        words = scaled(network.embedding, tokens)
        states = network.reader.read_all(words, real=None, rng=None, trace=None)
        return states, network.embedding.weight
    raise TypeError(f"expected a BERT or a language model, found {type(network).__name__}")


@torch.inference_mode()
def _vectors(
    network: nn.Module,
    tokenizer: Tokenizer,
    found: Sequence[Occurrence],
) -> Vectors:
    words = list(dict.fromkeys(each.word for each in found))
    ids = {word: own[0] for word, own in zip(words, tokenizer.encode_ids(words), strict=True)}
    encoded = [[BOS, *own, EOS] for own in tokenizer.encode_ids([each.text for each in found])]
    states: dict[int, Floats] = {}
    vectors: dict[int, Floats] = {}
    for rows in length_batches([len(own) for own in encoded], budget=_BATCH_TOKENS):
        tokens, lengths = pad_texts([encoded[row] for row in rows], SYMBOLS)
        seen, table = _read(network, tokens, lengths)
        for at, row in enumerate(rows):
            token = ids[found[row].word]
            states[row] = seen[at, encoded[row].index(token)].double().numpy()
            vectors[row] = table[token].double().numpy()
    order = range(len(found))
    return Vectors(np.stack([states[row] for row in order]), np.stack([vectors[row] for row in order]))


def _findings(world: str) -> tuple[Finding, ...]:
    """What is asked of both worlds."""
    where = "" if world == BUILTIN else " on real text"

    def more(system: str, than: str, measure: str = STATE) -> Effect:
        return lambda seen: seen(system, STATE) - seen(than, measure)

    points = "points of accuracy"
    return (
        Finding(
            f"states tell senses apart{where}",
            world,
            "one vector for a word cannot have its senses; a state depends on the whole sentence",
            f"A BERT's state at a word tells its senses [better|worse] than the word's vector{where}",
            more(BERT, BERT, VECTOR),
            points,
            more_than(5),
        ),
        Finding(
            f"an LSTM's states do, too{where}",
            world,
            "the states of a recurrent language model disambiguate words",
            f"An LSTM's state at a word tells its senses [better|worse] than the word's vector{where}",
            more(LSTM, LSTM, VECTOR),
            points,
            more_than(5),
        ),
        Finding(
            f"it is learned{where}",
            world,
            "this comes from training on plain text",
            f"Training makes a BERT's states tell senses [better|worse]{where}",
            more(BERT, CHANCE),
            points,
            more_than(2),
        ),
        Finding(
            f"both sides of the context help{where}",
            world,
            "a state that has seen the words on both sides knows more",
            f"A BERT, which reads both sides, tells senses [better|worse] than an LSTM{where}",
            more(BERT, LSTM),
            points,
            more_than(1),
        ),
    )
