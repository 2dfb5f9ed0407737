"""Sentences through the search that is asked for, in batches of like length."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from torch import nn

from regard.config.decoding import DecodingChanges, DecodingConfig
from regard.data.batching import SYMBOLS, length_batches, pad_sources
from regard.decoding.beam_recorder import BeamRecorder
from regard.decoding.coverage import SourceAttention
from regard.decoding.hypothesis import Hypothesis, SearchLimits
from regard.decoding.observer import SearchObserver, observed_rows
from regard.decoding.search import expected_lengths
from regard.decoding.search import search as run_search
from regard.errors import ConfigError, DataError
from regard.inference.constraints import (
    Constraints,
    Glossary,
    PhraseTokenizer,
    TokenisedConstraints,
    tokenise_constraints,
)
from regard.inference.interventions import SentenceEdits, trace_edits
from regard.nn.decoder import EncoderDecoder
from regard.nn.masks import padding_mask
from regard.nn.parallel import run_parallel
from regard.nn.trace import Trace
from regard.text.tokenizer import BOS, EOS, PAD, UNK, Encoding

MAX_SAMPLES = 256


class GenerationOptions(DecodingChanges, total=False):
    """What a call that writes may be given, whatever the task."""

    n_best: int
    attention: bool
    search: DecodingConfig | None
    constraints: Constraints | Sequence[Constraints] | None
    numbered_from: int


@dataclass(frozen=True)
class GenerationRequest:
    """What one call asks for, whatever is given to it."""

    settings: DecodingConfig
    """As `Generator.search_settings` gives them."""
    constraints: Sequence[Constraints]
    """Of each input."""
    glossary: Glossary | None = None
    n_best: int = 1
    attention: bool | Literal["alignment"] = True
    """Read all of it, none, or only that which aligns the words."""
    numbered_from: int = 0
    numbers: Sequence[int] | None = None
    """When sampling: the place of each input in its text; by default counted from `numbered_from`."""
    observer: SearchObserver | None = None
    """Who waits for the inputs, by their places."""
    begin: tuple[int, ...] = ()
    """Tokens that outputs begin with, after a prefix."""
    recorder: BeamRecorder | None = None
    """Of a beam: told of every step, where there is one input."""

    def numbers_of(self, count: int) -> Sequence[int]:
        """The place of each of so many inputs."""
        return range(self.numbered_from, self.numbered_from + count) if self.numbers is None else self.numbers

    def tokenised(
        self,
        sources: Sequence[Encoding],
        texts: Sequence[str],
        phrases: PhraseTokenizer,
        edited: Sequence[SentenceEdits] | None = None,
        from_nothing: bool = False,
    ) -> list[TokenisedConstraints]:
        """The constraints of each output in tokens.

        texts:        of the sources, where terms of a glossary are searched
        from_nothing: outputs begin with the source
        """
        wanted = list(self.constraints)
        for row, change in enumerate(edited or ()):
            if change.prefix and wanted[row].prefix:
                raise DataError(
                    f"two prefixes, '{wanted[row].prefix}' and '{change.prefix}' of an edit; choose one"
                )
            if change.prefix:
                wanted[row] = replace(wanted[row], prefix=change.prefix)
        found = tokenise_constraints(texts, wanted, self.glossary, phrases)
        if not (from_nothing or self.begin):
            return found
        begun = []
        for own, source in zip(found, sources, strict=True):
            prefix = (*(source.ids if from_nothing else own.tokens.prefix), *self.begin)
            begun.append(replace(own, tokens=replace(own.tokens, prefix=prefix)))
        return begun


def resolved(
    settings: DecodingConfig, network: EncoderDecoder[Any], vocabulary: str, n_best: int
) -> DecodingConfig:
    """The settings of a search that a model can do and that gives as many results as wanted.

    vocabulary: its kind
    """
    most, what = (
        (MAX_SAMPLES, f"{MAX_SAMPLES} samples")
        if settings.sample
        else (settings.beam_size, f"the beam size {settings.beam_size}")
    )
    if not 1 <= n_best <= most:
        raise DataError(f"n_best must be from 1 to {what}, found {n_best}")
    if settings.replace_unknown is None:
        replaces = vocabulary == "word" and bool(network.cross_attention)
        settings = settings.changed({"replace_unknown": replaces})
    if settings.replace_unknown:
        if vocabulary not in ("word", "wordpiece"):
            raise ConfigError(
                f"replace_unknown is for vocabularies with unknown words (word, wordpiece); "
                f"this model's is {vocabulary}, which has no unknown words"
            )
        if not network.cross_attention:
            raise ConfigError("replace_unknown needs attention over the source, and this model has none")
    return settings


def search_all(
    module: nn.Module,
    sources: Sequence[Encoding],
    settings: DecodingConfig,
    constraints: Sequence[TokenisedConstraints],
    phrases: PhraseTokenizer,
    *,
    n_best: int = 1,
    numbers: Sequence[int] | None = None,
    edited: Sequence[SentenceEdits] | None = None,
    from_nothing: bool = False,
    recorder: BeamRecorder | None = None,
    observer: SearchObserver | None = None,
) -> list[list[Hypothesis]]:
    """The hypotheses wanted for each sentence, best first; none for a sentence without tokens.

    from_nothing: the model can write without a source, so that one without tokens has hypotheses, too
    numbers: when sampling, the place of each sentence in its text; by default that among these
    edited:  what is changed for each sentence; None searches without a trace
    recorder: told of every step of a beam, where there is one sentence
    """
    network: EncoderDecoder[Any] = module  # type: ignore[assignment]
    device = next(module.parameters()).device
    found: list[list[Hypothesis]] = [[] for _ in sources]
    full = [row for row, source in enumerate(sources) if source.ids or from_nothing]
    longest = {row: _most_tokens(sources[row], settings, network, constraints[row]) for row in full}
    lengths = [len(sources[row].ids) + 1 for row in full]
    constrained = any(own.tokens.must for own in constraints)

    def search(places: Sequence[int]) -> list[list[Hypothesis]]:
        rows = [full[place] for place in places]
        ids, sizes = pad_sources([sources[row].ids for row in rows], SYMBOLS)
        ids, sizes = ids.to(device), sizes.to(device)
        limits = SearchLimits(
            BOS,
            EOS,
            never=(PAD, BOS) if settings.replace_unknown else (PAD, UNK, BOS),
            max_lengths=tuple(longest[row] for row in rows),
            borders=phrases.borders if constrained else frozenset(),
        )
        wanted, seen = [constraints[row].tokens for row in rows], observed_rows(observer, rows)
        if constrained and not settings.sample and settings.beam_groups == 1:
            expected = expected_lengths(network, ids, sizes, limits, settings, wanted, seen)
            limits = replace(limits, expected=expected)
        changes = trace_edits([edited[row] for row in rows]) if edited is not None else None
        looking = None
        if settings.coverage_beta:
            words = padding_mask(sizes - 1, ids.shape[1])  # </s> need not be covered
            trace = Trace(module, changes, keep=network.cross_attention)  # the others would pile up
            looking = SourceAttention(trace, network.cross_attention, words)
        return run_search(
            network,
            ids,
            sizes,
            limits,
            settings,
            constraints=wanted,
            numbers=rows if numbers is None else [numbers[row] for row in rows],
            n_best=n_best,
            looking=looking,
            trace=None if changes is None else Trace(module, changes, keep=False),
            recorder=recorder,
            observer=seen,
        )

    batches = list(length_batches(lengths, budget=settings.batch_tokens))
    for places, results in zip(batches, run_parallel(search, batches, device), strict=True):
        for place, hypotheses in zip(places, results, strict=True):
            found[full[place]] = hypotheses[:n_best]
    return found


def _most_tokens(
    source: Encoding,
    settings: DecodingConfig,
    network: EncoderDecoder[Any],
    constraints: TokenisedConstraints,
) -> int:
    """How many tokens an output may have: what is asked for, and the model can write.

    Constraints that have no room in it are refused.
    """
    longest = settings.max_length(len(source.ids))
    if network.longest is not None:  # <s> is an input, too, when the whole is teacher-forced
        longest = max(1, min(longest, network.longest - 1))
    wanted = constraints.tokens
    if (wanted.prefix or wanted.must) and wanted.least > longest:
        raise DataError(
            f"the prefix and the words that must appear need up to {wanted.least} tokens, but the "
            f"translation of '{source.text.original[:30]}' may have {longest}; raise max_length_extra"
        )
    return longest
