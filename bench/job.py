"""What all sides of a benchmark are given: one network, one set of batches.

Only the standard library is used: this is also read in the environments of the peers.
"""

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

Score = Literal["additive", "general"]
Query = Literal["previous", "current"]


@dataclass(frozen=True)
class Network:
    """A bidirectional LSTM encoder and an LSTM decoder with attention; sizes of every side."""

    score: Score
    query: Query
    """Which state of the decoder asks: the one before the word (Bahdanau), or the one after (Luong)."""
    input_feeding: bool
    """The decoder reads the last attentional vector beside the word. Where the previous state asks, it reads
    the context instead, which is as wide."""
    embedding: int = 256
    encoder: int = 256
    """Of one direction."""
    decoder: int = 512
    align: int = 512
    """Width of the additive score; the peers have that of the decoder."""
    readout: int = 512
    """Width before the vocabulary; the peers have that of the decoder."""
    dropout: float = 0.2

    @property
    def states(self) -> int:
        """Width of an encoder state."""
        return 2 * self.encoder


NETWORKS = {
    "bahdanau": Network("additive", "previous", input_feeding=False),
    "luong": Network("general", "current", input_feeding=True),
    "luong-plain": Network("general", "current", input_feeding=False),
    "additive": Network("additive", "current", input_feeding=True),
}
"""By name. What the peers call Bahdanau's attention is `additive`: the current state asks."""


@dataclass(frozen=True)
class Transformer:
    """An encoder and a decoder of attention alone; sizes of every side."""

    width: int = 256
    heads: int = 4
    feed_forward: int = 1024
    encoder_layers: int = 3
    decoder_layers: int = 3
    dropout: float = 0.1
    """Of word vectors, of attention weights, inside the position-wise layers, and of what each part adds."""
    order: Literal["pre", "post"] = "pre"
    """Where regard normalises; a peer does it where it always does."""


@dataclass(frozen=True)
class Job:
    """One comparison."""

    network: Network | Transformer
    vocabulary: int
    """Entries of the one vocabulary of both languages."""
    batches: str
    """The .npz file: `source0`, `target0`, … with their frames, `rows0`, … of the corpus."""
    recipe: dict[str, Any]
    """The same network and corpus as a recipe of regard."""
    pad: int
    bos: int
    eos: int
    unk: int
    smoothing: float = 0.1
    learning_rate: float = 0.001
    clip: float = 1.0
    seed: int = 1
    polite: bool = False
    """Do not raise the priority of a side."""

    def write(self, path: Path) -> None:
        """As JSON."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")

    @classmethod
    def read(cls, path: str | Path) -> "Job":
        """What `write` wrote."""
        facts = json.loads(Path(path).read_text(encoding="utf-8"))
        sizes = facts["network"]
        return replace(cls(**facts), network=Transformer(**sizes) if "heads" in sizes else Network(**sizes))
