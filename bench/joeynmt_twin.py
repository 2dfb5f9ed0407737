"""The network that JoeyNMT and regard both have, with weights for both.

    python -m bench.joeynmt_twin FOLDER

JoeyNMT has no bias before the vocabulary, and its LSTM starts with h = C; so while it is trained, that bias
is held at zero and the two halves of regard's first state at their mean.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from bench.job import NETWORKS
from bench.prepare import recipe_of
from bench.rounds import ROOT
from bench.twin import Twin, make_twin
from torch import Tensor

STEPS, BATCH_TOKENS, LEARNING_RATE = 300, 1024, 0.002


def joeynmt_weights(folder: Path) -> Path:
    """Where the weights are as JoeyNMT names them."""
    return folder / "joeynmt.npz"


def make_joeynmt_twin(folder: Path, *, polite: bool = False) -> Twin:
    """The twin in this folder; both rank by Wu et al.'s length penalty, and write no empty sentence."""
    network = NETWORKS["additive"]
    recipe = recipe_of(
        network,
        batch_tokens=BATCH_TOKENS,
        more=[
            ("training.optimizer.learning_rate", LEARNING_RATE),
            ("training.schedule", {"kind": "constant", "warmup_steps": 0}),
            ("decoding.length_penalty", "gnmt"),
            ("decoding.min_length", 1),
        ],
    )

    def store(model: Any) -> None:
        np.savez(joeynmt_weights(folder), **as_joeynmt(model))

    return make_twin(folder, recipe, network, steps=STEPS, polite=polite, hold=hold, store=store)


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
    make_joeynmt_twin(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".bench" / "twin")


if __name__ == "__main__":
    main()
