"""What a search holds in memory while it writes."""

import torch
from tests.contracts.many_heads import ManyHeads, ManyHeadsState
from torch import Tensor

from regard.config.decoding import DecodingConfig
from regard.config.text import WordConfig
from regard.nn.trace import Trace
from regard.tasks.constraints import Wishes
from regard.tasks.searching import search_all
from regard.tasks.spelling import Speller
from regard.text.tokenizer import Tokenizer


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
