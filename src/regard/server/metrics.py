"""What the service counts, for Prometheus."""

from collections.abc import Callable, Iterator
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from regard.server.service import ModelCard

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
SIZES = (1, 2, 4, 8, 16, 32, 64, 128)
TOKENS = (16, 64, 256, 1024, 4096, 16384, 65536)
OUTSIDE = "other"
"""The route of a request that has none: what others make up must not become a series."""


class Metrics:
    """Counters and histograms of one service."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self.requests = Counter(
            "regard_requests", "Requests answered", ["route", "method", "status"], registry=registry
        )
        self.seconds = Histogram(
            "regard_request_seconds", "From head to answer", ["route"], buckets=SECONDS, registry=registry
        )
        self.in_flight = Gauge("regard_requests_in_flight", "Requests being handled", registry=registry)
        self.refused = Counter("regard_refused", "Requests refused, by code", ["code"], registry=registry)
        self.refused_of_client = Counter(
            "regard_refused_of_client", "Those whose client had too many under way", registry=registry
        )
        self.cancelled = Counter(
            "regard_cancelled", "Requests whose client left before the answer", registry=registry
        )
        self.queue_seconds = Histogram(
            "regard_queue_wait_seconds", "Wait for a worker", ["model"], buckets=SECONDS, registry=registry
        )
        self.batch_inputs = Histogram(
            "regard_batch_inputs", "Inputs of a batch", ["model"], buckets=SIZES, registry=registry
        )
        self.batch_tokens = Histogram(
            "regard_batch_tokens", "Tokens of its inputs", ["model"], buckets=TOKENS, registry=registry
        )
        self.tokenize_seconds, self.compute_seconds, self.serialize_seconds = (
            Histogram(f"regard_{name}_seconds", told, ["model"], buckets=SECONDS, registry=registry)
            for name, told in (
                ("tokenize", "Counting the tokens of a batch"),
                ("model", "Computing a batch"),
                ("serialize", "Writing its results"),
            )
        )
        self.steps = Counter(
            "regard_search_steps", "Steps of searches, of each sentence", ["model"], registry=registry
        )
        self.restarts = Counter(
            "regard_worker_restarts", "Workers started for others", ["model", "why"], registry=registry
        )

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self.registry)


class State(Collector):
    """What is so at the moment when somebody looks."""

    def __init__(
        self,
        queues: Callable[[], dict[str, int]],
        cards: Callable[[], dict[str, ModelCard]],
        workers: Callable[[], dict[str, list[int]]],
        ready: Callable[[], bool],
    ) -> None:
        """By the names of models: how many requests wait, what is known, which processes compute."""
        self._queues, self._cards, self._workers, self._ready = queues, cards, workers, ready

    def collect(self) -> Iterator[Metric]:
        """The gauges."""
        yield GaugeMetricFamily("regard_ready", "Whether every model can compute", float(self._ready()))
        depth = GaugeMetricFamily("regard_queue_depth", "Requests that wait", labels=["model"])
        for name, waiting in self._queues().items():
            depth.add_metric([name], waiting)
        yield depth
        known = InfoMetricFamily("regard_model", "The models", labels=["model"])
        for name, card in self._cards().items():
            known.add_metric([name], {"task": card.task, "kind": card.kind, "digest": card.digest[:16]})
        yield known
        memory = GaugeMetricFamily(
            "regard_worker_resident_memory_bytes", "Resident memory", labels=["model", "worker"]
        )
        for name, pids in self._workers().items():
            for number, pid in enumerate(pids):
                if (size := resident_bytes(pid)) is not None:
                    memory.add_metric([name, str(number)], size)
        yield memory


def resident_bytes(pid: int) -> int | None:
    """The resident memory of a process; None where there is no telling."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
    except OSError:
        return None
    return None
