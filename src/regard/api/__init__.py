"""What Python users call.

Names are loaded when they are first used: a command can check what it was given before torch is there.
"""

from typing import TYPE_CHECKING, Any

from regard.lazy import imported

if TYPE_CHECKING:
    from regard.api.alignment import align
    from regard.api.checking import check, fit_alarms
    from regard.api.evaluation import (
        baseline,
        compare,
        evaluate,
        measured_baseline,
        open_system,
        result_record,
    )
    from regard.api.loading import export_model, import_model, load, load_fill_mask, translate_lines
    from regard.api.training import choose_recipe, dry_run, is_trained, train

__all__ = [
    "align",
    "baseline",
    "check",
    "choose_recipe",
    "compare",
    "dry_run",
    "evaluate",
    "export_model",
    "fit_alarms",
    "import_model",
    "is_trained",
    "load",
    "load_fill_mask",
    "measured_baseline",
    "open_system",
    "result_record",
    "train",
    "translate_lines",
]

_HOMES = {
    "align": "alignment",
    "baseline": "evaluation",
    "check": "checking",
    "choose_recipe": "training",
    "compare": "evaluation",
    "dry_run": "training",
    "evaluate": "evaluation",
    "export_model": "loading",
    "fit_alarms": "checking",
    "import_model": "loading",
    "is_trained": "training",
    "load": "loading",
    "load_fill_mask": "loading",
    "measured_baseline": "evaluation",
    "open_system": "evaluation",
    "result_record": "evaluation",
    "train": "training",
    "translate_lines": "loading",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return imported(f"regard.api.{_HOMES[name]}.{name}")
    raise AttributeError(f"module 'regard.api' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
