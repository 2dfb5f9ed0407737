"""Hidden words: what is told, what was looked at, and what an edit changes."""

import tracemalloc
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.training.test_masked_language_model import TINY
from tokenizers import Tokenizer as Backend
from tokenizers import models, pre_tokenizers, processors
from torch.testing import assert_close
from transformers import BertConfig, BertForMaskedLM

import regard
from regard.errors import ConfigError, DataError
from regard.tasks.masked_lm.predictor import FillMask, MaskedLanguageModel

TEXT = "나는 [MASK]에 갔다."
LARGER = ["data.train.rows=800", "data.dev.rows=40", "model.width=32", "model.feed_forward=64",
          "training.optimizer.learning_rate=0.01", "training.epochs=2", "training.schedule.warmup_steps=10",
          "training.batch_tokens=512"]  # fmt: skip


@pytest.fixture(scope="module", params=["wordpiece", "bpe"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> MaskedLanguageModel:
    out = tmp_path_factory.mktemp("fill") / "r"
    kind = f"text={{kind: {request.param}, vocabulary_size: 500}}"
    regard.train("bert-tiny", out=out, set_=[*TINY, *LARGER, kind], quiet=True)
    return regard.load(out, task="masked-language-model")


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as transformers writes it: a small random BERT, and a tokenizer of whole words."""
    folder = tmp_path_factory.mktemp("foreign") / "m"
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "나는", "학교에", "갔다", "바다에", "."]
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(words), hidden_size=12, num_attention_heads=3, intermediate_size=20,
        num_hidden_layers=2, max_position_embeddings=16, initializer_range=0.5,
    )  # fmt: skip
    BertForMaskedLM(config).save_pretrained(folder)
    backend = Backend(models.WordPiece({word: n for n, word in enumerate(words)}, unk_token="[UNK]"))
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    backend.add_special_tokens(words[:5])
    backend.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    backend.save(str(folder / "tokenizer.json"))
    return folder


def test_words_are_ranked_and_their_probabilities_are_those_of_the_model(model: MaskedLanguageModel) -> None:
    filled = model.fill(TEXT, n_best=400)
    (hidden,) = filled.hidden
    said = [one.probability for one in hidden.candidates]
    assert said == sorted(said, reverse=True)
    assert hidden.distribution.sum() == pytest.approx(1.0)
    assert not {"<s>", "</s>", "[MASK]", "", "<pad>"} & {one.word for one in hidden.candidates}
    encoding = model.masked_text.encode([TEXT])[0]
    ids = torch.tensor([[2, *encoding.ids, 3]])
    with torch.no_grad():
        states = model.network(ids, torch.tensor([ids.shape[1]]))
        logits = model.head(states[0, hidden.token])
    assert_close(torch.tensor(hidden.distribution), logits.double().softmax(-1), atol=1e-6, rtol=0)


def test_it_has_learned_something(model: MaskedLanguageModel) -> None:
    """Far better than chance: of 500 entries, chance would tell one word in 500."""
    found = regard.evaluate(model, "{kind: builtin, world: ko-en, split: test, rows: 60, max_words: 5}",
                            samples=0, quiet=True)  # fmt: skip
    assert found.metrics["accuracy"] > 0.08


def test_several_places(model: MaskedLanguageModel) -> None:
    filled = model.fill("[MASK] 책을 [MASK].")
    assert len(filled.hidden) == 2
    assert "[MASK]" not in filled.text
    assert filled.text.startswith(filled.hidden[0].candidates[0].word)


def test_a_text_alone_is_as_in_a_batch(model: MaskedLanguageModel) -> None:
    texts = [TEXT, "[MASK] 책을 [MASK].", "그 여자는 어제 [MASK] 집에서 책을 읽었다."]
    every = 10_000  # more than there are words
    for text, together in zip(texts, model.fill(texts, n_best=every), strict=True):
        for one, other in zip(model.fill(text, n_best=every).hidden, together.hidden, strict=True):
            said = [{word.piece: word.probability for word in own.candidates} for own in (one, other)]
            assert said[0] == pytest.approx(said[1], abs=1e-5)
    lines = model.fill_lines([("f:1", TEXT), ("f:2", ""), None, ("f:3", TEXT)])
    assert [len(one.hidden) for one in lines] == [1, 0, 1]


def test_many_texts_do_not_hold_a_vocabulary_for_each_place(model: MaskedLanguageModel) -> None:
    lines = [(f"f:{row}", "[MASK] " * 12) for row in range(100)]
    list(model.fill_lines(lines[:1], n_best=1))
    tracemalloc.start()
    found = list(model.fill_lines(lines, n_best=1))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    places = [place for one in found for place in one.hidden]
    assert len(places) == 1200
    assert not any(place.distribution.size for place in places)
    assert peak < len(places) * 500 * 8 / 2  # half of what all would take, with a vocabulary of 500


def test_the_attention_of_a_place(model: MaskedLanguageModel) -> None:
    filled = model.fill(TEXT)
    words, weights = zip(*filled.hidden[0].looked_at, strict=True)
    assert words == ("<s>", "나는", "[MASK]", "에", "갔다", ".", "</s>")
    assert sum(weights) == pytest.approx(1.0, abs=1e-5)
    maps = filled.attention.maps()
    assert len(maps) == 4, "two layers of two heads"
    assert filled.attention.select(layer=1, head=0)[0].weights.shape == (len(maps[0].rows),) * 2
    assert model.fill(TEXT, attention=False).hidden[0].looked_at == ()


@pytest.mark.parametrize(
    ("edit", "changes"),
    [
        (regard.mask("갔다"), True),
        (regard.mask_head("encoder.1.self", 1), True),
        (regard.remove("나는"), True),
        (regard.reweight("갔다", 1.0), False),
    ],
)
def test_edits(model: MaskedLanguageModel, edit: Any, changes: bool) -> None:
    effect = model.fill(TEXT, edit=edit)
    assert (effect.divergence > 1e-9) == changes
    assert "KL(before ‖ after)" in str(effect)
    assert effect.to_dict()["changed"] == effect.changed
    if isinstance(edit, type(regard.mask("x"))) and changes:
        row = effect.attention.words(layer=0)
        assert row.weights[:, row.columns.index("갔다")].max() == 0


def test_what_cannot_be_filled_is_told(model: MaskedLanguageModel) -> None:
    with pytest.raises(
        DataError, match=r"the text: expected a text with \[MASK\] in it, found '책을 읽었다.'"
    ):
        model.fill("책을 읽었다.")
    with pytest.raises(DataError, match="f:7: expected at most 38 tokens, found"):
        list(model.fill_lines([("f:7", "[MASK] " * 60)]))
    lines = model.fill_lines([("f:1", TEXT), ("f:2", "책을 읽었다.")])
    assert next(lines).source == TEXT, "those before it come first"
    with pytest.raises(DataError, match=r"f:2: expected a text with \[MASK\]"):
        next(lines)
    with pytest.raises(DataError, match="a masked word cannot be removed"):
        model.fill("나는 [MASK] 갔다.", edit=regard.remove("[MASK]"))
    with pytest.raises(DataError, match="<s>, </s> frame every sentence"):
        model.fill(TEXT, edit=regard.remove("</s>"))
    with pytest.raises(DataError, match="expected one word or more for each mask, found 0"):
        model.fill(TEXT, n_best=0)


def test_a_folder_of_transformers_fills_too(foreign: Path) -> None:
    filler = regard.load_fill_mask(foreign)
    assert type(filler) is FillMask
    text = "나는 [MASK] 갔다."
    (hidden,) = filler.fill(text).hidden
    theirs = BertForMaskedLM.from_pretrained(foreign).eval()
    with torch.no_grad():
        logits = theirs(torch.tensor([[2, 5, 4, 7, 9, 3]])).logits[0, 2]
    assert_close(torch.tensor(hidden.distribution), logits.double().softmax(-1), atol=1e-5, rtol=0)
    assert [one[0] for one in hidden.looked_at] == ["[CLS]", "나는", "[MASK]", "갔다", ".", "[SEP]"]
    assert not {"[MASK]", "[CLS]", ""} & {one.word for one in hidden.candidates}
    assert filler.fill(text, edit=regard.mask("나는")).divergence > 0


def test_a_folder_without_the_head_is_refused(foreign: Path, tmp_path: Path) -> None:
    BertForMaskedLM.from_pretrained(foreign).bert.save_pretrained(tmp_path / "m")
    (tmp_path / "m" / "tokenizer.json").write_bytes((foreign / "tokenizer.json").read_bytes())
    with pytest.raises(ConfigError, match="has no masked language model's head; it cannot fill"):
        regard.load_fill_mask(tmp_path / "m")
