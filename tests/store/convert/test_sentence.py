"""Settings of sentence-transformers' folders: what changes a vector there is read, or refused by its name."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules.transformer import Transformer
from sentence_transformers.sentence_transformer.modules import Normalize
from tests.tasks.test_sentence_encoder import TEXTS, assert_same_vectors, small, stored

import regard
from regard.errors import StoreError
from regard.store.convert import sentence
from regard.tasks.embedding.sentence_encoder import SentenceEncoder

__all__ = ["small"]  # a fixture
pytestmark = pytest.mark.filterwarnings("ignore:.* was not read")
SETTINGS = "sentence_bert_config.json"
LEGACY = [
    f"sentence_{kind}_config.json"
    for kind in ("roberta", "distilbert", "camembert", "albert", "xlm-roberta", "xlnet")
]
CASED = [*TEXTS, "ABC dE", "a B C d e f g"]


@pytest.fixture
def folder(small: Path, tmp_path: Path) -> Path:
    """A model that tells small letters from others, as sentence-transformers stores it."""
    tell(small / "tokenizer_config.json", do_lower_case=False)
    stored(small, tmp_path / "model", ["mean"], Normalize())
    return tmp_path / "model"


def tell(path: Path, **changes: Any) -> None:
    """Change some values of a JSON file, or begin one."""
    told = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps({**told, **changes}))


def theirs_of(folder: Path) -> SentenceTransformer:
    return SentenceTransformer(str(folder), device="cpu")


@pytest.mark.parametrize("name", LEGACY)
def test_each_family_had_a_settings_file(folder: Path, name: str) -> None:
    plain = SentenceEncoder.open(folder).embed(CASED)
    (folder / SETTINGS).unlink()
    tell(folder / name, max_seq_length=4, do_lower_case=True)
    ours = SentenceEncoder.open(folder)
    assert_same_vectors(ours, theirs_of(folder), CASED)
    assert np.abs(ours.embed(CASED) - plain).max() > 0.1, "these settings are to count"


def test_the_first_settings_that_say_something_count(folder: Path) -> None:
    (folder / SETTINGS).write_text("{}")
    for longest, name in enumerate(LEGACY, start=4):
        tell(folder / name, max_seq_length=longest)
    for longest, name in enumerate(LEGACY, start=4):
        theirs, ours = theirs_of(folder), SentenceEncoder.open(folder)
        assert ours.longest == theirs.max_seq_length == longest
        assert_same_vectors(ours, theirs, CASED)
        (folder / name).unlink()


def test_a_settings_file_is_named_as_it_is(folder: Path) -> None:
    (folder / SETTINGS).unlink()
    tell(folder / LEGACY[0], max_seq_length="long")
    with pytest.raises(StoreError, match=f"{LEGACY[0]}: max_seq_length: expected a number of tokens"):
        SentenceEncoder.open(folder)


OVERRIDES: list[tuple[str, dict[str, Any]]] = [
    ("tokenizer_args", {"model_max_length": 4}),
    ("processor_kwargs", {"model_max_length": 4}),
    ("config_args", {"hidden_act": "relu"}),
    ("config_kwargs", {"hidden_act": "relu"}),
    ("model_args", {"dtype": "float64"}),
    ("model_kwargs", {"dtype": "float64"}),
]


@pytest.mark.parametrize(("field", "value"), OVERRIDES)
def test_settings_that_change_the_encoder_are_refused(
    folder: Path, tmp_path: Path, field: str, value: dict[str, Any]
) -> None:
    tell(folder / SETTINGS, **{field: value})
    with pytest.raises(StoreError) as caught:
        SentenceEncoder.open(folder)
    assert str(caught.value).startswith(f"{folder / SETTINGS}: {field}: ")
    assert repr(value) in str(caught.value)
    assert "\n" not in str(caught.value)
    theirs = theirs_of(folder)
    theirs.save(str(tmp_path / "again"))  # as the message says
    assert_same_vectors(SentenceEncoder.open(tmp_path / "again"), theirs, CASED)


TEXT = {"method": "forward", "method_output_name": "last_hidden_state"}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("processing_kwargs", {"text": {"max_length": 4}}),
        ("modality_config", {"text": {**TEXT, "method_output_name": ["hidden_states", 1]}}),
        ("modality_config", {}),
        ("modality_config", {"text": TEXT, "message": {**TEXT, "format": "flat"}}),
        ("module_output_name", "sentence_embedding"),
        ("transformer_task", "fill-mask"),
        ("query_length", 4),
        ("document_length", 4),
        ("query_expansion", {"strategy": "fixed", "length": 8}),
        ("tokenizer_name_or_path", "bert-base-uncased"),
        ("tokenizer_kwargs", {"model_max_length": 4}),
        ("no_such_setting", True),
        ("do_lower_case", 1),
    ],
)
def test_settings_that_regard_does_not_follow_are_refused(folder: Path, field: str, value: Any) -> None:
    tell(folder / SETTINGS, **{field: value})
    with pytest.raises(StoreError) as caught:
        SentenceEncoder.open(folder)
    assert str(caught.value).startswith(f"{folder / SETTINGS}: {field}: expected ")
    assert str(caught.value).endswith(f"found {value!r}"[:66])


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"tokenizer_args": {}, "model_args": {}, "config_args": {}, "processing_kwargs": {}},
        {"query_length": None, "document_length": None, "query_expansion": None, "unpad_inputs": False},
    ],
)
def test_settings_that_say_nothing_else_are_no_hindrance(folder: Path, changes: dict[str, Any]) -> None:
    tell(folder / SETTINGS, **changes)
    assert_same_vectors(SentenceEncoder.open(folder), theirs_of(folder), CASED)


def test_what_is_written_for_texts_is_known() -> None:
    """A field that a new version writes is to be looked at here."""
    told = {*sentence._READ, *sentence._OF_TEXTS, *Transformer._DEFAULT_CONFIG_VALUES, "processing_kwargs"}
    assert set(Transformer.config_keys) <= told


@pytest.mark.parametrize(
    ("names", "field"),
    [
        ({"module_input_name": "token_embeddings"}, "module_input_name"),
        (
            {"module_input_name": "token_embeddings", "module_output_name": "token_embeddings"},
            "module_input_name",
        ),
        ({"module_output_name": "normalised"}, "module_output_name"),
    ],
)
def test_only_the_vector_of_a_text_is_normalised(folder: Path, names: dict[str, Any], field: str) -> None:
    path = folder / "2_Normalize" / "config.json"
    path.write_text(json.dumps(names))
    lengths = np.linalg.norm(theirs_of(folder).encode(CASED), axis=1)
    assert np.abs(lengths - 1).max() > 0.1, "sentence-transformers leaves it as it is"
    with pytest.raises(StoreError) as caught:
        SentenceEncoder.open(folder)
    assert str(caught.value).startswith(f"{path}: {field}: expected sentence_embedding, found ")


@pytest.mark.parametrize(
    "names", [{}, {"module_output_name": None}, {"module_input_name": "sentence_embedding"}]
)
def test_the_vector_of_a_text_is_normalised_by_default(folder: Path, names: dict[str, Any]) -> None:
    (folder / "2_Normalize" / "config.json").write_text(json.dumps(names))
    assert_same_vectors(SentenceEncoder.open(folder), theirs_of(folder), CASED)


@pytest.mark.parametrize(
    ("modes", "is_listed"),
    [
        (["mean", "cls"], True),
        (["max", "cls"], True),
        (["mean", "mean"], True),
        (["cls", "max", "mean"], False),
        (["mean"], False),
    ],
)
def test_the_order_of_poolings_is_kept(
    small: Path, tmp_path: Path, modes: list[str], is_listed: bool
) -> None:
    theirs = stored(small, tmp_path / "theirs", modes)
    regard.import_model(tmp_path / "theirs", tmp_path / "own")
    np.testing.assert_allclose(theirs_of(tmp_path / "own").encode(TEXTS), theirs.encode(TEXTS), atol=1e-6)
    assert_same_vectors(SentenceEncoder.open(tmp_path / "own"), theirs, TEXTS)
    told = json.loads((tmp_path / "own" / "1_Pooling" / "config.json").read_text())
    assert ("pooling_mode" in told) == is_listed, "older versions read flags alone"


@pytest.mark.parametrize("name", ["cosine", "dot", "euclidean", "manhattan"])
def test_how_vectors_are_compared_is_kept(small: Path, tmp_path: Path, name: str) -> None:
    theirs = stored(small, tmp_path / "theirs", ["mean"], similarity_fn_name=name)
    regard.import_model(tmp_path / "theirs", tmp_path / "own")
    regard.export_model(tmp_path / "own", tmp_path / "back", to="sentence-transformers")
    back = theirs_of(tmp_path / "back")
    assert back.similarity_fn_name == name
    vectors = theirs.encode(TEXTS)
    np.testing.assert_allclose(back.similarity(vectors, vectors), theirs.similarity(vectors, vectors))


def test_an_unknown_comparison_is_refused(folder: Path) -> None:
    path = folder / "config_sentence_transformers.json"
    tell(path, similarity_fn_name=None)
    assert theirs_of(folder).similarity_fn_name == "cosine"
    assert sentence.read_sentence_encoder(folder).similarity == "cosine"
    tell(path, similarity_fn_name="maxsim")
    with pytest.raises(StoreError, match=r"similarity_fn_name: expected one of cosine, .* found 'maxsim'"):
        SentenceEncoder.open(folder)


def test_vectors_that_would_be_cut_short_are_refused(folder: Path) -> None:
    tell(folder / "config_sentence_transformers.json", truncate_dim=5)
    assert theirs_of(folder).encode(TEXTS).shape[1] == 5
    with pytest.raises(StoreError, match=r"truncate_dim: regard gives whole vectors, found 5"):
        SentenceEncoder.open(folder)
