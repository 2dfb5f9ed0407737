"""All models of a service. The `Service` of the protocols."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

from regard.errors import RegardError
from regard.server.limits import check_call
from regard.server.logs import Log
from regard.server.metrics import Metrics, State
from regard.server.pool import ModelPool
from regard.server.queue import Pending
from regard.server.service import Call, ModelCard, Result, ServiceError
from regard.server.settings import Settings

_STOPPING = ServiceError(503, "unavailable", "the service is stopping", retry_after=5)


class Supervisor:
    """Takes calls to the models, and waits for what comes of them."""

    def __init__(self, settings: Settings, metrics: Metrics, log: Log) -> None:
        self._settings = settings
        self.fatal: asyncio.Future[RegardError] = asyncio.get_running_loop().create_future()
        """Why the service cannot go on."""
        self.pools = {
            name: ModelPool(name, settings, metrics, log, self._fail_for_good) for name in settings.models
        }
        self._is_draining = False
        self._pending: set[Pending] = set()
        self._no_pending = asyncio.Event()
        state = State(
            lambda: {name: len(pool.queue) for name, pool in self.pools.items()},
            lambda: dict(self.models),
            lambda: {name: [each.pid for each in pool.workers] for name, pool in self.pools.items()},
            lambda: self.is_ready,
        )
        metrics.registry.register(state)

    @property
    def models(self) -> Mapping[str, ModelCard]:
        """Those that are loaded, in the order in which they were given."""
        return {name: pool.card for name, pool in self.pools.items() if pool.card is not None}

    @property
    def is_loaded(self) -> bool:
        """Whether all models are known."""
        return all(pool.card is not None for pool in self.pools.values())

    @property
    def is_ready(self) -> bool:
        """Whether each model can compute."""
        return not self._is_draining and all(pool.is_ready for pool in self.pools.values())

    async def start(self) -> None:
        """Start the workers of all models; they load side by side."""
        for pool in self.pools.values():
            await pool.start()

    async def drain(self, seconds: float) -> None:
        """Take nothing new, wait for what is under way, and after so many seconds end that, too."""
        self._is_draining = True
        if self._pending:
            try:
                async with asyncio.timeout(seconds):
                    await self._no_pending.wait()
            except TimeoutError:
                self.fail_all()

    def fail_all(self) -> None:
        """Let whoever waits know that there will be no answer."""
        for pending in list(self._pending):
            pending.fail(_STOPPING)

    async def stop(self) -> None:
        """End all workers."""
        for pool in self.pools.values():
            await pool.stop()

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
        end = asyncio.get_running_loop().time() + self._seconds(call)
        try:
            while True:
                # Not around the `yield`: whoever is given a piece may take it in another task.
                async with asyncio.timeout_at(end):
                    piece = await pieces.get()
                if piece is None:
                    break
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
        """Let a call wait for its model."""
        if self._is_draining:
            raise _STOPPING
        pool = self.pools.get(call.model)
        if pool is None:
            raise ServiceError(
                404,
                "not_found",
                f"there is no such model; known: {', '.join(self.pools)}",
                field="model",
                found=call.model[:64],
            )
        if pool.card is None:
            raise ServiceError(503, "unavailable", "the model is being loaded; try again", retry_after=1)
        check_call(call, pool.card, self._settings.limits)
        pending = Pending(call, pieces.put_nowait if pieces is not None else None)
        pool.queue.put(pending)
        self._pending.add(pending)
        self._no_pending.clear()
        pool.dispatch()
        return pool, pending

    def _leave(self, pool: ModelPool, pending: Pending) -> None:
        """Nobody waits for a call any more: it has its answer, or will need none."""
        self._pending.discard(pending)
        if not self._pending:
            self._no_pending.set()
        future = pending.future
        if not future.done():
            future.cancel()
        if future.cancelled() or future.exception() is not None:
            pool.drop(pending)

    def _fail_for_good(self, error: RegardError) -> None:
        self.fail_all()
        if not self.fatal.done():
            self.fatal.set_result(error)

    def _seconds(self, call: Call) -> float:
        most = self._settings.timeouts.request
        return most if call.seconds is None else min(call.seconds, most)

    def _too_late(self, call: Call) -> ServiceError:
        seconds = self._seconds(call)
        return ServiceError(504, "deadline", f"no answer within {seconds:g} seconds", limit=seconds)
