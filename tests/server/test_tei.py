"""Text Embeddings Inference: the client of Hugging Face, and plain requests, against a running service."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from huggingface_hub import InferenceClient
from huggingface_hub.errors import HfHubHTTPError
from tests.server.in_process import InProcess
from tests.server.running import RunningServer
from tests.tasks.pairs import train_pairs

import regard
from regard.server.protocols import tei
from regard.server.settings import Settings
from regard.tasks.classification.predictor import Classifier

TEXTS = ["a book", "she reads a book", "the sea"]
OPINION = "이 책은 아주 좋다."


def test_vectors_and_cosines_are_those_of_python(running_server: RunningServer, minilm: Path) -> None:
    encoder = regard.load(minilm)
    vectors = encoder.embed(TEXTS, normalise=True)
    for url in ("/embed", "/tei/minilm/embed", "/tei/minilm"):
        client = InferenceClient(running_server.url + url)
        assert np.allclose(client.feature_extraction(TEXTS[0]), vectors[:1], atol=1e-6)
        assert np.allclose(client.feature_extraction(TEXTS), vectors, atol=1e-6)
    raw = InferenceClient(running_server.url + "/embed").feature_extraction(TEXTS[2], normalize=False)
    assert np.allclose(raw[0], encoder.embed(TEXTS[2]), atol=1e-6)
    cosines = [float(vectors[0] @ other) for other in vectors[1:]]
    for url in ("/similarity", "/tei/minilm"):
        client = InferenceClient(running_server.url + url)
        found = client.sentence_similarity(TEXTS[0], other_sentences=TEXTS[1:])
        assert found == pytest.approx(cosines, abs=1e-6)
    ranked = running_server.post("/rerank", {"query": TEXTS[0], "texts": TEXTS[:0:-1], "return_text": True})
    assert [(one["index"], one["text"]) for one in ranked.json] == [(1, TEXTS[1]), (0, TEXTS[2])]
    assert [one["score"] for one in ranked.json] == pytest.approx(sorted(cosines, reverse=True), abs=1e-6)


def test_labels_are_those_of_python(running_server: RunningServer, classifier: Classifier) -> None:
    expected = classifier.classify(OPINION).probabilities
    for url in ("/predict", "/tei/opinions", "/"):
        found: Any = InferenceClient(running_server.url + url).text_classification(OPINION)
        assert {one.label: one.score for one in found} == pytest.approx(dict(expected), abs=1e-6)
        assert found[0].score > found[1].score
    first: Any = InferenceClient(running_server.url + "/predict").text_classification(OPINION, top_k=1)
    assert len(first) == 1
    (one, other) = running_server.post("/predict", {"inputs": [[OPINION], [""]]}).json
    assert one[0]["label"] == found[0].label
    assert other == []
    assert running_server.post("/predict", {"inputs": OPINION}).json == one


def test_tokens_there_and_back(running_server: RunningServer) -> None:
    (tokens,) = running_server.post("/tei/minilm/tokenize", {"inputs": "a book"}).json
    assert [(token["id"], token["special"], token["start"]) for token in tokens] == [
        (101, True, None), (1037, False, 0), (2338, False, 2), (102, True, None)
    ]  # fmt: skip
    plain = {"inputs": ["a book"], "add_special_tokens": False}
    assert running_server.post("/tei/minilm/tokenize", plain).json == [tokens[1:3]]
    ids = [token["id"] for token in tokens]
    assert running_server.post("/tei/minilm/decode", {"ids": ids}).json == ["a book"]
    assert running_server.post("/tei/minilm/decode", {"ids": [ids, [2338]]}).json == ["a book", "book"]


def test_what_is_served(running_server: RunningServer) -> None:
    client = InferenceClient(f"{running_server.url}/tei/minilm", provider="hf-inference")
    assert client.health_check()
    told = client.get_endpoint_info()
    assert told["model_id"] == "minilm"
    assert "embedding" in told["model_type"]
    assert told["max_client_batch_size"] == 32
    other = running_server.get("/info").json
    assert other["model_type"]["classifier"]["label2id"] == {"negative": 0, "positive": 1}
    assert running_server.get("/health").status == 200


@pytest.mark.parametrize(
    ("path", "asked", "status", "kind"),
    [
        ("/embed_sparse", {"inputs": "a"}, 424, "Backend"),
        ("/tei/minilm/embed_all", {"inputs": "a"}, 424, "Backend"),
        ("/tei/opinions/embed", {"inputs": "a"}, 424, "Backend"),
        ("/tei/opinions/rerank", {"query": "a", "texts": ["b"]}, 424, "Backend"),
        ("/predict", {"inputs": "a", "raw_scores": True}, 424, "Backend"),
        ("/embed", {"inputs": ["a"] * 33}, 422, "Validation"),
        ("/embed", {"inputs": []}, 422, "Validation"),
        ("/embed", {"inputs": "가" * 10_001}, 413, "Validation"),
        ("/embed", {"inputs": "a", "dimensions": 5}, 424, "Backend"),
        ("/embed", {"inputs": "word " * 600, "truncate": False}, 422, "Validation"),
        ("/rerank", {"query": "a", "texts": []}, 422, "Validation"),
        ("/decode", {"ids": [-1]}, 422, "Validation"),
        ("/tei/none/embed", {"inputs": "a"}, 404, "Validation"),
        ("/tei/%0A/embed", {"inputs": "a"}, 404, "Validation"),
    ],
)
def test_what_is_refused(
    running_server: RunningServer, path: str, asked: dict[str, Any], status: int, kind: str
) -> None:
    answer = running_server.post(path, asked)
    assert answer.status == status, answer.content
    assert sorted(answer.json) == ["error", "error_type"]
    assert answer.json["error_type"] == kind


def test_its_client_raises_what_it_raises_elsewhere(running_server: RunningServer) -> None:
    with pytest.raises(HfHubHTTPError) as refused:
        InferenceClient(f"{running_server.url}/tei/opinions/embed").feature_extraction("a")
    assert "cannot embed" in json.loads(refused.value.response.content)["error"]


def test_pairs_are_ranked_by_the_label_that_means_yes(tmp_path: Path) -> None:
    train_pairs(tmp_path / "run")
    model: Any = regard.load(tmp_path / "run")
    service, app = InProcess(pairs=model), FastAPI()
    app.include_router(tei.router(service, Settings({})))
    query, texts = "나는 책을 읽었다.", ["나는 책을 샀다.", "그는 학교에 갔다.", "나는 책을 읽었다."]
    expected = [found.probabilities["entailment"] for found in model.classify([query] * 3, texts)]
    with TestClient(app) as client:
        ranked = client.post("/rerank", json={"query": query, "texts": texts}).json()
        assert [one["score"] for one in ranked] == pytest.approx(sorted(expected, reverse=True), abs=1e-6)
        assert [expected[one["index"]] for one in ranked] == pytest.approx([one["score"] for one in ranked])
        (pair,) = client.post("/predict", json={"inputs": [[query, texts[0]]]}).json()
        assert client.post("/predict", json={"inputs": [query, texts[0]]}).json() == pair
        assert {one["label"]: one["score"] for one in pair}["entailment"] == pytest.approx(
            expected[0], abs=1e-6
        )


def test_a_number_is_no_boolean(running_server: RunningServer) -> None:
    """JSON has types, and the document says which."""
    assert running_server.post("/embed", {"inputs": "a book", "truncate": 0.0}).status == 422
