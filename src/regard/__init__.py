"""regard trains, runs and looks inside attention models for language.

>>> import regard
>>> model = regard.load("runs/demo")
>>> model.translate("나는 책을 읽었다.").text
'I ...'

Names are loaded when they are first used, so that `import regard` costs no torch.
"""

import importlib
from typing import TYPE_CHECKING, Any

from regard.version import __version__

if TYPE_CHECKING:
    from regard import register
    from regard.api import (
        baseline,
        compare,
        evaluate,
        export_model,
        import_model,
        load,
        load_filler,
        train,
        translate_lines,
    )
    from regard.errors import RegardError
    from regard.insight.edits import (
        force_prefix,
        force_row,
        mask,
        mask_head,
        mask_layer,
        mask_window,
        remove,
        reweight,
        transplant,
    )
    from regard.insight.explain import Explanation
    from regard.insight.maps import AttentionMap
    from regard.insight.record import AttentionRecord
    from regard.tasks.classification import Classifier
    from regard.tasks.comparison import Comparison
    from regard.tasks.constraints import Constraints
    from regard.tasks.document import LineTranslation
    from regard.tasks.effect import Effect
    from regard.tasks.embedding_result import Embedding, EmbeddingEffect
    from regard.tasks.evaluation import Evaluation
    from regard.tasks.fill_result import Filled, FillEffect
    from regard.tasks.filling import Filler
    from regard.tasks.glossary import Glossary
    from regard.tasks.label_effect import LabelEffect
    from regard.tasks.label_result import Classification, Rating, SeveralLabels
    from regard.tasks.language import LanguageModel
    from regard.tasks.masked_language_model import MaskedLanguageModel
    from regard.tasks.question_answering import Answerer
    from regard.tasks.result import Completion, PairScore, TextScore
    from regard.tasks.sentence_encoder import SentenceEncoder
    from regard.tasks.similarity import Similarity
    from regard.tasks.span_result import Answered, AnswerEffect
    from regard.tasks.tag_effect import TagEffect
    from regard.tasks.tag_result import Tagging
    from regard.tasks.tagging import Tagger
    from regard.tasks.trained_embedder import TrainedEmbedder
    from regard.tasks.translation import Translation, Translator
    from regard.training.loop import RunSummary

__all__ = [
    "AnswerEffect",
    "Answered",
    "Answerer",
    "AttentionMap",
    "AttentionRecord",
    "Classification",
    "Classifier",
    "Comparison",
    "Completion",
    "Constraints",
    "Effect",
    "Embedding",
    "EmbeddingEffect",
    "Evaluation",
    "Explanation",
    "FillEffect",
    "Filled",
    "Filler",
    "Glossary",
    "LabelEffect",
    "LanguageModel",
    "LineTranslation",
    "MaskedLanguageModel",
    "PairScore",
    "Rating",
    "RegardError",
    "RunSummary",
    "SentenceEncoder",
    "SeveralLabels",
    "Similarity",
    "TagEffect",
    "Tagger",
    "Tagging",
    "TextScore",
    "TrainedEmbedder",
    "Translation",
    "Translator",
    "__version__",
    "baseline",
    "compare",
    "evaluate",
    "export_model",
    "force_prefix",
    "force_row",
    "import_model",
    "load",
    "load_filler",
    "mask",
    "mask_head",
    "mask_layer",
    "mask_window",
    "register",
    "remove",
    "reweight",
    "train",
    "translate_lines",
    "transplant",
]

_HOMES = {
    "AnswerEffect": "regard.tasks.span_result",
    "Answered": "regard.tasks.span_result",
    "Answerer": "regard.tasks.question_answering",
    "AttentionMap": "regard.insight.maps",
    "AttentionRecord": "regard.insight.record",
    "Classification": "regard.tasks.label_result",
    "Classifier": "regard.tasks.classification",
    "Comparison": "regard.tasks.comparison",
    "Completion": "regard.tasks.result",
    "Constraints": "regard.tasks.constraints",
    "Effect": "regard.tasks.effect",
    "Embedding": "regard.tasks.embedding_result",
    "EmbeddingEffect": "regard.tasks.embedding_result",
    "Evaluation": "regard.tasks.evaluation",
    "Explanation": "regard.insight.explain",
    "FillEffect": "regard.tasks.fill_result",
    "Filled": "regard.tasks.fill_result",
    "Filler": "regard.tasks.filling",
    "Glossary": "regard.tasks.glossary",
    "LabelEffect": "regard.tasks.label_effect",
    "LanguageModel": "regard.tasks.language",
    "LineTranslation": "regard.tasks.document",
    "MaskedLanguageModel": "regard.tasks.masked_language_model",
    "PairScore": "regard.tasks.result",
    "Rating": "regard.tasks.label_result",
    "RegardError": "regard.errors",
    "SeveralLabels": "regard.tasks.label_result",
    "RunSummary": "regard.training.loop",
    "TagEffect": "regard.tasks.tag_effect",
    "Tagger": "regard.tasks.tagging",
    "Tagging": "regard.tasks.tag_result",
    "SentenceEncoder": "regard.tasks.sentence_encoder",
    "Similarity": "regard.tasks.similarity",
    "TextScore": "regard.tasks.result",
    "TrainedEmbedder": "regard.tasks.trained_embedder",
    "Translation": "regard.tasks.translation",
    "Translator": "regard.tasks.translation",
    "baseline": "regard.api",
    "compare": "regard.api",
    "evaluate": "regard.api",
    "export_model": "regard.api",
    "force_prefix": "regard.insight.edits",
    "force_row": "regard.insight.edits",
    "import_model": "regard.api",
    "load": "regard.api",
    "load_filler": "regard.api",
    "mask": "regard.insight.edits",
    "mask_head": "regard.insight.edits",
    "mask_layer": "regard.insight.edits",
    "mask_window": "regard.insight.edits",
    "remove": "regard.insight.edits",
    "reweight": "regard.insight.edits",
    "train": "regard.api",
    "translate_lines": "regard.api",
    "transplant": "regard.insight.edits",
}


def __getattr__(name: str) -> Any:
    if name == "register":  # a module
        return importlib.import_module("regard.register")
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'regard' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
