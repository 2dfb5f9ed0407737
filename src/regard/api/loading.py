"""Models from folders, for whoever uses them: `load`, import and export, and texts of any length."""

import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import torch

from regard.config.catalogue import TaskName
from regard.config.decoding import DecodingChanges
from regard.config.device import check_device
from regard.errors import ConfigError, StoreError, did_you_mean
from regard.progress import say
from regard.store.convert.kinds import ENCODERS, foreign_kind, head_of, read_any_model
from regard.store.resolve import is_hub_name
from regard.tasks.catalogue import TASKS
from regard.training.log import end_of_run

if TYPE_CHECKING:  # of a stored model, the room of its own task is loaded, and no other
    from regard.inference.constraints import Constraints, Glossary
    from regard.inference.model import TaskModel
    from regard.store.convert.conversion import Layout
    from regard.tasks.classification.predictor import Classifier
    from regard.tasks.embedding.predictor import EmbeddingPredictor
    from regard.tasks.language_model.predictor import LanguageModel
    from regard.tasks.masked_lm.predictor import FillMask, MaskedLanguageModel
    from regard.tasks.question_answering.predictor import QuestionAnswerer
    from regard.tasks.tagging.predictor import Tagger
    from regard.tasks.translation.document import LineTranslation, TooLong
    from regard.tasks.translation.predictor import Translator

StrPath = str | Path


@overload
def load(
    path: StrPath, *others: StrPath, device: str = "cpu", task: Literal["translation"]
) -> "Translator": ...
@overload
def load(path: StrPath, *, device: str = "cpu", task: Literal["classification"]) -> "Classifier": ...
@overload
def load(path: StrPath, *, device: str = "cpu", task: Literal["tagging"]) -> "Tagger": ...
@overload
def load(
    path: StrPath, *, device: str = "cpu", task: Literal["question-answering"]
) -> "QuestionAnswerer": ...
@overload
def load(
    path: StrPath, *, device: str = "cpu", task: Literal["masked-language-model"]
) -> "MaskedLanguageModel": ...
@overload
def load(path: StrPath, *, device: str = "cpu", task: Literal["language-model"]) -> "LanguageModel": ...
@overload
def load(path: StrPath, *, device: str = "cpu", task: Literal["embedding"]) -> "EmbeddingPredictor": ...
@overload
def load(path: StrPath, *others: StrPath, device: str = "cpu", task: None = None) -> Any: ...
def load(
    path: StrPath,
    *others: StrPath,
    device: str = "cpu",
    task: TaskName | Literal["embedding"] | None = None,
) -> Any:
    """Open a model folder, the best checkpoint of a run folder, or a folder of another library.

    Several translators, with one vocabulary, translate together as an ensemble.

    task:    refuse a model that is for another task; with "embedding", classifiers and masked language
             models give their vectors
    returns: a `Translator`, `Classifier`, `Tagger`, `QuestionAnswerer`, `LanguageModel`,
             `MaskedLanguageModel`, or for embedding a `TrainedEmbedder` or (from elsewhere) a
             `SentenceEncoder`, as the model is for

    >>> regard.load("runs/demo")
    Translator(ko→en, seq2seq, ... parameters)
    """
    if not others:
        return _load(path, device, task)
    from regard.tasks.translation.predictor import Translator

    first = _load(path, device, task)
    if not isinstance(first, Translator):
        raise ConfigError(f"{path}: is a model for {first.task}; only translators work as an ensemble")
    members = [first, *(_load(each, device, "translation") for each in others)]
    for each, member in zip((path, *others), members, strict=True):
        if member.alignment_heads is not None:
            why = "does not count in an ensemble, which has the mean of all heads"
            warnings.warn(f"{each}: its choice of heads {why}", stacklevel=2)
    return Translator.ensemble(members, [str(each) for each in (path, *others)])


def _load(path: StrPath, device: str, task: str | None) -> Any:
    folder, place = Path(path), chosen_device(device)
    kind = foreign_kind(folder)
    decides = kind == "transformers" and head_of(folder) is not None
    if kind in ENCODERS and (task == "embedding" or not decides):
        from regard.tasks.embedding.sentence_encoder import SentenceEncoder

        _check_task(path, "embedding", task)
        encoder = SentenceEncoder.open(path)
        encoder.module.to(place)
        return encoder
    stored = read_any_model(folder)
    own = TASKS[stored.recipe.task]
    found = own.embedder if task == "embedding" else None
    if found is None:
        _check_task(path, stored.recipe.task, task)
        found = own.predictor
    model: TaskModel = found.opened(stored, str(path))
    model.module.to(place)
    model.summary = {**model.summary, "run": _end_of_run(folder)}
    return model


def _end_of_run(path: Path) -> dict[str, Any] | None:
    """What the log says of the end of the run; a damaged log is reported; the model is whole without it."""
    try:
        return end_of_run(path)
    except StoreError as error:
        say(f"{error}; the model is not damaged")
        return None


def load_fill_mask(path: StrPath, *, device: str = "cpu") -> "FillMask":
    """Open a masked language model: one that regard trained, or a folder that `transformers` wrote."""
    folder, place = Path(path), chosen_device(device)
    if foreign_kind(folder) is None:
        return load(path, device=device, task="masked-language-model")
    from regard.tasks.masked_lm.predictor import FillMask

    filler = FillMask.imported(folder)
    filler.network.to(place)
    return filler


def _check_task(path: StrPath, own: str, wanted: str | None) -> None:
    if wanted is not None and own != wanted:
        raise ConfigError(f"{path}: is a model for {own}, and one for {wanted} is needed here")


def chosen_device(name: str) -> torch.device:
    """A device by its name; one that cannot be used here is refused."""
    check_device(name)
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0]
        raise ConfigError(f"device '{name}' cannot be used here: {reason}; use cpu") from None
    return device


def import_model(
    model: StrPath, out: StrPath, *, revision: str | None = None, pairs: bool = False
) -> tuple[str, ...]:
    """Check a model of transformers, sentence-transformers or Marian, and copy it into a new folder.

    model:    its folder, or its name in the Hugging Face hub (extra `hub`)
    revision: of a name: the branch, tag or commit
    pairs:    of a classifier: it reads two texts at a time, which its folder does not say
    returns:  what a user should know of it
    """
    from regard.store.convert.conversion import fetch, import_folder

    if is_hub_name(str(model)):
        return import_folder(fetch(str(model), revision), Path(out), pairs=pairs)
    if revision is not None:
        raise ConfigError(f"{model}: a revision belongs to a name of the hub (owner/name), not to a folder")
    return import_folder(Path(model), Path(out), pairs=pairs)


def export_model(model: StrPath, out: StrPath, *, to: "Layout" = "transformers") -> tuple[str, ...]:
    """Write a model into a new folder, in the layout of another library.

    to:      "transformers", "sentence-transformers" or "marian"
    returns: what a user should know of it
    """
    from regard.store.convert.conversion import LAYOUTS, export_folder

    if to not in LAYOUTS:
        raise ConfigError(f"to: unknown layout '{to}'; {did_you_mean(to, LAYOUTS)}")
    return export_folder(Path(model), Path(out), to)


def translate_lines(
    model: "Translator | StrPath",
    lines: Iterable[str],
    *,
    split: bool = False,
    too_long: "TooLong" = "refuse",
    markup: bool = True,
    n_best: int = 1,
    attention: bool = False,
    constraints: "Constraints | None" = None,
    glossary: "Glossary | None" = None,
    **changes: Unpack[DecodingChanges],
) -> "Iterator[LineTranslation]":
    """Translate the lines of a text, as many as there are, one result a line and in their order.

    split:    cut lines into sentences, and put their translations together again
    too_long: more tokens than the model takes: "refuse" them, or "split" at sentences, clauses, words
    markup:   keep tags such as <b>, and placeholders such as {name} or %s
    The rest is as for `Translator.translate`.

    >>> text = ["저는 <b>달을</b> 봤어요. 그는 책을 읽었어요.", ""]
    >>> for line in regard.translate_lines(model, text, split=True):
    ...     print(len(line.parts), "<b>" in line.text)
    2 True
    0 False
    """
    from regard.tasks.translation.document import TextOptions
    from regard.tasks.translation.document import translate_lines as translated

    translator = load(model, task="translation") if isinstance(model, StrPath) else model
    numbered = ((f"line {number}", line) for number, line in enumerate(lines, start=1))
    options = TextOptions(split, too_long, markup)
    return translated(
        translator, numbered, options, n_best=n_best, attention=attention,
        constraints=constraints, glossary=glossary, **changes,
    )  # fmt: skip
