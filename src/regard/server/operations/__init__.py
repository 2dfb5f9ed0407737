"""What a model can be asked for: thin doors over the Python API. Only workers import this."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from regard.server.operations.observer import BatchObserver
from regard.server.operations.reading import classify, embed
from regard.server.operations.tokens import decode, tokenize
from regard.server.operations.writing import complete, translate
from regard.server.service import Result

Operation = Callable[[Any, Sequence[Mapping[str, Any]], Mapping[str, Any], BatchObserver], Sequence[Result]]
"""(model, inputs, options, observer) -> a result for each input; each as if it were alone."""

_TOKENS: dict[str, Operation] = {"tokenize": tokenize, "decode": decode}
OPERATIONS: dict[str, dict[str, Operation]] = {
    "translation": {"translate": translate, **_TOKENS},
    "language-model": {"complete": complete, **_TOKENS},
    "classification": {"classify": classify, **_TOKENS},
    "tagging": _TOKENS,
    "question-answering": _TOKENS,
    "masked-language-model": _TOKENS,
    "embedding": {"embed": embed, **_TOKENS},
}
"""By the task of a model, and by their names."""
