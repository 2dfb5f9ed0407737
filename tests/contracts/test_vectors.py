"""Every model begins with the word vectors of its recipe: its first tensors have them, and nothing else."""

from pathlib import Path

import pytest
import torch
from tests.contracts.models import MODELS
from tests.training.tiny import TINY

from regard.config.load import load_recipe
from regard.tasks.translation.trainer import TranslationTrainer

VECTORS = "vectors={source: {kind: word2vec, epochs: 1}, target: {kind: word2vec, epochs: 1}}"


@pytest.mark.parametrize("name", MODELS)
def test_the_first_rows_and_nothing_else(name: str) -> None:
    config = MODELS[name]
    joint = str(config.needs_one_vocabulary is not None).lower()
    recipes = [load_recipe("demo", [*TINY, f"text.joint={joint}", *more]) for more in ([], [VECTORS])]
    plain, task = (
        TranslationTrainer(
            recipe.model_copy(update={"model": config}), Path(), torch.device("cpu"), quiet=True
        )
        for recipe in recipes
    )
    before, after = (dict(each.model.named_parameters()) for each in (plain, task))
    network = task.translator.network
    first = {
        id(task.model.get_parameter(rows[0]))
        for rows in (network.source_vocab_params, network.target_vocab_params)
    }
    changed = {name for name in after if not torch.equal(before[name], after[name])}
    assert changed == {name for name, weight in after.items() if id(weight) in first}
    assert all(bool(after[name].isfinite().all()) for name in changed)
