"""Is attention an explanation? The tests of the literature, for a classifier and texts.

`explanation_tests` runs them all and gives numbers with intervals; nothing is printed or written.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from regard.analysis.estimate import Estimate
from regard.analysis.frozen_attention import frozen_accuracy
from regard.analysis.reruns import AttentionRerun, output_change, swapped_paths
from regard.analysis.swaps import (
    EPSILON,
    PERMUTATIONS,
    STARTS,
    adversarial_divergence,
    permutation_changes,
    uniform_outputs,
)
from regard.analysis.verdict import Verdict, verdict_of
from regard.analysis.word_tests import (
    TextWords,
    erasure,
    gradients,
    leave_one_out,
    outputs_of,
    rationale_counts,
    words_of,
)
from regard.config.answer import NumberConfig
from regard.data.batching import length_batches
from regard.data.labelled import LabelledText
from regard.data.pairs import Pair
from regard.errors import DataError
from regard.metrics.attention import distributions, js_divergence, kendall_tau
from regard.metrics.bootstrap import SEED
from regard.metrics.statistics import Floats
from regard.progress import track
from regard.tasks.classification.evaluator import texts_of
from regard.tasks.classification.output_types import MultiLabel
from regard.tasks.classification.predictor import Classifier

_BATCH_TOKENS = 2048
_LEAST_FROZEN = 20
"""Texts, with labels, that a network is trained on and asked for."""


@dataclass(frozen=True)
class ExplanationTests:
    """What the tests found: means over texts with 95 % intervals."""

    texts: int
    estimates: Mapping[str, Estimate]
    missing: Mapping[str, str] = field(default_factory=dict)
    """Tests that did not run, and why."""
    erasure_curve: tuple[tuple[float, float, float], ...] = ()
    """(share of the words, comprehensiveness, sufficiency)."""

    @cached_property
    def verdict(self) -> Verdict:
        """What they come to."""
        return verdict_of(self.estimates, self.texts)

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        curve = [[round(own, 6) for own in point] for point in self.erasure_curve]
        return {
            "texts": self.texts,
            "verdict": self.verdict.text,
            "evidence": [list(own) for own in self.verdict.evidence],
            "tests": {name: own.to_dict() for name, own in self.estimates.items()},
            "missing": dict(self.missing),
            "erasure_curve": curve,
        }


def explanation_tests(
    model: Classifier,
    examples: Sequence[Pair],
    *,
    adversary: bool = False,
    seeds: Sequence[Classifier] = (),
    permutations: int = PERMUTATIONS,
    epsilon: float = EPSILON,
    starts: int = STARTS,
    seed: int = SEED,
    quiet: bool = True,
) -> ExplanationTests:
    """Test whether the attention of a classifier explains what it says of texts.

    examples:     texts, with labels where they have some; tests that need labels say so without them
    adversary:    also search for other attention with the same output
    seeds:        models of the same recipe, trained with other seeds
    permutations: of each text
    epsilon:      the TVD that an adversary may change the output by
    starts:       of the adversary for each text
    seed:         of whatever is drawn
    """
    if isinstance(model.recipe.data.answer, NumberConfig):
        raise DataError("the tests compare probabilities of labels, and this model says a number")
    swapped_paths(model)
    run = _Run(model, examples, seed=seed, quiet=quiet)
    run.swap(permutations, epsilon, starts if adversary else 0)
    if not adversary:
        run.missing["adversary"] = "not asked for; see --adversary"
    if model.reads_pairs:
        run.missing["words"] = "the tests of words are for models that read one text"
    else:
        run.test_words()
    run.freeze()
    run.compare(seeds)
    return ExplanationTests(len(run.words), run.estimates, run.missing, run.curve)


class _Run:
    """The tests of one model on some texts, one after the other."""

    def __init__(self, model: Classifier, examples: Sequence[Pair], *, seed: int, quiet: bool) -> None:
        self.model, self.seed, self.quiet = model, seed, quiet
        self.several = isinstance(model.answer, MultiLabel)
        self.estimates: dict[str, Estimate] = {}
        self.missing: dict[str, str] = {}
        self.curve: tuple[tuple[float, float, float], ...] = ()
        encoded = model.encode([texts_of(one) for one in examples], [one.where for one in examples])
        read = model.results(encoded)
        chosen = [row for row, own in enumerate(read) if own.attention.attentions]
        if not chosen:
            raise DataError("no text has attention over all of it: all are empty, or read in windows")
        self.examples = [examples[row] for row in chosen]
        self.words = [words_of(encoded[row], read[row].attention) for row in chosen]
        self.before = outputs_of(model, [own.encoded.ids for own in self.words])
        self.right = self._right()

    def _right(self) -> Tensor | None:
        """The right labels: (n,), or marks (n, labels); None without them."""
        if not all(one.target for one in self.examples):
            self.missing["labels"] = "the rows have no labels: nothing about accuracy, no frozen attention"
            return None
        answer = self.model.answer
        return torch.from_numpy(
            answer.wanted([answer.said.numbers(one.target, one.where) for one in self.examples])
        )

    def _is_right(self, outputs: Tensor) -> Floats:
        right = torch.empty(0) if self.right is None else self.right
        found = (outputs > 0.5).eq(right).all(-1) if self.several else outputs.argmax(-1).eq(right)
        hits: Floats = found.double().numpy()
        return hits

    def add(self, name: str, values: Any) -> None:
        """Put a mean over texts with the others."""
        self.estimates[name] = Estimate.of(values, seed=self.seed)

    def swap(self, permutations: int, epsilon: float, starts: int) -> None:
        """Uniform, permuted and adversarial attention."""
        count = len(self.words)
        rng = torch.Generator().manual_seed(self.seed)
        after = torch.zeros_like(self.before)
        medians, apart = torch.zeros(count, dtype=torch.float64), torch.zeros(count, dtype=torch.float64)
        lengths = [self.model.length(own.encoded.ids) for own in self.words]
        batches = list(length_batches(lengths, budget=_BATCH_TOKENS))
        what = "searching for other attention" if starts else "permuting attention"
        for rows in track(batches, what, unit="batches", every=1, quiet=self.quiet):
            rerun = AttentionRerun.of(self.model, [self.words[row].encoded.ids for row in rows])
            with torch.inference_mode():
                before = rerun.run(rerun.weights).cpu()
            after[rows] = uniform_outputs(rerun).cpu()
            changes = permutation_changes(rerun, before, rng, several=self.several, count=permutations)
            medians[rows] = changes.median(0).values.cpu()
            if starts:
                apart[rows] = adversarial_divergence(
                    rerun, before, rng, several=self.several, epsilon=epsilon, starts=starts
                ).cpu()
        self.add("uniform", output_change(self.before, after, several=self.several).numpy())
        self.add("permutation", medians.numpy())
        self.add("permutation_within_epsilon", (medians <= epsilon).double().numpy())
        if self.right is not None:
            self.add("accuracy", self._is_right(self.before))
            self.add("uniform_accuracy_change", self._is_right(after) - self._is_right(self.before))
        if starts:
            self.add("adversary", apart.numpy())

    def test_words(self) -> None:
        """Erasure, leaving one out, gradients, the rationale."""
        rows = [row for row, own in enumerate(self.words) if len(own.tokens) > 1]
        if not rows:
            self.missing["words"] = "no text has two words"
            return
        texts, before = [self.words[row] for row in rows], self.before[rows]
        rng = np.random.default_rng(self.seed)
        own = erasure(
            self.model, texts, [np.argsort(-text.attention, kind="stable") for text in texts], before
        )
        other = erasure(self.model, texts, [rng.permutation(len(text.tokens)) for text in texts], before)
        self.curve = own.curve
        for name in ("comprehensiveness", "sufficiency"):
            self.add(name, getattr(own, name))
            self.add(f"random_{name}", getattr(other, name))
        self.add("comprehensiveness_gain", own.comprehensiveness - other.comprehensiveness)
        self.add("sufficiency_gain", other.sufficiency - own.sufficiency)
        for name, found in (
            ("tau_gradient", gradients(self.model, texts)),
            ("tau_leave_one_out", leave_one_out(self.model, texts, before)),
        ):
            each = zip(texts, found, strict=True)
            self.add(name, [kendall_tau(text.attention, worth) for text, worth in each])
        self._find_rationale(texts, [self.examples[row] for row in rows])

    def _find_rationale(self, texts: Sequence[TextWords], examples: Sequence[Pair]) -> None:
        known = [
            (text, one.carriers)
            for text, one in zip(texts, examples, strict=True)
            if isinstance(one, LabelledText) and one.carriers
        ]
        if not known:
            self.missing["rationale"] = "the corpus does not say which words carry the label"
            return
        hits, k, words = rationale_counts([text for text, _ in known], [own for _, own in known]).T
        self.add("rationale_precision", hits / k)
        self.add("rationale_chance", k / words)
        self.add("rationale_gain", hits / k - k / words)

    def freeze(self) -> None:
        """The attention, and uniform attention, in a network without context."""
        if self.right is None:
            return
        if self.several or self.model.reads_pairs or len(self.words) < _LEAST_FROZEN:
            self.missing["frozen"] = f"needs one text, one label, and {_LEAST_FROZEN} texts or more"
            return
        weight = self.model.module.get_parameter(self.model.network.source_vocab_params[0]).detach().cpu()
        vectors, given, even = [], [], []
        for own in self.words:
            ids, side = torch.tensor(list(own.encoded.ids[0])), own.encoded.sides[0]
            shares = torch.from_numpy(own.all_tokens[len(side.before) :][: len(ids)])
            vectors.append(weight[ids])
            given.append(shares / shares.sum().clamp(min=1e-12))
            even.append(torch.full_like(shares, 1 / len(ids)))
        scale = torch.cat(vectors).std().clamp(min=1e-12)
        vectors = [own / scale for own in vectors]
        frozen, uniform = (
            frozen_accuracy(vectors, own, self.right, seed=self.seed).double().numpy()
            for own in (given, even)
        )
        self.add("frozen_accuracy", frozen)
        self.add("frozen_uniform_accuracy", uniform)
        self.add("frozen_gain", frozen - uniform)

    def compare(self, seeds: Sequence[Classifier]) -> None:
        """How far the attention and the outputs of other seeds are from the model's."""
        if not seeds:
            self.missing["seeds"] = "no other runs were named; see --seeds"
            return
        apart, changes = [], []
        for other in seeds:
            if other.labels != self.model.labels or other.reads_pairs != self.model.reads_pairs:
                raise DataError("a model of --seeds has other labels, or reads other texts")
            results = other.classify(*map(list, zip(*map(texts_of, self.examples), strict=True)))
            for own, result in zip(self.words, results, strict=True):
                theirs = result.attention.words(specials=False).weights.mean(axis=0, dtype=np.float64)
                both = distributions([own.attention]), distributions([theirs])
                same = len(own.attention) == len(theirs)
                apart.append(float(js_divergence(*both)[0]) if same else float("nan"))
            found = torch.tensor([list(result.probabilities.values()) for result in results])
            changes.append(output_change(self.before, found.double(), several=self.several))
        self.add("seed_divergence", np.array(apart).reshape(len(seeds), -1).mean(axis=0))
        self.add("seed_output_change", torch.stack(changes).mean(0).numpy())
