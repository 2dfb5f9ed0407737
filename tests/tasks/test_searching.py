"""What a search holds in memory while it writes."""

import torch
from tests.contracts.many_heads import ManyHeads, ManyHeadsState
from torch import Tensor

from regard.config.decoding import DecodingConfig
from regard.config.text import WordConfig
from regard.config.transformer import TransformerConfig
from regard.models.transformer import Transformer
from regard.nn.trace import Trace
from regard.tasks.constraints import Wishes
from regard.tasks.searching import search_all
from regard.tasks.spelling import Speller
from regard.text.tokenizer import EOS, Tokenizer


class Watched(ManyHeads):
    """Notes what the trace holds after each step."""

    def __init__(self, size: int) -> None:
        super().__init__(size, size)
        self.held: list[dict[str, int]] = []

    def step(
        self, tokens: Tensor, state: ManyHeadsState, *, trace: Trace | None = None
    ) -> tuple[Tensor, ManyHeadsState]:
        after = super().step(tokens, state, trace=trace)
        if trace is not None:
            self.held.append({path: len(sights) for path, sights in trace.kept.items()})
        return after


def test_a_coverage_search_holds_the_last_look_at_the_source_alone() -> None:
    tokenizer = Tokenizer.learn(["a b c d"] * 3, WordConfig())
    torch.manual_seed(0)
    model = Watched(len(tokenizer))
    search_all(
        model,
        list(tokenizer.encode_many(["a b c", "d"])),
        DecodingConfig(beam_size=2, coverage_beta=0.5),
        [Wishes()] * 2,
        Speller(tokenizer),
    )
    assert len(model.held) > 2
    assert all(held == dict.fromkeys(model.cross_attention, 1) for held in model.held)


def test_a_model_with_learned_places_writes_no_further_than_it_has_places() -> None:
    tokenizer = Tokenizer.learn(["a b c d"] * 3, WordConfig())
    config = TransformerConfig(
        width=8, heads=2, feed_forward=8, encoder_layers=1, decoder_layers=1, positions="learned", longest=6
    )
    torch.manual_seed(0)
    model = Transformer(config, source_size=len(tokenizer), target_size=len(tokenizer))
    with torch.no_grad():
        model.output.bias[EOS] = -1e9  # it never ends by itself
    for sources in (["a b c d"], ["a b c d", "b"]):
        encoded = list(tokenizer.encode_many(sources))
        settings = DecodingConfig(beam_size=2)
        found = search_all(model, encoded, settings, [Wishes()] * len(encoded), Speller(tokenizer))
        assert [len(best.tokens) for best, *_ in found] == [5] * len(encoded)  # and <s>, when they are read
