"""Every experiment by its name."""

from regard.errors import ConfigError, did_you_mean
from regard.experiments.bahdanau_length import bahdanau_length
from regard.experiments.cheng_lm import cheng_lm
from regard.experiments.devlin_ablation import devlin_ablation
from regard.experiments.experiment import Experiment
from regard.experiments.few_labels import few_labels
from regard.experiments.heads_and_grammar import heads_and_grammar
from regard.experiments.koehn_beam import koehn_beam
from regard.experiments.lin_hops import lin_hops
from regard.experiments.luong_scores import luong_scores
from regard.experiments.rnn_against_transformer import rnn_against_transformer
from regard.experiments.rnn_memory import rnn_memory
from regard.experiments.vaswani_ablation import vaswani_ablation

EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for experiment in (
        rnn_memory(),
        bahdanau_length(),
        luong_scores(),
        koehn_beam(),
        vaswani_ablation(),
        rnn_against_transformer(),
        lin_hops(),
        cheng_lm(),
        devlin_ablation(),
        few_labels(),
        heads_and_grammar(),
    )
}


def find_experiment(name: str) -> Experiment:
    """The experiment of this name."""
    if name not in EXPERIMENTS:
        raise ConfigError(f"no experiment is called '{name}'; {did_you_mean(name, EXPERIMENTS)}")
    return EXPERIMENTS[name]
