"""How good translations are."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from regard.data.links import FORMS, AlignedRow, GoldLinks, gold_links
from regard.data.pairs import Pair
from regard.errors import DataError
from regard.evaluation.scores import Evaluation, check_metrics, check_rows, evaluation_of
from regard.evaluation.test_set import TestSet
from regard.insight.align import best_links
from regard.metrics.alignment import Alignment, alignment_statistics
from regard.metrics.bleu import METRICS as OF_TEXTS
from regard.metrics.bleu import translation_statistics
from regard.metrics.bootstrap import SAMPLES, SEED
from regard.metrics.statistics import Floats, Statistics
from regard.progress import counted, say, track
from regard.tasks.translation.document import LineTranslation, translate_lines
from regard.tasks.translation.predictor import Translator

AER = "aer"
METRICS = (*OF_TEXTS, AER)
"""Those of sacreBLEU; and the alignment error rate of the attention, which needs a model and test_set."""
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
        found = known or translation_statistics(_APART_BY, self.texts, self.test_set.references)
        return _APART_BY, found.each()


def evaluate_translations(
    translator: Translator,
    test_set: TestSet | Sequence[Pair],
    *,
    beam_size: int | None = None,
    metrics: Sequence[str] = METRICS,
    samples: int = SAMPLES,
    seed: int = SEED,
    quiet: bool = True,
) -> TranslationEvaluation:
    """Translate the sources and score the outputs; align the references where gold is known."""
    test_set = test_set if isinstance(test_set, TestSet) else TestSet.of(test_set)
    check_metrics(metrics, METRICS)
    width = translator.search_width(beam_size, 1)
    links: Sequence[GoldLinks | None] = ()
    not_measured: dict[str, str] = {}
    if AER in metrics:
        links = _gold_links(test_set)
        not_measured = _no_alignment(translator, test_set, links)
    _check_some(metrics, not_measured)
    for pair in test_set.pairs:
        translator.check_length(pair.source, pair.where)
    begun = time.monotonic()
    outputs = _translate(translator, test_set.pairs, width, quiet=quiet)
    seconds = time.monotonic() - begun
    alignment = {}
    if AER in metrics and AER not in not_measured:
        alignment = _alignment(translator, test_set.pairs, links, quiet=quiet)
    statistics = _score([output.text for output in outputs], test_set, metrics, samples, seed, quiet=quiet)
    return evaluation_of(
        TranslationEvaluation,
        test_set,
        [output.text for output in outputs],
        {**statistics, **alignment},
        samples,
        seed,
        beam_size=width,
        seconds=seconds,
        outputs=tuple(outputs),
        not_measured=not_measured,
    )


def evaluate_outputs(
    texts: Sequence[str],
    test_set: TestSet,
    *,
    metrics: Sequence[str] = METRICS,
    samples: int = SAMPLES,
    seed: int = SEED,
    quiet: bool = True,
) -> TranslationEvaluation:
    """Score given outputs, one for each row of the test set."""
    check_metrics(metrics, METRICS)
    check_rows(texts, test_set)
    not_measured = {AER: "it is read from the attention of a model, and a file of outputs has none"}
    _check_some(metrics, not_measured)
    statistics = _score(texts, test_set, metrics, samples, seed, quiet=quiet)
    return evaluation_of(
        TranslationEvaluation, test_set, texts, statistics, samples, seed, not_measured=not_measured
    )


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
    texts: Sequence[str], test_set: TestSet, metrics: Sequence[str], samples: int, seed: int, *, quiet: bool
) -> dict[str, Statistics]:
    _doubt_tokenised(texts, test_set, quiet=quiet)
    statistics = {}
    for name in dict.fromkeys(metric for metric in metrics if metric != AER):
        tracked = track(texts, f"scoring: {name}", unit="sentences", total=len(texts), every=32, quiet=quiet)
        statistics[name] = translation_statistics(
            name, tracked, test_set.references, samples=samples, seed=seed
        )
    return statistics


def _doubt_tokenised(texts: Sequence[str], test_set: TestSet, *, quiet: bool) -> None:
    """Say so if the outputs look tokenised and the references do not: sacreBLEU tokenises both itself."""
    apart = sum(text.endswith(" .") for text in texts)
    if 2 * apart > len(texts) and not any(pair.target.endswith(" .") for pair in test_set.pairs):
        say(
            f"{apart:,} of {len(texts):,} outputs end in ' .' and no reference does: are they tokenised? "
            f"sacreBLEU wants plain text",
            quiet=quiet,
        )


def _check_some(metrics: Sequence[str], not_measured: Mapping[str, str]) -> None:
    """Refuse to work for nothing."""
    if {*metrics} <= {AER} and AER in not_measured:
        raise DataError(f"no {AER}: {not_measured[AER]}; choose {', '.join(OF_TEXTS)}")


def _gold_links(test_set: TestSet) -> list[GoldLinks | None]:
    """The alignments that the test set has, each file by itself."""
    files: dict[str, list[int]] = {}
    for row, pair in enumerate(test_set.pairs):
        files.setdefault(pair.where.rpartition(":")[0], []).append(row)
    found: list[GoldLinks | None] = [None] * len(test_set)
    for rows in files.values():
        pairs = [test_set.pairs[row] for row in rows]
        aligned = gold_links([AlignedRow(pair.source, pair.target, pair.where, pair.links) for pair in pairs])
        for row, own in zip(rows, aligned, strict=True):
            found[row] = own
    return found


def _no_alignment(
    translator: Translator, test_set: TestSet, links: Sequence[GoldLinks | None]
) -> dict[str, str]:
    """Why there is no alignment error rate, if so."""
    if not any(pair.links is not None for pair in test_set.pairs):
        return {AER: f"{test_set.name} has no gold alignments; they are {FORMS}"}
    if not any(own is not None for own in links):
        return {AER: f"{test_set.name} has gold alignments for none of its rows"}
    if not translator.network.cross_attention:
        return {AER: "the model has no attention over the source"}
    return {}


def _alignment(
    translator: Translator, pairs: Sequence[Pair], links: Sequence[GoldLinks | None], *, quiet: bool
) -> dict[str, Statistics]:
    """The error of the attention's best links when the references are forced."""
    aligned = {row: own for row, own in enumerate(links) if own is not None}
    rows = list(aligned)
    alignments: list[Alignment | None] = [None] * len(pairs)
    for first in track(range(0, len(rows), _TOGETHER), "aligning", unit="batches", every=1, quiet=quiet):
        chosen = rows[first : first + _TOGETHER]
        forced = translator.force([(pairs[row].source, pairs[row].target) for row in chosen])
        for row, output in zip(chosen, forced, strict=True):
            own = aligned[row]
            found = best_links(output.attention, tokens=own.words == "token")
            alignments[row] = (found, own.sure, own.possible)
    words = {"word": "punctuation apart", "token": "between spaces"}
    kinds = " and ".join(words[kind] for kind in dict.fromkeys(own.words for own in aligned.values()))
    signature = f"links:best source word|words:{kinds}|gold:{counted(len(rows), 'row')}"
    return {AER: alignment_statistics(alignments, signature=signature)}
