"""A run that goes on: its new best checkpoint is served as soon as it is there."""

import asyncio
from pathlib import Path

from regard.errors import StoreError
from regard.server.logs import Log
from regard.server.pool import ModelPool
from regard.store.pointer import POINTER
from regard.store.resolve import find_model


async def watch(pools: dict[str, ModelPool], models: dict[str, Path], every: float, log: Log) -> None:
    """Look at each run folder again and again; what is no run folder does not change."""
    seen = {name: _best(path) for name, path in models.items() if (path / POINTER).is_file()}
    while True:
        await asyncio.sleep(every)
        for name, before in seen.items():
            now = _best(models[name])
            if now is None or now == before:
                continue
            seen[name] = now
            log.info("new checkpoint", model=name)
            await pools[name].replace()


def _best(path: Path) -> Path | None:
    """The best checkpoint; None while there is no telling."""
    try:
        return find_model(path)
    except StoreError:
        return None
