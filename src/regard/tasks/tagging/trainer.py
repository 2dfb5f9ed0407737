"""Training a tagger: what the loop needs, from a recipe."""

from collections.abc import Sequence
from itertools import chain
from typing import Any, ClassVar

import numpy as np
import torch
from torch import nn

from regard.config.tagger import CRFLabellingConfig
from regard.config.tagging import TaggingRecipe
from regard.data.pairs import Pair
from regard.data.schema import Reader
from regard.data.tagged import TaggedSentence, read_tagged
from regard.errors import ConfigError, DataError
from regard.metrics.calibration import fit_temperature
from regard.metrics.classification import label_counts
from regard.metrics.f_score import f_statistics, span_statistics
from regard.nn.dropout import DropoutRng
from regard.progress import counted
from regard.store.build import Vocabularies, labels_of
from regard.tasks.attention import attention_scores
from regard.tasks.tagging.examples import TrainingSentences, make_tags, make_words, tagged_corpus
from regard.tasks.tagging.predictor import MOST_OF_A_CRF, Tagger, build_tagger, characters_of
from regard.text.labels import Labels
from regard.text.span_labels import Scheme, are_span_labels, may_follow
from regard.text.tokenizer import Tokenizer
from regard.training.step import BatchLoss
from regard.training.trainer import Trainer


class TaggingTrainer(Trainer):
    """A tagger in the making."""

    reader: ClassVar[Reader[Any, Pair]] = read_tagged
    recipe: TaggingRecipe
    labels: Labels
    characters: Tokenizer | None
    _train: TrainingSentences
    _dev_rows: Sequence[TaggedSentence]

    def setup(self) -> None:
        """The dev set in ids, and the tagger that validations run."""
        (tokenizer,) = self.vocabularies
        self.tagger = Tagger(
            self.model,
            tokenizer=tokenizer,
            characters=self.characters,
            labels=self.labels,
            recipe=self.recipe,
        )
        self._has_spans = are_span_labels(self.labels.names)
        by_spans = self.recipe.training.best_by == "span_f1"
        if by_spans and not self._has_spans:
            raise ConfigError(
                f"training.best_by: span_f1 needs tags such as B-X, I-X and O, found "
                f"{', '.join(self.labels.names[:3])}; say accuracy"
            )
        if by_spans and not any({*row.tags} - {"O"} for row in self._dev_rows):
            raise DataError("data.dev: training.best_by: span_f1 needs a span, found none; say accuracy")
        places = [row.where for row in self._dev_rows]
        encoded = self.tagger.encode([row.words for row in self._dev_rows], places)
        self._dev = [
            own._replace(tags=[self.labels.number(tag, row.where) for tag in row.tags])
            for own, row in zip(encoded, self._dev_rows, strict=True)
        ]
        own = self.recipe.model.labelling
        if isinstance(own, CRFLabellingConfig) and own.scheme is not None:
            self._check_well_formed(own.scheme)

    def _check_well_formed(self, scheme: Scheme) -> None:
        """Refuse a labelling that the model cannot give: its probability would be 0."""
        names = self.labels.names
        dev = ((row.where, row.tags) for row in self._dev_rows)
        train = (
            (self._train.where(row), tuple(names[int(tag)] for tag in self._train[row].tags))
            for row in range(len(self._train))
        )
        for where, tags in chain(dev, train):  # one at a time: a corpus may be larger than memory
            for before, after in zip([None, *tags], [*tags, None], strict=True):
                if not may_follow(before, after, scheme):
                    told = f"{after or 'the end'} after {before or 'the beginning'}"
                    raise DataError(
                        f"{where}: {told} is not well-formed {scheme.upper()}; correct it, or leave out "
                        f"model.labelling.scheme"
                    )

    def build_corpus(self) -> tuple[Vocabularies, TrainingSentences]:
        """The words, and the training sentences; tags and characters are learned, or another model's."""
        start = self.start
        words, self.characters, self.labels, sentences = tagged_corpus(
            self.recipe,
            labels=labels_of(start.stored, start.where) if start else None,
            characters=characters_of(start.stored, start.where) if start else None,
            choose=self.choose,
            quiet=self._quiet,
        )
        return (words,), sentences

    def build(self) -> nn.Module:
        """A model of the recipe."""
        if isinstance(self.recipe.model.labelling, CRFLabellingConfig) and len(self.labels) > MOST_OF_A_CRF:
            raise ConfigError(
                f"model.labelling: a crf compares every two tags at each word, and takes up to "
                f"{MOST_OF_A_CRF} of them; the corpus has {len(self.labels):,}; say kind: softmax"
            )
        return build_tagger(self.recipe, len(self.vocabularies[0]), self.characters, self.labels)

    def describe_vocabularies(self) -> str:
        """The sizes of the vocabularies and of the tags."""
        characters = f", {counted(len(self.characters), 'character')}" if self.characters else ""
        return f"{super().describe_vocabularies()}{characters}, {len(self.labels):,} tags"

    def extra_state(self) -> dict[str, Any]:
        """The tags, and the characters that are read."""
        characters = {} if self.characters is None else {"characters": self.characters.to_json()}
        return {"labels": self.labels.to_json(), "tokenizers": characters}

    def loss(self, rows: Sequence[int], rng: DropoutRng | None) -> BatchLoss:
        """-log p of the right tags of training sentences."""
        sentences = [self._train[row] for row in rows]
        words, tags = make_words(sentences).to(self._device), make_tags(sentences).to(self._device)
        network = self.tagger.network
        scores = network(words, rng=rng)
        likelihood = network.labelling.log_likelihood(scores, tags, words.lengths).sum()
        count = int(words.lengths.sum())
        return BatchLoss(-likelihood, likelihood.detach(), count, 1 - count / tags.numel())

    def attention_scores(self) -> dict[str, float]:
        """Entropy and coverage."""
        return attention_scores(self.tagger, self._dev_rows)

    @torch.inference_mode()
    def validate(self) -> dict[str, float]:
        """Loss per word, accuracy, macro F1, F1 of spans if there are any; and the temperature of these."""
        said: list[list[int]] = [[] for _ in self._dev]
        likelihood, marginals, right_tags = 0.0, [], []
        labelling = self.tagger.network.labelling
        for batch in self.tagger.outputs(self._dev):
            tags = make_tags([self._dev[row] for row in batch.rows]).to(self._device)
            likelihood += float(
                labelling.log_likelihood(batch.output.scores, tags, batch.output.lengths).sum()
            )
            for row, numbers in zip(batch.rows, batch.output.tags, strict=True):
                said[row] = numbers
                right_tags.append(self._dev[row].tags)
            marginals += batch.output.marginals
        self.temperature = fit_temperature(np.concatenate(marginals), np.concatenate(right_tags))
        both, own, there = label_counts(
            [np.array(one) for one in said], [np.array(one.tags) for one in self._dev], len(self.labels)
        )
        scores = {
            "loss": -likelihood / float(there.sum()),
            "accuracy": float(both.sum() / there.sum()),
            "macro_f1": f_statistics(both, own, there).value(),
        }
        if self._has_spans:
            names = self.labels.names
            spoken = [[names[number] for number in one] for one in said]
            right = [list(row.tags) for row in self._dev_rows]
            # Where nobody says a span, and there is none, none is wrong and none is right.
            scores["span_f1"] = float(np.nan_to_num(span_statistics(spoken, right).value()))
        return scores
