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

from collections.abc import Callable
from typing import Any, TypeVar

from regard.config.catalogue import add_family
from regard.config.family import FamilyConfig
from regard.config.model import SCORES, SHIPPED_SCORES, AttentionConfig
from regard.config.recipe import kind_of
from regard.errors import ConfigError
from regard.models.catalogue import BUILDERS as MODEL_BUILDERS
from regard.models.catalogue import SHIPPED_MODELS, Builder
from regard.nn.scores import BUILDERS as SCORE_BUILDERS
from regard.nn.scores import Score

S = TypeVar("S", bound=Callable[..., Any])
B = TypeVar("B", bound=Builder)


def score(name: str) -> Callable[[S], S]:
    """Give a score a name. It is made with query_size, key_size, and the recipe's `attention.options`.

    It needs `prepare` and `forward` (see `regard.nn.scores.Score`); `explain` only for those who ask.
    """
    if name in SHIPPED_SCORES:
        raise ConfigError(f"regard has a score called '{name}'; choose another name")

    def take(made: S) -> S:
        def build(config: AttentionConfig, query_size: int, key_size: int) -> Score:
            try:
                built: Score = made(query_size=query_size, key_size=key_size, **config.options)
            except TypeError as error:
                raise ConfigError(f"the score '{name}' cannot be made: {error}") from None
            return built

        SCORE_BUILDERS[name] = build
        if name not in SCORES:
            SCORES.append(name)
        return made

    return take


def model(config: type[FamilyConfig]) -> Callable[[B], B]:
    """Give a family of models to recipes, by the `kind` of its settings, for the `tasks` that they name.

    What is decorated makes a model from the settings and the sizes of the vocabularies. One that translates
    gets source_size and target_size, and is a `regard.nn.step.EncoderDecoder`; one that classifies gets
    source_size and outputs, and is a `regard.nn.deciding.Decider`; one that tags gets characters, too, and is
    a `regard.nn.tagging.WordScorer`; one that finds answers gets source_size, has a `frame`, and is a
    `regard.nn.spans.SpanFinder`; one that embeds gets source_size and outputs (the labels of pairs), and is a
    `regard.nn.embedding.Embedding`. Then all that regard does with models works with it.
    """
    kind = kind_of(config)
    if kind in SHIPPED_MODELS:
        raise ConfigError(f"regard has models of the kind '{kind}'; choose another name")

    def take(build: B) -> B:
        add_family(config)
        MODEL_BUILDERS[kind] = build
        return build

    return take
