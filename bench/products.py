"""Matrix products that a training step cannot do without, each with both of its gradients."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Product:
    """A weight matrix, and the words whose vectors meet it, in groups that follow one another."""

    groups: list[int]
    inputs: int
    outputs: int

    @property
    def operations(self) -> int:
        """Multiplications and additions of the three meetings."""
        return 6 * sum(self.groups) * self.inputs * self.outputs

    def work(self) -> Callable[[], None]:
        """The three meetings: forward, for the gradient of the inputs, for that of the weights."""
        words = sum(self.groups)
        weight = torch.randn(self.inputs, self.outputs)
        inputs, outputs = torch.randn(words, self.inputs), torch.randn(words, self.outputs)
        made, to_inputs = torch.empty_like(outputs), torch.empty_like(inputs)
        to_weight = torch.empty_like(weight)
        parts = [torch.split(tensor, self.groups) for tensor in (inputs, made, outputs, to_inputs)]

        def do() -> None:
            for given, result, _, _ in zip(*parts, strict=True):
                torch.mm(given, weight, out=result)
            for _, _, gradient, result in zip(*parts, strict=True):
                torch.mm(gradient, weight.t(), out=result)
            torch.mm(inputs.t(), outputs, out=to_weight)

        return do


@dataclass(frozen=True)
class Look:
    """The two products of an attention with several heads: queries with keys, weights with values.

    Sentences of the same two lengths are done together, so that no padding is touched.
    """

    asking: Tensor
    """(b,) queries of each sentence."""
    seen: Tensor
    """(b,) its keys."""
    heads: int
    size: int

    @property
    def operations(self) -> int:
        """Multiplications and additions of both products and their gradients."""
        return 12 * self.heads * self.size * int((self.asking * self.seen).sum())

    def work(self) -> Callable[[], None]:
        """Both products, and what each owes to its two sides."""
        pairs = zip(self.asking.tolist(), self.seen.tolist(), strict=True)
        groups = [self._group(count, *lengths) for lengths, count in Counter(pairs).items()]

        def do() -> None:
            for group in groups:
                group()

        return do

    def _group(self, sentences: int, asking: int, seen: int) -> Callable[[], None]:
        rows = sentences * self.heads
        queries, contexts = torch.randn(rows, asking, self.size), torch.randn(rows, asking, self.size)
        keys, values = torch.randn(rows, seen, self.size), torch.randn(rows, seen, self.size)
        weights, scores = torch.randn(rows, asking, seen), torch.empty(rows, asking, seen)
        to_queries, to_keys = torch.empty_like(queries), torch.empty_like(keys)

        def do() -> None:
            torch.bmm(queries, keys.mT, out=scores)
            torch.bmm(weights, values, out=to_queries)
            torch.bmm(contexts, values.mT, out=scores)
            torch.bmm(weights.mT, contexts, out=to_keys)
            torch.bmm(weights, keys, out=to_queries)
            torch.bmm(weights.mT, queries, out=to_keys)

        return do
