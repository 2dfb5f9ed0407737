"""Attention and alignment: of heads, of models that were told where to look, and of IBM model 1."""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from regard import api
from regard.config.data import BuiltinCorpus
from regard.config.load import Setting, load_recipe, with_settings
from regard.config.translation import TranslationRecipe
from regard.data.pairs import Pair, read_pairs
from regard.evaluation.evaluator import load_test_set
from regard.experiments.estimates import Seen, about_equal, more_than, quantities
from regard.experiments.experiment import Chart, Dots, Experiment, Finding, Measured, Part, World
from regard.experiments.head_choices import BEST, CHOSEN, MEAN, NEXT, choice_errors, head_choices
from regard.experiments.parts import RUN, overrides
from regard.experiments.statistical_alignment import StatisticalAligner, aligner_errors, write_links
from regard.metrics.statistics import Floats, Statistics
from regard.tasks.translation.evaluator import TranslationEvaluator
from regard.tasks.translation.predictor import Translator
from regard.training.log import end_of_run

BUILTIN, FRENCH = "built-in", "en-fr"
RECURRENT, RECURRENT_GUIDED = "recurrent", "recurrent-guided"
TRANSFORMER, TRANSFORMER_GUIDED = "transformer", "transformer-guided"
IBM = "ibm-1"
GUIDED = (RECURRENT_GUIDED, TRANSFORMER_GUIDED)
TITLES = {
    RECURRENT: "recurrent",
    RECURRENT_GUIDED: "recurrent, guided",
    TRANSFORMER: "Transformer",
    TRANSFORMER_GUIDED: "Transformer, guided",
    IBM: "IBM model 1",
}
CHOSEN_ON = {"kind": "builtin", "split": "dev", "rows": 200, "max_words": 8}
_GOLD = {
    "kind": "tsv",
    "path": "$REGARD_DATA/alignments/en-fr.tsv.gz",
    "names": {"en": "source", "fr": "target"},
}
"""Sentences of the Canadian parliament, aligned by people."""
_CAPTIONS = {"kind": "tsv", "path": "$REGARD_DATA/multi30k/train.tsv.gz"}
_WEIGHTS = (10, 1)
"""Shares of an epoch: captions, and the few sentences that are aligned, without their alignments."""


def _mixed(parts: Sequence[Mapping[str, Any] | Path]) -> dict[str, Any]:
    """The two corpora with their shares; of a path, the table there."""
    corpora = [{"kind": "tsv", "path": str(part)} if isinstance(part, Path) else part for part in parts]
    both = [{"corpus": one, "weight": share} for one, share in zip(corpora, _WEIGHTS, strict=True)]
    return {"kind": "mix", "by": "weight", "parts": both}


_COMMON: list[Setting] = overrides(
    "training.best_by=loss training.average=null training.schedule.kind=cosine"
)
_SETTINGS: dict[str, list[Setting]] = {
    BUILTIN: [
        ("data.train", {"kind": "builtin", "rows": 12000, "max_words": 8}),
        ("data.dev", {"kind": "builtin", "rows": 200, "max_words": 8}),
        ("data.test", {"kind": "builtin", "rows": 600, "max_words": 8}),
        *overrides(
            "text.vocabulary_size=2000 training.epochs=3 training.batch_tokens=512 "
            "training.schedule.warmup_steps=100"
        ),
    ],
    FRENCH: [
        ("data.source", "en"),
        ("data.target", "fr"),
        ("data.train", _mixed([_CAPTIONS, _GOLD])),
        ("data.dev", {"kind": "tsv", "path": "$REGARD_DATA/multi30k/dev.tsv.gz"}),
        ("data.test", {**_GOLD, "part": [0.3, 1.0]}),
        *overrides(
            "text.vocabulary_size=6000 training.epochs=4 training.batch_tokens=1024 "
            "training.schedule.warmup_steps=300"
        ),
    ],
}  # fmt: skip
_MODELS: dict[str, tuple[str, list[Setting]]] = {
    RECURRENT: (
        "bahdanau",
        overrides(
            "model.embedding_size=128 model.encoder.hidden_size=128 model.decoder.hidden_size=192 "
            "model.attention.hidden_size=128 model.dropout=0.1 training.optimizer.learning_rate=0.004"
        ),
    ),
    TRANSFORMER: (
        "transformer-small",
        overrides(
            "model.width=128 model.feed_forward=512 model.dropout=0.1 model.decoder_layers=3 "
            "model.encoder_layers=3 training.optimizer.learning_rate=0.002"
        ),
    ),
}
_GUIDED: list[Setting] = [("training.guided_alignment", {"weight": 0.2})]
_MORE_EPOCHS = {(BUILTIN, TRANSFORMER): 6, (FRENCH, TRANSFORMER): 6}
"""A Transformer takes less time for an epoch, and needs more of them."""
_QUICK: list[Setting] = overrides(
    "data.train.rows=5000 data.train.max_words=5 data.dev.max_words=5 data.dev.rows=100 "
    "data.test.max_words=5 data.test.rows=300 text.vocabulary_size=1200 training.batch_tokens=384"
)


def alignment(changes: Sequence[Setting] = ()) -> Experiment:
    """The experiment; `changes` are made in the recipes."""

    def part(world: World, system: str, seed: int, quick: bool) -> Part:
        if system == IBM:
            return _statistical_part(_recipe(world.name, RECURRENT, 1, quick, changes), world.name)
        recipe = _recipe(world.name, system, seed, quick, changes)
        return _attention_part(recipe, world.name, system, minutes=_minutes(world.name, quick))

    def charts(world: World) -> tuple[Chart, ...]:
        dots = (
            Dots("AER of the best head", "best", less_is_better=True),
            Dots("AER of the chosen heads", "chosen", less_is_better=True),
            Dots("AER of the mean of all heads", "mean", less_is_better=True),
        )
        return (
            dots
            if world.name == FRENCH
            else (*dots, Dots("AER, read a step later", "next", less_is_better=True))
        )

    return Experiment(
        name="alignment",
        paper="Koehn and Knowles 2017, Six Challenges for NMT; Garg et al. 2019, Jointly Learning to Align "
        "and Translate with Transformer Models",
        worlds=(
            World(BUILTIN, "built-in world, Korean to English, with gold alignments", TITLES),
            World(
                FRENCH,
                "English to French, Hansards with gold alignments",
                {name: TITLES[name] for name in (RECURRENT, TRANSFORMER, TRANSFORMER_GUIDED, IBM)},
                corpus="alignments",
                also=("multi30k",),
                most_seeds=1,
                in_quick=False,
            ),
        ),
        part=part,
        findings=_findings(),
        charts=charts,
        shown=("best", "chosen", "mean", "next", "bleu"),
        note=(
            "Heads are chosen on rows that they are not measured on; `best` is one alone, `chosen` the mean "
            "of as many as help. In the built-in world guided models learn the gold alignments of the "
            "training rows; in French, those of IBM model 1. `next` reads the mean attention when the token "
            "after is predicted."
        ),
    )  # fmt: skip


def _minutes(world: str, quick: bool) -> float:
    return 0.4 if quick else 1.5 if world == BUILTIN else 6.0


def _recipe(world: str, system: str, seed: int, quick: bool, changes: Sequence[Setting]) -> TranslationRecipe:
    base = system.removesuffix("-guided")
    name, sizes = _MODELS[base]
    more: list[Setting] = [("training.seed", seed)]
    if (epochs := _MORE_EPOCHS.get((world, base))) is not None:
        more.append(("training.epochs", epochs))
    settings = [*_COMMON, *_SETTINGS[world], *sizes, *(_QUICK if quick else ()), *more]
    if system in GUIDED:
        settings += _GUIDED
    return load_recipe(name, [*settings, *changes], kind=TranslationRecipe)


def _attention_part(recipe: TranslationRecipe, world: str, system: str, *, minutes: float) -> Part:
    """Train, choose a head on some rows, and measure it on the test set."""

    def work(folder: Path, quiet: bool) -> Measured:
        run, begun = folder / RUN, time.monotonic()
        own = recipe
        if world == FRENCH and system in GUIDED:
            own = with_settings(recipe, [("data.train", _mixed(write_links(recipe.data, folder)))])
        if not api.is_trained(run, own):
            api.train(own, out=run, quiet=quiet)
        end = end_of_run(run) or {}
        begun = time.monotonic()
        model: Translator = api.load(run)
        found, chosen = _measured(model, recipe, world, quiet=quiet)
        about = {
            "parameters": sum(parameter.numel() for parameter in model.module.parameters()),
            "epochs": end["epochs"],
            **chosen,
        }
        return Measured(quantities(found), about, end["seconds"] + time.monotonic() - begun)

    facts = {"recipe": recipe.model_dump(mode="json"), "system": system}
    return Part(work, facts, minutes, recipe)


def _measured(
    model: Translator, recipe: TranslationRecipe, world: str, *, quiet: bool
) -> tuple[dict[str, Statistics], dict[str, str]]:
    """The error rate of each choice of heads, with BLEU; and which heads were chosen."""
    test = load_test_set(recipe, None, read=read_pairs, by=(), references=(), quiet=quiet)
    choices = head_choices(model, _chosen_on(recipe, world))
    found = choice_errors(model, test.pairs, choices)
    if world == BUILTIN:
        result = TranslationEvaluator().evaluate(
            model, test, beam_size=1, metrics=("bleu",), samples=0, quiet=quiet
        )
        found |= result.statistics
    return found, {"best head": str(choices[BEST]), "chosen heads": str(choices[CHOSEN])}


def _chosen_on(recipe: TranslationRecipe, world: str) -> list[Pair]:
    """The aligned rows on which a head is chosen: of the dev set, or those that are not tested."""
    section = CHOSEN_ON if world == BUILTIN else {**_GOLD, "part": [0.0, 0.3]}
    if isinstance(recipe.data.test, BuiltinCorpus):  # as long as what is tested
        section = {**CHOSEN_ON, "max_words": recipe.data.test.max_words}
    chosen = with_settings(recipe, [("data.dev", section)]).data
    return list(read_pairs(chosen.dev, chosen, split="dev"))


def _statistical_part(recipe: TranslationRecipe, world: str) -> Part:
    """IBM model 1, learned on the texts of all sets; its direction is chosen where heads are."""

    def work(folder: Path, quiet: bool) -> Measured:
        del folder, quiet
        begun = time.monotonic()
        data = recipe.data
        assert data.test is not None
        tested, chosen = list(read_pairs(data.test, data, split="test")), _chosen_on(recipe, world)
        texts = [*read_pairs(data.train, data, split="train"), *chosen, *tested]
        aligner = StatisticalAligner(texts)
        errors = aligner_errors(aligner, chosen)
        direction = min(errors, key=lambda name: errors[name].value())
        error = aligner_errors(aligner, tested)[direction]
        measured = quantities(dict.fromkeys((BEST, CHOSEN, MEAN, NEXT), error))
        about = {"parameters": len(aligner), "pairs": len(texts), "links of": direction}
        return Measured(measured, about, time.monotonic() - begun)

    section = recipe.model_dump(mode="json")["data"]
    return Part(work, {"data": section, "system": IBM}, 0.5, None)


def _findings() -> tuple[Finding, ...]:
    def less(system: str, measure: str, other: str, than: str) -> Callable[[Seen], Floats]:
        """How much lower the error rate of the second is."""
        return lambda seen: seen(system, measure) - seen(other, than)

    guided = "guided by alignments, a head aligns better than any that was not"
    diverges = "the alignment of the attention diverges from that of a statistical aligner"
    common: Mapping[str, str] = {BUILTIN: "", FRENCH: " in French"}
    both = []
    for world, where in common.items():
        both += [
            Finding(
                f"guidance makes a head align{where}",
                world,
                guided,
                f"The guided head of a Transformer aligns [better|worse] than its best head without "
                f"guidance{where}",
                less(TRANSFORMER, "best", TRANSFORMER_GUIDED, "best"),
                "AER",
                more_than(0.01),
                decimals=3,
            ),
            Finding(
                f"one head aligns better than all{where}",
                world,
                "the heads of the last layer but one align better than the average of all layers",
                f"The best head of a Transformer aligns [better|worse] than the mean of all{where}",
                less(TRANSFORMER, "mean", TRANSFORMER, "best"),
                "AER",
                more_than(0.01),
                decimals=3,
            ),
            Finding(
                f"attention is no statistical aligner{where}",
                world,
                diverges,
                f"The attention of a recurrent model aligns [worse|better] than IBM model 1{where}",
                less(RECURRENT, "mean", IBM, "best"),
                "AER",
                more_than(0.01),
                decimals=3,
            ),
            Finding(
                f"attention may be off by one{where}",
                world,
                "in one language pair the attention is off by one word",
                f"Read a step later, the attention of a recurrent model aligns [better|worse]{where}",
                less(RECURRENT, "mean", RECURRENT, "next"),
                "AER",
                more_than(0.01),
                decimals=3,
            ),
        ]
    return (
        *both[:4],
        Finding(
            "guidance costs no translation quality",
            BUILTIN,
            "aligning better does not degrade translation",
            "A guided Transformer translates [as well as|otherwise than] one without guidance",
            lambda seen: seen(TRANSFORMER_GUIDED, "bleu") - seen(TRANSFORMER, "bleu"),
            "BLEU",
            about_equal(1.0),
        ),
        Finding(
            "guidance helps a recurrent model",
            BUILTIN,
            "guided alignment improves the attention (Chen et al. 2016)",
            "The guided attention of a recurrent model aligns [better|worse]",
            less(RECURRENT, "best", RECURRENT_GUIDED, "best"),
            "AER",
            more_than(0.01),
            decimals=3,
        ),
        *both[4:],
        Finding(
            "a guided head comes near its teacher in French",
            FRENCH,
            "trained on statistical alignments, the head is as good as they are, or better",
            "The guided head [aligns about as well as|differs from] IBM model 1, which it learned from",
            less(TRANSFORMER_GUIDED, "best", IBM, "best"),
            "AER",
            about_equal(0.05),
            decimals=3,
        ),
    )
