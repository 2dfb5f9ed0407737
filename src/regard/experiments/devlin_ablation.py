"""Pre-training objectives: masked words or the next word, with and without next sentence.

Each encoder passes over the same plain text as often, and is then fine-tuned for a single text and for a pair
of texts, with few labels. All texts are pooled by their mean: the first token of an encoder that reads from
left to right sees nothing.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from regard import api
from regard.config.load import Setting, load_recipe
from regard.experiments.estimates import Effect, Quantity, more_than
from regard.experiments.experiment import Chart, Dots, Experiment, Finding, Measured, Part, World
from regard.experiments.parts import KOREAN_WORLD, SMALL, overrides, splits_of, train_once, tuned_score

BUILTIN, ENGLISH = "built-in", "english"
BOTH, MASKED, LEFT, SCRATCH = "next-sentence", "masked", "left", "scratch"
TITLES = {
    BOTH: "masked words and next sentence",
    MASKED: "masked words",
    LEFT: "left to right",
    SCRATCH: "not pre-trained",
}
_OBJECTIVES: dict[str, list[Setting]] = {
    BOTH: overrides("objective.next_sentence=on model.pooler=true"),
    MASKED: [],
    LEFT: ["model.reads=left"],
}
_PIECES: Setting = ("objective.whole_words", False)
"""Pieces of words are masked one by one, as left to right they are predicted."""
_BOOKS = "$REGARD_DATA/raw/en.tsv.gz"
# Passes, not minutes: what else the machine does must not decide how much each of them learns.
_PLAIN: dict[str, list[Setting]] = {
    BUILTIN: [*KOREAN_WORLD, _PIECES, ("training.minutes", None), ("training.epochs", 6)],
    ENGLISH: [
        *SMALL,
        _PIECES,
        # Rows that follow each other, so that sentences do; a part would be rows from everywhere.
        ("data.train", {"kind": "tsv", "path": _BOOKS, "filter": ["source == books-speeches"]}),
        ("data.dev", {"kind": "tsv", "path": "$REGARD_DATA/en-classification/sst2/dev.tsv.gz"}),
        *overrides("data.length=96 text.vocabulary_size=8000 training.epochs=1"),
    ],
}
_MINUTES: dict[str, dict[str, float]] = {
    BUILTIN: {MASKED: 4.0, LEFT: 4.5, SCRATCH: 1.5},
    ENGLISH: {BOTH: 8.5, MASKED: 7.5, LEFT: 13.0, SCRATCH: 1.5},
}
"""What pre-training and fine-tuning take. Left to right, every word is predicted, not one of seven."""
_TASKS: dict[str, dict[str, list[Setting]]] = {
    BUILTIN: {
        "text": [
            ("data.train", {"kind": "builtin", "world": "sentiment", "rows": 300}),
            ("data.dev", {"kind": "builtin", "world": "sentiment", "rows": 200}),
            ("data.test", {"kind": "builtin", "world": "sentiment", "rows": 1000}),
        ],
        "pair": [
            ("data.text", "premise"),
            ("data.second", "hypothesis"),
            ("data.train", {"kind": "builtin", "world": "inference", "rows": 1500}),
            ("data.dev", {"kind": "builtin", "world": "inference", "rows": 200}),
            ("data.test", {"kind": "builtin", "world": "inference", "rows": 1000}),
        ],
    },
    ENGLISH: {
        "text": splits_of("en-classification/sst2"),
        "pair": [
            ("data.text", "sentence1"),
            ("data.second", "sentence2"),
            *splits_of("en-pairs/sick"),
        ],
    },
}
_QUICK: list[Setting] = overrides("training.minutes=0.5 model.layers=2 model.width=64")
_QUICK_TASK: list[Setting] = [("training.epochs", 2)]


def devlin_ablation(changes: Sequence[Setting] = (), few: Sequence[Setting] = ()) -> Experiment:
    """The experiment; `changes` are made in the recipes of pre-training, `few` in those of fine-tuning."""

    def part(world: World, system: str, seed: int, quick: bool) -> Part:
        # Not pre-trained: sizes and vocabulary of the one for masked words, and random initialisation.
        read, weights = (MASKED, "chance") if system == SCRATCH else (system, "keep")
        settings = [*_PLAIN[world.name], *_OBJECTIVES[read], *(_QUICK if quick else ()), *changes]
        plain = load_recipe("bert-mini", [*settings, ("training.seed", seed)])
        own: list[Setting] = [("start.weights", weights), ("training.seed", seed)]
        own += [*(_QUICK_TASK if quick else ()), *few]

        def work(folder: Path, quiet: bool) -> Measured:
            run = folder.parent / f"encoder-{world.name}-{read}-{seed}"
            end = train_once(plain, run, quiet=quiet)
            found: dict[str, Quantity] = {}
            about: dict[str, Any] = {} if system == SCRATCH else {"pre-training": end["best"]}
            seconds = 0.0 if system == SCRATCH else end["seconds"]
            for task, named in _TASKS[world.name].items():
                recipe = api.choose_recipe("bert-classifier", [*_TUNING, *named, *own], from_=run)
                score, spent = tuned_score(recipe, folder / task, "accuracy", quiet=quiet)
                found[f"{task} accuracy"] = score
                seconds += spent
            model = api.load(folder / "text", task="classification")
            about["parameters"] = sum(parameter.numel() for parameter in model.module.parameters())
            return Measured(found, about, seconds)

        facts = {
            "pre-training": plain.model_dump(mode="json"),
            "tasks": [str(setting) for setting in (*_TUNING, *own)],
            "corpora": {task: [*map(str, named)] for task, named in _TASKS[world.name].items()},
        }
        return Part(work, facts, 1.0 if quick else _MINUTES[world.name][system], plain)

    def charts(_: World) -> tuple[Chart, ...]:
        return (Dots("pairs: accuracy (%)", "pair accuracy"), Dots("texts: accuracy (%)", "text accuracy"))

    return Experiment(
        name="devlin-ablation",
        paper="Devlin et al. 2018, BERT, Table 5",
        worlds=(
            World(
                BUILTIN,
                "built-in world, Korean",
                {name: TITLES[name] for name in (MASKED, LEFT, SCRATCH)},
            ),
            World(
                ENGLISH,
                "English: books and speeches; SST-2, SICK",
                TITLES,
                corpus="raw",
                also=("en-classification", "en-pairs"),
                most_seeds=1,
                in_quick=False,
            ),
        ),
        part=part,
        findings=_findings(),
        charts=charts,
        seeds=3,
        shown=("text accuracy", "pair accuracy"),
        note=(
            "All encoders are pre-trained for the same number of epochs on the same text, with mean pooling. "
            "The built-in world has no documents: next sentence is measured in English only."
        ),
    )


_TUNING: list[Setting] = [
    ("model.pooling", {"kind": "mean"}),
    ("data.max_tokens", 78),
    ("training.epochs", 4),
    ("training.batch_tokens", 1024),
    ("training.optimizer.learning_rate", 0.0005),
]


def _findings() -> tuple[Finding, ...]:
    def more(task: str, system: str, other: str) -> Effect:
        return lambda seen: seen(system, f"{task} accuracy") - seen(other, f"{task} accuracy")

    points = "points of accuracy"
    found = []
    for world in (BUILTIN, ENGLISH):
        found += [
            Finding(
                f"both directions help pairs ({world})",
                world,
                "left to right is worse on every task, most of all on pairs (MRPC 86.5 to 77.5)",
                "[Masked words make|Left to right makes] a better encoder of pairs than "
                "[left to right|masked words]",
                more("pair", MASKED, LEFT),
                points,
                more_than(1),
            ),
            Finding(
                f"both directions help texts ({world})",
                world,
                "left to right is a little worse on single texts (SST-2 92.6 to 92.1)",
                "[Masked words make|Left to right makes] a better encoder of texts than "
                "[left to right|masked words]",
                more("text", MASKED, LEFT),
                points,
                more_than(0.5),
            ),
            Finding(
                f"pre-training helps ({world})",
                world,
                "an encoder that was trained on plain text needs few labels",
                "Pre-training [helps|harms] text classification with few labels",
                more("text", MASKED, SCRATCH),
                points,
                more_than(1),
            ),
        ]
    found.append(
        Finding(
            "next sentence helps pairs",
            ENGLISH,
            "without next sentence pairs are worse (QNLI 88.4 to 84.9, MNLI 84.4 to 83.9)",
            "Next sentence makes a [better|worse] encoder of pairs",
            more("pair", BOTH, MASKED),
            points,
            more_than(0.5),
        )
    )
    return tuple(found)
