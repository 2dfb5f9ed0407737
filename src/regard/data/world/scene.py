"""What the parts of one sentence must agree on: politeness, who speaks, question or statement, and length."""

from dataclasses import dataclass

from regard.data.world.conjugation import Level
from regard.data.world.dice import Dice


@dataclass(slots=True)
class Scene:
    """The setting of one sentence."""

    dice: Dice
    level: Level
    humble: bool
    """The speaker says 저, not 나."""
    question: bool
    room: int
    """Korean words that may still be used."""

    def afford(self, words: int, probability: float = 1.0) -> bool:
        """Decide by the dice whether to spend that many more words; never more than there is room for."""
        if words > self.room or not self.dice.chance(probability):
            return False
        self.room -= words
        return True
