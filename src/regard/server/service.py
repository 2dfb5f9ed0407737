"""What the protocols ask of the models: the one interface between HTTP and the processes that compute.

Nothing here imports torch: the front process never loads a model.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True)
class ModelCard:
    """What is known of a served model."""

    name: str
    """That of its folder; requests name it so."""
    task: str
    """As a recipe names it: translation, classification, …"""
    kind: str
    """The family of the network, as the recipe names it."""
    digest: str
    """SHA-256 of its weights; it changes when another checkpoint is served."""
    parameters: int
    operations: frozenset[str]
    """What it can be asked for."""
    source: str | None = None
    target: str | None = None
    """Languages, of a translator."""
    labels: tuple[str, ...] = ()
    reads_pairs: bool = False
    vector_size: int | None = None
    max_tokens: int | None = None
    """Of an input; None where there is no limit."""
    attentions: tuple[Mapping[str, Any], ...] = ()
    """Path, kind, layer and heads of each attention, lower layers first."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """The recipe, and what the training run recorded."""


@dataclass(frozen=True)
class Call:
    """One request for one operation of one model."""

    model: str
    operation: str
    inputs: Sequence[Mapping[str, Any]]
    """Each is computed as if it were alone."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The same for all inputs; calls with equal options may share a batch."""
    request_id: str = ""
    seconds: float | None = None
    """When it is too late; None for the service's own deadline."""


@dataclass(frozen=True)
class Blob:
    """Bytes that are not for JSON, with what describes them."""

    about: Mapping[str, Any]
    content: bytes


Result = Mapping[str, Any] | Blob


class ServiceError(Exception):
    """A request that is refused, or failed; each protocol says it in its own shape.

    code: stable: invalid, too_large, not_found, unauthorized, forbidden, overloaded, deadline, unavailable,
          cancelled, unsupported, internal
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        field: str | None = None,
        limit: float | None = None,
        found: float | str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message
        self.field, self.limit, self.found, self.retry_after = field, limit, found, retry_after


class Service(Protocol):
    """The models, behind their queues."""

    @property
    def models(self) -> Mapping[str, ModelCard]:
        """By name, in the order in which they were given."""
        ...

    async def run(self, call: Call) -> list[Result]:
        """A result for each input, in their order; cancelling the awaiting task cancels the computation.

        raises: ServiceError
        """
        ...

    def stream(self, call: Call) -> AsyncIterator[Mapping[str, Any]]:
        """Of one input: what is written, piece by piece ({"text": …, "token": …, …}); the whole result last,
        as {"result": …}. Closing the iterator cancels the computation.
        """
        ...
