"""Commands: 책을 읽어라, 책을 읽으세요, 책을 읽으십시오, "Read the book."; 읽지 마, "Do not read …".

Nobody is named in either language; the polite and the formal command are honorific by nature: 드세요 for
먹다.
"""

from regard.data.world.event import Event
from regard.data.world.scene import Scene
from regard.data.world.sentence import Clause
from regard.data.world.verbs import GIVING, INTRANSITIVE, MOTION, TRANSITIVE, Verb

# Only what can be tried is asked for, and nothing that takes years.
_ORDERED = tuple(
    verb
    for verb in (*TRANSITIVE, *TRANSITIVE, *GIVING, *INTRANSITIVE, *MOTION)
    if verb.able
    and not verb.agents
    and verb.aspect in ("activity", "point")
    and verb.subjects in ("human", "adult")
    and verb.times != "year"
    and verb.english not in ("see", "sell", "borrow", "say hello", "come back", "learn")
)


def command(scene: Scene) -> Clause:
    """Tell somebody to do something, or not to do it."""
    room = scene.room
    while True:
        scene.room = room
        clause = order(scene, scene.dice.pick(_ORDERED), denied=scene.dice.chance(0.3)).clause()
        if clause.length() > 1:  # 쉬세요 alone would be the only sentence of one word
            return clause


def order(scene: Scene, verb: Verb, *, denied: bool) -> Event:
    """Fill a command around a verb."""
    scene.ending = "command"
    event = Event(scene, verb, ask=False, tense="future", negation="않다" if denied else "")
    event.times = "day"
    event.fill()
    return event
