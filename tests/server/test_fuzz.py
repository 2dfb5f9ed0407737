"""Requests that nobody would write, made from the service's own OpenAPI document: none brings it down.

What is answered is what the document says: a status that it names, in the shape that it has for it. The quick
form sends the same requests to everybody; `make torture` draws others at random.
"""

from collections import Counter
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS
from schemathesis.core.result import Ok
from tests.examples import examples
from tests.server.running import RunningServer
from tests.torture.figures import Figures

MODELS = {
    "/v1/embeddings": "minilm",
    "/v1/completions": "language",
    "/v1/chat/completions": "translator",
    "/translate": "translator",
}
NAMES = ("translator", "opinions", "language", "tagger", "minilm")
TOLD = ("Traceback", "site-packages", ".py", "/tmp")
"""What no answer has."""


def reach(case: Any, model: str) -> None:
    """Let a request name what is served, as chance never does, so that it comes to a model."""
    path, body = case.operation.path, case.body
    for name in ("model", "name"):
        if name in (case.path_parameters or {}) and path != "/download_file/{name}":
            case.path_parameters[name] = model
    if isinstance(body, dict):
        if path.startswith("/v1/regard/"):
            body.pop("model", None)  # the first that can
        elif "model" in body:
            body["model"] = MODELS[path]
        if "source" in body:
            body |= {"source": "ko", "target": "en"}


@pytest.mark.torture
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_no_request_brings_it_down(
    running_server: RunningServer, figures: Figures, mode: GenerationMode
) -> None:
    running_server.wait_until_ready()
    document = schemathesis.openapi.from_url(f"{running_server.url}/openapi.json")
    # What is too large is refused before it is read; 424 is what Text Embeddings Inference says.
    document.config.checks.negative_data_rejection.expected_statuses += ["413", "424"]
    # What the document allows is still refused where a model cannot do it.
    checks = [one for one in CHECKS.get_all() if one.__name__ != "positive_data_acceptance"]
    is_allowed = mode is GenerationMode.POSITIVE
    every: list[Any] = [found.ok() for found in document.get_all_operations() if isinstance(found, Ok)]
    operations = [one for one in every if is_allowed or one.body]  # without a body, nothing can be wrong
    statuses = Counter[int]()
    with requests.Session() as session:

        def fuzz(operation: Any) -> None:
            @settings(max_examples=examples(1), database=None, suppress_health_check=list(HealthCheck))
            @given(operation.as_strategy(generation_mode=mode), st.sampled_from(NAMES))
            def ask(case: Any, model: str) -> None:
                if is_allowed:
                    reach(case, model)
                answer = case.call_and_validate(session=session, checks=checks, timeout=60)
                statuses[answer.status_code] += 1
                assert not any(word in answer.text for word in TOLD)

            ask()

        for operation in operations:
            fuzz(operation)
    assert len(operations) > 30
    assert len(statuses) > 1
    figures.add(
        "R20",
        requests=sum(statuses.values()),
        mistakes_of_the_service=sum(count for status, count in statuses.items() if status >= 500),
        undocumented_statuses=0,
    )
