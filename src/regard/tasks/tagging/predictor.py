"""Tagging: sentences of words in, frozen results out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, Self, overload

import numpy as np
import torch
from torch import Tensor, nn

from regard.config.tagger import CRFLabellingConfig
from regard.config.tagging import TaggingRecipe
from regard.errors import DataError, StoreError
from regard.inference.attention import EMPTY_INPUT
from regard.inference.inputs import check_length, described, several
from regard.inference.predictor import Predictor, window_notes
from regard.insight.edits import EachEdits, Edits
from regard.insight.record import AttentionRecord
from regard.metrics.calibration import log_softmax
from regard.metrics.divergence import SMALLEST
from regard.metrics.statistics import Floats
from regard.models.catalogue import build_model
from regard.nn.crf import CRF, AllowedTransitions
from regard.nn.sequence_classifier import special_tokens_of
from regard.nn.token_classifier import TagDecoder, TokenClassifier
from regard.nn.trace import Trace
from regard.store.build import build_from_weights, labels_of, vocabularies_of
from regard.store.folder import LABELS, StoredModel, tokenizer_file
from regard.store.weights import shapes_of
from regard.tasks.tagging.examples import EncodedSentence, make_words
from regard.tasks.tagging.inputs import (
    EncodedWords,
    Given,
    PretokenizedSentence,
    WholeWords,
    WordEncoder,
    WordsInPieces,
)
from regard.tasks.tagging.result import TagEffect, Tagging
from regard.text.labels import Labels
from regard.text.pretokenized import PhraseTokenizer, join_words
from regard.text.span_labels import label_rules
from regard.text.tokenizer import Tokenizer

MOST_OF_A_CRF = 500
"""Tags that a CRF takes: each step of each word costs the square of them in memory."""


@dataclass(frozen=True)
class TagScores:
    """The output of the network for a batch of sentences, with padding beyond each."""

    scores: Tensor
    """(b, t, labels), in float64."""
    lengths: Tensor
    """(b,), words of each."""
    labelling: TagDecoder

    @cached_property
    def tags(self) -> list[list[int]]:
        """The most probable tags of each sentence, by their numbers."""
        tags, _ = self.labelling.decode(self.scores, self.lengths)
        return [own[:count] for own, count in zip(tags.tolist(), self.lengths.tolist(), strict=True)]

    @cached_property
    @torch.inference_mode()
    def marginals(self) -> list[Floats]:
        """The logarithm of how probable each tag of each word is, (words, labels), before any temperature."""
        found = self.labelling.marginals(self.scores, self.lengths).cpu().numpy()
        logs = np.log(np.maximum(found, SMALLEST))  # what a scheme forbids has 0
        return [own[:count] for own, count in zip(logs, self.lengths.tolist(), strict=True)]


class Tagger(Predictor[EncodedWords, EncodedSentence, TagScores, Tagging, TagEffect]):
    """A trained tagger with its words, its characters and its tags."""

    task: ClassVar[str] = "tagging"
    input_name: ClassVar[str] = "sentence"
    no_attention = AttentionRecord(reason="this model has no attention: set model.attention to train one")
    effect_class = TagEffect
    recipe: TaggingRecipe
    tokenizer: Tokenizer

    def __init__(
        self,
        model: nn.Module,
        *,
        tokenizer: Tokenizer,
        characters: Tokenizer | None,
        labels: Labels,
        recipe: TaggingRecipe,
        summary: dict[str, Any] | None = None,
    ) -> None:
        """Put a tagger together.

        characters: None where the model reads none
        """
        self.module = model
        self.network: TokenClassifier = model  # type: ignore[assignment]
        self.tokenizer = tokenizer
        self.characters = characters
        own = recipe.model.characters
        speller = PhraseTokenizer(characters, longest=own.longest) if characters and own else None
        frame = special_tokens_of(model)
        self._reader: WordEncoder = (
            WholeWords(tokenizer, speller) if frame is None else WordsInPieces(tokenizer, frame)
        )
        self.names = labels
        self.recipe = recipe
        self.summary = summary or {}

    @classmethod
    def opened(cls, stored: StoredModel, where: str) -> Self:
        """The tagger that a folder holds; `where` names it in an error."""
        recipe = cls.recipe_of(stored, TaggingRecipe, where)
        (tokenizer,), labels = vocabularies_of(stored, where, 1), labels_of(stored, where)
        characters, size = characters_of(stored, where), len(tokenizer)
        _check_labels(stored, recipe, len(labels), where)
        model = build_from_weights(lambda: build_tagger(recipe, size, characters, labels), stored, where)
        return cls(
            model,
            tokenizer=tokenizer,
            characters=characters,
            labels=labels,
            recipe=recipe,
            summary=stored.summary,
        )

    def describe(self) -> tuple[str, ...]:
        """How many tags there are."""
        return f"{len(self.names)} tags", self.recipe.model.kind

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
        self, sentence: Sequence[Given], *, attention: bool = True, edit: EachEdits
    ) -> list[TagEffect]: ...
    def tag(
        self,
        sentence: str | Sequence[Given],
        *,
        attention: bool = True,
        edit: EachEdits | None = None,
    ) -> Tagging | list[Tagging] | TagEffect | list[TagEffect]:
        """Tag the words of a sentence, or of several at once (faster).

        sentence:  a text, whose words stand between spaces; or a list of sentences, each of them such a text
                   or the list of its words
        attention: also return the attention weights, if the model has attention
        edit:      change the attention or the input, and return the effect. For one sentence an edit or
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
        return self.predict(self.encode_given(given, places), alone=alone, attention=attention, edit=edit)

    def tag_lines(
        self, lines: Iterable[tuple[str, Given] | None], *, attention: bool = False
    ) -> Iterator[Tagging]:
        """Tag lines, each given with its place for an error; as many as there are, in their order.

        Lines are taken many at a time; None among them says that no more is at hand for now. Those before a
        line that cannot be read are tagged first.
        """
        return self.predict_lines(lines, self.encode_given, partial(self.results, attention=attention))

    def encode_given(self, sentences: Sequence[Given], places: Sequence[str]) -> list[EncodedWords]:
        """Sentences with their words as ids; one that is too long is refused, naming its place."""
        given = [PretokenizedSentence.of(own, where) for own, where in zip(sentences, places, strict=True)]
        for sentence, where in zip(given, places, strict=True):
            _check_words(sentence.words, where)
        return self._reader.read(given)

    def encode_texts(self, texts: tuple[str, ...]) -> EncodedWords:
        """A text, whose words stand between spaces."""
        return self.encode_given(texts, ["the sentence"])[0]

    def encode(
        self, sentences: Sequence[Sequence[str]], places: Sequence[str] | None = None
    ) -> list[EncodedSentence]:
        """Words as ids alone; a sentence that is too long is refused, naming its place."""
        for row, words in enumerate(sentences):
            _check_words(words, places[row] if places else "the sentence")
        return self._reader.encode(sentences)

    def is_known(self, words: Sequence[str]) -> list[bool]:
        """Whether the vocabulary has each word."""
        return self._reader.is_known(words)

    def example(self, one: EncodedWords) -> EncodedSentence:
        """The ids of a sentence."""
        return one.encoded

    def length(self, example: EncodedSentence) -> int:
        """Its words; where they are read in pieces, these."""
        return len(example.words)

    def forward(self, examples: Sequence[EncodedSentence], trace: Trace | None) -> TagScores:
        """The scores of all tags of each word."""
        words = make_words(examples).to(self.device)
        scores = self.network(words, trace=trace).double()
        return TagScores(scores, words.lengths, self.network.labelling)

    def result(self, one: EncodedWords, output: TagScores, row: int, record: AttentionRecord) -> Tagging:
        """The tags of a sentence, with calibrated probabilities."""
        tags = tuple(self.labels[number] for number in output.tags[row])
        likely: Floats = np.exp(log_softmax(output.marginals[row] / self.temperature))
        return Tagging(one.given.text, one.given.words, tags, self.labels, likely, record, self.notes(one))

    def empty(self, one: EncodedWords) -> Tagging:
        """No tags."""
        return Tagging(one.given.text, (), (), self.labels, np.zeros((0, len(self.names))), EMPTY_INPUT)

    def window_notes(self, one: EncodedWords) -> tuple[str, ...]:
        """How a sentence was read that is longer than what the model reads at once."""
        return window_notes([len(one.encoded.words)], self.window)


def build_tagger(
    recipe: TaggingRecipe, words: int, characters: Tokenizer | None, labels: Labels
) -> nn.Module:
    """A model of a recipe for so many words, randomly initialised."""
    sizes = {"characters": len(characters) if characters else 0, "outputs": len(labels)}
    model = build_model(recipe.model, source_size=words, **sizes)
    own = recipe.model.labelling
    if isinstance(own, CRFLabellingConfig) and own.scheme is not None:
        crf: CRF = model.labelling  # type: ignore[assignment]
        between, first, last = label_rules(labels.names, own.scheme)
        crf.restrict(AllowedTransitions(torch.tensor(between), torch.tensor(first), torch.tensor(last)))
    return model


def _check_words(words: Sequence[str], where: str) -> None:
    """Refuse a sentence of too many words, naming its place; each counts as one, in however many pieces."""
    check_length(range(len(words)), join_words(words), where)


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
    """Several sentences, each a text or the list of its words; `PretokenizedSentence` checks the words."""
    sentences = list(several(given, "a sentence or a list of sentences"))
    for number, one in enumerate(sentences, start=1):
        if isinstance(one, bytes | Mapping) or not isinstance(one, Iterable):
            raise DataError(f"sentence {number}: expected a text or a list of words, found {described(one)}")
    return sentences
