"""Alarms: which outputs not to trust, and why. Each has a score, and fires above a threshold."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from regard.analysis.alarm_catalogue import ALARMS
from regard.analysis.alarm_section import AlarmSection
from regard.analysis.judging import default_thresholds, judge, not_applicable
from regard.analysis.observations import Observation, observe
from regard.analysis.options import CheckOptions
from regard.analysis.thresholds import AlarmThresholds, AttentionReference, Limit
from regard.data.pairs import Pair
from regard.errors import DataError
from regard.evaluation.test_set import TestSet
from regard.inference.model import TaskModel
from regard.text.scripts import script_of

RATE = 0.01
FEWEST = 50
"""Rows of a dev set: fewer say nothing of one output in a hundred."""
_LEAST_SCRIPT = 0.01
"""The share of a dev set's letters that makes a script one of the outputs'."""


def check_alarms(
    model: TaskModel,
    examples: Sequence[Pair],
    thresholds: AlarmThresholds | None = None,
    outputs: Sequence[str] | None = None,
    *,
    quiet: bool = True,
) -> AlarmSection:
    """Which outputs of a corpus not to trust.

    thresholds: those that `fit_alarms` gave; without them, defaults
    outputs:    of a translator, given translations to be judged in place of its own
    """
    if outputs is not None and model.task != "translation":
        raise DataError(f"given outputs are judged of a translator; this is a model for {model.task}")
    if outputs is not None and len(outputs) != len(examples):
        raise DataError(f"expected an output for each of {len(examples)} rows, found {len(outputs)}")
    known = thresholds or default_thresholds()
    seen = observe(model, examples, outputs, quiet=quiet)
    judged = tuple(judge(one, known) for one in seen)
    return AlarmSection(judged, known, not_applicable(seen, known))


def alarm_section(model: TaskModel, test: TestSet, options: CheckOptions) -> AlarmSection:
    """What a report says of alarms."""
    return check_alarms(model, test.pairs, options.thresholds, quiet=options.quiet)


def fit_alarms(
    model: TaskModel, dev: Sequence[Pair], *, rate: float = RATE, data: str = "", quiet: bool = True
) -> AlarmThresholds:
    """Thresholds that a share `rate` of good outputs is above.

    dev:  good pairs; of a translator their translations count as outputs, of other models its own outputs
    data: what to call them
    """
    if not 0.0 < rate < 0.5:
        raise DataError(f"expected a rate between 0 and 0.5, such as {RATE}, found {rate}")
    if len(dev) < FEWEST:
        raise DataError(
            f"alarms are fitted on {FEWEST} good rows or more, found {len(dev)}; take a larger set"
        )
    given = [pair.target for pair in dev] if model.task == "translation" else None
    seen = observe(model, dev, given, quiet=quiet)
    return replace(fit_observed(seen, rate), data=data, task=model.task)


def fit_observed(seen: Sequence[Observation], rate: float = RATE) -> AlarmThresholds:
    """The same of outputs that were read already."""
    logs = [value for one in seen for value in one.log_probabilities]
    written = [one for one in seen if one.is_written]
    compared = [one.attention.mass for one in seen[::2] if one.attention is not None]
    ratios = [len(one.text) / len(one.source) for one in written if one.source and one.text]
    known = replace(
        default_thresholds(),
        token_limit=float(np.quantile(logs, 5 * rate)) if logs else default_thresholds().token_limit,
        length_ratio=float(np.median(ratios)) if ratios else 1.0,
        scripts=_scripts(written),
        reference=AttentionReference.fitted(compared) if len(compared) > 1 else None,
        rows=len(seen),
        rate=rate,
    )
    limits, missing = {}, []
    for alarm in ALARMS:
        rows = seen[1::2] if alarm.is_compared else seen
        scores = [value for one in rows if (value := alarm.score(one, known)) is not None]
        if not scores:
            missing.append(alarm.name)
            continue
        threshold = max(float(np.quantile(scores, 1.0 - rate, method="higher")), alarm.least)
        spread = threshold - float(np.median(scores))
        limits[alarm.name] = Limit(threshold, spread if spread > 1e-9 else alarm.unit)
    return replace(known, limits=limits, missing=tuple(missing))


def _scripts(written: Sequence[Observation]) -> frozenset[str] | None:
    """The scripts that outputs are written in."""
    counts = Counter(script for one in written for script in map(script_of, one.text) if script)
    return frozenset(s for s, n in counts.items() if n >= _LEAST_SCRIPT * counts.total()) or None
