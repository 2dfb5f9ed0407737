"""The shape that all operations have."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from regard.server.operations.observer import BatchObserver
from regard.server.service import Result

Operation = Callable[[Any, Sequence[Mapping[str, Any]], Mapping[str, Any], BatchObserver], Sequence[Result]]
"""(model, inputs, options, observer) -> a result for each input; each as if it were alone."""
