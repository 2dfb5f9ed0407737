"""What is written while it is being written: tokens become pieces of text."""

from collections.abc import Sequence

from regard.server.operations.observer import BatchObserver
from regard.text.tokenizer import Tokenizer

UNFINISHED = "\N{REPLACEMENT CHARACTER}"
"""What bytes are shown as that make no character yet."""


class Stops:
    """Texts before which an output ends."""

    def __init__(self, stops: Sequence[str] = ()) -> None:
        self._stops = tuple(stops)

    def __bool__(self) -> bool:
        return bool(self._stops)

    def find(self, text: str) -> int | None:
        """Where the first of them begins; None where there is none."""
        return min((place for stop in self._stops if (place := text.find(stop)) >= 0), default=None)

    def held(self, text: str) -> int:
        """How many characters at the end may be the beginning of one."""
        return max(
            (
                size
                for stop in self._stops
                for size in range(1, min(len(stop), len(text) + 1))
                if text.endswith(stop[:size])
            ),
            default=0,
        )


class WrittenTexts:
    """The texts of a batch as they grow; who waits for one is told each piece. A `SearchObserver`."""

    def __init__(
        self, tokenizer: Tokenizer, given: Sequence[int], observer: BatchObserver, stops: Stops | None = None
    ) -> None:
        """Greedy search and sampling tell of each token; a beam, which may change its mind, of none.

        given: how many tokens of each text are the prompt's, and are not told
        stops: a text that has written one of them leaves the batch; it is told up to there
        """
        self._tokenizer, self._given, self._observer = tokenizer, given, observer
        self._stops = stops or Stops()
        self._tokens: list[list[int]] = [[] for _ in given]
        self._begins = [0] * len(given)
        self._told = [0] * len(given)
        self._stopped = [False] * len(given)

    def is_cancelled(self, sentence: int) -> bool:
        """Whether nobody waits for more of it."""
        return self._stopped[sentence] or self._observer.is_cancelled(sentence)

    def wrote(self, sentence: int, token: int, log_probability: float) -> None:
        """One more token; one whose text is not clear yet is told with what comes after it."""
        is_streaming = self._observer.is_streaming(sentence)
        if not is_streaming and not self._stops:
            return
        tokens = self._tokens[sentence]
        tokens.append(token)
        text = self._tokenizer.decode(tokens).text.text
        if len(tokens) <= self._given[sentence]:
            self._begins[sentence] = self._told[sentence] = len(text)
            return
        begins, told = self._begins[sentence], self._told[sentence]
        cut = self._stops.find(text[begins:])
        self._stopped[sentence] = cut is not None
        clear = self._clear(text, begins) if cut is None else begins + cut
        if is_streaming:
            self._told[sentence] = max(clear, told)
            self._observer.say(
                sentence,
                {
                    "text": text[told:clear],
                    "id": token,
                    "token": self._tokenizer.piece(token),
                    "log_probability": log_probability,
                },
            )

    def _clear(self, text: str, begins: int) -> int:
        """How many characters no later token can change or take back."""
        held = self._stops.held(text[begins:])
        clear = text[: len(text) - held].rstrip(f" {UNFINISHED}")  # a space at the end of a text is none
        return len(clear[:-1] if self._tokenizer.joins_letters and not held else clear)
