"""Begin another task with an encoder that was trained on plain text: here, or elsewhere.

Its weights and its vocabulary are taken, and its sizes are those of the recipe's encoder; the head is new.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, TypeVar

from torch import Tensor, nn

from regard.config.bert import BertConfig
from regard.config.bert_reader import BertTaskConfig, BertTextConfig, FirstPoolingConfig
from regard.config.embedder import BertEmbedderConfig
from regard.config.load import first_difference
from regard.config.masked_language_model import MaskedLanguageModelRecipe
from regard.config.recipe import Recipe, StartConfig
from regard.config.text import TextConfig
from regard.errors import ConfigError
from regard.store.build import Vocabularies, check_shape, outline_of, vocabularies_of, weight_owner
from regard.store.convert.encoder import build_tokenizer
from regard.store.convert.kinds import ENCODERS, foreign_kind, read_any_model
from regard.store.convert.sentence import StoredDense, StoredSentenceEncoder, read_sentence_encoder
from regard.store.folder import StoredModel, load_weights, read_model, weights_of
from regard.store.weights import shapes_of
from regard.text.foreign_vocabulary import ForeignVocabulary
from regard.text.symbols import BOS, EOS
from regard.text.tokenizer import Tokenizer
from regard.training.warm_start import WarmStart

R = TypeVar("R", bound=Recipe)
PREFIX = "bert."
"""Where the encoder is in a model that reads with it."""
_OF_THE_TASK = ("pooler", "masked_words", "dropout", "attention_dropout")
"""What may differ between an encoder and the reader that begins with it."""


@dataclass(frozen=True)
class Sizes:
    """What a recipe takes from an encoder."""

    config: BertConfig
    frame: tuple[int, int]
    """The symbols around a text."""
    text: TextConfig | None
    """How its vocabulary was learned, where that is known."""
    normalise: bool = False
    """Whether it makes vectors of length 1."""
    separators: int = 1
    """Symbols between two texts."""
    told_apart: bool = True
    """Whether words know which of two texts they are of."""


@dataclass(frozen=True)
class Encoder(Sizes):
    """A trained encoder, wherever it comes from."""

    weights: Mapping[str, Tensor] = field(kw_only=True)
    tokenizer: Tokenizer = field(kw_only=True)
    pooling: dict[str, Tensor] = field(default_factory=dict, kw_only=True)
    """The weights of what pools its words, by their names in the whole model."""
    sentences: StoredSentenceEncoder | None = field(default=None, kw_only=True)
    """The pooling and normalisation of a folder of sentence-transformers."""


def find_encoder(where: str, task: str | None = None) -> Encoder | None:
    """The encoder in a folder, if that holds one: pre-trained by regard, or written by `transformers`.

    task: what it is for; a model for that very task is no encoder, but one to go on with
    """
    folder = Path(where)
    if foreign_kind(folder) in ENCODERS:
        sentences = read_sentence_encoder(folder)
        stored = sentences.encoder
        size = stored.described.vocabulary_size
        tokenizer = ForeignVocabulary(build_tokenizer(stored, where, lower=sentences.lower), size, where)
        return Encoder(
            stored.described.config,
            tokenizer.frame,
            None,
            "normalise" in sentences.steps,
            tokenizer.separators or 1,
            tokenizer.told_apart,
            weights=stored.weights,
            tokenizer=tokenizer,
            sentences=None if sentences.is_alone else sentences,
        )
    return _trained_here(read_model(folder), where, task)


def _trained_here(stored: StoredModel, where: str, task: str | None) -> Encoder | None:
    model, text = stored.recipe.model, stored.recipe.text
    another = stored.recipe.task != task or isinstance(model, BertEmbedderConfig)
    if another and isinstance(model, BertTaskConfig):
        (tokenizer,) = vocabularies_of(stored, where, 1)
        own = {
            name.removeprefix(PREFIX): value
            for name, value in stored.weights.items()
            if name.startswith(PREFIX)
        }
        pooling = {name: value for name, value in stored.weights.items() if name.startswith("pooling.")}
        return Encoder(
            model.encoder,
            model.frame,
            text,
            isinstance(model, BertEmbedderConfig) and model.normalise,
            model.separators,
            model.told_apart,
            weights=own,
            tokenizer=tokenizer,
            pooling=pooling,
        )
    if not isinstance(stored.recipe, MaskedLanguageModelRecipe):
        return None
    (tokenizer,) = vocabularies_of(stored, where, 1)
    return Encoder(stored.recipe.model, (BOS, EOS), text, weights=stored.weights, tokenizer=tokenizer)


def with_encoder(recipe: R, begun: Recipe | None = None) -> R:
    """The recipe with the sizes of the encoder that it starts with, if it does.

    begun: the recipe of a run that resumes: it has the sizes, and the encoder may be gone
    """
    if recipe.start is None or not isinstance(recipe.model, BertTaskConfig):
        return recipe
    sizes: Sizes | None
    if begun is not None and begun.start == recipe.start and isinstance(begun.model, BertTaskConfig):
        normalise = isinstance(begun.model, BertEmbedderConfig) and begun.model.normalise
        own = begun.model
        sizes = Sizes(own.encoder, own.frame, begun.text, normalise, own.separators, own.told_apart)
    else:
        sizes = found = find_encoder(recipe.start.model, recipe.task)
        if found is not None:
            _check_vectors(recipe.model, found, recipe.start.model)
    return recipe if sizes is None else load_encoder_weights(recipe, sizes, recipe.start.model)


def open_start(recipe: Recipe, start: StartConfig) -> WarmStart:
    """What a run of a recipe begins with: an encoder for another task, or a model of the same."""
    where = start.model
    taken = {"extends": start.vocabulary == "extend", "by_chance": start.weights == "chance"}
    encoder = find_encoder(where, recipe.task) if isinstance(recipe.model, BertTaskConfig) else None
    if encoder is not None:
        return EncoderStart(encoder, where, **taken)
    return WarmStart(read_any_model(Path(where)), where, **taken)


def load_encoder_weights(recipe: R, encoder: Sizes, where: str) -> R:
    """The recipe with the sizes of the encoder that it starts with; one that says otherwise is refused."""
    model = recipe.model
    if not isinstance(model, BertTaskConfig):
        raise AssertionError("only these begin with an encoder")
    own, usual = model.encoder, BertConfig()
    for name in BertConfig.model_fields.keys() - set(_OF_THE_TASK):
        said, there = getattr(own, name), getattr(encoder.config, name)
        if said not in (there, getattr(usual, name)):
            raise ConfigError(
                f"model.encoder.{name} is {said!r} here, and {there!r} in {where}; leave it out"
            )
    pooling = model.pooling if isinstance(model, BertTextConfig) else None
    if encoder.config.reads == "left" and isinstance(pooling, FirstPoolingConfig):
        raise ConfigError(
            f"{where}: reads from left to right, and its first token sees nothing; say model.pooling: mean"
        )
    kept = {name: getattr(own, name) for name in _OF_THE_TASK}
    sized = encoder.config.model_copy(update={**kept, "masked_words": False})
    around = {name: getattr(encoder, name) for name in ("frame", "separators", "told_apart")}
    adopted = model.model_copy(update={"encoder": sized, **around})
    if isinstance(adopted, BertEmbedderConfig) and encoder.normalise:
        adopted = adopted.model_copy(update={"normalise": True})
    changes = {"model": adopted} | ({} if encoder.text is None else {"text": encoder.text})
    return recipe.model_copy(update=changes)


def _check_vectors(model: BertTaskConfig, encoder: Encoder, where: str) -> None:
    """Refuse an encoder whose vectors are pooled otherwise than the recipe says."""
    sentences = encoder.sentences
    if sentences is None or not isinstance(model, BertEmbedderConfig):
        return
    if any(isinstance(step, StoredDense) for step in sentences.steps):
        raise ConfigError(
            f"{where}: has a layer above the pooled words, which a bert_embedder has not; start from its "
            f"encoder alone (regard export --to transformers)"
        )
    if sentences.poolings != (model.pooling.kind,):
        there = " and ".join(sentences.poolings)
        raise ConfigError(
            f"model.pooling is {model.pooling.kind} here, and {there} in {where}; say the same, or start "
            f"from its encoder alone (regard export --to transformers)"
        )


class EncoderStart(WarmStart):
    """An encoder to begin another task with."""

    is_of_the_task: ClassVar[bool] = False

    def __init__(self, encoder: Encoder, where: str, *, extends: bool, by_chance: bool = False) -> None:
        if extends:
            raise ConfigError(
                f"{where}: the vocabulary of an encoder cannot be extended for another task; "
                f"leave out --extend-vocabulary"
            )
        self._encoder = encoder
        self._where = where
        self._by_chance = by_chance
        self._decides = True

    def check(self, recipe: Recipe) -> None:
        """Refuse a recipe of another model, or one with longer texts than the encoder reads."""
        model = recipe.model
        self._decides = not isinstance(model, BertEmbedderConfig)
        if not isinstance(model, BertTaskConfig):
            raise ConfigError(f"{self._where}: is an encoder, and the recipe's model.kind is {model.kind}")
        if difference := first_difference(
            self._encoder.config, model.encoder, "model.encoder", ignoring=_OF_THE_TASK
        ):
            raise ConfigError(f"{self._where}: is an encoder of other sizes ({difference}); leave them out")
        if found := model.beyond(recipe.data):
            name, value, most = found
            raise ConfigError(
                f"{name} {value} is more than the {most} tokens that {self._where} has room for; say {most} "
                f"or fewer"
            )

    def vocabularies(self, learn: Callable[[], Vocabularies]) -> Vocabularies:
        """The encoder's own."""
        del learn
        return (self._encoder.tokenizer,)

    def check_fits(self, build: Callable[[], nn.Module]) -> None:
        """Refuse, before memory is taken, an encoder whose weights have other shapes than its settings."""
        weights, config = self._encoder.weights, self._encoder.config
        found, place = shapes_of(weights), weight_owner(weights, self._where)
        for name, shape in (outline_of(build, weights, config, self._where) or {}).items():
            own = name.removeprefix(PREFIX)
            if name.startswith(PREFIX) and own in found:
                check_shape(found[own], shape, own, place)

    def put(self, model: nn.Module, tables: Sequence[tuple[str, ...]]) -> None:
        """Give a model the weights of the encoder; what it has beyond them stays as it was initialised."""
        del tables
        if self._by_chance:
            return
        weights, pooling = weights_of(model), self._encoder.pooling
        for name in weights:
            own = name.removeprefix(PREFIX)
            if name.startswith(PREFIX) and own in self._encoder.weights:
                weights[name] = self._encoder.weights[own]
            elif name in pooling and pooling[name].shape == weights[name].shape:
                weights[name] = pooling[name]
            elif name.startswith(PREFIX) and not own.startswith("pooler."):
                raise AssertionError(f"{name}: an encoder of the same sizes has the same parts")
        load_weights(model, weights, self._where)

    def told(self) -> str:
        """What is begun with, in a line."""
        if self._by_chance:
            return (
                f"starting from the sizes and the vocabulary of {self._where}, with random initialisation; "
                f"this is a new run"
            )
        decides = ", with a new head" if self._decides else ""
        return f"starting from the encoder and the vocabulary of {self._where}; this is a new run{decides}"
