"""Long sentences: a chain of clauses in one tense, each about somebody else, joined by -고 and -지만.

No subject and no verb comes twice. Only the first clause names a time, which then holds for all of them.
"""

from collections.abc import Callable

from regard.world.adverbs import Tense
from regard.world.coordination import DOINGS, contrast
from regard.world.dice import Weighted
from regard.world.event import enact
from regard.world.scene import Scene
from regard.world.sentence import Clause
from regard.world.subordination import because, before, condition, when

SHORTEST = 5
"""The fewest words from which a chain can be made."""
_UNIT = Weighted({4: 4, 5: 5, 6: 6, 7: 6, 8: 5, 9: 4, 10: 3})
"""Words of one link of the chain."""
_TENSES: Weighted[Tense] = Weighted({"past": 75, "future": 25})
_TRIES = 40


def doing(scene: Scene) -> list[Clause]:
    """Somebody does something."""
    return [enact(scene, scene.dice.pick(DOINGS), tense=scene.tense or "past", timed=True).clause()]


_LINKS: dict[Tense, Weighted[Callable[[Scene], list[Clause]]]] = {
    "past": Weighted({doing: 56, because: 14, when: 10, before: 10, contrast: 10}),
    "future": Weighted({doing: 62, condition: 16, before: 12, contrast: 10}),
}


def chain(scene: Scene) -> list[Clause]:
    """Join clauses until the words of the scene are used up."""
    dice, wanted = scene.dice, scene.room
    scene.tense, scene.whole_days = scene.choose_tense(_TENSES), True
    clauses: list[Clause] = []
    used: set[str] = set()
    length = 0
    last = False
    while not last:
        left = wanted - length
        room = dice.weighted(_UNIT)
        last = left - room < SHORTEST
        scene.ending = "statement" if last else "고"
        link = _new_link(scene, min(room, left), used)
        if clauses:
            link[0].conjunction = "and"
            link[0].labels.update(("clause coordination", "-고"))
        clauses += link
        length += sum(clause.length() for clause in link)
        scene.timed = False
    return clauses


def _new_link(scene: Scene, room: int, used: set[str]) -> list[Clause]:
    """Draw until nobody and nothing in it was mentioned before."""
    kinds = _LINKS[scene.tense or "past"]
    for _ in range(_TRIES):
        scene.room, scene.nested = room, True
        link = scene.dice.weighted(kinds if room > 4 else _SHORT)(scene)
        mentioned = {_subject(clause) for clause in link} | {_verb(link[0]), *_circumstances(link[0])}
        if not mentioned & used:
            break
    used |= mentioned
    return link


_SHORT: Weighted[Callable[[Scene], list[Clause]]] = Weighted({doing: 1})


def _subject(clause: Clause) -> str:
    return " ".join(text for text, _ in clause.slots["subject"].english)


def _circumstances(clause: Clause) -> list[str]:
    """List the ends of its subordinate clauses (행복해서, 자기 전에), or that it is about the weather."""
    found = [clause.slots[slot].korean for slot in ("setting", "aside") if slot in clause.slots]
    if any(word in _SKY for words in (*found, clause.predicate.korean) for word in words):
        return ["weather"]  # one day has one weather
    return [" ".join(words[-2:]) for words in found]


_SKY = ("비가", "눈이", "날씨가")


def _verb(clause: Clause) -> str:
    return clause.predicate.main[0][0]
