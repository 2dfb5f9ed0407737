"""The LSTMN against its equations, written down position by position."""

import math
from collections.abc import Sequence

import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close

from regard.config.model import LSTMNConfig
from regard.errors import ShapeError
from regard.nn.dropout import DropoutRng
from regard.nn.fusion import DeepFusion
from regard.nn.lstmn import LSTMN, LSTMNLayer
from regard.nn.trace import AttentionWeights, Trace

B, T, S, X, H, A = 2, 5, 4, 3, 4, 6
LENGTHS = torch.tensor([4, 2])


def network(
    layers: int = 2, *, deep_fusion: bool = False, input_size: int = X, dropout: float = 0.0
) -> LSTMN:
    torch.manual_seed(layers)
    config = LSTMNConfig(hidden_size=H, attention_size=A, layers=layers)
    made = LSTMN(config, input_size=input_size, dropout=dropout, deep_fusion=deep_fusion)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.mul_(2.0)  # far from the flat part of every function
    return made.double()


def words(steps: int = T) -> Tensor:
    return torch.randn(B, steps, X, dtype=torch.double, generator=torch.Generator().manual_seed(3))


def attend(scores: list[Tensor], tapes: Sequence[Tensor]) -> list[Tensor]:
    """Σ_i softmax(a)_i tape_i for each tape, in plain numbers."""
    if not scores:
        return [torch.zeros(H, dtype=torch.double) for _ in tapes]
    weights = torch.stack(scores).exp() / torch.stack(scores).exp().sum()
    return [torch.stack([w * value for w, value in zip(weights, tape, strict=True)]).sum(0) for tape in tapes]


def naive_layer(
    layer: LSTMNLayer, fusion: DeepFusion | None, xs: Tensor, source: tuple[Tensor, Tensor] | None
) -> tuple[Tensor, Tensor]:
    """One sentence, (t, x), by equations 4 to 13 of the paper: h and c, (t, d)."""
    hidden: list[Tensor] = []
    memory: list[Tensor] = []
    h_tilde = gamma_tilde = torch.zeros(H, dtype=torch.double)
    for x in xs:
        v = layer.energy.weight[0]
        scores = [v @ torch.tanh(layer.key(h) + layer.look(x) + layer.summary(h_tilde)) for h in hidden]
        h_tilde, c_tilde = attend(scores, [hidden, memory])  # type: ignore[list-item]
        i, f, o, g = (layer.input(x) + layer.hidden(h_tilde)).chunk(4)
        c = torch.sigmoid(f) * c_tilde + torch.sigmoid(i) * torch.tanh(g)
        if fusion is not None and source is not None:
            u, (gammas, alphas) = fusion.energy.weight[0], source
            inter = [
                u @ torch.tanh(fusion.key(gamma) + fusion.look(x) + fusion.summary(gamma_tilde))
                for gamma in gammas
            ]
            gamma_tilde, alpha_tilde = attend(inter, [gammas, alphas])
            c = c + torch.sigmoid(fusion.gate(torch.cat([gamma_tilde, x]))) * alpha_tilde
        hidden.append(torch.sigmoid(o) * torch.tanh(c))
        memory.append(c)
    return torch.stack(hidden), torch.stack(memory)


def naive(
    model: LSTMN, xs: Tensor, sources: Sequence[tuple[Tensor, Tensor]] = ()
) -> list[tuple[Tensor, Tensor]]:
    """The tapes of each layer for one sentence."""
    tapes = []
    for number, layer in enumerate(model.layers):
        fusion = model.fusions[number] if sources else None
        tapes.append(naive_layer(layer, fusion, xs, sources[number] if sources else None))  # type: ignore[arg-type]
        xs = tapes[-1][0]
    return tapes


@pytest.mark.parametrize("layers", [1, 3])
def test_it_equals_the_equations(layers: int) -> None:
    """Values and gradients, of the inputs and of every parameter, through both tapes and the summary."""
    model, inputs = network(layers), words().requires_grad_()
    states, after = model(inputs)
    pulls = [torch.randn(B, T, H, dtype=torch.double) for _ in range(2)]
    top = after.layers[-1]
    ours = (top.hidden * pulls[0] + top.memory * pulls[1]).sum()
    tapes = [naive(model, row) for row in inputs]
    hidden, memory = (torch.stack([row[-1][part] for row in tapes]) for part in range(2))
    assert_close(states, hidden)
    assert_close(top.memory, memory)
    theirs = (hidden * pulls[0] + memory * pulls[1]).sum()
    given = [inputs, *model.parameters()]
    for one, other in zip(torch.autograd.grad(ours, given), torch.autograd.grad(theirs, given), strict=True):
        assert_close(one, other)
        assert one.any()


@pytest.mark.parametrize("gradients", [False, True])
def test_residual_layers_add_what_they_read(gradients: bool) -> None:
    """From the second on; in one pass, word by word, and while somebody looks."""
    model = network(3)
    model.residual = True
    inputs = words()
    with torch.set_grad_enabled(gradients):
        states, after = model(inputs)
        (first, second, third), below = model.layers, states.new_zeros(B, T, H)
        for row, xs in enumerate(inputs):
            one = naive_layer(first, None, xs, None)[0]  # type: ignore[arg-type]
            two = one + naive_layer(second, None, one, None)[0]  # type: ignore[arg-type]
            below[row] = two + naive_layer(third, None, two, None)[0]  # type: ignore[arg-type]
        assert_close(states, below)
        assert not torch.allclose(states, after.layers[-1].hidden)
        state = None
        for step in range(T):
            state_of_step, state = model(inputs[:, step : step + 1], state)
            assert_close(state_of_step[:, 0], states[:, step])
        assert_close(model(inputs, trace=Trace(model))[0], states)


def test_deep_fusion_equals_the_equations() -> None:
    """A source of two layers, sentences of 4 and 2 words; gradients of reader and writer."""
    reader, writer = network(2), network(2, deep_fusion=True)
    source, inputs = words(S).requires_grad_(), words().flip(0).requires_grad_()
    read = reader(source)[1]
    states, _ = writer(inputs, sources=writer.remember(read, LENGTHS))
    expected = torch.stack(
        [
            naive(writer, row, naive(reader, sentence[:length]))[-1][0]
            for row, sentence, length in zip(inputs, source, LENGTHS, strict=True)
        ]
    )
    assert_close(states, expected)
    pull = torch.randn_like(states)
    given = [source, inputs, *reader.parameters(), *writer.parameters()]
    for one, other in zip(
        torch.autograd.grad((states * pull).sum(), given),
        torch.autograd.grad((expected * pull).sum(), given),
        strict=True,
    ):
        assert_close(one, other)
        assert one.any()


@pytest.mark.parametrize("deep_fusion", [False, True])
@pytest.mark.parametrize("gradients", [False, True])
def test_steps_equal_one_pass(deep_fusion: bool, gradients: bool) -> None:
    """One at a time, or some and then the others, with gradients through the state between."""
    model = network(2, deep_fusion=deep_fusion)
    inputs = words().requires_grad_()
    with torch.set_grad_enabled(gradients):
        read = network(2)(words(S))[1]
        sources = model.remember(read, LENGTHS) if deep_fusion else ()
        whole, end = model(inputs, sources=sources)
        for cuts in ([1] * T, [2, 3]):
            state, parts = model.start(B), []
            for part in torch.split(inputs, cuts, dim=1):
                shown, state = model(part, state, sources=sources)
                parts.append(shown)
            assert state.position == T
            assert_close(torch.cat(parts, 1), whole)
            for one, other in zip(state.layers, end.layers, strict=True):
                assert_close(one.tape.written, other.tape.written)
                assert_close(one.summary, other.summary)
            if gradients:
                given = [inputs, *model.parameters()]
                pull = torch.randn_like(whole)
                pulled = [
                    (out * pull).sum() + last.layers[0].summary.square().sum()
                    for out, last in ((torch.cat(parts, 1), state), (whole, end))
                ]
                grads = [torch.autograd.grad(each, given, retain_graph=True) for each in pulled]
                for one, other in zip(*grads, strict=True):
                    assert_close(one, other)


@pytest.mark.parametrize("deep_fusion", [False, True])
def test_looking_changes_nothing(deep_fusion: bool) -> None:
    """Neither the states nor the gradients; and every row is a distribution over what was read before."""
    model = network(2, deep_fusion=deep_fusion)
    with torch.no_grad():
        read = network(2)(words(S))[1]
    sources = model.remember(read, LENGTHS) if deep_fusion else ()
    plain, _ = model(words(), sources=sources)
    trace = Trace(model)
    trace.step = 7
    looked, _ = model(words(), sources=sources, trace=trace)
    assert trace.step == 7
    assert_close(looked, plain)
    given = list(model.parameters())
    for one, other in zip(
        *(torch.autograd.grad(s.square().sum(), given, retain_graph=True) for s in (plain, looked)),
        strict=True,
    ):
        assert_close(one, other)
    for path in ("layers.0", "layers.1"):
        sights = trace.kept[path]
        assert [sight.step for sight in sights] == list(range(T))
        weights = torch.cat([sight.weights for sight in sights], 1)
        assert weights.shape == (B, T, T)
        assert not weights.triu().any()  # nobody looks at itself or ahead
        assert not weights[:, 0].any()
        assert_close(weights[:, 1:].sum(-1), torch.ones(B, T - 1, dtype=torch.double))
    for path in ("fusions.0", "fusions.1") if deep_fusion else ():
        weights = torch.cat([sight.weights for sight in trace.kept[path]], 1)
        assert not weights[1, :, 2:].any()  # padding of the source
        assert_close(weights.sum(-1), torch.ones(B, T, dtype=torch.double))


def test_what_is_seen_step_by_step_is_what_one_pass_shows() -> None:
    model = network(1)
    whole, steps = Trace(model), Trace(model)
    model(words(), trace=whole)
    state = model.start(B)
    for part in torch.split(words(), 1, dim=1):
        _, state = model(part, state, trace=steps)
    for step, (one, other) in enumerate(zip(whole.kept["layers.0"], steps.kept["layers.0"], strict=True)):
        assert other.step == step
        assert other.weights.shape == (B, 1, step + 1)
        assert_close(one.weights[..., : step + 1], other.weights)


def test_an_edit_changes_what_comes_after_it() -> None:
    """Told at position 3 to look at position 0 alone, the states of positions 0 to 2 stay."""
    model = network(1)

    def look_at_first(sight: AttentionWeights) -> Tensor:
        forced = torch.zeros_like(sight.weights)
        forced[..., 0] = 1.0
        return forced if sight.step == 3 else sight.weights

    plain, _ = model(words())
    edited, _ = model(words(), trace=Trace(model, {"layers.0": look_at_first}))
    assert_close(edited[:, :3], plain[:, :3])
    assert not torch.isclose(edited[:, 3:], plain[:, 3:]).any()


def test_the_explanation_adds_up_to_the_scores() -> None:
    model = network(1)
    trace = Trace(model, inputs=True)
    model(words(), trace=trace)
    sight = trace.kept["layers.0"][3]
    assert sight.asked is not None
    told = model.layers[0].explain(sight.asked.query[0, 0], sight.asked.keys[0])  # type: ignore[operator]
    assert_close(told.summands.sum(1)[:3].softmax(0), sight.weights[0, 0, :3])


def test_padding_and_neighbours_do_not_matter() -> None:
    model = network(2)
    padded = words()
    padded[1, 2:] = 100.0
    states, _ = model(padded)
    alone, _ = model(words()[1:, :2])
    assert_close(states[1, :2], alone[0])


@pytest.mark.parametrize("deep_fusion", [False, True])
def test_rows_can_be_reordered_and_no_state_is_changed(deep_fusion: bool) -> None:
    """Three continuations of one state: a row twice, the rows swapped, and the state itself, once more."""
    model = network(2, deep_fusion=deep_fusion)
    with torch.no_grad():
        sources = model.remember(network(2)(words(S))[1], LENGTHS) if deep_fusion else ()
        rows = torch.tensor([1, 0, 1])
        of_rows = [source.select(rows) for source in sources]
        state = model(words()[:, :3], sources=sources)[1]
        first, _ = model(words()[:, 3:4], state, sources=sources)
        picked, longer = model(words()[rows, 3:4], state.select(rows), sources=of_rows)
        assert_close(picked, first[rows])
        again, _ = model(words()[rows, 4:], longer, sources=of_rows)
        assert_close(again, model(words(), sources=sources)[0][rows, 4:])
        other, _ = model(words()[:, :1], state, sources=sources)
        assert not torch.isclose(other, first).any()
        assert_close(model(words()[:, 3:4], state, sources=sources)[0], first)


def test_one_number_by_hand() -> None:
    """All of width 1, gates wide open: ĉ = tanh(x), c_t = c̃_t + ĉ_t, h_t = tanh(c_t).

    v = 0 looks at all positions alike, so c_3 = (c_1 + c_2) / 2 + tanh(x_3).
    """
    model = LSTMN(LSTMNConfig(hidden_size=1), input_size=1)
    for parameter in model.parameters():
        nn.init.zeros_(parameter)
    layer = model.layers[0]
    assert isinstance(layer, LSTMNLayer)
    with torch.no_grad():
        layer.input.bias.copy_(torch.tensor([100.0, 100.0, 100.0, 0.0]))
        layer.input.weight[3] = 1.0
    _, after = model(torch.tensor([[[0.5], [-1.0], [2.0]]]))
    c_1 = math.tanh(0.5)
    c_2 = c_1 + math.tanh(-1.0)
    c_3 = (c_1 + c_2) / 2 + math.tanh(2.0)
    assert_close(after.layers[0].memory, torch.tensor([[[c_1], [c_2], [c_3]]]))
    assert_close(after.layers[0].hidden, torch.tensor([[[c_1], [c_2], [c_3]]]).tanh())


def test_dropout_is_between_the_layers() -> None:
    one, two = network(1, dropout=0.5), network(2, dropout=0.5)
    for model, same in ((one, True), (two, False)):
        noisy, _ = model(words(), rng=DropoutRng(model, seed=1, step=1))
        assert torch.equal(noisy, model(words())[0]) is same


def test_a_source_of_other_layers_is_refused() -> None:
    with pytest.raises(ShapeError, match="expected a source of 2 layers, found 1"):
        network(2, deep_fusion=True).remember(network(1)(words(S))[1], LENGTHS)
    with pytest.raises(ShapeError, match="expected 2 sources to attend to, found 0"):
        network(2, deep_fusion=True)(words())
