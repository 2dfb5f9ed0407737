"""Which heads follow which dependency: of an encoder trained here, of one that was given, of chance."""

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from regard import api
from regard.config.load import Setting, load_recipe
from regard.config.masked_language_model import MaskedLanguageModelRecipe
from regard.errors import ConfigError
from regard.experiments.dependencies import (
    ALL,
    Found,
    chosen_scores,
    follow,
    frequent_relations,
    read_parsed,
)
from regard.experiments.estimates import Effect, Seen, about_equal, more_than, quantities
from regard.experiments.experiment import Chart, Dots, Experiment, Finding, Measured, Part, World
from regard.metrics.statistics import Floats
from regard.models.bert import Bert
from regard.store.folder import load_weights
from regard.tasks.masked_lm.predictor import build_bert
from regard.tasks.masked_lm.trainer import MaskedLanguageModelTrainer
from regard.text.tokenizer import Tokenizer
from regard.training.pretrained_encoder import find_encoder

KOREAN, GIVEN = "korean", "given"
TRAINED, CHANCE, FOLDER = "trained", "chance", "folder"
TREEBANKS = {KOREAN: "pos/ko_gsd", GIVEN: "pos/en_ewt"}
RELATIONS = {
    KOREAN: ("nsubj", "obj", "advmod", "acl", "nmod"),
    GIVEN: ("det", "nsubj", "obj", "amod", "case"),
}
"""Those that the findings are about; more are measured where they are frequent."""
_LEAST = 100
"""A relation that comes less often in the sentences that heads are chosen on is left out."""
_SETTINGS: list[Setting] = [
    ("data.train", {"kind": "tsv", "path": "$REGARD_DATA/raw/ko.tsv.gz"}),
    ("data.dev", {"kind": "conllu", "path": "$REGARD_DATA/pos/ko_gsd/dev.conllu.gz"}),
    ("data.documents", "rows"),
    ("training.minutes", 15.0),
    ("training.batch_tokens", 2048),  # more and smaller steps: few tokens are seen
    ("training.schedule.warmup_steps", 300),
]
_QUICK: list[Setting] = [
    ("training.minutes", 2.0),
    ("model", {"kind": "bert", "width": 64, "heads": 4, "feed_forward": 256, "layers": 2, "pooler": False}),
    ("text.vocabulary_size", 4000),
    ("training.batch_tokens", 1024),
]


def heads_and_grammar(changes: Sequence[Setting] = (), *, least: int = _LEAST) -> Experiment:
    """The experiment; `changes` are made in the recipe."""

    def part(world: World, system: str, seed: int, quick: bool) -> Part:
        most = 200 if quick else None
        settings = [*_SETTINGS, *(_QUICK if quick else ()), ("training.seed", seed), *changes]
        recipe = load_recipe("bert-mini", settings, kind=MaskedLanguageModelRecipe)
        facts: dict[str, Any] = {"system": system, "most": most, "least": least}
        if system == FOLDER:
            facts["folder"] = GIVEN
        else:
            facts["recipe"] = recipe.model_dump(mode="json")

        def work(folder: Path, quiet: bool) -> Measured:
            begun = time.monotonic()
            model, tokenizer, frame = _opened(system, recipe, folder, quiet=quiet)
            chosen, measured = _followed(world.name, model, tokenizer, frame, most, least)
            found = quantities(chosen_scores(chosen, measured))
            about = {
                "parameters": sum(parameter.numel() for parameter in model.parameters()),
                "relations": {name: _told(chosen, name) for name in chosen.relations},
            }
            return Measured(found, about, time.monotonic() - begun)

        minutes = {TRAINED: recipe.training.minutes or 0.0, CHANCE: 0.5, FOLDER: 1.0}[system]
        return Part(work, facts, minutes, recipe if system == TRAINED else None)

    def charts(_: World) -> tuple[Chart, ...]:
        return (Dots("best head, all dependencies (%)", f"head {ALL}"),)

    return Experiment(
        name="heads-and-grammar",
        paper="Clark et al. 2019, What Does BERT Look At? An Analysis of BERT's Attention",
        worlds=(
            World(
                KOREAN,
                "Korean (UD GSD), an encoder trained here",
                {TRAINED: "trained on plain text", CHANCE: "random initialisation"},
                corpus="pos",
            ),
            World(
                GIVEN,
                "English (UD EWT), the encoder in the data folder's encoder/",
                {FOLDER: "the given encoder"},
                corpus="encoder",
                most_seeds=1,
            ),
        ),
        part=part,
        findings=_findings(),
        charts=charts,
        seeds=1,
        shown=(f"head {ALL}", f"fixed {ALL}"),
        note=(
            "One encoder is trained, more with --seeds. Heads and distances are chosen on the dev part of a "
            "treebank and measured on its test part. In "
            "measures, `head nsubj` is the best head for a relation, `fixed nsubj` the best distance."
        ),
    )


def _opened(
    system: str, recipe: MaskedLanguageModelRecipe, folder: Path, *, quiet: bool
) -> tuple[Bert, Tokenizer, tuple[int, int]]:
    """The encoder of a system, its vocabulary, and the symbols around a text."""
    if system == CHANCE:
        training = MaskedLanguageModelTrainer(recipe, folder, torch.device("cpu"), quiet=quiet)
        return training.bert, training.vocabularies[0], (2, 3)
    where = str(Path(os.environ.get("REGARD_DATA", "")) / "encoder")
    if system == TRAINED:
        where = str(folder / "run")
        if not api.is_trained(where, recipe):
            api.train(recipe, out=where, quiet=quiet)
        trained = api.load(where, task="masked-language-model")
        model = build_bert(recipe, len(trained.tokenizer))
        model.load_state_dict(trained.network.state_dict())
        return model, trained.tokenizer, (2, 3)
    encoder = find_encoder(where)
    if encoder is None:
        raise ConfigError(f"{where}: is no encoder; put a folder of transformers there, or of a pre-training")
    model = Bert(encoder.config, vocabulary_size=len(encoder.tokenizer))
    weights = {
        name: value for name, value in encoder.weights.items() if not name.startswith("next_sentence.")
    }
    load_weights(model, weights, where)
    return model, encoder.tokenizer, encoder.frame


def _followed(
    world: str, model: Bert, tokenizer: Tokenizer, frame: tuple[int, int], most: int | None, least: int
) -> tuple[Found, Found]:
    """What is found in the sentences that heads are chosen on, and in those they are measured on."""
    parts = [
        read_parsed(f"$REGARD_DATA/{TREEBANKS[world]}/{split}.conllu.gz", most) for split in ("dev", "test")
    ]
    relations = frequent_relations(parts[0], least)
    missing = [name for name in RELATIONS[world] if name not in relations]
    chosen, measured = (follow(model, tokenizer, frame, part, (*relations, *missing)) for part in parts)
    return chosen, measured


def _told(chosen: Found, relation: str) -> Mapping[str, str]:
    """Which head and which distance were chosen, and in which direction they look."""
    looks = {"head": chosen.best(relation, heads=True), "fixed": chosen.best(relation, heads=False)}
    return {kind: f"{look.name} to the {look.direction}" for kind, look in looks.items()}


def _findings() -> tuple[Finding, ...]:
    def above(system: str, relations: Sequence[str]) -> Effect:
        """The mean over relations of what the best head finds more than the best distance."""

        def effect(seen: Seen) -> Floats:
            each = [seen(system, f"head {name}") - seen(system, f"fixed {name}") for name in relations]
            mean: Floats = np.nanmean(each, axis=0)  # a relation that the treebank has not is left out
            return mean

        return effect

    def overall(system: str) -> Effect:
        return lambda seen: seen(system, f"head {ALL}") - seen(system, f"fixed {ALL}")

    def trained(seen: Seen) -> Floats:
        return above(TRAINED, RELATIONS[KOREAN])(seen) - above(CHANCE, RELATIONS[KOREAN])(seen)

    points = "points of accuracy"
    says = "particular heads correspond remarkably well to particular relations, far above a fixed offset"
    return (
        Finding(
            "heads follow relations",
            KOREAN,
            says,
            "[Some heads follow a relation|A fixed distance finds relations] better than any "
            "[fixed distance|head]",
            above(TRAINED, RELATIONS[KOREAN]),
            points,
            more_than(2),
        ),
        Finding(
            "it is learned",
            KOREAN,
            "heads learn this from plain text alone",
            "Training on plain text makes heads follow [relations|relations less]",
            trained,
            points,
            more_than(2),
        ),
        Finding(
            "heads of the given encoder follow relations",
            GIVEN,
            says,
            "[Some heads of the given encoder follow a relation better than any fixed distance|"
            "A fixed distance finds relations better than any head of the given encoder]",
            above(FOLDER, RELATIONS[GIVEN]),
            points,
            more_than(5),
        ),
        Finding(
            "no head follows all",
            GIVEN,
            "no single head does well at syntax overall: 34.5 % against 26.3 % of a fixed offset",
            "[No|A] single head of the given encoder follows all dependencies much "
            "[better than a fixed distance|better, or worse]",
            overall(FOLDER),
            points,
            about_equal(15),
        ),
    )
