"""Layers: tensors in, tensors out.

One legend for all shapes: `b` batch, `s` source length, `t` target length, `q`/`k` query/key positions,
`h` heads, `d` hidden size, `v` vocabulary; batch first, always. Masks are bool, True = may be attended to.
"""

from regard.process import one_thread_after_a_fork

one_thread_after_a_fork()
