"""Layers that learn more slowly, or not at all."""

import pytest
import torch
from tests.contracts.sentence_models import SENTENCE_MODELS

from regard.config.load import load_recipe
from regard.config.training import OptimizerConfig
from regard.errors import ConfigError
from regard.models.bert_classifier import BertClassifier
from regard.models.catalogue import build_model
from regard.training.optimizer import freeze, make_optimizer, parameter_groups


def make() -> BertClassifier:
    torch.manual_seed(0)
    model = build_model(SENTENCE_MODELS["bert-first"], source_size=17, outputs=3)
    assert isinstance(model, BertClassifier)
    return model


def names_of(model: BertClassifier, wanted: list[torch.nn.Parameter]) -> set[str]:
    return {name for name, own in model.named_parameters() if any(own is one for one in wanted)}


def test_each_layer_has_its_share_of_the_rate() -> None:
    """Two layers: the head and the pooler learn with the whole rate, the vectors with decay³ of it."""
    model = make()
    groups = parameter_groups(model, 0.5)
    assert [group["share"] for group in groups] == [1.0, 0.5, 0.25, 0.125]
    top, second, first, vectors = (names_of(model, group["params"]) for group in groups)
    assert top == {"bert.pooler.weight", "bert.pooler.bias", "head.output.weight", "head.output.bias"}
    assert all(name.startswith("bert.encoder.1.") for name in second)
    assert all(name.startswith("bert.encoder.0.") for name in first)
    assert {name.split(".")[1] for name in vectors} == {
        "word_embedding", "place_embedding", "segment_embedding", "embedding_norm"
    }  # fmt: skip
    assert sum(len(group["params"]) for group in groups) == len(list(model.parameters()))


def test_a_step_goes_as_far_as_the_share_says() -> None:
    """Of SGD-like Adam, the first step is the rate itself, whatever the gradient."""
    model = make()
    before = {name: value.detach().clone() for name, value in model.named_parameters()}
    optimizer = make_optimizer(model, OptimizerConfig(learning_rate=0.01, layer_decay=0.5))
    for group in optimizer.param_groups:
        group["lr"] = 0.01 * group["share"]
    for parameter in model.parameters():
        parameter.grad = torch.ones_like(parameter)
    optimizer.step()
    for name, value in model.named_parameters():
        share = 0.5 ** (model.top - model.depth_of(name))
        moved = (before[name] - value.detach()).mean()
        assert float(moved) == pytest.approx(0.01 * share, rel=1e-3), name


def test_biases_and_norms_are_not_pulled_towards_zero() -> None:
    """Without a gradient, AdamW's step is the pull alone: rate · decay of a matrix, nothing of a vector."""
    model = make()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.fill_(1.0)
    config = OptimizerConfig(kind="adamw", learning_rate=0.01, weight_decay=0.1, layer_decay=0.5)
    optimizer = make_optimizer(model, config)
    for parameter in model.parameters():
        parameter.grad = torch.zeros_like(parameter)
    optimizer.step()
    for name, value in model.named_parameters():
        wanted = 1 - 0.01 * 0.1 if value.dim() > 1 else 1.0
        assert value.detach().flatten().tolist() == pytest.approx([wanted] * value.numel(), abs=1e-6), name


@pytest.mark.parametrize(("layers", "learns"), [(0, ["0", "1"]), (1, ["1"]), (2, [])])
def test_frozen_layers_stay(layers: int, learns: list[str]) -> None:
    model = make()
    freeze(model, layers)
    moving = {name for name, parameter in model.named_parameters() if parameter.requires_grad}
    assert {name.split(".")[2] for name in moving if ".encoder." in name} == set(learns)
    assert "bert.word_embedding.weight" not in moving
    assert "head.output.weight" in moving


def test_more_than_there_are() -> None:
    with pytest.raises(ConfigError, match="the encoder has 2 layers, found 3 to be frozen"):
        freeze(make(), 3)


@pytest.mark.parametrize("setting", ["training.frozen_layers=1", "training.optimizer.layer_decay=0.9"])
def test_only_for_models_of_layers(setting: str) -> None:
    name = setting.partition("=")[0]
    with pytest.raises(ConfigError, match=f"{name} is for models of layers, such as bert; leave it out for"):
        load_recipe("self-attentive", [setting])
