"""Who may ask: a key on every route, known names and origins, an address that others cannot reach."""

import json
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from tests.conftest import Run
from tests.server.running import Answer, RunningServer, wait_for

from regard.errors import ConfigError
from regard.server.exposure import check_address
from regard.server.settings import Settings

KEY, OTHER = "correct-horse-battery-staple", "an-entirely-other-key"
PAGE = "https://page.example"
"""May ask, and read the answer, whatever it says."""
OPEN = {"/healthz", "/readyz"}


@pytest.fixture(scope="module")
def guarded(opinions: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A service with two keys, a name of its own, and a page that may ask."""
    keys = tmp_path_factory.mktemp("keys") / "keys"
    keys.write_text(f"# who may\n{OTHER}\n\n{KEY}\n")
    options = [
        "--api-key-file",
        str(keys),
        "--allow-host",
        "models.example",
        "--allow-origin",
        PAGE,
        "--per-client",
        "1",
    ]
    with RunningServer({"opinions": opinions}, *options) as server:
        server.wait_until_ready()
        yield server
        assert KEY not in server.log
        assert OTHER not in server.log


def test_every_route_needs_a_key(guarded: RunningServer) -> None:
    """As the service itself lists them, with every method; and what is no route."""
    document = guarded.get("/openapi.json", **{"X-API-Key": KEY}).json
    paths = {*document["paths"], "/openapi.json", "/metrics", "/nowhere", "/"}
    assert len(paths) > 5
    assert paths >= OPEN
    for path in sorted(paths):
        for method in ("GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE"):
            status = guarded.request(method, path.replace("{", "").replace("}", "")).status
            assert (status == 401) == (path not in OPEN), f"{method} {path}: {status}"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": f"Bearer {KEY}"}, 200),
        ({"authorization": f"bearer {OTHER}"}, 200),
        ({"X-API-Key": KEY}, 200),
        ({}, 401),
        ({"Authorization": KEY}, 401),
        ({"Authorization": "Basic " + KEY}, 401),
        ({"Authorization": "Bearer"}, 401),
        ({"X-API-Key": KEY + "x"}, 401),
        ({"X-API-Key": KEY[:-1]}, 401),
        ({"X-API-Key": ""}, 401),
        ({"X-API-Key": "# who may"}, 401),
    ],
)
def test_a_key_is_in_a_header(guarded: RunningServer, headers: dict[str, str], status: int) -> None:
    answer = guarded.get("/metrics", **headers)
    assert answer.status == status
    if status == 401:
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.json["error"]["code"] == "unauthorized"


def test_a_key_is_not_taken_from_an_url_or_a_body(guarded: RunningServer) -> None:
    assert guarded.get(f"/metrics?api_key={KEY}").status == 401
    assert guarded.post("/v1/regard/classify", {"api_key": KEY}).status == 401


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "localhost:1"}, 200),
        ({"Host": "[::1]"}, 200),
        ({"Host": "192.168.1.5:80"}, 200),
        ({"Host": "models.example"}, 200),
        ({"Host": "rebound.example"}, 403),
        ({"Host": "127.0.0.1.rebound.example"}, 403),
        ({"Host": "localhost.rebound.example:8000"}, 403),
        ({"Host": ""}, 403),
        ({"Host": "localhost:1", "Origin": "http://localhost:1"}, 200),
        ({"Origin": PAGE}, 200),
        ({"Origin": PAGE, "Host": "rebound.example"}, 403),
        ({"Origin": PAGE, "X-API-Key": "not one of them"}, 401),
        ({"Origin": PAGE, "Content-Length": "1048577"}, 413),
        ({"Origin": "https://other.example"}, 403),
        ({"Origin": "http://page.example"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
def test_names_and_origins(guarded: RunningServer, headers: dict[str, str], status: int) -> None:
    answer = guarded.get("/metrics", **{"X-API-Key": KEY, **headers})
    assert answer.status == status
    allowed = answer.headers.get("access-control-allow-origin")
    assert allowed == (PAGE if headers.get("Origin") == PAGE else None)
    assert (answer.headers.get("vary") == "Origin") == (allowed is not None)


def test_a_browser_asks_first(guarded: RunningServer) -> None:
    """It sends no key with that; pages that nobody allowed are told nothing."""
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    answer = guarded.request("OPTIONS", "/v1/regard/classify", headers={"Origin": PAGE, **asked})
    assert (answer.status, answer.headers["access-control-allow-origin"]) == (204, PAGE)
    for origin in ("https://other.example", "null"):
        answer = guarded.request("OPTIONS", "/v1/regard/classify", headers={"Origin": origin, **asked})
        assert answer.status == 403
        assert not any(name.startswith("access-control") for name in answer.headers)


def test_answers_are_safe_in_a_browser_and_have_a_number(guarded: RunningServer) -> None:
    headers = guarded.get("/metrics", **{"X-API-Key": KEY, "X-Request-Id": "mine-1"}).headers
    assert headers["x-request-id"] == "mine-1"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"].startswith("default-src 'none'")
    assert headers["cache-control"] == "no-store"
    assert "server" not in headers
    refused = guarded.get("/metrics", **{"X-Request-Id": 'x" onload="'})
    assert refused.json["error"]["request_id"] == refused.headers["x-request-id"]
    assert refused.headers["x-request-id"].isalnum()


def test_a_client_leaves_room_for_others(guarded: RunningServer) -> None:
    """One key has a request under way, and may have no second one; another key may."""
    (worker,) = guarded.worker_pids()

    def ask(key: str) -> Answer:
        headers = {"X-API-Key": key, "Origin": PAGE}
        return guarded.post("/v1/regard/classify", {"text": "좋다"}, **headers)

    def under_way(count: int) -> bool:
        told = guarded.get("/metrics", **{"X-API-Key": KEY}).content
        return b"regard_requests_in_flight %d.0\n" % (count + 1) in told

    os.kill(worker, signal.SIGSTOP)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(ask, KEY)
        try:
            wait_for(lambda: under_way(1))
            refused = ask(KEY)
            other = pool.submit(ask, OTHER)
            wait_for(lambda: under_way(2))
        finally:
            os.kill(worker, signal.SIGCONT)
    assert (refused.status, refused.headers["retry-after"]) == (429, "1")
    assert (refused.json["error"]["code"], refused.json["error"]["limit"]) == ("overloaded", 1)
    assert refused.headers["access-control-allow-origin"] == PAGE
    assert (first.result().status, other.result().status, ask(KEY).status) == (200, 200, 200)
    assert b"regard_refused_of_client_total 1.0\n" in guarded.get("/metrics", **{"X-API-Key": KEY}).content
    assert [Settings({}, queue=queue).most_per_client for queue in (64, 1)] == [32, 1]


def test_the_log_has_no_texts(guarded: RunningServer) -> None:
    """A line of JSON for each request, with its number; nothing that a client wrote."""
    secret = "세상에 하나뿐인 문장\n\x1b[31m"
    asked = {"model": "opinions", "text": secret}
    answer = guarded.post("/v1/regard/classify", asked, **{"X-API-Key": KEY, "X-Request-Id": "mine-2"})
    assert answer.status == 200
    guarded.get("/secret-path?secret=query", **{"X-API-Key": KEY})
    log = guarded.log
    assert [json.loads(line)["level"] for line in log.splitlines()]
    (told,) = [event for event in guarded.events("request") if event["request_id"] == "mine-2"]
    assert (told["route"], told["status"]) == ("/v1/regard/classify", 200)
    assert not any(word in log for word in ("하나뿐인", json.dumps("하나뿐인")[1:-1], "secret", "\x1b"))


@pytest.mark.parametrize(
    ("host", "is_own"),
    [
        ("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("localhost", True),
        ("0.0.0.0", False), ("::", False), ("192.168.1.5", False), ("example.org", False),
    ],
)  # fmt: skip
def test_an_address_that_others_reach_needs_a_key(host: str, is_own: bool, tmp_path: Path) -> None:
    settings = Settings({}, host=host)
    if not is_own:
        with pytest.raises(ConfigError, match="everybody who reaches this address could ask"):
            check_address(settings)
    for allowed in (replace(settings, open_to_all=True), replace(settings, key_file=tmp_path), settings):
        if allowed is not settings or is_own:
            check_address(allowed)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--host", "0.0.0.0"], "name keys with --api-key-file, or say --open-to-all"),
        (["--host", "::"], "name keys with --api-key-file, or say --open-to-all"),
        (["--api-key-file", "nowhere"], "nowhere: cannot be read"),
        (["--api-key-file", "short"], "short:2: expected a key of 16 characters or more"),
        (["--api-key-file", "none"], "none: expected a key a line, found none"),
    ],
)
def test_what_would_expose_it_is_refused(
    run: Run, opinions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], told: str
) -> None:
    (tmp_path / "short").write_text(f"{KEY}\nabc\n")
    (tmp_path / "none").write_text("# nothing\n")
    monkeypatch.chdir(tmp_path)
    done = run("serve", opinions, "--port", "0", *options)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert told in line
    assert "abc" not in line
