"""A trained model that generates text: what translation and language modelling share."""

import math
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, Unpack

from torch import nn

from regard.config.decoding import DecodingChanges, DecodingConfig
from regard.data.batching import EncodedPair
from regard.decoding.hypothesis import Hypothesis, Ranking
from regard.decoding.lexical_constraints import unmet_constraints
from regard.errors import ConfigError
from regard.inference import attention as reading
from regard.inference.attention import EMPTY_INPUT, NOT_ASKED, coverage_of, token_axis
from regard.inference.constraints import (
    Constraints,
    Glossary,
    PhraseTokenizer,
    TokenisedConstraints,
    each_constraints,
)
from regard.inference.generation import Alternative, Effect, GeneratedText, reached
from regard.inference.inputs import given_texts
from regard.inference.interventions import SentenceEdits, each_edits, resolve_edits
from regard.inference.model import TaskModel
from regard.inference.search import GenerationRequest, resolved, search_all
from regard.inference.teacher_forcing import (
    AttentionReader,
    read_attention,
    score_texts,
    teacher_force_edited,
)
from regard.insight.edits import EachEdits, Edit, Edits, as_edits
from regard.insight.record import AttentionRecord
from regard.nn.decoder import EncoderDecoder
from regard.store.alignment import AlignmentHeads
from regard.text.scripts import script_notes
from regard.text.tokenizer import BOS, EOS, SPECIAL, UNK, Encoding, Tokenizer

if TYPE_CHECKING:
    from regard.config.language import LanguageRecipe
    from regard.config.translation import TranslationRecipe

W = TypeVar("W", bound=GeneratedText)
Output = tuple[W, Hypothesis | None]
"""A result, and the tokens it was made from; none for an input without words."""
Run = Callable[[Sequence[Encoding], Sequence[SentenceEdits]], Sequence[Output[W]]]
"""What a model gives for sources under edits."""
T = TypeVar("T")


class Generator(TaskModel, Generic[W]):
    """A model that writes, with its text."""

    recipe: "TranslationRecipe | LanguageRecipe"
    result: Callable[..., W]
    """What it gives back."""
    input_name: ClassVar[str]
    """What an input is called in an error."""
    decoder_only: ClassVar[bool] = False
    """It reads no source: an output begins with what is given, and an empty input has one, too."""

    def __init__(
        self,
        model: nn.Module,
        *,
        source_tokenizer: Tokenizer,
        target_tokenizer: Tokenizer,
        recipe: "TranslationRecipe | LanguageRecipe",
        summary: dict[str, Any] | None = None,
        alignment_heads: AlignmentHeads | None = None,
    ) -> None:
        self.module = model
        self.network: EncoderDecoder[Any] = model  # type: ignore[assignment]
        self.source_tokenizer = source_tokenizer
        self.target_tokenizer = target_tokenizer
        self.recipe = recipe
        self.summary = summary or {}
        self.alignment_heads = alignment_heads
        self.phrases = PhraseTokenizer(target_tokenizer)

    def search_settings(
        self, search: DecodingConfig | None = None, *, n_best: int = 1, **changes: Unpack[DecodingChanges]
    ) -> DecodingConfig:
        """The search that is asked for, if this model can do it and it gives as many results as wanted."""
        if changes.get("sample") and changes.get("beam_size"):
            raise ConfigError("beam_size and sample exclude each other; choose one")
        settings = (search or self.recipe.decoding).changed(changes)
        return resolved(settings, self.network, self.recipe.text.kind, n_best)

    @abstractmethod
    def encode(self, texts: Sequence[str], places: Sequence[str] | None = None) -> list[Encoding]:
        """Inputs in tokens; one that the model cannot take is refused, by its place where that is known."""

    def generate(
        self,
        given: str | Sequence[str],
        edit: EachEdits | None,
        *,
        n_best: int = 1,
        attention: bool = True,
        search: DecodingConfig | None = None,
        constraints: Constraints | Sequence[Constraints] | None = None,
        glossary: Glossary | None = None,
        numbered_from: int = 0,
        **changes: Unpack[DecodingChanges],
    ) -> W | list[W] | Effect | list[Effect]:
        """Write for one input, or for several at once; with an edit, what that changes."""
        alone = isinstance(given, str)
        texts = given_texts(given, self.input_name)
        settings = self.search_settings(search, n_best=n_best, **changes)
        sources = self.encode(texts)
        wanted = each_constraints(constraints, len(texts), decoder_only=self.decoder_only)
        request = GenerationRequest(settings, wanted, glossary, n_best, attention, numbered_from)
        if edit is None:
            results = [result for result, _ in self.write(sources, texts, request)]
            return results[0] if alone else results
        effects = self._effects(
            sources,
            each_edits(edit, len(texts), alone=alone),
            lambda read, edited: self.write(
                read,
                # A term that is removed asks for nothing.
                [own.text_left(source) for own, source in zip(edited, sources, strict=True)],
                request,
                edited,
            ),
        )
        return effects[0] if alone else effects

    def write(
        self,
        sources: Sequence[Encoding],
        texts: Sequence[str],
        request: GenerationRequest,
        edited: Sequence[SentenceEdits] | None = None,
    ) -> list[Output[W]]:
        """Search for outputs, and read their attention where it is wanted.

        texts:  of the sources, where terms of a glossary are searched
        edited: what is changed for each source; None searches without a trace
        """
        constraints = request.tokenised(sources, texts, self.phrases, edited, self.decoder_only)
        found = search_all(
            self.module,
            sources,
            request.settings,
            constraints,
            self.phrases,
            n_best=request.n_best,
            numbers=request.numbers_of(len(sources)),
            edited=edited,
            from_nothing=self.decoder_only,
            recorder=request.recorder,
            observer=request.observer,
        )
        decode = self.target_tokenizer.decode
        written = [
            [
                decode(
                    one.tokens, unknown=reading.unknown_words(source) if self.decoder_only else (), whole=True
                )
                for one in own
            ]
            for source, own in zip(sources, found, strict=True)
        ]
        if request.settings.replace_unknown:  # first: the words of the record are those of the text
            self._replace_unknown(sources, written, edited)
        records = [NOT_ASKED if own else EMPTY_INPUT for own in found]
        if request.attention:
            best = [own[0] if own else decode(()) for own in written]
            ended = [not own or own[0].ended for own in found]
            only = self.aligning_paths if request.attention == "alignment" else None
            records = [record for record, _ in self.read(sources, best, ended, edited, only)]
        rows = zip(sources, constraints, found, written, records, strict=True)
        return [(self._result(*row), row[2][0] if row[2] else None) for row in rows]

    def _replace_unknown(
        self,
        sources: Sequence[Encoding],
        written: Sequence[list[Encoding]],
        edited: Sequence[SentenceEdits] | None,
    ) -> None:
        """Put the source word of the largest weight where an output has <unk>; its tokens stay."""
        places = [
            (row, n) for row, own in enumerate(written) for n, text in enumerate(own) if UNK in text.ids
        ]
        outputs = [written[row][n] for row, n in places]
        changes = None if edited is None else [edited[row] for row, _ in places]
        read = [sources[row] for row, _ in places]
        looks = self.read(read, outputs, [True] * len(places), changes, self.aligning_paths)
        for (row, n), output, (record, _) in zip(places, outputs, looks, strict=True):
            words = reading.words_for_unknown(record, sources[row], output)
            written[row][n] = self.target_tokenizer.decode(output.ids, unknown=words, whole=True)

    def _result(
        self,
        source: Encoding,
        constraints: TokenisedConstraints,
        hypotheses: Sequence[Hypothesis],
        written: Sequence[Encoding],
        record: AttentionRecord,
    ) -> W:
        original = source.text.original
        if not hypotheses:  # nothing to translate
            return self.result(original, "", 0.0, 0.0, (), True, (), record)
        best, *others = hypotheses
        must = constraints.tokens.must
        lost = [] if best.met else unmet_constraints(must, best.tokens, BOS, self.phrases.borders)
        return self.result(
            source=original,
            text=written[0].text.text,
            score=best.score,
            log_probability=best.log_probability,
            tokens=written[0].pieces,
            ended=best.ended,
            alternatives=tuple(
                Alternative(
                    text.text.text, other.score, other.log_probability, text.pieces, text.ids, other.ended
                )
                for other, text in zip(others, written[1:], strict=True)
            ),
            attention=record,
            missing=tuple(constraints.names[number] for number in lost),
            notes=script_notes(self.source_tokenizer.scripts, original),
        )

    def read(
        self,
        sources: Sequence[Encoding],
        targets: Sequence[Encoding],
        ended: Sequence[bool],
        edited: Sequence[SentenceEdits] | None = None,
        only: Collection[str] | None = None,
    ) -> list[AttentionReader]:
        """The attention and the log-probabilities of given targets, by teacher forcing.

        only: the paths of the attentions that are wanted, and no log-probabilities (faster)
        """
        found = read_attention(
            self.module,
            sources,
            targets,
            ended,
            dictionaries=(self.source_tokenizer.dictionary, self.target_tokenizer.dictionary),
            budget=self.recipe.decoding.batch_tokens,
            device=self.device,
            edited=edited,
            from_nothing=self.decoder_only,
            only=only,
        )
        return reading.with_heads(found, self.alignment_heads)

    @property
    def aligning_paths(self) -> tuple[str, ...]:
        """The attentions that a word alignment is read from."""
        chosen = self.alignment_heads
        return self.network.cross_attention if chosen is None else tuple({h.path for h in chosen.heads})

    def _force(
        self,
        sources: Sequence[Encoding],
        targets: Sequence[Encoding],
        edited: Sequence[SentenceEdits] | None = None,
    ) -> list[W]:
        """Given targets as results."""
        ranking, results = Ranking.of(self.recipe.decoding), []
        read = self.read(sources, targets, [True] * len(targets), edited)
        for source, target, (record, values) in zip(sources, targets, read, strict=True):
            total, given = math.fsum(values), source.text.original
            score = ranking.score(total, len(values), coverage_of(record) if ranking.beta else 0.0)
            notes = script_notes(self.source_tokenizer.scripts, given)
            text, tokens = target.text.original, target.pieces
            results.append(self.result(given, text, score, total, tokens, True, (), record, notes=notes))
        return results

    def _look(self, source: Encoding, target: Encoding, edit: Edits | None) -> W | Effect:
        """A given target as a result; with an edit, what that changes."""
        if edit is None:
            return self._force([source], [target])[0]
        hypothesis = Hypothesis(target.ids, 0.0, 0.0, True)
        (effect,) = self._effects(
            [source],
            [as_edits(edit)],
            lambda read, edited: [(self._force(read, [target], edited)[0], hypothesis)],
        )
        return effect

    def _effects(
        self, sources: Sequence[Encoding], edits: Sequence[tuple[Edit, ...]], run: Run[W]
    ) -> list[Effect]:
        """What the edits of each source change in what `run` gives: the same twice, without and with them."""
        sides = [token_axis(source, self.source_tokenizer.dictionary, ended=True) for source in sources]
        edited = [
            resolve_edits(own, side.fed() if self.decoder_only else side, self.network.attentions)
            for side, own in zip(sides, edits, strict=True)
        ]
        changed = [own.without_removed(source) for own, source in zip(edited, sources, strict=True)]
        before, after = run(sources, [SentenceEdits()] * len(sources)), run(changed, edited)
        old, new = (
            teacher_force_edited(
                self.module,
                [hypothesis for _, hypothesis in outputs],
                (sources, changed),
                edited,
                budget=self.recipe.decoding.batch_tokens,
                device=self.device,
            )
            for outputs in (before, after)
        )
        return [
            Effect(own, one, other, (*change.notes, *reached(own, len(now.after))), old=was, new=now)
            for own, (one, _), (other, _), was, now, change in zip(
                edits, before, after, old, new, edited, strict=True
            )
        ]

    def _token_scores(
        self, texts: Iterable[T], encode: Callable[[Sequence[T]], list[EncodedPair]]
    ) -> Iterator[tuple[T, tuple[str, ...], tuple[float, ...]]]:
        """Given texts by teacher forcing, streaming: each with its tokens and their log-probabilities."""
        budget, piece = self.recipe.decoding.batch_tokens, self.target_tokenizer.piece
        found = score_texts(self.module, texts, encode, budget=budget, device=self.device)
        for text, pair, logs in found:
            yield text, (*(piece(int(token)) for token in pair.target), SPECIAL[EOS]), logs
