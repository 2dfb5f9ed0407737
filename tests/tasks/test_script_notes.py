"""A text in a script that a model never saw is noted in the result of every task; others are not."""

import json
import warnings
from pathlib import Path

import pytest
from tests.conftest import Run
from tests.tasks.tiny_encoder import write_tiny_encoder

import regard
from regard.tasks.classification.predictor import Classifier
from regard.tasks.embedding.predictor import EmbeddingPredictor
from regard.tasks.language_model.predictor import LanguageModel
from regard.tasks.tagging.predictor import Tagger
from regard.tasks.translation.predictor import Translator

KNOWN, THAI = "저는 달을 봤어요.", "ฉันอ่านหนังสือเมื่อวานนี้"
NOTE = "the text is in Thai letters, which this model was not trained on; do not trust its output"


def test_every_result_says_so(
    translator: Translator, classifier: Classifier, tagger: Tagger, language_model: LanguageModel
) -> None:
    for known, foreign in (
        translator.translate([KNOWN, THAI]),
        translator.force([(KNOWN, "I"), (THAI, "I")]),
        translator.score([(KNOWN, "I"), (THAI, "I")]),
        classifier.classify([KNOWN, THAI]),
        tagger.tag([KNOWN, THAI]),
        language_model.complete([KNOWN, THAI]),
        language_model.score([KNOWN, THAI]),
        [language_model.look(text) for text in (KNOWN, THAI)],
    ):
        assert (known.notes, foreign.notes) == ((), (NOTE,))
        assert "notes" not in known.to_dict()
        assert json.loads(json.dumps(foreign.to_dict()))["notes"] == [NOTE]


def test_vectors_come_with_a_warning(tmp_path: Path) -> None:
    model = regard.load(write_tiny_encoder(tmp_path / "model"))
    assert isinstance(model, EmbeddingPredictor)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.embed("a b c")
    with pytest.warns(UserWarning, match="the text is in Thai letters"):
        model.embed(["a b c", THAI])
    assert model.look(THAI).notes == (NOTE,)


def test_commands_say_so_once_and_count_the_rest(run: Run, trained: Path, tmp_path: Path) -> None:
    embeds = write_tiny_encoder(tmp_path / "model")
    done = run("translate", trained, "--json", text=f"{KNOWN}\n{THAI}\n\n{THAI}\n")
    assert [json.loads(line).get("notes") for line in done.stdout.splitlines()] == [
        None,
        [NOTE],
        None,
        [NOTE],
    ]
    assert f"<stdin>:2: {NOTE}\n1 more line: {NOTE}\n" in done.stderr
    assert f"<stdin>:1: {NOTE}\n" in run("embed", embeds, text=f"{THAI}\n").stderr
    assert "Thai" not in run("translate", trained, "-q", text=f"{THAI}\n").stderr
