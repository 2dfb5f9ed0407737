"""Language models against torch's own networks, and against GPT-2 of the same weights."""

from typing import Any

import pytest
import torch
from tests.models.test_transformer import HEADS, INNER, WIDTH, copied, embedded
from torch import nn
from torch.testing import assert_close

from regard.config.language import NetworkLMConfig, RecurrentLMConfig, TransformerLMConfig
from regard.config.model import CellName
from regard.errors import DataError
from regard.models.language_model import LanguageModelNetwork, build_language_model
from regard.nn.decoder import DecoderInputs

FED = torch.tensor([[2, 8, 5, 7], [2, 4, 4, 9]])
SOURCE, LENGTHS = torch.tensor([[3], [3]]), torch.tensor([1, 1])
INPUTS = DecoderInputs(SOURCE, LENGTHS, FED)
WORDS = 13


def make(config: NetworkLMConfig) -> Any:
    torch.manual_seed(0)
    model: LanguageModelNetwork[Any] = build_language_model(config, target_size=WORDS).double()
    for parameter in model.parameters():  # no bias, no gain that nothing depends on
        parameter.data += 0.1 * torch.randn_like(parameter)
    return model


def transformer(**changes: Any) -> Any:
    return make(TransformerLMConfig(width=WIDTH, heads=HEADS, feed_forward=INNER, layers=2, **changes))


@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
@torch.no_grad()
def test_it_is_torchs_recurrent_network(cell: CellName) -> None:
    ours = make(RecurrentLMConfig(cell=cell, embedding_size=6, hidden_size=8, layers=2, tie_embeddings=False))
    theirs: Any = {"rnn": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}[cell](6, 8, 2, batch_first=True).double()
    for number, layer in enumerate(ours.reader.network.layers):
        for name, value in layer.named_parameters():
            theirs.get_parameter(name.replace("_l0", f"_l{number}")).copy_(value)
    states, _ = theirs(ours.embedding(FED) * 6**0.5)
    assert_close(ours.teacher_forced(INPUTS).logits(), ours.output(states))


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
@pytest.mark.parametrize("order", ["pre", "post"])
@torch.no_grad()
def test_it_is_torchs_encoder_with_a_causal_mask(order: str) -> None:
    ours = transformer(order=order)
    layer = nn.TransformerEncoderLayer(
        WIDTH, HEADS, INNER, dropout=0.0, batch_first=True, norm_first=order == "pre"
    )
    last = nn.LayerNorm(WIDTH) if order == "pre" else None
    theirs: Any = nn.TransformerEncoder(layer, 2, norm=last).double()
    for mine, other in zip(ours.reader.layers, theirs.layers, strict=True):
        copied(other.self_attn, mine.self.input, output=mine.self.output)
        other.norm1.load_state_dict(mine.around_self.norm.state_dict())
        other.norm2.load_state_dict(mine.around_feed_forward.norm.state_dict())
        other.linear1.load_state_dict(mine.feed_forward.up.state_dict())
        other.linear2.load_state_dict(mine.feed_forward.down.state_dict())
    if last is not None:
        theirs.norm.load_state_dict(ours.reader.norm.state_dict())
    mask = torch.ones(4, 4, dtype=torch.bool).triu(1)
    found = theirs(embedded(ours.embedding, FED), mask=mask, is_causal=True)
    assert_close(ours.teacher_forced(INPUTS).features, found, atol=1e-10, rtol=1e-8)


@torch.no_grad()
def test_it_is_gpt_2() -> None:
    """With learned places, normalised before each part; theirs does not scale word vectors."""
    from transformers import GPT2Config, GPT2LMHeadModel

    ours = transformer(positions="learned", longest=9, activation="gelu", tie_embeddings=False)
    ours.output.bias.zero_()
    sizes = GPT2Config(
        vocab_size=WORDS, n_positions=9, n_embd=WIDTH, n_layer=2, n_head=HEADS, n_inner=INNER,
        activation_function="gelu", tie_word_embeddings=False, attn_implementation="eager",
    )  # fmt: skip
    theirs: Any = GPT2LMHeadModel(sizes).double().eval()
    body, scale = theirs.transformer, WIDTH**0.5
    body.wte.weight.copy_(ours.embedding.weight * scale)
    body.wpe.weight.copy_(ours.reader.places.weight * scale)
    theirs.lm_head.weight.copy_(ours.output.weight)
    for mine, other in zip(ours.reader.layers, body.h, strict=True):
        pairs = [
            (mine.self.input, other.attn.c_attn),
            (mine.self.output, other.attn.c_proj),
            (mine.feed_forward.up, other.mlp.c_fc),
            (mine.feed_forward.down, other.mlp.c_proj),
        ]
        for linear, turned in pairs:  # their weights are (in, out)
            turned.weight.copy_(linear.weight.t())
            turned.bias.copy_(linear.bias)
        other.ln_1.load_state_dict(mine.around_self.norm.state_dict())
        other.ln_2.load_state_dict(mine.around_feed_forward.norm.state_dict())
    body.ln_f.load_state_dict(ours.reader.norm.state_dict())
    assert_close(
        ours.teacher_forced(INPUTS).logits(),
        theirs(FED).logits,
        atol=1e-10,
        rtol=1e-8,
    )


def test_learned_places_end_somewhere() -> None:
    ours = transformer(positions="learned", longest=3)
    with pytest.raises(DataError, match="this model has 3 positions, found a sentence of 4 tokens"):
        ours.teacher_forced(INPUTS)
    assert ours.longest == 3


def test_tied_words_need_one_width() -> None:
    with pytest.raises(ValueError, match="vectors of 6, but hidden_size is 8; make them equal"):
        RecurrentLMConfig(embedding_size=6, hidden_size=8)
