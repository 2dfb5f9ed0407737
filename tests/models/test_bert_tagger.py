"""BERT over given words: what stands for a word, against transformers and by hand."""

from pathlib import Path

import pytest
import torch
from tests.models.their_bert import write_their_bert
from torch.testing import assert_close
from transformers import BertForTokenClassification

from regard.config.bert_tagger import BertTaggerConfig
from regard.errors import ShapeError
from regard.models.bert_tagger import BertTagger
from regard.nn.token_classifier import WordBatch
from regard.nn.trace import Trace
from regard.store.convert.encoder import read_encoder

PIECES = torch.tensor([[1, 2, 1], [2, 0, 0]])
TOKENS = torch.tensor([[5, 9, 16, 4], [6, 8, 0, 0]])
LENGTHS = torch.tensor([3, 1])


def make(word: str, places: int = 16) -> BertTagger:
    torch.manual_seed(0)
    encoder = {"width": 12, "heads": 3, "feed_forward": 20, "layers": 2, "places": places}
    values = {"encoder": encoder, "word": word, "labelling": {"kind": "softmax"}}
    return BertTagger(BertTaggerConfig.model_validate(values), source_size=17, outputs=3).double()


def test_words_are_those_of_transformers_at_the_first_pieces(tmp_path: Path) -> None:
    theirs = write_their_bert(BertForTokenClassification, tmp_path / "m")
    stored = read_encoder(tmp_path / "m")
    config = BertTaggerConfig(encoder=stored.described.config, frame=(2, 3))
    ours = BertTagger(config, source_size=17, outputs=3)
    weights = {f"bert.{name}": value for name, value in stored.weights.items()}
    weights |= {"output.weight": theirs.classifier.weight, "output.bias": theirs.classifier.bias}
    framed = torch.tensor([[2, 5, 9, 16, 4, 3], [2, 6, 8, 3, 0, 0]])
    mask = (torch.arange(6) < torch.tensor([[6], [4]])).long()
    with torch.no_grad():
        for name, parameter in ours.named_parameters():
            parameter.copy_(weights[name])
        states = theirs.bert(framed, attention_mask=mask).last_hidden_state
        logits = theirs(framed, attention_mask=mask).logits
        words = WordBatch(TOKENS, LENGTHS, pieces=PIECES)
        vectors, scores = ours.word_vectors(words), ours(words)
    assert_close(vectors[0], states[0, [1, 2, 4]], atol=1e-5, rtol=0)  # behind [CLS]: pieces 0, 1 and 3
    assert_close(vectors[1, 0], states[1, 1], atol=1e-5, rtol=0)
    assert_close(scores[0], logits[0, [1, 2, 4]], atol=1e-5, rtol=0)


@torch.no_grad()
def test_the_mean_of_the_pieces_by_hand() -> None:
    model = make("mean")
    words = model.word_vectors(WordBatch(TOKENS, LENGTHS, pieces=PIECES))
    states = model.read(TOKENS, PIECES.sum(1)).words
    assert_close(words[0], torch.stack([states[0, 1], states[0, 2:4].mean(0), states[0, 4]]))
    assert_close(words[1, 0], states[1, 1:3].mean(0))


@torch.no_grad()
@pytest.mark.parametrize("word", ["first", "mean"])
def test_what_has_no_places_is_read_in_windows(word: str) -> None:
    """All words of a sentence of 11 pieces have vectors, in windows of 6; those of a short one as alone."""
    model = make(word, places=8)
    tokens = torch.tensor([[5, 9, 16, 4, 6, 7, 8, 10, 11, 12, 13]])
    pieces = torch.tensor([[2, 2, 2, 2, 1, 1, 1]])
    trace = Trace(model)
    vectors = model.word_vectors(WordBatch(tokens, torch.tensor([7]), pieces=pieces), trace=trace)
    assert not trace.kept
    assert vectors.shape == (1, 7, 12)
    first = model.read(tokens[:, :6], torch.tensor([6])).words[:, 1:]
    assert_close(vectors[0, 0], first[0, 0] if word == "first" else first[0, :2].mean(0))


def test_words_that_are_not_in_pieces_are_refused() -> None:
    with pytest.raises(ShapeError, match="this model needs the number of subwords"):
        make("first")(WordBatch(TOKENS, LENGTHS))
