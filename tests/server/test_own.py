"""regard's own protocol: what it answers is what Python says on the same model."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.conftest import Make
from tests.server.own_models import near, write_models
from tests.server.running import Answer, RunningServer
from tests.store.convert.test_heads import OTHER, TEXT

import regard
from regard.analysis.alarms import check_alarms
from regard.analysis.check import check_model
from regard.analysis.options import CheckOptions
from regard.data.pairs import Pair
from regard.evaluation.test_set import TestSet
from regard.insight.attention_bytes import from_bytes
from regard.insight.record import AttentionRecord
from regard.tasks.translation.predictor import Translator

KOREAN = "저는 달을 봤어요."
PRAISE = "이 책은 아주 좋다."
MASKED = "나는 [MASK]에 간다."
EDITS = [{"edit": "mask", "word": 0}, {"edit": "remove", "word": 1}]
MADE = (regard.mask(0), regard.remove(1))
ACCEPT = "application/vnd.regard.attention"


@pytest.fixture(scope="session")
def folders(
    trained: Path, opinions: Path, language_run: Path, parts_of_speech: Path, minilm: Path,
    made_once: Make, tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, Path]:  # fmt: skip
    own = write_models(tmp_path_factory.mktemp("own"), made_once)
    known = {"translator": trained, "opinions": opinions, "language": language_run}
    return {**known, "tagger": parts_of_speech, "minilm": minilm, **own}


@pytest.fixture(scope="session")
def models(folders: dict[str, Path]) -> dict[str, Any]:
    """The models, loaded here."""
    return {name: regard.load(folder) for name, folder in folders.items()}


@pytest.fixture(scope="session")
def more_models(folders: dict[str, Path]) -> Iterator[RunningServer]:
    """A service of those that the service of the session lacks."""
    with RunningServer({name: folders[name] for name in ("marian", "pairs", "answers", "fills")}) as server:
        server.wait_until_ready()
        yield server


@pytest.fixture
def ask(running_server: RunningServer, more_models: RunningServer) -> Callable[..., Answer]:
    """Ask the service that has a model."""

    def post(model: str, operation: str, values: dict[str, Any], **headers: str) -> Answer:
        one = running_server if model.partition("@")[0] in KEPT else more_models
        return one.post(f"/v1/regard/{operation}", {"model": model, **values}, **headers)

    return post


KEPT = ("translator", "opinions", "language", "tagger", "minilm")


def without(values: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in names}


def looked(seen: Any) -> dict[str, Any]:
    """What is compared of a look: the result, its main map, and every map."""
    maps = [one.to_dict() for one in seen.attention.maps()]
    words = seen.attention.words("tokens").to_dict()
    return {**without(seen.to_dict(), "attention"), "words": words, "maps": maps}


def as_looked(found: dict[str, Any]) -> dict[str, Any]:
    shown = found["attention"]
    return {**without(found, "attention"), "words": shown["words"], "maps": shown["maps"]}


def changed(effect: Any) -> dict[str, Any]:
    values = json.loads(json.dumps(effect.to_dict()))
    for name, result in (("before", effect.before), ("after", effect.after)):
        values[name].pop("attention", None)
        values[name]["words"] = result.attention.words().to_dict()
    return dict(values)


def as_changed(found: dict[str, Any]) -> dict[str, Any]:
    for name in ("before", "after"):
        found[name]["words"] = found["attention"][name]["words"]
    return without(found, "attention")


def row_of(model: Any, *texts: str) -> dict[str, Any]:
    return dict(json.loads(json.dumps(model.explain(*texts, row=1).to_dict())))


TEXTS: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "translator": ({"text": KOREAN}, (KOREAN,)),
    "marian": ({"text": "the cat sees a dog", "target": "die"}, ("the cat sees a dog", "die")),
    "opinions": ({"text": PRAISE}, (PRAISE,)),
    "pairs": ({"text": TEXT, "second": OTHER}, (TEXT, OTHER)),
    "tagger": ({"text": "그 학생이 책을 읽었다 ."}, ("그 학생이 책을 읽었다 .",)),
    "language": ({"text": "나는 책을 읽었다."}, ("나는 책을 읽었다.",)),
    "answers": ({"question": OTHER, "text": TEXT}, (OTHER, TEXT)),
    "fills": ({"text": MASKED}, (MASKED,)),
    "minilm": ({"text": "a man sleeps"}, ("a man sleeps",)),
}
EXPLAINED = ("translator", "marian", "opinions", "pairs", "language")


@pytest.mark.parametrize("name", TEXTS)
def test_looks_edits_and_causes_are_those_of_python(
    name: str, ask: Callable[..., Answer], models: dict[str, Any]
) -> None:
    given, texts = TEXTS[name]
    model = models[name]
    seen = ask(name, "look", {**given, "unit": "tokens", "maps": True})
    assert seen.status == 200, seen.content
    near(as_looked(seen.json["result"]), looked(model.look(*texts)))
    wanted = MADE[:1] if name == "language" else MADE  # which reads no more than its own text
    told = ask(name, "edit", {**given, "edits": EDITS[: len(wanted)]})
    assert told.status == 200, told.content
    near(as_changed(told.json["result"]), changed(model.look(*texts, edit=wanted)))
    nothing = ask(name, "edit", {**given, "edits": []}).json["result"]
    assert nothing["before"] == nothing["after"]  # in every bit
    if name in EXPLAINED:
        row = ask(name, "explain", {**given, "row": 1})
        near(row.json["result"], row_of(model, *texts))
    else:
        refused = ask(name, "explain", {**given, "row": 1})
        assert (refused.status, refused.json["error"]["code"]) == (400, "unsupported")
        assert "look" in refused.json["error"]["message"]
    by = ["removal", "attention"]
    asked = {**given, "second": "a dog sleeps"} if name == "minilm" else given
    beside = {"second": "a dog sleeps"} if name == "minilm" else without(given, "text", "question")
    if name == "answers":
        beside = {"second": TEXT}
    found = ask(name, "causes", {**asked, "by": by})
    expected = model.causes(texts[0], by=by, **beside).to_dict()
    near(found.json["result"], json.loads(json.dumps(expected)))


def alarms_of(model: Any, source: str, output: str) -> dict[str, Any]:
    (judged,) = check_alarms(model, [Pair(source, output, "row:1")], None, [output]).judged
    return {"severity": judged.severity, "alarms": [one.to_dict() for one in judged.raised]}


def checked(model: Any) -> Any:
    rows = TestSet.of([Pair(KOREAN, "I saw the moon.", f"row:{n}") for n in (1, 2, 3)])
    return check_model(model, rows, CheckOptions(), name="translator", only=["measures"]).to_dict()


CALLS: dict[str, tuple[str, str, dict[str, Any], Callable[[Any], Any]]] = {
    "tag": ("tagger", "tag", {"text": "그 책"}, lambda m: without(m.tag("그 책").to_dict(), "attention")),
    "answer": (
        "answers",
        "answer",
        {"question": OTHER, "text": TEXT, "n_best": 2, "attention": True},
        lambda m: m.answer(OTHER, TEXT, n_best=2).to_dict(),
    ),
    "fill": (
        "fills",
        "fill",
        {"text": MASKED, "n_best": 3},
        lambda m: without(m.fill(MASKED, n_best=3, attention=False).to_dict(), "attention"),
    ),
    "pair": (
        "pairs",
        "classify",
        {"text": TEXT, "second": OTHER},
        lambda m: without(m.classify(TEXT, OTHER).to_dict(), "attention"),
    ),
    "marian": (
        "marian",
        "score",
        {"text": "the cat", "target": "die"},
        lambda m: next(iter(m.score([("the cat", "die")]))).to_dict(),
    ),
    "score": (
        "language",
        "score",
        {"text": "나는 책을 읽었다."},
        lambda m: next(iter(m.score("나는 책을 읽었다."))).to_dict(),
    ),
    "similarity": (
        "minilm",
        "similarity",
        {"text": "a man", "second": "a dog", "unit": "tokens"},
        lambda m: {
            **m.similarity("a man", "a dog").to_dict(),
            "words": m.similarity("a man", "a dog").tokens().to_dict(),
        },
    ),
    "align": (
        "translator",
        "align",
        {"text": KOREAN, "target": "I saw the moon.", "threshold": 0.2},
        lambda m: regard.align(m, [(KOREAN, "I saw the moon.")], threshold=0.2)[0].to_dict(null=True),
    ),
    "beam tree": (
        "translator",
        "beam-tree",
        {"text": KOREAN, "beam_size": 3, "begin": [347]},
        lambda m: m.beam_tree(KOREAN, beam_size=3, begin=[347]).to_dict(),
    ),
    "tree of a completion": (
        "language",
        "beam-tree",
        {"text": "나는", "beam_size": 4, "beam_groups": 2},
        lambda m: m.beam_tree("나는", beam_size=4, beam_groups=2).to_dict(),
    ),
    "check": (
        "translator",
        "check",
        {"rows": [{"text": KOREAN, "target": "I saw the moon."}] * 3, "only": ["measures"]},
        checked,
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_answers_are_those_of_python(name: str, ask: Callable[..., Answer], models: dict[str, Any]) -> None:
    model, operation, values, python = CALLS[name]
    answer = ask(model, operation, values)
    assert answer.status == 200, answer.content
    assert (answer.json["model"], len(answer.json["digest"])) == (model, 64)
    near(answer.json["result"], json.loads(json.dumps(python(models[model]))))


def test_given_outputs_are_judged(running_server: RunningServer, translator: Translator) -> None:
    repeated = "I saw I saw I saw I saw"
    found = running_server.post("/v1/regard/alarms", {"text": KOREAN, "target": repeated}).json["result"]
    expected = alarms_of(translator, KOREAN, repeated)
    near({name: found[name] for name in expected}, expected)
    assert "repeated" in {alarm["name"] for alarm in found["alarms"]}


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize("name", ["translator", "language", "minilm", "pairs", "opinions"])
def test_attention_as_bytes(
    name: str, dtype: str, ask: Callable[..., Answer], models: dict[str, Any]
) -> None:
    given, texts = TEXTS[name]
    answer = ask(name, "look", given, Accept=f"text/html, {ACCEPT}; dtype={dtype}")
    assert answer.headers["content-type"] == f"{ACCEPT}; dtype={dtype}"
    read, seen = from_bytes(answer.content), models[name].look(*texts)
    record = read.records["attention"]
    assert read.header["model"] == name
    near(read.header["about"], json.loads(json.dumps(without(seen.to_dict(), "attention"))))
    for own, other in zip(record.maps(), seen.attention.maps(), strict=True):
        assert (own.path, own.head, own.rows, own.columns) == (
            other.path,
            other.head,
            other.rows,
            other.columns,
        )
        assert np.abs(own.weights - other.weights).max() <= (2e-6 if dtype == "float32" else 2.0**-11)
    (told,) = read.header["records"]
    assert read.header["weights"] == sum(np.prod(look["shape"]) for look in told["attentions"])


def test_both_sides_of_an_edit_as_bytes(running_server: RunningServer, translator: Translator) -> None:
    values = {"text": KOREAN, "edits": EDITS[:1]}
    answer = running_server.post("/v1/regard/edit", values, Accept=ACCEPT)
    read = from_bytes(answer.content)
    effect = translator.look(KOREAN, edit=regard.mask(0))
    sides: dict[str, AttentionRecord] = {"before": effect.before.attention, "after": effect.after.attention}
    for name, record in sides.items():
        assert np.abs(read.records[name].words().weights - record.words().weights).max() <= 2e-6
    assert read.records["after"].words().weights[:, 0].max() <= 1e-9
    wrong = running_server.post("/v1/regard/look", {"text": KOREAN}, Accept=f"{ACCEPT};dtype=int8")
    assert (wrong.status, wrong.json["error"]["field"]) == (422, "accept")
    two = {"inputs": [{"text": KOREAN}] * 2}
    assert running_server.post("/v1/regard/look", two, Accept=ACCEPT).json["error"]["field"] == "inputs"
