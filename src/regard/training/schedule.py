"""The learning rate as a function of the step."""

import math

from regard.config.training import ScheduleConfig


def learning_rate_share(step: int, total: int, schedule: ScheduleConfig, *, spent: float = 0.0) -> float:
    """Share of the peak learning rate at a step, which counts from 1 to `total`.

    spent: the share of the time that is over, where a run has a limit; the decay follows what is further on
    """
    warmup = schedule.warmup_steps
    if step < warmup:
        return step / warmup
    rising = spent * warmup / max(1, step)  # the share of the time that the warm-up took, if steps are alike
    by_time = (spent - rising) / (1.0 - rising) if rising < 1.0 else 0.0
    progress = max(by_time, (step - warmup) / max(1, total - warmup))  # 0 at the peak, 1 at the end
    match schedule.kind:
        case "constant":
            return 1.0
        case "inverse_sqrt":
            return math.sqrt(max(1, warmup) / step)
        case "linear":
            return 1.0 - (1.0 - schedule.floor) * progress
        case "cosine":
            return schedule.floor + (1.0 - schedule.floor) * (1 + math.cos(math.pi * progress)) / 2
