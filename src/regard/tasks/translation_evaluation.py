"""How good translations are."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from regard.data.pairs import Pair
from regard.insight.align import best_links
from regard.metrics.alignment import Alignment, alignment_statistics
from regard.metrics.bleu import METRICS, translation_statistics
from regard.metrics.bootstrap import SAMPLES, SEED
from regard.metrics.statistics import Floats, Statistics
from regard.progress import say, track
from regard.tasks.document import LineTranslation, translate_lines
from regard.tasks.evaluation import Evaluation, check_metrics, check_rows, evaluation_of
from regard.tasks.gold import Gold
from regard.tasks.translation import Translator

AER = "aer"
_APART_BY = "chrf"
"""The score of a sentence by which outputs are close or far apart: it has a value for the shortest, too."""
_TOGETHER = 512
"""Sentences of like length that are given to the translator at once."""


@dataclass(frozen=True, repr=False)
class TranslationEvaluation(Evaluation):
    """Scores of translations of a corpus."""

    task: ClassVar[str] = "translation"

    beam_size: int | None = None
    """The width of the search; None where the outputs come from a file."""
    outputs: tuple[LineTranslation, ...] = ()
    """The translations with their log-probabilities; none where the outputs come from a file."""

    @property
    def how(self) -> str:
        """The width of the search."""
        return f"beam {self.beam_size}"

    def more(self) -> dict[str, Any]:
        """The speed of the search."""
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

    def of_sentences(self) -> tuple[str, Floats]:
        """chrF."""
        known = self.statistics.get(_APART_BY)
        counted = known or translation_statistics(_APART_BY, self.texts, self.gold.references)
        return _APART_BY, counted.each()


def evaluate_translations(
    translator: Translator,
    gold: Gold | Sequence[Pair],
    *,
    beam_size: int | None = None,
    metrics: Sequence[str] = METRICS,
    samples: int = SAMPLES,
    seed: int = SEED,
    quiet: bool = True,
) -> TranslationEvaluation:
    """Translate the sources and score the outputs; align the references where gold is known."""
    gold = gold if isinstance(gold, Gold) else Gold.of(gold)
    check_metrics(metrics, METRICS)
    width = translator.search_width(beam_size, 1)
    for pair in gold.pairs:
        translator.check_length(pair.source, pair.where)
    begun = time.monotonic()
    outputs = _translate(translator, gold.pairs, width, quiet=quiet)
    seconds = time.monotonic() - begun
    alignment = _alignment(translator, gold.pairs, quiet=quiet)
    statistics = _score([output.text for output in outputs], gold, metrics, samples, seed, quiet=quiet)
    return evaluation_of(
        TranslationEvaluation,
        gold,
        [output.text for output in outputs],
        {**statistics, **alignment},
        samples,
        seed,
        beam_size=width,
        seconds=seconds,
        outputs=tuple(outputs),
    )


def evaluate_outputs(
    texts: Sequence[str],
    gold: Gold,
    *,
    metrics: Sequence[str] = METRICS,
    samples: int = SAMPLES,
    seed: int = SEED,
    quiet: bool = True,
) -> TranslationEvaluation:
    """Score given outputs, one for each row of the test set."""
    check_metrics(metrics, METRICS)
    check_rows(texts, gold)
    statistics = _score(texts, gold, metrics, samples, seed, quiet=quiet)
    return evaluation_of(TranslationEvaluation, gold, texts, statistics, samples, seed)


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
