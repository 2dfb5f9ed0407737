"""regard's own protocol: models, checkpoints, lists of inputs, and what is refused."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.own_models import near
from tests.server.running import RunningServer

import regard
from regard.server.protocols.own_models import card_to_dict
from regard.server.service import ModelCard
from regard.store.pointer import read_pointers

KOREAN = "저는 달을 봤어요."


def test_models_and_the_checkpoints_of_a_run(running_server: RunningServer, trained: Path) -> None:
    listed = running_server.get("/v1/regard/models").json["models"]
    assert [one["name"] for one in listed] == ["translator", "opinions", "language", "tagger", "minilm"]
    one = running_server.get("/v1/regard/models/translator").json
    assert (one["source"], one["target"], one["recipe"]["task"]) == ("ko", "en", "translation")
    assert one["attentions"] == [{"path": "attention", "kind": "cross", "layer": None, "heads": 1}]
    assert str(trained.parent) not in json.dumps(one)
    found = running_server.get("/v1/regard/models/translator/checkpoints").json
    entries = read_pointers(trained).checkpoints
    assert [(own["step"], own["score"]) for own in found["checkpoints"]] == [
        (entry.step, entry.score) for entry in entries
    ]
    assert [own["step"] for own in found["validations"]] == [entry.step for entry in entries]
    digests = set()
    for own, entry in zip(found["checkpoints"], entries, strict=True):
        answer = running_server.post("/v1/regard/look", {"model": own["model"], "text": KOREAN}).json
        expected = regard.load(trained / entry.folder, task="translation").look(KOREAN)
        assert answer["model"] == own["model"]
        near(answer["result"]["text"], expected.text)
        near(answer["result"]["attention"]["words"], expected.attention.words().to_dict())
        digests.add(answer["digest"])
        if own["best"]:
            assert answer["digest"] == one["digest"]
    assert len(digests) == len(entries)
    assert running_server.get("/v1/regard/models/minilm/checkpoints").json["checkpoints"] == []
    lost = running_server.post("/v1/regard/look", {"model": "translator@step-1", "text": KOREAN})
    assert (lost.status, lost.json["error"]["code"]) == (404, "not_found")
    assert running_server.get("/v1/regard/models/nobody").status == 404


def test_recipes_are_told_without_folders() -> None:
    data = {"train": "/home/somebody/corpus/train.tsv", "source": "ko"}
    about = {"recipe": {"data": data, "steps": [1, "a/b/"]}}
    card = ModelCard("m", "translation", "seq2seq", "0", 1, frozenset(), about=about)
    told = card_to_dict(card, whole=True)["recipe"]
    assert told == {"data": {"train": "train.tsv", "source": "ko"}, "steps": [1, "b"]}


def test_several_inputs_and_none(running_server: RunningServer) -> None:
    texts = [KOREAN, "나는 책을 읽었다.", ""]
    several = running_server.post("/v1/regard/translate", {"inputs": [{"text": text} for text in texts]})
    alone = [running_server.post("/v1/regard/translate", {"text": text}).json["result"] for text in texts]
    near(several.json["results"], alone)
    assert "attention" not in alone[0]
    lines = running_server.post(
        "/v1/regard/complete", {"text": "나는", "sample": True, "seed": 3, "stream": True}
    )
    *pieces, last = (json.loads(line) for line in lines.content.splitlines())
    told = "나는" + "".join(piece["text"] for piece in pieces)
    assert len(pieces) > 1
    assert last["result"]["text"].startswith(told)
    assert last["model"] == "language"


REFUSED: dict[str, tuple[str, dict[str, Any], int, str | None]] = {
    "neither": ("translate", {}, 422, "body"),
    "both": ("translate", {"text": "a", "inputs": [{"text": "b"}]}, 422, "body"),
    "no inputs": ("translate", {"inputs": []}, 422, "inputs"),
    "an unknown field": ("translate", {"text": "a", "beams": 3}, 422, "beams"),
    "a text for a number": ("translate", {"text": "a", "beam_size": "5"}, 422, "beam_size"),
    "beyond the schema": ("beam-tree", {"text": "a", "length_alpha": 3.0}, 422, "length_alpha"),
    "beyond the limit": ("translate", {"text": "a", "beam_size": 200}, 422, "beam_size"),
    "an edit that is none": ("edit", {"text": "a", "edits": [{"edit": "masc"}]}, 422, "edits.0"),
    "an edit without words": ("edit", {"text": KOREAN, "edits": [{"edit": "mask"}]}, 422, "edits[0].words"),
    "a window backwards": (
        "edit", {"text": KOREAN, "edits": [{"edit": "mask_window", "first": 2, "last": 1}]}, 422, "edits"
    ),
    "a word that is not there": (
        "edit", {"text": KOREAN, "edits": [{"edit": "mask", "word": "집"}]}, 422, None
    ),
    "a layer that is not there": ("look", {"text": KOREAN, "layer": 7}, 422, None),
    "a second text": ("look", {"text": KOREAN, "second": "a"}, 422, "second"),
    "a row that is not there": ("explain", {"text": KOREAN, "row": 99}, 422, None),
    "no task for it": ("answer", {"text": "a", "question": "b"}, 400, "model"),
    "too many rows": ("check", {"rows": [{"text": "a"}] * 65}, 422, "rows"),
    "a token that is none": ("beam-tree", {"text": KOREAN, "begin": [2]}, 422, None),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str, running_server: RunningServer) -> None:
    operation, values, status, field = REFUSED[name]
    answer = running_server.post(f"/v1/regard/{operation}", values)
    assert answer.status == status, answer.content
    told = answer.json["error"]
    assert told["code"] in ("invalid", "unsupported")
    assert told.get("field") == field
    assert told["request_id"] == answer.headers["x-request-id"]
    assert "/" not in told["message"].replace("</s>", "")


def test_every_number_in_the_schemas_has_both_limits() -> None:
    """Without a service: the schemas are the same ones."""
    from regard.server.protocols.own_schemas import OPERATIONS, request_schema

    def numbers(schema: Any, where: str) -> Iterator[tuple[str, Any]]:
        if isinstance(schema, dict):
            if schema.get("type") in ("integer", "number"):
                yield where, schema
            for name, value in schema.items():
                yield from numbers(value, f"{where}.{name}")
        elif isinstance(schema, list):
            for value in schema:
                yield from numbers(value, where)

    seen = [pair for name in OPERATIONS for pair in numbers(request_schema(name).model_json_schema(), name)]
    assert len(seen) > 40
    for where, schema in seen:
        assert {"minimum", "exclusiveMinimum"} & set(schema), where
        assert {"maximum", "exclusiveMaximum"} & set(schema), where
