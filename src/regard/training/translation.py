"""Training a translator: what the loop needs, from a recipe."""

import dataclasses
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from regard.config.recipe import Recipe
from regard.config.training import AverageConfig
from regard.data.bad_rows import BadRows
from regard.data.batching import Batch, EncodedPair, Pairs, Plan, length_batches, make_batch
from regard.data.pairs import read_pairs
from regard.errors import DataError, StoreError
from regard.metrics.bleu import bleu
from regard.models.catalogue import build_model
from regard.nn.loss import loss_of
from regard.nn.noise import Noise
from regard.nn.step import EncoderDecoder
from regard.nn.written import Written
from regard.progress import say
from regard.store.atomic import read_folder
from regard.store.average import average_models
from regard.store.checkpoint import Checkpoint, read_checkpoint, write_checkpoint
from regard.store.folder import StoredModel, files_of, put_weights, weights_of
from regard.store.pointer import commit_best, pointed
from regard.store.vocabularies import stored_vocabularies
from regard.tasks.corpus import encode_pairs, prepare_pairs
from regard.tasks.translation import SYMBOLS, Translator
from regard.text.tokenizer import BOS, EOS, PAD, UNK, Tokenizer
from regard.training.loop import BatchLoss
from regard.training.scheduled_sampling import share_of, with_own_words
from regard.training.state import Kept, Progress
from regard.training.vectors import FirstVectors, check_vectors
from regard.training.versions import versions
from regard.training.warm_start import WarmStart

_NEVER_FED = (PAD, BOS, EOS, UNK)
QUARANTINE = "quarantine.jsonl"


class TranslationTraining:
    """A translator in the making: its corpora, its loss, its validation."""

    def __init__(
        self,
        recipe: Recipe,
        run: Path,
        device: torch.device,
        *,
        start: WarmStart | None = None,
        goes_on: bool = False,
        quiet: bool = False,
    ) -> None:
        """goes_on: a checkpoint will be taken, so that the model need not have its first word vectors"""
        self.recipe = recipe
        self._run = run
        self._quiet = quiet
        self._device = device
        if not goes_on:
            check_vectors(recipe.vectors)
        bad = BadRows.of(recipe.data)
        self._dev_pairs = list(read_pairs(recipe.data.dev, recipe.data, split="dev", bad=bad))
        if not self._dev_pairs:
            raise DataError("data.dev: the corpus has no rows")
        self._start = start
        chosen = {"vocabularies": start.vocabularies} if start else {}
        source, target, self._train = prepare_pairs(recipe.data, recipe.text, **chosen, quiet=quiet)
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
        self._vectors = FirstVectors(recipe, (source, target), self._train, quiet=quiet)
        self.model = self._initialised(len(source), len(target), vectors=not goes_on).to(device)
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
        outputs = self.translator.translate(sources, search=self.recipe.decoding.greedy(), attention=False)
        score = bleu([output.text for output in outputs], [pair.target for pair in self._dev_pairs])
        return {
            "loss": total / tokens,
            "perplexity": float(np.exp(min(50.0, total / tokens))),
            "bleu": score.value,
        }

    def save(self, kept: Kept, *, best: bool, score: float | None) -> None:
        """Write a checkpoint of the run."""
        now = kept.progress
        summary = {"step": now.step, "seconds": now.seconds, "dev": now.best if best else None}
        progress = {**dataclasses.asdict(now), "corpus": self.corpus_key, "versions": versions()}
        checkpoint = Checkpoint(self._stored(summary), kept.tensors, progress)
        keep = self.recipe.training.kept
        write_checkpoint(self._run, now.step, checkpoint, best=best, score=score, keep=keep)

    def mean(self, config: AverageConfig) -> tuple[Mapping[str, Tensor], list[int]]:
        """The mean of the weights of several checkpoints, and the steps they are of."""
        pointers = pointed(self._run)
        entries = pointers.top(config.count) if config.of == "best" else pointers.latest(config.count)
        whole = [entry for entry in entries if self._is_whole(self._run / entry.folder)]
        folders = [self._run / entry.folder for entry in whole]
        return average_models(folders).weights, [entry.step for entry in whole]

    def _is_whole(self, folder: Path) -> bool:
        try:
            read_folder(folder)
        except StoreError as error:
            say(f"{error}; it is left out of the average", quiet=self._quiet)
            return False
        return True

    def save_mean(self, steps: Sequence[int], scores: Mapping[str, float]) -> None:
        """Write the model as it is now as the best of the run: the mean of the checkpoints of some steps."""
        stored = self._stored({"averaged": list(steps), "dev": dict(scores)})
        commit_best(self._run, f"average-{len(steps)}", files_of(stored))

    def _stored(self, summary: dict[str, Any]) -> StoredModel:
        vocabularies = stored_vocabularies(*self._tokenizers())
        return StoredModel(self.recipe, weights_of(self.model), vocabularies, summary)

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

    def roll_back(self) -> Mapping[str, Tensor]:
        """Give the model the weights of the last checkpoint, or those it began with."""
        checkpoint, _ = read_checkpoint(self._run)
        if checkpoint is None:
            first = self._initialised(*map(len, self._tokenizers()))
            put_weights(self.model, weights_of(first), str(self._run))
            return {}
        put_weights(self.model, checkpoint.model.weights, str(self._run))
        return checkpoint.optimizer

    @property
    def checkpoint_bytes(self) -> int:
        """How large a checkpoint is: weights, the two means that Adam keeps of each, their average."""
        tensors = 3 if self.recipe.training.ema is None else 4
        return tensors * sum(p.numel() * p.element_size() for p in self.model.parameters())

    def describe(self, rows: Sequence[int]) -> str:
        """Name the first rows of a batch."""
        named = ", ".join(self._train.where(row) for row in rows[:3])
        return named if len(rows) <= 3 else f"{named} and {len(rows) - 3} more"

    def _initialised(self, source_size: int, target_size: int, *, vectors: bool = True) -> nn.Module:
        """The model as training begins: its weights are a function of the seed, or those of another model.

        vectors: with the word vectors that the recipe begins with
        """
        with torch.random.fork_rng(devices=[]):  # nobody else's random state is touched
            torch.default_generator.manual_seed(self.recipe.training.seed)
            model = build_model(self.recipe.model, source_size=source_size, target_size=target_size)
        if self._start is not None:
            self._start.put(model)
        elif vectors:
            self._vectors.put(model)
        return model

    def _tokenizers(self) -> tuple[Tokenizer, Tokenizer]:
        return self.translator.source_tokenizer, self.translator.target_tokenizer

    def _loss(self, pairs: Pairs, rows: Sequence[int], noise: Noise | None, smoothing: float) -> BatchLoss:
        batch = make_batch(pairs, rows, SYMBOLS).to(self._device)
        network = self.translator.network
        sampling = self.recipe.training.scheduled_sampling
        if noise is not None and sampling is not None:
            batch = with_own_words(network, batch, noise, share_of(sampling, noise.step), _NEVER_FED)
        return loss_of_batch(network, batch, noise, smoothing=smoothing)


def loss_of_batch(
    network: EncoderDecoder[Any], batch: Batch, noise: Noise | None, *, smoothing: float
) -> BatchLoss:
    """The label-smoothed cross-entropy of a batch, its targets given."""
    written: Written = network.forced(  # type: ignore[assignment]  # one model, not an ensemble
        batch.source, batch.lengths, batch.fed, real=batch.real, noise=noise
    )
    loss, likelihood = loss_of(written.at(batch.real), batch.wanted[batch.real], smoothing=smoothing)
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
