"""Bahdanau's network the way it is usually written in plain torch: a side that needs no installation.

nn.LSTM, nn.LSTMCell with the context beside its input, F.dropout, F.cross_entropy, Adam.
"""

import sys
from collections.abc import Callable

import torch
from bench.job import Job, Network
from bench.padded import read_batches, torch_steps, training_facts
from bench.worker import Facts, serve
from torch import Tensor, nn
from torch.nn import functional as F


class Plain(nn.Module):
    def __init__(self, job: Job) -> None:
        super().__init__()
        network, entries = job.network, job.vocabulary
        if not isinstance(network, Network):
            raise SystemExit("plain torch has the recurrent network alone")
        self.pad, self.rate = job.pad, network.dropout
        width, hidden, states = network.embedding, network.decoder, network.states
        self.source, self.target = nn.Embedding(entries, width), nn.Embedding(entries, width)
        self.encoder = nn.LSTM(width, network.encoder, batch_first=True, bidirectional=True)
        self.bridge = nn.Linear(states, 2 * hidden)
        self.query = nn.Linear(hidden, network.align, bias=False)
        self.key = nn.Linear(states, network.align, bias=False)
        self.energy = nn.Linear(network.align, 1, bias=False)
        self.cell = nn.LSTMCell(width + states, hidden)
        self.readout = nn.Linear(hidden + width + states, network.readout)
        self.output = nn.Linear(network.readout, entries)

    def forward(self, source: Tensor, fed: Tensor) -> Tensor:
        """The logits, (b, t, v)."""
        states, _ = self.encoder(F.dropout(self.source(source), self.rate))
        states = F.dropout(states, self.rate)
        keys = self.key(states)
        mask = source != self.pad
        hidden, memory = self.bridge(states[:, -1]).tanh().chunk(2, dim=1)
        outputs = []
        for word in F.dropout(self.target(fed), self.rate).unbind(1):
            scores = self.energy(torch.tanh(self.query(hidden)[:, None] + keys)).squeeze(-1)
            weights = scores.masked_fill(~mask, float("-inf")).softmax(-1)
            context = (weights[:, None] @ states).squeeze(1)
            hidden, memory = self.cell(torch.cat([word, context], dim=-1), (hidden, memory))
            outputs.append(self.readout(torch.cat([hidden, word, context], dim=-1)).tanh())
        logits: Tensor = self.output(F.dropout(torch.stack(outputs, 1), self.rate))
        return logits


def main() -> None:
    job = Job.read(sys.argv[1])

    def prepare() -> tuple[Facts, Callable[[], Facts]]:
        torch.manual_seed(job.seed)
        model = Plain(job)
        batches = read_batches(job)
        work = torch_steps(job, model, batches, lambda batch, fed: model(batch.source, fed))
        return training_facts(f"torch {torch.__version__}", model, batches, job.pad), work

    serve(prepare, polite=job.polite)


if __name__ == "__main__":
    main()
