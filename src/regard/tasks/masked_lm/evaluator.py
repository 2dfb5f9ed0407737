"""How masked language models are measured: how well they tell what is hidden."""

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from regard.config.bert import BertConfig
from regard.config.data import Corpus
from regard.config.load import Setting, first_difference
from regard.config.masked_language_model import MaskedLanguageModelRecipe, SequencesConfig
from regard.data.bad_rows import BadRows
from regard.data.batching import length_batches
from regard.data.masking import Entries
from regard.data.pairs import Pair
from regard.data.sentences import read_plain
from regard.errors import DataError
from regard.evaluation.evaluator import Asked
from regard.evaluation.scores import Evaluation, check_metrics, evaluation_of
from regard.evaluation.test_set import TestSet
from regard.metrics.statistics import Floats, Statistics, ratio
from regard.progress import track
from regard.tasks.masked_lm.predictor import MaskedLanguageModel
from regard.tasks.masked_lm.pretraining_example import Example, ExampleBatch, draws, make_example
from regard.text.symbols import SPECIAL
from regard.text.word_heads import WordHeads

METRICS = ("accuracy", "perplexity")
"""The share of hidden tokens that are told, 0 to 1; exp of the mean negative log-likelihood of one."""
_BATCH_TOKENS = 4096


@dataclass(frozen=True, repr=False)
class MaskedEvaluation(Evaluation):
    """Scores of what is told of the hidden tokens of a corpus."""

    task: ClassVar[str] = "masked-language-model"

    def of_sentences(self) -> tuple[str, Floats]:
        """How many hidden tokens of each row are told."""
        return "accuracy", self.statistics["accuracy"].each()

    def reference(self, pair: Pair) -> str:
        """The text itself."""
        return pair.source


class MaskedMeasures:
    """Accuracy and perplexity of hidden tokens.

    Each row is read alone. Its masks are a function of the row and of the seed of the measuring, not of the
    model's: all models are asked about the same words.
    """

    metrics: tuple[str, ...] = METRICS

    def settings(self, asked: Asked) -> list[Setting]:
        """The column of the text."""
        asked.only("text", task="masked-language-model")
        return [("data.text", asked.text)] if asked.text else []

    def read(
        self, corpus: Corpus, data: SequencesConfig, *, split: str, bad: BadRows, more: Sequence[str]
    ) -> Iterator[Pair]:
        """The rows of a corpus."""
        return read_plain(corpus, data, split=split, bad=bad, more=more)

    def check_alike(self, models: Mapping[str, MaskedLanguageModel]) -> None:
        """Refuse models that hide other tokens, or read otherwise: their scores are not of the same thing."""
        first = next(iter(models), "")
        for name, model in models.items():
            if models[first].tokenizer.to_json() != model.tokenizer.to_json():
                raise DataError(
                    f"{name} has another vocabulary than {first}; their scores cannot be compared"
                )
            if difference := _asked_otherwise(models[first].recipe, model.recipe):
                raise DataError(
                    f"{name} is asked for something else than {first} ({difference}); "
                    f"their scores cannot be compared"
                )

    def of_model(
        self, model: MaskedLanguageModel, test_set: TestSet, asked: Asked, metrics: Sequence[str], *,
        samples: int, seed: int, quiet: bool,
    ) -> MaskedEvaluation:  # fmt: skip
        """Hide, tell, and count."""
        del asked
        check_metrics(metrics, METRICS)
        begun = time.monotonic()
        counts, texts = _told(model, test_set, seed, quiet=quiet)
        found = {
            "accuracy": Statistics(counts[:, [0, 2]], ratio),
            "perplexity": Statistics(counts[:, [1, 2]], lambda sums: math.exp(min(ratio(sums), 700.0))),
        }
        chosen = {name: found[name] for name in METRICS if name in metrics or name == "accuracy"}
        seconds = time.monotonic() - begun
        return evaluation_of(MaskedEvaluation, test_set, texts, chosen, samples, seed, seconds=seconds)

    def of_outputs(
        self, texts: Sequence[str], test_set: TestSet, metrics: Sequence[str], **options: Any
    ) -> MaskedEvaluation:
        """Nobody can score a file: what was hidden is not known from it."""
        del texts, test_set, metrics, options
        raise DataError("a masked language model is measured by what it tells, not by a file; name a model")


def _asked_otherwise(there: MaskedLanguageModelRecipe, here: MaskedLanguageModelRecipe) -> str | None:
    """The first setting that changes what is told from what; each row is read alone, so nothing follows."""
    others = BertConfig.model_fields.keys() - {"reads"}
    return first_difference(there.model, here.model, "model", ignoring=others) or first_difference(
        there.objective, here.objective, "objective", ignoring=("next_sentence",)
    )


@torch.inference_mode()
def _told(
    model: MaskedLanguageModel, test_set: TestSet, seed: int, *, quiet: bool
) -> tuple[Floats, list[str]]:
    """For each row: tokens told, their negative log-likelihood, tokens hidden; and the text as it is told."""
    examples = _examples(model, test_set, seed)
    counts, texts = np.zeros((len(test_set), 3)), [pair.source for pair in test_set.pairs]
    sizes = [len(example.masked.tokens) for example in examples]
    batches = list(length_batches(sizes, budget=_BATCH_TOKENS))
    for rows in track(batches, "filling", unit="batches", every=1, quiet=quiet):
        batch = ExampleBatch.of([examples[row] for row in rows], model.device)
        states = model.network(batch.tokens, batch.lengths)
        logits = model.head(states.flatten(0, 1)[batch.places])
        losses = cross_entropy(logits, batch.right, reduction="none").double().cpu().numpy()
        said = logits.argmax(-1).cpu().numpy()
        first = 0
        for row in rows:
            masked = examples[row].masked
            own = slice(first, first + len(masked.places))
            first = own.stop
            counts[row] = (said[own] == masked.right).sum(), losses[own].sum(), len(masked.places)
            filled = masked.tokens.copy()
            # From left to right a place tells the word behind it.
            filled[masked.places + model.recipe.reads_left] = said[own]
            texts[row] = model.masked_text.written(filled.tolist())
    return counts, texts


def _examples(model: MaskedLanguageModel, test_set: TestSet, seed: int) -> list[Example]:
    tokenizer, recipe = model.tokenizer, model.recipe
    entries = Entries(len(tokenizer), model.masked_text.mask, len(SPECIAL))
    objective = recipe.objective.model_copy(update={"next_sentence": "off"})
    heads = WordHeads(tokenizer) if objective.whole_words else None
    encoded = tokenizer.encode_ids([pair.source for pair in test_set.pairs])
    most = model.network.longest - 2
    found = []
    for row, (pair, ids) in enumerate(zip(test_set.pairs, encoded, strict=True)):
        if len(ids) > most:
            raise DataError(f"{pair.where}: expected at most {most:,} tokens, found {len(ids):,}; split it")
        rng = draws((seed, 0, row))
        found.append(
            make_example(
                [np.array(ids, np.int64)],
                rng,
                objective,
                entries,
                heads,
                lambda _: (),
                leftward=recipe.reads_left,
            )
        )
    return found
