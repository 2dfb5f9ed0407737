"""What the service is told when it starts."""

import os
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Limits:
    """The most that a request may ask for; what is more is refused before any work."""

    body_bytes: int = 2**20
    texts: int = 32
    characters: int = 10_000
    """Of one text."""
    beam_size: int = 16
    attention_weights: int = 2**25
    """Numbers of all layers and heads of what is asked for: T² · L · H."""
    response_bytes: int = 8 * 2**20
    length_factor: float = 4.0
    """An output may have so many times the tokens of its source, …"""
    length_extra: int = 50
    """… and so many more."""
    new_tokens: int = 1024
    """Of a completion, in the place of `length_extra`."""
    phrases: int = 32
    """Words that must or must not appear, or terms of a glossary."""


@dataclass(frozen=True)
class Timeouts:
    """In seconds."""

    request: float = 30.0
    """From when a request is read until it is answered."""
    header: float = 10.0
    body: float = 30.0
    drain: float = 20.0
    """What is under way when the service is told to stop."""

    @property
    def stuck(self) -> float:
        """A worker that goes on so long with what nobody waits for any more is ended."""
        return min(10.0, self.request)


@dataclass(frozen=True)
class Settings:
    """The whole of it."""

    models: dict[str, Path]
    """By name, in the order in which they were given."""
    host: str = "127.0.0.1"
    port: int = 8000
    key_file: Path | None = None
    allowed_hosts: tuple[str, ...] = ()
    """Names under which clients may know the service, besides localhost and addresses."""
    allowed_origins: tuple[str, ...] = ()
    """Of pages that may ask from a browser."""
    workers: int = 1
    """Processes of each model."""
    threads: int | None = None
    """Of each worker."""
    device: str = "cpu"
    plugins: tuple[str, ...] = ()
    """Of the user's own, which workers must know, too."""
    watch: bool = False
    """Take a new best checkpoint of a run folder."""
    watch_seconds: float = 2.0
    open_to_all: bool = False
    """Whether everybody may ask who reaches the address, without a key."""
    queue: int = 64
    """Requests of one model that may wait."""
    per_client: int | None = None
    """Requests that one key, or one address without keys, may have under way; by default half the queue."""
    batch_inputs: int = 64
    batch_characters: int = 16_384
    """Of the texts that are computed together, filled up to the longest."""
    limits: Limits = field(default_factory=Limits)
    timeouts: Timeouts = field(default_factory=Timeouts)
    quiet: bool = False
    """Log mistakes alone."""

    @property
    def most_per_client(self) -> int:
        """What `per_client` says, or what follows from the queue."""
        return max(1, self.queue // 2) if self.per_client is None else self.per_client

    def threads_of_worker(self) -> int | None:
        """How many threads a worker computes with; None leaves it to torch.

        Several workers of a model share the cores.
        """
        if self.threads is not None or self.workers == 1:
            return self.threads
        return max(1, len(os.sched_getaffinity(0)) // self.workers)
