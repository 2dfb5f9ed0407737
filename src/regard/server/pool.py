"""One model: its queue, and the processes that compute."""

import asyncio
import os
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from regard.errors import RegardError, StoreError
from regard.server.logs import Log
from regard.server.metrics import Metrics
from regard.server.process import Worker
from regard.server.queue import Pending, Queue
from regard.server.service import ModelCard
from regard.server.settings import Settings

CRASHES, CRASH_SECONDS = 5, 60.0
"""So many ends of workers within so many seconds, and something is wrong that a restart does not mend."""


class ModelPool:
    """Waiting requests to free workers; workers that end are replaced."""

    def __init__(
        self,
        name: str,
        settings: Settings,
        metrics: Metrics,
        log: Log,
        on_fatal: Callable[[RegardError], None],
    ) -> None:
        self.name = name
        self._settings, self._metrics, self._log, self._on_fatal = settings, metrics, log, on_fatal
        self.queue = Queue(settings.queue)
        self.workers: list[Worker] = []
        self._old: list[Worker] = []
        """Their model has been replaced; they finish what they have."""
        self.card: ModelCard | None = None
        """What is known of the model, once a worker has loaded it."""
        self._crashes: deque[float] = deque(maxlen=CRASHES)
        self._starting: set[asyncio.Task[None]] = set()
        self._is_stopping = False

    async def start(self) -> None:
        """Start its workers."""
        for _ in range(self._settings.workers):
            await self._add()

    @property
    def is_ready(self) -> bool:
        """Whether it can compute."""
        return any(worker.card is not None for worker in self.workers)

    def dispatch(self, _: Worker | None = None) -> None:
        """Give waiting inputs to workers that have nothing to do."""
        now = asyncio.get_running_loop().time()
        for worker in self.workers:
            if worker.card is not None:
                self.card = worker.card
            if not worker.is_free:
                continue
            items = self.queue.take(self._settings.batch_inputs, self._settings.batch_characters)
            if not items:
                break
            self._metrics.batch_inputs.labels(self.name).observe(len(items))
            waited = self._metrics.queue_seconds.labels(self.name)
            for item in items:
                if item.place == 0:
                    waited.observe(now - item.pending.begun)
            call = items[0].pending.call
            worker.compute(call.operation, call.options, items)
        for worker in [each for each in self._old if each.is_idle]:
            self._retire(worker)

    def drop(self, pending: Pending) -> None:
        """Forget a call that nobody waits for any more, wherever it is."""
        self.queue.drop(pending)
        for worker in (*self.workers, *self._old):
            worker.cancel(pending.items)

    async def replace(self) -> bool:
        """Load the model anew beside the old one, then let it take over; False where it cannot be loaded.

        No request is dropped: the old workers finish what they have begun.
        """
        new = [self._made() for _ in range(self._settings.workers)]
        for worker in new:
            await worker.start()
        for worker in new:
            await worker.ready
        broken = next((worker for worker in new if worker.card is None), None)
        if broken is not None or self._is_stopping:
            self._log.error("not replaced", model=self.name, problem=broken.problem if broken else None)
            for worker in new:
                await worker.stop()
            return False
        self._old += self.workers
        self.workers = new
        self.dispatch()
        self._log.info("replaced", model=self.name, digest=new[0].card.digest if new[0].card else None)
        return True

    async def stop(self) -> None:
        """End its workers, and what is being started."""
        self._is_stopping = True
        for task in list(self._starting):
            task.cancel()
        for worker in (*self.workers, *self._old):
            await worker.stop()

    def _made(self) -> Worker:
        settings = self._settings
        worker = Worker(
            {
                "kind": "load",
                "name": self.name,
                "path": os.fspath(settings.models[self.name]),
                "device": settings.device,
                "threads": settings.threads_of_worker(),
                "plugins": list(settings.plugins),
                "response_bytes": settings.limits.response_bytes,
                "attention_weights": settings.limits.attention_weights,
            },
            settings.timeouts.stuck,
        )
        worker.on_free, worker.on_end = self.dispatch, self._ended
        worker.on_done, worker.on_problem = self._done, self._problem
        return worker

    async def _add(self) -> None:
        worker = self._made()
        self.workers.append(worker)
        await worker.start()
        self._log.info("worker started", model=self.name, worker=worker.pid)
        self._keep(self._follow(worker))

    async def _follow(self, worker: Worker) -> None:
        await worker.ready
        if worker.card is not None:
            self._log.info("loaded", model=self.name, worker=worker.pid, digest=worker.card.digest)

    def _retire(self, worker: Worker) -> None:
        self._old.remove(worker)
        self._keep(worker.stop())

    def _keep(self, work: Any) -> None:
        """Do it meanwhile."""
        task = asyncio.get_running_loop().create_task(work)
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    def _ended(self, worker: Worker) -> None:
        """A process is gone: put another one in its place."""
        if worker in self._old:
            self._old.remove(worker)
        if self._is_stopping or worker not in self.workers:
            return
        self.workers.remove(worker)
        if worker.problem is not None and self.card is None:
            self._on_fatal(StoreError(worker.problem))  # it has never been loaded, and will not be
            return
        why = "stuck" if worker.was_stuck else "ended"
        self._log.error("worker ended", model=self.name, worker=worker.pid, why=why, problem=worker.problem)
        self._metrics.restarts.labels(self.name, why).inc()
        if not worker.was_stuck:
            now = asyncio.get_running_loop().time()
            self._crashes.append(now)
            if len(self._crashes) == CRASHES and now - self._crashes[0] <= CRASH_SECONDS:
                told = f"{self.name}: its process ended {CRASHES} times within {CRASH_SECONDS:g} seconds"
                self._on_fatal(RegardError(f"{told}; the log above says when"))
                return
        self._keep(self._add())

    def _done(self, about: Mapping[str, Any]) -> None:
        tokenize, compute, serialize = about["seconds"]
        self._metrics.tokenize_seconds.labels(self.name).observe(tokenize)
        self._metrics.compute_seconds.labels(self.name).observe(compute)
        self._metrics.serialize_seconds.labels(self.name).observe(serialize)
        self._metrics.batch_tokens.labels(self.name).observe(about["tokens"])
        self._metrics.steps.labels(self.name).inc(about["steps"])

    def _problem(self, about: Mapping[str, Any]) -> None:
        self._log.error("not computed", model=self.name, what=about["error"], at=about["at"])
