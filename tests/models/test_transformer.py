"""The Transformer against torch's own, and what is not in its contract."""

from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close

from regard.config.transformer import TransformerConfig
from regard.decoding.beam import beam_search
from regard.decoding.hypothesis import SearchLimits
from regard.errors import DataError
from regard.models.transformer import Transformer
from regard.nn.decoder import DecoderInputs
from regard.nn.dropout import DropoutRng
from regard.nn.positions import sinusoids
from regard.nn.trace import AttentionWeights, Trace

WIDTH, HEADS, INNER = 12, 3, 20
SOURCE = torch.tensor([[5, 7, 3, 9], [6, 4, 0, 0]])
LENGTHS = torch.tensor([4, 2])
FED = torch.tensor([[2, 8, 5], [2, 4, 4]])
INPUTS = DecoderInputs(SOURCE, LENGTHS, FED)


def make(**changes: Any) -> Transformer:
    torch.manual_seed(0)
    config = TransformerConfig(
        width=WIDTH, heads=HEADS, feed_forward=INNER, encoder_layers=2, decoder_layers=2, **changes
    )
    model = Transformer(config, source_size=11, target_size=13).double()
    for parameter in model.parameters():  # no bias, no gain that nothing depends on
        parameter.data += 0.1 * torch.randn_like(parameter)
    return model


def copied(theirs: nn.MultiheadAttention, *projections: nn.Linear, output: nn.Linear) -> None:
    theirs.in_proj_weight.copy_(torch.cat([part.weight for part in projections]))
    theirs.in_proj_bias.copy_(torch.cat([part.bias for part in projections]))
    theirs.out_proj.load_state_dict(output.state_dict())


@torch.no_grad()
def torchs_own(ours: Any) -> nn.Transformer:
    """torch.nn.Transformer with the same weights."""
    theirs: Any = nn.Transformer(
        WIDTH,
        HEADS,
        num_encoder_layers=2,
        num_decoder_layers=2,
        dim_feedforward=INNER,
        dropout=0.0,
        activation=ours.config.activation,
        batch_first=True,
        norm_first=ours.config.order == "pre",
    ).double()
    for mine, other in zip(
        [*ours.encoder, *ours.decoder], [*theirs.encoder.layers, *theirs.decoder.layers], strict=True
    ):
        copied(other.self_attn, mine.self.input, output=mine.self.output)
        norms = [mine.around_self, mine.around_feed_forward]
        if hasattr(mine, "cross"):
            copied(other.multihead_attn, mine.cross.query, mine.cross.memory, output=mine.cross.output)
            norms.insert(1, mine.around_cross)
        for number, around in enumerate(norms, start=1):
            getattr(other, f"norm{number}").load_state_dict(around.norm.state_dict())
        other.linear1.load_state_dict(mine.feed_forward.up.state_dict())
        other.linear2.load_state_dict(mine.feed_forward.down.state_dict())
    if ours.config.order == "pre":
        theirs.encoder.norm.load_state_dict(ours.encoder_norm.state_dict())
        theirs.decoder.norm.load_state_dict(ours.decoder_norm.state_dict())
    else:
        theirs.encoder.norm = theirs.decoder.norm = None
    whole: nn.Transformer = theirs
    return whole


def embedded(embedding: nn.Embedding, tokens: Tensor) -> Tensor:
    words: Tensor = embedding(tokens) * WIDTH**0.5
    return words + sinusoids(0, tokens.shape[1], WIDTH, words)


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
@pytest.mark.parametrize("order", ["pre", "post"])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_it_is_torchs_transformer(order: str, activation: str) -> None:
    ours = make(order=order, activation=activation)
    theirs = torchs_own(ours)
    padding = torch.arange(4) >= LENGTHS[:, None]
    found = theirs(
        embedded(ours.source_embedding, SOURCE),
        embedded(ours.target_embedding, FED),
        tgt_mask=torch.ones(3, 3, dtype=torch.bool).triu(1),
        src_key_padding_mask=padding,
        memory_key_padding_mask=padding,
        tgt_is_causal=True,
    )
    assert_close(ours.teacher_forced(INPUTS).features, found, atol=1e-10, rtol=1e-8)


def test_no_position_means_no_order() -> None:
    """Without positions an encoder reads a bag of words: another order, the same logits."""
    ours = make(positions="none")
    turned = SOURCE[:1].flip(1)
    one, other = (
        ours.teacher_forced(DecoderInputs(source, LENGTHS[:1], FED[:1])).logits()
        for source in (SOURCE[:1], turned)
    )
    assert_close(one, other)
    with_places = make()
    one, other = (
        with_places.teacher_forced(DecoderInputs(source, LENGTHS[:1], FED[:1])).logits()
        for source in (SOURCE[:1], turned)
    )
    assert not torch.allclose(one, other)


def test_learned_places_end_somewhere() -> None:
    ours = make(positions="learned", longest=3)
    with pytest.raises(DataError, match="this model has 3 positions, found a sentence of 4 tokens"):
        ours.start(SOURCE, LENGTHS)


def test_three_tables_can_be_one() -> None:
    torch.manual_seed(0)
    config = TransformerConfig(width=WIDTH, heads=HEADS, share_embeddings=True)
    model = Transformer(config, source_size=13, target_size=13)
    assert model.source_embedding.weight is model.target_embedding.weight is model.output.weight


def test_layers_are_left_out_in_training_alone() -> None:
    ours = make(layer_drop=0.5, dropout=0.0, attention_dropout=0.0)
    plain = ours.teacher_forced(INPUTS).features
    seen = {
        bool(
            torch.equal(
                ours.teacher_forced(INPUTS, rng=DropoutRng(ours, seed=1, step=n)).features,
                plain,
            )
        )
        for n in range(40)
    }
    assert seen == {True, False}
    assert torch.equal(ours.teacher_forced(INPUTS).features, plain)


@torch.no_grad()
def test_keys_that_a_search_has_shown_stay_as_they_were() -> None:
    """Hypotheses change places where they lie; not while someone keeps what was looked at."""
    model, seen = make(), list[Tensor]()

    def look(sight: AttentionWeights) -> Tensor:
        assert sight.asked is not None
        seen.append(sight.asked.keys.clone())
        return sight.weights

    trace = Trace(model, {"decoder.0.self": look}, inputs=True)
    limits = SearchLimits(1, 2, never=(0,), max_lengths=(12, 12))
    beam_search(model, SOURCE, LENGTHS, limits, beam_size=4, trace=trace)
    kept = [sight.asked.keys for sight in trace.kept["decoder.0.self"] if sight.asked is not None]
    assert len(kept) == len(seen) > 5
    for found, shown in zip(kept, seen, strict=True):
        assert torch.equal(found, shown)
