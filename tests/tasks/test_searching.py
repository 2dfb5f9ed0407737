"""What a search holds in memory while it writes, and how its batches are run."""

import pytest
import torch
from tests.contracts.many_heads import ManyHeads, ManyHeadsState
from torch import Tensor

from regard.config.decoding import DecodingChanges, DecodingConfig
from regard.config.text import WordConfig
from regard.config.transformer import TransformerConfig
from regard.inference.constraints import PhraseTokenizer, TokenisedConstraints
from regard.inference.search import search_all
from regard.models.transformer import Transformer
from regard.nn.trace import Trace
from regard.tasks.translation.predictor import Translator
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
        [TokenisedConstraints()] * 2,
        PhraseTokenizer(tokenizer),
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
        found = search_all(
            model, encoded, settings, [TokenisedConstraints()] * len(encoded), PhraseTokenizer(tokenizer)
        )
        assert [len(best.tokens) for best, *_ in found] == [5] * len(encoded)  # and <s>, when they are read


@pytest.mark.parametrize(
    "settings", [{"beam_size": 3}, {"beam_size": 1}, {"beam_size": 1, "sample": True}, {"coverage_beta": 0.2}]
)
def test_several_batches_at_a_time_change_nothing(translator: Translator, settings: DecodingChanges) -> None:
    """With two threads, a batch for each; every sentence keeps its place, its text and its probability."""
    search = translator.recipe.decoding.changed({**settings, "batch_tokens": 16})
    lines = [
        "나는 책을 읽었다.",
        "친구가 왔다.",
        "",
        "우리는 학교에 갔다.",
        "그는 편지를 보냈다.",
        "물을 마셨다.",
    ]
    before = torch.get_num_threads()
    found = {}
    try:
        for threads in (1, 2):
            torch.set_num_threads(threads)
            found[threads] = translator.translate(lines, attention=False, search=search, n_best=1)
    finally:
        torch.set_num_threads(before)
    one, two = found[1], found[2]
    assert [result.text for result in one] == [result.text for result in two]
    assert [result.score for result in two] == pytest.approx([result.score for result in one], abs=1e-5)
