"""Wide beams: BLEU against the width of the search, with and without normalisation by length."""

from collections.abc import Mapping, Sequence

from regard.config.load import Setting, load_recipe
from regard.evaluation.test_set import TestSet
from regard.experiments.estimates import Effect, Quantity, Seen, more_than, quantities
from regard.experiments.experiment import Chart, Curves, Experiment, Finding, Line, Part, World
from regard.experiments.parts import length_ratio_statistics, overrides, splits_of, translation_part
from regard.metrics.bleu import translation_statistics
from regard.metrics.statistics import Floats, Statistics
from regard.progress import track
from regard.tasks.translation.predictor import Translator

BEAMS = (1, 2, 3, 5, 10, 20, 50)
QUICK_BEAMS = (1, 2, 5, 20, 50)
NARROW, WIDE = 5, 50
BUILTIN, MULTI30K = "built-in", "multi30k"
MODEL = "bahdanau"
RANKINGS = {"sum": 0.0, "average": 1.0}
"""What a hypothesis is ranked by, as `decoding.length_alpha`: the sum of its log-probabilities, or a mean."""

_SETTINGS: dict[str, list[Setting]] = {
    BUILTIN: [
        ("data.train", {"kind": "builtin", "lengths": "long", "max_words": 25, "rows": 12000}),
        ("data.dev", {"kind": "builtin", "lengths": "long", "max_words": 25, "rows": 200}),
        ("data.test", {"kind": "builtin", "lengths": "long", "max_words": 25, "rows": 400}),
        *overrides(
            "text.vocabulary_size=2000 model.embedding_size=128 model.encoder.hidden_size=128 "
            "model.attention.hidden_size=128 model.decoder.hidden_size=256 training.epochs=2 "
            "training.best_by=loss training.batch_tokens=512 training.optimizer.learning_rate=0.003 "
            "training.schedule.warmup_steps=100"
        ),
    ],
    MULTI30K: [
        ("data.source", "de"),
        ("data.target", "en"),
        *splits_of("multi30k"),
        ("training.epochs", 4),
        ("training.best_by", "loss"),
    ],
}
_QUICK: list[Setting] = overrides(
    "data.train.max_words=10 data.train.rows=12000 data.dev.max_words=10 data.test.max_words=10 "
    "data.test.rows=300 training.epochs=3 training.batch_tokens=384 training.optimizer.learning_rate=0.004"
)


def koehn_beam(
    beams: Sequence[int] = BEAMS, quick_beams: Sequence[int] = QUICK_BEAMS, changes: Sequence[Setting] = ()
) -> Experiment:
    """The experiment with these widths; `changes` are made in the recipes."""

    def part(world: World, system: str, seed: int, quick: bool) -> Part:
        del system
        settings = [*_SETTINGS[world.name], *(_QUICK if quick else ()), ("training.seed", seed), *changes]
        widths = tuple(quick_beams if quick else beams)
        minutes = 1.5 if quick else 4.0 if world.name == BUILTIN else 20.0
        return translation_part(
            load_recipe(MODEL, settings), _Widths(widths), minutes=minutes, measuring=f"beams {widths}"
        )

    def charts(_: World) -> tuple[Chart, ...]:
        places = sorted({*beams, *quick_beams})
        ticks = tuple((float(width), str(width)) for width in places)

        def lines(measure: str) -> tuple[Line, ...]:
            named = {"average": "with normalisation", "sum": "without"}
            return tuple(
                Line(title, MODEL, tuple((place, f"{measure} {ranking} {name}") for place, name in ticks))
                for ranking, title in named.items()
            )

        axis = "width of the beam"
        return (
            Curves(axis, "BLEU", lines("bleu"), ticks, log_x=True),
            Curves(
                axis, "length of the outputs (% of the references)", lines("length"), ticks, log_x=True,
                level=(100.0, "as long as the references"),
            ),
        )  # fmt: skip

    systems = {MODEL: "Bahdanau's model"}
    return Experiment(
        name="koehn-beam",
        paper="Koehn and Knowles 2017, Six Challenges for Neural Machine Translation",
        worlds=(
            World(BUILTIN, "built-in world, Korean to English", systems),
            World(
                MULTI30K,
                "Multi30k, German to English",
                systems,
                corpus="multi30k",
                most_seeds=1,
                in_quick=False,
            ),
        ),
        part=part,
        findings=tuple(finding for world in (BUILTIN, MULTI30K) for finding in _findings(world)),
        charts=charts,
        shown=tuple(f"bleu {ranking} {width}" for ranking in RANKINGS for width in (1, NARROW, WIDE)),
        seeds=5,  # how much a wide beam hurts differs widely from training to training
    )


class _Widths:
    """BLEU and the length of the outputs for every width and ranking."""

    def __init__(self, widths: Sequence[int]) -> None:
        self._widths = widths

    def __call__(self, translator: Translator, test_set: TestSet, quiet: bool) -> Mapping[str, Quantity]:
        searches = [(width, ranking) for width in reversed(self._widths) for ranking in RANKINGS]
        found: dict[str, Statistics] = {}
        for width, ranking in track(
            searches, "translating", unit="searches", total=len(searches), every=1, quiet=quiet
        ):
            outputs = translator.translate(
                test_set.sources, attention=False, beam_size=width, length_alpha=RANKINGS[ranking]
            )
            texts = [output.text for output in outputs]
            found[f"bleu {ranking} {width}"] = translation_statistics("bleu", texts, test_set.references)
            found[f"length {ranking} {width}"] = length_ratio_statistics(texts, test_set.pairs)
        return quantities(found)


def _findings(world: str) -> tuple[Finding, ...]:
    def lost(seen: Seen, ranking: str) -> Floats:
        return seen(MODEL, f"bleu {ranking} {NARROW}") - seen(MODEL, f"bleu {ranking} {WIDE}")

    def lost_by(ranking: str) -> Effect:
        return lambda seen: lost(seen, ranking)

    return (
        Finding(
            "a wide beam hurts without normalisation",
            world,
            "translations get worse as the beam gets wider, above all without normalisation by length",
            f"Without normalisation, a beam of {WIDE} is [worse|better] than one of {NARROW}",
            lost_by("sum"),
            "BLEU",
            more_than(0.2),
        ),
        Finding(
            "normalisation makes a wide beam hurt less",
            world,
            "normalising by length alleviates the loss",
            "With normalisation, a wide beam hurts [less|more]",
            lambda seen: lost(seen, "sum") - lost(seen, "average"),
            "BLEU",
            more_than(0.2),
        ),
        Finding(
            "a narrow beam helps",
            world,
            "beam search improves on greedy search while the beam is narrow",
            f"A beam of {NARROW} is [better|worse] than greedy search",
            lambda seen: seen(MODEL, f"bleu average {NARROW}") - seen(MODEL, "bleu average 1"),
            "BLEU",
            more_than(0.2),
        ),
        Finding(
            "outputs get shorter with the beam",
            world,
            "wide beams find short translations, which a sum of log-probabilities prefers",
            f"Without normalisation, outputs of a beam of {WIDE} are [shorter|longer] than those of {NARROW}",
            lambda seen: seen(MODEL, f"length sum {NARROW}") - seen(MODEL, f"length sum {WIDE}"),
            "% of the references",
            more_than(0.5),
        ),
    )
