"""An untrained tiny model of every family, as a user has it, with an input for it."""

from dataclasses import dataclass, field
from typing import Any

import torch
from tests.contracts.embedder_models import EMBEDDERS
from tests.contracts.language_models import LANGUAGE_MODELS
from tests.contracts.models import MODELS
from tests.contracts.sentence_models import SENTENCE_MODELS, texts_of
from tests.contracts.tagger_models import TAGGERS

from regard.config.classification import ClassificationRecipe
from regard.config.embedding import EmbeddingRecipe
from regard.config.language import LanguageRecipe
from regard.config.masked_language_model import MaskedLanguageModelRecipe
from regard.config.question_answering import QuestionAnsweringRecipe
from regard.config.tagging import TaggingRecipe
from regard.config.text import CharConfig, WordConfig
from regard.config.translation import TranslationRecipe
from regard.models.catalogue import build_classifier, build_embedder, build_model
from regard.tasks.classification.predictor import Classifier
from regard.tasks.embedding.trained import TrainedEmbedder
from regard.tasks.language_model.predictor import LanguageModel
from regard.tasks.masked_lm.predictor import MaskedLanguageModel, build_bert
from regard.tasks.question_answering.predictor import QuestionAnswerer
from regard.tasks.tagging.predictor import Tagger, build_tagger
from regard.tasks.translation.predictor import Translator
from regard.text.labels import Labels
from regard.text.symbols import HIDDEN
from regard.text.tokenizer import Tokenizer

TEXT, SECOND, TARGET = "이 책은 아주 좋다", "그 책은 길다", "the book is good"
WORDS = Tokenizer.learn([TEXT, SECOND, TARGET] * 2, WordConfig(min_frequency=1))
MASKED = Tokenizer.learn([TEXT, SECOND, TARGET] * 2, WordConfig(min_frequency=1, keep=(HIDDEN,)))
BERT = {"width": 12, "heads": 2, "feed_forward": 10, "layers": 2, "places": 60}


@dataclass(frozen=True)
class Family:
    """A model, and what it is asked."""

    model: Any
    text: str = TEXT
    options: dict[str, Any] = field(default_factory=dict)


def family(name: str) -> Family:
    """The family of a name, with weights that are far from 0."""
    torch.manual_seed(5)
    task, _, kind = name.partition(":")
    made = _MADE[task](kind)
    with torch.no_grad():
        for parameter in made.model.module.parameters():
            parameter.add_(torch.randn_like(parameter), alpha=0.4)
    made.model.module.double()  # what is compared differs by rounding alone
    return made


def _translator(kind: str) -> Family:
    config = MODELS[kind]
    recipe = TranslationRecipe.model_validate({"model": config.model_dump(), "text": {"joint": True}})
    network = build_model(config, source_size=len(WORDS), target_size=len(WORDS))
    model = Translator(network, source_tokenizer=WORDS, target_tokenizer=WORDS, recipe=recipe)
    return Family(model, options={"target": TARGET})


def _language_model(kind: str) -> Family:
    config = LANGUAGE_MODELS[kind]
    recipe = LanguageRecipe.model_validate({"model": config.model_dump(), "text": {"kind": "word"}})
    network = build_model(config, target_size=len(WORDS))
    return Family(LanguageModel(network, tokenizer=WORDS, recipe=recipe), options={"word": 3})


def _classifier(kind: str) -> Family:
    config, texts = SENTENCE_MODELS[kind], texts_of(kind)
    data = {"data": {"second": "second", "max_tokens": 20}} if texts == 2 else {}
    recipe = ClassificationRecipe.model_validate({"model": config.model_dump(), **data})
    network = build_classifier(config, source_size=len(WORDS), outputs=3, texts=texts)
    said, summary = Labels(["bad", "good", "none"]), {"temperature": 1.3}
    model = Classifier(network, tokenizer=WORDS, said=said, recipe=recipe, summary=summary)
    return Family(model, options={"second": SECOND} if texts == 2 else {})


def _tagger(kind: str) -> Family:
    config, labels = TAGGERS[kind], Labels(["a", "b", "c"])
    recipe = TaggingRecipe.model_validate({"model": config.model_dump()})
    letters = Tokenizer.learn([TEXT] * 2, CharConfig()) if recipe.model.characters else None
    # With characters, a word is one token, marks and all.
    words = WORDS if letters is None else Tokenizer.learn([TEXT, SECOND] * 2, recipe.text)
    network = build_tagger(recipe, len(words), letters, labels)
    tagger = Tagger(
        network,
        tokenizer=words,
        characters=letters,
        labels=labels,
        recipe=recipe,
        summary={"temperature": 0.8},
    )
    return Family(tagger, options={"word": 2})


def _embedder(kind: str) -> Family:
    config: Any = EMBEDDERS[kind]
    score = {"score": "score"} if config.objective.kind == "cosine" else {}
    recipe = EmbeddingRecipe.model_validate(
        {"model": config.model_dump(), "data": {"max_tokens": 10, **score}}
    )
    network = build_embedder(config, source_size=len(WORDS), outputs=3)
    return Family(TrainedEmbedder(network, tokenizer=WORDS, recipe=recipe), options={"second": SECOND})


def _answerer(kind: str) -> Family:
    own = {"kind": "bert", "encoder": BERT}
    data = {"unanswerable": kind == "none", "max_answer": 2, "max_question": 8, "max_tokens": 20}
    settings = {"model": own, "text": {"kind": "word"}, "data": data}
    recipe = QuestionAnsweringRecipe.model_validate(settings)
    network = build_model(recipe.model, source_size=len(WORDS))
    return Family(QuestionAnswerer(network, tokenizer=WORDS, recipe=recipe), SECOND, {"second": TEXT})


def _filler(kind: str) -> Family:
    del kind
    settings = {"model": {**BERT, "pooler": False}, "data": {"length": 20}}
    recipe = MaskedLanguageModelRecipe.model_validate(settings)
    network = build_bert(recipe, len(MASKED))
    model = MaskedLanguageModel(network, tokenizer=MASKED, recipe=recipe, where="here")
    return Family(model, f"이 {HIDDEN} 아주 좋다")


_MADE = {
    "translation": _translator,
    "language": _language_model,
    "label": _classifier,
    "tag": _tagger,
    "embedding": _embedder,
    "answer": _answerer,
    "fill": _filler,
}
EVERY = [
    *(f"translation:{name}" for name in MODELS),
    *(f"language:{name}" for name in LANGUAGE_MODELS),
    *(f"label:{name}" for name in SENTENCE_MODELS),
    *(f"tag:{name}" for name in TAGGERS),
    *(f"embedding:{name}" for name in EMBEDDERS),
    "answer:always",
    "answer:none",
    "fill:bert",
]
