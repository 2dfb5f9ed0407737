"""The Transformer against Hugging Face's Marian of the same weights."""

from typing import Any, Literal

import pytest
import torch
from tests.models.marian import from_marian, to_marian
from torch import Tensor, nn
from torch.testing import assert_close
from transformers import GenerationConfig, MarianConfig, MarianMTModel

from regard.config.decoding import DecodingConfig
from regard.config.transformer import TransformerConfig
from regard.decoding.hypothesis import SearchLimits
from regard.decoding.search import search
from regard.models.transformer import Transformer
from regard.nn.decoder import DecoderInputs
from regard.nn.trace import Trace

PAD, START, END = 0, 2, 3
SOURCE = torch.tensor([[5, 7, 4, 9, 3], [6, 4, 3, 0, 0], [8, 3, 0, 0, 0]])
LENGTHS = torch.tensor([5, 3, 2])
FED = torch.tensor([[2, 8, 5, 6], [2, 4, 0, 0], [2, 6, 5, 0]])
WANTED = torch.tensor([[8, 5, 6, 3], [4, 3, 0, 0], [6, 5, 3, 0]])
REAL = torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0], [1, 1, 1, 0]]).bool()
LONGEST = 12


def shaken(model: nn.Module) -> None:
    """No bias, no gain that nothing depends on."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "embed_positions" not in name:  # Marian's waves are no weights to learn
                parameter.add_(0.2 * torch.randn_like(parameter))


def ours_first(activation: Literal["relu", "gelu"] = "relu") -> tuple[Transformer, Any]:
    torch.manual_seed(0)
    config = TransformerConfig(
        width=16,
        heads=2,
        feed_forward=20,
        encoder_layers=3,
        decoder_layers=2,
        activation=activation,
        order="post",
        share_embeddings=True,
        longest=16,
    )
    ours = Transformer(config, source_size=23, target_size=23).double()
    shaken(ours)
    return ours, to_marian(ours, pad=PAD, start=START, end=END)


def marian_first(*, shared: bool, tied: bool) -> tuple[Transformer, Any]:
    torch.manual_seed(1)
    config = MarianConfig(
        vocab_size=13,
        decoder_vocab_size=13 if shared else 11,
        d_model=12,
        encoder_layers=1,
        decoder_layers=2,
        encoder_attention_heads=3,
        decoder_attention_heads=3,
        encoder_ffn_dim=10,
        decoder_ffn_dim=10,
        activation_function="gelu",
        max_position_embeddings=16,
        scale_embedding=True,
        share_encoder_decoder_embeddings=shared,
        tie_word_embeddings=tied,
        pad_token_id=PAD,
        decoder_start_token_id=START,
        eos_token_id=END,
    )
    theirs = MarianMTModel(config).double().eval()
    shaken(theirs)
    theirs.final_logits_bias.normal_()
    return from_marian(theirs), theirs


def said(theirs: Any) -> Any:
    theirs.set_attn_implementation("eager")  # the other ones give no attention
    with torch.no_grad():
        return theirs(
            input_ids=SOURCE,
            attention_mask=SOURCE != PAD,
            decoder_input_ids=FED,
            decoder_attention_mask=REAL,
            output_attentions=True,
        )


def assert_alike(ours: Transformer, theirs: Any) -> None:
    """Logits and every attention, wherever there is a word."""
    trace = Trace(ours)
    with torch.no_grad():
        logits = ours.teacher_forced(DecoderInputs(SOURCE, LENGTHS, FED, REAL), trace=trace).logits()
    found = said(theirs)
    assert_close(logits[REAL], found.logits[REAL], atol=1e-5, rtol=0)
    kinds = {
        "encoder.{}.self": (found.encoder_attentions, SOURCE != PAD),
        "decoder.{}.self": (found.decoder_attentions, REAL),
        "decoder.{}.cross": (found.cross_attentions, REAL),
    }
    seen = 0
    for name, (layers, asking) in kinds.items():
        for number, weights in enumerate(layers):
            (sight,) = trace.kept[name.format(number)]
            assert_close(of_words(sight.weights, asking), of_words(weights, asking), atol=1e-5, rtol=0)
            seen += 1
    assert seen == len(ours.attentions)


def of_words(weights: Tensor, asking: Tensor) -> Tensor:
    """(b, h, q, k) -> (n, h, k), of the words that ask; a place without a word may look anywhere."""
    return weights.transpose(1, 2)[asking]


@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_marian_with_our_weights_says_the_same(activation: Literal["relu", "gelu"]) -> None:
    assert_alike(*ours_first(activation))


@pytest.mark.parametrize(("shared", "tied"), [(True, True), (False, True), (False, False)])
def test_we_say_the_same_with_marians_weights(shared: bool, tied: bool) -> None:
    assert_alike(*marian_first(shared=shared, tied=tied))


@pytest.fixture(scope="module")
def learned() -> tuple[Transformer, Any]:
    """Both, after ours has learned some sentences nearly by heart: searches then end, and not at once."""
    ours, _ = ours_first()
    optimizer = torch.optim.Adam(ours.parameters(), lr=0.01)
    for _ in range(30):
        written = ours.teacher_forced(DecoderInputs(SOURCE, LENGTHS, FED, REAL)).at(REAL)
        loss = nn.functional.cross_entropy(written.logits(), WANTED[REAL])
        torch.autograd.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
    return ours, to_marian(ours, pad=PAD, start=START, end=END)


@pytest.mark.parametrize("beam", [1, 4])
def test_both_searches_write_the_same(learned: tuple[Transformer, Any], beam: int) -> None:
    ours, theirs = learned
    settings = GenerationConfig(
        num_beams=beam,
        max_new_tokens=LONGEST,
        length_penalty=1.0,
        early_stopping=False,
        pad_token_id=PAD,
        eos_token_id=END,
        decoder_start_token_id=START,
    )
    with torch.inference_mode():
        written = theirs.generate(SOURCE, attention_mask=SOURCE != PAD, generation_config=settings)
    limits = SearchLimits(START, END, never=(), max_lengths=(LONGEST,) * len(SOURCE))
    found = search(ours, SOURCE, LENGTHS, limits, DecodingConfig(beam_size=beam))
    assert all(best.ended and len(set(best.tokens)) == len(best.tokens) > 0 for best, *_ in found)
    assert [[*best.tokens, END] for best, *_ in found] == [
        row[: row.index(END) + 1] for row in written[:, 1:].tolist()
    ]
