"""How many requests each client has under way: one that asks for everything leaves room for others."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from regard.server.metrics import Metrics
from regard.server.service import ServiceError


class Clients:
    """Those that have requests under way, by their keys or addresses."""

    def __init__(self, most: int, metrics: Metrics) -> None:
        self._most, self._metrics = most, metrics
        self._under_way: Counter[bytes] = Counter()

    @contextmanager
    def one_more(self, client: bytes) -> Iterator[None]:
        """While a request of a client is under way; refused where it has too many."""
        if self._under_way[client] >= self._most:
            self._metrics.refused_of_client.inc()
            raise ServiceError(
                429,
                "overloaded",
                f"this client has {self._most:,} requests under way, and may have no more; see --per-client",
                limit=self._most,
                found=self._most,
                retry_after=1,
            )
        self._under_way[client] += 1
        try:
            yield
        finally:
            self._under_way[client] -= 1
            if not self._under_way[client]:
                del self._under_way[client]
