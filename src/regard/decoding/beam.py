"""Beam search, one for every decoder."""

import torch
from torch import Tensor

from regard.decoding.hypothesis import Hypothesis
from regard.decoding.limits import Limits
from regard.nn.step import Decoder, S
from regard.nn.trace import Trace

NEVER = float("-inf")


@torch.inference_mode()
def beam_search(
    decoder: Decoder[S],
    source: Tensor,
    lengths: Tensor,
    limits: Limits,
    *,
    beam_size: int,
    alpha: float = 1.0,
    trace: Trace | None = None,
) -> list[list[Hypothesis]]:
    """Write up to `beam_size` sentences for each source sentence, best first.

    A hypothesis that ends leaves the beam for the list of finished ones. A sentence is done, and leaves the
    batch, when `beam_size` finished hypotheses score better than the best live one does so far, or at its
    longest length. (As soon as `beam_size` are finished would be too soon: where a model is sure of itself,
    poor hypotheses that end early fill the list while the good one is still being written.) Each
    sentence is searched as if it were alone.
    """
    device = source.device
    searches = [_Finished(beam_size, alpha, longest) for longest in limits.max_lengths]
    state = decoder.start(source, lengths, trace=trace)
    sentences = torch.arange(len(source), device=device)  # of each group of rows
    # The first step has one hypothesis a sentence; the rows of its beam are made by the first selection.
    totals = torch.zeros(len(source), 1, device=device, dtype=torch.float64)
    history = torch.zeros(len(source), 1, 0, dtype=torch.long, device=device)
    tokens = torch.full((len(source),), limits.bos, device=device)
    step = 0
    while len(sentences):
        width = totals.shape[1]
        if trace is not None:
            trace.examples, trace.step = sentences.repeat_interleave(width).tolist(), step
        logits, state = decoder.step(tokens, state, trace=trace)
        steps = limits.forbid(logits).view(len(sentences), width, -1)
        size = steps.shape[-1]
        # Each hypothesis can end in one way, so 2 * beam_size candidates hold beam_size that go on.
        candidates = min(2 * beam_size, width * (size - len(limits.never)))
        gained, flat = (totals[:, :, None] + steps).flatten(1).topk(candidates, dim=1)
        origin, token = flat // size, flat % size  # (b, candidates)
        alive = _advance(searches, sentences.tolist(), limits, history, gained, origin, token, step)
        # The beam_size best candidates that go on, in the order of their scores.
        going = gained.masked_fill(token == limits.eos, NEVER)
        totals, picked = going.topk(min(beam_size, going.shape[1]), dim=1)
        origin, token = origin.gather(1, picked), token.gather(1, picked)
        keep = torch.tensor(alive, dtype=torch.long, device=device)
        rows = (keep[:, None] * width + origin[keep]).flatten()
        history = torch.cat(
            [history.flatten(0, 1)[rows].view(*origin[keep].shape, step), token[keep][:, :, None]], dim=-1
        )
        sentences, totals, tokens = sentences[keep], totals[keep], token[keep].flatten()
        state = state.select(rows)
        step += 1
    return [search.ranked() for search in searches]


class _Finished:
    """The finished hypotheses of one sentence."""

    def __init__(self, wanted: int, alpha: float, longest: int) -> None:
        self.wanted = wanted
        self.alpha = alpha
        self.longest = longest
        self.hypotheses: list[Hypothesis] = []

    def add(self, tokens: tuple[int, ...], total: float, *, ended: bool) -> None:
        score = total / (len(tokens) + ended) ** self.alpha
        self.hypotheses.append(Hypothesis(tokens, total, score, ended))

    def is_complete(self, best_live: float, length: int) -> bool:
        """True if enough hypotheses are finished, each better than the best live one at its length."""
        ranked = self.ranked()
        return len(ranked) == self.wanted and ranked[-1].score >= best_live / float(length) ** self.alpha

    def ranked(self) -> list[Hypothesis]:
        return sorted(self.hypotheses, key=lambda h: (h.ended, h.score), reverse=True)[: self.wanted]


def _advance(
    searches: list[_Finished],
    sentences: list[int],
    limits: Limits,
    history: Tensor,
    gained: Tensor,
    origin: Tensor,
    token: Tensor,
    step: int,
) -> list[int]:
    """Put away what ends at this step; the places, in the batch, of the sentences that go on."""
    ends = token == limits.eos
    totals, ended, origins, tokens = gained.tolist(), ends.tolist(), origin.tolist(), token.tolist()
    alive = []
    for place, sentence in enumerate(sentences):
        search = searches[sentence]
        live: list[int] = []
        for candidate, total in enumerate(totals[place]):
            if total == NEVER or len(live) == search.wanted:
                break
            if not ended[place][candidate]:
                live.append(candidate)
            else:
                before = history[place, origins[place][candidate]].tolist()
                search.add(tuple(before), total, ended=True)
        if step + 1 >= search.longest:
            for candidate in live:
                before = history[place, origins[place][candidate]].tolist()
                search.add((*before, tokens[place][candidate]), totals[place][candidate], ended=False)
        elif live and not search.is_complete(totals[place][live[0]], step + 1):
            alive.append(place)
    return alive
