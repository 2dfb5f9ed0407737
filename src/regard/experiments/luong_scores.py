"""Scores, windows and input feeding: perplexity, BLEU and AER of each."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from regard.config.load import Setting, load_recipe
from regard.experiments.estimates import Seen, about_equal, less_than, more_than
from regard.experiments.experiment import Chart, Dots, Experiment, Finding, Part, Scatter, World
from regard.experiments.parts import measure_translations, overrides, splits_of, translation_part
from regard.metrics.statistics import Floats

BUILTIN, MULTI30K = "built-in", "multi30k"
CONTENT = ("dot", "general", "additive")
"""The paper's scores that compare the decoder's state with the words, unlike location."""
SYSTEMS: dict[str, tuple[str, list[Setting]]] = {
    "dot": ("dot", ["model.attention.score=dot"]),
    "scaled-dot": ("scaled dot", ["model.attention.score=scaled_dot"]),
    "general": ("general", []),
    "additive": ("additive", ["model.attention.score=additive"]),
    "cosine": ("cosine", ["model.attention.score=cosine"]),
    "location": ("location", ["model.attention.score=location"]),
    "local-m": ("local-m (general)", ["model.attention.window=local_m"]),
    "local-p": ("local-p (general)", ["model.attention.window=local_p"]),
    "local-p-normalised": (
        "local-p (general), from the diagonal, renormalised",
        overrides(
            "model.attention.window=local_p model.attention.centre=monotone model.attention.renormalise=true"
        ),
    ),
    "local-p-dot": (
        "local-p (dot)",
        overrides("model.attention.window=local_p model.attention.score=dot"),
    ),
    "no-feeding": ("general, no input feeding", ["model.decoder.input_feeding=false"]),
}
"""Each with the name a person knows, and what it changes in the recipe luong-general."""
TITLES = {name: title for name, (title, _) in SYSTEMS.items()}
FEW = {name: TITLES[name] for name in ("general", "location", "local-p", "local-p-normalised", "no-feeding")}

_COMMON: list[Setting] = overrides(
    "model.attention.reach=5 training.best_by=loss training.epochs=3 training.schedule.warmup_steps=100"
)
_SETTINGS: dict[str, list[Setting]] = {
    BUILTIN: [
        *_COMMON,
        ("data.train", {"kind": "builtin", "rows": 12000, "max_words": 8}),
        ("data.dev", {"kind": "builtin", "rows": 200, "max_words": 8}),
        ("data.test", {"kind": "builtin", "rows": 600, "max_words": 8}),
        *overrides(
            "text.vocabulary_size=2000 model.embedding_size=96 model.encoder.hidden_size=96 "
            "model.decoder.hidden_size=192 model.dropout=0.1 training.batch_tokens=512 "
            "training.optimizer.learning_rate=0.004"
        ),
    ],
    MULTI30K: [
        *_COMMON,
        ("data.source", "de"),
        ("data.target", "en"),
        *splits_of("multi30k"),
        ("model.embedding_size", 128),
        ("model.encoder.hidden_size", 128),
        ("model.decoder.hidden_size", 256),
    ],
}
_QUICK: list[Setting] = overrides(
    "data.train.rows=5000 data.train.max_words=5 data.dev.max_words=5 data.dev.rows=100 "
    "data.test.max_words=5 data.test.rows=300 text.vocabulary_size=1200 training.batch_tokens=256 "
    "training.optimizer.learning_rate=0.005 training.schedule.warmup_steps=50 model.embedding_size=64 "
    "model.encoder.hidden_size=64 model.decoder.hidden_size=128"
)


def luong_scores(changes: Sequence[Setting] = ()) -> Experiment:
    """The experiment; `changes` are made in the recipes."""

    def part(world: World, system: str, seed: int, quick: bool) -> Part:
        settings = [*_SETTINGS[world.name], *(_QUICK if quick else ()), *SYSTEMS[system][1]]
        recipe = load_recipe("luong-general", [*settings, ("training.seed", seed), *changes])
        minutes = 0.25 if quick else 1.0 if world.name == BUILTIN else 4.0
        measure = measure_translations(
            beam_size=1 if world.name == BUILTIN else 5, perplexity=True, alignment=True
        )
        return translation_part(recipe, measure, minutes=minutes, measuring="perplexity, BLEU, AER")

    def charts(world: World) -> tuple[Chart, ...]:
        if world.name == MULTI30K:
            return (Dots("BLEU", "bleu"), Dots("perplexity", "perplexity", less_is_better=True))
        return (
            Scatter("alignment error rate (less is better)", "BLEU", "aer", "bleu"),
            Dots("alignment error rate", "aer", less_is_better=True),
            Dots("perplexity", "perplexity", less_is_better=True),
        )

    return Experiment(
        name="luong-scores",
        paper="Luong, Pham and Manning 2015, Effective Approaches to Attention-based NMT",
        worlds=(
            World(BUILTIN, "built-in world, Korean to English, with gold alignments", TITLES),
            World(
                MULTI30K, "Multi30k, German to English", FEW, corpus="multi30k", most_seeds=1, in_quick=False
            ),
        ),
        part=part,
        findings=_findings(),
        charts=charts,
        shown=("perplexity", "bleu", "aer"),
    )


def rank_correlation(one: Floats, other: Floats) -> Floats:
    """Spearman's, between systems: (systems, draws) each, to (draws,)."""
    first, second = (_centred(values) for values in (one, other))
    above = (first * second).sum(axis=0)
    below = np.sqrt((first**2).sum(axis=0) * (second**2).sum(axis=0))
    with np.errstate(invalid="ignore", divide="ignore"):
        correlation: Floats = above / below  # NaN where all systems of a draw are equal
    return correlation


def _centred(values: Floats) -> npt.NDArray[np.float64]:
    from scipy.stats import rankdata

    ranks = rankdata(values, axis=0)
    centred: npt.NDArray[np.float64] = ranks - ranks.mean(axis=0)
    return centred


def _correlation(seen: Seen) -> Floats:
    aer, bleu = (np.stack([seen(system, name) for system in SYSTEMS]) for name in ("aer", "bleu"))
    return rank_correlation(-aer, bleu)


def _aligns_worse(seen: Seen) -> Floats:
    others: Floats = np.max([seen(system, "aer") for system in CONTENT], axis=0)
    return seen("location", "aer") - others


def _crossing(seen: Seen) -> Floats:
    """How much better dot is than general with a global window, beyond what it is with a local one."""
    return (seen("dot", "bleu") - seen("general", "bleu")) - (
        seen("local-p-dot", "bleu") - seen("local-p", "bleu")
    )


def _findings() -> tuple[Finding, ...]:
    return (
        Finding(
            "location aligns worst",
            BUILTIN,
            "location has the highest alignment error rate",
            "Location, which knows only the position, aligns [worse|better] than dot, general "
            "[and|or] additive",
            _aligns_worse,
            "AER",
            more_than(0.01),
            decimals=3,
        ),
        *_findings_of_both(BUILTIN),
        Finding(
            "dot suits global windows, general local ones",
            BUILTIN,
            "dot works well for the global attention, general is better for the local attention",
            "Dot gains [more|less] over general with global attention than with local",
            _crossing,
            "BLEU",
            more_than(0.2),
        ),
        Finding(
            "AER and BLEU are not well correlated",
            BUILTIN,
            "AER and translation scores are not well correlated",
            "Who aligns better [does not always translate|translates] better",
            _correlation,
            "rank correlation",
            less_than(0.8),
            decimals=2,
        ),
        *_findings_of_both(MULTI30K),
        Finding(
            "content beats location",
            MULTI30K,
            "general with a predicted window is better than location",
            "A score of the content is [better|worse] than one of the position only",
            lambda seen: seen("general", "bleu") - seen("location", "bleu"),
            "BLEU",
            more_than(0.2),
        ),
    )


def _findings_of_both(world: str) -> tuple[Finding, ...]:
    """What is asked of both worlds."""
    return (
        Finding(
            "input feeding helps",
            world,
            "input feeding gives gains of 1.3 BLEU",
            "Input feeding [helps|hurts]",
            lambda seen: seen("general", "bleu") - seen("no-feeding", "bleu"),
            "BLEU",
            more_than(0.2),
        ),
        Finding(
            "local-p about equals global",
            world,
            "local-p (general) is 0.4 BLEU better than the best global model, dot",
            "A local window with a predicted centre [is as good as|differs from] global attention",
            lambda seen: seen("local-p", "bleu") - seen("general", "bleu"),
            "BLEU",
            about_equal(1.0),
        ),
        Finding(
            "from the diagonal and renormalised, local-p beats global",
            world,
            "local-p is the best of the paper's windows; there the centre is free, and rows sum to less",
            "A predicted window that starts at the output position, with rows that sum to 1, is "
            "[better|worse] than global attention",
            lambda seen: seen("local-p-normalised", "bleu") - seen("general", "bleu"),
            "BLEU",
            more_than(0.4),
        ),
    )
