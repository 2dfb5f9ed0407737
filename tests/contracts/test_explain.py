"""Every attention of every model can be computed again from what it tells about itself."""

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from tests.contracts.models import ATTENDING
from tests.contracts.test_edits import side
from tests.contracts.test_encoder_decoders import PAIRS, forced_logits, make, whole

from regard.inference.explain import explain_row
from regard.insight.token_axis import TokenAxis
from regard.nn.trace import Trace


@pytest.mark.parametrize("name", ATTENDING)
def test_each_weight_is_the_softmax_of_its_own_formula(name: str) -> None:
    model = make(name)
    pieces = tuple(f"t{n}" for n in range(len(PAIRS[0].target)))
    target = TokenAxis(" ".join(pieces), pieces, tuple((3 * n, 3 * n + 2) for n in range(len(pieces))))
    trace = Trace(model)
    with torch.no_grad():  # as explaining does: else the products are made by another kernel
        forced_logits(model, [0], trace=trace)
    for path in model.attentions:
        seen = torch.cat([sight.weights for sight in trace.kept[path]], dim=-2)[0]
        heads = [None] if seen.dim() == 2 else range(len(seen))
        for head in heads:
            own = seen if head is None else seen[head]
            for row in range(len(own)):
                told = explain_row(model, PAIRS[0], side(0), target, row=row, column=0, path=path, head=head)
                assert_allclose(told.model, own[row].detach().numpy(), atol=1e-7)
                assert told.error < 1e-5
                assert told.formula[:6] in ("e_j = ", "a_i = ", "b_j = ")
                looks = own[row].sum() > 0  # the first word of an LSTMN has nothing to look back at
                assert (told.weights.sum() == pytest.approx(1.0)) == (whole(name) and bool(looks))
                assert_allclose(told.context, own[row].detach().numpy() @ told.values, atol=1e-5)
                assert all(term.shape[-1] == told.summands.shape[-1] for term in told.terms.values())
                assert np.isfinite(told.summands).all()
