"""What the parts of one sentence must agree on: politeness, who speaks, question or statement, and length."""

from dataclasses import dataclass

from regard.world.adverbs import Tense
from regard.world.conjugation import Ending, Level
from regard.world.dice import Dice, Weighted


@dataclass(slots=True)
class Scene:
    """The setting of one sentence."""

    dice: Dice
    level: Level
    humble: bool
    """The speaker says 저, not 나."""
    room: int
    """Korean words that may still be used."""
    ending: Ending = "statement"
    """How the main predicate ends; in a chain of clauses all but the last end in 고."""
    tense: Tense | None = None
    """The tense of all main clauses, where they must agree."""
    timed: bool = True
    """A time may be named; in a chain of clauses only the first names one."""
    whole_days: bool = False
    """A time that is named must be a whole day, because it holds for other clauses too."""
    nested: bool = True
    """A noun may take a relative clause; beside another clause it would be hard to tell where it ends."""

    @property
    def question(self) -> bool:
        """The sentence asks something."""
        return self.ending == "question"

    def choose_tense(self, odds: Weighted[Tense]) -> Tense:
        """Draw a tense, unless the scene prescribes one."""
        return self.dice.weighted(odds) if self.tense is None else self.tense

    def afford(self, words: int, probability: float = 1.0) -> bool:
        """Decide by the dice whether to spend that many more words; never more than there is room for."""
        if words > self.room or not self.dice.chance(probability):
            return False
        self.room -= words
        return True


def is_humble(dice: Dice, level: Level) -> bool:
    """Decide whether the speaker says 저: always in the formal style, never in the plain one."""
    return level == "formal" or (level == "polite" and dice.chance(0.6))
