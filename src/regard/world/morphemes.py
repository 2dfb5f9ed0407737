"""Links between morphemes and English words, refined from the links between words.

An English word that is linked to an eojeol goes to these of its morphemes:

* prepositions: the particle (at ↔ 에서, to ↔ 에게, by ↔ 로); "and" the particle 와/과 or the ending 고;
  "but", "because", "if" and a relative "that" or "who": the last ending (지만, 아서, 면, ㄴ)
* auxiliaries: the copula and the ending of the past, if there are any, else the last ending (will ↔ ㄹ)
* possessives ("my", "Minsu's"): the noun and its 의; all other words: the noun, verb, … and a plural 들

A past that no auxiliary expresses goes to the verb. The particles 은/는, 이/가, 을/를 and 께서, honorific 시
and the endings of style say nothing in English and are not linked.
"""

from collections.abc import Iterable, Sequence

from regard.world.morphology import Morpheme, analysed

_GRAMMAR = ("particle", "ending", "suffix", "copula")
_SILENT = ("은", "는", "이", "가", "을", "를", "께서")
_PAST = ("았", "었", "였")
_PREPOSITIONS = frozenset(["at", "in", "on", "to", "from", "with", "by"])
_CONJUNCTIONS = frozenset(["and", "but", "because", "if", "that", "who"])
_AUXILIARIES = frozenset(
    ["am", "is", "are", "was", "were", "be", "do", "does", "did", "will", "could", "cannot"]
)
_POSSESSIVES = frozenset(["my", "our", "his", "her"])
_ARTICLES = ("the", "these", "those")
_BEINGS = frozenset(["있", "없", "계시", "아니"])


def morphemes_of(words: Iterable[str]) -> tuple[Morpheme, ...]:
    """List the morphemes of a sentence, with spans into its text."""
    found: list[Morpheme] = []
    end = 0
    for word in words:
        start = end + (end > 0 and word not in ".?,")
        found += [Morpheme(m.form, m.tag, start + m.start, start + m.end) for m in analysed(word)]
        end = start + len(word)
    return tuple(found)


def link_morphemes(
    words: Sequence[str], english: Sequence[str], links: Iterable[tuple[int, int]]
) -> frozenset[tuple[int, int]]:
    """Refine links between words to links (morpheme, English word)."""
    said: dict[int, list[int]] = {}
    for korean, position in sorted(links):
        said.setdefault(korean, []).append(position)
    found: set[tuple[int, int]] = set()
    first = 0
    for korean, word in enumerate(words):
        parts = analysed(word)
        for part, position in _link_word(parts, english, said.get(korean, [])):
            found.add((first + part, position))
        first += len(parts)
    return frozenset(found)


def _link_word(
    parts: tuple[Morpheme, ...], english: Sequence[str], positions: list[int]
) -> set[tuple[int, int]]:
    found = {(part, at) for at in positions for part in _expressed(parts, english[at].lower())}
    linked = {part for part, _ in found}
    if positions:
        # The verb, and a past, that only an inflected word or an auxiliary expresses.
        missing = [part for part in _lexical(parts) if part not in linked]
        missing += [part for part in _past(parts) if part not in linked]
        found.update((part, positions[-1]) for part in missing)
    return found


def _expressed(parts: tuple[Morpheme, ...], word: str) -> list[int]:
    """Choose the morphemes of an eojeol that an English word linked to it expresses."""
    last = len(parts) - 1
    if word in _PREPOSITIONS and (particles := _particles(parts)):
        return particles
    if word in _CONJUNCTIONS and parts[last].tag in ("ending", "particle"):
        if parts[last].tag == "ending" or parts[last].form in ("와", "과"):
            return [last]
        return _lexical(parts)
    if word in _AUXILIARIES:
        marks = [at for at, part in enumerate(parts) if part.tag == "copula"] + _past(parts)
        if parts[0].form in _BEINGS:
            marks.append(0)
        if marks or parts[last].tag != "ending":
            return marks or _lexical(parts)
        return [last]
    if word in _POSSESSIVES or word.endswith("'s"):
        return _lexical(parts) + [at for at, part in enumerate(parts) if part.form == "의"]
    if word in _ARTICLES:
        return _lexical(parts)
    return _lexical(parts) + [at for at, part in enumerate(parts) if part.tag == "suffix"]


def _lexical(parts: tuple[Morpheme, ...]) -> list[int]:
    return [at for at, part in enumerate(parts) if part.tag not in _GRAMMAR]


def _particles(parts: tuple[Morpheme, ...]) -> list[int]:
    return [at for at, part in enumerate(parts) if part.tag == "particle" and part.form not in _SILENT]


def _past(parts: tuple[Morpheme, ...]) -> list[int]:
    return [at for at, part in enumerate(parts) if part.tag == "ending" and part.form in _PAST]
