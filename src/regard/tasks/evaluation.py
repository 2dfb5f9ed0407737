"""How good a translator is on given pairs."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from regard.data.pairs import Pair
from regard.insight.align import best_links
from regard.metrics.alignment import alignment_error_rate
from regard.metrics.bleu import bleu, chrf
from regard.tasks.translation import Translation, Translator


@dataclass(frozen=True)
class Evaluation:
    """Scores of a translator on a corpus, with what is needed to compare them with others'."""

    rows: int
    metrics: dict[str, float]
    """bleu and chrf, 0 to 100; aer, 0 to 1, where the corpus has gold alignments."""
    signature: dict[str, str]
    """How sacreBLEU computed each score."""
    beam_size: int
    seconds: float
    """Time to translate, reading of attention not counted."""
    outputs: tuple[Translation, ...]
    task: str = "translation"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON; the translations themselves are left out."""
        return {
            "task": self.task,
            "rows": self.rows,
            "metrics": {name: round(value, 4) for name, value in self.metrics.items()},
            "signature": self.signature,
            "beam_size": self.beam_size,
            "seconds": round(self.seconds, 1),
        }


def evaluate_translations(
    translator: Translator, pairs: Sequence[Pair], *, beam_size: int | None = None
) -> Evaluation:
    """Translate the sources and compare with the references; align the references where gold is known."""
    width = translator.search_width(beam_size, 1)
    for pair in pairs:
        translator.check_length(pair.source, pair.where)
    begun = time.monotonic()
    outputs = translator.translate([pair.source for pair in pairs], beam_size=width, attention=False)
    seconds = time.monotonic() - begun
    texts, references = [output.text for output in outputs], [pair.target for pair in pairs]
    scores = {"bleu": bleu(texts, references), "chrf": chrf(texts, references)}
    metrics = {name: score.value for name, score in scores.items()}
    with_gold = [pair for pair in pairs if pair.links is not None]
    if with_gold:
        metrics["aer"] = _alignment_error(translator, with_gold)
    signature = {name: score.signature for name, score in scores.items()}
    return Evaluation(len(pairs), metrics, signature, width, seconds, tuple(outputs))


def _alignment_error(translator: Translator, pairs: Sequence[Pair]) -> float:
    """AER of the attention's best links when the references are forced."""
    forced = translator.force([(pair.source, pair.target) for pair in pairs])
    found = (best_links(output.attention) for output in forced)
    gold = (pair.links or frozenset() for pair in pairs)
    return alignment_error_rate((links, sure, sure) for links, sure in zip(found, gold, strict=True))
