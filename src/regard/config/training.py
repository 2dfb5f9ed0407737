"""How a model is trained."""

from typing import Annotated, Literal

from pydantic import Field

from regard.config.base import Config, Count

Decay = Annotated[float, Field(ge=0.0, lt=1.0)]


class OptimizerConfig(Config):
    """Adam (Kingma and Ba 2015) or AdamW (Loshchilov and Hutter 2019)."""

    kind: Literal["adam", "adamw"] = "adam"
    learning_rate: float = Field(default=1e-3, gt=0.0)
    """The peak, reached after the warm-up."""
    betas: tuple[Decay, Decay] = (0.9, 0.98)
    """Decay of the running means of the gradient and of its square."""
    epsilon: float = Field(default=1e-8, gt=0.0)
    """Keeps the division finite."""
    weight_decay: float = Field(default=0.0, ge=0.0)
    """Weight decay; not of biases, nor of the weights of normalisations."""
    layer_decay: float = Field(default=1.0, gt=0.0, le=1.0)
    """Layer-wise learning rate decay of a BERT: each layer has this times the rate of the one above it
    (Howard and Ruder 2018)."""


class ScheduleConfig(Config):
    """The learning rate schedule: a linear warm-up, then a decay."""

    kind: Literal["constant", "inverse_sqrt", "linear", "cosine"] = "cosine"
    """constant; peak * sqrt(warm-up / step); or down to `floor` at the last step, straight or as a cosine."""
    warmup_steps: int = Field(default=200, ge=0)
    """Steps from zero to the peak."""
    floor: float = Field(default=0.02, ge=0.0, le=1.0)
    """Where linear and cosine end, as a share of the peak."""


class KeepConfig(Config):
    """Which checkpoints stay on the disk, besides the last two of all."""

    best: Count = 1
    """So many of those that did best on the dev set."""
    last: int = Field(default=0, ge=0, le=10_000)
    """So many of the last that were measured on the dev set."""
    every: Count | None = None
    """One after each multiple of so many steps is written and stays; by default none."""


class AverageConfig(Config):
    """At the end of a run the weights of several checkpoints are averaged (Vaswani et al. 2017).

    The average is measured on the dev set, and is the run's best model if it is better than the others.
    """

    of: Literal["best", "last"] = "best"
    """The checkpoints that did best on the dev set, or the last that were measured."""
    count: int = Field(default=5, ge=2, le=100)
    """How many; fewer if the run has fewer."""


class ScheduledSamplingConfig(Config):
    """Scheduled sampling: feed the decoder some words of its own predictions (Bengio et al. 2015)."""

    share: float = Field(default=0.25, gt=0.0, le=1.0)
    """How many, in the end."""
    kind: Literal["linear", "inverse_sigmoid"] = "linear"
    """How the share grows: evenly; or slowly, fast, and slowly again."""
    steps: Count = 2000
    """Steps until it is reached; of the inverse sigmoid, until half of it is."""


class TrainingConfig(Config):
    """One run: its length, its batches, its optimizer, and when it is validated.

    A task narrows what `best_by` may be.
    """

    seed: int = Field(default=1, ge=0, lt=2**32)
    """Weights, order and dropout are functions of it."""
    epochs: Count = 10
    """Passes over the training data."""
    minutes: float | None = Field(default=None, gt=0.0)
    """Stop after so many minutes of training steps, if the epochs are not over before; validations do not
    count. The decay of the learning rate follows the time, too. How many steps that is depends on the
    machine, so such a run is not reproducible bit for bit. A stopped one resumes with the time left."""
    batch_tokens: Count = 2048
    """Tokens in a batch, padding included, on the longer of the two sides."""
    accumulate: Count = 1
    """Gradient accumulation: batches for one step of the optimizer; on a CPU, as many at a time as
    there are threads."""
    save_minutes: float = Field(default=10.0, gt=0.0)
    """A checkpoint to resume from is written at least so often, and at every validation."""
    keep: KeepConfig = KeepConfig()
    average: AverageConfig | None = None
    """By default nothing is averaged."""
    ema: float | None = Field(default=None, gt=0.0, lt=1.0)
    """Decay of an exponential moving average of the weights (Polyak and Juditsky 1992), such as 0.999: it is
    the average that is measured on the dev set and stored. By default there is none."""
    label_smoothing: float = Field(default=0.1, ge=0.0, lt=1.0)
    """Probability that is spread over all words instead of given to the right one (Szegedy et al. 2016)."""
    scheduled_sampling: ScheduledSamplingConfig | None = None
    """By default the decoder is fed the reference (teacher forcing). Sampling costs one more forward pass per
    step."""
    on_nan: Literal["stop", "skip", "rollback"] = "stop"
    """A loss or gradient that is NaN or infinite stops the run; or its step is left out; or the weights go
    back to the last checkpoint and training continues with the next batch."""
    nan_limit: Count = 3
    """With `on_nan: skip` or `rollback`: more such steps than this stop the run."""
    clip_norm: float = Field(default=1.0, gt=0.0)
    """A longer gradient is clipped to this norm."""
    precision: Literal["float32", "bfloat16"] = "float32"
    """Of the matrix products of training. With bfloat16 weights, optimizer and loss stay in float32. It is
    for GPUs and for CPUs with such instructions (AVX-512 BF16, AMX); others are slower with it. Not for
    recurrent models."""
    compile: bool = False
    """Let torch.compile make one kernel of many: the first steps take minutes. Not for recurrent models."""
    optimizer: OptimizerConfig = OptimizerConfig()
    schedule: ScheduleConfig = ScheduleConfig()
    frozen_layers: int | None = Field(default=None, strict=True, ge=0, le=10_000)
    """Of a BERT: its word vectors and so many of its lowest layers stay as they are; 0 = the vectors alone.
    By default all learn."""
    validations_per_epoch: Count = 1
    """How often the dev set is measured."""
    log_attention: bool = False
    """Also log the entropy and the coverage of the attention on the first 200 dev rows at each validation;
    of a translator, the alignment error rate, too, where the dev set has gold alignments. It costs one pass
    over these rows, and changes nothing in training."""
    best_by: str = "loss"
    """What makes a checkpoint the best: the loss, or a score of the task."""
    patience: Count | None = None
    """Stop after this many validations without a better one; by default never."""

    @property
    def kept(self) -> KeepConfig:
        """What stays on the disk: what is asked for, and what will be averaged."""
        if self.average is None:
            return self.keep
        most = max(getattr(self.keep, self.average.of), self.average.count)
        return self.keep.model_copy(update={self.average.of: most})
