"""Outcomes that are labels: of a text, of a pair, of a word of a sentence; and numbers."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from regard.analysis.outcome import CONTRAST, differs, one_word, refuse
from regard.analysis.prediction import PredictionOutcome, log
from regard.errors import DataError, did_you_mean
from regard.insight.display import visible
from regard.insight.edits import Word
from regard.metrics.divergence import SMALLEST
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.trace import Trace
from regard.tasks.classification.output_types import MultiLabel, Regression
from regard.tasks.classification.predictor import Classifier, padded
from regard.tasks.tagging.examples import make_words
from regard.tasks.tagging.predictor import Tagger


class LabelOutcome(PredictionOutcome):
    """A label of a text, or of a pair; or its number."""

    model: Classifier

    def __init__(
        self, model: Classifier, encoded: Any, *, target: str | None, word: Word | None, instead: str | None
    ) -> None:
        super().__init__(model, encoded)
        refuse({"word": word}, "this model says one thing of a whole text; leave it out")
        (found,) = model.results([encoded], attention=False)
        self._answer = model.answer
        if isinstance(self._answer, Regression):
            refuse({"target": target, "instead": instead}, "this model says a number, and has no labels")
            self.measure, self.said = "the number", found.in_words()
            return
        best = max(found.probabilities, key=lambda name: found.probabilities[name])
        self._label = _chosen(target, model.labels, "target") if target is not None else best
        self._other = None if instead is None else _chosen(instead, model.labels, "instead")
        if instead is not None:
            differs(self._label, self._other, instead)
        contrast = "" if self._other is None else f", not {visible(self._other)}"
        self.measure = "log p" if self._other is None else CONTRAST
        self.said = f"{visible(self._label)} ({found.probabilities[self._label]:.1%}){contrast}"

    def value(self, read: Any, result: Any) -> list[float]:
        """Log-probability of the label, or the number."""
        del read
        if isinstance(self._answer, Regression):
            return [float(result.value)]
        less = 0.0 if self._other is None else log(result.probabilities[self._other])
        return [log(result.probabilities[self._label]) - less]

    def objective(self, model: Any, copies: int, trace: Trace) -> Tensor:
        """The same from the logits."""
        first, second = padded([model.example(self.encoded)] * copies, model.device)
        logits: Tensor = model.network(*first, **second, trace=trace).logits
        if isinstance(self._answer, Regression):
            return self._answer.said.mean + self._answer.said.spread * logits[:, 0]
        logits = logits / model.temperature
        single = not isinstance(self._answer, MultiLabel)
        logs = logits.log_softmax(-1) if single else torch.nn.functional.logsigmoid(logits)
        found = logs[:, model.labels.index(self._label)]
        return found if self._other is None else found - logs[:, model.labels.index(self._other)]


class TagOutcome(PredictionOutcome):
    """The tag of a word; or those of all words."""

    model: Tagger

    def __init__(
        self, model: Tagger, encoded: Any, *, target: str | None, word: Word | None, instead: str | None
    ) -> None:
        super().__init__(model, encoded)
        (found,) = model.results([encoded], attention=False)
        self._words = list(range(len(found.words)))
        if word is None:
            refuse({"target": target, "instead": instead}, "name the word whose tag is meant; see `word`")
        else:
            side = encoded.given.side
            number, notes = one_word(word, side, "the sentence")
            self._words, self.notes = [number], self.notes + notes
        tags = [found.tags[number] if target is None else target for number in self._words]
        self._tags = [model.labels.index(_chosen(tag, model.labels, "target")) for tag in tags]
        self._other = (
            None if instead is None else model.labels.index(_chosen(instead, model.labels, "instead"))
        )
        if instead is not None:
            differs(self._tags, [self._other], instead)
        self.measure = "log p" if instead is None else CONTRAST
        pairs = zip(self._words, tags, strict=True)
        self.said = " ".join(f"{visible(found.words[number])}/{visible(tag)}" for number, tag in pairs)
        self.said += "" if instead is None else f", not {visible(instead)}"
        if model.characters is not None:
            self.notes += ("gradients are those of word embeddings; characters of words are not in them",)

    def value(self, read: Any, result: Any) -> list[float]:
        """The log marginal of each tag; NaN of a word that is not there."""
        places = {span: place for place, span in enumerate(read.given.spans)}
        found = []
        for word, tag in zip(self._words, self._tags, strict=True):
            place = places.get(self.encoded.given.spans[word])
            own = np.full(len(self.model.labels), np.nan) if place is None else result.marginals[place]
            logs = np.log(np.maximum(own, SMALLEST))
            found.append(float(logs[tag] - (0.0 if self._other is None else logs[self._other])))
        return found

    def objective(self, model: Any, copies: int, trace: Trace) -> Tensor:
        """The same from the emission scores."""
        words = make_words([model.example(self.encoded)] * copies).to(model.device)
        scores = model.network(words, trace=trace).double()
        marginals = model.network.labelling.marginals(scores, words.lengths)
        logs = (marginals.clamp(min=torch.finfo(torch.float64).tiny).log() / model.temperature).log_softmax(
            -1
        )
        found = logs[:, self._words, self._tags]
        less = 0.0 if self._other is None else logs[:, self._words, self._other]
        total: Tensor = (found - less).sum(-1)
        return total

    def rows(self, site: AttentionSpec, count: int) -> list[int]:
        """Those of the tokens of the words."""
        del site, count
        side, spans = self.sides[0], self.encoded.given.spans
        meant = [spans[word] for word in self._words]
        inside = [n for n, (start, end) in enumerate(side.spans) if any(a <= start < b for a, b in meant)]
        return [len(side.before) + place for place in inside]


def _chosen(name: str, labels: Sequence[str], what: str) -> str:
    if name not in labels:
        raise DataError(f"{what}: the model has no label '{name}'; {did_you_mean(name, labels)}")
    return name
