"""Parts of the Transformer, one changed at a time: heads, d_k, label smoothing, positions, dropout."""

from collections.abc import Sequence

from regard.config.load import Setting, load_recipe
from regard.experiments.estimates import Effect, about_equal, more_than
from regard.experiments.experiment import Chart, Dots, Experiment, Finding, Part, World
from regard.experiments.parts import measure_translations, overrides, splits_of, translation_part

BUILTIN, MULTI30K = "built-in", "multi30k"
BASE, NARROW = "base", "narrow"
HEADS = 8
SYSTEMS: dict[str, tuple[str, list[Setting]]] = {
    BASE: (f"base: {HEADS} heads", []),
    "heads-1": ("1 head", ["model.heads=1"]),
    "heads-4": ("4 heads", ["model.heads=4"]),
    "heads-32": ("32 heads", ["model.heads=32"]),
    NARROW: ("heads a quarter as wide", []),
    "smoothing-0": ("no label smoothing", ["training.label_smoothing=0.0"]),
    "smoothing-0.2": ("label smoothing 0.2", ["training.label_smoothing=0.2"]),
    "learned": ("learned positions", ["model.positions=learned"]),
    "rotary": ("rotary positions", ["model.positions=rotary"]),
    "none": ("no positions", ["model.positions=none"]),
    "no-dropout": ("no dropout", overrides("model.dropout=0.0 model.attention_dropout=0.0")),
}
"""Each with the name a person knows, and what it changes in the base model; d_k follows the width."""
TITLES = {name: title for name, (title, _) in SYSTEMS.items()}
FEW = {name: TITLES[name] for name in (BASE, "heads-1", NARROW, "smoothing-0", "learned")}
"""On Multi30k, four passes are too few to overfit: dropout is not measured there."""

WIDTHS = {BUILTIN: 96, MULTI30K: 128}
QUICK_WIDTH = 64
_COMMON: list[Setting] = [
    ("model.heads", HEADS),
    *overrides(
        "model.encoder_layers=2 model.decoder_layers=2 model.dropout=0.1 model.attention_dropout=0.1 "
        "model.longest=256 training.label_smoothing=0.1 training.best_by=loss training.average=null "
        "training.schedule.kind=cosine training.schedule.warmup_steps=100"
    ),
]
# Few rows and many passes: what keeps a model from overfitting shows only where it could.
_SETTINGS: dict[str, list[Setting]] = {
    BUILTIN: [
        *_COMMON,
        ("data.train", {"kind": "builtin", "rows": 2000, "max_words": 6}),
        ("data.dev", {"kind": "builtin", "rows": 100, "max_words": 6}),
        ("data.test", {"kind": "builtin", "rows": 600, "max_words": 6}),
        ("text.vocabulary_size", 1500),
        ("training.epochs", 14),
        ("training.batch_tokens", 512),
        ("training.optimizer.learning_rate", 0.003),
    ],
    MULTI30K: [
        *_COMMON,
        ("data.source", "de"),
        ("data.target", "en"),
        *splits_of("multi30k"),
        ("text.vocabulary_size", 4000),
        ("training.epochs", 4),
        ("training.batch_tokens", 1024),
        ("training.optimizer.learning_rate", 0.002),
        ("training.schedule.warmup_steps", 300),
    ],
}
_QUICK: list[Setting] = overrides(
    "data.train.rows=1500 data.train.max_words=4 data.dev.max_words=4 data.dev.rows=60 data.test.max_words=4 "
    "data.test.rows=300 text.vocabulary_size=1000 training.epochs=11 training.batch_tokens=384 "
    "training.schedule.warmup_steps=60 training.optimizer.learning_rate=0.004"
)


def vaswani_ablation(changes: Sequence[Setting] = ()) -> Experiment:
    """The experiment; `changes` are made in the recipes."""

    def part(world: World, system: str, seed: int, quick: bool) -> Part:
        width = QUICK_WIDTH if quick else WIDTHS[world.name]
        sizes: list[Setting] = [("model.width", width), ("model.feed_forward", 4 * width)]
        settings = [*_SETTINGS[world.name], *(_QUICK if quick else ()), *sizes, *settings_of(system, width)]
        recipe = load_recipe("transformer-small", [*settings, ("training.seed", seed), *changes])
        minutes = 0.27 if quick else 0.6 if world.name == BUILTIN else 4.0
        measure = measure_translations(beam_size=1 if world.name == BUILTIN else 5, perplexity=True)
        return translation_part(recipe, measure, minutes=minutes, measuring="perplexity, BLEU")

    def charts(_: World) -> tuple[Chart, ...]:
        return (Dots("BLEU", "bleu"), Dots("perplexity", "perplexity", less_is_better=True))

    return Experiment(
        name="vaswani-ablation",
        paper="Vaswani et al. 2017, Attention Is All You Need, Table 3",
        worlds=(
            World(BUILTIN, "built-in world, Korean to English", TITLES),
            World(
                MULTI30K, "Multi30k, German to English", FEW, corpus="multi30k", most_seeds=1, in_quick=False
            ),
        ),
        part=part,
        findings=(*_findings(BUILTIN), *_findings_of_many(), *_findings(MULTI30K)),
        charts=charts,
        seeds=3,
        shown=("perplexity", "bleu"),
        note=(
            f"the base has {HEADS} heads, sinusoids, dropout 0.1 and label smoothing 0.1; each of the others "
            "differs from it in one thing; narrow heads have narrow values, too: the paper changed d_k alone"
        ),
    )


def settings_of(system: str, width: int) -> list[Setting]:
    """What a system changes in the base model of a width."""
    if system == NARROW:
        return [("model.head_size", width // HEADS // 4)]
    return SYSTEMS[system][1]


def _more_perplexity(system: str, than: str = BASE) -> Effect:
    """In percent; every system reads the references in the same tokens, and nothing is smoothed."""
    return lambda seen: 100 * (seen(system, "perplexity") / seen(than, "perplexity") - 1)


def _findings(world: str) -> tuple[Finding, ...]:
    """What is asked of both worlds."""
    percent = "% more perplexity"
    return (
        Finding(
            "several heads beat one",
            world,
            "one head is 0.9 BLEU worse than eight of the same width together, its perplexity 8 % higher",
            "One head is [worse|better] than eight that are as wide together",
            _more_perplexity("heads-1"),
            percent,
            more_than(1),
        ),
        Finding(
            "narrower heads hurt",
            world,
            "with a quarter of d_k, perplexity is 5 % higher and BLEU 0.7 lower",
            "Narrow heads are [worse|better]",
            _more_perplexity(NARROW),
            percent,
            more_than(1),
        ),
        Finding(
            "label smoothing hurts perplexity",
            world,
            "with label smoothing, perplexity is 5 % higher: the model becomes less confident",
            "Label smoothing makes perplexity [worse|better]",
            _more_perplexity(BASE, "smoothing-0"),
            percent,
            more_than(1),
        ),
        Finding(
            "label smoothing helps BLEU",
            world,
            "with label smoothing, BLEU is 0.5 higher",
            "Label smoothing makes BLEU [better|worse]",
            lambda seen: seen(BASE, "bleu") - seen("smoothing-0", "bleu"),
            "BLEU",
            more_than(0.2),
        ),
        Finding(
            "learned positions about equal sinusoids",
            world,
            "learned positions give the same perplexity, and BLEU within 0.1",
            "Learned positions [are as good as|differ from] sinusoids",
            _more_perplexity("learned"),
            percent,
            about_equal(5),
        ),
    )


def _findings_of_many() -> tuple[Finding, ...]:
    """What is asked where there are systems for it."""
    percent = "% more perplexity"
    return (
        Finding(
            "too many heads hurt",
            BUILTIN,
            "with 32 heads, perplexity is 2 % higher than with eight and BLEU 0.4 lower",
            f"32 heads are [worse|better] than {HEADS} that are as wide together",
            _more_perplexity("heads-32"),
            percent,
            more_than(1),
        ),
        Finding(
            "more label smoothing hurts perplexity more",
            BUILTIN,
            "with label smoothing of 0.2, perplexity is 11 % higher than with 0.1",
            "Twice the label smoothing makes perplexity [worse still|better]",
            _more_perplexity("smoothing-0.2"),
            percent,
            more_than(1),
        ),
        Finding(
            "attention needs positions",
            BUILTIN,
            "without recurrence, the order of the words is known only by what is added to them",
            "Without positions a Transformer is [worse|better]",
            _more_perplexity("none"),
            percent,
            more_than(1),
        ),
        Finding(
            "dropout helps",
            BUILTIN,
            "without dropout, perplexity is 17 % higher and BLEU 1.2 lower",
            "Without dropout a Transformer is [worse|better]",
            _more_perplexity("no-dropout"),
            percent,
            more_than(1),
        ),
        Finding(
            "rotary positions beat sinusoids",
            BUILTIN,
            "queries and keys that are rotated by their position do better than sinusoids (Su et al. 2021)",
            "Rotary positions are [better|worse] than sinusoids",
            lambda seen: -_more_perplexity("rotary")(seen),
            "% less perplexity",
            more_than(1),
        ),
    )
