"""The verdict on one output: the alarms that fire, worst first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from regard.analysis.alarm_catalogue import ALARMS, ATTENTION, Alarm
from regard.analysis.observations import Observation
from regard.analysis.thresholds import AlarmThresholds, Limit


@dataclass(frozen=True)
class Raised:
    """An alarm that fired."""

    name: str
    score: float
    threshold: float
    severity: float
    detail: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        told = {"detail": self.detail} if self.detail else {}
        return {"name": self.name, "score": self.score, "threshold": self.threshold, **told}


@dataclass(frozen=True)
class Judged:
    """An output with the scores of all alarms that apply, and those that fired, worst first."""

    one: Observation
    scores: Mapping[str, float]
    raised: tuple[Raised, ...] = field(default=())

    @property
    def severity(self) -> float:
        """Of the worst alarm; 0 where none fired."""
        return self.raised[0].severity if self.raised else 0.0


def judge(one: Observation, known: AlarmThresholds) -> Judged:
    """The alarms of one output."""
    scores = {alarm.name: value for alarm in ALARMS if (value := alarm.score(one, known)) is not None}
    raised = []
    for alarm in ALARMS:
        limit = known.limits.get(alarm.name)
        if limit is None or alarm.name not in scores or scores[alarm.name] <= limit.threshold:
            continue
        score = scores[alarm.name]
        detail = alarm.detail(one, known) if alarm.detail else ""
        raised.append(Raised(alarm.name, score, limit.threshold, limit.severity(score), detail))
    return Judged(one, scores, tuple(sorted(raised, key=lambda each: -each.severity)))


def default_thresholds() -> AlarmThresholds:
    """Round numbers that no data has confirmed."""
    return AlarmThresholds({alarm.name: Limit(alarm.default, alarm.unit) for alarm in ALARMS})


def not_applicable(seen: Sequence[Observation], known: AlarmThresholds) -> dict[str, str]:
    """The alarms that apply to none of the outputs, and why."""
    found = {}
    for alarm in ALARMS:
        if not any(alarm.score(one, known) is not None for one in seen):
            found[alarm.name] = _reason(alarm, seen)
        elif alarm.name not in known.limits:
            found[alarm.name] = "the dev set had nothing to fit it on"
    return found


def _reason(alarm: Alarm, seen: Sequence[Observation]) -> str:
    told = next((one.no_attention for one in seen if one.no_attention), "")
    return told if alarm.needs == ATTENTION and told else f"needs {alarm.needs}"
