"""BERT that reads texts for another task: in their frame, in windows where they are long."""

from collections.abc import Mapping

from torch import Tensor, nn

from regard.config.bert_reader import BertTaskConfig
from regard.models.bert import Bert
from regard.models.bert_windows import framed_states, read_windows
from regard.nn.deciding import Frame, Padded
from regard.nn.kinds import Site
from regard.nn.long_texts import ReadWhole
from regard.nn.masks import padding_mask
from regard.nn.noise import Noise
from regard.nn.pooling import States, StructuredSelfAttention
from regard.nn.trace import Trace


class BertReader(nn.Module):
    """Reads texts without symbols around them, and adds its own; the two of a pair are read as one."""

    source_rows: tuple[str, ...] = ("bert.word_embedding.weight",)

    def __init__(self, config: BertTaskConfig, *, source_size: int) -> None:
        super().__init__()
        self.bert = Bert(config.as_reader, vocabulary_size=source_size)
        self._has_segments = config.has_segments
        self.frame = Frame(*config.frame, longest=self.bert.longest, separators=config.separators)

    @property
    def attentions(self) -> Mapping[str, Site]:
        """Every attention of the encoder, lower layers first; then that of the pooling, if it is one."""
        own = {f"bert.{path}": site for path, site in self.bert.attentions.items()}
        attends = isinstance(getattr(self, "pooling", None), StructuredSelfAttention)
        return own | ({"pooling": Site("hops")} if attends else {})

    @property
    def top(self) -> int:
        """How deep what is above the encoder is."""
        return self.bert.top

    def depth_of(self, name: str) -> int:
        """How deep a parameter is: 0 for the vectors of words and places, 1 for the first layer."""
        part, _, rest = name.partition(".")
        return self.bert.depth_of(rest) if part == "bert" else self.top

    @property
    def window(self) -> int:
        """Words of one text that there are places for."""
        return self.frame.longest - self.frame.symbols(1)

    def read(
        self,
        tokens: Tensor,
        lengths: Tensor,
        *,
        second: Padded | None = None,
        noise: Noise | None = None,
        trace: Trace | None = None,
    ) -> States:
        """The words of texts, (b, s) and (b,), or of pairs, with the symbols around them.

        A text that is too long is read in windows. Words look at those of their own window, so the layers
        have no attention over the whole text.
        """
        if self.is_long(tokens, second):
            return self.whole_states(self.in_windows(tokens, lengths, noise), lengths)
        framed, segments = self.frame.around(Padded(tokens, lengths), second)
        told = segments if self._has_segments else None
        words = self.bert(framed.tokens, framed.lengths, told, noise=noise, trace=trace)
        return States(words, words[:, 0], padding_mask(framed.lengths, words.shape[1]))

    def is_long(self, tokens: Tensor, second: Padded | None = None) -> bool:
        """Whether texts, (b, s), are read in windows; a pair never is."""
        return second is None and tokens.shape[1] > self.window

    def whole_states(self, whole: ReadWhole, lengths: Tensor) -> States:
        """The states of texts that were read in windows, with the symbols around each."""
        return framed_states(whole, lengths)

    def in_windows(self, tokens: Tensor, lengths: Tensor, noise: Noise | None) -> ReadWhole:
        """Texts in windows, each in its frame; a window gives the states of its two symbols for itself."""
        text = Padded(tokens, lengths)
        return read_windows(self.bert, self.frame, text, size=self.window, noise=noise)
