"""What Python users call."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from regard.config.load import Setting, first_difference, load_recipe, to_yaml, with_settings
from regard.config.recipe import Recipe
from regard.data.pairs import read_pairs
from regard.errors import ConfigError, DataError, StoreError
from regard.models.catalogue import build_model
from regard.progress import say
from regard.store.atomic import MANIFEST, check_writable, write_file
from regard.store.checkpoint import Checkpoint, check_space, read_checkpoint
from regard.store.folder import put_weights, read_model
from regard.store.lock import locked
from regard.store.pointer import POINTER
from regard.tasks.evaluation import Evaluation, evaluate_translations
from regard.tasks.translation import Translator
from regard.text.tokenizer import Tokenizer
from regard.training.estimate import Estimate, estimate
from regard.training.log import LOG, RunLog, end_of_run, versions
from regard.training.loop import RunSummary, fit
from regard.training.translation import QUARANTINE, TranslationTraining


def load(path: str | Path, *, device: str = "cpu") -> Translator:
    """Open a model folder, or the best checkpoint of a run folder."""
    stored = read_model(Path(path))
    where = str(path)
    sides = stored.tokenizers
    if "joint" in sides:
        source = target = Tokenizer.from_json(sides["joint"], where)
    elif {"source", "target"} <= sides.keys():
        source = Tokenizer.from_json(sides["source"], where)
        target = Tokenizer.from_json(sides["target"], where)
    else:
        raise StoreError(f"{where}: the tokenizer is missing")
    model = build_model(stored.recipe.model, source_size=len(source), target_size=len(target))
    put_weights(model, stored.weights, where)
    return Translator(
        model.to(_device(device)),
        source_tokenizer=source,
        target_tokenizer=target,
        recipe=stored.recipe,
        summary={**stored.summary, "run": end_of_run(Path(path))},
    )


def load_ensemble(paths: Sequence[str | Path], *, device: str = "cpu") -> Translator:
    """Open several models with one vocabulary as one translator: the mean of their probabilities."""
    if not paths:
        raise ConfigError("an ensemble needs at least one model, found none")
    members = [load(path, device=device) for path in paths]
    return members[0] if len(members) == 1 else Translator.ensemble(members, [str(path) for path in paths])


def train(
    recipe: str | Path | Recipe,
    *,
    out: str | Path,
    settings: Sequence[Setting] = (),
    device: str = "cpu",
    quiet: bool = False,
) -> RunSummary:
    """Train what a recipe says into a run folder; go on with an unfinished run of the same recipe there.

    recipe:   the name of a shipped recipe, the path of a recipe file, or a `Recipe`
    settings: what to change in it, such as `model.dropout=0.2`
    """
    chosen = _recipe(recipe, settings)
    run = Path(out)
    if (run / MANIFEST).exists():
        raise StoreError(f"{run}: holds a model already ({MANIFEST}); choose another folder")
    check_writable(run)
    place = _device(device)
    with locked(run):
        checkpoint = _unfinished(run, chosen, quiet=quiet)
        say("reading the corpora", quiet=quiet)
        task = TranslationTraining(chosen, run, place, quiet=quiet)
        say(task.describe_corpus(), quiet=quiet)
        check_space(run, task.checkpoint_bytes)
        kept = task.take(checkpoint) if checkpoint else None
        write_file(run / "recipe.yaml", to_yaml(chosen))
        if task.quarantine:
            write_file(run / QUARANTINE, task.quarantine)
            say(f"{run / QUARANTINE}: the bad rows, and why each is one", quiet=quiet)
        log = RunLog(run, keep=kept.progress.log_bytes if kept else 0)
        try:
            if kept is None:
                facts = {"versions": versions(), "device": str(place)}
                log.write("start", recipe=chosen.model_dump(mode="json"), **facts)
            summary = fit(task, chosen.training, log, kept=kept, quiet=quiet)
            log.write("end", **dataclasses.asdict(summary))
        finally:
            log.close()
    return summary


def _unfinished(run: Path, recipe: Recipe, *, quiet: bool) -> Checkpoint | None:
    """The checkpoint to go on from; None where a run begins."""
    if not (run / LOG).exists() and not (run / POINTER).exists():
        return None
    if not (run / "recipe.yaml").is_file():
        raise StoreError(
            f"{run}: holds a run or a model already ({LOG}), without its recipe; choose another folder"
        )
    there = load_recipe(str(run / "recipe.yaml"))
    if there != recipe:
        raise StoreError(
            f"{run}: holds a run of another recipe ({first_difference(there, recipe)}); "
            f"choose another folder, or give the same recipe to go on with it"
        )
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
    recipe: str | Path | Recipe,
    *,
    settings: Sequence[Setting] = (),
    device: str = "cpu",
    quiet: bool = False,
) -> tuple[str, Estimate]:
    """Prepare what a recipe says, train a few steps, and tell what the run would take. Nothing is written.

    returns: a line about the corpora, and the sizes, memory and time
    """
    chosen = _recipe(recipe, settings)
    task = TranslationTraining(chosen, Path(), _device(device), quiet=quiet)
    say("measuring a few steps", quiet=quiet)
    return task.describe_corpus(), estimate(task, chosen.training)


def evaluate(
    model: Translator | str | Path, data: str | None = None, *, beam_size: int | None = None
) -> Evaluation:
    """Measure a model on a corpus.

    data: `builtin:ko-en:test`, or a table whose columns are named as in the recipe; by default the test
          corpus of the recipe
    """
    translator = model if isinstance(model, Translator) else load(model)
    recipe = translator.recipe if data is None else with_settings(translator.recipe, [("data.test", data)])
    config = recipe.data
    if config.test is None:
        raise ConfigError("the recipe of this model names no data.test; say what to measure on")
    rows = list(read_pairs(config.test, config, split="test"))
    if not rows:
        raise DataError(f"{data or 'data.test'}: the corpus has no rows")
    return evaluate_translations(translator, rows, beam_size=beam_size)


def result_record(translator: Translator, result: Evaluation, data: str | None) -> dict[str, Any]:
    """A result as it is kept in a file: the scores, and everything that they depend on."""
    recipe = translator.recipe if data is None else with_settings(translator.recipe, [("data.test", data)])
    return {
        **result.to_dict(),
        "seed": recipe.training.seed,
        "training": translator.summary,
        "versions": versions(),
        "recipe": recipe.model_dump(mode="json"),
    }


def _recipe(recipe: str | Path | Recipe, settings: Sequence[Setting]) -> Recipe:
    if isinstance(recipe, Recipe):
        return with_settings(recipe, settings)
    return load_recipe(str(recipe), settings)


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
