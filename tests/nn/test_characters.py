import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from regard.nn.characters import CharacterCNN, CharacterEncoder, CharacterLSTM, CharacterPooler, word_forms
from regard.nn.dropout import DropoutRng

X = 4
WORDS = torch.tensor([[3, 5, 2, 6], [1, 4, 0, 0], [3, 5, 2, 6], [7, 0, 0, 0], [1, 4, 0, 0]])
LENGTHS = torch.tensor([4, 2, 4, 1, 2])


def encoder(kind: str, *, dropout: float = 0.0) -> CharacterEncoder:
    torch.manual_seed(0)
    reader: CharacterPooler = (
        CharacterLSTM(character_size=X, hidden_size=3)
        if kind == "lstm"
        else CharacterCNN(character_size=X, filters=5, widths=(1, 2, 3))
    )
    return CharacterEncoder(9, character_size=X, reader=reader, dropout=dropout)


KINDS = pytest.mark.parametrize("kind", ["lstm", "cnn"])


@KINDS
def test_a_word_has_the_vector_it_has_alone(kind: str) -> None:
    """Whatever words are beside it, however long they are, and whatever stands in its padding."""
    model = encoder(kind)
    padded = torch.cat([WORDS, torch.full((5, 3), 8)], dim=1)
    padded[1, 2:], padded[3, 1:] = 8, 5
    vectors = model(padded, LENGTHS)
    assert vectors.shape == (5, model.output_size)
    for word, length, vector in zip(WORDS, LENGTHS, vectors, strict=True):
        assert_close(model(word[None, :length], length[None])[0], vector)


@KINDS
def test_words_of_every_length_have_the_vector_they_have_alone(kind: str) -> None:
    """Words of one length, of the next ones, and of one that no other has, in no order."""
    model = encoder(kind)
    lengths = torch.tensor([30, 4, 5, 1, 13, 14, 4, 9, 29])
    words = torch.randint(9, (9, 30), generator=torch.Generator().manual_seed(1))
    vectors = model(words, lengths)
    for word, length, vector in zip(words, lengths, vectors, strict=True):
        assert_close(model.reader(model.embedding(word[None, :length]), length[None])[0], vector)


@KINDS
def test_equal_words_get_equal_vectors_in_training_too(kind: str) -> None:
    model = encoder(kind, dropout=0.5)
    vectors = model(WORDS, LENGTHS, rng=DropoutRng(model, seed=1, step=1))
    assert torch.equal(vectors[0], vectors[2])
    assert torch.equal(vectors[1], vectors[4])
    assert not torch.equal(vectors, model(WORDS, LENGTHS))


def test_each_word_form_is_read_once() -> None:
    """Also where other things stand in the padding of the same word."""
    other = WORDS.clone()
    other[1, 2:] = 8
    forms, form = word_forms(other, LENGTHS)
    assert len(forms) == 3
    assert torch.equal(forms[form], torch.cat([LENGTHS[:, None], WORDS], 1))


def test_short_words_come_first() -> None:
    """Also where a length takes more than one byte."""
    lengths = torch.tensor([1, 256, 2, 255])
    forms, form = word_forms(torch.ones(4, 256, dtype=torch.int64), lengths)
    assert forms[:, 0].tolist() == [1, 2, 255, 256]
    assert forms[form, 0].equal(lengths)


def test_a_character_0_is_not_padding() -> None:
    forms, form = word_forms(torch.tensor([[1, 0], [1, 0]]), torch.tensor([1, 2]))
    assert (len(forms), len(set(form.tolist()))) == (2, 2)


@KINDS
def test_every_parameter_gets_the_gradient_of_reading_every_word(kind: str) -> None:
    """The same as without leaving out the words that come again."""
    model = encoder(kind).double()
    pull = torch.randn(5, model.output_size, dtype=torch.double)
    once = torch.autograd.grad((model(WORDS, LENGTHS) * pull).sum(), list(model.parameters()))
    each = (model.reader(model.embedding(WORDS), LENGTHS) * pull).sum()
    for ours, theirs in zip(once, torch.autograd.grad(each, list(model.parameters())), strict=True):
        assert_close(ours, theirs)
        assert ours.any()


def conv(weights: list[list[float]]) -> CharacterCNN:
    cnn = CharacterCNN(character_size=1, filters=1, widths=tuple(len(row) for row in weights))
    for part, row in zip(cnn.convolutions, weights, strict=True):
        part.load_state_dict({"weight": torch.tensor(row).view(1, 1, -1), "bias": torch.zeros(1)})
    return cnn


def test_a_convolution_by_hand() -> None:
    """Characters 1, 3, 2. Width 3, weights 1 0 -1: 0 - 3, 1 - 2, 3 - 0. Width 2, weights 1 1: 1, 4, 5."""
    characters = torch.tensor([[[1.0], [3.0], [2.0], [9.0]]])
    found: Tensor = conv([[1.0, 0.0, -1.0], [1.0, 1.0]])(characters, torch.tensor([3]))
    assert_close(found, torch.tensor([[3.0, 5.0]]).tanh())


def test_a_word_shorter_than_the_filter_by_hand() -> None:
    """One character, 2, in the middle of a filter of width 5; all its values are below 0."""
    characters = torch.tensor([[[2.0]]])
    found: Tensor = conv([[9.0, 9.0, -0.5, 9.0, 9.0]])(characters, torch.tensor([1]))
    assert_close(found, torch.tensor([[-1.0]]).tanh())
