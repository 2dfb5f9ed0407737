"""From hypotheses to results: their texts, their attention, the other ones of the n best."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from regard.decoding.hypothesis import Hypothesis
from regard.decoding.must import unmet
from regard.inference.attention import NOT_ASKED, NOTHING_READ, Reading, looked_at
from regard.inference.constraints import Wishes
from regard.inference.generation import Alternative, WrittenText
from regard.inference.interventions import SentenceEdits
from regard.inference.phrases import Speller
from regard.inference.script_notes import script_notes
from regard.insight.record import AttentionRecord
from regard.text.tokenizer import BOS, UNK, Encoding, Tokenizer

W = TypeVar("W", bound=WrittenText)
Read = Callable[
    [Sequence[Encoding], Sequence[Encoding], Sequence[bool], Sequence[SentenceEdits] | None], list[Reading]
]
"""What a model looks at: of sources and targets, whether these have ended, and the edits."""


def assemble(
    sources: Sequence[Encoding],
    wishes: Sequence[Wishes],
    found: Sequence[Sequence[Hypothesis]],
    edited: Sequence[SentenceEdits] | None,
    *,
    read: Read,
    reader: Tokenizer,
    tokenizer: Tokenizer,
    speller: Speller,
    attention: bool,
    replace_unknown: bool,
    kind: type[W],
    begun: bool = False,
) -> list[W]:
    """Results from hypotheses, with their attention where it is wanted.

    reader:    the tokenizer of the source
    tokenizer: of the target
    speller:   of the target
    kind:      what a result is called
    begun:     each text begins with its source: what is unknown in it is spelt as it was given
    """
    written = [
        [
            tokenizer.decode(hypothesis.tokens, unknown=_unknown(source) if begun else (), whole=True)
            for hypothesis in own
        ]
        for source, own in zip(sources, found, strict=True)
    ]
    if replace_unknown:  # first: the words of the record are those of the text
        _replace_unknown(sources, written, edited, read, tokenizer)
    empty = tokenizer.decode(())
    records = [NOT_ASKED if own else NOTHING_READ for own in found]
    if attention:
        best = [own[0] if own else empty for own in written]
        ended = [not own or own[0].ended for own in found]
        records = [record for record, _ in read(sources, best, ended, edited)]
    return [
        _result(kind, source, wish, own, texts, record, speller, reader)
        for source, wish, own, texts, record in zip(sources, wishes, found, written, records, strict=True)
    ]


def _replace_unknown(
    sources: Sequence[Encoding],
    written: Sequence[list[Encoding]],
    edited: Sequence[SentenceEdits] | None,
    read: Read,
    tokenizer: Tokenizer,
) -> None:
    """Put the source word that was looked at most where an output has <unk>; its tokens stay."""
    places = [(row, n) for row, own in enumerate(written) for n, text in enumerate(own) if UNK in text.ids]
    outputs = [written[row][n] for row, n in places]
    changes = None if edited is None else [edited[row] for row, _ in places]
    looks = read([sources[row] for row, _ in places], outputs, [True] * len(places), changes)
    for (row, n), output, (record, _) in zip(places, outputs, looks, strict=True):
        weights = record.tokens().weights[: len(output.ids), : len(sources[row].ids)]  # not </s>
        words = [
            looked_at(sources[row], int(weights[place].argmax()))
            for place, token in enumerate(output.ids)
            if token == UNK
        ]
        written[row][n] = tokenizer.decode(output.ids, unknown=words, whole=True)


def _unknown(source: Encoding) -> list[str]:
    """The words of a text that the vocabulary does not have."""
    return [looked_at(source, place) for place, token in enumerate(source.ids) if token == UNK]


def _result(
    kind: type[W],
    source: Encoding,
    wish: Wishes,
    hypotheses: Sequence[Hypothesis],
    written: Sequence[Encoding],
    record: AttentionRecord,
    speller: Speller,
    reader: Tokenizer,
) -> W:
    original = source.text.original
    if not hypotheses:  # nothing to translate
        return kind(original, "", 0.0, 0.0, (), True, (), record)
    best, *others = hypotheses
    lost = [] if best.met else unmet(wish.tokens.must, best.tokens, BOS, speller.borders)
    return kind(
        source=original,
        text=written[0].text.text,
        score=best.score,
        log_probability=best.log_probability,
        tokens=written[0].pieces,
        ended=best.ended,
        alternatives=tuple(
            Alternative(text.text.text, other.score, other.log_probability, text.pieces)
            for other, text in zip(others, written[1:], strict=True)
        ),
        attention=record,
        missing=tuple(wish.must[number] for number in lost),
        notes=script_notes(reader.scripts, original),
    )
