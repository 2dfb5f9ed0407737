"""What a model can be asked for: thin doors over the Python API. Only workers import this."""

from regard.server.operations.completing import complete
from regard.server.operations.looking import explain, look
from regard.server.operations.measuring import align, causes, score
from regard.server.operations.operation import Operation
from regard.server.operations.reading import classify, embed
from regard.server.operations.saying import answer, fill, similarity, tag
from regard.server.operations.searching import beam_tree
from regard.server.operations.tokens import decode, tokenize
from regard.server.operations.writing import translate

__all__ = ["OPERATIONS", "Operation"]

_TOKENS: dict[str, Operation] = {"tokenize": tokenize, "decode": decode}
_ALL: dict[str, Operation] = {**_TOKENS, "look": look, "causes": causes}
OPERATIONS: dict[str, dict[str, Operation]] = {
    "translation": {
        "translate": translate,
        "score": score,
        "align": align,
        "explain": explain,
        "beam-tree": beam_tree,
        **_ALL,
    },
    "language-model": {
        "complete": complete,
        "score": score,
        "explain": explain,
        "beam-tree": beam_tree,
        **_ALL,
    },
    "classification": {"classify": classify, "explain": explain, **_ALL},
    "tagging": {"tag": tag, **_ALL},
    "question-answering": {"answer": answer, **_ALL},
    "masked-language-model": {"fill": fill, **_ALL},
    "embedding": {"embed": embed, "similarity": similarity, **_ALL},
}
"""By the task of a model, and by their names."""
