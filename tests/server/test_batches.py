"""A batch in a worker."""

import socket
from collections.abc import Mapping, Sequence
from typing import Any

from regard.server.batches import Batches
from regard.server.frames import Unpacker
from regard.server.front import Front
from regard.server.measure import Measure
from regard.tasks.classification.predictor import Classifier


def test_a_text_that_cannot_be_measured_is_no_affair_of_others(classifier: Classifier) -> None:
    """Half a character never comes so far; if something like it did, the worker would live."""

    def classify(model: Any, inputs: Sequence[Mapping[str, Any]], *_: Any) -> list[dict[str, Any]]:
        return [model.classify(one["text"]).to_dict() for one in inputs]

    here, there = socket.socketpair()
    measure = Measure(classifier, {"attentions": [], "max_tokens": None, "task": "classification"}, 1)
    batches = Batches(Front(there), classifier, {"classify": classify}, measure, 10_000)
    texts = ["좋다", "half \ud800", "나쁘다"]
    rows = [{"id": place, "input": {"text": text}, "stream": False} for place, text in enumerate(texts)]
    batches.run({"operation": "classify", "options": {}, "inputs": rows})
    there.close()
    sent = b"".join(iter(lambda: here.recv(1 << 16), b""))
    told = {frame.about["id"]: frame.about for frame in Unpacker().feed(sent) if "id" in frame.about}
    here.close()
    assert [told[place]["kind"] for place in range(3)] == ["result", "error", "result"]
    assert told[1]["error"]["status"] == 422
