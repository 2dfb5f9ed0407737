"""Training a translator: what the loop needs, from a recipe."""

import dataclasses
import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import nn

from regard.config.recipe import Recipe
from regard.data.bad_rows import BadRows
from regard.data.batching import EncodedPair, Pairs, Plan, length_batches, make_batch
from regard.data.pairs import read_pairs
from regard.errors import DataError, StoreError
from regard.metrics.bleu import bleu
from regard.models.catalogue import build_model
from regard.nn.loss import smoothed_cross_entropy
from regard.nn.noise import Noise
from regard.store.checkpoint import Checkpoint, read_checkpoint, write_checkpoint
from regard.store.folder import StoredModel, put_weights, weights_of
from regard.tasks.corpus import encode_pairs, prepare_pairs
from regard.tasks.translation import SYMBOLS, Translator
from regard.text.tokenizer import Tokenizer
from regard.training.loop import BatchLoss
from regard.training.state import Kept, Progress, put_state
from regard.training.versions import versions

QUARANTINE = "quarantine.jsonl"


class TranslationTraining:
    """A translator in the making: its corpora, its loss, its validation."""

    def __init__(self, recipe: Recipe, run: Path, device: torch.device, *, quiet: bool = False) -> None:
        self.recipe = recipe
        self._run = run
        self._device = device
        bad = BadRows.of(recipe.data)
        self._dev_pairs = list(read_pairs(recipe.data.dev, recipe.data, split="dev", bad=bad))
        if not self._dev_pairs:
            raise DataError("data.dev: the corpus has no rows")
        source, target, self._train = prepare_pairs(recipe.data, recipe.text, quiet=quiet)
        if not len(self._train):
            raise DataError(
                f"every training pair is longer than data.max_tokens = {recipe.data.max_tokens}"
                if self._train.left_out
                else "data.train: the corpus has no rows"
            )
        self.quarantine = self._train.quarantine() + bad.to_json_lines()
        self._bad_dev = len(bad.met)
        self._dev = encode_pairs(self._dev_pairs, source, target)
        dev = "\n".join(f"{pair.source}\t{pair.target}" for pair in self._dev_pairs)
        self.corpus_key = f"{self._train.key} {hashlib.sha256(dev.encode()).hexdigest()}"
        """Equal where a run can go on: the same training rows in the same ids, and the same dev set."""
        self.model = _initialised(recipe, len(source), len(target)).to(device)
        self.translator = Translator(
            self.model, source_tokenizer=source, target_tokenizer=target, recipe=recipe
        )
        for pair in self._dev_pairs:  # now, not at the first validation
            self.translator.check_length(pair.source, pair.where)

    def describe_corpus(self) -> str:
        """One line about what will be learned from."""
        source, target = self.translator.source_tokenizer, self.translator.target_tokenizer
        parameters = sum(parameter.numel() for parameter in self.model.parameters())
        long, bad = self._train.left_out, self._train.bad + self._bad_dev
        left_out = f", {long:,} left out (longer than data.max_tokens)" if long else ""
        skipped = f", {bad:,} bad rows skipped" if bad else ""
        return (
            f"{len(self._train):,} training pairs{left_out}, {len(self._dev):,} dev pairs{skipped}; "
            f"vocabularies of {len(source):,} and {len(target):,}; {parameters:,} parameters"
        )

    def plan(self, epoch: int) -> Plan:
        """The batches of an epoch."""
        config = self.recipe.training
        return self._train.plan(budget=config.batch_tokens, seed=config.seed, epoch=epoch)

    def loss(self, rows: Sequence[int], noise: Noise | None) -> BatchLoss:
        """The label-smoothed cross-entropy of training pairs; with BPE-dropout, in other spellings."""
        sides = self._tokenizers()
        respelt = noise is not None and any(side.dropout for side in sides)
        pairs = _Respelt(self._train, sides, (noise.seed, noise.step)) if noise and respelt else self._train
        return self._loss(pairs, rows, noise, self.recipe.training.label_smoothing)

    def validate(self) -> dict[str, float]:
        """Loss a token without smoothing, perplexity, and BLEU of greedy translations."""
        total, tokens = 0.0, 0
        lengths = [max(len(pair.source), len(pair.target)) + 1 for pair in self._dev]
        with torch.inference_mode():
            for rows in length_batches(lengths, budget=self.recipe.training.batch_tokens):
                batch = self._loss(self._dev, rows, None, 0.0)
                total, tokens = total - float(batch.log_likelihood), tokens + batch.tokens
        sources = [pair.source for pair in self._dev_pairs]
        outputs = self.translator.translate(sources, beam_size=1, attention=False)
        score = bleu([output.text for output in outputs], [pair.target for pair in self._dev_pairs])
        return {
            "loss": total / tokens,
            "perplexity": float(np.exp(min(50.0, total / tokens))),
            "bleu": score.value,
        }

    def save(self, kept: Kept, *, best: bool) -> None:
        """Write a checkpoint of the run."""
        source, target = self.translator.source_tokenizer, self.translator.target_tokenizer
        joint = source is target
        tokenizers = (
            {"joint": source.to_json()} if joint else {"source": source.to_json(), "target": target.to_json()}
        )
        now = kept.progress
        summary = {"step": now.step, "seconds": now.seconds, "dev": now.best if best else None}
        stored = StoredModel(self.recipe, weights_of(self.model), tokenizers, summary)
        progress = {**dataclasses.asdict(now), "corpus": self.corpus_key, "versions": versions()}
        write_checkpoint(self._run, now.step, Checkpoint(stored, kept.optimizer, progress), best=best)

    def take(self, checkpoint: Checkpoint) -> Kept:
        """Go on from a checkpoint: its weights, and what the loop needs; refuse one of another corpus."""
        facts = dict(checkpoint.progress)
        if facts.pop("corpus", None) != self.corpus_key:
            raise StoreError(
                f"{self._run}: the data has changed since this run began; choose another folder for a new run"
            )
        facts.pop("versions", None)
        put_weights(self.model, checkpoint.model.weights, str(self._run))
        try:
            return Kept(Progress(**facts), checkpoint.optimizer)
        except TypeError:
            raise StoreError(f"{self._run}: the checkpoint is of another version of regard") from None

    def roll_back(self, optimizer: torch.optim.Optimizer) -> None:
        """Give the model and the optimizer what the last checkpoint holds, or what they began with."""
        checkpoint, _ = read_checkpoint(self._run)
        if checkpoint is None:
            first = _initialised(self.recipe, *map(len, self._tokenizers()))
            put_weights(self.model, weights_of(first), str(self._run))
            optimizer.state.clear()
            return
        put_weights(self.model, checkpoint.model.weights, str(self._run))
        put_state(optimizer, self.model, checkpoint.optimizer)

    @property
    def checkpoint_bytes(self) -> int:
        """How large a checkpoint is: weights and the two means that Adam keeps of each."""
        return 3 * sum(p.numel() * p.element_size() for p in self.model.parameters())

    def describe(self, rows: Sequence[int]) -> str:
        """Name the first rows of a batch."""
        named = ", ".join(self._train.where(row) for row in rows[:3])
        return named if len(rows) <= 3 else f"{named} and {len(rows) - 3} more"

    def _tokenizers(self) -> tuple[Tokenizer, Tokenizer]:
        return self.translator.source_tokenizer, self.translator.target_tokenizer

    def _loss(self, pairs: Pairs, rows: Sequence[int], noise: Noise | None, smoothing: float) -> BatchLoss:
        batch = make_batch(pairs, rows, SYMBOLS).to(self._device)
        network = self.translator.network
        features = network.forced(batch.source, batch.lengths, batch.fed, noise=noise)
        loss, likelihood = smoothed_cross_entropy(
            features[batch.real],
            network.output.weight,
            network.output.bias,
            batch.wanted[batch.real],
            smoothing=smoothing,
        )
        tokens = int(batch.real.sum())
        padding = 1 - (int(batch.lengths.sum()) + tokens) / (batch.source.numel() + batch.real.numel())
        return BatchLoss(loss, likelihood, tokens, padding)


class _Respelt:
    """Pairs in other tokens, anew each step: a function of (seed, step, row, side)."""

    def __init__(self, pairs: Pairs, sides: tuple[Tokenizer, Tokenizer], key: tuple[int, int]) -> None:
        self._pairs = pairs
        self._sides = sides
        self._key = key

    def __getitem__(self, row: int, /) -> EncodedPair:
        pair = self._pairs[row]
        source, target = (
            side.resample([int(token) for token in ids], key=(*self._key, row, place))
            for place, (side, ids) in enumerate(zip(self._sides, (pair.source, pair.target), strict=True))
        )
        return EncodedPair(source, target)


def _initialised(recipe: Recipe, source_size: int, target_size: int) -> nn.Module:
    """The model with weights that are a function of the seed; nobody else's random state is touched."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(recipe.training.seed)
        return build_model(recipe.model, source_size=source_size, target_size=target_size)
