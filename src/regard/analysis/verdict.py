"""What the explanation tests come to, by a stated rule over their intervals."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from regard.analysis.estimate import Estimate
from regard.analysis.swaps import EPSILON

Finding = Literal["yes", "no", "open"]
LEAST_TEXTS = 30
WORTH = "attention is worth reading here"
NOT_WORTH = "attention is not worth reading here"
OPEN = "it cannot be told whether attention is worth reading here"
_OTHERS = ("frozen_gain", "tau_leave_one_out", "rationale_gain")


@dataclass(frozen=True)
class Verdict:
    """A verdict in plain words, with its evidence."""

    text: str
    evidence: tuple[tuple[str, Finding, str], ...] = ()
    """Questions, what was found, and the numbers behind it."""

    def lines(self) -> list[str]:
        """The evidence, a line each."""
        return [f"{question} {found}: {numbers}" for question, found, numbers in self.evidence]


def verdict_of(estimates: Mapping[str, Estimate], texts: int) -> Verdict:
    """Worth reading: yes to all three questions. Not worth it: no to one of them. Else it cannot be told.

    1. Does the output depend on it? The mean of the median TVD under permutation lies above ε (yes), or at
       most at ε (no), with its whole interval.
    2. Do the words matter that it is on? Erasing them costs more than erasing as many at random (yes), or
       not more (no), with the whole interval of the difference.
    3. Does it agree with something else? The frozen attention beats uniform attention in a network without
       context, or its order goes with that of leaving words out, or it finds the rationale better than
       chance does: one interval above 0 (yes); all of them at most at 0 (no).
    """
    asked = (
        ("Does the output depend on it?", *_depends(estimates)),
        ("Do the words matter that it is on?", *_above(estimates, ["comprehensiveness_gain"])),
        ("Does it agree with other evidence?", *_above(estimates, _OTHERS)),
    )
    found = [own for _, own, _ in asked]
    if texts < LEAST_TEXTS:
        few = f"{texts} texts, fewer than {LEAST_TEXTS}"
        return Verdict(f"{OPEN}: {few}", asked)
    text = WORTH if found == ["yes"] * 3 else NOT_WORTH if "no" in found else OPEN
    return Verdict(text, asked)


def _depends(estimates: Mapping[str, Estimate]) -> tuple[Finding, str]:
    own = estimates.get("permutation")
    if own is None or not own.texts:
        return "open", "not measured"
    found: Finding = "yes" if own.low > EPSILON else "no" if own.high <= EPSILON else "open"
    return found, f"permuting it changes the output by {_told(own)}, against {EPSILON}"


def _above(estimates: Mapping[str, Estimate], names: tuple[str, ...] | list[str]) -> tuple[Finding, str]:
    there = {name: estimates[name] for name in names if name in estimates and estimates[name].texts}
    if not there:
        return "open", "not measured"
    told = "; ".join(f"{name.replace('_', ' ')} {_told(own)}" for name, own in there.items())
    if any(own.low > 0 for own in there.values()):
        return "yes", told
    return ("no" if all(own.high <= 0 for own in there.values()) else "open"), told


def _told(own: Estimate) -> str:
    return f"{own.value:.3f} ({own.low:.3f} to {own.high:.3f})"
