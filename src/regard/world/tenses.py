"""In which tense a verb is said, and how it is denied."""

from regard.world.adverbs import Tense
from regard.world.dice import Dice, Weighted
from regard.world.predicate import Negation
from regard.world.scene import Scene
from regard.world.verbs import Aspect, Verb

_TENSES: dict[Aspect, Weighted[Tense]] = {
    "activity": Weighted({"past": 40, "present": 17, "future": 22, "progressive": 15, "past progressive": 6}),
    "point": Weighted({"past": 54, "present": 18, "future": 28}),
    "reaction": Weighted({"past": 60, "progressive": 30, "past progressive": 10}),
    "done": Weighted({"past": 1}),
    "state": Weighted({"past": 30, "present": 70}),
}
_TENSES_BUT_PRESENT: dict[Aspect, Weighted[Tense]] = {
    **_TENSES,
    "activity": Weighted({"past": 48, "future": 27, "progressive": 18, "past progressive": 7}),
    "point": Weighted({"past": 66, "future": 34}),
}
_NEGATIONS: Weighted[Negation] = Weighted({"": 78, "안": 9, "않다": 9, "못": 2.5, "못하다": 1.5})


def choose_tense(dice: Dice, verb: Verb) -> Tense:
    """Draw a tense that fits the verb."""
    return dice.weighted((_TENSES_BUT_PRESENT if verb.habit == "never" else _TENSES)[verb.aspect])


def predicate_length(tense: Tense, negation: Negation) -> int:
    """Count the Korean words of a predicate."""
    return 1 + (tense not in ("past", "present")) + bool(negation)


def short_negation_fits(korean: str) -> bool:
    """안 and 못 do not stand before noun + 하다 (nor 춤 + 추다), nor before long stems."""
    return len(korean) <= 2 and not (len(korean) == 2 and korean.endswith("하")) and korean != "춤추"


def choose_negation(scene: Scene, verb: Verb, tense: Tense) -> Negation:
    """Draw a negation, mostly none, that fits the verb in this tense."""
    negation = scene.dice.weighted(_NEGATIONS)
    if not negation or not verb.denied or scene.room < 1:
        return ""
    if tense == "present" and verb.habit == "routine":
        return ""
    able = verb.able if tense == "past" else verb.skill and tense == "present"
    if negation in ("못", "못하다") and (not able or scene.question):
        negation = "않다"
    if tense in ("progressive", "past progressive"):
        negation = "않다"
    if negation in ("안", "못") and not short_negation_fits(verb.stem.text):
        negation = "못하다" if negation == "못" else "않다"
    return negation
