"""A server and its clients, or a model without any: each sentence goes in by itself."""

import asyncio
import contextlib
import json
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.worker import Facts, serve

PATIENCE = 120.0
"""Seconds in which a server must be ready."""
Answers = list[Any]


def free_port() -> int:
    """A port that nobody has."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def command(job: dict[str, Any], port: int) -> list[str]:
    """What starts the server of a side."""
    if job["side"] == "regard":
        return [
            sys.executable,
            "-m",
            "regard",
            "serve",
            job["model"],
            "--port",
            str(port),
            "--per-client",
            "64",
        ]
    return [sys.executable, "-m", "bench.sides.plain_server", json.dumps({**job, "port": port})]


def wait_until_ready(port: int, process: "subprocess.Popen[bytes]") -> None:
    """Until it says so; a server that ends before is an error."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if process.poll() is not None:
            raise SystemExit(f"the server ended with {process.returncode}")
        with (
            contextlib.suppress(urllib.error.URLError, ConnectionError),
            urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5),
        ):
            return
        time.sleep(0.05)
    raise SystemExit("the server did not become ready")


def request_of(job: dict[str, Any], text: str) -> bytes:
    """A request with one sentence."""
    if job["task"] == "embed":
        path, values = "/embed", {"inputs": text}
    else:
        path, values = "/translate", {"q": text, "source": job["source"], "target": job["target"]}
    body = json.dumps(values, ensure_ascii=False).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def answer_of(task: str, body: bytes) -> Any:
    """The text, or the vector."""
    values = json.loads(body)
    return values[0] if task == "embed" else values["translatedText"]


async def load(port: int, requests: Sequence[bytes], clients: int) -> tuple[list[bytes], list[float]]:
    """All requests, by so many clients: the bodies of the answers, and how long each took."""
    bodies: list[bytes] = [b""] * len(requests)
    seconds = [0.0] * len(requests)
    coming = iter(range(len(requests)))

    async def client() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for number in coming:
            begun = time.perf_counter()
            writer.write(requests[number])
            head = await reader.readuntil(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 200"):
                raise SystemExit(f"the server answered {head[:200]!r}")
            size = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
            bodies[number] = await reader.readexactly(size)
            seconds[number] = time.perf_counter() - begun
        writer.close()

    await asyncio.gather(*(client() for _ in range(clients)))
    return bodies, seconds


def quantile(seconds: Sequence[float], share: float) -> float:
    """The value that this share is not above."""
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def through_http(job: dict[str, Any], texts: Sequence[str]) -> Callable[[], tuple[Answers, list[float]]]:
    """Start the server of a side; what sends it all texts."""
    port = free_port()
    process = subprocess.Popen(command(job, port), stdout=sys.stderr)
    wait_until_ready(port, process)
    requests = [request_of(job, text) for text in texts]

    def work() -> tuple[Answers, list[float]]:
        bodies, seconds = asyncio.run(load(port, requests, job["clients"]))
        return [answer_of(job["task"], body) for body in bodies], seconds

    return work


def direct(job: dict[str, Any], texts: Sequence[str]) -> Callable[[], tuple[Answers, list[float]]]:
    """The model in this process: of one client each text by itself, of more all of them at once."""
    call = python_call(job)

    def work() -> tuple[Answers, list[float]]:
        if job["clients"] > 1:
            begun = time.perf_counter()
            found = call(list(texts))
            return found, [time.perf_counter() - begun] * len(texts)
        answers, seconds = [], []
        for text in texts:
            begun = time.perf_counter()
            answers += call([text])
            seconds.append(time.perf_counter() - begun)
        return answers, seconds

    return work


def python_call(job: dict[str, Any]) -> Callable[[list[str]], Answers]:
    """The answers to texts, from Python."""
    import torch

    torch.set_num_threads(job["threads"])
    if job["side"] == "sentence-transformers":
        from sentence_transformers import SentenceTransformer

        encoder = SentenceTransformer(job["model"], device="cpu")
        return lambda texts: [vector.tolist() for vector in encoder.encode(texts)]
    import regard

    if job["task"] == "embed":
        model = regard.load(job["model"], task="embedding")
        return lambda texts: [vector.tolist() for vector in model.embed(texts)]
    translator = regard.load(job["model"], task="translation")
    return lambda texts: [one.text for one in translator.translate(texts, attention=False)]


def main() -> None:
    job = json.loads(sys.argv[1])

    def prepare() -> tuple[Facts, Callable[[], Facts]]:
        texts: list[str] = json.loads(Path(job["texts"]).read_text(encoding="utf-8"))
        work = (direct if job["side"] == "direct" else through_http)(job, texts)

        def told() -> Facts:
            answers, seconds = work()
            Path(job["answers"]).write_text(json.dumps(answers), encoding="utf-8")
            return {"p50": quantile(seconds, 0.5), "p99": quantile(seconds, 0.99)}

        return {"clients": job["clients"]}, told

    serve(prepare, polite=job["polite"])


if __name__ == "__main__":
    main()
