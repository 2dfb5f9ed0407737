"""Whole texts through a translator: lines in, lines out, with what is in them besides sentences.

Each line is cut into sentences where that is wanted, or where it is too long; tags are taken out and put
back where the attention says; placeholders must appear in the translation as they stand.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Unpack

from regard.config.decoding import DecodingChanges, DecodingConfig
from regard.decoding.observer import SearchObserver, observed_rows
from regard.inference.constraints import Constraints, Glossary
from regard.inference.generation import Translation
from regard.inference.search import GenerationRequest
from regard.inference.streaming import LINES_AT_ONCE, chunks
from regard.insight.tags import put_tags
from regard.tasks.translation.predictor import MAX_SOURCE_TOKENS, Translator
from regard.text.markup import Tag, placeholders, without_tags
from regard.text.normalise import Span, normalise
from regard.text.sentences import clause_spans, sentence_spans
from regard.text.words import word_spans

TooLong = Literal["refuse", "split"]


@dataclass(frozen=True)
class TextOptions:
    """What to do with a line before and after it is translated."""

    split: bool = False
    """Cut it into sentences, and put their translations together again."""
    too_long: TooLong = "refuse"
    """A line that has more tokens than the model takes: refuse it, or cut it at sentences, clauses, words."""
    markup: bool = True
    """Keep tags and placeholders; else they are text like any other."""


PLAIN = TextOptions()


@dataclass(frozen=True)
class LineTranslation:
    """A line, and its translation put together from those of its parts."""

    source: str
    text: str
    parts: tuple[Translation, ...] = field(repr=False)
    """One where the line was translated as a whole; none where it is empty."""
    missing: tuple[str, ...] = ()
    """Placeholders, and words that must appear, that are not in the translation."""

    @property
    def line(self) -> "LineTranslation":
        """Itself, as of a line that was checked."""
        return self

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know of its parts."""
        return tuple(dict.fromkeys(note for part in self.parts for note in part.notes))

    @property
    def ended(self) -> bool:
        """False where a part was cut off at the longest length allowed."""
        return all(part.ended for part in self.parts)

    @property
    def log_probability(self) -> float:
        """Of all parts together."""
        return sum(part.log_probability for part in self.parts)

    @property
    def score(self) -> float:
        """What the search ranked by; of several parts, the mean, each counted by its tokens."""
        sizes = [len(part.tokens) + 1 for part in self.parts]
        total = sum(part.score * size for part, size in zip(self.parts, sizes, strict=True))
        return total / max(1, sum(sizes))

    def to_dict(self, *, attention: bool = True) -> dict[str, Any]:
        """Plain values, for JSON: of one part, what that has; of several, a list of them beside the whole."""
        whole = {
            "source": self.source,
            "text": self.text,
            "score": self.score,
            "log_probability": self.log_probability,
            "tokens": [token for part in self.parts for token in part.tokens],
            "ended": self.ended,
        }
        parts = [part.to_dict() for part in self.parts]
        for values in parts:
            if not attention:
                del values["attention"]
        missing = {"missing": list(self.missing)} if self.missing else {}
        missing |= {"notes": list(self.notes)} if self.notes else {}
        if len(parts) == 1:
            return {**parts[0], **whole, **missing}
        return {**whole, **missing, "parts": parts}


@dataclass(frozen=True)
class _Part:
    """A piece of a line that is translated by itself."""

    text: str
    tags: tuple[Tag, ...]
    placeholders: tuple[str, ...]
    gap: str
    """What stands between it and the part before it."""


_NOTHING = _Part("", (), (), "")


def translate_lines(
    translator: Translator,
    lines: Iterable[tuple[str, str] | None],
    options: TextOptions = PLAIN,
    *,
    n_best: int = 1,
    attention: bool | Literal["alignment"] = False,
    search: DecodingConfig | None = None,
    constraints: Constraints | None = None,
    glossary: Glossary | None = None,
    lines_at_once: int = LINES_AT_ONCE,
    numbered_from: int = 0,
    each_alone: bool = False,
    observer: SearchObserver | None = None,
    **changes: Unpack[DecodingChanges],
) -> Iterator[LineTranslation]:
    """Translate lines, each given with its place for an error; as many as there are, in their order.

    Lines are taken many at a time; None among them says that no more is at hand for now. Those before a line
    that cannot be read are translated first.

    attention:     also read the attention; "alignment" reads only that which aligns the words (faster)
    search:        what `Translator.search_settings` gave, which is not checked again
    numbered_from: how many there were before them, for samples: the place in a text decides what is drawn
    each_alone:    draw for each line as if it were the only one
    observer:      who waits for the lines, by their places in those that are taken at a time
    The rest is as for `Translator.translate`.
    """
    wanted = constraints or Constraints()
    settings = search
    if settings is None or changes:
        settings = translator.search_settings(search, n_best=n_best, **changes)
    can_force = not settings.sample and settings.beam_groups == 1
    counted = numbered_from
    # A line is cut as it comes: where one cannot be, those before it are translated first.
    cut_lines = (line and (line[1], _cut(line[1], line[0], translator, options)) for line in lines)
    for chunk in chunks(cut_lines, lines_at_once):
        cut = [parts for _, parts in chunk]
        # A line without words is counted, too: the place in the text decides what is drawn.
        parts = [part for line in cut for part in (line or [_NOTHING])]
        texts = [part.text for part in parts]
        request = GenerationRequest(
            settings,
            [_with_placeholders(wanted, part, translator, can_force=can_force) for part in parts],
            glossary,
            n_best,
            attention or ("alignment" if any(part.tags for part in parts) else False),
            counted,
            [place for line in cut for place in range(len(line or [_NOTHING]))] if each_alone else None,
            observed_rows(observer, [n for n, line in enumerate(cut) for _ in line or [_NOTHING]]),
        )
        results = (result for result, _ in translator.write(translator.encode(texts), texts, request))
        counted += len(parts)
        for text, line in chunk:
            own = list(itertools.islice(results, max(1, len(line))))
            yield _joined(text, line, own[: len(line)])


def _with_placeholders(
    wanted: Constraints, part: _Part, translator: Translator, *, can_force: bool
) -> Constraints:
    """What must be in a part's translation; where a search cannot promise it, it is only looked for."""
    own = [text for text in dict.fromkeys(part.placeholders) if can_force and translator.can_write(text)]
    return replace(wanted, must=(*wanted.must, *own)) if own else wanted


def _joined(line: str, parts: Sequence[_Part], results: Sequence[Translation]) -> LineTranslation:
    if not parts:
        return LineTranslation(line, line.strip(), ())
    text = ""
    missing: list[str] = []
    for part, result in zip(parts, results, strict=True):
        written = put_tags(result.text, part.tags, result.attention) if part.tags else result.text
        text += (part.gap or " " if text else "") + written
        missing += result.missing
        for placeholder in dict.fromkeys(part.placeholders):
            short = part.placeholders.count(placeholder) - result.text.count(placeholder)
            missing += [placeholder] * (short - result.missing.count(placeholder))
    return LineTranslation(line, text, tuple(results), tuple(missing))


def _cut(line: str, where: str, translator: Translator, options: TextOptions) -> list[_Part]:
    """The parts of a line, in their order; a line without words has none."""
    text, tags = without_tags(line) if options.markup else (line, ())
    if tags and all(translator.source_tokenizer.keeps(tag.written) for tag in tags):
        text, tags = line, ()  # the model has learned these tags
    if not text.strip():
        return []
    spans = sentence_spans(text) if options.split else [(0, len(text))]
    if options.too_long == "split":
        spans = [short for span in spans for short in _short_spans(text, span, translator)]
    for start, end in spans:
        translator.check_length(text[start:end], where)
    owners = [_owner(tag, spans) for tag in tags]
    parts = []
    for number, (start, end) in enumerate(spans):
        own = [tag for tag, owner in zip(tags, owners, strict=True) if owner == number]
        moved = tuple(replace(tag, place=min(max(0, tag.place - start), end - start)) for tag in own)
        piece = text[start:end]
        gap = text[spans[number - 1][1] : start] if number else ""
        parts.append(_Part(piece, moved, placeholders(normalise(piece).text) if options.markup else (), gap))
    return parts


def _owner(tag: Tag, spans: Sequence[Span]) -> int:
    """The part that a tag belongs to: it closes what is before it, else stands before what follows."""
    if tag.closes:
        return max((n for n, (start, _) in enumerate(spans) if start < tag.place), default=0)
    return next((n for n, (_, end) in enumerate(spans) if end > tag.place), len(spans) - 1)


def _short_spans(text: str, span: Span, translator: Translator) -> Iterator[Span]:
    """A span in pieces that the model takes: cut at sentences, else at clauses, else at words."""
    start, end = span
    if translator.tokens_in(text[start:end]) <= MAX_SOURCE_TOKENS:
        yield span
        return
    piece = text[start:end]
    for cut in (sentence_spans, clause_spans, _halves):
        found = [(start + first, start + last) for first, last in cut(piece)]
        if len(found) > 1:
            for part in found:
                yield from _short_spans(text, part, translator)
            return


def _halves(text: str) -> list[Span]:
    """Two halves, between words if there are several, else in the middle of the only one."""
    words = word_spans(text)
    middle = words[len(words) // 2][0] if len(words) > 1 else len(text) // 2
    return [(0, middle), (middle, len(text))]
