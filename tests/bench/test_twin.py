"""The weights that JoeyNMT is given, in a decoder written from its formulas with torch's own LSTM."""

import torch
from bench.job import Network
from bench.joeynmt_twin import as_joeynmt, hold
from bench.prepare import recipe_of
from torch import Tensor, nn
from torch.testing import assert_close

from regard.models.catalogue import build_model
from regard.nn.decoder import DecoderInputs

NETWORK = Network(
    "additive", "current", input_feeding=True, embedding=6, encoder=4, decoder=10, align=10, readout=10
)
VOCABULARY = 11


def lstm(weights: dict[str, Tensor], side: str, inputs: int, hidden: int) -> nn.LSTM:
    made = nn.LSTM(inputs, hidden, batch_first=True, bidirectional=side == "encoder")
    prefix = f"{side}.rnn."
    own = {name.removeprefix(prefix): weight for name, weight in weights.items() if name.startswith(prefix)}
    made.load_state_dict(own)
    return made


def joeynmt_logits(weights: dict[str, Tensor], source: Tensor, fed: Tensor) -> Tensor:
    """(t, v) of one sentence, (s,) and (t,), in JoeyNMT's ids."""
    scale = NETWORK.embedding**0.5
    read = lstm(weights, "encoder", NETWORK.embedding, NETWORK.encoder)
    states, (last, _) = read(weights["src_embed.lut.weight"][source][None] * scale)
    first = last.reshape(1, 1, -1) @ weights["decoder.bridge_layer.weight"].t()
    first = (first + weights["decoder.bridge_layer.bias"]).tanh()
    keys = states @ weights["decoder.attention.key_layer.weight"].t()
    cell = lstm(weights, "decoder", NETWORK.embedding + NETWORK.readout, NETWORK.decoder)
    state, vector, logits = (first, first), torch.zeros(1, 1, NETWORK.readout), []
    for word in weights["trg_embed.lut.weight"][fed] * scale:
        query, state = cell(torch.cat([word[None, None], vector], dim=-1), state)
        asked = (query @ weights["decoder.attention.query_layer.weight"].t() + keys).tanh()
        scores = asked @ weights["decoder.attention.energy_layer.weight"].t()
        context = scores.softmax(1).mT @ states
        seen = torch.cat([query, context], dim=-1) @ weights["decoder.att_vector_layer.weight"].t()
        vector = (seen + weights["decoder.att_vector_layer.bias"]).tanh()
        logits.append((vector @ weights["decoder.output_layer.weight"].t()).flatten())
    return torch.stack(logits)


def test_both_networks_say_the_same() -> None:
    torch.manual_seed(1)
    model = build_model(recipe_of(NETWORK).model, source_size=VOCABULARY, target_size=VOCABULARY)
    for parameter in model.parameters():
        nn.init.normal_(parameter)
    hold(model)
    weights = {name: torch.from_numpy(weight) for name, weight in as_joeynmt(model).items()}
    source, fed = torch.tensor([5, 1, 9, 3]), torch.tensor([2, 7, 0, 4])
    exchange = torch.tensor([1, 0, *range(2, VOCABULARY)])

    with torch.no_grad():
        own = model.teacher_forced(DecoderInputs(source[None], torch.tensor([4]), fed[None])).logits()[0]  # type: ignore[operator]
        theirs = joeynmt_logits(weights, exchange[source], exchange[fed])

    assert_close(theirs[:, exchange], own, rtol=1e-4, atol=1e-4)
