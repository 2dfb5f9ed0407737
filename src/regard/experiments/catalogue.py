"""Every experiment by its name. One is imported when it is asked for: to list them takes no torch."""

import importlib
from dataclasses import replace
from typing import TYPE_CHECKING

from regard.errors import ConfigError, did_you_mean

if TYPE_CHECKING:
    from regard.experiments.experiment import Experiment

LINES = {
    "rnn-memory": "why attention was needed: how long RNN, GRU, LSTM and BiLSTM remember the first words",
    "bahdanau-length": "BLEU against sentence length, with attention and without, at equal parameters "
    "and minutes",
    "luong-scores": "perplexity, BLEU and AER of every score and window, with and without input feeding",
    "alignment": "how well heads align words, guided by alignments or not, against IBM model 1",
    "koehn-beam": "BLEU against the width of the beam, with and without normalisation by length",
    "vaswani-ablation": "perplexity and BLEU of Transformers: heads, d_k, label smoothing, positions, "
    "dropout",
    "rnn-against-transformer": "the time of a training step against sentence length, recurrent and not, at "
    "equal parameters",
    "lin-hops": "accuracy and overlap of hops against their number and the penalty; and against max pooling",
    "jain-wallace": "whether attention explains: its order against gradients and leaving words out, other "
    "attention with the same output",
    "wiegreffe-pinter": "whether attention is needed: uniform attention, other seeds, frozen attention in a "
    "network without context",
    "cheng-lm": "perplexity of LSTM and LSTMN language models of equal size, and of n-grams",
    "ngram-growth": "size and perplexity of n-grams and of an LSTM as the training text grows",
    "polysemy": "which of two planted senses a word has: from its state in context, and from its vector",
    "devlin-ablation": "BERT's pre-training objectives: masked words against left to right, next sentence",
    "few-labels": "what pre-training is worth with 100 and 1,000 labels, and with all",
    "alarms": "which alarm finds which damage: phrases dropped or repeated, another sentence, a cut source",
    "heads-and-grammar": "which heads of a BERT follow which dependency, against attention at a fixed "
    "distance",
}
"""What each is about, in one line. Its module, and the function there that gives it, have its name."""


def find_experiment(name: str) -> "Experiment":
    """The experiment of this name."""
    if name not in LINES:
        raise ConfigError(f"no experiment is called '{name}'; {did_you_mean(name, LINES)}")
    own = name.replace("-", "_")
    found: Experiment = getattr(importlib.import_module(f"regard.experiments.{own}"), own)()
    return replace(found, line=LINES[name])
