"""The result of an experiment as it is kept: one JSON object, the same shape for all."""

from typing import Any, Literal

from pydantic import ValidationError

from regard.config.base import Config
from regard.errors import StoreError
from regard.experiments.estimates import Over, Repeats, Verdict


class FindingRecord(Config):
    """A finding, the effect that was measured, and the verdict."""

    name: str
    world: str
    paper: str
    """What the paper says."""
    sentence: str
    """What was found here."""
    effect: float
    """The mean over seeds or repetitions."""
    unit: str
    decimals: int
    interval: tuple[float, float]
    """95 %."""
    over: Over
    """What the interval is over: seeds or repetitions, or with one seed the rows of the test set (paired
    bootstrap)."""
    each: tuple[float, ...]
    """The effect with each seed or repetition."""
    claim: str
    """Where the whole interval must lie."""
    verdict: Verdict


class PartRecord(Config):
    """A system that was trained and measured."""

    world: str
    system: str
    seed: int
    seconds: float
    """Wall time of training and measuring."""
    about: dict[str, Any]
    """Facts of the training: parameters, steps, and so on."""
    values: dict[str, float | None]
    """Every measure; null where there was nothing to divide by."""


class LeftOut(Config):
    """A world that was not run, and why."""

    world: str
    why: str


class Reproduction(Config):
    """A paper's finding, run again."""

    kind: Literal["reproduction"] = "reproduction"
    format: Literal[1] = 1
    experiment: str
    line: str
    paper: str
    quick: bool
    seeds: tuple[int, ...]
    repeats: Repeats = "seeds"
    """What the numbers in `seeds` tell apart: trainings, or repetitions of one measurement."""
    findings: tuple[FindingRecord, ...]
    left_out: tuple[LeftOut, ...]
    notes: tuple[str, ...]
    """What the reader of the verdicts should know."""
    parts: tuple[PartRecord, ...]
    recipes: dict[str, dict[str, Any]]
    """What was trained, by `world/system`, with the first seed; where it is a recipe."""
    seconds: float
    """Wall time of all parts."""
    versions: dict[str, str]

    @property
    def headline(self) -> str:
        """The first finding as a sentence."""
        return self.findings[0].sentence if self.findings else "nothing was run"


def read_record(text: str | bytes, where: str) -> Reproduction:
    """Read a result again."""
    try:
        return Reproduction.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise StoreError(f"{where}: is not a result of regard reproduce ({place}: {first['msg']})") from None


def effect_text(finding: FindingRecord) -> str:
    """`+3.1 BLEU`."""
    return f"{finding.effect:+.{finding.decimals}f} {finding.unit}"


def interval_text(finding: FindingRecord) -> str:
    """`+2.0 to +4.2`."""
    return " to ".join(f"{bound:+.{finding.decimals}f}" for bound in finding.interval)


def over_text(finding: FindingRecord) -> str:
    """`3 seeds`, `5 repetitions`, or `test rows (1 seed)`."""
    return "test rows (1 seed)" if finding.over == "test rows" else f"{len(finding.each)} {finding.over}"
