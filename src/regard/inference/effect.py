"""What an edit changed: the two outputs, and how the model's mind moved."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any, Literal

from regard.inference.generation import WrittenText
from regard.inference.teacher_forcing import Forced
from regard.insight.edits import Edit, ForceRow, edit_to_dict
from regard.insight.labels import visible
from regard.insight.record import AttentionRecord
from regard.text.symbols import EOS, SPECIAL
from regard.text.words import split_words

Sign = Literal["=", "-", "+"]


@dataclass(frozen=True)
class Effect:
    """An output without an edit and with it, and what the edit did to the probabilities of both.

    Everything here is from runs with a trace, with the edit or with none.
    """

    edits: tuple[Edit, ...]
    before: WrittenText
    """Without the edit."""
    after: WrittenText
    """With it."""
    old: Forced = field(repr=False)
    """The old output forced, without the edit and with it."""
    new: Forced = field(repr=False)
    """The new output forced, without the edit and with it."""
    notes: tuple[str, ...] = ()
    """What a reader should know: which words were meant, and what could not be done."""

    @property
    def source(self) -> str:
        """The sentence, as it was given."""
        return self.before.source

    @property
    def text(self) -> str:
        """The new output."""
        return self.after.text

    @property
    def attention(self) -> AttentionRecord:
        """What was looked at under the edit."""
        return self.after.attention

    @property
    def changed(self) -> bool:
        """Whether the output is another one."""
        return self.before.tokens != self.after.tokens

    @property
    def diff(self) -> tuple[tuple[Sign, str], ...]:
        """The words of both outputs: `=` in both, `-` in the old one only, `+` in the new one only."""
        old, new = split_words(self.before.text), split_words(self.after.text)
        found: list[tuple[Sign, str]] = []
        for tag, first, last, begin, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if tag == "equal":
                found += [("=", word) for word in old[first:last]]
            else:
                found += [("-", word) for word in old[first:last]]
                found += [("+", word) for word in new[begin:end]]
        return tuple(found)

    @property
    def old_change(self) -> float:
        """How the log-probability of the old output changed by the edit."""
        return math.fsum(self.old.after) - math.fsum(self.old.before)

    @property
    def new_change(self) -> float:
        """The same of the new output."""
        return math.fsum(self.new.after) - math.fsum(self.new.before)

    @property
    def divergence(self) -> tuple[tuple[str, float], ...]:
        """For each token of the old output, KL(before ‖ after) of the distributions it was chosen from."""
        tokens = (*self.before.tokens, SPECIAL[EOS])[: len(self.old.divergence)]
        return tuple(zip(tokens, self.old.divergence, strict=True))

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "source": self.source,
            "edits": [edit_to_dict(edit) for edit in self.edits],
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "changed": self.changed,
            "diff": [list(part) for part in self.diff],
            "log_probability": {
                name: {"before": math.fsum(forced.before), "after": math.fsum(forced.after)}
                for name, forced in (("old", self.old), ("new", self.new))
            },
            "divergence": [[token, value] for token, value in self.divergence],
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        """For a terminal: `[-old-]` and `{+new+}` words, log-probabilities, the divergence of each step."""
        signs = {"=": "{}", "-": "[-{}-]", "+": "{{+{}+}}"}
        lines = [visible(self.source)]
        lines += [f"edit    {visible(str(edit))}" for edit in self.edits] or ["edit    none"]
        lines.append(f"before  {visible(self.before.text)}")
        lines.append(f"after   {visible(self.after.text)}")
        if self.before.text != self.after.text:
            lines.append("words   " + " ".join(signs[s].format(visible(word)) for s, word in self.diff))
        outputs = [("old", self.old), ("new", self.new)] if self.changed else [("", self.old)]
        for name, forced in outputs:
            first, last = math.fsum(forced.before), math.fsum(forced.after)
            what = f"log-probability of the {name} output" if name else "log-probability"
            lines.append(f"{what}: {first:.3f} → {last:.3f} ({last - first:+.3f})")
        lines.append("KL(before ‖ after) at each step of the old output, in nats:")
        lines.append("  " + "  ".join(f"{visible(token)} {value:.3f}" for token, value in self.divergence))
        return "\n".join(lines)


def reached(edits: Sequence[Edit], rows: int) -> list[str]:
    """Notes about rows that were forced and did not come."""
    return [
        f"row {edit.row} did not come: the output has {rows} tokens, </s> counted"
        for edit in edits
        if isinstance(edit, ForceRow) and edit.row >= rows
    ]
