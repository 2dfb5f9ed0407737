"""What regard trained, opened by `transformers` and `sentence-transformers`."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sentence_transformers import SentenceTransformer
from torch.testing import assert_close
from transformers import AutoModelForMaskedLM, AutoModelForSeq2SeqLM, AutoTokenizer

import regard
from regard.config.data import BuiltinCorpus
from regard.config.load import recipe_from_dict
from regard.config.text import BpeConfig, TextConfig, UnigramConfig, WordPieceConfig
from regard.data.builtin import world_rows
from regard.errors import StoreError
from regard.models.catalogue import build_model
from regard.nn.decoder import DecoderInputs
from regard.store.build import stored_vocabularies
from regard.store.folder import StoredModel, weights_of, write_model
from regard.tasks.masked_lm.predictor import build_bert
from regard.text.portable import portable_files
from regard.text.symbols import BOS, EOS, HIDDEN
from regard.text.tokenizer import Tokenizer

TEXTS = [
    "나는 어제 학교에서 책을 읽었다.",
    "I read a book, didn't I?  Yes",
    "  두 칸\t",
    "Ünïcödé ﬁ ½ 나는",
    "▁밑줄 zzz 😀",
    "",
]


def learned(config: TextConfig) -> Tokenizer:
    rows = world_rows(BuiltinCorpus(rows=200), "train")
    return Tokenizer.learn([str(cell) for row in rows for cell in row[1][:2]], config)


def shaken(model: torch.nn.Module) -> None:
    torch.manual_seed(0)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter), alpha=0.2)


@pytest.mark.parametrize(
    "config",
    [
        BpeConfig(vocabulary_size=500, keep=("[MASK]", "<b>")),
        UnigramConfig(vocabulary_size=500),
        WordPieceConfig(vocabulary_size=600, keep=("[MASK]",)),
    ],
    ids=lambda config: config.kind,
)
def test_a_vocabulary_gives_the_same_tokens(config: TextConfig, tmp_path: Path) -> None:
    ours = learned(config)
    for name, content in portable_files(ours, longest=64, begins=True, where="model").items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    theirs = AutoTokenizer.from_pretrained(tmp_path)
    expected = [[BOS, *encoding.ids, EOS] for encoding in ours.encode_many(TEXTS)]
    assert theirs(TEXTS)["input_ids"] == expected
    for ids in expected[:2]:
        assert theirs.decode(ids, skip_special_tokens=True) == ours.decode(ids[1:-1]).text.text


def test_what_only_regard_can_do_is_refused() -> None:
    with pytest.raises(StoreError, match="model: text: 'jamo' is done by regard itself"):
        portable_files(
            learned(BpeConfig(vocabulary_size=500, split="jamo")), longest=9, begins=True, where="model"
        )


@pytest.fixture(scope="module")
def masked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny masked language model as a training run would store it."""
    recipe: Any = recipe_from_dict(
        {
            "task": "masked-language-model",
            "text": {"kind": "wordpiece", "vocabulary_size": 600, "keep": [HIDDEN]},
            "model": {
                "width": 12,
                "heads": 3,
                "feed_forward": 20,
                "layers": 2,
                "places": 32,
                "pooler": False,
            },
            "data": {"length": 24},
        },
        "recipe",
    )
    tokenizer = learned(recipe.text)
    model = build_bert(recipe, len(tokenizer))
    shaken(model)
    path = tmp_path_factory.mktemp("models") / "masked"
    write_model(path, StoredModel(recipe, weights_of(model), stored_vocabularies((tokenizer,))))
    return path


def test_transformers_opens_a_masked_language_model(masked: Path, tmp_path: Path) -> None:
    regard.export_model(masked, tmp_path / "out")
    theirs, tokenizer = (
        kind.from_pretrained(tmp_path / "out") for kind in (AutoModelForMaskedLM, AutoTokenizer)
    )
    ours = regard.load(masked)
    given = tokenizer([f"나는 {HIDDEN} 읽었다."], return_tensors="pt")["input_ids"]
    assert (given == tokenizer.mask_token_id).sum() == 1
    with torch.inference_mode():
        expected = theirs.eval()(given).logits
        found = ours.head(ours.network(given, torch.tensor([given.shape[1]])))
    assert_close(found, expected, atol=1e-5, rtol=0)


def test_sentence_transformers_opens_it_too(masked: Path, tmp_path: Path) -> None:
    notes = regard.export_model(masked, tmp_path / "out", to="sentence-transformers")
    assert notes == ("the mean of the words is its pooling, since the folder names no other",)
    theirs = SentenceTransformer(str(tmp_path / "out"), device="cpu").encode(TEXTS)
    own = regard.load(masked, task="embedding")
    np.testing.assert_allclose(own.embed(TEXTS), theirs, atol=1e-5)
    np.testing.assert_allclose(regard.load(tmp_path / "out").embed(TEXTS), theirs, atol=1e-5)
    assert own.look(TEXTS[0]).attention.words().rows[:3] == ("<s>", "나는", "어제")
    near = own.similarity(TEXTS[0], TEXTS[1])
    assert near.words().values.sum() == pytest.approx(near.cosine, abs=1e-5)
    with pytest.warns(UserWarning, match="more than the 32 tokens"):
        own.embed("나는 어제 학교에서 " * 20)


def translator(folder: Path, **changes: Any) -> Path:
    model = {
        "kind": "transformer", "width": 12, "heads": 3, "feed_forward": 20, "encoder_layers": 2,
        "decoder_layers": 1, "order": "post", "share_embeddings": True, **changes,
    }  # fmt: skip
    recipe: Any = recipe_from_dict(
        {"model": model, "text": {"kind": "bpe", "vocabulary_size": 500, "joint": True}}, "recipe"
    )
    tokenizer = learned(recipe.text)
    network = build_model(recipe.model, source_size=len(tokenizer), target_size=len(tokenizer))
    shaken(network)
    write_model(folder, StoredModel(recipe, weights_of(network), stored_vocabularies((tokenizer, tokenizer))))
    return folder


def test_transformers_opens_a_translator(tmp_path: Path) -> None:
    path = translator(tmp_path / "own")
    (note,) = regard.export_model(path, tmp_path / "out", to="marian")
    assert "open it with AutoTokenizer" in note
    theirs, tokenizer = (
        kind.from_pretrained(tmp_path / "out") for kind in (AutoModelForSeq2SeqLM, AutoTokenizer)
    )
    ours = regard.load(path)
    given = tokenizer(TEXTS[0], return_tensors="pt")["input_ids"]
    assert given[0].tolist() == [*ours.source_tokenizer.encode(TEXTS[0]).ids, EOS]
    fed = torch.tensor([[BOS, 9, 8, 7]])
    with torch.inference_mode():
        expected = theirs.eval()(given, decoder_input_ids=fed).logits
        found = ours.network.teacher_forced(
            DecoderInputs(given, torch.tensor([given.shape[1]]), fed)
        ).logits()
    assert_close(found, expected, atol=1e-5, rtol=0)
    written = theirs.generate(given, num_beams=1, max_new_tokens=8, forced_eos_token_id=None)[0].tolist()[1:]
    best = ours.translate(TEXTS[0], beam_size=1, max_length_factor=0.0, max_length_extra=8)
    assert list(best.tokens) == [ours.target_tokenizer.piece(token) for token in written if token != EOS]


def test_a_translator_that_marian_is_not(tmp_path: Path) -> None:
    path = translator(tmp_path / "own", order="pre")
    with pytest.raises(StoreError, match=r"model\.order: Marian has post, found pre"):
        regard.export_model(path, tmp_path / "out")
    assert json.loads((path / "config.json").read_text())["recipe"]["model"]["order"] == "pre"
