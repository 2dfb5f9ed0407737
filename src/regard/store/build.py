"""Build the vocabularies and the model of a folder.

Shapes are compared with the weights before memory is allocated.
"""

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import torch
from torch import Tensor, nn
from torch.nn.modules.module import register_module_parameter_registration_hook
from torch.overrides import TorchFunctionMode

from regard.config.base import Config
from regard.errors import StoreError
from regard.store.folder import CONFIG, LABELS, StoredModel, load_weights, tokenizer_file
from regard.store.weights import FileWeights, shapes_of
from regard.text.foreign_vocabulary import vocabulary_from_json
from regard.text.labels import Labels, LabelSets, Scale
from regard.text.tokenizer import Tokenizer

if TYPE_CHECKING:
    from regard.config.answer import AnswerConfig

M = TypeVar("M", bound=nn.Module)
_AT_LEAST, _FOR_EACH = 64, 4
"""Parameters that may be made for each that stays: one that is shared is made, and then another put there."""

_DRAWS = frozenset({"normal_", "uniform_", "trunc_normal_", "bernoulli_", "exponential_", "random_"})


class _TooManyError(Exception):
    """More parameters are made than weights are there for."""


class _Allowed(threading.local):
    """How many parameters this thread may still make; None where nobody counts."""

    left: int | None = None


_ALLOWED = _Allowed()


def _count(_: nn.Module, __: str, parameter: nn.Parameter | None) -> None:
    if _ALLOWED.left is not None and parameter is not None:
        _ALLOWED.left -= 1
        if _ALLOWED.left < 0:
            raise _TooManyError


# Once and for good: hooks are everybody's, and may not come and go while another thread makes a module.
register_module_parameter_registration_hook(_count)


class _NoInit(TorchFunctionMode):
    """No initialisation of weights without memory: torch would load its compiler to do so, for a second."""

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        given = kwargs or {}
        weight = args[0] if args else given.get("tensor")
        if getattr(func, "__name__", "") in _DRAWS and isinstance(weight, Tensor) and weight.is_meta:
            return weight
        return func(*args, **given)


def build_from_weights(build: Callable[[], M], stored: StoredModel, where: str) -> M:
    """Build the model of a folder and give it its weights; `where` names the folder in an error.

    build: makes the model that the recipe describes, with any weights
    """
    check_fits(build, stored, where)
    model = build()
    load_weights(model, stored.weights, where)
    return model


def check_fits(
    build: Callable[[], nn.Module], stored: StoredModel, where: str, *, may_grow: bool = False
) -> None:
    """Refuse a recipe whose model has other parameters than the weights: no memory is taken to see that.

    may_grow: the model may have more rows than the weights, for entries that are added to a vocabulary
    """
    outline = outline_of(build, stored.weights, stored.recipe.model, where)
    if outline is None:
        return
    found, place = shapes_of(stored.weights), weight_owner(stored.weights, where)
    for name, shape in outline.items():
        if name not in found:
            raise StoreError(f"{place}: {name} is missing; {CONFIG} asks for it in the shape {shape}")
        check_shape(found[name], shape, name, place, may_grow=may_grow)
    unknown = sorted(found.keys() - outline.keys())
    if unknown:
        raise StoreError(
            f"{place}: the weights do not fit the recipe in {CONFIG}, which has no {', '.join(unknown[:3])}"
        )


def check_shape(
    found: tuple[int, ...], wanted: tuple[int, ...], name: str, place: str, *, may_grow: bool = False
) -> None:
    """Refuse weights of another shape than the model of a recipe has."""
    if found == wanted or (may_grow and found[1:] == wanted[1:] and found[:1] < wanted[:1]):
        return
    raise StoreError(f"{place}: {name} should have the shape {wanted}, as {CONFIG} says, found {found}")


def outline_of(
    build: Callable[[], nn.Module], weights: Mapping[str, Tensor], config: Config, where: str
) -> dict[str, tuple[int, ...]] | None:
    """The shapes of the parameters that a model would have; None where a part has to see values to be made.

    The model is made without memory, and its parameters are counted while that is done: one of very many
    layers ends early.

    weights: what it is made for
    config:  its settings
    """
    most = _AT_LEAST + _FOR_EACH * len(weights)
    _ALLOWED.left = most
    try:
        with torch.device("meta"), _NoInit():
            model = build()
    except _TooManyError:
        raise StoreError(
            f"{weight_owner(weights, where)}: has {len(weights):,} tensors, and the model of {CONFIG} more "
            f"than "
            f"{most:,}; {_largest(config)}"
        ) from None
    except (RuntimeError, TypeError) as error:
        if "meta" in str(error).lower():  # a part of a user's own; its weights are compared later
            return None
        raise StoreError(
            f"{where}: {CONFIG}: a model of this recipe cannot be made: {str(error).splitlines()[0][:200]}; "
            f"{_largest(config)}"
        ) from None
    finally:
        _ALLOWED.left = None
    return {name: tuple(parameter.shape) for name, parameter in model.named_parameters()}


def weight_owner(weights: Mapping[str, Tensor], where: str) -> str:
    """The file that weights are in; `where` names it if that is not known."""
    return str(weights.path) if isinstance(weights, FileWeights) else where


def _largest(config: Config) -> str:
    """The setting that most likely asks for too much."""
    name, value = max(_numbers(config.model_dump(), "model"), key=lambda found: found[1])
    return f"its largest setting is {name}: {value}"


def _numbers(settings: Mapping[str, Any], path: str) -> list[tuple[str, int]]:
    found = [(path, 0)]
    for name, value in settings.items():
        if isinstance(value, dict):
            found += _numbers(value, f"{path}.{name}")
        elif type(value) is int:
            found.append((f"{path}.{name}", value))
    return found


Vocabularies = tuple[Tokenizer, ...]
"""Source and target, with `joint` one that is both; or the only one."""
_SIDES = ("source", "target")


def stored_vocabularies(vocabularies: Vocabularies) -> dict[str, str]:
    """As `StoredModel.tokenizers` has them."""
    if all(one is vocabularies[0] for one in vocabularies):
        return {"joint": vocabularies[0].to_json()}
    return {side: one.to_json() for side, one in zip(_SIDES, vocabularies, strict=True)}


def vocabularies_of(stored: StoredModel, where: str, count: int) -> Vocabularies:
    """The vocabularies of a model that has so many; `where` names the model in an error."""
    sides = stored.tokenizers
    if "joint" in sides:
        there: tuple[str, ...] = ("joint",)
    elif count == len(_SIDES) and sides.keys() >= set(_SIDES):
        there = _SIDES
    else:
        raise StoreError(f"{where}: the tokenizer is missing")
    found = tuple(vocabulary_from_json(sides[side], f"{where}: {tokenizer_file(side)}") for side in there)
    return found * (count // len(found))


def label_encoder_of(stored: StoredModel, answer: "AnswerConfig", where: str) -> Labels | Scale:
    """The label set of a classifier, or the target scale of a regression."""
    from regard.config.answer import LabelsConfig, NumberConfig

    if isinstance(answer, NumberConfig):
        if stored.labels is None:
            raise StoreError(f"{where}: {LABELS} is missing")
        return Scale.from_json(stored.labels, f"{where}: {LABELS}")
    labels = labels_of(stored, where)
    return LabelSets(labels.names, answer.separator) if isinstance(answer, LabelsConfig) else labels


def labels_of(stored: StoredModel, where: str) -> Labels:
    """The label set of a model."""
    if stored.labels is None:
        raise StoreError(f"{where}: {LABELS} is missing")
    return Labels.from_json(stored.labels, f"{where}: {LABELS}")
