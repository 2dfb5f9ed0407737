"""Training an encoder of sentences: what the loop needs, from a recipe."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from regard.config.embedder import CosineConfig, InBatchConfig, SoftmaxConfig
from regard.config.embedding import EmbeddingRecipe
from regard.config.training import TrainingConfig
from regard.data.batching import SYMBOLS, Ids, pad_texts
from regard.data.rows import BadRows
from regard.data.text_pairs import PairLabel, TextPair, text_pair_reader
from regard.errors import DataError
from regard.metrics.correlation import pearson_statistics, spearman_statistics
from regard.metrics.retrieval import partner_ranks, retrieval_statistics
from regard.models.catalogue import build_embedder
from regard.nn.dropout import DropoutRng
from regard.nn.text_embedder import TextEmbedder, cosine_loss, in_batch_loss
from regard.progress import counted, say
from regard.store.build import Vocabularies, labels_of
from regard.tasks.attention import attention_scores
from regard.tasks.embedding.examples import TrainingTextPairs, text_pair_corpus
from regard.tasks.embedding.trained import TrainedEmbedder
from regard.text.labels import Bounded, Labels
from regard.training.step import BatchLoss
from regard.training.trainer import Trainer

_DEV_TOGETHER = 64
"""Pairs of the dev set that are each other's negatives in its loss, whatever the batches of training."""


class EmbeddingTrainer(Trainer):
    """An encoder of sentences in the making."""

    recipe: EmbeddingRecipe
    _train: TrainingTextPairs
    _dev_rows: Sequence[TextPair]

    @property
    def whole_batches(self) -> bool:
        """With in-batch negatives a batch that is cut in two would be another task."""
        return isinstance(self.recipe.model.objective, InBatchConfig)

    @property
    def _dev_said(self) -> PairLabel | None:
        """What the dev set has for its pairs: scores, labels, or neither."""
        if self.recipe.data.score is not None:
            return "number"
        return "label" if isinstance(self.recipe.model.objective, SoftmaxConfig) else None

    def read_dev(self, bad: BadRows) -> Sequence[TextPair]:
        """The pairs of the dev set."""
        data = self.recipe.data
        return list(text_pair_reader(self._dev_said)(data.dev, data, split="dev", bad=bad))

    def build_corpus(self) -> tuple[Vocabularies, TrainingTextPairs]:
        """The vocabulary, and the training pairs; labels are learned, too, or another model's."""
        recipe = self.recipe
        is_labelled = isinstance(recipe.model.objective, SoftmaxConfig)
        known = self.start
        tokenizer, self._said, pairs = text_pair_corpus(
            recipe.data,
            recipe.text,
            recipe.model.objective,
            labels=labels_of(known.stored, known.where) if known is not None and is_labelled else None,
            choose=self.choose,
            quiet=self._quiet,
        )
        self._check_batches(pairs)
        return (tokenizer,), pairs

    def _check_batches(self, pairs: TrainingTextPairs) -> None:
        """A pair alone in its batch has no negatives, and a loss of 0: refuse it of all, tell it of some."""
        if not self.whole_batches or self.recipe.data.negative is not None or not len(pairs):
            return
        config = self.recipe.training
        sizes = pairs.plan(budget=config.batch_tokens, seed=config.seed, epoch=0).sizes
        alone = int((sizes == 1).sum())
        if alone == len(sizes):
            raise DataError(
                f"in-batch-negatives: expected batches of two pairs or more, found {counted(alone, 'pair')}, "
                f"each alone; give more rows, a larger training.batch_tokens ({config.batch_tokens:,}) or "
                f"data.negative"
            )
        if alone:
            say(
                f"{counted(alone, 'pair')} of {len(pairs):,} alone in a batch, with nothing to learn from; "
                f"a larger training.batch_tokens (now {config.batch_tokens:,}) gives them negatives",
                quiet=self._quiet,
            )

    def setup(self) -> None:
        """The dev set in tokens, and the scores or labels of its pairs."""
        (self._tokenizer,) = self.vocabularies
        self.network: TextEmbedder = self.model  # type: ignore[assignment]
        self.embedder = TrainedEmbedder(self.model, tokenizer=self._tokenizer, recipe=self.recipe)
        rows = self._dev_rows
        self._dev = [self.embedder.ready([row.texts[side] for row in rows], whole=True) for side in (0, 1)]
        for side in self._dev:
            for row, one in zip(rows, side, strict=True):
                if not one.ids:
                    raise DataError(f"{row.where}: the text has no words")
        self._dev_against = [
            torch.from_numpy(is_negative([row.source for row in some], [row.second for row in some])).to(
                self._device
            )
            for some in (rows[at : at + _DEV_TOGETHER] for at in range(0, len(rows), _DEV_TOGETHER))
        ]
        self._dev_wanted = self._wanted_of_dev()

    def _wanted_of_dev(self) -> Tensor | None:
        rows = self._dev_rows
        if self._dev_said is None:
            return None
        if self._dev_said == "label" and isinstance(self._said, Labels):
            numbers = [self._said.number(row.target, row.where) for row in rows]
            return torch.tensor(numbers, device=self._device)
        bounds = Bounded(*self.recipe.data.range)
        for row in rows:
            bounds.numbers(row.target, row.where)
        scores = [float(row.target) for row in rows]
        if max(scores) <= bounds.lowest + (bounds.highest - bounds.lowest) / 4:
            say(
                f"data.dev: all scores are {max(scores):g} or less, and data.range goes to "
                f"{bounds.highest:g}; if that is not so, say which there are, such as data.range=[0, 1]",
                quiet=self._quiet,
            )
        return torch.tensor([bounds.share(score) for score in scores], device=self._device)

    def build(self) -> nn.Module:
        """A model of the recipe."""
        outputs = len(self._said) if isinstance(self._said, Labels) else 0
        return build_embedder(self.recipe.model, source_size=len(self.vocabularies[0]), outputs=outputs)

    def describe_vocabularies(self) -> str:
        """The size of the vocabulary, and what is learned from a pair."""
        labels = f", {len(self._said):,} labels" if isinstance(self._said, Labels) else ""
        objective = self.recipe.model.objective.kind
        return f"{super().describe_vocabularies()}, {objective}{labels}"

    def extra_state(self) -> dict[str, Any]:
        """The labels of pairs, where some are learned."""
        return {"labels": self._said.to_json()} if isinstance(self._said, Labels) else {}

    @property
    def config(self) -> TrainingConfig:
        """The settings of the loop; `best_by: score` is the first of the metrics."""
        config = self.recipe.training
        best_by = self.recipe.measures[0] if config.best_by == "score" else config.best_by
        return config.model_copy(update={"best_by": best_by})

    def loss(self, rows: Sequence[int], rng: DropoutRng | None) -> BatchLoss:
        """The loss of training pairs, and what the model adds to it. All texts are read in one pass.

        With BPE-dropout, the texts are segmented otherwise.
        """
        chosen = [self._train[row] for row in rows]
        sides = list(zip(*(row.texts for row in chosen), strict=True))
        texts = [ids for side in sides for ids in side]
        if rng is not None and self._tokenizer.dropout:
            keys = [(rng.seed, rng.step, row, side) for side in range(len(sides)) for row in rows]
            texts = [self._respelt(ids, key) for ids, key in zip(texts, keys, strict=True)]
        tokens, lengths = (part.to(self._device) for part in pad_texts(texts, SYMBOLS))
        found = self.network(tokens, lengths, rng=rng)
        # Cosines times 20 are near each other: they are compared in all digits, whatever the layers have.
        first, second, *others = torch.split(found.vectors.float(), len(rows))
        wanted = self._wanted([row.said for row in chosen if row.said is not None])
        names = [[np.asarray(ids).tobytes() for ids in side] for side in sides]
        against = torch.from_numpy(is_negative(*names)).to(self._device)
        parts = first, second, wanted, others[0] if others else None, against
        smoothed = self.recipe.training.label_smoothing > 0
        with torch.autocast(self._device.type, enabled=False):
            loss = self._objective(*parts)
            likelihood = -(self._objective(*parts, smoothing=False) if smoothed else loss).detach()
        if found.penalty is not None:
            loss = loss + found.penalty.sum()
        read = int(lengths.sum())
        return BatchLoss(loss, likelihood, read, 1 - read / tokens.numel(), labels=len(rows))

    def _respelt(self, ids: Ids, key: tuple[int, ...]) -> Ids:
        """A text in another segmentation; one that would outgrow the maximum positions keeps its own."""
        respelt = self._tokenizer.resample([int(token) for token in ids], key=key)
        return respelt if len(respelt) + 2 <= self.embedder.longest else ids

    def _wanted(self, said: Sequence[Ids]) -> Tensor | None:
        """The numbers of labels; or scores, from 0 to 1."""
        if isinstance(self._said, Labels):
            return torch.tensor([int(own[0]) for own in said], device=self._device)
        if isinstance(self._said, Bounded):
            shares = [self._said.share(self._said.decode(own)) for own in said]
            return torch.tensor(shares, device=self._device)
        return None

    def _objective(
        self,
        first: Tensor,
        second: Tensor,
        wanted: Tensor | None,
        negatives: Tensor | None,
        against: Tensor,
        *,
        smoothing: bool = True,
    ) -> Tensor:
        """The loss of pairs, (b, d) twice, summed."""
        objective = self.recipe.model.objective
        if isinstance(objective, InBatchConfig):
            return in_batch_loss(
                first,
                second,
                negatives,
                scale=objective.scale,
                both_ways=objective.both_ways,
                against=against,
            )
        if wanted is None:
            raise AssertionError("the scores of the pairs were read with them")
        if isinstance(objective, CosineConfig):
            return cosine_loss(first, second, wanted)
        return cross_entropy(
            self._relation(first, second),
            wanted,
            reduction="sum",
            label_smoothing=self.recipe.training.label_smoothing if smoothing else 0.0,
        )

    def _relation(self, first: Tensor, second: Tensor) -> Tensor:
        if self.network.relation is None:
            raise AssertionError("a model that learns labels has a head for them")
        logits: Tensor = self.network.relation(first, second)
        return logits

    def attention_scores(self) -> dict[str, float]:
        """Entropy and coverage."""
        return attention_scores(self.embedder, self._dev_rows)

    @torch.inference_mode()
    def validate(self) -> dict[str, float]:
        """The loss per pair, and the metrics of the dev set."""
        first, second = (self.embedder.embed_encoded(side) for side in self._dev)
        one, other = (torch.from_numpy(side).to(self._device) for side in (first, second))
        wanted, rows = self._dev_wanted, self._dev_rows
        if self._dev_said == "number" and wanted is not None:
            said = torch.cosine_similarity(one.double(), other.double()).cpu().numpy()
            right = wanted.double().cpu().numpy()
            found = {"spearman": spearman_statistics(said, right), "pearson": pearson_statistics(said, right)}
            scores = {name: float(np.nan_to_num(metric.value())) for name, metric in found.items()}
            return {"loss": float(np.square(said - right).mean()), **scores}
        if wanted is not None:
            logits = self._relation(one, other)
            loss = float(cross_entropy(logits, wanted))
            return {"loss": loss, "accuracy": float((logits.argmax(1) == wanted).float().mean())}
        halves = (torch.split(side, _DEV_TOGETHER) for side in (one, other))
        parts = zip(*halves, self._dev_against, strict=True)
        total = sum(float(self._objective(a, b, None, None, against)) for a, b, against in parts)
        ranks = partner_ranks(first, second, [row.source for row in rows], [row.second for row in rows])
        measures = {name: metric.value() for name, metric in retrieval_statistics(ranks).items()}
        return {"loss": total / len(rows), **measures}


def is_negative(
    firsts: Sequence[Hashable], seconds: Sequence[Hashable], negatives: Sequence[Hashable] = ()
) -> NDArray[np.bool_]:
    """Whether a text, of the seconds or of the negatives, counts against the first of a row: (b, b + n).

    Not if it is the same text as the first, nor if it is a positive of that text in any row of the batch.
    """
    numbers: dict[Hashable, int] = {}

    def numbered(texts: Sequence[Hashable]) -> NDArray[np.intp]:
        return np.array([numbers.setdefault(text, len(numbers)) for text in texts], dtype=np.intp)

    first, second = numbered(firsts), numbered(seconds)
    found = np.concatenate([second, numbered(negatives)])
    size = len(numbers)  # a pair of texts is one number
    right = np.isin(first[:, None] * size + found, first * size + second)
    against: NDArray[np.bool_] = ~right & (found != first[:, None])
    return against
