"""Options of the search, for every command that writes.

The bounds of the numbers are those of `DecodingConfig`, which checks them; it is not imported here, so that
help is quick.
"""

import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

from regard.cli.options import Ensemble, option, switch
from regard.errors import ConfigError, DataError

if TYPE_CHECKING:
    from regard.config.decoding import DecodingChanges, DecodingConfig
    from regard.inference.constraints import Constraints, Glossary
    from regard.tasks.language_model.predictor import LanguageModel
    from regard.tasks.translation.predictor import Translator


@dataclass(frozen=True)
class Search:
    """What the command line says about the search of any model that writes."""

    beam_size: Annotated[int | None, option("N", "Width of the search; 1 is greedy.")] = None
    length_penalty: Annotated[str | None, option("NAME", "average or gnmt.")] = None
    length_alpha: Annotated[float | None, option("NUMBER", "Exponent of the length penalty.")] = None
    endings: Annotated[str | None, option("NAME", "Which candidates may end a hypothesis: any or best.")] = (
        None
    )
    beam_groups: Annotated[int | None, option("N", "Groups of a diverse beam.")] = None
    diversity: Annotated[float | None, option("NUMBER", "How much the groups keep away from each other.")] = (
        None
    )
    min_length: Annotated[int | None, option("N", "The fewest tokens of an output.")] = None
    max_length_factor: Annotated[
        float | None, option("NUMBER", "Most tokens: factor * source tokens + extra.")
    ] = None
    max_length_extra: Annotated[int | None, option("N", "See --max-length-factor.")] = None
    no_repeat_ngram: Annotated[int | None, option("N", "Write no run of so many tokens twice.")] = None
    sample: Annotated[bool | None, switch("Draw tokens by their probability instead of searching.")] = None
    temperature: Annotated[float | None, option("NUMBER", "With --sample: below 1 is more sure.")] = None
    top_k: Annotated[int | None, option("N", "With --sample: from so many tokens; 0 is all.")] = None
    top_p: Annotated[
        float | None, option("NUMBER", "With --sample: from the fewest tokens with this probability.")
    ] = None
    seed: Annotated[int | None, option("N", "With --sample: what decides the draws.")] = None
    batch_tokens: Annotated[int | None, option("N", "Source tokens that are decoded together.")] = None
    must: Annotated[
        list[str] | None, option("WORDS", "A word or phrase that must appear; may come several times.")
    ] = None
    must_not: Annotated[
        list[str] | None, option("WORDS", "A word or phrase that must not appear; likewise.")
    ] = None

    def settings(self, model: "Translator | LanguageModel", n_best: int) -> "DecodingConfig":
        """The whole search; an error names options as they are typed."""
        given = {name: getattr(self, name) for name in SETTINGS if getattr(self, name, None) is not None}
        changes = cast("DecodingChanges", given)
        if self.diversity is not None and (self.beam_groups or model.recipe.decoding.beam_groups) == 1:
            raise ConfigError("--diversity is only used with groups; say --beam-groups, too")
        try:
            return model.search_settings(n_best=n_best, **changes)
        except (ConfigError, DataError) as error:
            told = str(error).removeprefix("decoding: ").removeprefix("recipe: ")
            raise ConfigError(_as_typed(told)) from None

    def constraints(self, prefix: str | None = None) -> "Constraints":
        """What every output must have."""
        from regard.inference.constraints import Constraints

        return Constraints(prefix or "", tuple(self.must or ()), tuple(self.must_not or ()))


@dataclass(frozen=True)
class TranslationSearch(Search):
    """The same of a model that reads a source, too."""

    coverage_beta: Annotated[
        float | None, option("NUMBER", "Coverage penalty: what source words with hardly any attention cost.")
    ] = None
    replace_unknown: Annotated[
        bool | None, switch("Replace <unk> by the source word with the largest attention weight.")
    ] = None
    prefix: Annotated[str | None, option("TEXT", "What every translation begins with.")] = None
    glossary: Annotated[Path | None, option("FILE", "A file of terms, source and target, tab separated.")] = (
        None
    )
    ensemble: Ensemble = None

    def read_glossary(self) -> "Glossary | None":
        """The terms, if a file of them was named."""
        if self.glossary is None:
            return None
        from regard.inference.constraints import Glossary

        return Glossary.read(self.glossary)


_OF_WORDS = ("must", "must_not", "prefix", "glossary", "ensemble")
SETTINGS = tuple(own.name for own in fields(TranslationSearch) if own.name not in _OF_WORDS)
"""Those that are settings of the search, as a recipe has them."""


def _as_typed(message: str) -> str:
    """Settings by their options."""
    names = "|".join(sorted((*SETTINGS, "n_best"), key=len, reverse=True))
    return re.sub(rf"\b({names})\b", lambda name: f"--{name[0].replace('_', '-')}", message)
