"""The service gives what the Python API gives."""

import http.client
import time
from pathlib import Path
from typing import Any

import pytest
from tests.server.running import RunningServer, wait_for

import regard
from regard.cli.serve import named_models
from regard.tasks.classification.predictor import Classifier
from regard.tasks.language_model.predictor import LanguageModel
from regard.tasks.translation.predictor import Translator

KOREAN = ["저는 달을 봤어요.", "나는 책을 읽었다.", ""]


def results(server: RunningServer, model: str, operation: str, *texts: str, **options: Any) -> Any:
    answer = server.call(model, operation, *texts, **options)
    assert answer.status == 200, answer.content
    return answer.json["results"]


@pytest.mark.parametrize("attention", [False, True])
def test_translations_are_those_of_python(
    running_server: RunningServer, translator: Translator, attention: bool
) -> None:
    found = results(running_server, "translator", "translate", *KOREAN, attention=attention)
    expected = regard.translate_lines(translator, KOREAN, attention=attention)
    for got, line in zip(found, expected, strict=True):
        wanted = line.to_dict(attention=attention)
        for name in ("score", "log_probability"):
            assert got.pop(name) == pytest.approx(wanted.pop(name), abs=1e-5)
        if attention and line.text:
            weights, others = (each["attention"].pop("words")["weights"] for each in (got, wanted))
            assert [*map(pytest.approx, weights)] == others
        assert got == wanted


def test_labels_completions_and_vectors_are_those_of_python(
    running_server: RunningServer, classifier: Classifier, language_model: LanguageModel, minilm: Path
) -> None:
    (label,) = results(running_server, "opinions", "classify", "이 책은 아주 좋다.")
    assert label["label"] == classifier.classify("이 책은 아주 좋다.").label
    (written,) = results(running_server, "language", "complete", "나는")
    assert written["text"] == language_model.complete("나는").text
    (vector,) = results(running_server, "minilm", "embed", "a book")
    assert vector["vector"] == pytest.approx(regard.load(minilm).embed("a book"), abs=1e-5)


def test_it_says_what_it_serves(running_server: RunningServer) -> None:
    """To people in one line on stdout, to programs at its root."""
    server, names = running_server, "translator, opinions, language, tagger, minilm"
    wait_for(lambda: "\n" in server.told)
    assert server.told == f"{names} at {server.url} (Ctrl-C ends it)\n"
    found = server.get("/").json
    assert ", ".join(found["models"]) == names
    assert found["models"]["minilm"] == "embedding"
    paths = {path for own in found["protocols"].values() for path in own}
    assert paths >= {"/translate", "/v1/embeddings", "/embed", "/v1/regard/classify"}
    assert paths < set(server.get(found["description"]).json["paths"])


def test_a_model_has_the_name_that_the_user_typed(opinions: Path, tmp_path: Path) -> None:
    """A link has its own, not that of what it leads to."""
    (tmp_path / "mood").symlink_to(opinions)
    (opinions / "below").mkdir(exist_ok=True)
    given = [f"{tmp_path}/mood", f"other={opinions}", f"{opinions}/below/.."]
    assert list(named_models(given)) == ["mood", "other", opinions.name]


def test_an_answer_is_not_held_back(running_server: RunningServer) -> None:
    """On a connection that is kept, small packets would wait 40 ms for each other."""
    connection = http.client.HTTPConnection("127.0.0.1", running_server.port)
    seconds = []
    for _ in range(20):
        begun = time.monotonic()
        connection.request("GET", "/healthz")
        assert connection.getresponse().read() == b'{"status":"ok"}'
        seconds.append(time.monotonic() - begun)
    connection.close()
    assert min(seconds[5:]) < 0.03


def test_tokens_there_and_back(running_server: RunningServer) -> None:
    (found,) = results(running_server, "translator", "tokenize", KOREAN[0])
    ids = [token["id"] for token in found["tokens"]]
    asked = {"model": "translator", "ids": ids, "side": "source"}
    assert running_server.post("/v1/regard/decode", asked).json["result"] == {"text": KOREAN[0]}
