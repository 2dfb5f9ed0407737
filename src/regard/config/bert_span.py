"""BERT that finds the answer to a question in a text: where it starts, and where it ends."""

from typing import ClassVar, Literal

from pydantic import Field

from regard.config.bert_reader import BertTaskConfig
from regard.config.data import CorporaConfig


class BertSpanConfig(BertTaskConfig):
    """A BERT that reads a question and a text together (Devlin et al. 2018, section 4.2)."""

    tasks: ClassVar[tuple[str, ...]] = ("question-answering",)

    kind: Literal["bert"] = "bert"
    dropout: float = Field(default=0.1, ge=0.0, le=0.98)
    """Share of values hidden in training of what the head sees."""

    @property
    def most_of_a_question(self) -> int:
        """Tokens of the longest question: half of the maximum positions, so that there is room for a text."""
        return (self.encoder.longest - 2 - self.separators) // 2

    def beyond(self, data: CorporaConfig) -> tuple[str, int, int] | None:
        """A text of any length is read in windows; the question is in each of them."""
        found = int(getattr(data, "max_question", 0))
        most = self.most_of_a_question
        return ("data.max_question", found, most) if found > most else None
