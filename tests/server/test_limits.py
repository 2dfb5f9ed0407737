"""What is too large is refused before any work, with the field, the limit, and what was found."""

import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.server.running import RunningServer

OPENING = b"POST /v1/regard/translate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def refusal(answer: Any) -> tuple[int, str, Any, Any, Any]:
    error = answer.json["error"]
    return answer.status, error["code"], error.get("field"), error.get("limit"), error.get("found")


@pytest.mark.parametrize(
    ("texts", "options", "expected"),
    [
        (["x"] * 33, {}, (422, "invalid", "texts", 32, 33)),
        (["x" * 10_001], {}, (413, "too_large", "text", 10_000, 10_001)),
        (["x" * 9_999], {}, (413, "too_large", "text", 1024, 9_999)),
        (["x"], {"beam_size": 17}, (422, "invalid", "beam_size", 16, 17)),
        (["x"], {"beam_size": "200"}, (422, "invalid", "beam_size", None, None)),
        (["x"], {"n_best": 17, "sample": True}, (422, "invalid", "n_best", 16, 17)),
        (["x"], {"max_length_factor": 4.5}, (422, "invalid", "max_length_factor", 4, 4.5)),
        (["x"], {"max_length_extra": 51}, (422, "invalid", "max_length_extra", 50, 51)),
        (["x"], {"constraints": {"must": ["y"] * 33}}, (422, "invalid", "must", 32, 33)),
        (["x"], {"batch_tokens": 1}, (422, "invalid", "batch_tokens", None, 1)),
        (["half \ud800"], {}, (422, "invalid", "inputs.0.text", None, None)),
    ],
)
def test_too_much_is_told_in_numbers(
    running_server: RunningServer, texts: list[str], options: dict[str, Any], expected: tuple[Any, ...]
) -> None:
    answer = running_server.call("translator", "translate", *texts, **options)
    status, code, field, limit, found = refusal(answer)
    assert (status, code, field, limit) == expected[:4]
    assert found == expected[4] or (expected[4] == 9_999 and found > 1024)


def test_attention_costs_its_square(running_server: RunningServer) -> None:
    """Of one text; and of many, which are then computed one after the other."""
    long = "좋다 " * 3_000
    assert running_server.call("opinions", "classify", long).status == 200
    status, code, field, limit, found = refusal(
        running_server.call("opinions", "classify", long, attention=True)
    )
    assert (status, code, field, limit) == (413, "too_large", "attention", 2**25)
    assert found > 6_000**2
    some = running_server.call("opinions", "classify", *["좋다 " * 400] * 3, attention=True)
    assert (some.status, len(some.json["results"])) == (200, 3)


def test_an_answer_that_would_be_too_large_is_refused(running_server: RunningServer) -> None:
    """The tokens of one text have less than a megabyte; those of many have too much."""
    texts = ["a-" * 5_000] * 32
    assert running_server.call("opinions", "tokenize", texts[0]).status == 200
    answer = running_server.call("opinions", "tokenize", *texts)
    assert refusal(answer)[:4] == (413, "too_large", None, 8 * 2**20)


@pytest.mark.parametrize("how", ["told", "chunked", "lied"])
def test_a_large_body_is_not_taken(running_server: RunningServer, how: str) -> None:
    """Told by its head, it is refused before any of it is read; else as soon as it is too large."""
    with socket.create_connection(("127.0.0.1", running_server.port), timeout=20) as client:
        before = running_server.front_bytes()
        if how == "told":
            client.sendall(OPENING + b"Content-Length: 104857600\r\n\r\n" + b"x" * 1000)
        else:
            client.sendall(OPENING + b"Transfer-Encoding: chunked\r\n\r\n")
            chunk = b"10000\r\n" + b"x" * 65536 + b"\r\n"
            for _ in range(17):
                client.sendall(chunk)
        begun = time.monotonic()
        answer = client.recv(65536)
        seconds = time.monotonic() - begun
        body = answer.partition(b"\r\n\r\n")[2] or client.recv(65536)
        if how == "chunked":
            for _ in range(160):  # who does not listen is not listened to
                client.sendall(chunk)
        grown = running_server.front_bytes() - before
    assert answer.startswith(b"HTTP/1.1 413 ")
    told = json.loads(body)["error"]
    assert (told["code"], told["field"], told["limit"]) == ("too_large", "body", 2**20)
    assert seconds < 1
    assert grown < 8 * 2**20


def test_what_a_model_cannot_do_is_said(running_server: RunningServer) -> None:
    answer = running_server.call("opinions", "translate", "x")
    assert (answer.status, answer.json["error"]["code"]) == (400, "unsupported")
    assert "classify" in answer.json["error"]["message"]
    answer = running_server.call("nobody", "translate", "x")
    assert (answer.status, answer.json["error"]["code"]) == (404, "not_found")


def test_one_bad_text_does_not_spoil_what_shares_its_batch(running_server: RunningServer) -> None:
    """For a short text there is no room for the words that must appear; who came at the same time has it."""
    wanted = {"must": ["a b c d e f g h i j k l m n"]}

    def ask(text: str) -> int:
        return running_server.call("translator", "translate", text, constraints=wanted, beam_size=2).status

    before = running_server.metric('regard_batch_inputs_count{model="translator"}')
    with ThreadPoolExecutor(16) as pool:
        statuses = list(pool.map(ask, ["달", "나는 책을 읽었다. " * 4] * 8))
    assert statuses == [422, 200] * 8
    batches = running_server.metric('regard_batch_inputs_count{model="translator"}') - before
    assert batches < len(statuses), "nothing shared a batch"
