"""How good translations are: BLEU, chrF and TER; and whether the attention aligns the words."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from regard.config.load import Setting
from regard.data.alignments import FORMS, GoldLinks
from regard.data.pairs import Pair, pair_links, read_pairs
from regard.errors import ConfigError
from regard.evaluation.evaluator import EvaluationOptions, Evaluator, Scoring, metrics_of
from regard.evaluation.outputs import Outputs
from regard.evaluation.result import Evaluation
from regard.evaluation.test_set import TestSet
from regard.metrics.alignment import ALIGNMENT_METRICS, Alignment, alignment_statistics
from regard.metrics.bleu import translation_statistics
from regard.metrics.statistics import Floats, Statistics
from regard.progress import counted, say, track
from regard.tasks.translation.alignment import forced_alignments
from regard.tasks.translation.document import LineTranslation, translate_lines
from regard.tasks.translation.predictor import Translator

_APART_BY = "chrf"
"""The score of a sentence by which outputs are close or far apart: it has a value for the shortest, too."""
_TOGETHER = 512
"""Sentences of like length that are given to the translator at once."""


@dataclass(frozen=True)
class TranslationOutputs(Outputs[LineTranslation]):
    """Translations, with their log-probabilities where a model gave them."""

    beam_size: int | None = None
    """The width of the search."""


@dataclass(frozen=True, repr=False)
class TranslationEvaluation(Evaluation):
    """Scores of translations of a corpus."""

    task: ClassVar[str] = "translation"
    predictions: TranslationOutputs

    @property
    def beam_size(self) -> int | None:
        """The width of the search; None where the outputs come from a file."""
        return self.predictions.beam_size

    @property
    def search(self) -> str:
        """The width of the search."""
        return f"beam {self.beam_size}"

    def extra(self) -> dict[str, Any]:
        """The speed of the search."""
        if self.seconds is None:
            return {}
        # </s> is written, too.
        tokens = sum(len(part.tokens) + 1 for output in self.outputs for part in output.parts)
        rate = round(tokens / max(self.seconds, 1e-9), 1)
        return {"beam_size": self.beam_size, **super().extra(), "tokens_per_second": rate}

    def sentence_scores(self) -> tuple[str, Floats]:
        """chrF."""
        known = self.statistics.get(_APART_BY)
        found = known or translation_statistics(_APART_BY, self.texts, self.test_set.references)
        return _APART_BY, found.each()


class TranslationEvaluator(Evaluator[Translator, TranslationOutputs, TranslationEvaluation]):
    """The scores of sacreBLEU; and the alignment error rate of the attention, which needs gold."""

    task = "translation"
    metrics = metrics_of("bleu", "chrf", "ter", *ALIGNMENT_METRICS)
    options: ClassVar[Mapping[str, str]] = {
        "source": "data.source",
        "target": "data.target",
        "references": "",
        "beam_size": "",
    }
    evaluation = TranslationEvaluation
    reader = read_pairs

    def settings(self, options: EvaluationOptions) -> list[Setting]:
        """The columns of the two languages."""
        references = options.get("references")
        if references and options.get("target"):
            raise ConfigError("target and references exclude each other: the references are the target")
        return super().settings({**options, "target": references[0]} if references else options)

    def not_comparable(self, name: str, model: Translator, first: str, base: Translator) -> str | None:
        """Models of different language pairs."""
        own, other = (f"{one.recipe.data.source}→{one.recipe.data.target}" for one in (model, base))
        if own == other:
            return None
        return f"{name} translates {own}, but {first} {other}; compare models of one pair"

    def predict(self, model: Translator, test: TestSet, scoring: Scoring) -> TranslationOutputs:
        """Translate the sources; align the references where gold is known."""
        width = model.search_width(scoring.beam_size, 1)
        links: Sequence[GoldLinks | None] = ()
        not_measured: dict[str, str] = {}
        wanted = [name for name in ALIGNMENT_METRICS if name in scoring.metrics]
        if wanted:
            links = pair_links(test.pairs)
            not_measured = dict.fromkeys(wanted, _no_alignment(model, test, links))
            not_measured = {name: why for name, why in not_measured.items() if why}
        self.check_some(scoring.metrics, not_measured)
        for pair in test.pairs:
            model.check_length(pair.source, pair.where)
        begun = time.monotonic()
        results = _translate(model, test.pairs, width, quiet=scoring.quiet)
        seconds = time.monotonic() - begun
        alignment = {}
        if wanted and not not_measured:
            every = _alignment(model, test.pairs, links, quiet=scoring.quiet)
            alignment = {name: every[name] for name in wanted}
        return TranslationOutputs(
            tuple(result.text for result in results),
            tuple(results),
            seconds,
            statistics=alignment,
            not_measured=not_measured,
            beam_size=width,
        )

    def parse(self, lines: Sequence[str], test: TestSet) -> TranslationOutputs:
        """Translations."""
        del test
        return TranslationOutputs(tuple(lines))

    def score(self, outputs: TranslationOutputs, test: TestSet, scoring: Scoring) -> dict[str, Statistics]:
        """The scores of sacreBLEU, in the order in which they were asked for."""
        texts, quiet = outputs.texts, scoring.quiet
        _doubt_tokenised(texts, test, quiet=quiet)
        found = {}
        for name in dict.fromkeys(metric for metric in scoring.metrics if metric not in ALIGNMENT_METRICS):
            tracked = track(
                texts, f"scoring: {name}", unit="sentences", total=len(texts), every=32, quiet=quiet
            )
            found[name] = translation_statistics(
                name, tracked, test.references, samples=scoring.samples, seed=scoring.seed
            )
        return found


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


def _doubt_tokenised(texts: Sequence[str], test: TestSet, *, quiet: bool) -> None:
    """Say so if the outputs look tokenised and the references do not: sacreBLEU tokenises both itself."""
    apart = sum(text.endswith(" .") for text in texts)
    if 2 * apart > len(texts) and not any(pair.target.endswith(" .") for pair in test.pairs):
        say(
            f"{apart:,} of {len(texts):,} outputs end in ' .' and no reference does: are they tokenised? "
            f"sacreBLEU wants plain text",
            quiet=quiet,
        )


def _no_alignment(translator: Translator, test: TestSet, links: Sequence[GoldLinks | None]) -> str:
    """Why there is no alignment error rate, if so."""
    if not any(pair.links is not None for pair in test.pairs):
        return f"{test.name} has no gold alignments; they are {FORMS}"
    if not any(own is not None for own in links):
        return f"{test.name} has gold alignments for none of its rows"
    return "" if translator.network.cross_attention else "the model has no attention over the source"


def _alignment(
    translator: Translator, pairs: Sequence[Pair], links: Sequence[GoldLinks | None], *, quiet: bool
) -> dict[str, Statistics]:
    """The error of the attention's best links when the references are forced."""
    aligned = {row: own for row, own in enumerate(links) if own is not None}
    rows = list(aligned)
    alignments: list[Alignment | None] = [None] * len(pairs)
    for first in track(range(0, len(rows), _TOGETHER), "aligning", unit="batches", every=1, quiet=quiet):
        some = rows[first : first + _TOGETHER]
        found = forced_alignments(translator, [pairs[row] for row in some], [aligned[row] for row in some])
        for row, alignment in zip(some, found, strict=True):
            alignments[row] = alignment
    words = {"word": "punctuation apart", "token": "between spaces"}
    kinds = " and ".join(words[kind] for kind in dict.fromkeys(own.words for own in aligned.values()))
    heads = f"|heads:{translator.alignment_heads}" if translator.alignment_heads else ""
    signature = f"links:best source word|words:{kinds}{heads}|gold:{counted(len(rows), 'row')}"
    return alignment_statistics(alignments, signature=signature)
