"""What Python users call."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from regard.config.load import Setting, load_recipe, to_yaml, with_settings
from regard.config.recipe import Recipe
from regard.data.pairs import read_pairs
from regard.errors import ConfigError, DataError, StoreError
from regard.models.catalogue import build_model
from regard.progress import say
from regard.store.atomic import MANIFEST, check_writable, write_file
from regard.store.folder import POINTER, put_weights, read_model
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


def train(
    recipe: str | Path | Recipe,
    *,
    out: str | Path,
    settings: Sequence[Setting] = (),
    device: str = "cpu",
    quiet: bool = False,
) -> RunSummary:
    """Train what a recipe says into a new run folder.

    recipe:   the name of a shipped recipe, the path of a recipe file, or a `Recipe`
    settings: what to change in it, such as `model.dropout=0.2`
    """
    chosen = _recipe(recipe, settings)
    run = Path(out)
    for taken in (LOG, POINTER, MANIFEST):
        if (run / taken).exists():
            raise StoreError(
                f"{run}: holds a run or a model already ({taken}); choose another folder, or delete this one"
            )
    check_writable(run)
    place = _device(device)
    say("reading the corpora", quiet=quiet)
    task = TranslationTraining(chosen, run, place, quiet=quiet)
    say(task.describe_corpus(), quiet=quiet)
    if task.quarantine:
        write_file(run / QUARANTINE, task.quarantine)
    write_file(run / "recipe.yaml", to_yaml(chosen))
    log = RunLog(run)
    try:
        log.write("start", recipe=chosen.model_dump(mode="json"), versions=versions(), device=str(place))
        summary = fit(task, chosen.training, log, quiet=quiet)
        log.write("end", **dataclasses.asdict(summary))
    finally:
        log.close()
    return summary


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
