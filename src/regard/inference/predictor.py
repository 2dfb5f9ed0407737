"""What every task does with a trained model and what it is given: one way for all of them.

A task says how its inputs become ids, what the network gives for a batch of them, and what a user sees of
that. Here are batches, inputs without words, long texts, attention, edits, lines of any number, and notes.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar, overload

import torch
from torch import nn

from regard.config.recipe import Recipe
from regard.data.batching import length_batches
from regard.errors import DataError
from regard.inference.attention import NOT_ASKED, CapturedAttention
from regard.inference.inputs import EncodedInput, given_text
from regard.inference.interventions import (
    SentenceEdits,
    each_edits,
    refuse_prefix,
    resolve_texts,
    trace_edits,
)
from regard.inference.model import TaskModel
from regard.inference.result import EditEffect, Prediction
from regard.inference.streaming import LINES_AT_ONCE, readings
from regard.insight.edits import EachEdits, Edit, Edits
from regard.insight.record import AttentionRecord
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.sliding_windows import sliding_windows
from regard.nn.trace import Trace
from regard.text.scripts import KnownScripts, script_notes

BATCH_TOKENS = 4096


Input = TypeVar("Input")
Encoded = TypeVar("Encoded", bound=EncodedInput)
Example = TypeVar("Example")
Output = TypeVar("Output")
Result = TypeVar("Result", bound=Prediction)
Effect = TypeVar("Effect", bound=EditEffect[Any])


class Batch(NamedTuple, Generic[Output]):
    """What the network gives for some of the examples."""

    rows: list[int]
    """Which they are."""
    output: Output
    attention: CapturedAttention | None
    """None where attention is not asked for."""


class Predictor(TaskModel, Generic[Encoded, Example, Output, Result, Effect]):
    """A trained model that says something of what it reads.

    Encoded: an input with its text, tokens and labels
    Example: what a network is given of it, as in training: ids
    Output:  what the network gives for a batch
    """

    network: Any
    """What has the attentions: the module, or the encoder in it."""
    tokenizer: Any
    effect_class: type[Effect]
    input_name: ClassVar[str] = "text"
    """What an input is called in an error."""
    no_attention: ClassVar[AttentionRecord] = AttentionRecord(
        reason="this model has no attention: its words are pooled without weights"
    )
    """The note for a model without attention."""

    def __init__(self, model: nn.Module, tokenizer: Any, recipe: Recipe, summary: dict[str, Any]) -> None:
        """A model that needs no more than its vocabulary."""
        self.module = self.network = model
        self.tokenizer = tokenizer
        self.recipe = recipe
        self.summary = summary

    @abstractmethod
    def encode_texts(self, texts: tuple[str, ...]) -> Encoded:
        """One input, of a text; or of two, if the model reads pairs."""

    def encode_line(self, line: str, where: str) -> Encoded:
        """What stands on a line: a text; or two with a tab between them, if the model reads pairs."""
        texts = tuple((line or "\t").split("\t")) if self.reads_pairs else (line,)
        if len(texts) != 1 + self.reads_pairs:
            raise DataError(f"{where}: expected two texts with a tab between them, found {len(texts)}")
        return self.encode_texts(texts)

    @abstractmethod
    def example(self, one: Encoded) -> Example:
        """The ids of an input."""

    def length(self, example: Example) -> int:
        """How many tokens an example has, unless it is their ids: those of like length are read together."""
        return len(example)  # type: ignore[arg-type]

    @abstractmethod
    def forward(self, examples: Sequence[Example], trace: Trace | None) -> Output:
        """What the network gives for a batch."""

    @abstractmethod
    def result(self, one: Encoded, output: Output, row: int, record: AttentionRecord) -> Result:
        """What a user sees of one row of a batch."""

    def empty(self, one: Encoded) -> Result:
        """What a user sees where there is nothing to read; a task that has no such result refuses it."""
        del one
        raise DataError(f"expected a {self.input_name} with words, found none")

    @property
    def scripts(self) -> KnownScripts:
        """What the vocabulary covers."""
        scripts: KnownScripts = self.tokenizer.scripts
        return scripts

    @property
    def reads_pairs(self) -> bool:
        """Whether two texts are read together."""
        return False

    @property
    def window(self) -> int | None:
        """How many tokens of a text the model reads at once; None where there is no limit."""
        window: int | None = getattr(self.network, "window", None)
        return window

    @property
    def attentions(self) -> Mapping[str, AttentionSpec]:
        """Every attention by its path; lower layers first."""
        sites: Mapping[str, AttentionSpec] = self.network.attentions
        return sites

    @property
    def temperature(self) -> float:
        """What logits are divided by before they become probabilities; fitted on a dev set."""
        return float(self.summary.get("temperature", 1.0))

    def window_notes(self, one: Encoded) -> tuple[str, ...]:
        """What there is to say of an input that is longer than what the model reads at once."""
        del one
        return ()

    def notes(self, one: Encoded) -> tuple[str, ...]:
        """What a user should know of an input: that it is long, or in letters that the model never saw."""
        return self.window_notes(one) + script_notes(self.scripts, *one.texts)

    def predict(
        self,
        encoded: Sequence[Encoded],
        *,
        alone: bool,
        attention: bool = True,
        edit: EachEdits | None = None,
    ) -> Result | Effect | list[Result] | list[Effect]:
        """The result of each input; with edits, what they change.

        alone: only one was given, and one result is wanted
        """
        if edit is None:
            results = self.results(encoded, attention=attention)
            return results[0] if alone else results
        effects = self.effects(encoded, each_edits(edit, len(encoded), alone=alone))
        return effects[0] if alone else effects

    def predict_lines(
        self,
        lines: Iterable[tuple[str, Input] | None],
        encode: Callable[[Sequence[Input], Sequence[str]], Sequence[Encoded]],
        results: Callable[[Sequence[Encoded]], Iterable[Result]],
    ) -> Iterator[Result]:
        """The result of each line, each given with its place for an error; in their order.

        Lines are taken many at a time; None among them says that no more is at hand for now. Those before a
        line that cannot be read come first.

        encode:  inputs and their places -> inputs in tokens; it refuses what the model cannot read
        results: `self.results`, with its settings
        """

        def read(chunk: Sequence[tuple[str, Input]]) -> Sequence[Encoded]:
            return encode([one for _, one in chunk], [where for where, _ in chunk])

        for encoded in readings(lines, LINES_AT_ONCE, read):
            yield from results(encoded)

    @overload
    def look(self, text: str, second: str | None = None, *, edit: None = None) -> Result: ...
    @overload
    def look(self, text: str, second: str | None = None, *, edit: Edits) -> Effect: ...
    def look(self, text: str, second: str | None = None, *, edit: Edits | None = None) -> Result | Effect:
        """The prediction for a text, or a pair, with its attention; with an edit, its effect.

        second: of a model that reads two texts: what stands beside the first
        """
        texts = (given_text(text, self.input_name), *([] if second is None else [given_text(second)]))
        self.check_pair(is_pair=second is not None)
        encoded = self.encode_texts(texts)
        if edit is None:
            return self.results([encoded])[0]
        return self.effects([encoded], each_edits(edit, 1, alone=True))[0]

    def check_pair(self, *, is_pair: bool) -> None:
        """Refuse one text where two are read together, and two where one is."""
        if is_pair != self.reads_pairs:
            wanted = "two texts, and found one" if self.reads_pairs else "one text, and found two"
            raise DataError(f"this model reads {wanted}; see `second`")

    def effects(self, encoded: Sequence[Encoded], edits: Sequence[tuple[Edit, ...]]) -> list[Effect]:
        """What the edits of each input change: it is read without them and with them."""
        refuse_prefix(edit for own in edits for edit in own)
        resolved = [
            resolve_texts(own, one.sides, self.attentions) for one, own in zip(encoded, edits, strict=True)
        ]
        before = self.results(encoded, edited=[SentenceEdits()] * len(encoded))
        for one, old in zip(encoded, before, strict=True):
            if not one.is_empty and len(old.attention.attentions) < len(self.attentions):
                raise DataError(
                    f"what is read in windows has no attention over the whole {self.input_name}; edit a "
                    "shorter one"
                )
        changed = [one.without(own) for one, own in zip(encoded, resolved, strict=True)]
        together = [SentenceEdits.together(own) for own in resolved]
        after = self.results(changed, edited=together)
        return [
            self.effect_class(own, old, new, change.notes)
            for own, old, new, change in zip(edits, before, after, together, strict=True)
        ]

    @torch.inference_mode()
    def results(
        self,
        encoded: Sequence[Encoded],
        *,
        attention: bool = True,
        edited: Sequence[SentenceEdits] | None = None,
    ) -> list[Result]:
        """The result of each input.

        attention: also return the attention weights
        edited:    what is changed for each
        """
        results: dict[int, Result] = {}
        places = []
        for place, one in enumerate(encoded):
            if one.is_empty:
                results[place] = self.empty(one)
            else:
                places.append(place)
        examples = [self.example(encoded[place]) for place in places]
        own = None if edited is None else [edited[place] for place in places]
        for batch in self.outputs(examples, own, look=attention):
            for at, row in enumerate(batch.rows):
                one, record = encoded[places[row]], NOT_ASKED
                if batch.attention is not None:
                    record = self.record(one, batch.attention.row(at))
                results[places[row]] = self.result(one, batch.output, at, record)
        return [results[place] for place in range(len(encoded))]

    def record(self, one: Encoded, seen: CapturedAttention) -> AttentionRecord:
        """The attention of one row of a batch, with its labels."""
        first, *others = one.sides
        return seen.record(first, second=others[0] if others else None, without=self.no_attention)

    @torch.inference_mode()
    def outputs(
        self,
        examples: Sequence[Example],
        edited: Sequence[SentenceEdits] | None = None,
        *,
        look: bool = False,
    ) -> Iterator[Batch[Output]]:
        """What the network gives for examples, in batches of like length, in no particular order.

        What is read in windows is apart from what is not.
        """
        lengths = [self.length(example) for example in examples]
        most = self.window or max(lengths, default=0)
        for is_long in (False, True):
            some = [row for row, length in enumerate(lengths) if (length > most) == is_long]
            for batch in length_batches([lengths[row] for row in some], budget=BATCH_TOKENS):
                rows = [some[row] for row in batch]
                yield self.run(rows, [examples[row] for row in rows], edited, look=look)

    def run(
        self,
        rows: list[int],
        examples: Sequence[Example],
        edited: Sequence[SentenceEdits] | None = None,
        *,
        look: bool = False,
    ) -> Batch[Output]:
        """One batch through the network.

        rows: which the examples are; `edited` has what is changed for each row, of this batch and others
        """
        changes = None if edited is None else trace_edits([edited[row] for row in rows])
        trace = Trace(self.network, changes) if look or changes is not None else None
        output = self.forward(examples, trace)
        seen = CapturedAttention.of(trace, self.module, self.attentions) if trace and look else None
        return Batch(rows, output, seen)


def window_notes(lengths: Sequence[int], window: int | None) -> tuple[str, ...]:
    """What there is to say of texts that are longer than what a model reads at once."""
    return tuple(
        f"{length:,} tokens, read in {len(sliding_windows(length, window))} windows of at most {window:,} "
        f"that "
        f"overlap"
        for length in lengths
        if window is not None and length > window
    )
