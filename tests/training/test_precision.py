"""Training in bfloat16, and with compiled blocks, is training."""

import copy
from pathlib import Path

import pytest
import torch
from tests.contracts.models import SOURCE_SIZE, TARGET_SIZE, transformer
from torch import Tensor, nn
from torch.testing import assert_close

from regard.config.load import load_recipe
from regard.config.training import TrainingConfig
from regard.errors import ConfigError
from regard.models.transformer import Transformer
from regard.nn.decoder import DecoderInputs
from regard.nn.dropout import DropoutRng
from regard.nn.loss import loss_of
from regard.training.step import compile_blocks, cpu_has_bfloat16, precision, warn_of_slow_products


def network(**changes: int) -> Transformer:
    torch.manual_seed(0)
    return Transformer(transformer(**changes), source_size=SOURCE_SIZE, target_size=TARGET_SIZE)


def gradients(model: Transformer, config: TrainingConfig) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss of two sentences of different lengths, and what it says of each weight."""
    model.zero_grad()
    torch.manual_seed(1)
    source, fed, wanted = (torch.randint(4, TARGET_SIZE, (2, size)) for size in (5, 7, 7))
    real = torch.arange(7) < torch.tensor([[7], [4]])
    rng = DropoutRng(model, seed=1, step=3)
    with precision(config, model):
        written = model.teacher_forced(DecoderInputs(source, torch.tensor([5, 3]), fed, real), rng=rng)
        loss, _ = loss_of(written.at(real), wanted[real], smoothing=0.1)
    loss.backward()  # type: ignore[no-untyped-call]
    return loss.detach(), {name: own.grad for name, own in model.named_parameters() if own.grad is not None}


def test_bfloat16_gives_float32_gradients_that_point_the_same_way() -> None:
    loss, exact = gradients(network(), TrainingConfig())
    rounded_loss, rounded = gradients(network(), TrainingConfig(precision="bfloat16"))
    assert rounded_loss != loss
    assert_close(rounded_loss, loss, rtol=0.01, atol=0)
    assert rounded.keys() == exact.keys()
    assert all(part.dtype == torch.float32 for part in rounded.values())
    mine, theirs = (nn.utils.parameters_to_vector(parts.values()) for parts in (rounded, exact))
    assert torch.cosine_similarity(mine, theirs, dim=0) > 0.999


@pytest.mark.skipif(not Path("/proc/cpuinfo").is_file(), reason="needs Linux's own word on the CPU")
def test_a_cpu_without_such_products_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    flags = Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    has = "avx512_bf16" in flags or "amx_tile" in flags
    assert cpu_has_bfloat16() == has
    warn_of_slow_products(TrainingConfig(), network())
    assert capsys.readouterr().err == ""
    warn_of_slow_products(TrainingConfig(precision="bfloat16"), network())
    assert ("has no products in bfloat16" in capsys.readouterr().err) != has


@pytest.mark.filterwarnings("ignore")  # the tracer of torch warns of what it does itself
def test_compiled_blocks_are_the_same_blocks() -> None:
    """With the tracer of torch.compile, without its code generator, which takes minutes."""
    model = network(encoder_layers=1, decoder_layers=1)
    compiled = copy.deepcopy(model)
    compile_blocks(compiled, backend="eager")
    assert list(compiled.state_dict()) == list(model.state_dict())
    for _ in range(2):
        assert_close(gradients(compiled, TrainingConfig()), gradients(model, TrainingConfig()))


@pytest.mark.parametrize("setting", ["precision=bfloat16", "compile=true"])
def test_recurrent_models_refuse_what_does_not_serve_them(setting: str) -> None:
    name = setting.partition("=")[0]
    with pytest.raises(ConfigError, match=rf"training\.{name} is for models that train all positions"):
        load_recipe("self-attentive", [f"training.{setting}"])
    with pytest.raises(ConfigError, match=rf"training\.{name} is for models that train all positions"):
        load_recipe("bahdanau", [f"training.{setting}"])
    load_recipe("transformer-small", [f"training.{setting}"])


def test_a_model_without_repeated_layers_is_not_compiled() -> None:
    with pytest.raises(ConfigError, match=r"training\.compile is for models with repeated layers"):
        compile_blocks(nn.Linear(1, 1))
