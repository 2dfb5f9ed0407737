"""The models of a service: their queues, and the processes that compute. The `Service` of the protocols."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import Any

from regard.server.limits import check_call
from regard.server.process import Worker, asked_of
from regard.server.queue import Pending, Queue
from regard.server.service import Call, ModelCard, Result, ServiceError
from regard.server.settings import Settings


class ModelPool:
    """One model: its queue, and its workers."""

    def __init__(self, name: str, settings: Settings) -> None:
        self.name = name
        self._settings = settings
        self.queue = Queue(settings.queue)
        self.workers: list[Worker] = []

    async def start(self) -> None:
        """Start its workers."""
        settings = self._settings
        asked = asked_of(
            self.name,
            settings.models[self.name],
            settings.device,
            settings.threads,
            settings.limits.response_bytes,
        )
        for _ in range(settings.workers):
            self.workers.append(await Worker.start(asked, self.dispatch, self._ended))

    @property
    def card(self) -> ModelCard | None:
        """What is known of the model, once a worker has loaded it."""
        return next((worker.card for worker in self.workers if worker.card is not None), None)

    def dispatch(self, _: Worker | None = None) -> None:
        """Give waiting inputs to workers that have nothing to do."""
        for worker in self.workers:
            if not worker.is_free:
                continue
            items = self.queue.take(self._settings.batch_inputs, self._settings.batch_characters)
            if not items:
                return
            call = items[0].pending.call
            worker.compute(call.operation, call.options, items)

    def drop(self, pending: Pending) -> None:
        """Forget a call that nobody waits for any more, wherever it is."""
        self.queue.drop(pending)
        ids = [item.id for item in pending.items]
        for worker in self.workers:
            worker.cancel(ids)

    def _ended(self, worker: Worker) -> None:
        self.workers.remove(worker)


class Supervisor:
    """All models."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.pools = {name: ModelPool(name, settings) for name in settings.models}

    @property
    def models(self) -> Mapping[str, ModelCard]:
        """Those that are loaded, in the order in which they were given."""
        return {name: pool.card for name, pool in self.pools.items() if pool.card is not None}

    @property
    def is_ready(self) -> bool:
        """Whether each model can compute."""
        return all(any(worker.card for worker in pool.workers) for pool in self.pools.values())

    async def start(self) -> None:
        """Start the workers of all models; they load side by side."""
        for pool in self.pools.values():
            await pool.start()

    async def stop(self) -> None:
        """End all workers."""
        for pool in self.pools.values():
            for worker in list(pool.workers):
                await worker.stop()

    async def run(self, call: Call) -> list[Result]:
        """A result for each input, in their order; cancelling the awaiting task cancels the computation.

        raises: ServiceError
        """
        if not call.inputs:
            return []
        pool, pending = self._put(call)
        try:
            async with asyncio.timeout(self._seconds(call)):
                return await pending.future
        except TimeoutError:
            raise self._too_late(call) from None
        finally:
            self._leave(pool, pending)

    async def stream(self, call: Call) -> AsyncIterator[Mapping[str, Any]]:
        """Of one input: what is written, piece by piece; the whole result last, as {"result": …}."""
        pieces: asyncio.Queue[Mapping[str, Any] | None] = asyncio.Queue()
        pool, pending = self._put(call, pieces)
        pending.future.add_done_callback(lambda _: pieces.put_nowait(None))
        try:
            async with asyncio.timeout(self._seconds(call)):
                while (piece := await pieces.get()) is not None:
                    yield piece
                (result,) = pending.future.result()
                yield {"result": result}
        except TimeoutError:
            raise self._too_late(call) from None
        finally:
            self._leave(pool, pending)

    def _put(
        self, call: Call, pieces: "asyncio.Queue[Mapping[str, Any] | None] | None" = None
    ) -> tuple[ModelPool, Pending]:
        pool = self.pools.get(call.model)
        if pool is None:
            known = ", ".join(self.pools)
            raise ServiceError(
                404,
                "not_found",
                f"there is no such model; known: {known}",
                field="model",
                found=call.model[:64],
            )
        card = pool.card
        if card is None:
            raise ServiceError(503, "unavailable", "the model is being loaded; try again", retry_after=1)
        check_call(call, card, self._settings.limits)
        pending = Pending(call, pieces.put_nowait if pieces is not None else None)
        pool.queue.put(pending)
        pool.dispatch()
        return pool, pending

    def _leave(self, pool: ModelPool, pending: Pending) -> None:
        if not pending.future.done() or pending.future.cancelled() or pending.future.exception():
            pool.drop(pending)
            with suppress(asyncio.InvalidStateError):
                pending.future.cancel()

    def _seconds(self, call: Call) -> float:
        most = self._settings.timeouts.request
        return most if call.seconds is None else min(call.seconds, most)

    def _too_late(self, call: Call) -> ServiceError:
        seconds = self._seconds(call)
        return ServiceError(504, "deadline", f"no answer within {seconds:g} seconds", limit=seconds)
