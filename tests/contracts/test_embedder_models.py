"""Laws that hold for every model that makes vectors of texts. A new one joins in embedder_models.py."""

from pathlib import Path
from typing import Any

import pytest
import torch
from tests.contracts.embedder_models import EMBEDDERS, LABELS, SOURCE_SIZE
from tests.contracts.laws import every_parameter_learns_from
from torch import Tensor
from torch.nn.functional import cross_entropy
from torch.testing import assert_close

from regard.config.embedder import CosineConfig, SoftmaxConfig
from regard.config.load import load_recipe
from regard.data.batching import Symbols, pad_texts
from regard.models.catalogue import build_embedder
from regard.nn.dropout import DropoutRng
from regard.nn.text_embedder import cosine_loss, in_batch_loss
from regard.nn.trace import Trace
from regard.store.folder import StoredModel, load_weights, read_model, weights_of, write_model

SYMBOLS = Symbols(pad=0, bos=2, eos=3)
TEXTS = [(5, 9, 16, 4, 11), (6,), (8, 8, 12)]
SECONDS = [(7, 5), (6, 13, 10, 4), (8,)]
LONG = tuple(4 + n % 13 for n in range(39))
every_model = pytest.mark.parametrize("name", EMBEDDERS)


def build(name: str, *, seed: int = 0, more: int = 0) -> Any:
    torch.manual_seed(seed)
    config: Any = EMBEDDERS[name]
    outputs = LABELS if isinstance(config.objective, SoftmaxConfig) else 0
    return build_embedder(config, source_size=SOURCE_SIZE + more, outputs=outputs)


def vectors(model: Any, texts: list[tuple[int, ...]], **options: Any) -> Tensor:
    found: Tensor = model(*pad_texts(texts, SYMBOLS), **options).vectors
    return found


def loss_of(model: Any, name: str, rng: DropoutRng | None = None, *, penalty: bool = True) -> Tensor:
    """As training has it: all texts in one pass."""
    found = model(*pad_texts([*TEXTS, *SECONDS], SYMBOLS), rng=rng)
    first, second = found.vectors.chunk(2)
    config: Any = EMBEDDERS[name]
    match config.objective:
        case SoftmaxConfig():
            loss = cross_entropy(model.relation(first, second), torch.tensor([2, 0, 1]), reduction="sum")
        case CosineConfig():
            loss = cosine_loss(first, second, torch.tensor([0.9, 0.1, 0.4]))
        case _:
            loss = in_batch_loss(first, second)
    return loss if found.penalty is None or not penalty else loss + found.penalty.sum()


@every_model
def test_padding_and_company_change_no_vector(name: str) -> None:
    """Each text alone, without padding, has the vector that it has in a batch: the same in float64."""
    model = build(name).double()
    together = vectors(model, [*TEXTS, LONG[:15]])
    assert together.shape == (4, model.width)
    for row, text in enumerate([*TEXTS, LONG[:15]]):
        assert_close(together[row], vectors(model, [text])[0], rtol=1e-10, atol=1e-12)


@every_model
def test_looking_changes_nothing_and_sees_all(name: str) -> None:
    model = build(name)
    trace = Trace(model)
    assert_close(vectors(model, TEXTS, trace=trace), vectors(model, TEXTS))
    assert set(trace.kept) == set(model.attentions)


@every_model
def test_every_parameter_gets_a_gradient(name: str) -> None:
    model = build(name)
    every_parameter_learns_from(loss_of(model, name), model)


@every_model
def test_what_grows_with_the_vocabulary_is_named(name: str) -> None:
    shapes = {path: value.shape for path, value in build(name).named_parameters()}
    larger = build(name, more=2)
    grown = {path for path, value in larger.named_parameters() if value.shape != shapes[path]}
    assert grown == set(larger.source_vocab_params)


@every_model
def test_dropout_is_a_function_of_seed_and_step(name: str) -> None:
    model = build(name)
    dropped = loss_of(model, name, DropoutRng(model, seed=1, step=1))
    assert torch.equal(dropped, loss_of(model, name, DropoutRng(model, seed=1, step=1)))
    assert not torch.equal(dropped, loss_of(model, name, DropoutRng(model, seed=1, step=2)))


@every_model
def test_one_batch_can_be_learned_by_heart(name: str) -> None:
    """But for the penalty: all hops over one word look at the same."""
    model = build(name)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    begun = float(loss_of(model, name, penalty=False).detach())
    for _ in range(60):
        optimizer.zero_grad()
        loss_of(model, name, penalty=False).backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    assert float(loss_of(model, name, penalty=False).detach()) < 0.2 * begun


@every_model
def test_save_then_load_gives_equal_vectors(name: str, tmp_path: Path) -> None:
    model, other = build(name, seed=1), build(name, seed=2)
    changes: dict[str, Any] = {"model": EMBEDDERS[name]}
    recipe = load_recipe("bilstm-embedder", ["data.score=x", "data.max_tokens=16"]).model_copy(update=changes)
    write_model(tmp_path / "m", StoredModel(recipe, weights_of(model), {"joint": "{}"}, labels="{}"))
    stored = read_model(tmp_path / "m")
    assert stored.recipe.model == EMBEDDERS[name]
    load_weights(other, stored.weights, "x")
    assert torch.equal(vectors(other, TEXTS), vectors(model, TEXTS))


@pytest.mark.parametrize("name", [name for name in EMBEDDERS if name != "lstmn-last"])
def test_every_word_of_a_long_text_counts(name: str) -> None:
    """39 words, where 16 are read at once: the last but one changes the vector, whatever the pooling."""
    model = build(name).double()
    other = (*LONG[:-2], 4 + (LONG[-2] - 3) % 13, LONG[-1])
    moved = (vectors(model, [LONG]) - vectors(model, [other])).abs().max()
    assert moved > 1e-9
    together = vectors(model, [LONG, TEXTS[0]])
    assert_close(together[0], vectors(model, [LONG])[0], rtol=1e-10, atol=1e-12)
