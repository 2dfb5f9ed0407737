"""Checkpoint averaging: the mean of several models of one recipe, weight by weight."""

from collections.abc import Sequence
from pathlib import Path

from torch import Tensor

from regard.errors import StoreError
from regard.store.folder import StoredModel, read_model
from regard.store.resolve import find_model
from regard.store.weights import shapes_of


def average_models(folders: Sequence[Path]) -> StoredModel:
    """The model whose weights are the mean of those in the folders; one is held at a time.

    The mean is taken in double precision: it does not depend on the order beyond the last bit of the result.
    """
    if not folders:
        raise StoreError("there is no whole checkpoint to average")
    places = [find_model(folder).resolve() for folder in folders]
    for number, place in enumerate(places):
        if place in places[:number]:
            raise StoreError(f"{folders[number]}: is named twice; an average wants different models")
    first = read_model(folders[0])
    sums = {name: weight.double() for name, weight in first.weights.items()}
    for folder in folders[1:]:
        other = read_model(folder)
        _check_alike(first, other, folders[0], folder)
        for name, weight in other.weights.items():
            sums[name] += weight
    weights: dict[str, Tensor] = {
        name: (total / len(folders)).to(first.weights[name].dtype) for name, total in sums.items()
    }
    return StoredModel(
        first.recipe,
        weights,
        first.tokenizers,
        {**_origin(first), "average_of": [str(folder) for folder in folders]},
        first.labels,
    )


def _origin(model: StoredModel) -> dict[str, str]:
    """Where a model of another library came from."""
    return {name: model.summary[name] for name in ("from", "model_type") if name in model.summary}


def _check_alike(one: StoredModel, other: StoredModel, here: Path, there: Path) -> None:
    if one.tokenizers != other.tokenizers:
        raise StoreError(f"{there}: has another vocabulary than {here}; only models of one can be averaged")
    if one.labels != other.labels:
        raise StoreError(f"{there}: has other labels than {here}; only models of the same can be averaged")
    shapes = [shapes_of(model.weights) for model in (one, other)]
    if shapes[0] != shapes[1]:
        odd = next(name for name in {**shapes[0], **shapes[1]} if shapes[0].get(name) != shapes[1].get(name))
        raise StoreError(
            f"{there}: its {odd} has another shape than in {here}; expected models of one recipe"
        )
