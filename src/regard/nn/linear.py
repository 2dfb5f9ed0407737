"""W x + b. Where no gradient is wanted, weights are laid out once in the way that the CPU reads them.

Left as they are, a product lays them out again each time, and with the few rows of a decoding step that is
most of its work. Rows, 256 x 8,000 weights, one thread, in microseconds:

                     1     5    16    64    320
    as they are    270   840  1600  4000  15000
    laid out       180   235   650  2500  12500

That is a CPU with AVX-512. Where there is only AVX2, kernels for laid out weights are the slower ones if rows
are many, or weights few. One thread (AMD Zen 3), in billions of operations a second, as they are / laid out:

    rows                1        5       16       32       64      512
    384 x 384       15/ 7    28/27    59/48    72/62    82/73    95/82
    384 x 1,152     19/13    31/45    65/63    75/74    86/77    89/77
    1,536 x 384     24/16    32/47    66/59    78/71    85/72    94/78
    256 x 8,000     18/17    25/55    45/68    46/63    56/69    78/77

So they are used there for few rows, and for vocabularies. Laid out, a row's values are the same, to the bit,
however many rows there are; where two kernels take turns, its last bits depend on that. The price is memory:
a second copy of the weights while a model is used. Weights that are written to through `.data` or numpy
change behind torch's back, and so behind this: write to them under `torch.no_grad()`.
"""

import weakref
from functools import cache

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.optim.optimizer import register_optimizer_step_post_hook

ROWS = 64
"""What the layout is chosen for; it serves other numbers, too."""
_Kept = tuple[tuple[int, int, int], Tensor, Tensor]
"""Where weights were, as what and when; the weights, so that nothing else can come to be there; laid out."""


class _Steps:
    """How many steps the optimizers of this process have taken: a fused one changes weights in silence."""

    def __init__(self) -> None:
        self.taken = 0

    def __call__(self, *_: object) -> None:
        self.taken += 1


class _Layouts:
    """What was laid out, for as long as its weights are there.

    It is not put into the weights themselves: what is there is copied and stored with them, and a layout can
    be neither.
    """

    def __init__(self) -> None:
        self._kept: dict[int, _Kept] = {}

    def get(self, weight: Tensor) -> _Kept | None:
        return self._kept.get(id(weight))

    def put(self, weight: Tensor, kept: _Kept) -> None:
        if id(weight) not in self._kept:
            weakref.finalize(weight, self._kept.pop, id(weight), None)
        self._kept[id(weight)] = kept


_layouts = _Layouts()
_steps = _Steps()
register_optimizer_step_post_hook(_steps)


class Linear(nn.Linear):
    """torch's own, but for how its product is made."""

    def forward(self, input: Tensor, onto: Tensor | None = None) -> Tensor:  # noqa: A002 (torch's name)
        """(…, i) -> (…, o).

        onto: what the result is added to, (…, o)

        A product that has a bias begins with a copy of it in every row, and adds to that. Begun with the sum
        of `onto` and the bias, it spares two passes.
        """
        if onto is None:
            return linear(input, self.weight, self.bias)
        as_one = self.bias is not None and input.dim() == 2 and onto.dtype == input.dtype
        if not as_one or _is_plain(input) or pays(len(input), *self.weight.shape):
            return onto + linear(input, self.weight, self.bias)
        return (onto + self.bias).addmm_(input, self.weight.t())


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """(…, i), (o, i) and (o,) -> (…, o)."""
    if _is_plain(x):
        return functional.linear(x, weight, bias)
    laid_out = _laid_out(weight) if pays(x.shape[:-1].numel(), *weight.shape) else None
    if laid_out is None:
        return functional.linear(x, weight, bias)
    made: Tensor = torch.ops.mkldnn._linear_pointwise(x, laid_out, bias, "none", [], "")
    return made


def _is_plain(x: Tensor) -> bool:
    """Whether torch's own product is the one to take, whatever the weights are."""
    if torch.is_grad_enabled() or torch.is_autocast_enabled("cpu"):
        return True
    return x.dtype != torch.float32 or x.dim() < 2


def pays(rows: int, outputs: int, inputs: int) -> bool:
    """Whether a product of so many rows is faster with weights that are laid out."""
    if has_avx512():
        return True
    return rows > 1 and (outputs >= 4096 or (rows < 16 and outputs * inputs >= 2**18))


@cache
def has_avx512() -> bool:
    """Whether torch computes with vectors of 512 bits here."""
    return torch.backends.cpu.get_cpu_capability().startswith("AVX512")


def _laid_out(weight: Tensor) -> Tensor | None:
    """Kept with the weights until they change; None if that cannot be.

    A view of weights is another tensor each time: what is made of it cannot be kept. One that was made in
    inference mode does not tell when it changes.
    """
    if not isinstance(weight, nn.Parameter) or weight.is_inference():
        return None
    now = weight.data_ptr(), weight._version, _steps.taken
    kept = _layouts.get(weight)
    if kept is not None and kept[0] == now:
        return kept[2]
    on_cpu = weight.device.type == "cpu" and torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    if not on_cpu or weight.dtype != torch.float32:
        return None
    made: Tensor = torch.ops.mkldnn._reorder_linear_weight(weight.detach(), ROWS)
    _layouts.put(weight, (now, weight.detach(), made))
    return made
