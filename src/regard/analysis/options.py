"""What a check is asked for."""

from dataclasses import dataclass

from regard.analysis.thresholds import AlarmThresholds
from regard.inference.model import TaskModel
from regard.metrics.bootstrap import SEED


@dataclass(frozen=True)
class CheckOptions:
    """What the sections of a report are asked for."""

    adversary: bool = False
    """Also search for other attention with the same output; costly."""
    seeds: tuple[TaskModel, ...] = ()
    """Models of the same recipe, trained with other seeds."""
    seed: int = SEED
    """Of whatever is drawn."""
    quiet: bool = True
    thresholds: AlarmThresholds | None = None
    """Of the alarms, where they were fitted for this model."""
