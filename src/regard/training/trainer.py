"""What the training of any task shares: first weights, checkpoints, averages, resuming."""

import dataclasses
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Protocol

import torch
from torch import Tensor, nn

from regard.config.recipe import Recipe
from regard.config.training import AverageConfig, TrainingConfig
from regard.data.batching import Plan
from regard.data.corpus import TrainingRows
from regard.data.pairs import Pair
from regard.data.rows import BadRows
from regard.data.schema import Reader
from regard.errors import ConfigError, DataError, StoreError
from regard.nn.dropout import DropoutRng
from regard.progress import counted, say
from regard.store.atomic import read_folder
from regard.store.average import average_models
from regard.store.build import Vocabularies, stored_vocabularies
from regard.store.checkpoint import Checkpoint, read_checkpoint, write_checkpoint
from regard.store.folder import StoredModel, files_of, load_weights, weights_of
from regard.store.pointer import commit_best, read_pointers
from regard.training.initial_vectors import InitialVectors, check_vectors
from regard.training.log import RunLog
from regard.training.loop import train_loop
from regard.training.optimizer import freeze
from regard.training.state import RunProgress, RunSummary, TrainerState
from regard.training.step import BatchLoss
from regard.training.versions import versions
from regard.training.warm_start import WarmStart

QUARANTINE = "quarantine.jsonl"


class HasVocabulary(Protocol):
    """A model that reads with one vocabulary."""

    source_vocab_params: tuple[str, ...]


class Trainer(ABC):
    """A model in the making: its corpora, its loss, its validation. What a task adds is abstract here."""

    reader: ClassVar[Reader[Any, Pair]]
    """Of the dev set."""
    model: nn.Module
    vocabularies: Vocabularies
    """In the order of `recipe.vectors` and of `vocabulary_parameters`."""
    temperature: float | None = None
    """Of the weights of the last validation, where the task gives probabilities."""

    def __init__(
        self,
        recipe: Recipe,
        run: Path,
        device: torch.device,
        *,
        start: WarmStart | None = None,
        resumes: bool = False,
        quiet: bool = False,
    ) -> None:
        """Read the corpora, and make the model.

        resumes: a checkpoint will be loaded, so that the model need not have its first word vectors
        """
        self.recipe = recipe
        self._run = run
        self._quiet = quiet
        self._device = device
        self._start = start
        if not resumes:
            check_vectors(recipe.vectors)
        bad = BadRows.of(recipe.data)
        self._dev_rows = self.read_dev(bad)
        if not self._dev_rows:
            raise DataError("data.dev: the corpus has no rows")
        self.vocabularies, self._train = self.build_corpus()
        if not len(self._train):
            raise DataError(
                f"every training {recipe.example} is longer than {self.limits}"
                if self._train.left_out
                else "data.train: the corpus has no rows"
            )
        self.quarantine = self._train.quarantine() + bad.to_json_lines()
        self._bad_dev = len(bad.met)
        dev = hashlib.sha256("\n".join(row.line for row in self._dev_rows).encode()).hexdigest()
        self.ids_key = f"{self._train.ids_key} {dev}"
        """Equal where a run can resume: the same ids to learn from, and the same dev set."""
        self.corpus_key = f"{self._train.key} {dev}"
        """What older checkpoints have instead; it changes with the code that reads, too."""
        self._vectors = InitialVectors(recipe, self.vocabularies, self._train, quiet=quiet)
        self.model = self._initialised(vectors=not resumes).to(device)
        freeze(self.model, recipe.training.frozen_layers)
        self.setup()
        if recipe.training.log_attention and not getattr(self.model, "attentions", None):
            raise ConfigError("training.log_attention: this model has no attention; leave it out")

    @abstractmethod
    def setup(self) -> None:
        """Make what validations need, now that the model is there; refuse a dev set that cannot be used."""

    def read_dev(self, bad: BadRows) -> Sequence[Pair]:
        """The dev set."""
        data = self.recipe.data
        return list(self.reader(data.dev, data, split="dev", bad=bad))

    @abstractmethod
    def build_corpus(self) -> tuple[Vocabularies, TrainingRows[Any]]:
        """The vocabularies, and the training rows in ids; `self.choose` says how to choose the first."""

    @abstractmethod
    def build(self) -> nn.Module:
        """A model of the recipe, for these vocabularies, randomly initialised."""

    def vocabulary_parameters(self, model: nn.Module) -> Sequence[tuple[str, ...]]:
        """For each vocabulary, the parameters that have a row for each entry; the word vectors first."""
        encoder: HasVocabulary = model  # type: ignore[assignment]  # unless the task says otherwise
        return (encoder.source_vocab_params,)

    @abstractmethod
    def loss(self, rows: Sequence[int], rng: DropoutRng | None) -> BatchLoss:
        """The loss of one batch of training rows."""

    @abstractmethod
    def validate(self) -> dict[str, float]:
        """Scores on the dev set: `loss`, without smoothing, and the task's own, higher = better."""

    def attention_scores(self) -> dict[str, float]:
        """Measures of the attention on the first dev rows, for `training.log_attention`."""
        return {}

    def extra_state(self) -> dict[str, Any]:
        """What a model folder of this task has more: fields of `StoredModel`, and entries of some of them."""
        return {}

    @property
    def config(self) -> TrainingConfig:
        """The settings of the loop."""
        return self.recipe.training

    @property
    def start(self) -> WarmStart | None:
        """A model of this very task to start from: its labels are the new one's, too."""
        return self._start if self._start is not None and self._start.is_of_the_task else None

    @property
    def limits(self) -> str:
        """The settings that say which rows are too long to be learned from, with their values."""
        return f"data.max_tokens = {self.recipe.data.max_tokens}"

    @property
    def choose(self) -> Callable[[Callable[[], Vocabularies]], Vocabularies]:
        """The vocabularies, given how to learn them: those of the model to start from, or the learned."""
        return self._start.vocabularies if self._start else lambda learn: learn()

    def describe_corpus(self) -> str:
        """One line about what will be learned from."""
        parameters = sum(parameter.numel() for parameter in self.model.parameters())
        long, bad = self._train.left_out, self._train.bad + self._bad_dev
        left_out = f", {long:,} left out (longer than {self.limits})" if long else ""
        skipped = f", {counted(bad, 'bad row')} skipped" if bad else ""
        return (
            f"{counted(len(self._train), f'training {self.recipe.example}')}{left_out}, "
            f"{counted(len(self._dev_rows), f'dev {self.recipe.example}')}{skipped}; "
            f"{self.describe_vocabularies()}; {parameters:,} parameters"
        )

    def describe_vocabularies(self) -> str:
        """The sizes of what the model reads and says."""
        return f"a vocabulary of {len(self.vocabularies[0]):,}"

    def fit(self, log: RunLog, *, state: TrainerState | None, quiet: bool) -> RunSummary:
        """Run the loop, from the beginning or from a state."""
        return train_loop(self, self.config, log, state=state, quiet=quiet)

    def plan(self, epoch: int) -> Plan:
        """The batches of an epoch."""
        config = self.recipe.training
        return self._train.plan(budget=config.batch_tokens, seed=config.seed, epoch=epoch)

    def save(self, state: TrainerState, *, best: bool, score: float | None) -> None:
        """Write a checkpoint of the run: the model as it is now, and what is needed to resume."""
        now = state.progress
        summary = {"step": now.step, "seconds": now.seconds, "dev": now.best if best else None}
        progress = {**dataclasses.asdict(now), "ids": self.ids_key, "versions": versions()}
        stored = self._stored(summary, measured=now.validated)
        checkpoint = Checkpoint(stored, state.tensors, progress)
        keep = self.recipe.training.kept
        write_checkpoint(self._run, now.step, checkpoint, best=best, score=score, keep=keep)

    def mean(self, config: AverageConfig) -> tuple[Mapping[str, Tensor], list[int]]:
        """The mean of the weights of several checkpoints, and the steps they are of."""
        pointers = read_pointers(self._run)
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
        self.save_best(f"average-{len(steps)}", {"averaged": list(steps), "dev": dict(scores)})

    def save_best(self, name: str, summary: dict[str, Any]) -> None:
        """Write the model as it is now, which has just been validated, as the best of the run."""
        commit_best(self._run, name, files_of(self._stored(summary, measured=True)))

    def _stored(self, summary: dict[str, Any], *, measured: bool) -> StoredModel:
        """measured: whether the weights are those of the last validation"""
        more = self.extra_state()
        if measured and self.temperature is not None:
            summary = {**summary, "temperature": self.temperature}
        vocabularies = stored_vocabularies(self.vocabularies) | more.pop("tokenizers", {})
        return StoredModel(self.recipe, weights_of(self.model), vocabularies, summary, **more)

    def load_state(self, checkpoint: Checkpoint) -> TrainerState:
        """Resume from a checkpoint: its weights, and what the loop needs; refuse one of another corpus."""
        facts = dict(checkpoint.progress)
        found, expected = facts.pop("corpus", None), self.corpus_key
        if "ids" in facts:
            found, expected = facts.pop("ids"), self.ids_key
        if found != expected:
            raise StoreError(
                f"{self._run}: the data has changed since this run began; choose another folder for a new run"
            )
        facts.pop("versions", None)
        load_weights(self.model, checkpoint.model.weights, str(self._run))
        try:
            return TrainerState(RunProgress(**facts), checkpoint.optimizer)
        except TypeError:
            raise StoreError(f"{self._run}: the checkpoint is of another version of regard") from None

    def roll_back(self) -> Mapping[str, Tensor]:
        """Give the model the weights of the last checkpoint, or those it began with.

        returns: what was kept of the optimizer with them; nothing at the beginning
        """
        checkpoint, _ = read_checkpoint(self._run)
        if checkpoint is None:
            first = self._initialised()
            load_weights(self.model, weights_of(first), str(self._run))
            return {}
        load_weights(self.model, checkpoint.model.weights, str(self._run))
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

    def _initialised(self, *, vectors: bool = True) -> nn.Module:
        """The model as training begins: its weights are a function of the seed, or those of another model.

        vectors: with the word vectors that the recipe begins with
        """
        if self._start is not None:
            self._start.check_fits(self.build)
        with torch.random.fork_rng(devices=[]):  # nobody else's random state is touched
            torch.default_generator.manual_seed(self.recipe.training.seed)
            model = self.build()
        if self._start is not None:
            self._start.put(model, self.vocabulary_parameters(model))
        elif vectors:
            self._vectors.put(model, [names[0] for names in self.vocabulary_parameters(model)])
        return model
