"""One random sentence pair of the world.

What decides the English (so that it is a function of the Korean):

* A bare noun takes "the"; a mass noun ("water") takes it as a subject only; names, school subjects and sports
  take none; bare kin takes "my" (어머니, "my mother"). What a copula or 되다 says of the subject takes "a".
* The bare object of a verb about kinds (좋아하다, 싫어하다, 사랑하다, 찍다, an animal's 먹다, 팔다 without a
  receiver) is a plural without article: 사과를 좋아하다, "like apples".
* 들, a numeral above one and a plural subject's predicate noun are plural; everything else is singular.
* 이 is "this", 그 and 저 before a noun are "that"; 그는 is "he", 그녀 "she", 그들 "they", 나 and 저 "I",
  우리 "we" (before a noun: "our"), 너 "you".
* The past is the simple past, the present the simple present, -ㄹ 것이다 "will", -고 있다 the progressive; 못
  is "cannot" or "could not". The three styles (plain, polite, formal) and honorifics leave no trace.
* Time stands at the end, wherever Korean has it.

What is linked: every word of both sides, each English word to the Korean word (eojeol) with its meaning.

* Articles, the "my" of bare kin and prepositions go to the eojeol of their noun: "at the school" ↔ 학교에서;
  with a word of position, the preposition goes to that: "on" ↔ 위에, "the desk" ↔ 책상.
* Auxiliaries go to the eojeol with the tense, "not" to that with the negation (`predicate` lists the cases).
* A counted noun goes to noun and counter, its numeral to the numeral: books ↔ 책, 권을; two ↔ 두. With a
  measure, "cups of" goes to the counter: cups, of ↔ 잔을; coffee ↔ 커피.
* "and" goes to the eojeol with 와/과 or -고, "but" to that with -지만; "with" to both words of 친구와 함께.
* "It rains": "it" ↔ 비가, "rains" ↔ 비가, 온다. Punctuation goes to punctuation.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from regard.data.world.conjugation import Level
from regard.data.world.coordination import COORDINATIONS
from regard.data.world.dice import Dice, Weighted
from regard.data.world.events import animal, giving, intransitive, motion, transitive
from regard.data.world.scene import Scene
from regard.data.world.sentence import Clause, Draft, text
from regard.data.world.states import becoming, copula, description, existence, weather

_CONSTRUCTIONS: dict[Callable[[Scene], Clause], tuple[float, int]] = {
    transitive: (36, 3),
    giving: (9, 4),
    intransitive: (13, 2),
    motion: (13, 3),
    animal: (5, 2),
    existence: (7, 3),
    description: (10, 2),
    copula: (7, 2),
    becoming: (3, 3),
    weather: (3, 2),
}
"""Each kind with its odds, and the words of its shortest sentence."""

T = TypeVar("T")


def _that_fit(kinds: dict[T, tuple[float, int]], rooms: Iterable[int]) -> dict[int, Weighted[T]]:
    """List, for each number of words, the kinds that can be said with so few."""
    return {
        room: Weighted({kind: odds for kind, (odds, shortest) in kinds.items() if shortest <= room})
        for room in rooms
    }


_LEVELS: Weighted[Level] = Weighted({"plain": 40, "polite": 34, "formal": 26})
_ROOM = Weighted({4: 8, 5: 14, 6: 16, 7: 17, 8: 15, 9: 12, 10: 10, 11: 5, 12: 3})
"""How many words a sentence is given; it need not use them all."""
_COORDINATED = 0.16
_QUESTION = 0.16


_SINGLE = _that_fit(_CONSTRUCTIONS, range(2, 13))
_JOINED = _that_fit(COORDINATIONS, range(3, 13))


class Sentence(NamedTuple):
    """One sentence in both languages, its links and the constructions in it."""

    korean: str
    english: str
    links: frozenset[tuple[int, int]]
    constructions: frozenset[str]


def draw(dice: Dice, *, wanted: Callable[[str], bool], max_words: int | None = None) -> Sentence | None:
    """Draw one sentence; None if it has more than `max_words` Korean words or its Korean is not wanted."""
    level = dice.weighted(_LEVELS)
    humble = level == "formal" or (level == "polite" and dice.chance(0.6))
    room = dice.weighted(_ROOM)
    if max_words is not None:
        room = min(room, max_words)
    coordinated = room in _JOINED and dice.chance(_COORDINATED)
    scene = Scene(dice, level, humble, not coordinated and dice.chance(_QUESTION), room)
    clauses = dice.weighted(_JOINED[room])(scene) if coordinated else [dice.weighted(_SINGLE[room])(scene)]
    if max_words is not None and sum(clause.length() for clause in clauses) > max_words:
        return None
    draft = Draft("?" if scene.question else ".")
    labels: set[str] = set()
    for clause in clauses:
        draft.add(clause)
        labels |= clause.labels
    korean = text([*draft.korean, draft.mark])
    if not wanted(korean):
        return None
    draft.translate()
    return Sentence(korean, text(draft.english), frozenset(draft.links), frozenset(labels))
