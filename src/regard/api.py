"""What Python users call."""

import dataclasses
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Unpack, overload

import torch

from regard.config.catalogue import USUAL, TaskName
from regard.config.classification import ClassificationRecipe
from regard.config.decoding import DecodingChanges
from regard.config.load import (
    Setting,
    first_difference,
    load_recipe,
    recipe_from_dict,
    to_yaml,
    with_settings,
)
from regard.config.recipe import Recipe
from regard.config.training import TrainingConfig
from regard.errors import ConfigError, DataError, StoreError, did_you_mean
from regard.metrics.bootstrap import SAMPLES, SEED
from regard.progress import say
from regard.store.atomic import MANIFEST, check_writable, write_file
from regard.store.checkpoint import Checkpoint, check_space, read_checkpoint
from regard.store.convert.hub import fetch, is_name
from regard.store.convert.kinds import ENCODERS, foreign_kind
from regard.store.convert.moving import LAYOUTS, Layout, export_folder, import_folder
from regard.store.convert.opening import read_stored
from regard.store.lock import locked
from regard.store.pointer import POINTER
from regard.tasks.baseline_evaluation import (
    check_baseline,
    evaluate_baseline,
    fit_baseline,
    training_rows,
)
from regard.tasks.classification import Classifier
from regard.tasks.comparison import SHOWN, Comparison, compare_evaluations
from regard.tasks.constraints import Constraints
from regard.tasks.document import LineTranslation, TextOptions, TooLong
from regard.tasks.document import translate_lines as _translate_lines
from regard.tasks.embedding import Embeds
from regard.tasks.evaluation import Evaluation, check_metrics
from regard.tasks.filling import Filler
from regard.tasks.glossary import Glossary
from regard.tasks.gold import Gold
from regard.tasks.language import LanguageModel
from regard.tasks.masked_language_model import MaskedLanguageModel
from regard.tasks.measured_baseline import MeasuredBaseline
from regard.tasks.measuring import (
    Asked,
    Data,
    Measures,
    System,
    gold_of,
    measure,
    named_systems,
    recipe_with_test,
)
from regard.tasks.model import TaskModel
from regard.tasks.outputs import read_outputs
from regard.tasks.pooled import PooledClassifier
from regard.tasks.sentence_encoder import SentenceEncoder
from regard.tasks.tagging import Tagger
from regard.tasks.trained_encoder import TrainedEncoder
from regard.tasks.translation import Translator
from regard.training.catalogue import TASKS, measures_of
from regard.training.encoder_start import adopted, open_start
from regard.training.estimate import Estimate, estimate
from regard.training.log import LOG, RunLog, end_of_run
from regard.training.loop import RunSummary
from regard.training.result_record import model_record
from regard.training.task import QUARANTINE, TaskTraining
from regard.training.tensorboard import TensorBoard, check_tensorboard
from regard.training.versions import versions
from regard.training.warm_start import WarmStart

EMBED: dict[str, type[Embeds]] = {
    "classification": PooledClassifier,
    "masked-language-model": TrainedEncoder,
}
"""Models for other tasks whose texts have vectors, too."""


@overload
def load(
    path: str | Path, *others: str | Path, device: str = "cpu", task: Literal["translation"]
) -> Translator: ...
@overload
def load(
    path: str | Path, *others: str | Path, device: str = "cpu", task: Literal["classification"]
) -> Classifier: ...
@overload
def load(path: str | Path, *others: str | Path, device: str = "cpu", task: Literal["tagging"]) -> Tagger: ...
@overload
def load(
    path: str | Path, *others: str | Path, device: str = "cpu", task: Literal["masked-language-model"]
) -> MaskedLanguageModel: ...
@overload
def load(
    path: str | Path, *others: str | Path, device: str = "cpu", task: Literal["language-model"]
) -> LanguageModel: ...
@overload
def load(
    path: str | Path, *others: str | Path, device: str = "cpu", task: Literal["embedding"]
) -> Embeds: ...
@overload
def load(path: str | Path, *others: str | Path, device: str = "cpu", task: None = None) -> Any: ...
def load(
    path: str | Path,
    *others: str | Path,
    device: str = "cpu",
    task: TaskName | Literal["embedding"] | None = None,
) -> Any:
    """Open a model folder, the best checkpoint of a run folder, or a folder of another library.

    Several translators, with one vocabulary, translate together as an ensemble.

    task:    refuse a model that is for another task; with "embedding", classifiers and masked language
             models give their vectors
    returns: a `Translator`, `Classifier`, `Tagger`, `LanguageModel`, `MaskedLanguageModel`, or for
             embedding a `TrainedEmbedder` or (from elsewhere) a `SentenceEncoder`, as the model is for

    >>> regard.load("runs/demo")
    Translator(ko→en, seq2seq, ... parameters)
    """
    first = _load(path, device, task)
    if not others:
        return first
    if not isinstance(first, Translator):
        raise ConfigError(f"{path}: is a model for {first.task}; only translators work as an ensemble")
    members = [first, *(_load(each, device, "translation") for each in others)]
    return Translator.ensemble(members, [str(each) for each in (path, *others)])


def _load(path: str | Path, device: str, task: str | None) -> Any:
    place = _device(device)
    kind = foreign_kind(Path(path))
    if kind in ENCODERS:
        _check_task(path, "embedding", task)
        encoder = SentenceEncoder.open(path)
        encoder.module.to(place)
        return encoder
    stored = read_stored(Path(path))
    own = stored.recipe.task
    if task == "embedding" and own in EMBED:
        model: TaskModel = EMBED[own].opened(stored, str(path))
    else:
        _check_task(path, own, task)
        model = TASKS[own].model.opened(stored, str(path))
    model.module.to(place)
    model.summary = {**model.summary, "run": end_of_run(Path(path))}
    return model


def load_filler(path: str | Path, *, device: str = "cpu") -> Filler:
    """Open a masked language model: one that regard trained, or a folder that `transformers` wrote."""
    folder = Path(path)
    if foreign_kind(folder) is None:
        return load(path, device=device, task="masked-language-model")
    filler = Filler.imported(folder)
    filler.network.to(_device(device))
    return filler


def _check_task(path: str | Path, own: str, wanted: str | None) -> None:
    if wanted is not None and own != wanted:
        raise ConfigError(f"{path}: is a model for {own}, and one for {wanted} is needed here")


def import_model(model: str | Path, out: str | Path, *, revision: str | None = None) -> tuple[str, ...]:
    """Check a model of transformers, sentence-transformers or Marian, and copy it into a new folder.

    model:    its folder, or its name in the Hugging Face hub (extra `hub`)
    revision: of a name: the branch, tag or commit
    returns:  what a user should know of it
    """
    if is_name(str(model)):
        return import_folder(fetch(str(model), revision), Path(out))
    if revision is not None:
        raise ConfigError(f"{model}: a revision belongs to a name of the hub (owner/name), not to a folder")
    return import_folder(Path(model), Path(out))


def export_model(model: str | Path, out: str | Path, *, to: Layout = "transformers") -> tuple[str, ...]:
    """Write a model into a new folder, in the layout of another library.

    to:      "transformers", "sentence-transformers" or "marian"
    returns: what a user should know of it
    """
    if to not in LAYOUTS:
        raise ConfigError(f"to: unknown layout '{to}'; {did_you_mean(to, LAYOUTS)}")
    return export_folder(Path(model), Path(out), to)


def translate_lines(
    model: Translator | str | Path,
    lines: Iterable[str],
    *,
    split: bool = False,
    too_long: TooLong = "refuse",
    markup: bool = True,
    n_best: int = 1,
    attention: bool = False,
    constraints: Constraints | None = None,
    glossary: Glossary | None = None,
    **changes: Unpack[DecodingChanges],
) -> Iterator[LineTranslation]:
    """Translate the lines of a text, as many as there are, one result a line and in their order.

    split:    cut lines into sentences, and put their translations together again
    too_long: more tokens than the model takes: "refuse" them, or "split" at sentences, clauses, words
    markup:   keep tags such as <b>, and placeholders such as {name} or %s
    The rest is as for `Translator.translate`.

    >>> text = ["저는 <b>달을</b> 봤어요. 그는 책을 읽었어요.", ""]
    >>> for line in regard.translate_lines(model, text, split=True):
    ...     print(len(line.parts), "<b>" in line.text)
    2 True
    0 False
    """
    translator = model if isinstance(model, Translator) else load(model, task="translation")
    numbered = ((f"line {number}", line) for number, line in enumerate(lines, start=1))
    options = TextOptions(split, too_long, markup)
    return _translate_lines(
        translator, numbered, options, n_best=n_best, attention=attention,
        constraints=constraints, glossary=glossary, **changes,
    )  # fmt: skip


def train(
    recipe: str | Path | Recipe | None = None,
    *,
    out: str | Path,
    start: str | Path | None = None,
    settings: Sequence[Setting] = (),
    device: str = "cpu",
    quiet: bool = False,
    tensorboard: bool = False,
) -> RunSummary:
    """Train what a recipe says into a run folder; go on with an unfinished run of the same recipe there.

    recipe:   the name of a shipped recipe, the path of a recipe file, or a `Recipe`; by default `start`'s own
    start:    a model to begin with: a new run, with its weights and its vocabulary
    settings: what to change in it, such as `model.dropout=0.2`
    tensorboard: also write what the log says as TensorBoard's event files
    """
    if tensorboard:
        check_tensorboard()
    run = Path(out)
    if recipe is None and (run / "recipe.yaml").is_file():
        recipe = run / "recipe.yaml"  # going on needs no more than the run itself
    chosen = choose_recipe(recipe, settings, start=start, run=run)
    if chosen.start is not None and run.resolve() == Path(chosen.start.model).resolve():
        raise ConfigError(
            f"{run}: is the model to start from, too; choose another folder for the new run, or leave out "
            f"--from to go on with an unfinished run"
        )
    if (run / MANIFEST).exists():
        raise StoreError(f"{run}: holds a model already ({MANIFEST}); choose another folder")
    check_writable(run)
    place = _device(device)
    with locked(run):
        checkpoint = _unfinished(run, chosen, quiet=quiet)
        say("reading the corpora", quiet=quiet)
        begin = _warm_start(chosen, checkpoint)
        training = TASKS[chosen.task].training
        task = training(chosen, run, place, start=begin, goes_on=checkpoint is not None, quiet=quiet)
        if begin is not None and checkpoint is None:
            say(begin.told(), quiet=quiet)
        say(task.describe_corpus(), quiet=quiet)
        check_space(run, task.checkpoint_bytes, _most_checkpoints(task, chosen.training))
        kept = task.take(checkpoint) if checkpoint else None
        write_file(run / "recipe.yaml", to_yaml(chosen))
        if task.quarantine:
            write_file(run / QUARANTINE, task.quarantine)
            say(f"{run / QUARANTINE}: the bad rows, and why each is one", quiet=quiet)
        log = RunLog(run, keep=kept.progress.log_bytes if kept else 0)
        try:
            if tensorboard:
                log.listeners.append(TensorBoard(run, kept_step=kept.progress.step if kept else 0))
            if kept is None:
                facts = {"versions": versions(), "device": str(place)}
                log.write("start", recipe=chosen.model_dump(mode="json"), **facts)
            summary = task.learn(log, kept=kept, quiet=quiet)
            log.write("end", **dataclasses.asdict(summary))
        finally:
            log.close()
    return summary


def is_trained(run: str | Path, recipe: Recipe) -> bool:
    """True if the folder holds a run of this recipe that came to its end; one of another is refused."""
    if not (Path(run) / LOG).is_file():
        return False
    _check_recipe(Path(run), recipe)
    return end_of_run(Path(run)) is not None


def _check_recipe(run: Path, recipe: Recipe) -> None:
    """Refuse a folder that holds a run of another recipe."""
    there = load_recipe(str(run / "recipe.yaml"))
    if there != recipe:
        raise StoreError(
            f"{run}: holds a run of another recipe ({first_difference(there, recipe)}); "
            f"choose another folder, or give the same recipe to go on with it"
        )


def _most_checkpoints(task: TaskTraining, config: TrainingConfig) -> int:
    """How many can be on the disk at once: what is kept, the last two, and one that is being written."""
    keep = config.kept
    most = keep.best + keep.last + 3
    if keep.every is not None:
        most += config.epochs * (len(task.plan(0)) // config.accumulate + 1) // keep.every
    return most


def _is_run(folder: Path) -> bool:
    return (folder / LOG).exists() or (folder / POINTER).exists()


def _unfinished(run: Path, recipe: Recipe, *, quiet: bool) -> Checkpoint | None:
    """The checkpoint to go on from; None where a run begins."""
    if not _is_run(run):
        return None
    if not (run / "recipe.yaml").is_file():
        raise StoreError(
            f"{run}: holds a run or a model already ({LOG}), without its recipe; choose another folder"
        )
    _check_recipe(run, recipe)
    if end_of_run(run) is not None:
        raise StoreError(f"{run}: the run in it is finished; choose another folder for a new one")
    checkpoint, problems = read_checkpoint(run)
    if problems and checkpoint is None:
        raise StoreError(
            f"{run}: none of its checkpoints is whole ({problems[0]}); move the folder away to begin again"
        )
    for problem in problems:
        say(f"{problem}; the checkpoint before it is used", quiet=quiet)
    if checkpoint is None:
        say(f"{run}: the run in it was stopped before its first checkpoint, and begins again", quiet=quiet)
        return None
    say(f"{run}: going on after step {checkpoint.progress['step']:,}", quiet=quiet)
    before, now = checkpoint.progress["versions"], versions()
    changed = [f"{name} {before.get(name)} → {now[name]}" for name in now if before.get(name) != now[name]]
    if changed:
        say(f"not the same bits as without the stop: {', '.join(changed)}", quiet=quiet)
    return checkpoint


def dry_run(
    recipe: str | Path | Recipe | None = None,
    *,
    start: str | Path | None = None,
    settings: Sequence[Setting] = (),
    device: str = "cpu",
    quiet: bool = False,
) -> tuple[str, Estimate]:
    """Prepare what a recipe says, train a few steps, and tell what the run would take. Nothing is written.

    returns: a line about the corpora, and the sizes, memory and time
    """
    chosen = choose_recipe(recipe, settings, start=start)
    training = TASKS[chosen.task].training
    task = training(chosen, Path(), _device(device), start=_warm_start(chosen, None), quiet=quiet)
    if not any(parameter.requires_grad for parameter in task.model.parameters()):
        raise ConfigError(
            f"model.kind {chosen.model.kind} is not trained in steps; there is nothing to estimate"
        )
    say("measuring a few steps", quiet=quiet)
    return task.describe_corpus(), estimate(task, chosen.training)


def open_system(system: System, *, device: str = "cpu") -> TaskModel | Path:
    """A model that is ready, or the path of a file of outputs."""
    if isinstance(system, TaskModel):
        return _measurable(system, repr(system))
    path = Path(system)
    if not path.exists():
        raise StoreError(f"{path}: there is no such model folder, nor such a file of outputs")
    if not path.is_dir():
        return path
    return _measurable(load(path, device=device), str(path))


def _measurable(model: TaskModel, where: str) -> TaskModel:
    if model.task not in TASKS:
        raise ConfigError(f"{where}: is a model for {model.task}; models for {', '.join(TASKS)} are measured")
    return model


def evaluate(
    model: System,
    data: Data | None = None,
    *,
    by: Sequence[str] = (),
    references: Sequence[str] = (),
    source: str = "",
    target: str = "",
    text: str = "",
    second: str = "",
    label: str = "",
    answer: str = "",
    metrics: Sequence[str] | None = None,
    samples: int = SAMPLES,
    seed: int = SEED,
    beam_size: int | None = None,
    task: TaskName | None = None,
    device: str = "cpu",
    quiet: bool = False,
) -> Evaluation:
    """Measure a model, or a file of outputs, on a corpus.

    model:          a model, its folder, or a file with one output a line or one JSON object a line
    data:           `builtin:ko-en:test`, a file, `-` for a table on stdin, or whatever else a recipe may
                    name; by default the test corpus of the recipe
    by:             columns of the corpus; the scores are also given for each of their values
    references:     of translation: the columns of the references, where there are several
    source, target: of translation: the columns of the two languages, by default as in the recipe (ko and en
                    without a model)
    text, label:    of classification and tagging, and text of a language model: the columns, by default as
                    in the recipe
    second:         of classification: the column of the second text of a pair, by default as in the recipe
    answer:         of classification: what files of outputs say, label (the default), labels or number
    metrics:        some of the task's, by default all: bleu, chrf, ter; accuracy, macro_f1, ece; …
    samples:        resampled test sets for the confidence intervals; 0 = no intervals
    seed:           decides what is drawn for them
    beam_size:      of translation: the width of the search
    task:           what a file of outputs is of, by default translation; a model knows
    """
    system = open_system(model, device=device)
    asked = Asked(source, target, references, text, label, beam_size, second, answer)
    gold, measures = _gold({str(model): system}, data, asked, metrics, by=by, task=task, quiet=quiet)
    chosen = measures.metrics if metrics is None else metrics
    return measure(system, gold, measures, asked, chosen, samples=samples, seed=seed, quiet=quiet)


def _gold(
    systems: Mapping[str, TaskModel | Path],
    data: Data | None,
    asked: Asked,
    metrics: Sequence[str] | None,
    *,
    by: Sequence[str],
    task: TaskName | None,
    quiet: bool,
) -> tuple[Gold, Measures]:
    """The test set for systems of one task, and how that is measured."""
    recipe = _measured_recipe(systems, data, task)
    recipe = recipe_with_test(recipe, data, asked, measures_of(recipe))
    measures: Measures = measures_of(recipe)
    if metrics is not None:
        check_metrics(metrics, measures.metrics)
    found = gold_of(recipe, data, read=measures.read, by=by, references=asked.references, quiet=quiet)
    return found, measures


def _measured_recipe(
    systems: Mapping[str, TaskModel | Path], data: Data | None, task: TaskName | None
) -> Recipe:
    """The recipe of the first model; outputs alone have that of their task, with its usual columns."""
    models = {name: system for name, system in systems.items() if isinstance(system, TaskModel)}
    if not models:
        if data is None:
            raise ConfigError("outputs alone do not say which test set they are of; name it")
        return recipe_from_dict({"task": task or USUAL}, "recipe")
    first, chosen = next(iter(models.items()))
    for name, model in models.items():
        if task is not None and model.task != task:
            raise ConfigError(f"{name} is a model for {model.task}, not for {task} (--task)")
        if model.task != chosen.task:
            raise ConfigError(
                f"{name} is a model for {model.task}, and {first} is one for {chosen.task}; "
                f"compare models of one task"
            )
    return chosen.recipe


def compare(
    systems: Sequence[System] | Mapping[str, System],
    data: Data | None = None,
    *,
    by: Sequence[str] = (),
    references: Sequence[str] = (),
    source: str = "",
    target: str = "",
    text: str = "",
    second: str = "",
    label: str = "",
    answer: str = "",
    metrics: Sequence[str] | None = None,
    samples: int = SAMPLES,
    seed: int = SEED,
    beam_size: int | None = None,
    show: int = SHOWN,
    task: TaskName | None = None,
    device: str = "cpu",
    quiet: bool = False,
) -> Comparison:
    """Measure systems of one task on one corpus, and how sure their differences from the first are.

    systems: models, their folders and files of outputs; a mapping gives them names
    data:    as in `evaluate`; by default the test corpus of the first model
    show:    how many of the sentences in which they differ most to keep
    The rest is as for `evaluate`.
    """
    named = dict(systems) if isinstance(systems, Mapping) else named_systems(systems)
    if len(named) < 2:
        raise DataError(
            f"a comparison needs two systems or more, found {len(named)}; regard evaluate takes one"
        )
    if samples < 1:
        raise DataError(f"a comparison needs 1 resampled test set or more, found {samples}")
    opened = {name: open_system(system, device=device) for name, system in named.items()}
    asked = Asked(source, target, references, text, label, beam_size, second, answer)
    models = {name: system for name, system in opened.items() if isinstance(system, TaskModel)}
    known: str = task or next((model.task for model in models.values()), USUAL)
    alike = {name: model for name, model in models.items() if model.task == known}
    for model in list(alike.values())[:1]:
        measures_of(model.recipe).check_alike(alike)
    gold, measures = _gold(opened, data, asked, metrics, by=by, task=task, quiet=quiet)
    ready = {
        name: system if isinstance(system, TaskModel) else read_outputs(system, gold)
        for name, system in opened.items()
    }
    chosen = measures.metrics if metrics is None else metrics
    evaluations: dict[str, Evaluation] = {}
    for name, system in ready.items():
        say(f"{name} ({len(evaluations) + 1} of {len(ready)})", quiet=quiet)
        evaluations[name] = measure(
            system, gold, measures, asked, chosen, samples=samples, seed=seed, quiet=quiet
        )
    return compare_evaluations(evaluations, show=show)


def baseline(
    recipe: str | Path | Recipe,
    *,
    settings: Sequence[Setting] = (),
    by: Sequence[str] = (),
    metrics: Sequence[str] | None = None,
    samples: int = SAMPLES,
    seed: int = SEED,
    quiet: bool = False,
) -> Evaluation:
    """Fit a linear model to the training rows of a recipe for classification; measure it on its test rows.

    TF-IDF of n-grams of words and of characters, and logistic regression (extra `baselines`). The scores are
    those that `evaluate` has. The rest is as for `evaluate`.
    """
    return measured_baseline(
        recipe, settings=settings, by=by, metrics=metrics, samples=samples, seed=seed, quiet=quiet
    ).result


def measured_baseline(
    recipe: str | Path | Recipe,
    *,
    settings: Sequence[Setting] = (),
    by: Sequence[str] = (),
    metrics: Sequence[str] | None = None,
    samples: int = SAMPLES,
    seed: int = SEED,
    quiet: bool = False,
) -> MeasuredBaseline:
    """As `baseline`, with the fitted model itself and what it took."""
    chosen = choose_recipe(recipe, settings)
    if not isinstance(chosen, ClassificationRecipe):
        raise ConfigError(f"a linear baseline is for classification, and the recipe is for {chosen.task}")
    check_baseline(chosen)
    measures = measures_of(chosen)
    wanted = measures.metrics if metrics is None else metrics
    check_metrics(wanted, measures.metrics)
    gold = gold_of(chosen, None, read=measures.read, by=by, references=(), quiet=quiet)
    rows = training_rows(chosen, quiet=quiet)
    begun = time.monotonic()
    fitted = fit_baseline(rows, quiet=quiet)
    seconds = time.monotonic() - begun
    result = evaluate_baseline(fitted, gold, metrics=wanted, samples=samples, seed=seed)
    return MeasuredBaseline(chosen, fitted, len(rows), seconds, result)


def result_record(
    model: TaskModel,
    result: Evaluation,
    data: Data | None = None,
    *,
    references: Sequence[str] = (),
    source: str = "",
    target: str = "",
    text: str = "",
    second: str = "",
    label: str = "",
    training: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A result as it is kept in a file: the scores, and everything that they depend on.

    training: what `training_facts` knows of the run
    """
    asked = Asked(source, target, references, text, label, second=second)
    recipe = recipe_with_test(model.recipe, data, asked, measures_of(model.recipe))
    return model_record(model, result, recipe, training or {})


def choose_recipe(
    recipe: str | Path | Recipe | None,
    settings: Sequence[Setting] = (),
    *,
    start: str | Path | None = None,
    run: Path | None = None,
) -> Recipe:
    """The recipe that is meant: by name, file or value; by default that of the model to start from.

    One that starts from an encoder has its sizes.

    run: the folder of the run, which knows these sizes if it has begun
    """
    if start is not None:
        settings = [("start.model", str(start)), *settings]
    if isinstance(recipe, Recipe):
        return adopted(with_settings(recipe, settings), _begun(run))
    if recipe is not None:
        return adopted(load_recipe(str(recipe), settings), _begun(run))
    if start is None:
        raise ConfigError("which recipe? name one, such as bahdanau, or a model to start from")
    recipe = read_stored(Path(start)).recipe
    own = recipe.model_copy(update={"start": None, "vectors": type(recipe.vectors)()})
    return with_settings(own, settings)


def _begun(run: Path | None) -> Recipe | None:
    """The recipe of the run in a folder, if there is one."""
    if run is None or not _is_run(run) or not (run / "recipe.yaml").is_file():
        return None
    return load_recipe(str(run / "recipe.yaml"))


def _warm_start(recipe: Recipe, checkpoint: Checkpoint | None) -> WarmStart | None:
    """What a run begins with; one that goes on needs no more than its checkpoint."""
    if recipe.start is None:
        return None
    if checkpoint is not None:
        return WarmStart(checkpoint.model, "the checkpoint", extends=False)
    start = open_start(recipe, recipe.start)
    start.check(recipe)
    return start


def _device(name: str) -> torch.device:
    try:
        device = torch.device(name)
        if device.type not in ("cpu", "cuda"):
            raise RuntimeError("expected cpu or cuda")
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0]
        raise ConfigError(f"device '{name}' cannot be used here: {reason}; use cpu") from None
    return device
