"""How masked language models are evaluated: accuracy and perplexity of masked tokens."""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from regard.config.bert import BertConfig
from regard.config.load import first_difference
from regard.config.masked_language_model import MaskedLanguageModelRecipe
from regard.data.batching import length_batches
from regard.data.masking import MaskingVocabulary, WordStarts
from regard.data.pairs import Pair
from regard.data.sentences import read_plain
from regard.errors import DataError
from regard.evaluation.evaluator import Evaluator, Scoring, metrics_of
from regard.evaluation.outputs import Outputs
from regard.evaluation.result import Evaluation
from regard.evaluation.test_set import TestSet
from regard.metrics.statistics import Floats, Statistics, ratio
from regard.progress import track
from regard.tasks.masked_lm.predictor import MaskedLanguageModel
from regard.tasks.masked_lm.pretraining_example import Example, ExampleBatch, draws, make_example
from regard.text.symbols import SPECIAL

_BATCH_TOKENS = 4096


@dataclass(frozen=True, repr=False)
class MaskedLanguageModelEvaluation(Evaluation):
    """Scores of the predictions of the masked tokens of a corpus."""

    task: ClassVar[str] = "masked-language-model"

    def sentence_scores(self) -> tuple[str, Floats]:
        """How many masked tokens of each row are predicted."""
        return "accuracy", self.statistics["accuracy"].each()

    def reference(self, pair: Pair) -> str:
        """The text itself."""
        return pair.source


class MaskedLanguageModelEvaluator(
    Evaluator[MaskedLanguageModel, Outputs[Any], MaskedLanguageModelEvaluation]
):
    """The accuracy and the perplexity of masked tokens.

    Each row is read alone. Its masks are a function of the row and of the seed of the evaluation, not of the
    model's: all models are asked about the same words.
    """

    task = "masked-language-model"
    metrics = metrics_of("accuracy", "perplexity")
    options: ClassVar[Mapping[str, str]] = {"text": "data.text"}
    evaluation = MaskedLanguageModelEvaluation
    reader = read_plain

    def not_comparable(
        self, name: str, model: MaskedLanguageModel, first: str, base: MaskedLanguageModel
    ) -> str | None:
        """Models that mask other tokens, or read otherwise."""
        if base.tokenizer.to_json() != model.tokenizer.to_json():
            return f"{name} has another vocabulary than {first}; their scores cannot be compared"
        difference = _asked_otherwise(base.recipe, model.recipe)
        if difference is None:
            return None
        return (
            f"{name} is asked for something else than {first} ({difference}); their scores cannot be compared"
        )

    def predict(self, model: MaskedLanguageModel, test: TestSet, scoring: Scoring) -> Outputs[Any]:
        """Mask, predict, and count."""
        begun = time.monotonic()
        counts, texts = _told(model, test, scoring.seed, quiet=scoring.quiet)
        found = {"accuracy": Statistics(counts[:, [0, 2]], ratio)}  # always: it tells sentences apart
        if "perplexity" in scoring.metrics:
            found["perplexity"] = Statistics(
                counts[:, [1, 2]], lambda sums: math.exp(min(ratio(sums), 700.0))
            )
        return Outputs(tuple(texts), seconds=time.monotonic() - begun, statistics=found)

    def parse(self, lines: Sequence[str], test: TestSet) -> Outputs[Any]:
        """Nobody can score a file: which tokens were masked is not known from it."""
        del lines, test
        raise DataError("a masked language model is scored by its predictions, not by a file; name a model")

    def score(self, outputs: Outputs[Any], test: TestSet, scoring: Scoring) -> dict[str, Statistics]:
        """Nothing beyond what was counted."""
        del outputs, test, scoring
        return {}


def _asked_otherwise(there: MaskedLanguageModelRecipe, here: MaskedLanguageModelRecipe) -> str | None:
    """The first setting that changes what is predicted, or from what; next sentences do not count here."""
    others = BertConfig.model_fields.keys() - {"reads"}
    return first_difference(there.model, here.model, "model", ignoring=others) or first_difference(
        there.objective, here.objective, "objective", ignoring=("next_sentence",)
    )


@torch.inference_mode()
def _told(model: MaskedLanguageModel, test: TestSet, seed: int, *, quiet: bool) -> tuple[Floats, list[str]]:
    """For each row: tokens predicted, negative log-likelihood, tokens masked; and the text, filled."""
    examples = masked_examples(model, test.pairs, seed)
    counts, texts = np.zeros((len(test), 3)), [pair.source for pair in test.pairs]
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
            # From left to right, a position predicts the next word.
            filled[masked.places + model.recipe.reads_left] = said[own]
            texts[row] = model.masked_text.written(filled.tolist())
    return counts, texts


def masked_examples(model: MaskedLanguageModel, pairs: Sequence[Pair], seed: int) -> list[Example]:
    """Rows with masks, which are a function of the row and of the seed."""
    tokenizer, recipe = model.tokenizer, model.recipe
    entries = MaskingVocabulary(len(tokenizer), model.masked_text.mask, len(SPECIAL))
    objective = recipe.objective.model_copy(update={"next_sentence": "off"})
    heads = WordStarts(tokenizer) if objective.whole_words else None
    encoded = tokenizer.encode_ids([pair.source for pair in pairs])
    most = model.network.longest - 2
    found = []
    for row, (pair, ids) in enumerate(zip(pairs, encoded, strict=True)):
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
