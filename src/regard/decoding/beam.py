"""Beam search, one for every decoder."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import pad

from regard.decoding.beam_recorder import BeamCandidate, BeamRecorder
from regard.decoding.coverage import SourceAttention, coverage
from regard.decoding.finished import FinishedHypotheses
from regard.decoding.hypothesis import Hypothesis, Ranking, SearchLimits
from regard.decoding.lexical_constraints import LexicalConstraints
from regard.decoding.observer import SearchObserver
from regard.decoding.rules import NEVER, OutputSoFar, Rules
from regard.decoding.top import top_k
from regard.nn.decoder import Decoder, S, reorder
from regard.nn.trace import Trace


@torch.inference_mode()
def beam_search(
    decoder: Decoder[S],
    source: Tensor,
    lengths: Tensor,
    limits: SearchLimits,
    *,
    beam_size: int,
    groups: int = 1,
    diversity: float = 0.0,
    only_best_end: bool = False,
    rules: Rules | None = None,
    ranking: Ranking | None = None,
    must: LexicalConstraints | None = None,
    looking: SourceAttention | None = None,
    trace: Trace | None = None,
    recorder: BeamRecorder | None = None,
    observer: SearchObserver | None = None,
) -> list[list[Hypothesis]]:
    """Generate up to `beam_size` sentences for each source sentence, (b, s) and (b,), best first.

    A hypothesis that ends leaves the beam for the list of finished ones. A sentence is done, and leaves the
    batch, when `beam_size` finished hypotheses score better than the best live one does so far, or at its
    longest length. (As soon as `beam_size` are finished would be too soon: where a model is sure of itself,
    poor hypotheses that end early fill the list while the good one is still growing.) Each
    sentence is searched as if it were alone.

    groups:    the beam is so many beams, each with its own list of finished ones; where the candidates of one
               are compared, a token costs `diversity` for each time that an earlier group has just chosen it
               (Vijayakumar et al. 2016, Hamming diversity). Totals stay the model's own.
    only_best_end: whether </s> counts among the `beam_size` best candidates of a step alone
    must:      lexical constraints: phrases that must appear
    looking:   for a coverage penalty; its trace is the one to give
    recorder:  told of every step, where there is one sentence
    observer:  a sentence that is cancelled leaves the batch with what is finished; of tokens it is not told,
               for a beam may drop what it has begun
    """
    ranking = ranking or Ranking()
    search = _Search(source, limits, beam_size // groups, groups, diversity, ranking, must, looking)
    search.only_best_end, search.recorder, search.observer = only_best_end, recorder, observer
    allowed_by = rules or Rules(limits.never)
    if trace is not None:
        trace.begin()
    state = decoder.start(source, lengths, trace=trace)
    if groups > 1:
        state = state.select(search.rows)
    while len(search.sentences):
        if trace is not None:
            trace.examples, trace.step = search.sentence_of_rows(), search.step
        logits, state = decoder.step(search.tokens, state, trace=trace)
        search.advance(allowed_by.log_probabilities(logits, search.written()))
        # Keys that a trace keeps must not be overwritten.
        keeps = trace is not None and trace.inputs
        state = state.select(search.rows) if keeps else reorder(state, search.rows)
    results = search.results()
    if recorder is not None:
        recorder.ended(results[0])
    return results


class _Candidates(NamedTuple):
    """Hypotheses of each sentence with their next tokens, (b, c) each, best first."""

    order: Tensor
    """What they are compared by; -inf = none."""
    total: Tensor
    origin: Tensor
    token: Tensor


class _Search:
    """The beams of a batch: b sentences, g groups, w hypotheses each."""

    def __init__(
        self,
        source: Tensor,
        limits: SearchLimits,
        width: int,
        groups: int,
        diversity: float,
        ranking: Ranking,
        must: LexicalConstraints | None,
        looking: SourceAttention | None,
    ) -> None:
        count, device = len(source), source.device
        self._limits, self._width, self._groups, self._diversity = limits, width, groups, diversity
        self._must, self._looking = must, looking
        expected = limits.expected or (None,) * count
        self._finished = [
            [FinishedHypotheses(width, ranking, each) for _ in range(groups)] for each in expected
        ]
        self.only_best_end = False
        self.recorder: BeamRecorder | None = None
        self.observer: SearchObserver | None = None
        self.step = 0
        self.sentences = list(range(count))
        # The first step has one hypothesis a group; the others are made by the first selection.
        self._totals = torch.zeros(count, groups, 1, device=device, dtype=torch.float64)
        self._history = torch.zeros(count, groups, 1, 0, dtype=torch.long, device=device)
        self._covered: Tensor | None = None
        self.tokens = torch.full((count * groups,), limits.bos, device=device)
        self.rows = torch.arange(count, device=device).repeat_interleave(groups)
        """Which row of the batch each row was before the last step."""

    def results(self) -> list[list[Hypothesis]]:
        """What each sentence's groups have found, best first, nothing twice."""
        if self._groups == 1:
            return [own.ranked() for (own,) in self._finished]
        together = ({h.tokens: h for group in groups for h in group.ranked()} for groups in self._finished)
        return [sorted(found.values(), key=lambda h: h.rank, reverse=True) for found in together]

    def sentence_of_rows(self) -> list[int]:
        """The sentence that each row of the batch belongs to."""
        beam = self._totals.shape[1] * self._totals.shape[2]
        return [sentence for sentence in self.sentences for _ in range(beam)]

    def written(self) -> OutputSoFar:
        """The output so far of each row, for rules that need it."""
        return OutputSoFar(self.step, self.sentence_of_rows, lambda: self._history.flatten(0, 2).tolist())

    def advance(self, allowed: Tensor) -> None:
        """One more token: store finished hypotheses, select those that continue; allowed: (rows, v)."""
        count, groups, before = self._totals.shape
        steps = allowed.view(count, groups, before, -1)
        covered = self._look()
        chosen: list[tuple[Tensor, Tensor, Tensor]] = []
        taken: Tensor | None = None
        for group in range(groups):
            found = self._candidates(self._totals[:, group], steps[:, group], taken)
            live = self._put_away(group, found, covered)
            totals, origin, token = self._going_on(found)
            if self.recorder is not None and live[0]:
                slots = zip(totals[0].tolist(), origin[0].tolist(), token[0].tolist(), strict=True)
                self.recorder.kept(group, [(o, t) if total > NEVER else None for total, o, t in slots])
            if groups > 1:
                gone = torch.zeros_like(steps[:, 0, 0], dtype=torch.float64)
                gone.scatter_add_(1, token, (totals > NEVER).double())
                taken = gone if taken is None else taken + gone
                totals = totals.masked_fill(~torch.tensor(live, device=totals.device)[:, None], NEVER)
            chosen.append((totals, origin, token))
        if groups == 1:
            self._keep(*(part[:, None] for part in chosen[0]))
        else:
            self._keep(*(torch.stack(parts, dim=1) for parts in zip(*chosen, strict=True)))

    def _look(self) -> list[float] | None:
        """Add the last step's attention to what is covered; the coverage of each row."""
        if self._looking is None:
            return None
        seen = self._looking.last()
        self._covered = seen if self._covered is None else self._covered[self.rows] + seen
        counted: Tensor = self._looking.counted[self.sentence_of_rows()]
        values: list[float] = coverage(self._covered, counted).tolist()
        return values

    def _candidates(self, totals: Tensor, steps: Tensor, taken: Tensor | None) -> _Candidates:
        """The best candidates of one group.

        totals: (b, w)
        steps:  (b, w, v)
        taken:  (b, v), how often earlier groups have chosen each token at this step
        """
        # Each hypothesis can end in one way, so twice the width holds as many that continue as are wanted.
        wanted = 2 * self._width
        compared = steps if taken is None else steps - self._diversity * taken[:, None]
        best, token = top_k(compared, min(wanted, steps.shape[-1]))  # of each row: all that can win
        order, flat = (totals[:, :, None] + best).flatten(1).topk(min(wanted, best[0].numel()), dim=1)
        origin = flat // best.shape[-1]
        token = token.flatten(1).gather(1, flat)
        total = order
        if taken is not None:
            rows = torch.arange(len(steps), device=steps.device)[:, None]
            total = totals.gather(1, origin) + steps[rows, origin, token]
        found = _Candidates(order, total, origin, token)
        return found if self._must is None else self._with_must(found, totals, steps, self._must)

    def _with_must(
        self, found: _Candidates, totals: Tensor, steps: Tensor, must: LexicalConstraints
    ) -> _Candidates:
        """The same; of sentences with lexical constraints, those of dynamic beam allocation."""
        missing = 2 * self._width - found.order.shape[1]
        order = pad(found.order, (0, missing), value=NEVER)
        origin, token = pad(found.origin, (0, missing)), pad(found.token, (0, missing))
        for place, sentence in enumerate(self.sentences):
            if sentence in must:
                choice = must.choose(sentence, totals[place], steps[place], self._width)
                order[place] = NEVER
                for column, candidate in enumerate([*choice.ending, *choice.going_on]):
                    order[place, column] = candidate.total
                    origin[place, column], token[place, column] = candidate.origin, candidate.token
        return _Candidates(order, order, origin, token)

    def _going_on(self, found: _Candidates) -> tuple[Tensor, Tensor, Tensor]:
        """Total, origin and token of the candidates that continue, in their order, (b, w) each."""
        going = found.order.masked_fill(found.token == self._limits.eos, NEVER)
        order, picked = going.topk(min(self._width, going.shape[1]), dim=1)
        totals = found.total.gather(1, picked).masked_fill(order == NEVER, NEVER)
        return totals, found.origin.gather(1, picked), found.token.gather(1, picked)

    def _put_away(self, group: int, found: _Candidates, covered: list[float] | None) -> list[bool]:
        """Store what ends at this step; whether the group of each sentence continues."""
        rows = zip(*(part.tolist() for part in found), strict=True)
        going = []
        for place, (sentence, row) in enumerate(zip(self.sentences, rows, strict=True)):
            finished = self._finished[sentence][group]
            if not finished.is_done:
                self._put_away_one(place, sentence, group, list(zip(*row, strict=True)), covered)
            going.append(not finished.is_done)
        return going

    def _put_away_one(
        self,
        place: int,
        sentence: int,
        group: int,
        candidates: Sequence[tuple[float, float, int, int]],
        covered: list[float] | None,
    ) -> None:
        finished, longest = self._finished[sentence][group], self._limits.max_lengths[sentence]
        best, live, judged = NEVER, 0, len(candidates)
        for place_of, (order, total, origin, token) in enumerate(candidates):
            if order == NEVER or live == self._width:
                judged = place_of
                break
            ends = token == self._limits.eos
            live += not ends
            best = max(best, NEVER if ends else total)
            if ends and self.only_best_end and place_of >= self._width:
                continue
            if ends or self.step + 1 >= longest:
                self._finish(place, sentence, group, origin, total, token, covered)
        if live == 0 and not finished.hypotheses:  # no token is allowed: the hypotheses are truncated here
            for origin, total in enumerate(self._totals[place, group].tolist()):
                if total > NEVER:
                    self._finish(place, sentence, group, origin, total, None, covered)
        if self.recorder is not None:
            told = [
                BeamCandidate(
                    o,
                    t,
                    order,
                    total,
                    finished.score(total, self.step + 1, self._coverage(covered, place, group, o)),
                )
                for order, total, o, t in candidates
                if order > NEVER
            ]
            self.recorder.considered(group, told, judged)
        finished.is_done = live == 0 or self.step + 1 >= longest or finished.is_complete(best, self.step + 1)

    def _finish(
        self,
        place: int,
        sentence: int,
        group: int,
        origin: int,
        total: float,
        token: int | None,
        covered: list[float] | None,
    ) -> None:
        """Store one hypothesis: ended by </s>, or truncated after `token`."""
        before = tuple(self._history[place, group, origin].tolist())
        ended = token == self._limits.eos
        hypothesis = self._finished[sentence][group].add(
            before if ended or token is None else (*before, token),
            total,
            ended=ended,
            met=self._must is None or self._must.is_met(sentence, origin, None if ended else token),
            coverage=self._coverage(covered, place, group, origin),
        )
        if self.recorder is not None:
            self.recorder.finished(group, origin, token, hypothesis)

    def _coverage(self, covered: list[float] | None, place: int, group: int, origin: int) -> float:
        _, groups, width = self._totals.shape
        return 0.0 if covered is None else covered[(place * groups + group) * width + origin]

    def _keep(self, totals: Tensor, origin: Tensor, token: Tensor) -> None:
        """Continue with the selected candidates, (b, g, w) each, of sentences that are not done."""
        _, groups, before = self._totals.shape
        places = [
            place
            for place, sentence in enumerate(self.sentences)
            if not all(group.is_done for group in self._finished[sentence])
            and not (self.observer is not None and self.observer.is_cancelled(sentence))
        ]
        if self._must is not None:
            for place in places:
                if self.sentences[place] in self._must:
                    self._must.move(
                        self.sentences[place], origin[place, 0].tolist(), token[place, 0].tolist()
                    )
        keep = torch.tensor(places, dtype=torch.long, device=totals.device)
        if len(places) < len(self.sentences):
            totals, origin, token = totals[keep], origin[keep], token[keep]
        beams = keep[:, None] * groups + torch.arange(groups, device=keep.device)
        self.rows = (beams[:, :, None] * before + origin).flatten()
        history = self._history.flatten(0, 2)[self.rows].view(*origin.shape, self.step)
        self._history = torch.cat([history, token[..., None]], dim=-1)
        self.sentences = [self.sentences[place] for place in places]
        self._totals, self.tokens = totals, token.flatten()
        self.step += 1
