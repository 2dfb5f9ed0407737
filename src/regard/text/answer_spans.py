"""Answer spans: from characters to tokens, and back."""

import json
from collections.abc import Sequence

from regard.text.normalise import Span
from regard.text.tokenizer import Encoding, Tokenizer

NO_ANSWER = (0, 0)
"""The span of no answer; the tokens of a text are counted from 1."""


def shown_spans(encoding: Encoding) -> list[Span]:
    """The characters that each token of a text covers, as it was typed, without space at their ends.

    A token that covers nothing else has an empty span: no answer begins or ends with it.
    """
    text = encoding.text.original
    spans = []
    for start, end in map(encoding.text.to_original, encoding.spans):
        covered = text[start:end]
        first = start + len(covered) - len(covered.lstrip())
        spans.append((first, max(first, start + len(covered.rstrip()))))
    return spans


def answer_token_span(encoding: Encoding, answer: Span) -> tuple[int, int]:
    """The first and the last token that have characters of an answer, counted from 1; `NO_ANSWER` if none."""
    own = [
        token
        for token, (start, end) in enumerate(shown_spans(encoding), start=1)
        if start < min(end, answer[1]) and end > answer[0]
    ]
    return (own[0], own[-1]) if own else NO_ANSWER


class AnswerSpanIds:
    """The token span of an answer, as two numbers. The input is a JSON list of the text and the span."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer

    def __len__(self) -> int:
        return 1 << 16  # more than a training row has tokens

    def to_json(self) -> str:
        """Everything that the numbers depend on."""
        return json.dumps(["places of answers", self._tokenizer.to_json()], ensure_ascii=False)

    @staticmethod
    def cell(text: str, span: Span | None) -> str:
        """The input for an answer; None = there is none."""
        return json.dumps([text, *(span or NO_ANSWER)], ensure_ascii=False)

    def encode_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The first and the last token of each answer."""
        cells = [json.loads(text) for text in texts]
        encoded = self._tokenizer.encode_many([text for text, _, _ in cells])
        return [
            list(answer_token_span(encoding, (start, end)))
            for encoding, (_, start, end) in zip(encoded, cells, strict=True)
        ]
