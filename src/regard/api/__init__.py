"""What Python users call."""

from regard.api.measuring import baseline, compare, evaluate, measured_baseline, open_system, result_record
from regard.api.opening import export_model, import_model, load, load_filler, translate_lines
from regard.api.training import choose_recipe, dry_run, is_trained, train

__all__ = [
    "baseline",
    "choose_recipe",
    "compare",
    "dry_run",
    "evaluate",
    "export_model",
    "import_model",
    "is_trained",
    "load",
    "load_filler",
    "measured_baseline",
    "open_system",
    "result_record",
    "train",
    "translate_lines",
]
