"""Texts as vectors: the laws of every model that embeds, and what careless callers are told."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tests.tasks.tiny_encoder import LONGEST, WIDTH, write_tiny_encoder

import regard
from regard.errors import ConfigError, DataError
from regard.tasks.embedding.other_tasks import PooledClassifier
from regard.tasks.embedding.predictor import EmbeddingPredictor
from regard.tasks.embedding.sentence_encoder import SentenceEncoder

TEXTS = ["abc d", "", "kjihg ab", "l", "a b c d"]
LONG = "a b c d e f g h i j k l"
SENTENCES = ["이 책은 아주 좋다.", "그 학생이 어제 읽은 책은 재미있지 않았다.", "이 책은 나쁘다."]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> SentenceEncoder:
    folder = write_tiny_encoder(tmp_path_factory.mktemp("models") / "tiny", query="abc ", document="l ")
    opened: SentenceEncoder = regard.load(folder)
    return opened


@pytest.fixture(scope="module")
def pooled(opinions: Path) -> EmbeddingPredictor:
    return regard.load(opinions, task="embedding")


def test_a_text_does_not_depend_on_its_company(tiny: SentenceEncoder) -> None:
    together = tiny.embed(TEXTS)
    assert together.shape == (len(TEXTS), WIDTH)
    for batch in (1, 2, 100):
        np.testing.assert_allclose(tiny.embed(TEXTS, batch_size=batch), together, atol=1e-5)
    alone = tiny.embed(TEXTS[0])
    assert alone.shape == (WIDTH,)
    np.testing.assert_allclose(alone, together[0], atol=1e-5)
    assert tiny.embed([]).shape == (0, WIDTH)
    np.testing.assert_allclose(tiny.embed(iter(TEXTS)), together)


def test_a_hidden_word_is_one_word_whatever_touches_it(tiny: SentenceEncoder) -> None:
    words = tiny.look("a [MASK]b.").attention.words()
    assert words.columns == ("[CLS]", "a", "[MASK]", "b", ".", "[SEP]")


def test_vectors_have_length_1_where_that_is_asked(tiny: SentenceEncoder) -> None:
    plain, asked = tiny.embed(TEXTS), tiny.embed(TEXTS, normalise=True)
    np.testing.assert_allclose(np.linalg.norm(asked, axis=1), 1.0, rtol=1e-6)
    np.testing.assert_allclose(asked * np.linalg.norm(plain, axis=1, keepdims=True), plain, atol=1e-5)
    assert not tiny.normalised


def test_a_prompt_is_written_before_each_text(tiny: SentenceEncoder) -> None:
    np.testing.assert_array_equal(tiny.embed(["d"], prompt="query"), tiny.embed(["abc d"]))
    assert (tiny.prompt_for("query"), tiny.prompt_for("document")) == ("query", "document")


def test_what_is_not_read_is_said(tiny: SentenceEncoder) -> None:
    with pytest.warns(
        UserWarning, match=f"1 text has more than the {LONGEST} tokens .* was not read: 'a b c"
    ):
        cut = tiny.embed([LONG, "a"])
    np.testing.assert_allclose(cut[0], tiny.embed(LONG[: 2 * (LONGEST - 2)]), atol=1e-5)
    for edit in ((), (regard.mask("a", where="all"),)):
        with pytest.warns(UserWarning, match="1 text has more than"):
            tiny.look(LONG, edit=edit or None)
    with pytest.warns(UserWarning, match="2 texts have more than") as warned:
        tiny.similarity(LONG, LONG)
    assert warned[0].filename == __file__
    (one,) = tiny.embed_lines([("file:1", LONG)])
    assert (one.was_cut, one.tokens) == (True, LONGEST)
    assert "the rest was not read" in one.in_words()
    with pytest.raises(DataError, match=f"file:7: expected at most {LONGEST} tokens, found more in 'a b c"):
        list(tiny.embed_lines([("file:7", LONG)], too_long="refuse"))


def test_a_long_text_is_read_in_windows_where_that_is_asked(tiny: SentenceEncoder) -> None:
    """12 words in windows of 8: the first gives 7, the second, from the 7th word on, gives 5; by hand."""
    found = tiny.embed(LONG, too_long="windows")
    (whole,) = tiny.ready([LONG], whole=True)
    first, last, words = whole.ids[0], whole.ids[-1], whole.ids[1:-1]
    assert len(words) == 12
    with torch.inference_mode():
        states = [
            tiny.network(torch.tensor([[first, *own, last]]), torch.tensor([len(own) + 2]))[0]
            for own in (words[:8], words[6:])
        ]
    read = torch.cat([states[0][1:8], states[1][2:]])  # with the last symbol of the last window
    symbol = (7 * states[0][0] + 5 * states[1][0]) / 12
    np.testing.assert_allclose(found, torch.cat([symbol[None], read]).mean(0), atol=1e-5)
    np.testing.assert_array_equal(tiny.embed("a b c", too_long="windows"), tiny.embed("a b c"))
    np.testing.assert_allclose(tiny.embed(["l", LONG, "a"], too_long="windows")[1], found, atol=1e-5)
    (one,) = tiny.embed_lines([("file:1", LONG)], too_long="windows")
    assert (one.was_cut, one.windows, one.tokens) == (False, 2, 14)
    assert "14 tokens, in 2 windows that overlap" in one.in_words()


@pytest.mark.parametrize("pooling", ["cls", "max"])
def test_the_words_of_a_text_in_windows_make_up_its_vector(tmp_path: Path, pooling: str) -> None:
    model: SentenceEncoder = regard.load(write_tiny_encoder(tmp_path / "model", pooling))
    (whole,) = model.ready([LONG], whole=True)
    with torch.inference_mode():
        parts = model.parts(torch.tensor([whole.ids]), torch.tensor([14]), None)[0]
    np.testing.assert_allclose(parts.sum(0), model.embed(LONG, too_long="windows"), atol=1e-5)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (None, "expected a text or a list of texts, found nothing (None)"),
        (b"abc", "found bytes"),
        ({"a": 1}, "found dict"),
        (["a", None], "text 2: expected a text, found nothing (None)"),
        (["a", 3], "text 2: expected a text, found int"),
        (["a\ud800"], "expected texts, or pairs of them, of Unicode characters"),
    ],
)
def test_what_is_no_text(tiny: SentenceEncoder, texts: Any, message: str) -> None:
    with pytest.raises(DataError) as caught:
        tiny.embed(texts)
    assert message in str(caught.value)


def test_settings_that_have_no_meaning(tiny: SentenceEncoder, pooled: EmbeddingPredictor) -> None:
    with pytest.raises(DataError, match="batch_size: expected 1 text or more to be read together, found 0"):
        tiny.embed(["a"], batch_size=0)
    with pytest.raises(DataError, match="no prompt 'quer'; did you mean 'query'"):
        tiny.embed(["a"], prompt="quer")
    with pytest.raises(DataError, match="no prompt 'query'; it has none"):
        pooled.embed(["a"], prompt="query")


def test_the_attention_of_every_layer_can_be_seen_and_changed(tiny: SentenceEncoder) -> None:
    seen = tiny.look("abc d")
    assert seen.attention.paths == ("encoder.0.self", "encoder.1.self")
    map_ = seen.attention.words()
    assert map_.rows == map_.columns == ("[CLS]", "abc", "d", "[SEP]")
    np.testing.assert_allclose(map_.weights.sum(1), 1.0, atol=1e-5)
    np.testing.assert_allclose(seen.vector, tiny.embed("abc d"), atol=1e-5)
    masked = tiny.look("abc d", edit=regard.mask("d", where="all"))
    hidden = masked.after.attention.words(layer=0)
    np.testing.assert_allclose(hidden.weights[:, 2], 0.0)
    np.testing.assert_array_equal(masked.before.vector, seen.vector)
    assert masked.cosine < 1 - 1e-4
    gone = tiny.look("abc d", edit=regard.remove("d"))
    np.testing.assert_allclose(gone.after.vector, tiny.embed("abc"), atol=1e-5)
    with pytest.raises(DataError, match=r"\[CLS\], \[SEP\] frame every sentence and cannot be removed"):
        tiny.look("abc d", edit=regard.remove("[CLS]"))


@pytest.mark.parametrize("pooling", ["mean", "max", "cls", ["mean", "max"]])
def test_the_words_of_two_texts_make_up_their_cosine(tmp_path: Path, pooling: Any) -> None:
    model: SentenceEncoder = regard.load(write_tiny_encoder(tmp_path / "model", pooling))
    near = model.similarity("abc d", "kj a")
    one, other = model.embed(["abc d", "kj a"], normalise=True)
    assert near.cosine == pytest.approx(float(one @ other), abs=1e-5)
    for shown in (near.tokens(), near.words()):
        assert shown.values.sum() == pytest.approx(near.cosine, abs=1e-5)
    assert near.words().rows == ("[CLS]", "abc", "d", "[SEP]")
    if pooling == "cls":  # the first word is all that counts
        assert near.words().values[0, 0] == pytest.approx(near.cosine, abs=1e-5)
    first, second, largest = near.words().pairs()[0]
    assert abs(largest) == pytest.approx(near.words().largest)
    assert (first, second) != ("", "")


def test_a_classifier_gives_the_vectors_that_it_decides_from(
    opinions: Path, pooled: EmbeddingPredictor
) -> None:
    assert isinstance(pooled, PooledClassifier)
    vectors = pooled.embed([*SENTENCES, ""])
    assert vectors.shape == (4, 3 * 32)  # three hops of both directions
    assert not vectors[3].any()
    assert pooled.look(SENTENCES[0]).attention.words().rows == ("hop 0", "hop 1", "hop 2")
    one, other = pooled.embed(SENTENCES[:2], normalise=True)
    near = pooled.similarity(*SENTENCES[:2])
    assert near.cosine == pytest.approx(float(one @ other), abs=1e-5)
    assert near.words().rows == ("이", "책은", "아주", "좋다", ".")
    with pytest.raises(DataError, match="'' has no words"):
        pooled.similarity("", SENTENCES[0])


def test_models_for_other_tasks_do_not_embed(trained: Path, tiny: SentenceEncoder) -> None:
    with pytest.raises(ConfigError, match="is a model for translation, and one for embedding is needed here"):
        regard.load(trained, task="embedding")
    with pytest.raises(DataError, match="builtin:ko-en:test: no column is called 'sentence1'"):
        regard.evaluate(tiny, "builtin:ko-en:test")
