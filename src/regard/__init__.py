"""regard trains, runs and looks inside attention models for language.

>>> import regard
>>> model = regard.load("runs/demo")
>>> model.translate("나는 책을 읽었다.").text
'I ...'

Names are loaded when they are first used, so that `import regard` costs no torch.
"""

from typing import TYPE_CHECKING, Any

from regard.lazy import imported
from regard.version import __version__

if TYPE_CHECKING:
    from regard import register
    from regard.analysis.alignment import WordAlignment
    from regard.analysis.report import Report
    from regard.api import (
        align,
        baseline,
        check,
        compare,
        evaluate,
        export_model,
        fit_alarms,
        import_model,
        load,
        load_fill_mask,
        train,
        translate_lines,
    )
    from regard.errors import RegardError
    from regard.evaluation.comparison import Comparison
    from regard.evaluation.result import Evaluation
    from regard.inference.constraints import Constraints, Glossary
    from regard.inference.generation import Completion, Effect, PairScore, TextScore
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
    from regard.tasks.classification.predictor import Classifier
    from regard.tasks.classification.result import (
        Classification,
        LabelEffect,
        MultiLabelClassification,
        RegressionResult,
    )
    from regard.tasks.embedding.result import Embedding, EmbeddingEffect
    from regard.tasks.embedding.sentence_encoder import SentenceEncoder
    from regard.tasks.embedding.similarity import Similarity
    from regard.tasks.embedding.trained import TrainedEmbedder
    from regard.tasks.language_model.predictor import LanguageModel
    from regard.tasks.masked_lm.predictor import FillMask, MaskedLanguageModel
    from regard.tasks.masked_lm.result import FillMaskEffect, FillMaskResult
    from regard.tasks.question_answering.predictor import QuestionAnswerer
    from regard.tasks.question_answering.result import AnswerEffect, QuestionAnswer
    from regard.tasks.tagging.predictor import Tagger
    from regard.tasks.tagging.result import TagEffect, Tagging
    from regard.tasks.translation.document import LineTranslation
    from regard.tasks.translation.predictor import Translation, Translator
    from regard.training.state import RunSummary

__all__ = [
    "AnswerEffect",
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
    "FillMask",
    "FillMaskEffect",
    "FillMaskResult",
    "Glossary",
    "LabelEffect",
    "LanguageModel",
    "LineTranslation",
    "MaskedLanguageModel",
    "MultiLabelClassification",
    "PairScore",
    "QuestionAnswer",
    "QuestionAnswerer",
    "RegardError",
    "RegressionResult",
    "Report",
    "RunSummary",
    "SentenceEncoder",
    "Similarity",
    "TagEffect",
    "Tagger",
    "Tagging",
    "TextScore",
    "TrainedEmbedder",
    "Translation",
    "Translator",
    "WordAlignment",
    "__version__",
    "align",
    "baseline",
    "check",
    "compare",
    "evaluate",
    "export_model",
    "fit_alarms",
    "force_prefix",
    "force_row",
    "import_model",
    "load",
    "load_fill_mask",
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
    "AnswerEffect": "regard.tasks.question_answering.result",
    "QuestionAnswer": "regard.tasks.question_answering.result",
    "QuestionAnswerer": "regard.tasks.question_answering.predictor",
    "AttentionMap": "regard.insight.maps",
    "AttentionRecord": "regard.insight.record",
    "Classification": "regard.tasks.classification.result",
    "Classifier": "regard.tasks.classification.predictor",
    "Comparison": "regard.evaluation.comparison",
    "Completion": "regard.inference.generation",
    "Constraints": "regard.inference.constraints",
    "Effect": "regard.inference.generation",
    "Embedding": "regard.tasks.embedding.result",
    "EmbeddingEffect": "regard.tasks.embedding.result",
    "Evaluation": "regard.evaluation.result",
    "Explanation": "regard.insight.explain",
    "FillMaskEffect": "regard.tasks.masked_lm.result",
    "FillMaskResult": "regard.tasks.masked_lm.result",
    "FillMask": "regard.tasks.masked_lm.predictor",
    "Glossary": "regard.inference.constraints",
    "LabelEffect": "regard.tasks.classification.result",
    "LanguageModel": "regard.tasks.language_model.predictor",
    "LineTranslation": "regard.tasks.translation.document",
    "MaskedLanguageModel": "regard.tasks.masked_lm.predictor",
    "PairScore": "regard.inference.generation",
    "RegressionResult": "regard.tasks.classification.result",
    "Report": "regard.analysis.report",
    "RegardError": "regard.errors",
    "MultiLabelClassification": "regard.tasks.classification.result",
    "RunSummary": "regard.training.state",
    "TagEffect": "regard.tasks.tagging.result",
    "Tagger": "regard.tasks.tagging.predictor",
    "Tagging": "regard.tasks.tagging.result",
    "SentenceEncoder": "regard.tasks.embedding.sentence_encoder",
    "Similarity": "regard.tasks.embedding.similarity",
    "TextScore": "regard.inference.generation",
    "TrainedEmbedder": "regard.tasks.embedding.trained",
    "Translation": "regard.tasks.translation.predictor",
    "Translator": "regard.tasks.translation.predictor",
    "WordAlignment": "regard.analysis.alignment",
    "align": "regard.api",
    "baseline": "regard.api",
    "check": "regard.api",
    "compare": "regard.api",
    "evaluate": "regard.api",
    "export_model": "regard.api",
    "fit_alarms": "regard.api",
    "force_prefix": "regard.insight.edits",
    "force_row": "regard.insight.edits",
    "import_model": "regard.api",
    "load": "regard.api",
    "load_fill_mask": "regard.api",
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
        import regard.register

        return regard.register
    if name in _HOMES:
        return imported(f"{_HOMES[name]}.{name}")
    raise AttributeError(f"module 'regard' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
