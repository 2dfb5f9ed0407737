"""Language modelling: the beginning of a text in, the whole of it out; and how probable a text is."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self, Unpack, overload

from torch import nn

from regard.config.decoding import DecodingChanges, DecodingConfig
from regard.config.language import LanguageRecipe, NGramConfig
from regard.data.batching import EncodedPair
from regard.decoding.hypothesis import Hypothesis
from regard.decoding.ranking import Ranking
from regard.errors import DataError, StoreError
from regard.inference.attention import Reading, read_attention, side_of
from regard.inference.constraints import Constraints, Wishes, each, wishes_of
from regard.inference.effect import Effect
from regard.inference.explain import explain_row
from regard.inference.generation import Completion, TextScore
from regard.inference.generation_results import assemble
from regard.inference.inputs import described, given_text, given_texts, given_tuple, several
from regard.inference.intervening import Output, Run, intervene
from regard.inference.interventions import SentenceEdits, each_edits
from regard.inference.lengths import check_text
from regard.inference.model import TaskModel
from regard.inference.phrases import Speller
from regard.inference.scoring import score_texts
from regard.inference.script_notes import script_notes
from regard.inference.search import search_all
from regard.inference.search_settings import settings_for
from regard.inference.streaming import LINES_AT_ONCE, readings
from regard.insight.edits import Edit, Edits, ForcePrefix, Remove, Word
from regard.insight.explain import Explanation
from regard.models.catalogue import build_model
from regard.models.ngram import NGramNetwork
from regard.nn.step import EncoderDecoder
from regard.store.fitting import build_fitting
from regard.store.folder import StoredModel
from regard.store.vocabularies import vocabularies_of
from regard.text.tokenizer import Encoding, Tokenizer

_Completed = tuple[Completion, Hypothesis | None]


class LanguageModel(TaskModel):
    """A trained language model with its text."""

    task: ClassVar[str] = "language-model"
    recipe: LanguageRecipe

    def __init__(
        self,
        model: nn.Module,
        *,
        tokenizer: Tokenizer,
        recipe: LanguageRecipe,
        summary: dict[str, Any] | None = None,
    ) -> None:
        self.module = model
        self.network: EncoderDecoder[Any] = model  # type: ignore[assignment]
        self.tokenizer = tokenizer
        self.recipe = recipe
        self.summary = summary or {}
        self._speller = Speller(tokenizer)

    @classmethod
    def opened(cls, stored: StoredModel, where: str) -> Self:
        """The language model that a folder holds; `where` names it in an error."""
        recipe = stored.recipe
        if not isinstance(recipe, LanguageRecipe):
            raise StoreError(f"{where}: is a model for {recipe.task}, not for {cls.task}")
        (tokenizer,) = vocabularies_of(stored, where, 1)
        model: nn.Module
        if isinstance(recipe.model, NGramConfig):  # how large its tables are, only they know
            model = NGramNetwork.of_weights(stored.weights, where)
        else:
            size = len(tokenizer)
            model = build_fitting(lambda: build_model(recipe.model, target_size=size), stored, where)
        return cls(model, tokenizer=tokenizer, recipe=recipe, summary=stored.summary)

    def __repr__(self) -> str:
        parameters = sum(p.numel() for p in self.module.parameters())
        return f"LanguageModel({self.recipe.data.text}, {self.recipe.model.kind}, {parameters:,} parameters)"

    @overload  # a str is a sequence of str to the type checker, but never meant as one here
    def complete(  # type: ignore[overload-overlap]
        self,
        text: str,
        *,
        n_best: int = 1,
        attention: bool = True,
        search: DecodingConfig | None = None,
        constraints: Constraints | None = None,
        numbered_from: int = 0,
        edit: None = None,
        **changes: Unpack[DecodingChanges],
    ) -> Completion: ...
    @overload
    def complete(
        self,
        text: Sequence[str],
        *,
        n_best: int = 1,
        attention: bool = True,
        search: DecodingConfig | None = None,
        constraints: Constraints | Sequence[Constraints] | None = None,
        numbered_from: int = 0,
        edit: None = None,
        **changes: Unpack[DecodingChanges],
    ) -> list[Completion]: ...
    @overload
    def complete(  # type: ignore[overload-overlap]
        self,
        text: str,
        *,
        n_best: int = 1,
        attention: bool = True,
        search: DecodingConfig | None = None,
        constraints: Constraints | None = None,
        numbered_from: int = 0,
        edit: Edits,
        **changes: Unpack[DecodingChanges],
    ) -> Effect: ...
    @overload
    def complete(
        self,
        text: Sequence[str],
        *,
        n_best: int = 1,
        attention: bool = True,
        search: DecodingConfig | None = None,
        constraints: Constraints | Sequence[Constraints] | None = None,
        numbered_from: int = 0,
        edit: Edit | Sequence[Edits],
        **changes: Unpack[DecodingChanges],
    ) -> list[Effect]: ...
    def complete(
        self,
        text: str | Sequence[str],
        *,
        n_best: int = 1,
        attention: bool = True,
        search: DecodingConfig | None = None,
        constraints: Constraints | Sequence[Constraints] | None = None,
        numbered_from: int = 0,
        edit: Edit | Sequence[Edits] | None = None,
        **changes: Unpack[DecodingChanges],
    ) -> Completion | list[Completion] | Effect | list[Effect]:
        """Go on with the beginning of a text, or with several at once (faster); with nothing, from <s>.

        edit: change what is looked at: the words of the beginning, by text or number, <s> first. For one text
              an edit or several; for a list of texts one edit for all, or a list with an entry for each
        The rest is as for `Translator.translate`; constraints say nothing of a prefix, which the text is.

        >>> lm.complete("나는").text
        '나는 ...'
        >>> drawn = lm.complete("나는", sample=True, temperature=0.8, top_p=0.9, seed=1, n_best=3)
        >>> len(drawn.alternatives)
        2
        """
        alone = isinstance(text, str)
        encoded = self._encode(given_texts(text))
        settings = self.search_settings(search, n_best=n_best, **changes)
        wishes = self._wishes(encoded, each(constraints, len(encoded)))

        def run(sources: Sequence[Encoding], edited: Sequence[SentenceEdits] | None) -> list[_Completed]:
            found = search_all(
                self.module,
                sources,
                settings,
                wishes,
                self._speller,
                n_best=n_best,
                numbered_from=numbered_from,
                edited=edited,
                from_nothing=True,
            )
            results = assemble(
                sources,
                wishes,
                found,
                edited,
                read=self._read,
                reader=self.tokenizer,
                tokenizer=self.tokenizer,
                speller=self._speller,
                attention=attention,
                replace_unknown=False,
                kind=Completion,
                begun=True,
            )
            return [(result, own[0]) for result, own in zip(results, found, strict=True)]

        if edit is None:
            results = [result for result, _ in run(encoded, None)]
            return results[0] if alone else results
        effects = self._effects(encoded, each_edits(edit, len(encoded), alone=alone), run)
        return effects[0] if alone else effects

    def complete_lines(
        self,
        lines: Iterable[tuple[str, str] | None],
        *,
        n_best: int = 1,
        attention: bool = False,
        search: DecodingConfig | None = None,
        constraints: Constraints | None = None,
        numbered_from: int = 0,
    ) -> Iterator[Completion]:
        """Go on with lines, each given with its place for an error; as many as there are, in their order.

        Lines are taken many at a time; None among them says that no more is at hand for now. Those before a
        line that cannot be read are gone on with first.

        numbered_from: how many there were before them: the place in a text decides what is drawn
        """
        number = numbered_from
        for texts in readings(lines, LINES_AT_ONCE, self._checked):
            yield from self.complete(
                texts,
                n_best=n_best,
                attention=attention,
                search=search,
                constraints=constraints,
                numbered_from=number,
            )
            number += len(texts)

    @overload
    def look(self, text: str, *, edit: None = None) -> Completion: ...
    @overload
    def look(self, text: str, *, edit: Edits) -> Effect: ...
    def look(self, text: str, *, edit: Edits | None = None) -> Completion | Effect:
        """Show the model a whole text, and read the attention; with an edit, what that changes.

        A row is labelled by the word that was fed: it looked back while the next one was predicted.

        >>> seen = lm.look("나는 책을 읽었다.")
        >>> seen.attention.words().columns
        ('<s>', '나는', '책을', '읽었다', '.')
        """
        encoded = self._encode([given_text(text)])
        if edit is None:
            return self._shown(encoded, None)[0]
        hypothesis = Hypothesis(encoded[0].ids, 0.0, 0.0, True)

        def run(sources: Sequence[Encoding], edited: Sequence[SentenceEdits] | None) -> list[Output]:
            return [(self._shown(sources, edited)[0], hypothesis)]

        return self._effects(encoded, each_edits(edit, 1, alone=True), run)[0]

    def explain(
        self,
        text: str,
        *,
        row: Word,
        column: Word | None = None,
        path: str | None = None,
        head: int | None = None,
    ) -> Explanation:
        """Follow one row of attention in a text: the query, each score by the formula, softmax, sum.

        row:    a token that was fed, by its number, where 0 is <s>; or a word, where that is one token
        column: a word before it, by text or number, whose score is shown in full
        path:   the attention that is meant; by default that of the lowest layer
        head:   where there are several
        """
        (encoded,) = self._encode([given_text(text)])
        side = side_of(encoded, self.tokenizer.dictionary, ended=True)
        pair = EncodedPair((), encoded.ids)
        return explain_row(self.module, pair, side, side, row=row, column=column, path=path, head=head)

    def score(self, texts: Iterable[str | tuple[str, str]]) -> Iterator[TextScore]:
        """How probable given texts are, token by token; streaming, in the order of the texts.

        texts: each alone, or as (place, text) with a place, such as `file:line`, for an error

        >>> [scored] = lm.score(["나는 책을 읽었다."])
        >>> len(scored.tokens) == len(scored.log_probabilities)
        True
        """
        given = [texts] if isinstance(texts, str) else several(texts, "a text or a list of texts")
        placed = (_placed(text, number) for number, text in enumerate(given, start=1))
        return score_texts(self.module, self.tokenizer, placed, budget=self._budget)

    def search_settings(
        self, search: DecodingConfig | None = None, *, n_best: int = 1, **changes: Unpack[DecodingChanges]
    ) -> DecodingConfig:
        """The search that is asked for, if this model can do it and it gives as many results as wanted."""
        settings = settings_for(self.network, self.recipe, search, n_best, **changes)
        if settings.coverage_beta:
            raise DataError("coverage_beta looks at a source, and a language model has none; leave it out")
        return settings

    @property
    def _budget(self) -> int:
        return self.recipe.decoding.batch_tokens

    def check(self, lines: Sequence[tuple[str, str]]) -> None:
        """Refuse lines, each given with its place, that the model cannot be shown."""
        self._encode([line for _, line in lines], [where for where, _ in lines])

    def _checked(self, lines: Sequence[tuple[str, str]]) -> list[str]:
        self.check(lines)
        return [line for _, line in lines]

    def _encode(self, texts: Sequence[str], places: Sequence[str] | None = None) -> list[Encoding]:
        encoded = list(self.tokenizer.encode_many(texts))
        for row, (text, encoding) in enumerate(zip(texts, encoded, strict=True)):
            check_text(encoding.ids, text, places[row] if places else "the text", self.module)
        return encoded

    def _wishes(self, encoded: Sequence[Encoding], constraints: Sequence[Constraints]) -> list[Wishes]:
        """What each text must have, in tokens: it begins with what is given."""
        if any(own.prefix for own in constraints):
            raise DataError("the text itself is what is gone on with; leave out the prefix")
        wanted = wishes_of([text.text.original for text in encoded], constraints, None, self._speller)
        return [
            replace(wish, tokens=replace(wish.tokens, prefix=text.ids))
            for wish, text in zip(wanted, encoded, strict=True)
        ]

    def _effects(
        self, texts: Sequence[Encoding], edits: Sequence[tuple[Edit, ...]], run: Run
    ) -> list[Effect]:
        for edit in (edit for own in edits for edit in own):
            if isinstance(edit, Remove | ForcePrefix):
                raise DataError(
                    f"a language model reads no more than its own text: to {edit}, change that; leave it out"
                )
        return intervene(
            self.module,
            texts,
            edits,
            run,
            dictionary=self.tokenizer.dictionary,
            budget=self._budget,
            device=self.device,
            begun=True,
        )

    def _shown(self, texts: Sequence[Encoding], edited: Sequence[SentenceEdits] | None) -> list[Completion]:
        ranking, results = Ranking.of(self.recipe.decoding), []
        read = self._read(texts, texts, [True] * len(texts), edited)
        for text, (record, values) in zip(texts, read, strict=True):
            total, given = math.fsum(values), text.text.original
            score = ranking.score(total, len(values), 0.0)
            notes = script_notes(self.tokenizer.scripts, given)
            results.append(Completion(given, given, score, total, text.pieces, True, (), record, notes=notes))
        return results

    def _read(
        self,
        sources: Sequence[Encoding],
        targets: Sequence[Encoding],
        ended: Sequence[bool],
        edited: Sequence[SentenceEdits] | None = None,
    ) -> list[Reading]:
        return read_attention(
            self.module,
            sources,
            targets,
            ended,
            dictionaries=(self.tokenizer.dictionary,) * 2,
            budget=self._budget,
            device=self.device,
            edited=edited,
            from_nothing=True,
        )


def _placed(text: str | tuple[str, str], number: int) -> tuple[str, str]:
    """A text with its place."""
    if isinstance(text, str):
        return f"text {number}", text
    if not isinstance(text, tuple):
        raise DataError(
            f"text {number}: expected a text, or a tuple of its place and it, found {described(text)}"
        )
    where, given = given_tuple(text, f"text {number}", sizes=(2,))
    return where, given
