"""What the words are worth that attention is on: erasure, leaving one out, gradients, the rationale."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from regard.analysis.reruns import output_change, probabilities
from regard.data.batching import Ids, length_batches
from regard.inference.inputs import EncodedTexts
from regard.inference.interventions import SentenceEdits
from regard.metrics.statistics import Floats
from regard.tasks.classification.output_types import MultiLabel
from regard.tasks.classification.predictor import Classifier, padded

SHARES = (0.01, 0.05, 0.1, 0.2, 0.5)
"""Of the words of a text that are erased, or left alone (DeYoung et al. 2020)."""
_BATCH_TOKENS = 4096


@dataclass(frozen=True)
class TextWords:
    """A text of a classifier with its words."""

    encoded: EncodedTexts
    tokens: tuple[tuple[int, ...], ...]
    """Of each word, counted with special tokens."""
    attention: Floats
    """(words,): the mean over rows, heads and layers."""
    all_tokens: Floats
    """(tokens,): the same token by token, special ones included."""

    def without(self, words: Sequence[int]) -> list[Ids]:
        """The ids without some words."""
        side = self.encoded.sides[0]
        gone = frozenset(token - len(side.before) for word in words for token in self.tokens[word])
        return self.encoded.without([SentenceEdits(removed=gone)]).ids


def words_of(encoded: EncodedTexts, record: Any) -> TextWords:
    """The words of a text, and the attention that each of them gets."""
    side = encoded.sides[0]
    shown = record.words(specials=False)
    first = len(side.before)
    tokens = tuple(tuple(side.members(first + word)) for word in range(len(shown.columns)))
    weights = shown.weights.mean(axis=0, dtype=np.float64)
    kept = [word for word, own in enumerate(tokens) if own]
    return TextWords(
        encoded,
        tuple(tokens[word] for word in kept),
        weights[kept],
        record.tokens().weights.mean(axis=0, dtype=np.float64),
    )


def outputs_of(model: Classifier, rows: Sequence[Sequence[Ids]]) -> Tensor:
    """The probabilities of texts, (n, outputs); a text that comes twice is read once."""
    places: dict[tuple[tuple[int, ...], ...], int] = {}
    keys = [tuple(tuple(map(int, ids)) for ids in row) for row in rows]
    for key in keys:
        places.setdefault(key, len(places))
    found = torch.from_numpy(model.logits([list(map(list, key)) for key in places]))
    return probabilities(model, found[[places[key] for key in keys]])


@dataclass(frozen=True)
class Erasure:
    """What the probability of the predicted label loses, for each text, (n,): the mean over `SHARES`."""

    comprehensiveness: Floats
    """Without the words that come first in an order."""
    sufficiency: Floats
    """With these words alone."""
    curve: tuple[tuple[float, float, float], ...]
    """For each share: the mean of both over the texts."""


def erasure(
    model: Classifier, texts: Sequence[TextWords], orders: Sequence[npt.NDArray[np.intp]], before: Tensor
) -> Erasure:
    """Erase the first words of an order, and all others.

    orders: of each text, its words, the first to be erased first
    """
    rows: list[list[Ids]] = []
    for text, order in zip(texts, orders, strict=True):
        for share in SHARES:
            count = erased(len(order), share)
            rows += [text.without(order[:count].tolist()), text.without(order[count:].tolist())]
    label = before.argmax(-1)
    after = outputs_of(model, rows).view(len(texts), len(SHARES), 2, -1)
    kept = after.gather(-1, label[:, None, None, None].expand(-1, len(SHARES), 2, 1)).squeeze(-1)
    lost = (before.gather(1, label[:, None])[:, :, None] - kept).numpy()  # (n, shares, 2)
    curve = tuple(
        (share, float(lost[:, place, 0].mean()), float(lost[:, place, 1].mean()))
        for place, share in enumerate(SHARES)
    )
    return Erasure(lost[..., 0].mean(axis=1), lost[..., 1].mean(axis=1), curve)


def erased(words: int, share: float) -> int:
    """How many words are erased: the share, rounded up; at least one is, and at least one stays."""
    return max(1, min(words - 1, int(np.ceil(share * words))))


def leave_one_out(model: Classifier, texts: Sequence[TextWords], before: Tensor) -> list[Floats]:
    """For each word of each text the TVD of the output with and without it."""
    rows = [text.without([word]) for text in texts for word in range(len(text.tokens))]
    counts = [len(text.tokens) for text in texts]
    whole = before.repeat_interleave(torch.tensor(counts), dim=0)
    several = isinstance(model.answer, MultiLabel)
    changes = output_change(whole, outputs_of(model, rows), several=several).numpy()
    return np.split(changes, np.cumsum(counts)[:-1])


def gradients(model: Classifier, texts: Sequence[TextWords]) -> list[Floats]:
    """For each word of each text |Σ e · ∂z/∂e| over its tokens, where z is the log-odds of the prediction.

    e is the word vector. This is the gradient for the input as one-hot vectors, at the word that is there;
    the log-odds grow with ŷ, so that the order of the words is that of ∂ŷ, and is not lost where ŷ is near 1.
    """
    found: dict[int, Floats] = {}
    lengths = [len(text.all_tokens) for text in texts]
    for rows in length_batches(lengths, budget=_BATCH_TOKENS):
        each = _token_gradients(model, [texts[row] for row in rows])
        for row, own in zip(rows, each, strict=True):
            found[row] = np.array([abs(own[list(tokens)].sum()) for tokens in texts[row].tokens])
    return [found[row] for row in range(len(texts))]


def _token_gradients(model: Classifier, texts: Sequence[TextWords]) -> Iterator[Floats]:
    name = model.network.source_vocab_params[0].rpartition(".")[0]
    seen: list[Tensor] = []
    handle = model.module.get_submodule(name).register_forward_hook(lambda *call: seen.append(call[2]))
    try:
        first, second = padded([text.encoded.ids for text in texts], model.device)
        with torch.enable_grad():
            logits = model.network(*first, **second).logits.double()
            if logits.shape[1] > 1:
                best = logits.argmax(-1, keepdim=True)
                others = logits.scatter(1, best, -torch.inf).logsumexp(-1)
                odds = logits.gather(1, best).squeeze(1) - others
            else:
                odds = logits.squeeze(1)
            (gradient,) = torch.autograd.grad(odds.sum(), seen[:1])
    finally:
        handle.remove()
    each = (seen[0].detach() * gradient).sum(-1).double().cpu()
    sizes = [len(text.all_tokens) for text in texts]
    rows = each if each.dim() == 2 else torch.split(each, sizes)
    for row, size in zip(rows, sizes, strict=True):
        yield row[:size].numpy()


def rationale_counts(texts: Sequence[TextWords], carriers: Sequence[frozenset[int]]) -> Floats:
    """Of the k most attended words, where k words are the rationale: hits, k, and the words of the text.

    Precision and recall at this k are the same number, hits / k; chance is k / words.
    """
    counts = []
    for text, right in zip(texts, carriers, strict=True):
        k = len(right)
        top = np.argsort(-text.attention, kind="stable")[:k].tolist()
        counts.append((len({*top} & right), k, len(text.attention)))
    return np.array(counts, dtype=np.float64).reshape(-1, 3)
