"""What pre-training is worth where labels are few: the same network with it and from scratch.

One encoder is pre-trained for each language of a world, in the folder of the experiment, and every part
begins with it; or with its sizes and its vocabulary, and random initialisation.

Where sentences are compared by their vectors, the encoder has learned these from plain sentences first, each
with itself (Gao et al. 2021) and with the one beside it in a table of pairs, whatever its label: states from
which masked words are predicted do not bring near what means the same.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from regard import api
from regard.config.load import Setting, load_recipe
from regard.experiments.estimates import Effect, more_than
from regard.experiments.experiment import Chart, Dots, Experiment, Finding, Measured, Part, World
from regard.experiments.parts import KOREAN_WORLD, train_once, tuned_score

BUILTIN, NSMC, KORSTS = "built-in", "nsmc", "korsts"
ALL_NSMC, ALL_KORSTS = "nsmc, all", "korsts, all"
TRAINED, SCRATCH = "pre-trained", "scratch"
FEW, MORE = 100, 1000
_SHOWN = {TRAINED: "pre-trained", SCRATCH: "from scratch"}
_BY_COUNT = {
    f"{system} {count}": f"{_SHOWN[system]}, {count:,} labels"
    for count in (FEW, MORE)
    for system in (TRAINED, SCRATCH)
}
_ROWS = {NSMC: 150_000, KORSTS: 5_749}
"""Of the training files: the labels of a part are drawn from all their rows, others with each seed."""


def _file(path: str, **more: object) -> dict[str, object]:
    return {"kind": "tsv", "path": f"$REGARD_DATA/{path}.tsv.gz", **more}


_READ = ("raw", "nsmc", "koen", "koen-docs", "koen-software", "korsts", "kornli")
"""What the Korean encoder is pre-trained on."""


def _share(weight: float, path: str, column: str = "text", **more: object) -> dict[str, object]:
    """So many of ten rows, from a column of a file."""
    return {"weight": weight, "corpus": _file(path, names={"text": column}, **more)}


# Labels are not looked at, nor is a file of a test set; koen's rows of stsb are sentences of korsts/test and
# korsts/dev. By their own sizes, every third row would be of a menu, and one of seventy a sentence as KorSTS
# has them.
_TEXTS = [
    _share(3, "raw/ko"),
    _share(2, "nsmc/train"),
    _share(1, "koen/train", "ko", filter=["source != stsb"]),
    _share(1, "koen-docs/train", "ko"),
    _share(1, "koen-software/train", "ko", filter=["domain == ui"]),
    _share(0.5, "koen-software/train", "ko", filter=["domain == game"]),
    *(_share(0.4, "korsts/train", column) for column in ("sentence1", "sentence2")),
    *(
        _share(0.175, f"kornli/{name}", column)
        for name in ("dev", "klue_nli")
        for column in ("premise", "hypothesis")
    ),
]
_KOREAN: list[Setting] = [
    ("data.train", {"kind": "mix", "by": "weight", "parts": _TEXTS}),
    ("data.dev", _file("koen/dev", filter=["source != stsb"], names={"text": "ko"})),
    ("data.documents", "rows"),
    ("training.minutes", 55.0),
    ("training.epochs", 100),
    # That is few tokens: of these, more and smaller steps learn more, and pieces that come often. Two batches
    # a step keep two cores busy. Most rows are read once or not at all, those like KorSTS's three times:
    # nothing has to be kept from overfitting.
    ("text.vocabulary_size", 8000),
    ("model.dropout", 0.0),
    ("model.attention_dropout", 0.0),
    ("training.batch_tokens", 1024),
    ("training.accumulate", 2),
    ("training.schedule.warmup_steps", 300),
]
_PLAIN = {BUILTIN: KOREAN_WORLD, **dict.fromkeys((NSMC, KORSTS, ALL_NSMC, ALL_KORSTS), _KOREAN)}
_QUICK_PLAIN: list[Setting] = [("training.minutes", 0.5)]
_TUNING: list[Setting] = [
    ("model.pooling", {"kind": "mean"}),
    ("data.max_tokens", 78),
    ("training.batch_tokens", 1024),
]
# Where labels are few, those of a dev set are, too: about 300. How alike two sentences are is the cosine of
# their vectors. Read as one text, the two tell an encoder of this size next to nothing, whatever it begins
# with (a correlation of 0.02 to 0.18 with 100 and 1,000 labels).
_COMPARED: list[Setting] = [
    ("data.text", "sentence1"),
    ("data.second", "sentence2"),
    ("data.score", "score"),
    ("data.dev", _file("korsts/dev", part=[0.0, 0.2])),
]
_PAIRS: list[Setting] = [
    *_COMPARED,
    ("model.objective", {"kind": "cosine"}),
    ("data.test", _file("korsts/test")),
    ("training.best_by", "spearman"),
    # With 0.0003, vectors are at their best after a pass, and soon spoilt.
    ("training.optimizer.learning_rate", 0.0001),
]


def _beside(path: str, first: str, second: str, **more: object) -> dict[str, object]:
    """Two sentences of a row that are to be near each other; its label is not read."""
    return _file(path, names={"sentence1": first, "sentence2": second}, **more)


_PAIRED = {"korsts/train": ("sentence1", "sentence2")} | {
    f"kornli/{name}": ("premise", "hypothesis") for name in ("dev", "klue_nli")
}

_VECTORS: list[Setting] = [
    *_COMPARED,
    ("model.pooling", {"kind": "mean"}),
    (
        "data.train",
        [
            *(_beside(path, column, column) for path, columns in _PAIRED.items() for column in columns),
            _beside("koen/train", "ko", "ko", filter=["source in tatoeba, context"]),
            *(_beside(path, *columns) for path, columns in _PAIRED.items()),
        ],
    ),
    ("data.max_tokens", 78),
    ("training.epochs", 1),
    ("training.batch_tokens", 2048),
    ("training.optimizer.learning_rate", 0.0003),
    ("training.schedule.warmup_steps", 10),
]
_REVIEWS: list[Setting] = [
    ("data.dev", _file("nsmc/train", part=[0.98, 0.982])),
    ("data.test", _file("nsmc/test", part=[0.0, 0.1])),
    ("training.best_by", "accuracy"),
]
_MEASURE = {KORSTS: "spearman", ALL_KORSTS: "spearman"}
_EPOCHS = {BUILTIN: {FEW: 20, MORE: 10}, NSMC: {FEW: 20, MORE: 10, 0: 1}, KORSTS: {FEW: 6, MORE: 6, 0: 3}}
"""Passes over so many labels, 0 = all."""


def _task(world: str, count: int, seed: int) -> list[Setting]:
    """The corpora of a world with so many labels, others with each seed; 0 = all that there are."""
    if world == BUILTIN:
        few = {"kind": "builtin", "world": "sentiment", "rows": count, "seed": seed}
        tests: list[Setting] = [
            (f"data.{part}", {"kind": "builtin", "world": "sentiment", "rows": rows})
            for part, rows in (("dev", 200), ("test", 1000))
        ]
        return [("data.train", few), *tests, ("training.epochs", _EPOCHS[world][count])]
    corpus, own = (KORSTS, _PAIRS) if world in (KORSTS, ALL_KORSTS) else (NSMC, _REVIEWS)
    if not count:
        part: list[float] = [0.0, 0.98] if corpus == NSMC else [0.0, 1.0]
    else:
        first, share = 0.2 * ((seed - 1) % 5), min(0.17, count / _ROWS[corpus])  # apart for five seeds
        part = [first, first + share]
    return [
        *own,
        ("data.train", _file(f"{corpus}/train", part=part)),
        ("training.epochs", _EPOCHS[corpus][count]),
        ("training.batch_tokens", 512 if count else 1024),
    ]


def few_labels(changes: Sequence[Setting] = (), few: Sequence[Setting] = ()) -> Experiment:
    """The experiment; `changes` are made in the recipes of pre-training, `few` in those of fine-tuning."""

    def part(world: World, system: str, seed: int, quick: bool) -> Part:
        begins, _, told = system.partition(" ")
        settings = [*_PLAIN[world.name], *(_QUICK_PLAIN if quick else ()), *changes]
        plain = load_recipe("bert-mini", settings)
        weights = {TRAINED: "keep", SCRATCH: "chance"}[begins]
        own = [*_TUNING, *_task(world.name, int(told or 0), seed), ("start.weights", weights)]
        own += [("training.seed", seed), *few]
        measure = _MEASURE.get(world.name, "accuracy")
        compares = measure == "spearman"
        kind = "bert-embedder" if compares else "bert-classifier"

        def work(folder: Path, quiet: bool) -> Measured:
            language = BUILTIN if world.name == BUILTIN else "korean"
            start = folder.parent / f"encoder-{language}"
            made = end = train_once(plain, start, quiet=quiet)
            if vectors:
                recipe = api.choose_recipe("bert-embedder", vectors, from_=start)
                start = folder.parent / f"vectors-{language}"
                made = train_once(recipe, start, quiet=quiet)
            run, recipe = folder / "run", api.choose_recipe(kind, own, from_=start)
            found, seconds = tuned_score(recipe, run, measure, quiet=quiet)
            about: dict[str, Any] = {
                "pre-training": end["best"],
                "parameters": sum(each.numel() for each in api.load(run).module.parameters()),
            }
            return Measured({measure: found}, about, seconds + (made["seconds"] if first else 0.0))

        vectors = _VECTORS if compares and begins == TRAINED else []
        facts = {"pre-training": plain.model_dump(mode="json"), "task": [str(setting) for setting in own]}
        facts |= {"vectors": [str(setting) for setting in vectors]} if vectors else {}
        # Where all worlds are run, the first that needs the encoder or the vectors has their time, too.
        first = begins == TRAINED and seed == 1 and told == str(FEW)
        making = 10.0 if vectors else plain.training.minutes or 0.0
        return Part(work, facts, (making if first else 0.0) + (0.5 if told else 8.0), plain)

    def charts(world: World) -> tuple[Chart, ...]:
        measure = _MEASURE.get(world.name, "accuracy")
        return (Dots("Spearman's correlation × 100" if measure == "spearman" else "accuracy (%)", measure),)

    return Experiment(
        name="few-labels",
        paper="Devlin et al. 2018, BERT; Howard and Ruder 2018, ULMFiT, Figure 3",
        worlds=(
            World(BUILTIN, "built-in world, Korean sentiment", _BY_COUNT, most_seeds=3),
            _world(NSMC, "NSMC, Korean film reviews"),
            _world(KORSTS, "KorSTS, how alike two sentences are"),
            _world(ALL_NSMC, "NSMC, all labels"),
            _world(ALL_KORSTS, "KorSTS, all labels"),
        ),
        part=part,
        findings=_findings(),
        charts=charts,
        seeds=5,
        shown=("accuracy", "spearman"),
        note=(
            "Both have the same network, vocabulary and settings of fine-tuning; each seed draws other "
            "labels, and from scratch other weights. The encoder is pre-trained once; for KorSTS it also "
            "learns vectors, from plain sentences and from pairs of them without labels, and these count as "
            "pre-training; docs/experiments.md says which other forms were tried."
        ),
    )


def _world(name: str, title: str) -> World:
    """One of real data; with all labels, each system is trained once."""
    corpus, has_all = (NSMC if "nsmc" in name else KORSTS), name in (ALL_NSMC, ALL_KORSTS)
    systems, most = (_SHOWN, 1) if has_all else (_BY_COUNT, None)
    return World(name, title, systems, corpus=corpus, also=_READ, most_seeds=most, in_quick=False)


def _findings() -> tuple[Finding, ...]:
    def more(count: str, measure: str) -> Effect:
        return lambda seen: seen(f"{TRAINED}{count}", measure) - seen(f"{SCRATCH}{count}", measure)

    points = {"accuracy": "points of accuracy", "spearman": "points of Spearman's correlation"}
    found = []
    for world in (NSMC, KORSTS, BUILTIN, ALL_NSMC, ALL_KORSTS):
        measure = _MEASURE.get(world, "accuracy")
        for count in ("",) if world in (ALL_NSMC, ALL_KORSTS) else (f" {FEW}", f" {MORE}"):
            labels = f"{int(count):,} labels" if count else "all labels"
            found.append(
                Finding(
                    f"pre-training helps with {labels} ({world})",
                    world,
                    "a pre-trained model with 100 labels is as good as one from scratch with 10 to 100 times "
                    "as many",
                    f"With {labels}, pre-training [helps|harms]",
                    more(count, measure),
                    points[measure],
                    more_than(1),
                )
            )
    return tuple(found)
