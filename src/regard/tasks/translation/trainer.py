"""Training a translator: what the loop needs, from a recipe."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import torch
from torch import nn

from regard.config.translation import TranslationRecipe
from regard.data.batching import SYMBOLS, length_batches, make_batch
from regard.data.pairs import Pair, pair_schema, read_pairs
from regard.data.rows import BadRows
from regard.data.schema import Reader
from regard.errors import ConfigError, DataError
from regard.metrics.bleu import bleu
from regard.models.catalogue import build_model
from regard.nn.decoder import EncoderDecoder
from regard.nn.dropout import DropoutRng
from regard.store.build import Vocabularies
from regard.tasks.attention import ATTENTION_ROWS, attention_scores
from regard.tasks.translation.alignment import dev_alignment
from regard.tasks.translation.examples import TrainingPairs, encode_pairs, pair_corpus
from regard.tasks.translation.predictor import Translator
from regard.text.tokenizer import Tokenizer
from regard.training.step import BatchLoss
from regard.training.teacher_forcing import loss_of_batch, teacher_forced_loss
from regard.training.trainer import Trainer


class TranslationTrainer(Trainer):
    """A translator in the making."""

    reader: ClassVar[Reader[Any, Pair]] = Reader(pair_schema)
    recipe: TranslationRecipe
    _train: TrainingPairs

    def setup(self) -> None:
        """The dev set in ids, and the translator that validations run."""
        source, target = self._tokenizers()
        self._dev = encode_pairs(self._dev_rows, source, target)
        self.translator = Translator(
            self.model, source_tokenizer=source, target_tokenizer=target, recipe=self.recipe
        )
        for pair in self._dev_rows:  # now, not at the first validation
            self.translator.check_length(pair.source, pair.where)
        self._check_places()

    def _check_places(self) -> None:
        """A model with learned positions must have one for each token that it will see."""
        longest, data = self.translator.network.longest, self.recipe.data
        if longest is None:
            return
        if data.max_tokens >= longest:  # with </s>, or <s>
            raise ConfigError(
                f"model.longest = {longest} has no room for data.max_tokens = {data.max_tokens} and </s>; "
                "raise the one, or lower the other"
            )
        for pair, ids in zip(self._dev_rows, self._dev, strict=True):
            tokens = max(len(ids.source), len(ids.target))
            if tokens >= longest:
                raise DataError(
                    f"{pair.where}: {tokens} tokens and </s>, but model.longest = {longest}; raise it, or "
                    "leave the row out"
                )

    def build_corpus(self) -> tuple[Vocabularies, TrainingPairs]:
        """Source and target, and the training pairs."""
        source, target, pairs = pair_corpus(
            self.recipe.data, self.recipe.text, choose=self.choose, quiet=self._quiet
        )
        return (source, target), pairs

    def build(self) -> nn.Module:
        """A model of the recipe."""
        source, target = self._tokenizers()
        return build_model(self.recipe.model, source_size=len(source), target_size=len(target))

    def vocabulary_parameters(self, model: nn.Module) -> Sequence[tuple[str, ...]]:
        """What grows with the source vocabulary, and with the target vocabulary."""
        network: EncoderDecoder[Any] = model  # type: ignore[assignment]
        return network.source_vocab_params, network.target_vocab_params

    def describe_vocabularies(self) -> str:
        """The sizes of both."""
        source, target = self._tokenizers()
        return f"vocabularies of {len(source):,} and {len(target):,}"

    def loss(self, rows: Sequence[int], rng: DropoutRng | None) -> BatchLoss:
        """The label-smoothed cross-entropy of training pairs; with BPE-dropout, in other segmentations."""
        return teacher_forced_loss(
            self.translator.network,
            self._train,
            rows,
            rng,
            self.recipe.training,
            sides=self._tokenizers(),
            device=self._device,
        )

    def read_dev(self, bad: BadRows) -> Sequence[Pair]:
        """The dev set; with its gold alignments, if the attention is measured."""
        if not self.recipe.training.log_attention:
            return super().read_dev(bad)
        data = self.recipe.data
        return list(read_pairs(data.dev, data, split="dev", bad=bad))

    def attention_scores(self) -> dict[str, float]:
        """Entropy, coverage, and the alignment error rate where the dev set has gold."""
        scores = attention_scores(self.translator, self._dev_rows)
        aligned = dev_alignment(self.translator, self._dev_rows[:ATTENTION_ROWS])
        return scores if aligned is None else {**scores, "aer": aligned}

    def validate(self) -> dict[str, float]:
        """Loss per token without smoothing, perplexity, and BLEU of greedy translations."""
        total, tokens = 0.0, 0
        lengths = [max(len(pair.source), len(pair.target)) + 1 for pair in self._dev]
        with torch.inference_mode():
            for rows in length_batches(lengths, budget=self.recipe.training.batch_tokens):
                batch = make_batch(self._dev, rows, SYMBOLS).to(self._device)
                found = loss_of_batch(self.translator.network, batch, None, smoothing=0.0)
                total, tokens = total - float(found.log_likelihood), tokens + found.tokens
        sources = [pair.source for pair in self._dev_rows]
        outputs = self.translator.translate(sources, search=self.recipe.decoding.greedy(), attention=False)
        score = bleu([output.text for output in outputs], [pair.target for pair in self._dev_rows])
        return {
            "loss": total / tokens,
            "perplexity": float(np.exp(min(50.0, total / tokens))),
            "bleu": score.value,
        }

    def _tokenizers(self) -> tuple[Tokenizer, Tokenizer]:
        source, target = self.vocabularies
        return source, target
