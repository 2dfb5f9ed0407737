"""One network with one set of weights in regard and in JoeyNMT, for a fair comparison of their searches.

    python -m bench.twin FOLDER

It is trained by regard for some minutes, once, and kept: long enough for sentences of natural length, not for
good ones. JoeyNMT has no bias before the vocabulary, and its LSTM starts with h = C; so while it is trained,
that bias is held at zero and the two halves of regard's first state at their mean.
"""

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from bench.job import NETWORKS, Job
from bench.prepare import make_job, recipe_of
from bench.rounds import ROOT, say
from safetensors.torch import save_file
from torch import Tensor

from regard.config.translation import TranslationRecipe
from regard.data.pairs import read_pairs
from regard.tasks.pair_corpus import encode_pairs, prepare_pairs
from regard.training.loop import forward_and_back, make_optimizer
from regard.training.translation import TranslationTraining

STEPS, BATCH_TOKENS, LEARNING_RATE = 300, 1024, 0.002
SHOWN_EVERY = 50


@dataclass(frozen=True)
class Twin:
    """A folder with the weights for both."""

    folder: Path

    @property
    def job(self) -> Path:
        """The network; written last, so that a folder that has it is whole."""
        return self.folder / "job.json"

    @property
    def regard(self) -> Path:
        """Weights as regard names them."""
        return self.folder / "regard.safetensors"

    @property
    def joeynmt(self) -> Path:
        """The same as JoeyNMT names them."""
        return self.folder / "joeynmt.npz"

    def test_sources(self) -> list[Any]:
        """The source side of the test set in ids."""
        recipe = TranslationRecipe.model_validate(Job.read(self.job).recipe)
        source, target, _ = prepare_pairs(recipe.data, recipe.text, quiet=True)
        if recipe.data.test is None:
            raise SystemExit("the corpus has no test set")
        pairs = list(read_pairs(recipe.data.test, recipe.data, split="test"))
        return [pair.source for pair in encode_pairs(pairs, source, target)]


def make_twin(folder: Path, *, polite: bool = False, steps: int = STEPS) -> Twin:
    """The twin in this folder; trained now if it is not there, or is of another network or corpus."""
    twin = Twin(folder)
    network = NETWORKS["additive"]
    recipe = recipe_of(
        network,
        batch_tokens=BATCH_TOKENS,
        more=[("training.optimizer.learning_rate", LEARNING_RATE)],
    )
    if twin.job.is_file() and Job.read(twin.job).recipe == recipe.model_dump(mode="json"):
        return twin
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    job = make_job(recipe, network, folder, batches=1, polite=polite)
    task = TranslationTraining(recipe, folder, torch.device("cpu"), quiet=True)
    _train(task, steps)
    save_file({name: tensor.contiguous() for name, tensor in task.model.state_dict().items()}, twin.regard)
    np.savez(twin.joeynmt, **as_joeynmt(task.model))
    job.write(twin.job)
    return twin


def _train(task: TranslationTraining, steps: int) -> None:
    config = task.recipe.training
    optimizer = make_optimizer(task.model, config.optimizer)
    hold(task.model)
    plans = (rows for epoch in range(steps) for rows in task.plan(epoch))
    for step, rows in zip(range(steps), plans, strict=False):
        done = forward_and_back(task, config, [rows], step)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        hold(task.model)
        if (step + 1) % SHOWN_EVERY == 0:
            loss = done.loss / done.tokens
            say(f"training the network for decoding: step {step + 1} of {steps}, loss {loss:.2f}")


def hold(model: Any) -> None:
    """Put the weights back into what JoeyNMT can have."""
    with torch.no_grad():
        model.output.bias.zero_()
        for parameter in (model.bridge.weight, model.bridge.bias):
            halves = parameter.view(2, -1)
            halves.copy_(halves.mean(0).expand_as(halves))


def as_joeynmt(model: Any) -> dict[str, Any]:
    """The weights of a model that `hold` has put right, as JoeyNMT's network names and orders them."""
    cell, score = model.cell, model.attention.score
    renamed: dict[str, Tensor] = {
        "src_embed.lut.weight": _exchanged(model.source_embedding.weight),
        "trg_embed.lut.weight": _exchanged(model.target_embedding.weight),
        "decoder.rnn.weight_ih_l0": _gates(torch.cat([cell.input.weight, model.feeding.weight], dim=1)),
        "decoder.rnn.weight_hh_l0": _gates(cell.hidden.weight),
        "decoder.rnn.bias_ih_l0": _gates(cell.input.bias),
        "decoder.rnn.bias_hh_l0": torch.zeros_like(cell.input.bias),
        "decoder.att_vector_layer.weight": model.readout.weight,
        "decoder.att_vector_layer.bias": model.readout.bias,
        "decoder.output_layer.weight": _exchanged(model.output.weight),
        "decoder.attention.key_layer.weight": score.key.weight,
        "decoder.attention.query_layer.weight": score.query.weight,
        "decoder.attention.energy_layer.weight": score.energy.weight,
        "decoder.bridge_layer.weight": model.bridge.weight.chunk(2)[0],
        "decoder.bridge_layer.bias": model.bridge.bias.chunk(2)[0],
    }
    for direction, ending in ((model.encoder.forwards[0], ""), (model.encoder.backwards[0], "_reverse")):
        for name, weight in direction.named_parameters():
            renamed[f"encoder.rnn.{name}{ending}"] = weight
    return {name: weight.detach().numpy() for name, weight in renamed.items()}


def _gates(rows: Tensor) -> Tensor:
    """From regard's order of an LSTM's gates, i f o g, to torch's, i f g o."""
    i, f, o, g = rows.chunk(4)
    return torch.cat([i, f, g, o])


def _exchanged(rows: Tensor) -> Tensor:
    """Padding is entry 0 and <unk> entry 1 in regard; in JoeyNMT it is the other way round."""
    return torch.cat([rows[1:2], rows[0:1], rows[2:]])


def main() -> None:
    make_twin(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".bench" / "twin")


if __name__ == "__main__":
    main()
