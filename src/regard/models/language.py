"""Language models: the words so far, and how probable each next one is.

A language model is an encoder-decoder without an encoder. It takes a source where the others take one, and
does not read it: so every search, score, trace and edit is the same code.
"""

from collections.abc import Mapping
from typing import Any, Generic, Protocol

from torch import Tensor, nn

from regard.config.language import LSTMNLMConfig, NetworkLMConfig, RecurrentLMConfig, TransformerLMConfig
from regard.models.causal import CausalTransformer
from regard.models.reading import LSTMNReader, RecurrentReader
from regard.models.words import output_layer, scaled, word_vectors
from regard.nn.kinds import Site
from regard.nn.noise import Noise
from regard.nn.step import S
from regard.nn.trace import Trace
from regard.nn.written import Written


class Reader(Protocol[S]):
    """The part of a language model that makes states of words: recurrent, LSTMN or Transformer."""

    output_size: int
    """Width of a state."""

    @property
    def longest(self) -> int | None:
        """How many words it can read; None where there is no such limit."""
        ...

    @property
    def attentions(self) -> Mapping[str, Site]:
        """Every attention by its path in the reader, lower layers first."""
        ...

    def start(self, rows: int) -> S:
        """Nothing read yet, of `rows` texts."""
        ...

    def read(self, words: Tensor, state: S, *, trace: Trace | None) -> tuple[Tensor, S]:
        """One more word of each text, (b, e), after those of a state: its state, (b, d)."""
        ...

    def read_all(
        self, words: Tensor, *, real: Tensor | None, noise: Noise | None, trace: Trace | None
    ) -> Tensor:
        """Whole texts, (b, t, e) -> (b, t, d); real: (b, t), what counts, where that is known."""
        ...


class LanguageNetwork(nn.Module, Generic[S]):
    """Word vectors, a reader, and an output layer that scores the next word."""

    source_rows: tuple[str, ...] = ()
    target_rows: tuple[str, ...] = ("embedding.weight", "output.weight", "output.bias")
    cross_attention: tuple[str, ...] = ()

    def __init__(self, reader: Reader[S], *, width: int, target_size: int, tied: bool) -> None:
        super().__init__()
        self.reader = reader
        self.embedding = word_vectors(target_size, width)
        self.output = output_layer(reader.output_size, self.embedding, tied=tied)

    @property
    def longest(self) -> int | None:
        """How many words it can read."""
        return self.reader.longest

    @property
    def attentions(self) -> Mapping[str, Site]:
        """Those of the reader; each looks at what was fed."""
        return {f"reader.{path}": site for path, site in self.reader.attentions.items()}

    def start(self, source: Tensor, lengths: Tensor, *, trace: Trace | None = None) -> S:
        """Nothing written yet; of the source, (b, s), only the number of rows is looked at."""
        del lengths, trace
        return self.reader.start(len(source))

    def step(self, tokens: Tensor, state: S, *, trace: Trace | None = None) -> tuple[Tensor, S]:
        """Feed one token a row, (b,); the logits of the next, (b, v), and the state after it."""
        states, after = self.reader.read(scaled(self.embedding, tokens), state, trace=trace)
        logits: Tensor = self.output(states)
        return logits, after

    def forced(
        self,
        source: Tensor,
        lengths: Tensor,
        fed: Tensor,
        *,
        real: Tensor | None = None,
        noise: Noise | None = None,
        trace: Trace | None = None,
    ) -> Written:
        """What is said about every position when <s> and the words, (b, t), are fed."""
        del source, lengths
        words = scaled(self.embedding, fed)
        return Written(self.reader.read_all(words, real=real, noise=noise, trace=trace), self.output)


def build_language_model(config: NetworkLMConfig, *, target_size: int) -> LanguageNetwork[Any]:
    """The reader of these settings, between words and words."""
    reader: Reader[Any]
    match config:
        case RecurrentLMConfig():
            reader = RecurrentReader(config)
        case LSTMNLMConfig():
            reader = LSTMNReader(config)
        case TransformerLMConfig():
            reader = CausalTransformer(config)
    width = config.width if isinstance(config, TransformerLMConfig) else config.embedding_size
    return LanguageNetwork(reader, width=width, target_size=target_size, tied=config.tie_embeddings)
