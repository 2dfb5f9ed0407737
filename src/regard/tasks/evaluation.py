"""How good translations are, and how sure that is."""

import json
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from regard.data.pairs import Pair
from regard.errors import DataError, did_you_mean
from regard.insight.align import best_links
from regard.metrics.alignment import Alignment, alignment_statistics
from regard.metrics.bleu import METRICS, translation_statistics
from regard.metrics.bootstrap import SAMPLES, SEED, Interval, interval, resample
from regard.metrics.statistics import Floats, Rows, Statistics
from regard.progress import say, track
from regard.tasks.document import LineTranslation, translate_lines
from regard.tasks.gold import Gold
from regard.tasks.translation import Translator

AER = "aer"
LOWER_IS_BETTER = frozenset({"ter", AER})
_TOGETHER = 512
"""Sentences of like length that are given to the translator at once."""
_DECIMALS = 4
_ONE_LINE = str.maketrans("\r\n", "  ")


@dataclass(frozen=True)
class Group:
    """The scores of some rows."""

    rows: int
    metrics: dict[str, float]


@dataclass(frozen=True, repr=False)
class Evaluation:
    """Scores of translations of a corpus, with what is needed to compare them with others'."""

    rows: int
    metrics: dict[str, float]
    """bleu, chrf and ter, 0 to 100; aer, 0 to 1, where a model reads a corpus with gold alignments."""
    intervals: dict[str, Interval]
    """Where 95 % of the resampled scores lie; empty without resamples."""
    signature: dict[str, str]
    """How sacreBLEU computed each score."""
    by: dict[str, dict[str, Group]]
    """The scores by words of the source (`length`), and by each column that was asked for."""
    gold: Gold = field(compare=False)
    texts: tuple[str, ...]
    """The translations that were scored."""
    statistics: Mapping[str, Statistics] = field(compare=False)
    """The metrics sentence by sentence."""
    resampled: Mapping[str, Floats] = field(compare=False)
    """The score of each resample; the resamples are the same for all systems on a corpus."""
    beam_size: int | None = None
    """The width of the search; None where the outputs come from a file."""
    seconds: float | None = None
    """Time to translate, reading of attention not counted."""
    outputs: tuple[LineTranslation, ...] = ()
    """The translations with their log-probabilities; none where the outputs come from a file."""
    task: str = "translation"

    def __repr__(self) -> str:
        scores = (f"{name} {self.in_words(name)}" for name in self.metrics)
        return f"Evaluation({self.rows:,} rows: {', '.join(scores)})"

    def in_words(self, metric: str) -> str:
        """A score with its interval."""
        digits = decimals(metric)
        text = f"{self.metrics[metric]:.{digits}f}"
        if metric not in self.intervals:
            return text
        low, high = self.intervals[metric]
        return f"{text} [{low:.{digits}f}, {high:.{digits}f}]"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON; the translations themselves are left out."""
        return {
            "task": self.task,
            "rows": self.rows,
            "metrics": rounded(self.metrics),
            "intervals": {
                name: [round(bound, _DECIMALS) for bound in bounds] for name, bounds in self.intervals.items()
            },
            "signature": self.signature,
            "by": {
                column: {
                    value: {"rows": group.rows, "metrics": rounded(group.metrics)}
                    for value, group in groups.items()
                }
                for column, groups in self.by.items()
            },
            **self._speed(),
        }

    def _speed(self) -> dict[str, Any]:
        if self.seconds is None:
            return {}
        seconds = max(self.seconds, 1e-9)
        # </s> is written, too.
        tokens = sum(len(part.tokens) + 1 for output in self.outputs for part in output.parts)
        return {
            "beam_size": self.beam_size,
            "seconds": round(self.seconds, 1),
            "sentences_per_second": round(self.rows / seconds, 1),
            "tokens_per_second": round(tokens / seconds, 1),
        }

    def sentences(self) -> Iterator[dict[str, Any]]:
        """Each row with its output and its own scores, as plain values."""
        each = {name: metric.each() for name, metric in self.statistics.items()}
        for row, (pair, references) in enumerate(zip(self.gold.pairs, self.gold.references, strict=True)):
            scores = {name: float(values[row]) for name, values in each.items()}
            yield {
                "where": pair.where,
                "source": pair.source,
                "reference": pair.target,
                **({"references": list(references)} if len(references) > 1 else {}),
                "output": self.texts[row],
                "scores": rounded(scores),
            }

    def outputs_as(self, *, json_lines: bool) -> str:
        """The outputs as a file: one a line, or one JSON object a line with the scores of each."""
        if json_lines:
            return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in self.sentences())
        return "".join(f"{text.translate(_ONE_LINE)}\n" for text in self.texts)


def evaluate_translations(
    translator: Translator,
    gold: Gold | Sequence[Pair],
    *,
    beam_size: int | None = None,
    metrics: Sequence[str] = METRICS,
    samples: int = SAMPLES,
    seed: int = SEED,
    quiet: bool = True,
) -> Evaluation:
    """Translate the sources and score the outputs; align the references where gold is known."""
    gold = gold if isinstance(gold, Gold) else Gold.of(gold)
    check_metrics(metrics)
    width = translator.search_width(beam_size, 1)
    for pair in gold.pairs:
        translator.check_length(pair.source, pair.where)
    begun = time.monotonic()
    outputs = _translate(translator, gold.pairs, width, quiet=quiet)
    seconds = time.monotonic() - begun
    alignment = _alignment(translator, gold.pairs, quiet=quiet)
    statistics = _score([output.text for output in outputs], gold, metrics, samples, seed, quiet=quiet)
    return _evaluation(
        gold, [output.text for output in outputs], {**statistics, **alignment}, samples, seed,
        beam_size=width, seconds=seconds, outputs=tuple(outputs),
    )  # fmt: skip


def evaluate_outputs(
    texts: Sequence[str],
    gold: Gold,
    *,
    metrics: Sequence[str] = METRICS,
    samples: int = SAMPLES,
    seed: int = SEED,
    quiet: bool = True,
) -> Evaluation:
    """Score given outputs, one for each row of the test set."""
    check_metrics(metrics)
    if len(texts) != len(gold):
        raise DataError(
            f"expected {len(gold):,} outputs, one for each row of {gold.name}, found {len(texts):,}"
        )
    return _evaluation(gold, texts, _score(texts, gold, metrics, samples, seed, quiet=quiet), samples, seed)


def check_metrics(metrics: Sequence[str]) -> None:
    """Refuse a metric that there is not."""
    if not metrics:
        raise DataError(f"expected a metric or several of {', '.join(METRICS)}, found none")
    for name in metrics:
        if name not in METRICS:
            raise DataError(f"no metric is called '{name}'; {did_you_mean(name, METRICS)}")


def decimals(metric: str) -> int:
    """How many decimals a person looks at: three of a score from 0 to 1, two of one from 0 to 100."""
    return 3 if metric == AER else 2


def rounded(scores: Mapping[str, float]) -> dict[str, float]:
    """Scores as they are written in files."""
    return {name: round(value, _DECIMALS) for name, value in scores.items() if not math.isnan(value)}


def _evaluation(
    gold: Gold,
    texts: Sequence[str],
    statistics: Mapping[str, Statistics],
    samples: int,
    seed: int,
    **facts: Any,
) -> Evaluation:
    resampled = resample(statistics, samples=samples, seed=seed)
    return Evaluation(
        rows=len(gold),
        metrics={name: metric.value() for name, metric in statistics.items()},
        intervals={name: interval(scores) for name, scores in resampled.items()},
        signature={name: metric.signature for name, metric in statistics.items() if metric.signature},
        by={
            column: {value: _group(statistics, rows) for value, rows in groups.items()}
            for column, groups in gold.groups.items()
        },
        gold=gold,
        texts=tuple(texts),
        statistics=statistics,
        resampled=resampled,
        **facts,
    )


def _group(statistics: Mapping[str, Statistics], rows: Rows) -> Group:
    """The scores of some rows; a metric without anything to measure there is left out."""
    scores = {name: metric.value(rows) for name, metric in statistics.items()}
    return Group(len(rows), {name: value for name, value in scores.items() if not math.isnan(value)})


def _translate(
    translator: Translator, pairs: Sequence[Pair], width: int, *, quiet: bool
) -> list[LineTranslation]:
    """What `regard translate` writes. Long lines first: what is too much for the machine is soon known."""
    order = sorted(range(len(pairs)), key=lambda row: -len(pairs[row].source))
    lines = ((pairs[row].where, pairs[row].source) for row in order)
    results = translate_lines(translator, lines, lines_at_once=_TOGETHER, beam_size=width)
    done = track(results, "translating", unit="sentences", total=len(pairs), every=_TOGETHER, quiet=quiet)
    found = dict(zip(order, done, strict=True))
    return [found[row] for row in range(len(pairs))]


def _score(
    texts: Sequence[str], gold: Gold, metrics: Sequence[str], samples: int, seed: int, *, quiet: bool
) -> dict[str, Statistics]:
    _doubt_tokenised(texts, gold, quiet=quiet)
    statistics = {}
    for name in dict.fromkeys(metrics):
        tracked = track(texts, f"scoring: {name}", unit="sentences", total=len(texts), every=32, quiet=quiet)
        statistics[name] = translation_statistics(name, tracked, gold.references, samples=samples, seed=seed)
    return statistics


def _doubt_tokenised(texts: Sequence[str], gold: Gold, *, quiet: bool) -> None:
    """Say so if the outputs look tokenised and the references do not: sacreBLEU tokenises both itself."""
    apart = sum(text.endswith(" .") for text in texts)
    if 2 * apart > len(texts) and not any(pair.target.endswith(" .") for pair in gold.pairs):
        say(
            f"{apart:,} of {len(texts):,} outputs end in ' .' and no reference does: are they tokenised? "
            f"sacreBLEU wants plain text",
            quiet=quiet,
        )


def _alignment(translator: Translator, pairs: Sequence[Pair], *, quiet: bool) -> dict[str, Statistics]:
    """The error of the attention's best links when the references are forced; nothing without gold."""
    with_gold = [row for row, pair in enumerate(pairs) if pair.links is not None]
    if not with_gold:
        return {}
    alignments: list[Alignment | None] = [None] * len(pairs)
    for first in track(range(0, len(with_gold), _TOGETHER), "aligning", unit="batches", every=1, quiet=quiet):
        chosen = with_gold[first : first + _TOGETHER]
        forced = translator.force([(pairs[row].source, pairs[row].target) for row in chosen])
        for row, output in zip(chosen, forced, strict=True):
            sure = pairs[row].links or frozenset()
            alignments[row] = (best_links(output.attention), sure, sure)
    return {AER: alignment_statistics(alignments)}
