"""Training a language model: what the loop needs, from a recipe."""

import time
from collections.abc import Sequence
from typing import Any, ClassVar

from torch import nn

from regard.config.language import LanguageRecipe, NGramConfig
from regard.data.pairs import Pair
from regard.data.schema import Reader
from regard.data.sentences import read_sentences
from regard.errors import ConfigError
from regard.metrics.perplexity import perplexity_statistics
from regard.models.catalogue import build_model
from regard.models.kneser_ney import KneserNey
from regard.models.ngram import NGramNetwork
from regard.nn.decoder import EncoderDecoder
from regard.nn.dropout import DropoutRng
from regard.progress import track
from regard.store.build import Vocabularies
from regard.tasks.attention import attention_scores
from regard.tasks.language_model.examples import TrainingSentences, sentence_corpus
from regard.tasks.language_model.predictor import LanguageModel
from regard.text.tokenizer import BOS, EOS, PAD
from regard.training.log import RunLog
from regard.training.state import RunSummary, TrainerState
from regard.training.step import BatchLoss
from regard.training.teacher_forcing import teacher_forced_loss
from regard.training.trainer import Trainer


class LanguageModelTrainer(Trainer):
    """A language model in the making."""

    reader: ClassVar[Reader[Any, Pair]] = read_sentences
    recipe: LanguageRecipe
    _train: TrainingSentences

    def setup(self) -> None:
        """The model that validations run; every dev sentence must have room in it."""
        (tokenizer,) = self.vocabularies
        self.language_model = LanguageModel(self.model, tokenizer=tokenizer, recipe=self.recipe)
        longest, most = self.language_model.network.longest, self.recipe.data.max_tokens
        if longest is not None and most >= longest:  # with <s>
            raise ConfigError(
                f"model.longest = {longest} has no room for data.max_tokens = {most} and <s>; raise the one, "
                "or lower the other"
            )
        self.language_model.check([(row.where, row.source) for row in self._dev_rows])

    def build_corpus(self) -> tuple[Vocabularies, TrainingSentences]:
        """The vocabulary, and the training sentences."""
        tokenizer, sentences = sentence_corpus(
            self.recipe.data, self.recipe.text, choose=self.choose, quiet=self._quiet
        )
        return (tokenizer,), sentences

    def build(self) -> nn.Module:
        """A model of the recipe; n-grams are counted here and now."""
        config = self.recipe.model
        if isinstance(config, NGramConfig):
            return NGramNetwork(self._counted(config))
        return build_model(self.recipe.model, target_size=len(self.vocabularies[0]))

    def vocabulary_parameters(self, model: nn.Module) -> Sequence[tuple[str, ...]]:
        """What grows with the vocabulary."""
        network: EncoderDecoder[Any] = model  # type: ignore[assignment]
        return (network.target_vocab_params,) if network.target_vocab_params else ()

    def loss(self, rows: Sequence[int], rng: DropoutRng | None) -> BatchLoss:
        """The cross-entropy of training sentences; with BPE-dropout, in other segmentations."""
        (tokenizer,) = self.vocabularies
        return teacher_forced_loss(
            self.language_model.network,
            self._train,
            rows,
            rng,
            self.recipe.training,
            sides=(tokenizer, tokenizer),
            device=self._device,
        )

    def fit(self, log: RunLog, *, state: TrainerState | None, quiet: bool) -> RunSummary:
        """The loop; n-grams have no steps: they are evaluated and kept as they are."""
        if not isinstance(self.recipe.model, NGramConfig):
            return super().fit(log, state=state, quiet=quiet)
        scores = self.validate()
        self.save_best("counted", {"dev": scores})
        return RunSummary(
            steps=0, epochs=1.0, seconds=self._seconds, best=scores, best_step=0, stopped_early=False
        )

    def _counted(self, config: NGramConfig) -> KneserNey:
        begun = time.monotonic()
        sentences = ([int(token) for token in self._train[row].target] for row in range(len(self._train)))
        tracked = track(sentences, "counting", unit="sentences", total=len(self._train), quiet=self._quiet)
        size = len(self.vocabularies[0])
        model = KneserNey.fit(tracked, size=size, start=BOS, end=EOS, never=[PAD], order=config.order)
        self._seconds = time.monotonic() - begun
        return model

    def attention_scores(self) -> dict[str, float]:
        """Entropy and coverage."""
        return attention_scores(self.language_model, self._dev_rows)

    def validate(self) -> dict[str, float]:
        """Loss per token, and perplexity per word."""
        texts = [row.source for row in self._dev_rows]
        scores = list(self.language_model.score(texts))
        logs = [score.log_probability for score in scores]
        tokens = sum(len(score.tokens) for score in scores)
        return {
            "loss": -sum(logs) / tokens,
            "perplexity": min(perplexity_statistics(logs, texts).value(), 1e20),
        }
