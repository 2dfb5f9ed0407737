"""Classification: text in, frozen results out."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self, overload

import numpy as np
import torch
from torch import nn

from regard.config.classification import ClassificationRecipe
from regard.data.batching import length_batches, pad_texts
from regard.errors import DataError, StoreError
from regard.insight.edits import Edit, Edits, ForcePrefix
from regard.insight.maps import Weights
from regard.insight.merge import Side
from regard.insight.record import AttentionRecord
from regard.metrics.calibration import log_softmax
from regard.metrics.statistics import Floats
from regard.models.catalogue import build_model
from regard.nn.deciding import Decider, frame_of
from regard.nn.trace import Trace
from regard.store.folder import StoredModel, put_weights
from regard.store.vocabularies import labels_of, vocabularies_of
from regard.tasks.editing import SentenceEdits, each_edits, resolve, trace_edits
from regard.tasks.forcing import SYMBOLS
from regard.tasks.label_effect import LabelEffect
from regard.tasks.label_result import Classification
from regard.tasks.lengths import MAX_SOURCE_TOKENS, check_length
from regard.tasks.model import TaskModel
from regard.tasks.reading import NOT_ASKED, NOTHING_READ, engine_of, record_of, side_of
from regard.tasks.streaming import LINES_AT_ONCE, chunks
from regard.text.labels import Labels
from regard.text.tokenizer import Encoding, Tokenizer

_BATCH_TOKENS = 4096
_NO_ATTENTION = AttentionRecord(reason="this model has no attention: its words are pooled without weights")


class Classifier(TaskModel):
    """A trained classifier with its text and its labels."""

    task: ClassVar[str] = "classification"
    recipe: ClassificationRecipe

    def __init__(
        self,
        model: nn.Module,
        *,
        tokenizer: Tokenizer,
        labels: Labels,
        recipe: ClassificationRecipe,
        temperature: float = 1.0,
        summary: dict[str, Any] | None = None,
    ) -> None:
        """temperature: what logits are divided by before they become probabilities"""
        self.module = model
        self.network: Decider = model  # type: ignore[assignment]
        self.tokenizer = tokenizer
        self.names = labels
        self.recipe = recipe
        self.temperature = temperature
        self.summary = summary or {}

    @classmethod
    def opened(cls, stored: StoredModel, where: str) -> Self:
        """The classifier that a folder holds; `where` names it in an error."""
        recipe = stored.recipe
        if not isinstance(recipe, ClassificationRecipe):
            raise StoreError(f"{where}: is a model for {recipe.task}, not for {cls.task}")
        (tokenizer,), labels = vocabularies_of(stored, where, 1), labels_of(stored, where)
        model = build_model(recipe.model, source_size=len(tokenizer), outputs=len(labels))
        put_weights(model, stored.weights, where)
        return cls(
            model,
            tokenizer=tokenizer,
            labels=labels,
            recipe=recipe,
            temperature=float(stored.summary.get("temperature", 1.0)),
            summary=stored.summary,
        )

    def __repr__(self) -> str:
        parameters = sum(p.numel() for p in self.module.parameters())
        return f"Classifier({len(self.names)} labels, {self.recipe.model.kind}, {parameters:,} parameters)"

    @property
    def labels(self) -> tuple[str, ...]:
        """What the model can say, in the order of its outputs."""
        return self.names.names

    @overload  # a str is a sequence of str to the type checker, but never meant as one here
    def classify(  # type: ignore[overload-overlap]
        self, text: str, *, attention: bool = True, edit: None = None
    ) -> Classification: ...
    @overload
    def classify(
        self, text: Sequence[str], *, attention: bool = True, edit: None = None
    ) -> list[Classification]: ...
    @overload
    def classify(  # type: ignore[overload-overlap]
        self, text: str, *, attention: bool = True, edit: Edits
    ) -> LabelEffect: ...
    @overload
    def classify(
        self, text: Sequence[str], *, attention: bool = True, edit: Edit | Sequence[Edits]
    ) -> list[LabelEffect]: ...
    def classify(
        self,
        text: str | Sequence[str],
        *,
        attention: bool = True,
        edit: Edit | Sequence[Edits] | None = None,
    ) -> Classification | list[Classification] | LabelEffect | list[LabelEffect]:
        """Label a text, or several at once (faster).

        attention: also read what the model looked at
        edit:      change what is looked at, and give back what that changes. For one text an edit or several;
                   for a list of texts one edit for all, or a list with an entry for each

        >>> found = classifier.classify("이 책은 아주 좋다.")
        >>> found.label, found.probabilities[found.label] > 0.5
        ('positive', True)
        """
        alone = isinstance(text, str)
        texts = [text] if isinstance(text, str) else text
        encoded = self.encode(texts)
        if edit is None:
            results = self._decide(encoded, attention=attention)
            return results[0] if alone else results
        effects = self._effects(encoded, each_edits(edit, len(texts), alone=alone))
        return effects[0] if alone else effects

    @overload
    def look(self, text: str, *, edit: None = None) -> Classification: ...
    @overload
    def look(self, text: str, *, edit: Edits) -> LabelEffect: ...
    def look(self, text: str, *, edit: Edits | None = None) -> Classification | LabelEffect:
        """Label a text, and read the attention; with an edit, what that changes."""
        return self.classify(text) if edit is None else self.classify(text, edit=edit)

    def classify_lines(
        self, lines: Iterable[tuple[str, str] | None], *, attention: bool = False
    ) -> Iterator[Classification]:
        """Label lines, each given with its place for an error; as many as there are, in their order.

        Lines are taken many at a time; None among them says that no more is at hand for now. Those before a
        line that cannot be read are labelled first.
        """
        for chunk in chunks(lines, LINES_AT_ONCE):
            yield from self._decide(self.encode(*_apart(chunk)), attention=attention)

    def encode(self, texts: Sequence[str], places: Sequence[str] | None = None) -> list[Encoding]:
        """Texts as tokens; one that is too long is refused, naming its place."""
        encoded = list(self.tokenizer.encode_many(texts))
        for row, (text, encoding) in enumerate(zip(texts, encoded, strict=True)):
            check_length(encoding.ids, text, places[row] if places else "the text", self._most)
        return encoded

    def logits(self, texts: Sequence[Sequence[int]]) -> Floats:
        """What the network says of texts with one token or more, before any temperature: (n, labels)."""
        found = np.zeros((len(texts), len(self.names)))
        for rows, values, _ in self._run(texts, None, look=False):
            found[rows] = values
        return found

    def probabilities(self, logits: Floats) -> Floats:
        """Calibrated, (n, labels)."""
        values: Floats = np.exp(log_softmax(logits / self.temperature))
        return values

    def _effects(self, encoded: Sequence[Encoding], edits: Sequence[tuple[Edit, ...]]) -> list[LabelEffect]:
        if any(isinstance(edit, ForcePrefix) for own in edits for edit in own):
            raise DataError("a prefix is forced while a model writes, and this one does not; leave it out")
        edited = [
            resolve(own, self._side(text), self.network.attentions)
            for text, own in zip(encoded, edits, strict=True)
        ]
        changed = [own.without_removed(text) for own, text in zip(edited, encoded, strict=True)]
        before = self._decide(encoded, edited=[SentenceEdits()] * len(encoded))
        after = self._decide(changed, edited=edited)
        return [
            LabelEffect(own, old, new, change.notes)
            for own, old, new, change in zip(edits, before, after, edited, strict=True)
        ]

    def _decide(
        self,
        encoded: Sequence[Encoding],
        *,
        attention: bool = True,
        edited: Sequence[SentenceEdits] | None = None,
    ) -> list[Classification]:
        results = [Classification(text.text.original, "", {}, NOTHING_READ) for text in encoded]
        places = [place for place, text in enumerate(encoded) if text.ids]
        ids = [encoded[place].ids for place in places]
        own = None if edited is None else [edited[place] for place in places]
        engine = engine_of(self.module)
        for rows, logits, weights in self._run(ids, own, look=attention):
            for at, (row, values) in enumerate(zip(rows, self.probabilities(logits), strict=True)):
                text = encoded[places[row]]
                record = NOT_ASKED if not attention else _NO_ATTENTION
                if weights:
                    seen = {path: looks[at] for path, looks in weights.items()}
                    record = record_of(self._side(text), None, seen, self.network.attentions, engine)
                said = dict(zip(self.names, values.tolist(), strict=True))
                label = self.labels[int(values.argmax())]
                results[places[row]] = Classification(text.text.original, label, said, record)
        return results

    @torch.inference_mode()
    def _run(
        self,
        texts: Sequence[Sequence[int]],
        edited: Sequence[SentenceEdits] | None,
        *,
        look: bool,
    ) -> Iterator[tuple[list[int], Floats, dict[str, Weights]]]:
        """Read texts in batches of like length, in no particular order.

        yields: the rows; their logits, in float64; the weights of each attention by its path, (b, q, k), with
                padding beyond the sentence; none where nobody looks
        """
        for rows in length_batches([len(ids) for ids in texts], budget=_BATCH_TOKENS):
            tokens, lengths = pad_texts([texts[row] for row in rows], SYMBOLS)
            changes = None if edited is None else trace_edits([edited[row] for row in rows])
            trace = Trace(self.module, changes) if look or changes is not None else None
            decided = self.network(tokens.to(self.device), lengths.to(self.device), trace=trace)
            seen: dict[str, Weights] = {}
            if trace is not None and look:
                for path in self.network.attentions:
                    (sight,) = trace.kept[path]  # one look over the whole text
                    seen[path] = sight.weights.float().cpu().numpy()
            yield rows, decided.logits.double().cpu().numpy(), seen

    @property
    def _most(self) -> int:
        """How many tokens of a text are read at once."""
        frame = frame_of(self.network)
        return MAX_SOURCE_TOKENS if frame is None else min(MAX_SOURCE_TOKENS, frame.longest - 2)

    def _side(self, text: Encoding) -> Side:
        side, frame = side_of(text, self.tokenizer.dictionary, ended=False), frame_of(self.network)
        if frame is None:
            return side
        before, after = (self.tokenizer.piece(symbol) for symbol in (frame.first, frame.last))
        return replace(side, before=(before,), specials=(after,))


def _apart(chunk: Sequence[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """The texts, and their places."""
    return [text for _, text in chunk], [where for where, _ in chunk]
