"""Sentence vectors from models that somebody else trained: texts in, rows of an array out."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from regard.errors import DataError, did_you_mean
from regard.models.embedder import Embedder, Normalise
from regard.store.convert.sentence import StoredDense, StoredSentenceEncoder, read_sentence_encoder
from regard.tasks.encoders import build_encoder, build_tokenizer
from regard.text.foreign import ForeignEncoding, ForeignTokenizer


class SentenceEncoder:
    """Gives each text a vector."""

    def __init__(
        self,
        model: Embedder,
        tokenizer: ForeignTokenizer,
        *,
        width: int,
        prompts: dict[str, str],
        default_prompt: str | None = None,
    ) -> None:
        self.model, self.tokenizer, self.width, self.prompts = model, tokenizer, width, dict(prompts)
        self._default = default_prompt

    @classmethod
    def open(cls, folder: str | Path) -> "SentenceEncoder":
        """The model in a folder of sentence-transformers."""
        stored = read_sentence_encoder(Path(folder))
        tokenizer = build_tokenizer(stored.encoder, str(folder), longest=stored.longest, lower=stored.lower)
        model = Embedder(build_encoder(stored.encoder, str(folder)), stored.poolings, _steps(stored))
        return cls(
            model.requires_grad_(False),
            tokenizer,
            width=_width(stored),
            prompts=stored.prompts,
            default_prompt=stored.default_prompt,
        )

    def embed(
        self, texts: Sequence[str], *, prompt: str | None = None, batch: int = 32
    ) -> NDArray[np.float32]:
        """A row for each text, (n, width).

        prompt: the name of what to write before each text; None = what the model says
        """
        before = self._prompt(prompt)
        encodings = self.tokenizer.encode([before + text for text in texts])
        order = sorted(range(len(encodings)), key=lambda row: len(encodings[row].ids))
        vectors = np.zeros((len(encodings), self.width), np.float32)
        for first in range(0, len(order), batch):
            rows = order[first : first + batch]
            vectors[rows] = self._vectors([encodings[row] for row in rows])
        return vectors

    def _prompt(self, name: str | None) -> str:
        name = self._default if name is None else name
        if name is not None and name not in self.prompts:
            raise DataError(f"this model has no prompt '{name}'; {did_you_mean(name, self.prompts)}")
        return "" if name is None else self.prompts[name]

    @torch.no_grad()
    def _vectors(self, encodings: Sequence[ForeignEncoding]) -> NDArray[np.float32]:
        lengths = torch.tensor([len(encoding.ids) for encoding in encodings])
        tokens, segments = torch.zeros(2, len(encodings), int(lengths.max()), dtype=torch.int64)
        for row, encoding in enumerate(encodings):
            tokens[row, : lengths[row]] = torch.tensor(encoding.ids)
            segments[row, : lengths[row]] = torch.tensor(encoding.segments)
        vectors: NDArray[np.float32] = self.model(tokens, lengths, segments).numpy()
        return vectors


def _steps(stored: StoredSentenceEncoder) -> list[nn.Module]:
    steps: list[nn.Module] = []
    for step in stored.steps:
        if isinstance(step, StoredDense):
            outer, inner = step.weight.shape
            layer = nn.Linear(inner, outer, bias=step.bias is not None)
            layer.load_state_dict(
                {"weight": step.weight} | ({} if step.bias is None else {"bias": step.bias})
            )
            steps += [layer, nn.Tanh()] if step.function == "tanh" else [layer]
        else:
            steps.append(Normalise())
    return steps


def _width(stored: StoredSentenceEncoder) -> int:
    layers = [step for step in stored.steps if isinstance(step, StoredDense)]
    return len(layers[-1].weight) if layers else stored.encoder.described.config.width * len(stored.poolings)
