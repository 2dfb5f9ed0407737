"""The OpenAPI document: every number that a request may have has its limits in it."""

from collections.abc import Iterator
from typing import Any

from tests.server.running import RunningServer


def schemas(node: Any, document: Any, seen: frozenset[str] = frozenset()) -> Iterator[dict[str, Any]]:
    """A schema and all in it."""
    if isinstance(node, list):
        for one in node:
            yield from schemas(one, document, seen)
    elif isinstance(node, dict):
        yield node
        name = str(node.get("$ref", "")).rpartition("/")[2]
        if name and name not in seen:
            yield from schemas(document["components"]["schemas"][name], document, seen | {name})
        for one in node.values():
            yield from schemas(one, document, seen)


def test_every_number_of_a_request_has_limits(running_server: RunningServer) -> None:
    document = running_server.get("/openapi.json").json
    asked = [
        told
        for path in document["paths"].values()
        for method in path.values()
        for part in ("requestBody", "parameters")
        for told in schemas(method.get(part), document)
        if told.get("type") in ("integer", "number")
    ]
    assert len(asked) > 20
    for told in asked:
        assert "minimum" in told or "exclusiveMinimum" in told, told
        assert "maximum" in told or "exclusiveMaximum" in told, told
