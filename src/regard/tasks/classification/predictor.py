"""Classification: text in, frozen results out."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self, TypedDict, overload

import numpy as np
import torch
from torch import nn

from regard.config.classification import ClassificationRecipe
from regard.data.batching import SYMBOLS, Ids, pad_texts
from regard.errors import DataError, StoreError
from regard.inference.attention import IN_WINDOWS, NOT_ASKED, NOTHING_READ, engine_of, record_of, side_of
from regard.inference.explain import follow, path_of
from regard.inference.inputs import given_text, given_texts
from regard.inference.interventions import (
    SentenceEdits,
    each_edits,
    refuse_prefix,
    resolve_texts,
    trace_edits,
    without_removed,
)
from regard.inference.model import TaskModel
from regard.inference.script_notes import script_notes
from regard.inference.streaming import LINES_AT_ONCE, chunks
from regard.inference.teacher_forcing import all_looks
from regard.inference.windows import window_batches, window_notes, window_of
from regard.insight.edits import Edit, Edits, Word
from regard.insight.explain import Explanation
from regard.insight.maps import Weights
from regard.insight.merge import Side, joined
from regard.insight.record import NOTHING_WRITTEN, AttentionRecord, sides_of
from regard.metrics.statistics import Floats
from regard.models.catalogue import build_decider
from regard.nn.deciding import Decider, Padded, frame_of
from regard.nn.trace import Trace
from regard.store.fitting import build_fitting
from regard.store.folder import StoredModel
from regard.store.vocabularies import said_of, vocabularies_of
from regard.tasks.classification.effect import LabelEffect
from regard.tasks.classification.output_types.catalogue import answer_of
from regard.tasks.classification.result import Classification
from regard.text.labels import Labels
from regard.text.scale import Scale
from regard.text.tokenizer import Encoding, Tokenizer

Texts = tuple[str, ...]
"""What is read together: one text, or two."""
Encoded = tuple[Encoding, ...]
"""The same as tokens."""
_BATCH_TOKENS = 4096
_NO_ATTENTION = AttentionRecord(reason="this model has no attention: its words are pooled without weights")


class Classifier(TaskModel):
    """A trained model that says something of a text, or of two, with its vocabulary and what it can say."""

    task: ClassVar[str] = "classification"
    recipe: ClassificationRecipe

    def __init__(
        self,
        model: nn.Module,
        *,
        tokenizer: Tokenizer,
        said: Labels | Scale,
        recipe: ClassificationRecipe,
        temperature: float = 1.0,
        summary: dict[str, Any] | None = None,
    ) -> None:
        """Put a classifier together.

        said:        the labels, or the scale of the numbers
        temperature: what logits are divided by before they become probabilities
        """
        self.module = model
        self.network: Decider = model  # type: ignore[assignment]
        self.tokenizer = tokenizer
        self.answer = answer_of(said)
        self.recipe = recipe
        self.temperature = temperature
        self.summary = summary or {}

    @classmethod
    def opened(cls, stored: StoredModel, where: str) -> Self:
        """The classifier that a folder holds; `where` names it in an error."""
        recipe = stored.recipe
        if not isinstance(recipe, ClassificationRecipe):
            raise StoreError(f"{where}: is a model for {recipe.task}, not for {cls.task}")
        (tokenizer,), said = vocabularies_of(stored, where, 1), said_of(stored, recipe.data.answer, where)
        texts = 1 if recipe.data.second is None else 2
        sizes = {"source_size": len(tokenizer), "outputs": answer_of(said).outputs, "texts": texts}
        model = build_fitting(lambda: build_decider(recipe.model, **sizes), stored, where)
        return cls(
            model,
            tokenizer=tokenizer,
            said=said,
            recipe=recipe,
            temperature=float(stored.summary.get("temperature", 1.0)),
            summary=stored.summary,
        )

    def __repr__(self) -> str:
        parameters = sum(p.numel() for p in self.module.parameters())
        what = f"{len(self.labels)} labels" if self.labels else "a number"
        pairs = " of pairs" if self.reads_pairs else ""
        return f"Classifier({what}{pairs}, {self.recipe.model.kind}, {parameters:,} parameters)"

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
        frame = frame_of(self.network)
        return None if frame is None or not self.reads_pairs else frame.longest - frame.symbols(2)

    @overload  # a str is a sequence of str to the type checker, but never meant as one here
    def classify(  # type: ignore[overload-overlap]
        self, text: str, second: str | None = None, *, attention: bool = True, edit: None = None
    ) -> Classification: ...
    @overload
    def classify(
        self,
        text: Sequence[str],
        second: Sequence[str] | None = None,
        *,
        attention: bool = True,
        edit: None = None,
    ) -> list[Classification]: ...
    @overload
    def classify(  # type: ignore[overload-overlap]
        self, text: str, second: str | None = None, *, attention: bool = True, edit: Edits
    ) -> LabelEffect: ...
    @overload
    def classify(
        self,
        text: Sequence[str],
        second: Sequence[str] | None = None,
        *,
        attention: bool = True,
        edit: Edit | Sequence[Edits],
    ) -> list[LabelEffect]: ...
    def classify(
        self,
        text: str | Sequence[str],
        second: str | Sequence[str] | None = None,
        *,
        attention: bool = True,
        edit: Edit | Sequence[Edits] | None = None,
    ) -> Classification | list[Classification] | LabelEffect | list[LabelEffect]:
        """Say what a text is, or several at once (faster): a label, labels, or a number, as was trained.

        second:    of a model that reads two texts: what stands beside each
        attention: also read what the model looked at
        edit:      change what is looked at, and give back what that changes. For one text an edit or several;
                   for a list of texts one edit for all, or a list with an entry for each

        >>> found = classifier.classify("이 책은 아주 좋다.")
        >>> found.label, found.probabilities[found.label] > 0.5
        ('positive', True)
        """
        alone = isinstance(text, str)
        texts = given_texts(text)
        seconds = None if second is None else given_texts(second, "second text")
        encoded = self.encode(self._beside(texts, seconds))
        if edit is None:
            results = self._decide(encoded, attention=attention)
            return results[0] if alone else results
        effects = self._effects(encoded, each_edits(edit, len(texts), alone=alone))
        return effects[0] if alone else effects

    @overload
    def look(self, text: str, second: str | None = None, *, edit: None = None) -> Classification: ...
    @overload
    def look(self, text: str, second: str | None = None, *, edit: Edits) -> LabelEffect: ...
    def look(
        self, text: str, second: str | None = None, *, edit: Edits | None = None
    ) -> Classification | LabelEffect:
        """Classify a text, or a pair, and read the attention; with an edit, what that changes."""
        text = given_text(text)
        return self.classify(text, second) if edit is None else self.classify(text, second, edit=edit)

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

        row:    the hop, or the word that looks, by its number, counted from 0
        column: a word that was looked at, by its text or number
        path:   the attention; by default that of the pooling, of a pair over the first text
        head:   where there are several; by default the first
        """
        (texts,) = self.encode(self._beside([given_text(text)], None if second is None else [second]))
        if not all(own.ids for own in texts):
            raise DataError("the text has no words, and there is nothing to explain")
        where = path_of(path, self.network.attentions)
        trace = Trace(self.module, inputs=True)
        first, beside = padded([[own.ids for own in texts]], self.device)
        self.network(*first, **beside, trace=trace)
        site, sights = self.network.attentions[where], trace.kept[where]
        if not sights:
            raise DataError(str(IN_WINDOWS.reason))
        sides = self._sides(texts)
        lines = sides_of(site.kind, sides[site.text], NOTHING_WRITTEN, sights[-1].weights.shape[-2])
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
        self, rows: Iterable[tuple[str, Texts] | None], *, attention: bool = False
    ) -> Iterator[Classification]:
        """The same for texts that stand apart already."""
        for chunk in chunks(rows, LINES_AT_ONCE):
            encoded = self._encode([texts for _, texts in chunk])
            problems = ((place, self._no_room(texts)) for place, texts in enumerate(encoded))
            bad, problem = next(((place, told) for place, told in problems if told), (len(chunk), ""))
            yield from self._decide(encoded[:bad], attention=attention)
            if problem:
                raise DataError(f"{chunk[bad][0]}: {problem}")

    def encode(self, rows: Sequence[Texts], places: Sequence[str] | None = None) -> list[Encoded]:
        """Texts as tokens; a pair that a model cannot read is refused, with its place if that is known."""
        encoded = self._encode(rows)
        for row, texts in enumerate(encoded):
            if problem := self._no_room(texts):
                raise DataError(problem if places is None else f"{places[row]}: {problem}")
        return encoded

    def _encode(self, rows: Sequence[Texts]) -> list[Encoded]:
        flat = iter(self.tokenizer.encode_many([text for texts in rows for text in texts]))
        return [tuple(next(flat) for _ in texts) for texts in rows]

    def logits(self, rows: Sequence[Sequence[Sequence[int]]]) -> Floats:
        """What the network says of texts with one token or more, before any temperature: (n, outputs)."""
        found = np.zeros((len(rows), self.answer.outputs))
        for places, values, _ in self._run(rows, None, look=False):
            found[places] = values
        return found

    def _beside(self, texts: Sequence[str], seconds: Sequence[str] | None) -> list[Texts]:
        """What is read together."""
        if (seconds is not None) != self.reads_pairs:
            wanted = "two texts, and found one" if self.reads_pairs else "one text, and found two"
            raise DataError(f"this model reads {wanted}; see `second`")
        if seconds is None:
            return [(text,) for text in texts]
        if len(seconds) != len(texts):
            raise DataError(f"expected a second text for each of {len(texts)}, found {len(seconds)}")
        return list(zip(texts, seconds, strict=True))

    def _cut(self, line: tuple[str, str] | None) -> tuple[str, Texts] | None:
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

    def _effects(self, encoded: Sequence[Encoded], edits: Sequence[tuple[Edit, ...]]) -> list[LabelEffect]:
        refuse_prefix(edit for own in edits for edit in own)
        if frame_of(self.network) is not None and any(map(self._windows, encoded)):
            raise DataError(
                "what is read in windows has no attention over the whole text; edit a shorter one"
            )
        edited = [
            resolve_texts(own, self._sides(texts), self.network.attentions)
            for texts, own in zip(encoded, edits, strict=True)
        ]
        frame = frame_of(self.network)
        between = 1 if frame is None else frame.separators
        changed = [without_removed(row, texts, between) for row, texts in zip(edited, encoded, strict=True)]
        together = [
            SentenceEdits(
                tuple(change for own in row for change in own.changes),
                notes=tuple(dict.fromkeys(note for own in row for note in own.notes)),
            )
            for row in edited
        ]
        before = self._decide(encoded, edited=[SentenceEdits()] * len(encoded))
        after = self._decide(changed, edited=together)
        return [
            LabelEffect(own, old, new, change.notes)
            for own, old, new, change in zip(edits, before, after, together, strict=True)
        ]

    def _decide(
        self,
        encoded: Sequence[Encoded],
        *,
        attention: bool = True,
        edited: Sequence[SentenceEdits] | None = None,
    ) -> list[Classification]:
        results = [self.answer.nothing(_originals(texts), NOTHING_READ) for texts in encoded]
        places = [place for place, texts in enumerate(encoded) if all(text.ids for text in texts)]
        ids = [[text.ids for text in encoded[place]] for place in places]
        own = None if edited is None else [edited[place] for place in places]
        engine = engine_of(self.module)
        for rows, logits, weights in self._run(ids, own, look=attention):
            for at, row in enumerate(rows):
                texts = encoded[places[row]]
                record = NOT_ASKED if not attention else _NO_ATTENTION
                if weights:
                    seen = {path: looks[at] for path, looks in weights.items()}
                    first, *others = self._sides(texts)
                    sites = {path: site for path, site in self.network.attentions.items() if path in seen}
                    record = record_of(first, None, seen, sites, engine, second=others[0] if others else None)
                elif attention and self.network.attentions:
                    record = IN_WINDOWS
                found = self.answer.result(_originals(texts), logits[at], self.temperature, record)
                notes = self._windows(texts) + script_notes(self.tokenizer.scripts, *_originals(texts))
                results[places[row]] = replace(found, notes=notes)
        return results

    def _windows(self, texts: Encoded) -> tuple[str, ...]:
        return window_notes([len(text.ids) for text in texts], window_of(self.network))

    @torch.inference_mode()
    def _run(
        self,
        texts: Sequence[Sequence[Sequence[int]]],
        edited: Sequence[SentenceEdits] | None,
        *,
        look: bool,
    ) -> Iterator[tuple[list[int], Floats, dict[str, Weights]]]:
        """Read texts, or pairs, in batches of like length, in no particular order.

        yields: the rows; their logits, in float64; the weights of each attention by its path, (b, q, k), with
                padding beyond the sentence; none where nobody looks
        """
        lengths = [max(map(len, own)) for own in texts]
        for rows in window_batches(lengths, window_of(self.network), budget=_BATCH_TOKENS):
            first, second = padded([texts[row] for row in rows], self.device)
            changes = None if edited is None else trace_edits([edited[row] for row in rows])
            trace = Trace(self.module, changes) if look or changes is not None else None
            decided = self.network(*first, **second, trace=trace)
            seen: dict[str, Weights] = {}
            if trace is not None and look:
                # A text has one look or one a word; in its windows there is none over the whole.
                looks = {path: trace.kept[path] for path in self.network.attentions}
                seen = {path: all_looks(own) for path, own in looks.items() if own}
            yield rows, decided.logits.double().cpu().numpy(), seen

    def _no_room(self, texts: Encoded) -> str:
        """Why texts cannot be read: a pair that is read as one has so many places, an LSTMN reads so much.

        Elsewhere a text has windows.
        """
        longest: int | None = getattr(self.network, "longest", None)
        for text in texts:
            if longest is not None and len(text.ids) > longest:
                return (
                    f"expected at most {longest:,} tokens, which this model reads at once, found "
                    f"{len(text.ids):,} in '{text.text.original[:30]}…'; split it into sentences"
                )
        found, most = sum(len(text.ids) for text in texts), self.most_of_a_pair
        if most is None or found <= most:
            return ""
        return (
            f"expected at most {most:,} tokens, which is the most that this model has positions for, found "
            f"{found:,} in '{texts[0].text.original[:30]}…'; split it into sentences"
        )

    def _sides(self, texts: Encoded) -> list[Side]:
        """Labels for each text; of a model that reads a pair as one, for both together."""
        sides, frame = [self._side(text) for text in texts], frame_of(self.network)
        if frame is None:
            return sides
        before, after = (self.tokenizer.piece(symbol) for symbol in (frame.first, frame.last))
        whole = sides[0] if len(sides) == 1 else joined(sides[0], sides[1], after, frame.separators)
        return [replace(whole, before=(before,), specials=(after,))]

    def side(self, text: Encoding) -> Side:
        """Labels of a text alone, with the symbols that the model puts around it."""
        return self._sides((text,))[0]

    def _side(self, text: Encoding) -> Side:
        return side_of(text, self.tokenizer.dictionary, ended=False)


class Beside(TypedDict, total=False):
    """The second texts of a batch, as a `Decider` takes them; nothing where there are none."""

    second: Padded


def padded(rows: Sequence[Sequence[Ids]], device: torch.device) -> tuple[Padded, Beside]:
    """The first texts of a batch; and, of pairs, what stands beside them."""
    first, *others = (
        Padded(*(part.to(device) for part in pad_texts(texts, SYMBOLS))) for texts in zip(*rows, strict=True)
    )
    return first, Beside(second=others[0]) if others else Beside()


def _originals(texts: Encoded) -> list[str]:
    return [text.text.original for text in texts]
