"""Edits in a user's words become changes of weights, each for its sentence of a batch."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from regard.errors import DataError, did_you_mean
from regard.inference.token_lookup import find_words, whole_number
from regard.inference.weight_changes import (
    Change,
    force_hop,
    force_row,
    mask_head,
    mask_hop,
    put_in,
    reweight,
)
from regard.insight import edits as words
from regard.insight.record import MAIN
from regard.insight.token_axis import TokenAxis
from regard.nn import trace as nn
from regard.nn.attention_kinds import SOURCE_KINDS, TARGET_KINDS, TEXTS, AttentionKind, AttentionSpec
from regard.text.tokenizer import Encoding


@dataclass(frozen=True)
class SentenceEdits:
    """All that is changed for one sentence."""

    changes: tuple[Change, ...] = ()
    removed: frozenset[int] = frozenset()
    """Source tokens that are taken out."""
    prefix: str = ""
    notes: tuple[str, ...] = ()

    @classmethod
    def together(cls, texts: Sequence["SentenceEdits"]) -> "SentenceEdits":
        """What is changed in the attention over the texts that are read together, as edits of one input."""
        changes = tuple(change for own in texts for change in own.changes)
        return cls(changes, notes=tuple(dict.fromkeys(note for own in texts for note in own.notes)))

    def without_removed(self, source: Encoding) -> Encoding:
        """The source that the model reads."""
        if not self.removed:
            return source
        kept = [token for token in range(len(source.ids)) if token not in self.removed]
        return replace(
            source,
            ids=tuple(source.ids[token] for token in kept),
            pieces=tuple(source.pieces[token] for token in kept),
            spans=tuple(source.spans[token] for token in kept),
        )

    def text_left(self, source: Encoding) -> str:
        """What is left of the text of a source."""
        if not self.removed:
            return source.text.original
        gone = {char for token in self.removed for char in range(*source.spans[token])}
        return "".join(char for place, char in enumerate(source.text.text) if place not in gone).strip()


def without_removed(
    edited: Sequence[SentenceEdits], texts: Sequence[Encoding], separators: int = 1
) -> tuple[Encoding, ...]:
    """The texts that the model reads. Edits are of each; or of both as one, with symbols between them."""
    if len(edited) == len(texts):
        return tuple(own.without_removed(text) for own, text in zip(edited, texts, strict=True))
    (whole,), first = edited, len(texts[0].ids)
    if not whole.removed.isdisjoint(range(first, first + separators)):
        raise DataError("the symbol between two texts cannot be removed")
    own = frozenset(token for token in whole.removed if token < first)
    other = frozenset(token - first - separators for token in whole.removed - own)
    found = tuple(
        SentenceEdits(removed=gone).without_removed(text)
        for gone, text in zip((own, other), texts, strict=True)
    )
    if not all(text.ids for text in found):
        raise DataError("all words of a text are removed, and nothing is left to read")
    return found


def trace_edits(edited: Sequence[SentenceEdits]) -> dict[str, nn.Edit]:
    """What a trace of a call for these sentences is to change, by path."""
    paths = {path for own in edited for change in own.changes for path in change.paths}

    def edit(sight: nn.AttentionWeights) -> Tensor:
        weights = sight.weights.clone()
        for row, example in enumerate(sight.examples):
            for change in edited[example].changes:
                if sight.path in change.paths:
                    weights[row] = change.apply(weights[row], sight.step)
        return weights

    return dict.fromkeys(sorted(paths), edit)


def each_edits(
    edit: words.Edit | Sequence[words.Edits], count: int, *, alone: bool
) -> list[tuple[words.Edit, ...]]:
    """The edits of each sentence: of the only one, of all, or an entry for each."""
    if alone or isinstance(edit, words.Edit):
        return [words.as_edits(edit)] * count  # type: ignore[arg-type]  # of one sentence: edits, not lists
    if len(edit) != count:
        raise DataError(f"expected edits for {count} sentences, found {len(edit)}")
    return [words.as_edits(own) for own in edit]


def refuse_prefix(given: Iterable[words.Edit]) -> None:
    """A prefix is an edit of the output; a model that generates nothing has none."""
    if any(isinstance(edit, words.ForcePrefix) for edit in given):
        raise DataError("a prefix is forced while a model writes, and this one does not; leave it out")


def resolve_edits(
    given: Sequence[words.Edit], side: TokenAxis, sites: Mapping[str, AttentionSpec]
) -> SentenceEdits:
    """Edits of a sentence, whose tokens are those of `side`, in a model with these attentions."""
    removed: set[int] = set()
    notes: list[str] = []
    prefix = ""
    for edit in given:
        if isinstance(edit, words.Remove):
            removed.update(token - len(side.before) for token in _tokens(edit.words, side, notes))
        if isinstance(edit, words.ForcePrefix):
            prefix = edit.text
    if removed and (min(removed) < 0 or max(removed) >= len(side.pieces)):
        symbols = ", ".join((*side.before, *side.specials))
        place = "frame" if side.before else "ends"
        raise DataError(f"{symbols} {place} every sentence and cannot be removed")
    if removed and len(removed) == len(side.pieces):
        raise DataError("all words are removed, and nothing is left to read")
    left = [token for token in range(len(side.pieces)) if token not in removed]
    rest = replace(
        side,
        pieces=tuple(side.pieces[token] for token in left),
        spans=tuple(side.spans[token] for token in left),
    )
    changes = tuple(change for edit in given for change in _changes(edit, rest, sites, notes))
    return SentenceEdits(changes, frozenset(removed), prefix, tuple(dict.fromkeys(notes)))


def resolve_texts(
    given: Sequence[words.Edit], sides: Sequence[TokenAxis], sites: Mapping[str, AttentionSpec]
) -> list[SentenceEdits]:
    """Edits of a text, or of the two of a pair: what is changed in each.

    Of a pair, a path names the text, and so does a word with `first:` or `second:` before it. Another word
    is meant in each text that has it.
    """
    if len(sides) == 1:
        return [resolve_edits(given, sides[0], sites)]
    apart = [_of_texts(edit, sides, sites) for edit in given]
    return [
        resolve_edits(
            [one[text] for one in apart if text in one],
            side,
            {path: site for path, site in sites.items() if site.text == text},
        )
        for text, side in enumerate(sides)
    ]


def _of_texts(
    edit: words.Edit, sides: Sequence[TokenAxis], sites: Mapping[str, AttentionSpec]
) -> dict[int, words.Edit]:
    """An edit of a pair as edits of its texts, by their numbers."""
    if isinstance(edit, words.Reweight | words.Remove):
        chosen: dict[int, list[words.Word]] = {}
        for word in edit.words:
            for text, own in _in_texts(word, sides).items():
                chosen.setdefault(text, []).append(own)
        return {text: replace(edit, words=tuple(own)) for text, own in chosen.items()}
    if isinstance(edit, words.MaskHead):
        _named(edit.path, sites)
        return {sites[edit.path].text: edit}
    if isinstance(edit, words.ForceRow):
        if edit.path is not None:
            _named(edit.path, sites)
        found = _in_texts(edit.column, sides)
        wanted = set(found) if edit.path is None else {sites[edit.path].text} & set(found)
        if not wanted:
            raise DataError(f"{edit.path} does not attend to '{edit.column}', which is in the other text")
        return {text: replace(edit, column=found[text]) for text in wanted}
    if isinstance(edit, words.Transplant):
        attentions = edit.record.attentions
        apart = {n: tuple(look for look in attentions if look.text == n) for n in range(len(sides))}
        return {
            n: replace(edit, record=replace(edit.record, attentions=one)) for n, one in apart.items() if one
        }
    return dict.fromkeys(range(len(sides)), edit)


def _in_texts(word: words.Word, sides: Sequence[TokenAxis]) -> dict[int, words.Word]:
    """The texts of a pair in which a word is meant, by number, and what it is called there."""
    text, _, own = word.partition(":") if isinstance(word, str) else ("", "", "")
    if text in TEXTS and own:
        return {TEXTS.index(text): own}
    labels = {label for side in sides for label in side.words()}
    if isinstance(word, int) or (whole_number(word) is not None and word not in labels):
        raise DataError(f"word {word}: of which text? say {' or '.join(f'{one}:{word}' for one in TEXTS)}")
    found: dict[int, str] = {}
    for number, side in enumerate(sides):
        try:
            found[number] = find_words(word, side)[1]
        except DataError:  # it may be in the other
            continue
    if not found:
        told = "; ".join(f"{TEXTS[n]}: {' '.join(side.words())}" for n, side in enumerate(sides))
        raise DataError(f"'{word}' is in neither text; their words are {told}")
    exact = [number for number, note in found.items() if not note]
    return dict.fromkeys(exact or found, word)


def _changes(
    edit: words.Edit, side: TokenAxis, sites: Mapping[str, AttentionSpec], notes: list[str]
) -> list[Change]:
    if isinstance(edit, words.Reweight):
        writes = side.before and any(
            site.kind in TARGET_KINDS for site in sites.values()
        )  # an encoder does not
        kinds = TARGET_KINDS if writes else SOURCE_KINDS
        paths = _main(sites) if edit.where == "cross" else _paths(sites, kinds)
        tokens = _tokens(edit.words, side, notes)
        return [Change(paths, reweight(tokens, edit.factor, edit.renormalise))]
    if isinstance(edit, words.MaskHead):
        paths = _named(edit.path, sites)
        if edit.head is not None and sites[edit.path].kind == "hops":
            return [Change(paths, mask_hop(edit.head, edit.path))]
        return [Change(paths, mask_head(edit.head, edit.path))]
    if isinstance(edit, words.ForceRow):
        paths = _main(sites) if edit.path is None else _named(edit.path, sites)
        tokens = _tokens((edit.column,), side, notes)
        looking = {sites[path].kind for path in paths}
        force = force_row(edit.row, tokens)
        if looking == {"hops"}:
            force = force_hop(edit.row, tokens, min(paths))
        elif looking == {"encoder-self"}:
            _check_word(edit.row, side)
        elif _looks_back(looking, side) and max(tokens) >= edit.row:
            raise DataError(
                f"row {edit.row} can be made to attend to an earlier word; '{edit.column}' has the row "
                f"{max(tokens)}"
            )
        elif not side.before and looking <= set(TARGET_KINDS):
            raise DataError(
                f"{min(paths)} attends to the output so far, and '{edit.column}' is a word of the source; "
                "name an attention over the source"
            )
        return [Change(paths, force)]
    if isinstance(edit, words.Transplant):
        return _transplant(edit, side, sites)
    return []


def _looks_back(kinds: set[AttentionKind], side: TokenAxis) -> bool:
    """Whether a row can only attend to rows before it."""
    return kinds == {"memory"} or (kinds <= set(TARGET_KINDS) and bool(side.before))


def _tokens(chosen: Sequence[words.Word], side: TokenAxis, notes: list[str]) -> list[int]:
    tokens: list[int] = []
    for word in chosen:
        numbers, note = find_words(word, side)
        notes += [note] if note else []
        own = [token for number in numbers for token in side.members(number)]
        if not own:
            raise DataError(f"'{word}' is removed from the input; it cannot be attended to")
        tokens += own
    return sorted(set(tokens))


def _paths(sites: Mapping[str, AttentionSpec], kinds: Sequence[str]) -> frozenset[str]:
    _check_any(sites)
    paths = frozenset(path for path, site in sites.items() if site.kind in kinds)
    if not paths:
        there = ", ".join(f"{path} ({site.kind})" for path, site in sites.items())
        raise DataError(f"this model has no {' or '.join(kinds)} attention; it has {there}")
    return paths


def _check_any(sites: Mapping[str, AttentionSpec]) -> None:
    if not sites:
        raise DataError(
            "this model has no attention, so there is nothing to change in it; what it reads can be changed: "
            "remove a word (--remove-word)"
        )


def _main(sites: Mapping[str, AttentionSpec]) -> frozenset[str]:
    """The attention that leads to an output straight away.

    The decoder's over the source, or the hops; of a decoder without a source, that over its output so far;
    where there is nothing else, that of words over words.
    """
    there = {site.kind for site in sites.values()}
    return _paths(sites, (next((kind for kind in MAIN if kind in there), "cross"),))


def _named(path: str, sites: Mapping[str, AttentionSpec]) -> frozenset[str]:
    _check_any(sites)
    if path not in sites:
        raise DataError(f"no attention of this model is called '{path}'; {did_you_mean(path, sites)}")
    return frozenset([path])


def _check_word(row: int, side: TokenAxis) -> None:
    """Rows of such an attention are the tokens that were read."""
    if not 0 <= row < len(side.tokens):
        raise DataError(f"the sentence has the rows 0 to {len(side.tokens) - 1}, found row {row}")


def _transplant(edit: words.Transplant, side: TokenAxis, sites: Mapping[str, AttentionSpec]) -> list[Change]:
    if edit.record.reason is not None:
        raise DataError(f"there is no attention to put in: {edit.record.reason}")
    given = [look for look in edit.record.attentions if look.kind == edit.kind]
    if not given:
        raise DataError(f"the record has no attention of the kind {edit.kind}")
    for look in given:
        found = look.weights.shape[-1]
        if edit.kind in SOURCE_KINDS and found != len(side.tokens):
            raise DataError(
                f"attention over {found} source tokens cannot be put into a sentence with "
                f"{len(side.tokens)}; choose one with as many"
            )
    return [
        Change(_named(look.path, sites), put_in(torch.from_numpy(look.weights.copy()), look.path))
        for look in given
    ]
