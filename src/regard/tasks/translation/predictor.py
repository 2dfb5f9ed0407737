"""Translation: text in, frozen results out."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import ClassVar, Self, Unpack, overload

from regard.config.decoding import DecodingChanges, DecodingConfig
from regard.config.translation import TranslationRecipe
from regard.data.batching import EncodedPair
from regard.decoding.ensemble import EnsembleDecoder
from regard.errors import ConfigError, DataError
from regard.inference.attention import EMPTY_INPUT, checked_heads, token_axis
from regard.inference.beam_tree import BeamTree, beam_tree
from regard.inference.constraints import Constraints, Glossary, TokenisedConstraints
from regard.inference.explain import explain_row
from regard.inference.generation import Alternative, Effect, PairScore, Translation
from regard.inference.generator import Generator
from regard.inference.inputs import (
    MAX_SOURCE_TOKENS,
    check_length,
    given_text,
    several,
)
from regard.inference.search import GenerationOptions, search_all
from regard.insight.edits import EachEdits, Edits, ForcePrefix, Word, as_edits
from regard.insight.explain import Explanation
from regard.insight.record import AttentionRecord
from regard.models.catalogue import build_model
from regard.store.build import build_from_weights, vocabularies_of
from regard.store.folder import StoredModel
from regard.tasks.translation.pairs import given_pairs, pairs_as_ids, pairs_in_tokens, placed_pair
from regard.text.scripts import script_notes
from regard.text.tokenizer import UNK, Encoding, Tokenizer

__all__ = ["MAX_SOURCE_TOKENS", "Alternative", "Translation", "Translator"]


class _Options(GenerationOptions, total=False):
    glossary: Glossary | None


class Translator(Generator[Translation]):
    """A trained translation model with its text."""

    task: ClassVar[str] = "translation"
    input_name: ClassVar[str] = "sentence"
    recipe: TranslationRecipe
    result = Translation

    @classmethod
    def opened(cls, stored: StoredModel, where: str) -> Self:
        """The translator that a folder holds; `where` names it in an error."""
        recipe = cls.recipe_of(stored, TranslationRecipe, where)
        source, target = vocabularies_of(stored, where, 2)
        sizes = {"source_size": len(source), "target_size": len(target)}
        model = build_from_weights(lambda: build_model(recipe.model, **sizes), stored, where)
        return cls(
            model,
            source_tokenizer=source,
            target_tokenizer=target,
            recipe=recipe,
            summary=stored.summary,
            alignment_heads=checked_heads(stored.alignment, model, where),
        )

    @classmethod
    def ensemble(cls, members: Sequence["Translator"], names: Sequence[str] | None = None) -> "Translator":
        """Several translators as one, by the mean of their probabilities; the first one's recipe counts.

        names: what to call the members in an error
        """
        called = names or [f"model {number}" for number in range(1, len(members) + 1)]
        _check_vocabularies(members, called)
        if len({id(member.module) for member in members}) < len(members):
            raise DataError("an ensemble is of different models, found one twice")
        first = members[0]
        return cls(
            EnsembleDecoder([member.module for member in members]),
            source_tokenizer=first.source_tokenizer,
            target_tokenizer=first.target_tokenizer,
            recipe=first.recipe,
            summary={"members": list(called)},
        )

    @property
    def _tokenizers(self) -> tuple[Tokenizer, Tokenizer]:
        return self.source_tokenizer, self.target_tokenizer

    def describe(self) -> tuple[str, ...]:
        """The languages, and the kind of the model."""
        return f"{self.recipe.data.source}→{self.recipe.data.target}", self.recipe.model.kind

    @overload  # a str is a sequence of str to the type checker, but never meant as one here
    def translate(  # type: ignore[overload-overlap]
        self, source: str, *, edit: None = None, **options: Unpack[_Options]
    ) -> Translation: ...
    @overload
    def translate(
        self, source: Sequence[str], *, edit: None = None, **options: Unpack[_Options]
    ) -> list[Translation]: ...
    @overload
    def translate(  # type: ignore[overload-overlap]
        self, source: str, *, edit: Edits, **options: Unpack[_Options]
    ) -> Effect: ...
    @overload
    def translate(
        self, source: Sequence[str], *, edit: EachEdits, **options: Unpack[_Options]
    ) -> list[Effect]: ...
    def translate(
        self,
        source: str | Sequence[str],
        *,
        n_best: int = 1,
        attention: bool = True,
        search: DecodingConfig | None = None,
        constraints: Constraints | Sequence[Constraints] | None = None,
        glossary: Glossary | None = None,
        numbered_from: int = 0,
        edit: EachEdits | None = None,
        **changes: Unpack[DecodingChanges],
    ) -> Translation | list[Translation] | Effect | list[Effect]:
        """Translate a sentence, or several at once (faster).

        n_best:        how many translations to give: at most the beam size, or when sampling that many draws
        attention:     also return the attention weights (one more pass over the output)
        search:        how to search; by default as in the recipe
        constraints:   what translations begin with, must have or must not have; for all sentences, or a list
                       with an entry for each
        glossary:      term pairs: where a source sentence has a term, its translation has the other
        numbered_from: when sampling, the place in the text of the first sentence: (seed, place) decides what
                       is drawn
        edit:          change the attention or the input, and return the effect. For one sentence an edit or
                       several; for a list of sentences one edit for all, or a list with an entry for each
        changes:       settings of the search to change, such as beam_size=1 or sample=True

        >>> best = model.translate("나는 책을 읽었다.")
        >>> best.text
        'I ...'
        >>> pair = model.translate(["나는 책을 읽었다.", "그는 학교에 갔다."], beam_size=3, n_best=2)
        >>> [len(best.alternatives) for best in pair]
        [1, 1]
        """
        return self.generate(
            source,
            edit,
            n_best=n_best,
            attention=attention,
            search=search,
            constraints=constraints,
            glossary=glossary,
            numbered_from=numbered_from,
            **changes,
        )

    def search_width(self, beam_size: int | None, n_best: int) -> int:
        """The width of the search that is asked for, if it can give as many translations as wanted."""
        return self.search_settings(n_best=n_best, beam_size=beam_size).beam_size

    def tokens_in(self, text: str) -> int:
        """How many tokens a source text has."""
        return len(self.source_tokenizer.encode(text).ids)

    def can_write(self, text: str) -> bool:
        """Whether the target vocabulary covers a text."""
        return UNK not in self.target_tokenizer.encode(text).ids

    def check_length(self, text: str, where: str) -> None:
        """Refuse a source text that is too long, naming its place."""
        if len(text) * 4 >= MAX_SOURCE_TOKENS:  # shorter ones cannot have so many tokens: a byte each at most
            check_length(self.source_tokenizer.encode(text).ids, text, where)

    @overload
    def look(self, source: str, target: str | None = None, *, edit: None = None) -> Translation: ...
    @overload
    def look(self, source: str, target: str | None = None, *, edit: Edits) -> Effect: ...
    def look(
        self, source: str, target: str | None = None, *, edit: Edits | None = None
    ) -> Translation | Effect:
        """Translate a sentence, or force a given translation, and read the attention.

        edit: change the attention or the input, and return the effect

        >>> given = model.look("나는 책을 읽었다.", "I read a book.")
        >>> given.text, given.attention.words().rows
        ('I read a book.', ('I', 'read', 'a', 'book', '.', '</s>'))
        """
        source = given_text(source, "sentence")
        if target is None:
            return self.translate(source) if edit is None else self.translate(source, edit=edit)
        if edit is not None and any(isinstance(one, ForcePrefix) for one in as_edits(edit)):
            raise DataError("a prefix is forced while the model writes; leave out the given translation")
        (encoded,), (written,) = given_pairs(*self._tokenizers, [(source, target)])
        return self._look(encoded, written, edit)

    def explain(
        self,
        source: str,
        target: str | None = None,
        *,
        row: Word,
        column: Word | None = None,
        path: str | None = None,
        head: int | None = None,
    ) -> Explanation:
        """Follow one row of attention: the query, each score by this model's formula, softmax, weighted sum.

        target: a given translation; by default the model's own
        row:    a target token by its number, from 0; or a word, where that is one token
        column: a source word, by text or number, whose score is shown in full
        path:   the attention that is meant; by default the first one over the source
        head:   where there are several

        >>> told = model.explain("나는 책을 읽었다.", "I read a book.", row=0, column="책을")
        >>> told.formula, told.error < 1e-5
        ('e_j = v · tanh(W s + U h_j)', True)
        """
        if target is None:
            (encoded,) = self.encode([given_text(source, "sentence")])
            if not encoded.ids:
                raise DataError("the sentence has no words, and there is nothing to explain")
            settings = self.search_settings()
            ((best, *_),) = search_all(
                self.module, [encoded], settings, [TokenisedConstraints()], self.phrases
            )
            written, ended = self.target_tokenizer.decode(best.tokens, whole=True), best.ended
        else:
            ((encoded,), (written,)), ended = (
                given_pairs(*self._tokenizers, [(source, target)]),
                True,
            )
        return explain_row(
            self.module,
            EncodedPair(encoded.ids, written.ids),
            token_axis(encoded, self.source_tokenizer.dictionary, ended=True),
            token_axis(written, self.target_tokenizer.dictionary, ended=ended),
            row=row,
            column=column,
            path=path,
            head=head,
        )

    def beam_tree(
        self,
        source: str,
        *,
        constraints: Constraints | None = None,
        glossary: Glossary | None = None,
        begin: Sequence[int] = (),
        **changes: Unpack[DecodingChanges],
    ) -> BeamTree:
        """The search for a translation: all candidates of each step, those that lost too, and to what.

        begin: tokens that the translation begins with: those of a node, to continue what was pruned
        The rest is as for `translate`; greedy search is a beam of one.

        >>> tree = model.beam_tree("나는 책을 읽었다.")
        >>> lost = next(node for node in tree.nodes if node.outcome == "pruned")
        >>> other = model.beam_tree("나는 책을 읽었다.", begin=tree.tokens(lost))
        """
        given, settings = given_text(source, "sentence"), self.search_settings(**changes)
        return beam_tree(self, given, settings, constraints=constraints, glossary=glossary, begin=begin)

    def force(self, pairs: Sequence[tuple[str, str]]) -> list[Translation]:
        """Read the attention, and the probability, of given translations."""
        return self._force(*given_pairs(*self._tokenizers, pairs))

    def score(self, pairs: Iterable[tuple[str, str] | tuple[str, str, str]]) -> Iterator[PairScore]:
        """How probable given translations are, token by token; streaming, in the order of the pairs.

        No attention is read, so this is the fast way for many pairs; they are taken a few thousand at a time.

        pairs: (source, target), or (source, target, place) with a place, such as `file:line`, for an error
        """
        placed = (placed_pair(pair, number) for number, pair in enumerate(several(pairs, "pairs"), start=1))
        encode = partial(pairs_as_ids, *self._tokenizers)
        return (
            PairScore(
                source=source,
                target=target,
                tokens=tokens,
                log_probabilities=values,
                notes=script_notes(self.source_tokenizer.scripts, source),
            )
            for (source, target, _), tokens, values in self._token_scores(placed, encode)
        )

    def encode(self, texts: Sequence[str], places: Sequence[str] | None = None) -> list[Encoding]:
        """Sentences in tokens; one that is too long is refused, by its place where that is known."""
        encoded = list(self.source_tokenizer.encode_many(texts))
        for row, (text, encoding) in enumerate(zip(texts, encoded, strict=True)):
            check_length(encoding.ids, text, places[row] if places else "the sentence")
        return encoded

    def encode_pairs(
        self,
        pairs: Sequence[tuple[str, str]],
        places: Sequence[str] | None = None,
        *,
        any_length: bool = False,
    ) -> tuple[list[Encoding], list[Encoding]]:
        """Sentences and their translations in tokens; one that is too long is refused.

        any_length: a model has written some of them, and they are as long as they are; only one that the
                    network has no positions for is refused
        """
        most = sys.maxsize if any_length else MAX_SOURCE_TOKENS
        most = most if self.network.longest is None else min(most, self.network.longest - 1)
        return pairs_in_tokens(*self._tokenizers, pairs, places, most)

    def read_pairs(
        self,
        pairs: Sequence[tuple[str, str]],
        places: Sequence[str],
        paths: Sequence[str] | None = None,
        *,
        any_length: bool = False,
    ) -> list[AttentionRecord]:
        """The attention of given translations that aligns their words; the fast way for many pairs.

        A pair with an empty side has a record without attention.

        places:     such as `file:line`, for an error
        paths:      the attentions that are wanted; by default those of the chosen heads, else all over the
                    source
        any_length: as for `encode_pairs`
        """
        sources, targets = self.encode_pairs(pairs, places, any_length=any_length)
        rows = [row for row, target in enumerate(targets) if target.ids]
        only = self.aligning_paths if paths is None else paths
        found = self.read(
            [sources[row] for row in rows], [targets[row] for row in rows], [True] * len(rows), only=only
        )
        records = [EMPTY_INPUT] * len(pairs)
        for row, (record, _) in zip(rows, found, strict=True):
            records[row] = record
        return records


def _check_vocabularies(members: Sequence[Translator], names: Sequence[str]) -> None:
    """Refuse models whose source or target vocabularies differ."""
    first, *others = ((one.source_tokenizer, one.target_tokenizer) for one in members)
    for pair, name in zip(others, names[1:], strict=True):
        for side, own, other in zip(("source", "target"), first, pair, strict=True):
            if own is not other and own.to_json() != other.to_json():
                raise ConfigError(
                    f"an ensemble needs models with one vocabulary, but the {side} vocabularies of "
                    f"{names[0]} ({len(own):,} entries) and {name} ({len(other):,} entries) differ; "
                    f"train them on the same data with the same text settings"
                )
