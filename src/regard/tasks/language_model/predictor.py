"""Language modelling: a prompt in, its completion out; and the log-probability of a text."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar, Self, Unpack, overload

from torch import nn

from regard.config.decoding import DecodingChanges, DecodingConfig
from regard.config.language import LanguageRecipe, NGramConfig
from regard.data.batching import EncodedPair
from regard.errors import DataError
from regard.inference.attention import token_axis
from regard.inference.beam_tree import BeamTree, beam_tree
from regard.inference.constraints import Constraints, each_constraints
from regard.inference.explain import explain_row
from regard.inference.generation import Completion, Effect, TextScore
from regard.inference.generator import Generator, Run
from regard.inference.inputs import check_text, described, given_text, given_tuple, several
from regard.inference.search import GenerationOptions, GenerationRequest
from regard.inference.streaming import LINES_AT_ONCE, readings
from regard.insight.edits import EachEdits, Edit, Edits, ForcePrefix, Remove, Word
from regard.insight.explain import Explanation
from regard.models.catalogue import build_model
from regard.models.ngram import NGramNetwork
from regard.store.build import build_from_weights, vocabularies_of
from regard.store.folder import StoredModel
from regard.text.scripts import script_notes
from regard.text.tokenizer import Encoding, Tokenizer


class LanguageModel(Generator[Completion]):
    """A trained language model with its text."""

    task: ClassVar[str] = "language-model"
    input_name: ClassVar[str] = "text"
    decoder_only: ClassVar[bool] = True
    recipe: LanguageRecipe
    result = Completion

    def __init__(
        self,
        model: nn.Module,
        *,
        tokenizer: Tokenizer,
        recipe: LanguageRecipe,
        summary: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(
            model, source_tokenizer=tokenizer, target_tokenizer=tokenizer, recipe=recipe, summary=summary
        )
        self.tokenizer = tokenizer

    @classmethod
    def opened(cls, stored: StoredModel, where: str) -> Self:
        """The language model that a folder holds; `where` names it in an error."""
        recipe = cls.recipe_of(stored, LanguageRecipe, where)
        (tokenizer,) = vocabularies_of(stored, where, 1)
        model: nn.Module
        if isinstance(recipe.model, NGramConfig):  # how large its tables are, only they know
            model = NGramNetwork.of_weights(stored.weights, where)
        else:
            size = len(tokenizer)
            model = build_from_weights(lambda: build_model(recipe.model, target_size=size), stored, where)
        return cls(model, tokenizer=tokenizer, recipe=recipe, summary=stored.summary)

    def describe(self) -> tuple[str, ...]:
        """The language, and the kind of the model."""
        return self.recipe.data.text, self.recipe.model.kind

    @overload  # a str is a sequence of str to the type checker, but never meant as one here
    def complete(  # type: ignore[overload-overlap]
        self, text: str, *, edit: None = None, **options: Unpack[GenerationOptions]
    ) -> Completion: ...
    @overload
    def complete(
        self, text: Sequence[str], *, edit: None = None, **options: Unpack[GenerationOptions]
    ) -> list[Completion]: ...
    @overload
    def complete(  # type: ignore[overload-overlap]
        self, text: str, *, edit: Edits, **options: Unpack[GenerationOptions]
    ) -> Effect: ...
    @overload
    def complete(
        self, text: Sequence[str], *, edit: EachEdits, **options: Unpack[GenerationOptions]
    ) -> list[Effect]: ...
    def complete(
        self,
        text: str | Sequence[str],
        *,
        edit: EachEdits | None = None,
        **options: Unpack[GenerationOptions],
    ) -> Completion | list[Completion] | Effect | list[Effect]:
        """Complete a prompt, or several at once (faster); an empty one, from <s>.

        edit: change the attention: edits name words of the prompt, by text or number, <s> first. For one text
              an edit or several; for a list of texts one edit for all, or a list with an entry for each
        The rest is as for `Translator.translate`; constraints say nothing of a prefix, which the text is.

        >>> lm.complete("나는").text
        '나는 ...'
        >>> drawn = lm.complete("나는", sample=True, temperature=0.8, top_p=0.9, seed=1, n_best=3)
        >>> len(drawn.alternatives)
        2
        """
        return self.generate(text, edit, **options)

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
        """Complete lines, each given with its place for an error; as many as there are, in their order.

        Lines are taken many at a time; None among them says that no more is at hand for now. Those before a
        line that cannot be read are gone on with first.

        numbered_from: how many there were before them: the place in a text decides what is drawn
        """
        settings = self.search_settings(search, n_best=n_best)
        number = numbered_from
        for encoded in readings(lines, LINES_AT_ONCE, self.check):
            wanted = each_constraints(constraints, len(encoded), decoder_only=True)
            request = GenerationRequest(settings, wanted, None, n_best, attention, number)
            yield from (result for result, _ in self.write(encoded, [""] * len(encoded), request))
            number += len(encoded)

    def beam_tree(
        self,
        text: str,
        *,
        constraints: Constraints | None = None,
        begin: Sequence[int] = (),
        **changes: Unpack[DecodingChanges],
    ) -> BeamTree:
        """The search for a completion, with what was pruned; as `Translator.beam_tree`.

        begin: tokens that follow the prompt: those of a node, to continue what was pruned
        """
        settings = self.search_settings(**changes)
        return beam_tree(self, given_text(text), settings, constraints=constraints, begin=begin)

    @overload
    def look(self, text: str, *, edit: None = None) -> Completion: ...
    @overload
    def look(self, text: str, *, edit: Edits) -> Effect: ...
    def look(self, text: str, *, edit: Edits | None = None) -> Completion | Effect:
        """Show the model a whole text, and read the attention; with an edit, what that changes.

        A row is labelled by the input word: it has the weights with which the next one was predicted.

        >>> seen = lm.look("나는 책을 읽었다.")
        >>> seen.attention.words().columns
        ('<s>', '나는', '책을', '읽었다', '.')
        """
        (encoded,) = self.encode([given_text(text)])
        return self._look(encoded, encoded, edit)

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
        (encoded,) = self.encode([given_text(text)])
        side = token_axis(encoded, self.tokenizer.dictionary, ended=True)
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
        return (
            TextScore(
                text=text,
                tokens=tokens,
                log_probabilities=values,
                notes=script_notes(self.tokenizer.scripts, text),
            )
            for (_, text), tokens, values in self._token_scores(placed, self._encode_ids)
        )

    def search_settings(
        self, search: DecodingConfig | None = None, *, n_best: int = 1, **changes: Unpack[DecodingChanges]
    ) -> DecodingConfig:
        """The search that is asked for, if this model can do it and it gives as many results as wanted."""
        settings = super().search_settings(search, n_best=n_best, **changes)
        if settings.coverage_beta:
            raise DataError("coverage_beta is for a source, and a language model has none; leave it out")
        return settings

    def check(self, lines: Sequence[tuple[str, str]]) -> list[Encoding]:
        """Lines in tokens, each given with its place; one that the model cannot be shown is refused."""
        return self.encode([line for _, line in lines], [where for where, _ in lines])

    def encode(self, texts: Sequence[str], places: Sequence[str] | None = None) -> list[Encoding]:
        """Texts in tokens; one that the model cannot be shown is refused, by its place if that is known."""
        encoded = list(self.tokenizer.encode_many(texts))
        for row, (text, encoding) in enumerate(zip(texts, encoded, strict=True)):
            check_text(encoding.ids, text, places[row] if places else "the text", self.module)
        return encoded

    def _encode_ids(self, placed: Sequence[tuple[str, str]]) -> list[EncodedPair]:
        encoded = self.tokenizer.encode_ids([text for _, text in placed])
        for (where, text), ids in zip(placed, encoded, strict=True):
            check_text(ids, text, where, self.module)
        return [EncodedPair((), ids) for ids in encoded]

    def _effects(
        self, sources: Sequence[Encoding], edits: Sequence[tuple[Edit, ...]], run: Run[Completion]
    ) -> list[Effect]:
        for edit in (edit for own in edits for edit in own):
            if isinstance(edit, Remove | ForcePrefix):
                raise DataError(
                    f"a language model reads no more than its own text: to {edit}, change that; leave it out"
                )
        return super()._effects(sources, edits, run)


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
