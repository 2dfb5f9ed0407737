"""Requests that nobody would write, made from the service's own OpenAPI document: none brings it down.

What is answered is what the document says: a status that it names, in the shape that it has for it.
"""

from collections import Counter
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import given, settings
from schemathesis import GenerationMode
from tests.examples import examples
from tests.server.running import RunningServer
from tests.torture.figures import Figures

CHECKS = [
    check
    for check in schemathesis.checks.CHECKS.get_all()
    if check.__name__ != "positive_data_acceptance"
]
"""All but one: what the document allows may still be refused, where a model cannot do it."""


@pytest.mark.hypothesis
@pytest.mark.torture
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_no_request_brings_it_down(
    running_server: RunningServer, figures: Figures, mode: GenerationMode
) -> None:
    document = schemathesis.openapi.from_url(f"{running_server.url}/openapi.json")
    session, statuses = requests.Session(), Counter[int]()
    operations = [found.ok() for found in document.get_all_operations()]
    for operation in operations:

        @settings(max_examples=examples(3), database=None)
        @given(operation.as_strategy(generation_mode=mode))
        def ask(case: Any) -> None:
            answer = case.call_and_validate(session=session, checks=CHECKS, timeout=60)
            statuses[answer.status_code] += 1
            for told in ("Traceback", "/site-packages/", '.py"'):
                assert told not in answer.text

        ask()
    assert len(operations) > 40
