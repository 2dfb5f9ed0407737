"""Fill-mask: a text with masked words in, candidates for each mask out, with the attention behind them."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Self, overload

import numpy as np
from torch import Tensor

from regard.config.masked_language_model import MaskedLanguageModelRecipe
from regard.data.batching import SYMBOLS, Ids, pad_texts
from regard.errors import ConfigError, DataError
from regard.inference.encoders import build_encoder
from regard.inference.inputs import given_texts
from regard.inference.predictor import Predictor
from regard.insight.edits import EachEdits, Edits
from regard.insight.record import AttentionRecord
from regard.metrics.calibration import log_softmax
from regard.metrics.statistics import Floats
from regard.models.bert import Bert
from regard.nn.trace import Trace
from regard.store.build import build_from_weights, vocabularies_of
from regard.store.convert.encoder import build_tokenizer, read_encoder
from regard.store.folder import StoredModel
from regard.tasks.masked_lm.inputs import ForeignMaskedText, MaskedInput, MaskedText, OwnMaskedText
from regard.tasks.masked_lm.result import Candidate, FillMaskEffect, FillMaskResult, MaskedWord
from regard.text.scripts import KnownScripts
from regard.text.tokenizer import Tokenizer

N_BEST = 5
"""Candidates for a mask, unless more are asked for."""


class FillMask(Predictor[MaskedInput, Ids, Tensor, FillMaskResult, FillMaskEffect]):
    """An encoder that predicts masked words, with its vocabulary."""

    task: ClassVar[str] = "masked-language-model"
    effect_class = FillMaskEffect
    network: Bert

    def __init__(self, model: Bert, text: MaskedText, where: str) -> None:
        if model.masked_words is None:
            raise ConfigError(f"{where}: has no masked language model's head; it cannot fill")
        self.module = self.network = model
        self.head = model.masked_words
        self.masked_text = text

    @classmethod
    def imported(cls, folder: str | Path) -> "FillMask":
        """The model in a folder that `transformers` wrote, such as a BertForMaskedLM."""
        stored = read_encoder(Path(folder))
        text = ForeignMaskedText(build_tokenizer(stored, str(folder)), str(folder))
        return FillMask(build_encoder(stored, str(folder)), text, str(folder))

    def describe(self) -> tuple[str, ...]:
        """The family of the encoder."""
        return (self.network.config.kind,)

    @property
    def symbol(self) -> str:
        """The mask symbol in a text."""
        return self.masked_text.symbol

    @property
    def scripts(self) -> KnownScripts:
        """What the vocabulary covers."""
        return self.masked_text.scripts

    @overload  # a str is a sequence of str to the type checker, but never meant as one here
    def fill(  # type: ignore[overload-overlap]
        self, text: str, *, n_best: int = N_BEST, attention: bool = True, edit: None = None
    ) -> FillMaskResult: ...
    @overload
    def fill(
        self, text: Sequence[str], *, n_best: int = N_BEST, attention: bool = True, edit: None = None
    ) -> list[FillMaskResult]: ...
    @overload
    def fill(  # type: ignore[overload-overlap]
        self, text: str, *, n_best: int = N_BEST, attention: bool = True, edit: Edits
    ) -> FillMaskEffect: ...
    @overload
    def fill(
        self, text: Sequence[str], *, n_best: int = N_BEST, attention: bool = True, edit: EachEdits
    ) -> list[FillMaskEffect]: ...
    def fill(
        self,
        text: str | Sequence[str],
        *,
        n_best: int = N_BEST,
        attention: bool = True,
        edit: EachEdits | None = None,
    ) -> FillMaskResult | list[FillMaskResult] | FillMaskEffect | list[FillMaskEffect]:
        """Predict the masked words of a text, or of several at once (faster).

        n_best:    how many candidates for each mask
        attention: also return the attention weights
        edit:      change the attention or the input, and return the effect; as for `classify`
        """
        alone = isinstance(text, str)
        encoded = self._encode(given_texts(text), n_best=n_best, whole=alone or edit is not None)
        return self.predict(encoded, alone=alone, attention=attention, edit=edit)

    def fill_lines(
        self, lines: Iterable[tuple[str, str] | None], *, n_best: int = N_BEST, attention: bool = False
    ) -> Iterator[FillMaskResult]:
        """Fill lines, each given with its place for an error; as many as there are, in their order.

        An empty line stays empty. None among them says that no more is at hand for now. Those before a line
        that cannot be read are filled first.
        """
        encode = partial(self._encode, n_best=n_best)
        return self.predict_lines(lines, encode, partial(self.results, attention=attention))

    def _encode(
        self,
        texts: Sequence[str],
        places: Sequence[str] | None = None,
        *,
        n_best: int = N_BEST,
        whole: bool = False,
        needs_hidden: bool = True,
    ) -> list[MaskedInput]:
        if needs_hidden and self.network.config.reads == "left":
            raise ConfigError("this model sees only the words before a mask; it cannot fill")
        encoded = self.masked_text.encode(texts)
        most = self.network.longest - len(self.masked_text.before) - len(self.masked_text.after)
        for row, (text, found) in enumerate(zip(texts, encoded, strict=True)):
            where = places[row] if places else "the text"
            if needs_hidden and text.strip() and self.masked_text.mask not in found.ids:
                raise DataError(
                    f"{where}: expected a text with {self.symbol} in it, found '{text[:30]}'; "
                    f"write {self.symbol} where a word is to be filled in"
                )
            if len(found.ids) > most:
                raise DataError(
                    f"{where}: expected at most {most:,} tokens, found {len(found.ids):,} in "
                    f"'{text[:30]}…'; split it into sentences"
                )
        if n_best < 1:
            raise DataError(f"expected one word or more for each mask, found {n_best}")
        return [MaskedInput(found, self.masked_text, n_best, whole) for found in encoded]

    def encode_texts(self, texts: tuple[str, ...]) -> MaskedInput:
        """A text; there may be no mask in it."""
        return self._encode(texts, whole=True, needs_hidden=False)[0]

    def example(self, one: MaskedInput) -> Ids:
        """The ids of a text, special tokens included."""
        return one.framed

    def length(self, example: Ids) -> int:
        """Special tokens included."""
        return len(example)

    def forward(self, examples: Sequence[Ids], trace: Trace | None) -> Tensor:
        """The states of all tokens, (b, t, d): probabilities are as wide as the vocabulary, so each text
        has its own time."""
        tokens, lengths = pad_texts(examples, SYMBOLS)
        states: Tensor = self.network(tokens.to(self.device), lengths.to(self.device), trace=trace)
        return states

    def result(self, one: MaskedInput, output: Tensor, row: int, record: AttentionRecord) -> FillMaskResult:
        """The most probable words for each mask, and its attention weights."""
        text, first = one.encoding, len(self.masked_text.before)
        places = [place for place, token in enumerate(text.ids) if token == self.masked_text.mask]
        logits = self.head(output[row, [first + place for place in places]]).double().cpu().numpy()
        looks: list[tuple[tuple[str, float], ...]] = [()] * len(places)
        if record.attentions and places:
            shown, shares = record.words(), one.sides[0].shares()
            rows = (shown.weights[int(shares[first + place].argmax())] for place in places)
            looks = [tuple(zip(shown.columns, map(float, own), strict=True)) for own in rows]
        hidden, ids = [], list(text.ids)
        for place, looked, values in zip(places, looks, np.exp(log_softmax(logits)), strict=True):
            candidates = self._candidates(values, one.n_best)
            ids[place] = candidates[0][0] if candidates else ids[place]
            words = tuple(candidate for _, candidate in candidates)
            kept = {"distribution": values} if one.whole else {}
            hidden.append(MaskedWord(first + place, words, looked, **kept))
        written = self.masked_text.written(ids) if places else text.text.original
        return FillMaskResult(text.text.original, written, tuple(hidden), record, self.notes(one))

    def _candidates(self, probabilities: Floats, n_best: int) -> list[tuple[int, Candidate]]:
        """The most probable entries that are words."""
        found: list[tuple[int, Candidate]] = []
        for token in np.argsort(-probabilities, kind="stable"):
            number = int(token)
            if word := self.masked_text.word(number):
                piece = self.masked_text.piece(number)
                found.append((number, Candidate(word, piece, float(probabilities[number]))))
            if len(found) == n_best:
                break
        return found


class MaskedLanguageModel(FillMask):
    """An encoder pre-trained on plain text: it fills masks, and is fine-tuned for other tasks."""

    recipe: MaskedLanguageModelRecipe

    def __init__(
        self,
        model: Bert,
        *,
        tokenizer: Tokenizer,
        recipe: MaskedLanguageModelRecipe,
        where: str,
        summary: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(model, OwnMaskedText(tokenizer, where), where)
        self.tokenizer = tokenizer
        self.recipe = recipe
        self.summary = summary or {}

    @classmethod
    def opened(cls, stored: StoredModel, where: str) -> Self:
        """The model that a folder holds; `where` names it in an error."""
        recipe = cls.recipe_of(stored, MaskedLanguageModelRecipe, where)
        (tokenizer,) = vocabularies_of(stored, where, 1)
        model = build_from_weights(lambda: build_bert(recipe, len(tokenizer)), stored, where)
        return cls(model, tokenizer=tokenizer, recipe=recipe, where=where, summary=stored.summary)


def build_bert(recipe: MaskedLanguageModelRecipe, size: int) -> Bert:
    """The encoder of a recipe, for a vocabulary of this size."""
    return Bert(recipe.model, vocabulary_size=size, next_sentence=recipe.asks_for_pairs)
