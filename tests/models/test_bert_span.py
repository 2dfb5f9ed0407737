"""BERT that finds answers: against transformers, by its laws, and in windows."""

from pathlib import Path

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close
from transformers import BertConfig, BertForQuestionAnswering

from regard.config.bert_reader import BertSpanConfig
from regard.models.bert_span import BertSpanExtractor
from regard.nn.dropout import DropoutRng
from regard.nn.sequence_classifier import PaddedTokens
from regard.nn.span_extractor import QuestionBatch, SpanLogits
from regard.nn.trace import AttentionWeights, Trace
from regard.store.convert.encoder import read_encoder

QUESTION = PaddedTokens(torch.tensor([[5, 9, 0], [6, 8, 7]]), torch.tensor([2, 3]))
TEXT = PaddedTokens(torch.tensor([[10, 11, 12, 13], [14, 15, 0, 0]]), torch.tensor([4, 2]))
BATCH = QuestionBatch(QUESTION, TEXT)


def make(places: int = 16) -> BertSpanExtractor:
    torch.manual_seed(0)
    encoder = {"width": 12, "heads": 3, "feed_forward": 20, "layers": 2, "places": places}
    return BertSpanExtractor(BertSpanConfig.model_validate({"encoder": encoder}), source_size=17).double()


def one(row: int) -> QuestionBatch:
    question, text = (
        PaddedTokens(side.tokens[row : row + 1, : int(side.lengths[row])], side.lengths[row : row + 1])
        for side in (QUESTION, TEXT)
    )
    return QuestionBatch(question, text)


def test_logits_are_those_of_transformers(tmp_path: Path) -> None:
    torch.manual_seed(1)
    theirs = BertForQuestionAnswering(
        BertConfig(
            vocab_size=17, hidden_size=12, num_attention_heads=3, intermediate_size=20,
            num_hidden_layers=2, max_position_embeddings=16, initializer_range=0.5,
        )
    ).eval()  # fmt: skip
    theirs.save_pretrained(tmp_path / "m")
    stored = read_encoder(tmp_path / "m")
    ours = BertSpanExtractor(BertSpanConfig(encoder=stored.described.config, frame=(2, 3)), source_size=17)
    weights = {f"bert.{name}": value for name, value in stored.weights.items()}
    weights |= {"output.weight": theirs.qa_outputs.weight, "output.bias": theirs.qa_outputs.bias}
    framed = torch.tensor([[2, 5, 9, 3, 10, 11, 12, 13, 3], [2, 6, 8, 7, 3, 14, 15, 3, 0]])
    kinds = torch.tensor([[0, 0, 0, 0, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 1, 1, 1, 0]])
    with torch.no_grad():
        for name, parameter in ours.named_parameters():
            parameter.copy_(weights[name])
        mask = (torch.arange(9) < torch.tensor([[9], [8]])).long()
        expected = theirs(framed, attention_mask=mask, token_type_ids=kinds)
        found = ours(BATCH)
    for side, logits in ((found.start, expected.start_logits), (found.end, expected.end_logits)):
        assert_close(side[0], logits[0, [0, 4, 5, 6, 7]], atol=1e-5, rtol=0)
        assert_close(side[1, :3], logits[1, [0, 5, 6]], atol=1e-5, rtol=0)
        assert (side[1, 3:] == -torch.inf).all()


@torch.no_grad()
@pytest.mark.parametrize("places", [16, 9], ids=["whole", "in windows"])
def test_a_question_alone_is_as_in_a_batch(places: int) -> None:
    """With 9 places the first has room for 4 tokens of its text, and the second for 3; neither is cut."""
    model = make(places)
    together = model(BATCH)
    for row in range(2):
        alone, size = model(one(row)), int(TEXT.lengths[row]) + 1
        assert_close(together.start[row, :size], alone.start[0])
        assert_close(together.end[row, :size], alone.end[0])


@torch.no_grad()
def test_every_token_of_a_long_text_is_scored_in_its_window() -> None:
    """Room for 4 tokens beside this question; windows overlap by one, and begin 3 tokens after each other."""
    model = make(places=9)
    question = PaddedTokens(torch.tensor([[5, 9]]), torch.tensor([2]))
    tokens = torch.tensor([[10, 11, 12, 13, 14, 15, 16]])
    trace = Trace(model)
    found = model(QuestionBatch(question, PaddedTokens(tokens, torch.tensor([7]))), trace=trace)
    assert not trace.kept
    assert found.start.shape == (1, 8)
    first, second = (
        model(QuestionBatch(question, PaddedTokens(tokens[:, part], torch.tensor([4]))))
        for part in (slice(4), slice(3, 7))
    )
    assert_close(found.start[0, 1:4], first.start[0, 1:4])
    assert_close(found.start[0, 5:], second.start[0, 2:])
    assert_close(found.end[0, 0], (first.end[0, 0] + second.end[0, 0]) / 2)


def test_looking_changes_nothing_and_every_attention_is_declared() -> None:
    model = make()
    trace = Trace(model)
    seen, plain = model(BATCH, trace=trace), model(BATCH)
    assert_close(seen.start, plain.start)
    assert set(trace.kept) == set(model.attentions)
    edited = Trace(model, dict.fromkeys(trace.kept, lambda sight: sight.weights))
    assert torch.equal(model(BATCH, trace=edited).end, seen.end)

    def only_the_first(sight: AttentionWeights) -> Tensor:
        weights = sight.weights.clone()
        weights[sight.examples.index(1)] = 0.0
        weights[sight.examples.index(1), ..., 0] = 1.0
        return weights

    changed = model(BATCH, trace=Trace(model, dict.fromkeys(trace.kept, only_the_first)))
    assert torch.equal(changed.start[0], seen.start[0])
    assert not torch.equal(changed.start[1], seen.start[1])


def test_it_learns_by_heart_with_every_parameter() -> None:
    model, places = make(), torch.tensor([[2, 3], [0, 0]])
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for step in range(200):
        optimizer.zero_grad()
        loss = -model(BATCH).log_likelihood(places).mean()
        loss.backward()
        if step == 0:
            unused = [name for name, p in model.named_parameters() if p.grad is None or not p.grad.any()]
            assert unused == []
        if loss < 0.05:
            break
        optimizer.step()
    assert loss < 0.05
    dropped = [model(BATCH, rng=DropoutRng(model, seed=1, step=step)).start for step in (1, 1, 2)]
    assert torch.equal(dropped[0], dropped[1])
    assert not torch.equal(dropped[0], dropped[2])


def test_the_likelihood_by_hand() -> None:
    logits = SpanLogits(torch.tensor([[0.0, 1.0, -torch.inf]]), torch.tensor([[0.0, 0.0, 2.0]]))
    found = logits.log_likelihood(torch.tensor([[1, 2]]))
    start, end = torch.tensor([0.0, 1.0]).log_softmax(0)[1], torch.tensor([0.0, 0.0, 2.0]).log_softmax(0)[2]
    assert_close(found[0], start + end)
    assert_close(logits.without(torch.tensor([[True, False, False]])).start[0, 0], torch.tensor(-torch.inf))
