"""What is written while it is being written: tokens become pieces of text."""

from collections.abc import Sequence

from regard.server.operations.observer import BatchObserver
from regard.text.tokenizer import Tokenizer

_UNFINISHED = "\N{REPLACEMENT CHARACTER}"
"""What bytes are shown as that make no character yet."""


class WrittenTexts:
    """The texts of a batch as they grow; who waits for one is told each piece. A `SearchObserver`."""

    def __init__(self, tokenizer: Tokenizer, given: Sequence[int], observer: BatchObserver) -> None:
        """Greedy search and sampling tell of each token; a beam, which may change its mind, of none.

        given: how many tokens of each text are the prompt's, and are not told
        """
        self._tokenizer, self._given, self._observer = tokenizer, given, observer
        self._tokens: list[list[int]] = [[] for _ in given]
        self._told = [0] * len(given)

    def is_cancelled(self, sentence: int) -> bool:
        """Whether nobody waits for it any more."""
        return self._observer.is_cancelled(sentence)

    def wrote(self, sentence: int, token: int, log_probability: float) -> None:
        """One more token; one whose text is not clear yet is told with what comes after it."""
        if not self._observer.is_streaming(sentence):
            return
        tokens = self._tokens[sentence]
        tokens.append(token)
        text = self._tokenizer.decode(tokens).text.text
        if len(tokens) <= self._given[sentence]:
            self._told[sentence] = len(text)
            return
        clear = len(text.rstrip(_UNFINISHED))
        piece = text[self._told[sentence] : clear] if clear > self._told[sentence] else ""
        self._told[sentence] = max(clear, self._told[sentence])
        self._observer.say(
            sentence,
            {
                "text": piece,
                "id": token,
                "token": self._tokenizer.piece(token),
                "log_probability": log_probability,
            },
        )
