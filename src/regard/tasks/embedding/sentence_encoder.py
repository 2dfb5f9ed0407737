"""Sentence vectors from models that were trained elsewhere: texts in, rows of an array out."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from torch import nn

from regard.config.embedding import EmbeddingRecipe
from regard.errors import DataError
from regard.inference.encoders import build_encoder
from regard.insight.token_axis import TokenAxis
from regard.models.embedder import POOLINGS, Embedder, Normalise
from regard.nn.linear import Linear
from regard.store.convert.encoder import build_tokenizer
from regard.store.convert.sentence import StoredDense, StoredSentenceEncoder, read_sentence_encoder
from regard.tasks.embedding.inputs import EncodedInput, TooLong
from regard.tasks.embedding.predictor import EmbeddingPredictor
from regard.tasks.masked_lm.inputs import mask_spans
from regard.text.foreign import ForeignEncoding, ForeignTokenizer


class SentenceEncoder(EmbeddingPredictor):
    """An encoder of the BERT family, its pooling, and its own tokenizer.

    Longer texts than it reads are cut, as sentence-transformers cuts them, unless windows are asked for.
    """

    too_long: TooLong = "cut"
    tokenizer: ForeignTokenizer

    def __init__(
        self,
        model: Embedder,
        tokenizer: ForeignTokenizer,
        *,
        width: int,
        longest: int,
        prompts: Mapping[str, str],
        default_prompt: str | None = None,
        is_alone: bool = False,
    ) -> None:
        """is_alone: whether nothing said how the words of the encoder become a vector"""
        self.module, self.network = model, model.encoder
        self.tokenizer, self.width, self.longest, self.prompts = tokenizer, width, longest, dict(prompts)
        self.default_prompt = default_prompt
        self.normalised = any(isinstance(step, Normalise) for step in model.steps)
        self.is_alone = is_alone
        self.summary: dict[str, Any] = {}
        self.recipe = _recipe(model)

    @classmethod
    def open(cls, folder: str | Path) -> "SentenceEncoder":
        """The model in a folder of sentence-transformers; of an encoder alone, the words are averaged."""
        stored = read_sentence_encoder(Path(folder))
        tokenizer = build_tokenizer(stored.encoder, str(folder), longest=stored.longest, lower=stored.lower)
        encoder = build_encoder(stored.encoder, str(folder))
        model = Embedder(encoder, stored.poolings, _steps(stored), longest=stored.longest)
        return cls(
            model.requires_grad_(False),
            tokenizer,
            width=_width(stored),
            longest=stored.longest,
            prompts=stored.prompts,
            default_prompt=stored.default_prompt,
            is_alone=stored.is_alone,
        )

    def describe(self) -> tuple[str, ...]:
        """How large a vector is."""
        return f"{self.width} numbers a text", "bert"

    def ready(self, texts: Sequence[str], *, whole: bool) -> list[EncodedInput]:
        """Texts in tokens, with the symbols that the model was trained with."""
        found = (self._uncut if whole else self.tokenizer).encode(texts)
        hidden = self.tokenizer.hidden
        mask = None if hidden is None else hidden[1]
        ready = [_ready(text, encoding, mask) for text, encoding in zip(texts, found, strict=True)]
        for one in ready:
            around = len(one.side.before), len(one.side.specials)
            if len(one.ids) > self.longest and around != (1, 1):
                raise DataError(
                    f"this model puts {sum(around)} tokens around a text, and windows need one before and "
                    f"one behind; let '{one.source[:30]}…' be cut"
                )
        return ready

    @cached_property
    def _uncut(self) -> ForeignTokenizer:
        """The same tokenizer, which leaves no end of a text out."""
        return self.tokenizer.uncut()


def _ready(text: str, encoding: ForeignEncoding, mask: int | None) -> EncodedInput:
    own = [place for place, of in enumerate(encoding.texts) if of is not None]
    first, last = (own[0], own[-1] + 1) if own else (min(1, len(encoding.ids)),) * 2
    spans = encoding.spans[first:last]
    end = max((last for _, last in spans), default=0)
    side = TokenAxis(
        text[:end] if encoding.was_cut else text,  # a map has no columns for what was not read
        encoding.pieces[first:last],
        spans,
        encoding.pieces[last:],
        before=encoding.pieces[:first],
        whole=() if mask is None else mask_spans(text, encoding.ids[first:last], spans, mask),
    )
    return EncodedInput(text, encoding.ids, encoding.segments, side, encoding.was_cut)


def _recipe(model: Embedder) -> EmbeddingRecipe:
    """What is known of a model from elsewhere: its encoder, and how it is evaluated by default."""
    config = model.encoder.config
    kind = next(kind for kind, own in POOLINGS.items() if isinstance(model.poolings[0], own))
    own = {"kind": "bert_embedder", "encoder": config.model_dump(), "pooling": {"kind": kind}}
    data = {"max_tokens": max(1, min(128, config.longest - 2))}
    told = "trained elsewhere: its data and its training are not known"
    return EmbeddingRecipe.model_validate({"description": told, "data": data, "model": own})


def _steps(stored: StoredSentenceEncoder) -> list[nn.Module]:
    steps: list[nn.Module] = []
    for step in stored.steps:
        if isinstance(step, StoredDense):
            outer, inner = step.weight.shape
            layer = Linear(inner, outer, bias=step.bias is not None)
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
