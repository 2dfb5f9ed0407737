"""Commands: 책을 읽어라, 책을 읽으세요, 책을 읽으십시오, "Read the book."; 읽지 마, "Do not read …".

Nobody is named in either language; the polite and the formal command are honorific by nature: 드세요 for
먹다.
"""

from regard.world.event import Event
from regard.world.scene import Scene
from regard.world.sentence import Clause
from regard.world.verb_table import GIVING, INTRANSITIVE, MOTION, TRANSITIVE
from regard.world.verbs import Verb

_VERBS = (*TRANSITIVE, *TRANSITIVE, *GIVING, *INTRANSITIVE, *INTRANSITIVE, *MOTION)
_ORDERED = tuple(verb for verb in _VERBS if verb.ordered)
_FORBIDDEN = tuple(verb for verb in _VERBS if verb.forbidden)


def command(scene: Scene) -> Clause:
    """Tell somebody to do something, or not to do it."""
    room = scene.room
    while True:
        scene.room = room
        denied = scene.dice.chance(0.3)
        clause = order(scene, scene.dice.pick(_FORBIDDEN if denied else _ORDERED), denied=denied).clause()
        if clause.length() > 1:  # 쉬세요 alone would be the only sentence of one word
            return clause


def order(scene: Scene, verb: Verb, *, denied: bool) -> Event:
    """Fill a command around a verb."""
    scene.ending = "command"
    event = Event(scene, verb, ask=False, tense="future", negation="않다" if denied else "")
    event.fill(timed=not denied)
    return event
