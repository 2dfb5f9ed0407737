"""Tagging: sentences of words in, frozen results out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self, overload

import numpy as np
import torch
from torch import Tensor, nn

from regard.config.tagger import CRFLabellingConfig
from regard.config.tagging import TaggingRecipe
from regard.errors import DataError, StoreError
from regard.inference.attention import IN_WINDOWS, NOT_ASKED, NOTHING_READ, engine_of, record_of
from regard.inference.inputs import described, given_text, several
from regard.inference.interventions import SentenceEdits, each_edits, refuse_prefix, resolve, trace_edits
from regard.inference.lengths import check_length
from regard.inference.model import TaskModel
from regard.inference.script_notes import script_notes
from regard.inference.streaming import LINES_AT_ONCE, readings
from regard.inference.teacher_forcing import all_looks
from regard.inference.windows import window_batches, window_notes, window_of
from regard.insight.edits import Edit, Edits
from regard.insight.maps import Weights
from regard.insight.record import AttentionRecord
from regard.metrics.calibration import log_softmax
from regard.metrics.divergence import SMALLEST
from regard.metrics.statistics import Floats
from regard.models.catalogue import build_model
from regard.nn.crf import CRF, Allowed
from regard.nn.deciding import frame_of
from regard.nn.tagging import WordScorer
from regard.nn.trace import Trace
from regard.store.fitting import build_fitting
from regard.store.folder import LABELS, StoredModel, tokenizer_file
from regard.store.vocabularies import labels_of, vocabularies_of
from regard.store.weights import shapes_of
from regard.tasks.tagging.effect import TagEffect
from regard.tasks.tagging.examples import EncodedSentence, make_words
from regard.tasks.tagging.given_words import Given, GivenSentence
from regard.tasks.tagging.inputs import ReadSentence, WholeWords, WordReader, WordsInPieces
from regard.tasks.tagging.result import Tagging
from regard.text.given import Speller, line_of
from regard.text.labels import Labels
from regard.text.span_labels import label_rules
from regard.text.tokenizer import Tokenizer

MOST_OF_A_CRF = 500
"""Tags that a CRF takes: each step of each word costs the square of them in memory."""
_BATCH_TOKENS = 4096
_NO_ATTENTION = AttentionRecord(reason="this model has no attention: set model.attention to train one")


class Scored(NamedTuple):
    """What the network says of a batch of sentences, with padding beyond each."""

    rows: list[int]
    """Which sentences they are."""
    scores: Tensor
    """(b, t, labels), in float64."""
    lengths: Tensor
    """(b,), words of each."""
    seen: dict[str, Weights]
    """The weights of each attention by its path, (b, h, t, t); nothing where nobody looks."""


class Tagger(TaskModel):
    """A trained tagger with its words, its characters and its tags."""

    task: ClassVar[str] = "tagging"
    recipe: TaggingRecipe

    def __init__(
        self,
        model: nn.Module,
        *,
        tokenizer: Tokenizer,
        characters: Tokenizer | None,
        labels: Labels,
        recipe: TaggingRecipe,
        temperature: float = 1.0,
        summary: dict[str, Any] | None = None,
    ) -> None:
        """Put a tagger together.

        characters:  None where the model reads none
        temperature: what the logarithms of marginals are divided by before they are given out
        """
        self.module = model
        self.network: WordScorer = model  # type: ignore[assignment]
        self.tokenizer = tokenizer
        self.characters = characters
        own = recipe.model.characters
        speller = Speller(characters, longest=own.longest) if characters and own else None
        frame = frame_of(model)
        self._reader: WordReader = (
            WholeWords(tokenizer, speller) if frame is None else WordsInPieces(tokenizer, frame)
        )
        self.names = labels
        self.recipe = recipe
        self.temperature = temperature
        self.summary = summary or {}

    @classmethod
    def opened(cls, stored: StoredModel, where: str) -> Self:
        """The tagger that a folder holds; `where` names it in an error."""
        recipe = stored.recipe
        if not isinstance(recipe, TaggingRecipe):
            raise StoreError(f"{where}: is a model for {recipe.task}, not for {cls.task}")
        (tokenizer,), labels = vocabularies_of(stored, where, 1), labels_of(stored, where)
        characters = characters_of(stored, where)
        _check_labels(stored, recipe, len(labels), where)
        size = len(tokenizer)
        model = build_fitting(lambda: build_tagger(recipe, size, characters, labels), stored, where)
        return cls(
            model,
            tokenizer=tokenizer,
            characters=characters,
            labels=labels,
            recipe=recipe,
            temperature=float(stored.summary.get("temperature", 1.0)),
            summary=stored.summary,
        )

    def __repr__(self) -> str:
        parameters = sum(p.numel() for p in self.module.parameters())
        return f"Tagger({len(self.names)} tags, {self.recipe.model.kind}, {parameters:,} parameters)"

    @property
    def labels(self) -> tuple[str, ...]:
        """The tags that there are, in the order of the model's outputs."""
        return self.names.names

    @overload  # a str is a sequence of str to the type checker, but never meant as one here
    def tag(self, sentence: str, *, attention: bool = True, edit: None = None) -> Tagging: ...  # type: ignore[overload-overlap]
    @overload
    def tag(
        self, sentence: Sequence[Given], *, attention: bool = True, edit: None = None
    ) -> list[Tagging]: ...
    @overload
    def tag(self, sentence: str, *, attention: bool = True, edit: Edits) -> TagEffect: ...  # type: ignore[overload-overlap]
    @overload
    def tag(
        self, sentence: Sequence[Given], *, attention: bool = True, edit: Edit | Sequence[Edits]
    ) -> list[TagEffect]: ...
    def tag(
        self,
        sentence: str | Sequence[Given],
        *,
        attention: bool = True,
        edit: Edit | Sequence[Edits] | None = None,
    ) -> Tagging | list[Tagging] | TagEffect | list[TagEffect]:
        """Tag the words of a sentence, or of several at once (faster).

        sentence:  a text, whose words stand between spaces; or a list of sentences, each of them such a text
                   or the list of its words
        attention: also read what the model looked at, if it looks
        edit:      change what is looked at, and give back what that changes. For one sentence an edit or
                   several; for a list of them one edit for all, or a list with an entry for each

        >>> found = tagger.tag("그 학생이 책을 읽었다 .")
        >>> found.words
        ('그', '학생이', '책을', '읽었다', '.')
        >>> len(found.tags) == len(found.probabilities) == 5
        True
        """
        alone = isinstance(sentence, str)
        given = [sentence] if isinstance(sentence, str) else _sentences(sentence)
        places = ["the sentence"] if alone else [f"sentence {number}" for number in range(1, len(given) + 1)]
        sentences = self._given(list(zip(places, given, strict=True)))
        if edit is None:
            results = self._tag(sentences, attention=attention)
            return results[0] if alone else results
        effects = self._effects(sentences, each_edits(edit, len(sentences), alone=alone))
        return effects[0] if alone else effects

    @overload
    def look(self, text: str, *, edit: None = None) -> Tagging: ...
    @overload
    def look(self, text: str, *, edit: Edits) -> TagEffect: ...
    def look(self, text: str, *, edit: Edits | None = None) -> Tagging | TagEffect:
        """Tag a sentence, and read the attention; with an edit, what that changes."""
        text = given_text(text, "sentence")
        return self.tag(text) if edit is None else self.tag(text, edit=edit)

    def tag_lines(
        self, lines: Iterable[tuple[str, Given] | None], *, attention: bool = False
    ) -> Iterator[Tagging]:
        """Tag lines, each given with its place for an error; as many as there are, in their order.

        Lines are taken many at a time; None among them says that no more is at hand for now. Those before a
        line that cannot be read are tagged first.
        """
        for sentences in readings(lines, LINES_AT_ONCE, self._given):
            yield from self._tag(sentences, attention=attention)

    def _given(self, lines: Sequence[tuple[str, Given]]) -> list[ReadSentence]:
        """The words of lines, each given with its place; a line that cannot be read is refused."""
        sentences = [GivenSentence.of(given, where) for where, given in lines]
        for sentence, (where, _) in zip(sentences, lines, strict=True):
            _check_words(sentence.words, where)
        return self._reader.read(sentences)

    def encode(
        self, sentences: Sequence[Sequence[str]], places: Sequence[str] | None = None
    ) -> list[EncodedSentence]:
        """Words as ids; a sentence that is too long is refused, naming its place."""
        for row, words in enumerate(sentences):
            _check_words(words, places[row] if places else "the sentence")
        return self._reader.encode(sentences)

    def is_known(self, words: Sequence[str]) -> list[bool]:
        """Whether the vocabulary has each word."""
        return self._reader.is_known(words)

    @torch.inference_mode()
    def scored(
        self,
        sentences: Sequence[EncodedSentence],
        edited: Sequence[SentenceEdits] | None = None,
        *,
        look: bool = False,
    ) -> Iterator[Scored]:
        """Read sentences with words, in batches of like length, in no particular order."""
        lengths = [len(own.words) for own in sentences]
        for rows in window_batches(lengths, window_of(self.network), budget=_BATCH_TOKENS):
            words = make_words([sentences[row] for row in rows]).to(self.device)
            changes = None if edited is None else trace_edits([edited[row] for row in rows])
            trace = Trace(self.module, changes) if look or changes is not None else None
            scores = self.network(words, trace=trace).double()
            seen: dict[str, Weights] = {}
            if trace is not None and look:
                # One look over the whole sentence; in windows there is none.
                looks = {path: trace.kept[path] for path in self.network.attentions}
                seen = {path: all_looks(own) for path, own in looks.items() if own}
            yield Scored(rows, scores, words.lengths, seen)

    def decoded(self, scored: Scored) -> list[list[int]]:
        """The most probable tags of each sentence, by their numbers."""
        tags, _ = self.network.labelling.decode(scored.scores, scored.lengths)
        pairs = zip(tags.tolist(), scored.lengths.tolist(), strict=True)
        return [said[:count] for said, count in pairs]

    @torch.inference_mode()
    def marginals(self, scored: Scored) -> list[Floats]:
        """The logarithm of how probable each tag of each word is, (words, labels), before any temperature."""
        found = self.network.labelling.marginals(scored.scores, scored.lengths).cpu().numpy()
        logs = np.log(np.maximum(found, SMALLEST))  # what a scheme forbids has 0
        return [own[:count] for own, count in zip(logs, scored.lengths.tolist(), strict=True)]

    def probabilities(self, marginals: Floats) -> Floats:
        """Calibrated, (words, labels)."""
        values: Floats = np.exp(log_softmax(marginals / self.temperature))
        return values

    def _effects(
        self, sentences: Sequence[ReadSentence], edits: Sequence[tuple[Edit, ...]]
    ) -> list[TagEffect]:
        refuse_prefix(edit for own in edits for edit in own)
        if any(map(self._windows, sentences)):
            raise DataError(
                "what is read in windows has no attention over the whole sentence; edit a shorter one"
            )
        edited = [
            resolve(own, sentence.side, self.network.attentions)
            for sentence, own in zip(sentences, edits, strict=True)
        ]
        changed = [
            self._reader.without(one, own.removed) if own.removed else one
            for one, own in zip(sentences, edited, strict=True)
        ]
        before = self._tag(sentences, edited=[SentenceEdits()] * len(sentences))
        after = self._tag(changed, edited=edited)
        return [
            TagEffect(own, old, new, change.notes)
            for own, old, new, change in zip(edits, before, after, edited, strict=True)
        ]

    def _tag(
        self,
        sentences: Sequence[ReadSentence],
        *,
        attention: bool = True,
        edited: Sequence[SentenceEdits] | None = None,
    ) -> list[Tagging]:
        nothing = np.zeros((0, len(self.names)))
        results = [Tagging(one.given.text, (), (), self.labels, nothing, NOTHING_READ) for one in sentences]
        with_words = [place for place, sentence in enumerate(sentences) if sentence.given.words]
        encoded = [sentences[place].encoded for place in with_words]
        own = None if edited is None else [edited[place] for place in with_words]
        engine = engine_of(self.module)
        for batch in self.scored(encoded, own, look=attention):
            tags, marginals = self.decoded(batch), self.marginals(batch)
            for at, row in enumerate(batch.rows):
                sentence = sentences[with_words[row]]
                record = NOT_ASKED if not attention else _NO_ATTENTION
                if batch.seen:
                    seen = {path: looks[at] for path, looks in batch.seen.items()}
                    record = record_of(sentence.side, None, seen, self.network.attentions, engine)
                elif attention and self.network.attentions:
                    record = IN_WINDOWS
                said = tuple(self.labels[number] for number in tags[at])
                likely = self.probabilities(marginals[at])
                results[with_words[row]] = Tagging(
                    sentence.given.text,
                    sentence.given.words,
                    said,
                    self.labels,
                    likely,
                    record,
                    self._windows(sentence) + script_notes(self.tokenizer.scripts, sentence.given.text),
                )
        return results

    def _windows(self, sentence: ReadSentence) -> tuple[str, ...]:
        """What there is to say of a sentence that is longer than what the model reads at once."""
        return window_notes([len(sentence.encoded.words)], window_of(self.network))


def build_tagger(
    recipe: TaggingRecipe, words: int, characters: Tokenizer | None, labels: Labels
) -> nn.Module:
    """A model of a recipe for so many words, with weights by chance."""
    sizes = {"characters": len(characters) if characters else 0, "outputs": len(labels)}
    model = build_model(recipe.model, source_size=words, **sizes)
    own = recipe.model.labelling
    if isinstance(own, CRFLabellingConfig) and own.scheme is not None:
        crf: CRF = model.labelling  # type: ignore[assignment]
        between, first, last = label_rules(labels.names, own.scheme)
        crf.restrict(Allowed(torch.tensor(between), torch.tensor(first), torch.tensor(last)))
    return model


def _check_words(words: Sequence[str], where: str) -> None:
    """Refuse a sentence of too many words, naming its place; each counts as one, in however many pieces."""
    check_length(range(len(words)), line_of(words), where)


def _check_labels(stored: StoredModel, recipe: TaggingRecipe, count: int, where: str) -> None:
    """Refuse labels that the weights are not for, before anything is made that grows with them."""
    shape = shapes_of(stored.weights).get("output.weight")  # a network of a user's own may call it otherwise
    if shape and shape[0] != count:
        raise StoreError(f"{where}: {LABELS} has {count:,} labels, but output.weight has {shape[0]:,} rows")
    if isinstance(recipe.model.labelling, CRFLabellingConfig) and count > MOST_OF_A_CRF:
        raise StoreError(f"{where}: a crf takes up to {MOST_OF_A_CRF} tags, found {count:,}")


def characters_of(stored: StoredModel, where: str) -> Tokenizer | None:
    """The characters that a model reads; None if it reads none."""
    if not isinstance(stored.recipe, TaggingRecipe) or stored.recipe.model.characters is None:
        return None
    if "characters" not in stored.tokenizers:
        raise StoreError(f"{where}: the tokenizer of the characters is missing")
    return Tokenizer.from_json(stored.tokenizers["characters"], f"{where}: {tokenizer_file('characters')}")


def _sentences(given: Any) -> list[Given]:
    """Several sentences, each a text or the list of its words; `GivenSentence` looks at the words."""
    sentences = list(several(given, "a sentence or a list of sentences"))
    for number, one in enumerate(sentences, start=1):
        if isinstance(one, bytes | Mapping) or not isinstance(one, Iterable):
            raise DataError(f"sentence {number}: expected a text or a list of words, found {described(one)}")
    return sentences
