"""What is known of an output before it is judged: texts, probabilities, and where the attention lay.

A translator's outputs are read by teacher forcing, so that given ones are judged as its own are.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from regard.analysis.alarm_features import Floats, attention_mass
from regard.data.pairs import Pair
from regard.inference.model import TaskModel
from regard.insight.record import AttentionRecord
from regard.insight.token_axis import TokenAxis
from regard.progress import track
from regard.text.foreign import ForeignTokenizer
from regard.text.scripts import KnownScripts
from regard.text.tokenizer import Tokenizer

if TYPE_CHECKING:
    from regard.tasks.classification.predictor import Classifier
    from regard.tasks.language_model.predictor import LanguageModel
    from regard.tasks.question_answering.predictor import QuestionAnswerer
    from regard.tasks.tagging.predictor import Tagger
    from regard.tasks.translation.predictor import Translator

AT_ONCE = 512
"""Sentences that are read together, between two lines of progress."""
_UNKNOWN = re.compile(r"<unk>|\[UNK\]|<0x[0-9A-F]{2}>")
"""Tokens for what the vocabulary lacks: a symbol, or bytes."""


@dataclass(frozen=True)
class SourceAttention:
    """The cross-attention of one output, the mean of the last layer's heads."""

    tokens: Floats
    """(output tokens, source tokens), </s> of both included."""
    words: Floats
    """(output tokens, source words): the same, summed over the tokens of a word."""
    labels: tuple[str, ...]
    """The source words, and </s>."""

    @classmethod
    def of(cls, record: AttentionRecord) -> "SourceAttention | None":
        """That of a record; None where an output has no attention over a source."""
        layers = [look for look in record.attentions if look.kind == "cross"]
        if not layers or record.source is None:
            return None
        weights = layers[-1].weights.astype(np.float64)
        mean = weights if weights.ndim == 2 else weights.mean(axis=0)
        return cls.by_token(mean, record.source)

    @classmethod
    def by_token(cls, weights: Floats, source: TokenAxis) -> "SourceAttention":
        """Weights over tokens, and what they are over words."""
        return cls(weights, weights @ source.shares().astype(np.float64), source.words())

    @property
    def mass(self) -> Floats:
        """How all of it lies over the source tokens."""
        return attention_mass(self.tokens)


@dataclass(frozen=True)
class Observation:
    """One output with what a model says of it."""

    source: str
    text: str
    """The output: a translation, a label, tags in a row."""
    is_written: bool = True
    """Whether the output is a text that the model wrote, not a label."""
    has_source: bool = True
    """False of a language model: what it wrote is all there is."""
    tokens: tuple[str, ...] = ()
    log_probabilities: tuple[float, ...] = ()
    """Of each token, and of </s>; none of what is not written."""
    confidence: float | None = None
    """How probable a label, the least sure tag or an answer is; None of what is written."""
    attention: SourceAttention | None = None
    no_attention: str = ""
    """Why there is none."""
    unknown: tuple[int, int] = (0, 0)
    """Tokens of source and output that the vocabulary has no entry for; and all of them."""
    foreign: bool = False
    """Whether source or output is in letters that the vocabulary does not know."""
    where: str = ""
    words: tuple[str, ...] = ()
    """Of a tagger: what was tagged."""
    word_confidences: tuple[float, ...] = ()


def read_translations(
    translator: "Translator",
    pairs: Sequence[tuple[str, str]],
    places: Sequence[str] | None = None,
    *,
    any_length: bool = False,
) -> list[Observation]:
    """Given translations of given sources; an empty one is read, too.

    any_length: the translations are the model's own, and as long as they are
    """
    sources, targets = translator.encode_pairs(pairs, places, any_length=any_length)
    read = translator.read(sources, targets, [True] * len(targets))
    found = []
    for place, ((source, text), (record, values)) in enumerate(zip(pairs, read, strict=True)):
        ids = (sources[place].ids, targets[place].ids)
        counts = [
            _unknown(own, tokenizer)
            for own, tokenizer in zip(
                ids, (translator.source_tokenizer, translator.target_tokenizer), strict=True
            )
        ]
        found.append(
            Observation(
                source,
                text,
                tokens=targets[place].pieces,
                log_probabilities=tuple(values),
                attention=SourceAttention.of(record),
                no_attention=record.reason or "",
                unknown=(sum(counts), sum(map(len, ids))),
                foreign=_is_foreign(translator.source_tokenizer.scripts, source)
                or _is_foreign(translator.target_tokenizer.scripts, text),
                where=places[place] if places else "",
            )
        )
    return found


def observe(
    model: TaskModel, examples: Sequence[Pair], outputs: Sequence[str] | None = None, *, quiet: bool = True
) -> list[Observation]:
    """What a model gives for examples, with all that can be known of it.

    outputs: of a translator, given translations to be judged in place of its own
    """
    read: Iterator[Observation] = _of_task(model)(model, examples, outputs)
    return list(track(read, "reading", unit="sentences", total=len(examples), every=AT_ONCE, quiet=quiet))


Reading = Callable[[Any, Sequence[Pair], Sequence[str] | None], Iterator[Observation]]


def _of_task(model: TaskModel) -> Reading:
    return _READ.get(model.task, _read_texts)


def _translations(
    model: "Translator", examples: Sequence[Pair], outputs: Sequence[str] | None
) -> Iterator[Observation]:
    for start, chunk in _chunks(examples):
        sources = [pair.source for pair in chunk]
        if outputs is None:
            written = [one.text for one in model.translate(sources, attention=False)]
        else:
            written = list(outputs[start : start + len(chunk)])
        yield from read_translations(
            model,
            list(zip(sources, written, strict=True)),
            [pair.where for pair in chunk],
            any_length=outputs is None,
        )


def _texts(
    model: "LanguageModel", examples: Sequence[Pair], outputs: Sequence[str] | None
) -> Iterator[Observation]:
    del outputs
    for _, chunk in _chunks(examples):
        scored = model.score([(pair.where, pair.source) for pair in chunk])
        for pair, one in zip(chunk, scored, strict=True):
            yield Observation(
                pair.source,
                pair.source,
                has_source=False,
                tokens=one.tokens[:-1],
                log_probabilities=one.log_probabilities,
                where=pair.where,
                **_of_text(model.tokenizer, model.tokenizer.scripts, [pair.source]),
            )


def _labels(
    model: "Classifier", examples: Sequence[Pair], outputs: Sequence[str] | None
) -> Iterator[Observation]:
    del outputs
    for _, chunk in _chunks(examples):
        rows = [(pair.where, _texts_of(pair)) for pair in chunk]
        for (where, texts), one in zip(rows, model.classify_rows(rows), strict=True):
            yield Observation(
                "\t".join(texts),
                one.label,
                is_written=False,
                confidence=one.probability if one.label in one.probabilities else None,
                where=where,
                **_of_text(model.tokenizer, model.scripts, texts),
            )


def _tags(model: "Tagger", examples: Sequence[Pair], outputs: Sequence[str] | None) -> Iterator[Observation]:
    del outputs
    for _, chunk in _chunks(examples):
        rows = [(pair.where, getattr(pair, "words", ()) or pair.source) for pair in chunk]
        for pair, one in zip(chunk, model.tag_lines(rows), strict=True):
            known = model.is_known(one.words)
            yield Observation(
                pair.source,
                " ".join(one.tags),
                is_written=False,
                confidence=min(one.probabilities, default=None),
                where=pair.where,
                words=one.words,
                word_confidences=one.probabilities,
                unknown=(known.count(False), len(known)),
                foreign=_is_foreign(model.scripts, pair.source),
            )


def _answers(
    model: "QuestionAnswerer", examples: Sequence[Pair], outputs: Sequence[str] | None
) -> Iterator[Observation]:
    del outputs
    for _, chunk in _chunks(examples):
        rows = [(pair.where, (getattr(pair, "question", ""), pair.source)) for pair in chunk]
        for (where, texts), one in zip(rows, model.answer_rows(rows), strict=True):
            yield Observation(
                "\t".join(texts),
                one.answer,
                is_written=False,
                confidence=one.best.probability if one.answers else None,
                where=where,
                **_of_text(model.tokenizer, model.scripts, texts),
            )


def _read_texts(model: Any, examples: Sequence[Pair], outputs: Sequence[str] | None) -> Iterator[Observation]:
    """Of any other task: only what its text says."""
    del outputs
    for pair in examples:
        texts = _texts_of(pair)
        yield Observation(
            "\t".join(texts),
            "",
            is_written=False,
            where=pair.where,
            **_of_text(model.tokenizer, model.tokenizer.scripts, texts),
        )


_READ: Mapping[str, Reading] = {
    "translation": _translations,
    "language-model": _texts,
    "classification": _labels,
    "tagging": _tags,
    "question-answering": _answers,
}


def _chunks(examples: Sequence[Pair]) -> Iterator[tuple[int, list[Pair]]]:
    left, start = iter(examples), 0
    while chunk := list(islice(left, AT_ONCE)):
        yield start, chunk
        start += len(chunk)


def _texts_of(pair: Pair) -> tuple[str, ...]:
    texts: tuple[str, ...] = getattr(pair, "texts", (pair.source,))
    return texts


def _unknown(ids: Sequence[int], tokenizer: Tokenizer | ForeignTokenizer) -> int:
    return sum(bool(_UNKNOWN.fullmatch(tokenizer.piece(int(token)))) for token in ids)


def _ids(tokenizer: Tokenizer | ForeignTokenizer, texts: Sequence[str]) -> list[int]:
    """The tokens of texts, without special ones."""
    if isinstance(tokenizer, Tokenizer):
        return [token for text in texts for token in tokenizer.encode(text).ids]
    found = [zip(one.ids, one.texts, strict=True) for one in tokenizer.encode(list(texts))]
    return [token for one in found for token, text in one if text is not None]


def _of_text(
    tokenizer: Tokenizer | ForeignTokenizer, scripts: KnownScripts, texts: Sequence[str]
) -> dict[str, Any]:
    """What the vocabulary says of texts."""
    ids = _ids(tokenizer, texts)
    foreign = any(_is_foreign(scripts, text) for text in texts)
    return {"unknown": (_unknown(ids, tokenizer), len(ids)), "foreign": foreign}


def _is_foreign(scripts: KnownScripts, text: str) -> bool:
    return bool(scripts.unknown(text))
