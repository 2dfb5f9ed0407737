"""Texts that are longer than what is read at once."""

from typing import cast

import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.sentence_models import SENTENCE_MODELS, SOURCE_SIZE
from torch import Tensor
from torch.testing import assert_close

from regard.data.batching import Symbols, pad_texts
from regard.models.catalogue import build_classifier
from regard.nn.sliding_windows import TOGETHER, encode_in_windows, sliding_windows
from regard.nn.trace import Trace


@given(st.integers(1, 200), st.integers(4, 64))
def test_every_word_is_kept_once_and_no_window_is_too_long(length: int, size: int) -> None:
    windows = sliding_windows(length, size)
    assert [word for own in windows for word in range(own.first, own.last)] == list(range(length))
    for own in windows:
        assert own.start <= own.first < own.last <= own.end <= length
        assert own.end - own.start <= size
    assert (len(windows) == 1) == (length <= size)


@given(st.integers(9, 100))
def test_a_word_inside_the_text_is_read_with_its_neighbours(length: int) -> None:
    """Of windows of 8, an eighth of the words on either side is between a kept word and the edge."""
    for own in sliding_windows(length, 8):
        assert own.start == 0 or own.first - own.start == 1
        assert own.end == length or own.end - own.last >= 1


def test_what_looks_at_one_word_alone_sees_the_same_in_windows() -> None:
    words, lengths = torch.randn(2, 21, 3), torch.tensor([21, 6])

    def encode(read: Tensor, sizes: Tensor) -> tuple[Tensor, Tensor]:
        return 2 * read, read[torch.arange(len(read)), sizes - 1]

    whole = encode_in_windows(encode, words, lengths, size=8)
    assert torch.equal(whole.states[0], 2 * words[0])
    assert torch.equal(whole.states[1, :6], 2 * words[1, :6])
    assert torch.equal(whole.first, torch.stack([words[0, 7], words[1, 5]]))
    assert torch.equal(whole.last, torch.stack([words[0, 20], words[1, 5]]))
    assert whole.counts.tolist() == [4, 1]
    assert_close(whole.mean(torch.tensor([[1.0], [2.0], [3.0], [6.0], [7.0]])), torch.tensor([[3.0], [7.0]]))


def test_no_more_windows_are_read_at_one_time_than_is_said() -> None:
    seen = []

    def encode(read: Tensor, sizes: Tensor) -> tuple[Tensor, Tensor]:
        seen.append(len(read))
        return read, read[torch.arange(len(read)), sizes - 1]

    words = torch.randn(1, 300, 2)
    whole = encode_in_windows(encode, words, torch.tensor([300]), size=8)
    assert torch.equal(whole.states, words)
    assert max(seen) == TOGETHER
    assert sum(seen) == int(whole.counts)


def test_a_short_text_is_the_same_beside_a_long_one_and_the_long_one_is_looked_at_whole() -> None:
    texts = [tuple(4 + place % 13 for place in range(200)), (5, 9, 16, 4)]
    for name in ("bilstm-last", "backwards-last", "self-attentive", "bert-first", "bert-self-attentive"):
        torch.manual_seed(0)
        config = SENTENCE_MODELS[name]
        config = config if name.startswith("bert") else config.model_copy(update={"window": 16})
        model = build_classifier(config, source_size=SOURCE_SIZE, outputs=3, texts=1).double()
        assert len(texts[0]) > cast("int", model.window) >= len(texts[1])
        trace = Trace(model)
        together = model(*pad_texts(texts, Symbols(0, 2, 3)), trace=trace).logits
        for row, text in enumerate(texts):
            alone = model(*pad_texts([text], Symbols(0, 2, 3))).logits
            assert_close(together[row], alone[0], rtol=1e-10, atol=1e-12)
        for (sight,) in trace.kept.values():
            assert (sight.weights[0] > 0).all()
            assert_close(sight.weights.sum(-1), torch.ones_like(sight.weights[..., 0]))


def test_the_last_states_of_a_text_in_windows_are_those_of_its_ends() -> None:
    """A change of the last word reaches →h alone, one of the first word ←h alone."""
    torch.manual_seed(0)
    config = SENTENCE_MODELS["bilstm-last"].model_copy(update={"window": 16})
    model = build_classifier(config, source_size=SOURCE_SIZE, outputs=3, texts=1)
    text = [4 + place % 13 for place in range(60)]
    states = []
    for place in (None, 59, 0):
        changed = [3 if number == place else token for number, token in enumerate(text)]
        states.append(model.read(torch.tensor([changed]), torch.tensor([60])).last[0])  # type: ignore[operator]
    half = len(states[0]) // 2
    assert torch.equal(states[0][half:], states[1][half:])
    assert not torch.equal(states[0][:half], states[1][:half])
    assert torch.equal(states[0][:half], states[2][:half])
    assert not torch.equal(states[0][half:], states[2][half:])
