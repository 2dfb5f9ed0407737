"""Parts of your own, by a name that recipes can use. Nothing in the package has to be touched.

    import regard
    from torch import nn

    @regard.register.score("cubed")
    class Cubed(nn.Module):
        # e_j = (s · W h_j)³

        def __init__(self, *, query_size, key_size):
            super().__init__()
            self.key = nn.Linear(key_size, query_size, bias=False)

        def prepare(self, keys):                  # once a sentence: (b, k, key_size)
            return self.key(keys)

        def forward(self, query, prepared):       # (b, q, query_size) -> (b, q, k)
            return (query @ prepared.mT) ** 3

Then `model.attention.score: cubed` in a recipe; on the command line, `regard --plugin cubed.py train …`.
"""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import torch
from torch import nn

from regard.config.base import FamilyConfig
from regard.config.catalogue import RECIPES, add_family
from regard.config.data import ENDINGS, OWN_ENDINGS
from regard.config.model import SCORES, SHIPPED_SCORES, AttentionConfig
from regard.config.recipe import Recipe, kind_of
from regard.data.readers import READERS, PluginReader
from regard.errors import ConfigError, did_you_mean, in_one_line, place_in
from regard.evaluation.evaluator import OWN_METRICS, Evaluator, OwnMetric, SentenceScore
from regard.inference.model import TaskModel
from regard.metrics.metric import METRICS, Metric
from regard.models.catalogue import BUILDERS as MODEL_BUILDERS
from regard.models.catalogue import SHIPPED_MODELS, Builder
from regard.nn.scores import BUILDERS as SCORE_BUILDERS
from regard.nn.scores import Score
from regard.tasks.catalogue import TASKS, Task
from regard.training.log import LOGGERS, LoggerFactory
from regard.training.trainer import Trainer

S = TypeVar("S", bound=Callable[..., Any])
B = TypeVar("B", bound=Builder)
R = TypeVar("R", bound=PluginReader)
L = TypeVar("L", bound=LoggerFactory)
M = TypeVar("M", bound=SentenceScore)
SHIPPED_LOGGERS, SHIPPED_METRICS, SHIPPED_TASKS = frozenset(LOGGERS), frozenset(METRICS), frozenset(TASKS)


def score(name: str) -> Callable[[S], S]:
    """Give a score a name. It is made with query_size, key_size, and the recipe's `attention.options`.

    It needs `prepare` and `forward` (see `regard.nn.scores.Score`), which are tried once when it is made;
    `explain` only for those who ask.
    """
    if name in SHIPPED_SCORES:
        raise ConfigError(f"regard has a score called '{name}'; choose another name")

    def take(made: S) -> S:
        file, called = _file(made), f"the score '{name}'"
        if isinstance(made, type):
            _check_parts(made, f"{file}: {called}")

        def build(config: AttentionConfig, query_size: int, key_size: int) -> Score:
            try:
                built: Score = made(query_size=query_size, key_size=key_size, **config.options)
            except TypeError as error:
                raise ConfigError(
                    f"{place_in(error, {file}) or file}: {called} cannot be made: {error}"
                ) from None
            _check_parts(type(built), f"{file}: {called}")
            _try(built, query_size, key_size, file, called)
            return built

        SCORE_BUILDERS[name] = build
        if name not in SCORES:
            SCORES.append(name)
        return made

    return take


def _file(made: object) -> str:
    """Where a part of a user's own is written."""
    try:
        return inspect.getsourcefile(made) or "?"  # type: ignore[arg-type]  # TypeError is what it raises then
    except TypeError:
        return str(type(made).__module__)


def _check_parts(score: type, called: str) -> None:
    """Refuse a score without one of the two parts; a module has a `forward` that does nothing."""
    own = {"prepare": "keys", "forward" if issubclass(score, nn.Module) else "__call__": "query, prepared"}
    for part, takes in own.items():
        if getattr(score, part, None) in (None, nn.Module.forward):
            raise ConfigError(f"{called} has no {part}(self, {takes}); see regard.nn.scores.Score")


def _try(score: Score, query_size: int, key_size: int, file: str, called: str) -> None:
    """Refuse a score whose results have other shapes than attention needs, before anything depends on it."""
    b, q, k = 2, 3, 4  # all different, so that a swapped axis is seen
    query, keys = torch.zeros(b, q, query_size), torch.zeros(b, k, key_size)
    if query.is_meta:  # only the sizes of its weights are asked for
        return
    part, given = "prepare", f"keys of {tuple(keys.shape)}"
    try:
        with torch.no_grad(), torch.random.fork_rng(devices=[]):
            prepared = score.prepare(keys)
            _check_shape(prepared, (b, k), "(b, k, …)", f"{file}: {called}: {part} of {given}")
            part, given = "forward", f"queries of {tuple(query.shape)} and {given}"
            scores = score(query, prepared)
    except ConfigError:
        raise
    except Exception as error:  # whatever a user's own code does
        place = place_in(error, {file}) or file
        raise ConfigError(f"{place}: {called} fails in {part} with {given}: {in_one_line(error)}") from None
    _check_shape(scores, (b, q, k), "(b, q, k)", f"{file}: {called}: {part} of {given}", whole=True)


def _check_shape(
    found: object, sizes: tuple[int, ...], legend: str, where: str, *, whole: bool = False
) -> None:
    """whole: there are no more axes than these"""
    shape = tuple(found.shape) if isinstance(found, torch.Tensor) else None
    if shape is None or shape[: None if whole else len(sizes)] != sizes:
        more = "" if whole else ", …"
        shown = type(found).__name__ if shape is None else shape
        wanted = f"({', '.join(map(str, sizes))}{more})"
        raise ConfigError(f"{where} should give {legend} = {wanted}, found {shown}")


def model(config: type[FamilyConfig]) -> Callable[[B], B]:
    """Give a family of models to recipes, by the `kind` of its settings, for the `tasks` that they name.

    What is decorated makes a model from the settings and the sizes of the vocabularies. One that translates
    gets source_size and target_size, and is a `regard.nn.decoder.EncoderDecoder`; one that classifies gets
    source_size and outputs, and is a `regard.nn.sequence_classifier.SequenceClassifier`; one that tags gets
    characters, too, and is a `regard.nn.token_classifier.TokenClassifier`; one that finds answers gets
    source_size, has a `frame`, and is a `regard.nn.span_extractor.SpanExtractor`; one that embeds gets
    source_size and outputs (the labels of pairs), and is a `regard.nn.text_embedder.TextEmbedder`.
    Then all that regard does with models works with it.
    """
    kind = kind_of(config)
    if kind in SHIPPED_MODELS:
        raise ConfigError(f"regard has models of the kind '{kind}'; choose another name")

    def take(build: B) -> B:
        add_family(config)
        MODEL_BUILDERS[kind] = build
        return build

    return take


def metric(task: str, about: Metric) -> Callable[[M], M]:
    """Give a metric to a task.

    What is decorated takes an output and its reference, both texts, and gives a number. The score of a test
    set is the mean; confidence intervals, groups and comparisons come by themselves.

    about: its name, its range, which way is better
    """
    if task not in RECIPES:
        raise ConfigError(f"task: unknown value '{task}'; {did_you_mean(task, RECIPES)}")
    if about.name in SHIPPED_METRICS:
        raise ConfigError(f"regard has a metric called '{about.name}'; choose another name")

    def take(score: M) -> M:
        OWN_METRICS.setdefault(task, {})[about.name] = OwnMetric(about, score)
        METRICS[about.name] = about
        return score

    return take


def task(
    recipe: type[Recipe],
    predictor: type[TaskModel],
    trainer: type[Trainer],
    evaluator: type[Evaluator[Any, Any, Any]],
) -> None:
    """Give regard a task, under the name that its recipe has by default.

    Then its recipes are trained, and its models opened, run, scored, looked into and edited as all others.
    """
    name = str(recipe.model_fields["task"].default)
    if name in SHIPPED_TASKS:
        raise ConfigError(f"regard has a task called '{name}'; choose another name")
    RECIPES[name] = recipe
    TASKS[name] = Task(predictor, trainer, evaluator)


def reader(ending: str) -> Callable[[R], R]:
    """Give a reader to the files whose names end so, such as `.srt`.

    What is decorated takes a path, and gives rows: each a dict of texts (or tuples of them, one entry a word)
    by the names of its columns. Then such files are corpora, wherever regard takes one.
    """
    if not ending.startswith(".") or ending.lower() in ENDINGS:
        raise ConfigError(
            f"expected an ending such as .srt that regard does not read itself, found '{ending}'"
        )

    def take(read: R) -> R:
        READERS[ending.lower()] = read
        if ending.lower() not in OWN_ENDINGS:
            OWN_ENDINGS.append(ending.lower())
        return read

    return take


def logger(name: str) -> Callable[[L], L]:
    """Give a logger a name, for `regard train --logger NAME` and `regard.train(loggers=[NAME])`.

    What is decorated is made with the run folder and the step after which the run resumes (0 for a new one),
    and is a `regard.training.log.Logger`: it is told each line of the log.
    """
    if name in SHIPPED_LOGGERS:
        raise ConfigError(f"regard has a logger called '{name}'; choose another name")

    def take(made: L) -> L:
        LOGGERS[name] = made
        return made

    return take
