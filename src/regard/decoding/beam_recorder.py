"""What a beam search considers at each step, as a tree: what it keeps, what it prunes, and by what."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from regard.decoding.hypothesis import Hypothesis

Outcome = Literal["kept", "finished", "truncated", "pruned"]
"""Goes on; ended with </s>; was cut off at the longest length, or where no token is allowed; is lost."""
Reason = Literal["beam", "ending", "done"]
"""What pruned a candidate: better ones filled the beam; it ended, but not among the best of its step; or the
search was over, since no live hypothesis could come before those that are finished."""


class BeamCandidate(NamedTuple):
    """A hypothesis with one more token."""

    origin: int
    """Which hypothesis of the beam it was."""
    token: int
    compared: float
    """What the candidates of a step are ordered by; in a beam of groups, less than the total."""
    total: float
    score: float


@dataclass(frozen=True, slots=True)
class BeamNode:
    """A hypothesis of the search, at the step at which its last token was added."""

    number: int
    """Its place among all nodes; parents come before their children."""
    parent: int | None
    """None for <s>, where a search begins."""
    token: int
    length: int
    """In tokens, </s> counted, <s> not."""
    log_probability: float
    """Of the token."""
    total: float
    """Of all tokens: the sum over the path from <s>."""
    score: float
    """What finished hypotheses are ranked by: the total with length and coverage penalty."""
    compared: float
    """What the candidates of a step are ordered by: the total, in groups less their penalty."""
    outcome: Outcome
    reason: Reason | None = None
    """What pruned it."""
    group: int = 0
    rank: int | None = None
    """Among the results of the search, from 0; None for what is not among them."""


class BeamRecorder:
    """Told of each step of the search of one sentence, group by group. It changes nothing.

    In this order: what is put away, all candidates, and which of them the beam goes on with.
    """

    def __init__(self, bos: int, eos: int, groups: int = 1) -> None:
        self._eos = eos
        self.nodes = [BeamNode(0, None, bos, 0, 0.0, 0.0, 0.0, 0.0, "kept")]
        """All of them, as they came; the first is <s>."""
        self._live: list[list[int]] = [[0] for _ in range(groups)]
        """The nodes that the hypotheses of each group's beam are."""
        self._new: dict[tuple[int, int], int] = {}
        """The nodes of the step under way, by origin and token."""
        self._ended: dict[tuple[int, int], Hypothesis] = {}

    def finished(self, group: int, origin: int, token: int | None, hypothesis: Hypothesis) -> None:
        """A candidate is put away; where no token is allowed, a hypothesis of the beam as it is."""
        if token is not None:
            self._ended[origin, token] = hypothesis
            return
        number = self._live[group][origin]
        self.nodes[number] = replace(self.nodes[number], outcome="truncated", score=hypothesis.score)

    def considered(self, group: int, candidates: Sequence[BeamCandidate], judged: int) -> None:
        """The candidates of a step, best first; with the `judged` first of them the beam was full."""
        self._new = {}
        for place, one in enumerate(candidates):
            parent = self.nodes[self._live[group][one.origin]]
            ended = self._ended.get((one.origin, one.token))
            outcome: Outcome = "pruned"
            reason: Reason | None = None
            if ended is not None:
                outcome = "finished" if ended.ended else "truncated"
            elif place >= judged:
                reason = "beam"
            else:  # what goes on is told in `kept`
                reason = "ending" if one.token == self._eos else "done"
            number = len(self.nodes)
            self._new[one.origin, one.token] = number
            self.nodes.append(
                BeamNode(
                    number,
                    parent.number,
                    one.token,
                    parent.length + 1,
                    one.total - parent.total,
                    one.total,
                    one.score,
                    one.compared,
                    outcome,
                    reason,
                    group,
                )
            )
        self._ended = {}

    def kept(self, group: int, places: Sequence[tuple[int, int] | None]) -> None:
        """The origin and the token of each hypothesis of the beam of the next step; None = there is none."""
        self._live[group] = [0 if place is None else self._new[place] for place in places]
        for number in (self._new[place] for place in places if place is not None):
            self.nodes[number] = replace(self.nodes[number], outcome="kept", reason=None)

    def tokens(self, number: int) -> tuple[int, ...]:
        """The tokens of a node, without <s> and </s>."""
        found: list[int] = []
        node = self.nodes[number]
        while node.parent is not None:
            found.append(node.token)
            node = self.nodes[node.parent]
        return tuple(token for token in reversed(found) if token != self._eos)

    def ended(self, results: Sequence[Hypothesis]) -> None:
        """The search is over, with these results, best first."""
        ranks = {(one.tokens, one.ended): rank for rank, one in enumerate(results)}
        for number, node in enumerate(self.nodes):
            if node.outcome in ("finished", "truncated"):
                rank = ranks.get((self.tokens(number), node.outcome == "finished"))
                self.nodes[number] = replace(node, rank=rank)
