"""A `Service` without processes around it: operations on models that are in this one."""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from regard.server.loading import card_of
from regard.server.operations import OPERATIONS
from regard.server.operations.observer import BatchObserver
from regard.server.service import Call, ModelCard, Result


class InProcess:
    """Models by their names."""

    def __init__(self, **models: Any) -> None:
        self._models = models
        self.models: dict[str, ModelCard] = {}
        for name, model in models.items():
            told = card_of(model, Path(), name, OPERATIONS[model.task])
            told["operations"] = frozenset(told["operations"])
            self.models[name] = ModelCard(**told)

    async def run(self, call: Call) -> list[Result]:
        model = self._models[call.model]
        observer = BatchObserver(range(len(call.inputs)), (), (), lambda *_: None)
        return list(OPERATIONS[model.task][call.operation](model, call.inputs, call.options, observer))

    async def stream(self, call: Call) -> AsyncIterator[Mapping[str, Any]]:
        (result,) = await self.run(call)
        yield {"result": result}
