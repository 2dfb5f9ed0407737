"""Classification: text in, frozen results out."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Self, TypedDict, overload

import numpy as np
import torch
from torch import nn

from regard.config.classification import ClassificationRecipe
from regard.data.batching import SYMBOLS, Ids, pad_texts
from regard.errors import DataError
from regard.inference.attention import EMPTY_INPUT, IN_WINDOWS
from regard.inference.explain import follow, path_of
from regard.inference.inputs import EncodedTexts, Texts, given_text, given_texts
from regard.inference.predictor import Predictor, window_notes
from regard.insight.edits import EachEdits, Edits, Word
from regard.insight.explain import Explanation
from regard.insight.record import AttentionRecord
from regard.insight.token_axis import NO_TARGET, token_axes
from regard.metrics.statistics import Floats
from regard.models.catalogue import build_classifier
from regard.nn.sequence_classifier import PaddedTokens, SequenceClassifier, special_tokens_of
from regard.nn.trace import Trace
from regard.store.build import build_from_weights, label_encoder_of, vocabularies_of
from regard.store.folder import StoredModel
from regard.tasks.classification.output_types import output_type_of
from regard.tasks.classification.result import Classification, LabelEffect
from regard.text.labels import Labels, Scale
from regard.text.tokenizer import Tokenizer

TextOrPair = tuple[str, ...]
"""What is read together: one text, or two."""


class Classifier(Predictor[EncodedTexts, Sequence[Ids], Floats, Classification, LabelEffect]):
    """A trained model that says something of a text, or of two, with its vocabulary and what it can say."""

    task: ClassVar[str] = "classification"
    effect_class = LabelEffect
    recipe: ClassificationRecipe
    tokenizer: Tokenizer

    def __init__(
        self,
        model: nn.Module,
        *,
        tokenizer: Tokenizer,
        said: Labels | Scale,
        recipe: ClassificationRecipe,
        summary: dict[str, Any] | None = None,
    ) -> None:
        """Put a classifier together.

        said: the labels, or the scale of the numbers
        """
        self.module = model
        self.network: SequenceClassifier = model  # type: ignore[assignment]
        self.tokenizer = tokenizer
        self.answer = output_type_of(said)
        self.recipe = recipe
        self.summary = summary or {}

    @classmethod
    def opened(cls, stored: StoredModel, where: str) -> Self:
        """The classifier that a folder holds; `where` names it in an error."""
        recipe = cls.recipe_of(stored, ClassificationRecipe, where)
        (tokenizer,), said = (
            vocabularies_of(stored, where, 1),
            label_encoder_of(stored, recipe.data.answer, where),
        )
        texts = 1 if recipe.data.second is None else 2
        sizes = {"source_size": len(tokenizer), "outputs": output_type_of(said).outputs, "texts": texts}
        model = build_from_weights(lambda: build_classifier(recipe.model, **sizes), stored, where)
        return cls(model, tokenizer=tokenizer, said=said, recipe=recipe, summary=stored.summary)

    def describe(self) -> tuple[str, ...]:
        """What it says, and of what."""
        what = f"{len(self.labels)} labels" if self.labels else "a number"
        return f"{what}{' of pairs' if self.reads_pairs else ''}", self.recipe.model.kind

    @property
    def labels(self) -> tuple[str, ...]:
        """What the model can say, in the order of its outputs; nothing where it says a number."""
        said = self.answer.said
        return said.names if isinstance(said, Labels) else ()

    @property
    def reads_pairs(self) -> bool:
        """Whether two texts are read together."""
        return self.recipe.data.second is not None

    @property
    def most_of_a_pair(self) -> int | None:
        """How many tokens a pair that is read as one may have; None where there is no limit."""
        frame = special_tokens_of(self.network)
        return None if frame is None or not self.reads_pairs else frame.longest - frame.symbols(2)

    @overload  # a str is a sequence of str to the type checker, but never meant as one here
    def classify(  # type: ignore[overload-overlap]
        self, text: str, second: str | None = None, *, attention: bool = True, edit: None = None
    ) -> Classification: ...
    @overload
    def classify(
        self, text: Texts, second: Texts | None = None, *, attention: bool = True, edit: None = None
    ) -> list[Classification]: ...
    @overload
    def classify(  # type: ignore[overload-overlap]
        self, text: str, second: str | None = None, *, attention: bool = True, edit: Edits
    ) -> LabelEffect: ...
    @overload
    def classify(
        self, text: Texts, second: Texts | None = None, *, attention: bool = True, edit: EachEdits
    ) -> list[LabelEffect]: ...
    def classify(
        self,
        text: str | Texts,
        second: str | Texts | None = None,
        *,
        attention: bool = True,
        edit: EachEdits | None = None,
    ) -> Classification | list[Classification] | LabelEffect | list[LabelEffect]:
        """Say what a text is, or several at once (faster): a label, labels, or a number, as was trained.

        second:    of a model that reads two texts: what stands beside each
        attention: also return the attention weights
        edit:      change the attention or the input, and return the effect. For one text an edit or several;
                   for a list of texts one edit for all, or a list with an entry for each

        >>> found = classifier.classify("이 책은 아주 좋다.")
        >>> found.label, found.probabilities[found.label] > 0.5
        ('positive', True)
        """
        alone = isinstance(text, str)
        texts = given_texts(text)
        seconds = None if second is None else given_texts(second, "second text")
        encoded = self.encode(self._beside(texts, seconds))
        return self.predict(encoded, alone=alone, attention=attention, edit=edit)

    @torch.inference_mode()
    def explain(
        self,
        text: str,
        second: str | None = None,
        *,
        row: Word,
        column: Word | None = None,
        path: str | None = None,
        head: int | None = None,
    ) -> Explanation:
        """Follow one row of one attention: its score, the softmax, the weighted sum.

        row:    the hop, or the word of the query, by its number, counted from 0
        column: the word of a key, by its text or number
        path:   the attention; by default that of the pooling, of a pair over the first text
        head:   where there are several; by default the first
        """
        (texts,) = self.encode(self._beside([given_text(text)], None if second is None else [second]))
        if texts.is_empty:
            raise DataError("the text has no words, and there is nothing to explain")
        where = path_of(path, self.network.attentions)
        trace = Trace(self.module, inputs=True)
        first, beside = padded([texts.ids], self.device)
        self.network(*first, **beside, trace=trace)
        site, sights = self.network.attentions[where], trace.kept[where]
        if not sights:
            raise DataError(str(IN_WINDOWS.reason))
        lines = token_axes(site.kind, texts.sides[site.text], NO_TARGET, sights[-1].weights.shape[-2])
        return follow(self.module, where, site, sights, lines, row=row, column=column, head=head)

    def classify_lines(
        self, lines: Iterable[tuple[str, str] | None], *, attention: bool = False
    ) -> Iterator[Classification]:
        """Classify lines, each given with its place for an error; as many as there are, in their order.

        A model that reads pairs takes two texts from a line, with a tab between them. Lines are taken many at
        a time; None among them says that no more is at hand for now. Those before a line that cannot be read
        are classified first.
        """
        return self.classify_rows(map(self._cut, lines), attention=attention)

    def classify_rows(
        self, rows: Iterable[tuple[str, TextOrPair] | None], *, attention: bool = False
    ) -> Iterator[Classification]:
        """The same for texts that stand apart already."""
        return self.predict_lines(rows, self.encode, partial(self.results, attention=attention))

    def encode(self, rows: Sequence[TextOrPair], places: Sequence[str] | None = None) -> list[EncodedTexts]:
        """Texts as tokens; a pair that a model cannot read is refused, with its place if that is known."""
        flat, frame = (
            iter(self.tokenizer.encode_many([text for texts in rows for text in texts])),
            special_tokens_of(self.network),
        )
        encoded = [EncodedTexts(tuple(next(flat) for _ in texts), self.tokenizer, frame) for texts in rows]
        for row, texts in enumerate(encoded):
            if problem := self._no_room(texts):
                raise DataError(problem if places is None else f"{places[row]}: {problem}")
        return encoded

    def encode_texts(self, texts: tuple[str, ...]) -> EncodedTexts:
        """A text, or a pair."""
        return self.encode([texts])[0]

    def logits(self, rows: Sequence[Sequence[Ids]]) -> Floats:
        """The logits of texts with one token or more, before any temperature: (n, outputs)."""
        found = np.zeros((len(rows), self.answer.outputs))
        for batch in self.outputs(rows):
            found[batch.rows] = batch.output
        return found

    def example(self, one: EncodedTexts) -> Sequence[Ids]:
        """The ids of each text."""
        return one.ids

    def length(self, example: Sequence[Ids]) -> int:
        """The longer text counts."""
        return max(map(len, example))

    def forward(self, examples: Sequence[Sequence[Ids]], trace: Trace | None) -> Floats:
        """The logits, (b, outputs), in float64."""
        first, second = padded(examples, self.device)
        return self.network(*first, **second, trace=trace).logits.double().cpu().numpy()

    def result(self, one: EncodedTexts, output: Floats, row: int, record: AttentionRecord) -> Classification:
        """The prediction for a text, or a pair, calibrated."""
        found = self.answer.result(one.texts, output[row], self.temperature, record)
        return replace(found, notes=self.notes(one))

    def empty(self, one: EncodedTexts) -> Classification:
        """No prediction."""
        return self.answer.nothing(one.texts, EMPTY_INPUT)

    def window_notes(self, one: EncodedTexts) -> tuple[str, ...]:
        """How a text was read that is longer than what the model reads at once."""
        return window_notes([len(ids) for ids in one.ids], self.window)

    def _beside(self, texts: Sequence[str], seconds: Sequence[str] | None) -> list[TextOrPair]:
        """What is read together."""
        self.check_pair(is_pair=seconds is not None)
        if seconds is None:
            return [(text,) for text in texts]
        if len(seconds) != len(texts):
            raise DataError(f"expected a second text for each of {len(texts)}, found {len(seconds)}")
        return list(zip(texts, seconds, strict=True))

    def _cut(self, line: tuple[str, str] | None) -> tuple[str, TextOrPair] | None:
        """The texts of a line; an empty line has empty ones."""
        if line is None or not self.reads_pairs:
            return None if line is None else (line[0], (line[1],))
        where, text = line
        texts = tuple(text.split("\t")) if text.strip() else ("", "")
        if len(texts) != 2:
            raise DataError(
                f"{where}: expected two texts with a tab between them, found {len(texts)} in '{text[:30]}'"
            )
        return where, texts

    def _no_room(self, one: EncodedTexts) -> str:
        """Why texts cannot be read: pairs that are read as one, and LSTMNs, have maximum positions.

        Elsewhere a text has windows.
        """
        longest: int | None = getattr(self.network, "longest", None)
        for text in one.encodings:
            if longest is not None and len(text.ids) > longest:
                return (
                    f"expected at most {longest:,} tokens, which this model reads at once, found "
                    f"{len(text.ids):,} in '{text.text.original[:30]}…'; split it into sentences"
                )
        found, most = sum(map(len, one.ids)), self.most_of_a_pair
        if most is None or found <= most:
            return ""
        return (
            f"expected at most {most:,} tokens, which is the most that this model has positions for, found "
            f"{found:,} in '{one.texts[0][:30]}…'; split it into sentences"
        )


class SecondText(TypedDict, total=False):
    """The second texts of a batch, as a `SequenceClassifier` takes them; nothing where there are none."""

    second: PaddedTokens


def padded(rows: Sequence[Sequence[Ids]], device: torch.device) -> tuple[PaddedTokens, SecondText]:
    """The first texts of a batch; and, of pairs, what stands beside them."""
    first, *others = (
        PaddedTokens(*(part.to(device) for part in pad_texts(texts, SYMBOLS)))
        for texts in zip(*rows, strict=True)
    )
    return first, SecondText(second=others[0]) if others else SecondText()
