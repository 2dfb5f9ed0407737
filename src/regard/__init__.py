"""regard trains, runs and looks inside attention models for language.

>>> import regard
>>> model = regard.load("runs/demo")
>>> model.translate("나는 책을 읽었다.").text
'I ...'

Names are loaded when they are first used, so that `import regard` costs no torch.
"""

import importlib
from typing import TYPE_CHECKING, Any

from regard.version import __version__

if TYPE_CHECKING:
    from regard.api import compare, evaluate, load, train, translate_lines
    from regard.errors import RegardError
    from regard.insight.maps import AttentionMap
    from regard.insight.record import AttentionRecord
    from regard.tasks.comparison import Comparison
    from regard.tasks.constraints import Constraints
    from regard.tasks.document import LineTranslation
    from regard.tasks.evaluation import Evaluation
    from regard.tasks.glossary import Glossary
    from regard.tasks.result import PairScore
    from regard.tasks.translation import Translation, Translator
    from regard.training.loop import RunSummary

__all__ = [
    "AttentionMap",
    "AttentionRecord",
    "Comparison",
    "Constraints",
    "Evaluation",
    "Glossary",
    "LineTranslation",
    "PairScore",
    "RegardError",
    "RunSummary",
    "Translation",
    "Translator",
    "__version__",
    "compare",
    "evaluate",
    "load",
    "train",
    "translate_lines",
]

_HOMES = {
    "AttentionMap": "regard.insight.maps",
    "AttentionRecord": "regard.insight.record",
    "Comparison": "regard.tasks.comparison",
    "Constraints": "regard.tasks.constraints",
    "Evaluation": "regard.tasks.evaluation",
    "Glossary": "regard.tasks.glossary",
    "LineTranslation": "regard.tasks.document",
    "PairScore": "regard.tasks.result",
    "RegardError": "regard.errors",
    "RunSummary": "regard.training.loop",
    "Translation": "regard.tasks.translation",
    "Translator": "regard.tasks.translation",
    "compare": "regard.api",
    "evaluate": "regard.api",
    "load": "regard.api",
    "train": "regard.api",
    "translate_lines": "regard.api",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'regard' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
