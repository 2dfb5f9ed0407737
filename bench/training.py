"""One training step of the `bahdanau` recipe, against the same network in plain torch and the floor.

plain: nn.LSTM, nn.LSTMCell with the context concatenated to its input, F.dropout, F.cross_entropy, Adam: the
       way the network is usually written.
floor: the time of the step's large matrix products alone, forward and backward.
All in one process, interleaved, medians of 5 rounds, on sentences as long as Multi30k's.
"""

import statistics
import time
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from regard.config.load import load_recipe
from regard.config.model import AttentionConfig
from regard.data.batching import Batch, EncodedPair, Symbols, make_batch
from regard.models.catalogue import build_seq2seq
from regard.nn.loss import loss_of
from regard.nn.noise import Noise
from regard.training.loop import make_optimizer

VOCABULARY, ROWS, SOURCE, TARGET = 6000, 64, 15, 14
CONFIG = load_recipe("bahdanau").model
ALIGN = AttentionConfig().hidden_size
OPTIMIZER = load_recipe("bahdanau").training.optimizer


def make_data() -> Batch:
    random = torch.Generator().manual_seed(1)

    def sentence(length: int) -> tuple[int, ...]:
        return tuple(torch.randint(4, VOCABULARY, (length,), generator=random).tolist())

    pairs = [EncodedPair(sentence(SOURCE), sentence(TARGET)) for _ in range(ROWS)]
    return make_batch(pairs, range(ROWS), Symbols(0, 2, 3))


def regard_step(batch: Batch) -> Callable[[], None]:
    model = build_seq2seq(CONFIG, source_size=VOCABULARY, target_size=VOCABULARY)
    optimizer = make_optimizer(model, OPTIMIZER)

    def step() -> None:
        written = model.forced(batch.source, batch.lengths, batch.fed, noise=Noise(model, seed=1, step=1))
        loss, _ = loss_of(written.at(batch.real), batch.wanted[batch.real], smoothing=0.1)
        finish(loss / batch.real.sum(), model, optimizer)

    return step


class Plain(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        width, states = CONFIG.embedding_size, 2 * CONFIG.encoder.hidden_size
        hidden, align = CONFIG.decoder.hidden_size, ALIGN
        self.source, self.target = nn.Embedding(VOCABULARY, width), nn.Embedding(VOCABULARY, width)
        self.encoder = nn.LSTM(width, states // 2, batch_first=True, bidirectional=True)
        self.bridge = nn.Linear(states, 2 * hidden)
        self.query, self.key = nn.Linear(hidden, align, bias=False), nn.Linear(states, align, bias=False)
        self.energy = nn.Linear(align, 1, bias=False)
        self.cell = nn.LSTMCell(width + states, hidden)
        self.readout = nn.Linear(hidden + width + states, width)
        self.bias = nn.Parameter(torch.zeros(VOCABULARY))

    def forward(self, batch: Batch) -> Tensor:
        rate = CONFIG.dropout
        states, _ = self.encoder(F.dropout(self.source(batch.source), rate))
        states = F.dropout(states, rate)
        keys = self.key(states)
        mask = batch.source != 0
        hidden, memory = self.bridge(states[:, -1]).tanh().chunk(2, dim=1)
        outputs = []
        for word in F.dropout(self.target(batch.fed), rate).unbind(1):
            scores = self.energy(torch.tanh(self.query(hidden)[:, None] + keys)).squeeze(-1)
            weights = scores.masked_fill(~mask, float("-inf")).softmax(-1)
            context = (weights[:, None] @ states).squeeze(1)
            hidden, memory = self.cell(torch.cat([word, context], dim=-1), (hidden, memory))
            outputs.append(self.readout(torch.cat([hidden, word, context], dim=-1)).tanh())
        return F.linear(F.dropout(torch.stack(outputs, 1), rate), self.target.weight, self.bias)


def plain_step(batch: Batch) -> Callable[[], None]:
    model = Plain()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

    def step() -> None:
        logits = model(batch).flatten(0, 1)
        loss = F.cross_entropy(logits, batch.wanted.flatten(), ignore_index=0, label_smoothing=0.1)
        finish(loss, model, optimizer)

    return step


def finish(loss: Tensor, model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
    torch.autograd.backward(loss)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)


def floor_step(batch: Batch) -> Callable[[], None]:
    """Each weight matrix meets its inputs three times: forward, gradient of inputs, gradient of weights."""
    width, enc = CONFIG.embedding_size, CONFIG.encoder.hidden_size
    hidden, align, states = CONFIG.decoder.hidden_size, ALIGN, 2 * enc
    source, target = batch.source.numel(), batch.fed.numel()
    recurrent = [(ROWS, enc, 4 * enc, 2 * batch.source.shape[1])]
    recurrent += [
        (ROWS, hidden, 4 * hidden, batch.fed.shape[1]),
        (ROWS, states, 4 * hidden, batch.fed.shape[1]),
    ]
    recurrent += [(ROWS, hidden, align, batch.fed.shape[1])]
    whole = [(source, width, 8 * enc, 1), (source, states, align, 1), (target, width, 4 * hidden, 1)]
    whole += [(target, hidden + width + states, width, 1), (target, width, VOCABULARY, 1)]
    work = [
        (torch.randn(n, i), torch.randn(i, o), torch.randn(n, o), times)
        for n, i, o, times in recurrent + whole
    ]

    def step() -> None:
        for inputs, weight, gradient, times in work:
            for _ in range(times):
                inputs @ weight
                gradient @ weight.T
                inputs.T @ gradient

    return step


def main() -> None:
    batch = make_data()
    steps = {"regard": regard_step(batch), "plain torch": plain_step(batch), "floor": floor_step(batch)}
    for step in steps.values():
        step()
    rounds: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(5):
        for name, step in steps.items():
            begun = time.perf_counter()
            for _ in range(4):
                step()
            rounds[name].append((time.perf_counter() - begun) / 4)
    tokens = int(batch.real.sum())
    own = statistics.median(rounds["regard"])
    for name, seconds in rounds.items():
        median = statistics.median(seconds)
        rate = f"{median * 1000:7.0f} ms a step {tokens / median:9,.0f} tokens/s"
        print(f"{name:<12}{rate}   {median / own:5.2f}x regard's time")


if __name__ == "__main__":
    main()
