"""Both sides of the comparison of pre-training compute the same loss of the same batch."""

import torch
from bench.pretraining import recipe_of
from bench.sides.pretraining import labelled, read, training_of, twin_of
from torch.testing import assert_close


def test_the_peer_is_the_same_model_on_the_same_batches() -> None:
    recipe = recipe_of(None, 512, smoke=True)
    recipe["data"]["train"]["rows"] = 40
    recipe["text"]["vocabulary_size"] = 300
    task, steps = training_of(recipe, 2)
    twin = twin_of(task).eval()
    with torch.no_grad():
        for batch in read(task, steps):
            states = task.model(batch.tokens, batch.lengths, batch.segments)
            loss, _ = task._hidden_words(states, batch, 0.0)
            assert_close(twin(**labelled(batch)).loss, loss / len(batch.places), atol=1e-5, rtol=0)
    own, theirs = (sum(p.numel() for p in model.parameters()) for model in (task.model, twin))
    assert own == theirs
