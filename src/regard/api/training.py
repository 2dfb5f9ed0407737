"""Training runs: begin one, resume it, or estimate beforehand what it would take."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from regard.api.loading import chosen_device
from regard.config.load import (
    Settings,
    as_list,
    first_difference,
    load_recipe,
    to_yaml,
    with_settings,
)
from regard.config.recipe import Recipe
from regard.config.training import TrainingConfig
from regard.data.readers import parts_of
from regard.errors import ConfigError, StoreError
from regard.progress import say
from regard.store.atomic import MANIFEST, check_foreign, check_writable, write_file
from regard.store.checkpoint import Checkpoint, check_space, read_checkpoint, rewrite_pointers
from regard.store.convert.kinds import ENCODERS, foreign_kind, read_any_model
from regard.store.lock import locked
from regard.store.pointer import CHECKPOINTS, POINTER, DamagedPointerError, read_pointers
from regard.tasks.catalogue import TASKS
from regard.training.estimate import Estimate, estimate
from regard.training.log import LOG, RunLog, end_of_run, find_loggers
from regard.training.pretrained_encoder import open_start, with_encoder
from regard.training.state import RunProgress, RunSummary
from regard.training.trainer import QUARANTINE, Trainer
from regard.training.versions import versions
from regard.training.warm_start import WarmStart

_OF_NO_CONSEQUENCE = ("description", "delimiter")
"""Settings that may differ when a run is resumed: rows are compared, however their cells are separated."""
_BEFORE_THE_LOG = ("recipe.yaml", QUARANTINE)
"""What a run that was killed at its very beginning leaves."""


def train(
    recipe: str | Path | Recipe | None = None,
    *,
    out: str | Path,
    from_: str | Path | None = None,
    set_: Settings = (),
    device: str = "cpu",
    quiet: bool = False,
    loggers: Sequence[str] = (),
) -> RunSummary:
    """Train what a recipe says into a run folder; resume an unfinished run of the same recipe there.

    recipe:      the name of a shipped recipe, the path of a recipe file, or a `Recipe`; by default that of
                 `from_`
    from_:       a model to begin with: a new run, with its weights and its vocabulary
    set_:        settings to change, such as `{"model.dropout": 0.2}` or `["model.dropout=0.2"]`
    loggers:     who else gets the lines of the log: `tensorboard`, or a logger of your own
    """
    others = find_loggers([loggers] if isinstance(loggers, str) else loggers)
    run = Path(out)
    if recipe is None and (run / "recipe.yaml").is_file():
        recipe = run / "recipe.yaml"  # going on needs no more than the run itself
    chosen = choose_recipe(recipe, set_, from_=from_, run=run)
    check_data(chosen)
    if chosen.start is not None and run.resolve() == Path(chosen.start.model).resolve():
        raise ConfigError(
            f"{run}: is the model to start from, too; choose another folder for the new run, or leave out "
            f"--from to resume an unfinished run"
        )
    if (run / MANIFEST).exists():
        raise StoreError(f"{run}: holds a model already ({MANIFEST}); choose another folder")
    if not _is_run(run):
        check_foreign(run, _BEFORE_THE_LOG)
    check_writable(run)
    place = chosen_device(device)
    with locked(run):
        checkpoint = _unfinished(run, chosen, quiet=quiet)
        say("reading the corpora", quiet=quiet)
        begin = _warm_start(chosen, checkpoint)
        training = TASKS[chosen.task].trainer
        task = training(chosen, run, place, start=begin, resumes=checkpoint is not None, quiet=quiet)
        if begin is not None and checkpoint is None:
            say(begin.told(), quiet=quiet)
        say(task.describe_corpus(), quiet=quiet)
        check_space(run, task.checkpoint_bytes, _most_checkpoints(task, chosen.training))
        state = task.load_state(checkpoint) if checkpoint else None
        write_file(run / "recipe.yaml", to_yaml(chosen))
        if task.quarantine:
            write_file(run / QUARANTINE, task.quarantine)
            say(f"{run / QUARANTINE}: the bad rows, and why each is one", quiet=quiet)
        anew = state is None or not (run / LOG).exists()
        if state is not None and anew:
            say(f"{run / LOG}: is missing; the run resumes with a new one", quiet=quiet)
        known = RunProgress() if state is None or anew else state.progress
        log = RunLog(run, keep=known.log_bytes, sha256=known.log_sha256)
        try:
            log.loggers += [make(run, state.progress.step if state else 0) for make in others]
            if anew:
                facts = {"versions": versions(), "device": str(place)}
                log.write("start", recipe=chosen.model_dump(mode="json"), **facts)
            summary = task.fit(log, state=state, quiet=quiet)
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
    if difference := first_difference(there, recipe, ignoring=_OF_NO_CONSEQUENCE):
        raise StoreError(
            f"{run}: holds a run of another recipe ({difference}); "
            f"choose another folder, or give the same recipe to resume it"
        )


def _check_unchanged(run: Path, checkpoint: Checkpoint) -> None:
    """Refuse a recipe file that was changed after the run began; the checkpoint has its own copy."""
    path = run / "recipe.yaml"
    there, own = load_recipe(str(path)), checkpoint.model.recipe
    found = first_difference(there, own, names=("in it", "in the checkpoint"), ignoring=_OF_NO_CONSEQUENCE)
    if found:
        raise StoreError(
            f"{path}: was changed after the run began ({found}); change it back to resume, or choose another "
            f"folder for a new run"
        )


def _most_checkpoints(task: Trainer, config: TrainingConfig) -> int:
    """How many can be on the disk at once: what is kept, the last two, and one that is being written."""
    keep = config.kept
    most = keep.best + keep.last + 3
    if keep.every is not None:
        most += config.epochs * (len(task.plan(0)) // config.accumulate + 1) // keep.every
    return most


def _is_run(folder: Path) -> bool:
    return (folder / LOG).exists() or (folder / POINTER).exists()


def _unfinished(run: Path, recipe: Recipe, *, quiet: bool) -> Checkpoint | None:
    """The checkpoint to resume from; None where a run begins."""
    if not _is_run(run):
        return None
    if not (run / "recipe.yaml").is_file():
        raise StoreError(
            f"{run}: holds a run or a model already ({LOG}), without its recipe; choose another folder"
        )
    _mend_pointer(run, quiet=quiet)
    if end_of_run(run) is not None:
        _check_recipe(run, recipe)
        raise StoreError(f"{run}: the run in it is finished; choose another folder for a new one")
    checkpoint, problems = read_checkpoint(run)
    if problems and checkpoint is None:
        raise StoreError(
            f"{run}: none of its checkpoints is whole ({problems[0]}); move the folder away to begin again"
        )
    for problem in problems:
        say(f"{problem}; the checkpoint before it is used", quiet=quiet)
    if checkpoint is not None:
        _check_unchanged(run, checkpoint)
    _check_recipe(run, recipe)
    if checkpoint is None:
        say(f"{run}: the run in it was stopped before its first checkpoint, and begins again", quiet=quiet)
        return None
    say(f"{run}: resuming after step {checkpoint.progress['step']:,}", quiet=quiet)
    before, now = checkpoint.progress["versions"], versions()
    changed = [f"{name} {before.get(name)} → {now[name]}" for name in now if before.get(name) != now[name]]
    if changed:
        say(f"not the same bits as without the stop: {', '.join(changed)}", quiet=quiet)
    return checkpoint


def _mend_pointer(run: Path, *, quiet: bool) -> None:
    """Make a damaged or missing `run.json` anew: each checkpoint says what is needed for that."""
    try:
        read_pointers(run)
        if (run / POINTER).is_file() or not (run / CHECKPOINTS).is_dir():
            return
        wrong = f"{run / POINTER}: is missing"
    except DamagedPointerError:
        wrong = f"{run / POINTER}: is damaged"
    rewrite_pointers(run)
    say(f"{wrong}; it was made anew from the checkpoints", quiet=quiet)


def dry_run(
    recipe: str | Path | Recipe | None = None,
    *,
    from_: str | Path | None = None,
    set_: Settings = (),
    device: str = "cpu",
    quiet: bool = False,
) -> tuple[str, Estimate]:
    """Prepare what a recipe says, train a few steps, and estimate what the run takes. Nothing is written.

    returns: a line about the corpora, and the sizes, memory and time
    """
    chosen = choose_recipe(recipe, set_, from_=from_)
    check_data(chosen)
    training = TASKS[chosen.task].trainer
    task = training(chosen, Path(), chosen_device(device), start=_warm_start(chosen, None), quiet=quiet)
    if not any(parameter.requires_grad for parameter in task.model.parameters()):
        raise ConfigError(
            f"model.kind {chosen.model.kind} is not trained in steps; there is nothing to estimate"
        )
    say("measuring a few steps", quiet=quiet)
    return task.describe_corpus(), estimate(task, chosen.training)


def choose_recipe(
    recipe: str | Path | Recipe | None,
    set_: Settings = (),
    *,
    from_: str | Path | None = None,
    run: Path | None = None,
) -> Recipe:
    """The recipe that is meant: by name, file or value; by default that of the model to start from.

    One that starts from an encoder has its sizes.

    run: the folder of the run, which knows these sizes if it has begun
    """
    settings = as_list(set_)
    if from_ is not None:
        settings = [("start.model", str(from_)), *settings]
    if isinstance(recipe, Recipe):
        return with_encoder(with_settings(recipe, settings), _begun(run))
    if recipe is not None:
        return with_encoder(load_recipe(str(recipe), settings), _begun(run))
    if from_ is None:
        raise ConfigError("which recipe? name one, such as bahdanau, or a model to start from")
    if foreign_kind(Path(from_)) in ENCODERS:
        raise ConfigError(
            f"{from_}: which recipe? name one, such as bert-classifier, to begin with its encoder; to train "
            f"a model for a task further, import it first: regard import {from_} FOLDER"
        )
    recipe = read_any_model(Path(from_)).recipe
    own = recipe.model_copy(update={"start": None, "vectors": type(recipe.vectors)()})
    return with_settings(own, settings)


def check_data(recipe: Recipe) -> None:
    """Refuse a recipe without data to train on."""
    parts_of(recipe.data.train)
    parts_of(recipe.data.dev)


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
