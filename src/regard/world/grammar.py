"""One random sentence pair of the world.

What decides the English (so that it is a function of the Korean):

* A bare noun takes "the", as the object of some verbs (사다, 쓰다, 타다) "a"; a mass noun ("water") takes
  "the" as a subject only; names, school subjects and sports take none; bare kin takes "my" (어머니, "my
  mother"). What a copula or 되다 says of the subject, and what there is (책상 위에 책이 있다), takes "a".
* A bare object that means its kind is a plural without article: countable food, flowers and trees (사과를
  먹었다, "ate apples"); everything with a verb about kinds (좋아하다, 찍다, 팔다 without a receiver); and in
  the present, which is a habit, much with verbs about many things (책을 읽는다, "reads books"; but 책을
  읽었다, "read a book").
* Apart from that 들, a numeral above one and a plural subject's predicate noun are plural, all else singular.
* 학교, 회사 and 집 as bare places are "school", "work" and "home".
* Some words depend on others: 보다 is "watch", "see" or "look at" by its object; 자다 is "go to bed" with
  일찍 and 늦게, in 자기 전에 and after -고; 높은 is "tall" of buildings.
* 이 is "this", 그 and 저 before a noun are "that"; 그는 is "he", 그녀 "she", 그들 "they", 나 and 저 "I",
  우리 "we" (before a noun: "our"), 너 "you".
* The past is the simple past, the present the simple present, -ㄹ 것이다 "will", -고 있다 the progressive; 못
  is "cannot" or "could not". The three styles (plain, polite, formal) and honorifics leave no trace; nor
  does 드리다 for 주다, nor 께 and 한테 for 에게.
* Time stands at the end, wherever Korean has it; after it only the clauses with "because", "if", "when" and
  "before", which Korean puts first (`subordination` has their tenses).
* A noun with a relative clause takes "the" (`relatives`). A command names nobody; "if you …" beside it has
  its "you" from the predicate.
* "he" and "she" for a subject that English says again follow from names, kin, 여자 and 남자; subjects that do
  not tell (a doctor) do not occur there.
* A comma stands before "and" and "but" between clauses with subjects of their own, in both languages, and
  nowhere else.

What is linked: every word of both sides, each English word to the Korean word (eojeol) with its meaning.

* Articles, the "my" of bare kin and prepositions go to the eojeol of their noun: "in the park" ↔ 공원에서;
  with a word of position, the preposition goes to that: "on" ↔ 위에, "the desk" ↔ 책상.
* Auxiliaries go to the eojeol with the tense, "not" to that with the negation (`predicate` lists the cases).
* A counted noun goes to noun and counter, its numeral to the numeral: books ↔ 책, 권을; two ↔ 두. With a
  measure, "cups of" goes to the counter: cups, of ↔ 잔을; coffee ↔ 커피.
* "and" goes to the eojeol with 와/과 or -고, "but" to that with -지만; "with" to both words of 친구와 함께.
* because ↔ the eojeol with -아서, if ↔ …면, when ↔ 때, before ↔ 전에; a relative "that" or "who" ↔ the verb
  before its noun; a pronoun that says the subject again ↔ that subject.
* "It rains": "it" ↔ 비가, "rains" ↔ 비가, 온다. "There is" ↔ 있다. Punctuation goes to punctuation.
"""

from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple, TypeVar

from regard.text.words import split_words
from regard.world.conjugation import Level
from regard.world.coordination import COORDINATIONS, chain
from regard.world.dice import Dice, Weighted
from regard.world.events import animal, command, giving, intransitive, motion, transitive
from regard.world.heldout import HELD_OUT
from regard.world.morphemes import link_morphemes, morphemes_of
from regard.world.sampling import Wanted
from regard.world.scene import Scene, is_humble
from regard.world.sentence import Clause, Draft
from regard.world.states import becoming, copula, description, existence
from regard.world.subordination import SUBORDINATIONS
from regard.world.weather import weather


class WorldPair(NamedTuple):
    """A Korean sentence and its English, with what is known about them."""

    korean: str
    english: str
    links: frozenset[tuple[int, int]]
    """(Korean word, English word), counted from 0; all are sure links."""
    constructions: frozenset[str]
    """What the sentence contains, such as "past", "negation", "place"."""
    words: tuple[str, ...]
    """The Korean words as `links` counts them."""

    @property
    def morphemes(self) -> tuple[tuple[str, str], ...]:
        """The Korean morphemes in order, as (dictionary form, tag); `morphology` lists the tags."""
        return tuple((morpheme.form, morpheme.tag) for morpheme in morphemes_of(self.words))

    @property
    def morpheme_spans(self) -> tuple[tuple[int, int], ...]:
        """Where in `korean` each morpheme is written; morphemes that melt into one syllable share it."""
        return tuple((morpheme.start, morpheme.end) for morpheme in morphemes_of(self.words))

    @property
    def morpheme_links(self) -> frozenset[tuple[int, int]]:
        """(Korean morpheme, English word), counted from 0, by the rules of the module `morphemes`."""
        return link_morphemes(self.words, split_words(self.english), self.links)


_CONSTRUCTIONS: dict[Callable[[Scene], Clause], tuple[float, int]] = {
    transitive: (36, 3),
    giving: (9, 4),
    intransitive: (13, 2),
    motion: (13, 3),
    animal: (5, 2),
    existence: (7, 3),
    description: (10, 2),
    copula: (6, 2),
    becoming: (3, 3),
    weather: (2, 2),
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
_LONGEST_PLAIN = 12
"""Sentences with room for more words than this are chains of clauses."""
LENGTHS: dict[str, Weighted[int]] = {
    "natural": Weighted(
        {4: 8, 5: 14, 6: 16, 7: 17, 8: 15, 9: 12, 10: 10, 11: 5, 12: 3, 14: 0.6, 16: 0.5, 18: 0.4, 20: 0.3}
    ),
    "long": Weighted(dict.fromkeys(range(5, 66), 1.0)),
}
"""How many words a sentence is given; it need not use them all, and a chain may use a few more."""
_Plan = Literal["single", "question", "command", "coordinated", "subordinated"]
_PLANS: Weighted[_Plan] = Weighted(
    {"single": 59, "question": 11, "command": 5, "coordinated": 12, "subordinated": 13}
)
_SINGLE = _that_fit(_CONSTRUCTIONS, range(2, _LONGEST_PLAIN + 1))
_JOINED = _that_fit(COORDINATIONS, range(2, _LONGEST_PLAIN + 1))
_DEPENDENT = _that_fit(SUBORDINATIONS, range(2, _LONGEST_PLAIN + 1))


def draw(
    dice: Dice,
    *,
    wanted: Wanted,
    lengths: Weighted[int] = LENGTHS["natural"],
    max_words: int | None = None,
) -> WorldPair | None:
    """Draw one sentence; None if it has more than `max_words` Korean words or is not wanted.

    wanted: says so, given the Korean, the English and whether a held-out combination is in it
    """
    level = dice.weighted(_LEVELS)
    humble = is_humble(dice, level)
    room = dice.weighted(lengths)
    if max_words is not None:
        room = min(room, max_words)
    scene = Scene(dice, level, humble, room)
    clauses = _clauses(scene)
    if max_words is not None and sum(clause.length() for clause in clauses) > max_words:
        return None
    draft = Draft()
    for clause in clauses:
        draft.add(clause)
    korean, english = draft.close("?" if scene.question else ".")
    labels = frozenset(clauses[0].labels).union(*[clause.labels for clause in clauses[1:]])
    if not wanted(korean, english, HELD_OUT in labels):
        return None
    return WorldPair(korean, english, frozenset(draft.links), labels, tuple(draft.korean))


def _clauses(scene: Scene) -> list[Clause]:
    dice, room = scene.dice, scene.room
    if room > _LONGEST_PLAIN:
        return chain(scene)
    plan = dice.weighted(_PLANS)
    if plan == "coordinated" and _JOINED[room].options:
        return dice.weighted(_JOINED[room])(scene)
    if plan == "subordinated" and _DEPENDENT[room].options:
        return dice.weighted(_DEPENDENT[room])(scene)
    if plan == "command":
        return [command(scene)]
    if plan == "question":
        scene.ending, scene.nested = "question", False
    return [dice.weighted(_SINGLE[room])(scene)]
