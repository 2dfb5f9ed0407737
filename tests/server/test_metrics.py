"""What the service counts is what its client has counted."""

from collections import Counter

from prometheus_client.parser import text_string_to_metric_families
from tests.server.running import RunningServer


def counts(server: RunningServer) -> Counter[tuple[str, str, str]]:
    """Requests by route, method and status."""
    text = server.get("/metrics").content.decode()
    found: Counter[tuple[str, str, str]] = Counter()
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.name == "regard_requests_total":
                labels = sample.labels
                found[labels["route"], labels["method"], labels["status"]] += int(sample.value)
    return found


def test_they_are_those_of_the_client(running_server: RunningServer) -> None:
    before = counts(running_server)
    own: Counter[tuple[str, str, str]] = Counter()
    for number in range(12):
        text = "x" * (10_001 if number % 3 == 0 else 5)
        answer = running_server.call("opinions", "classify", text)
        own["/v1/regard/classify", "POST", str(answer.status)] += 1
        own["other", "GET", str(running_server.get(f"/nowhere/{number}").status)] += 1
    own["/v1/regard/classify", "GET", str(running_server.get("/v1/regard/classify").status)] += 1
    own["other", "OPTIONS", str(running_server.request("OPTIONS", "/nowhere").status)] += 1
    own["/metrics", "GET", "200"] += 1  # that of the first count
    assert own["/v1/regard/classify", "POST", "413"] == 4
    assert counts(running_server) - before == own


def test_they_have_what_an_operator_needs(running_server: RunningServer) -> None:
    running_server.call("opinions", "classify", "좋다")
    answer = running_server.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    families = {family.name: family for family in text_string_to_metric_families(answer.content.decode())}
    wanted = {
        "requests", "request_seconds", "requests_in_flight", "refused", "cancelled", "queue_depth",
        "queue_wait_seconds", "batch_inputs", "batch_tokens", "tokenize_seconds", "model_seconds",
        "serialize_seconds", "search_steps", "worker_resident_memory_bytes", "ready",
    }  # fmt: skip
    assert {f"regard_{name}" for name in wanted} <= families.keys()
    assert "process_resident_memory_bytes" in families
    told = {sample.labels["model"]: sample.labels for sample in families["regard_model_info"].samples}
    assert (told["opinions"]["task"], told["minilm"]["task"]) == ("classification", "embedding")
    assert families["regard_ready"].samples[0].value == 1
