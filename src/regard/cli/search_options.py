"""Options of the search, for every command that writes.

The bounds of the numbers are those of `DecodingConfig`, which checks them; it is not imported here, so that
help is quick.
"""

import functools
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

if TYPE_CHECKING:
    from regard.config.decoding import DecodingChanges, DecodingConfig
    from regard.inference.constraints import Constraints, Glossary
    from regard.tasks.language_model.predictor import LanguageModel
    from regard.tasks.translation.predictor import Translator

SETTINGS: dict[str, tuple[type, str, str]] = {
    "beam_size": (int, "--beam-size", "Width of the search; 1 is greedy."),
    "length_penalty": (str, "--length-penalty", "average or gnmt."),
    "length_alpha": (float, "--length-alpha", "Exponent of the length penalty."),
    "endings": (str, "--endings", "Which candidates may end a hypothesis: any or best."),
    "coverage_beta": (float, "--coverage-beta", "What source words that were hardly looked at cost."),
    "beam_groups": (int, "--beam-groups", "Groups of a diverse beam."),
    "diversity": (float, "--diversity", "How much the groups keep away from each other."),
    "min_length": (int, "--min-length", "The fewest tokens of an output."),
    "max_length_factor": (float, "--max-length-factor", "Most tokens: factor * source tokens + extra."),
    "max_length_extra": (int, "--max-length-extra", "See --max-length-factor."),
    "no_repeat_ngram": (int, "--no-repeat-ngram", "Write no run of so many tokens twice."),
    "sample": (bool, "--sample/--no-sample", "Draw tokens by their probability instead of searching."),
    "temperature": (float, "--temperature", "With --sample: below 1 is more sure."),
    "top_k": (int, "--top-k", "With --sample: from so many tokens; 0 is all."),
    "top_p": (float, "--top-p", "With --sample: from the fewest tokens with this probability."),
    "seed": (int, "--seed", "With --sample: what decides the draws."),
    "replace_unknown": (
        bool,
        "--replace-unknown/--no-replace-unknown",
        "Show the source word that was looked at in place of <unk>.",
    ),
    "batch_tokens": (int, "--batch-tokens", "Source tokens that are decoded together."),
}
"""Name of a setting: type, option, help."""

_WORDS: dict[str, tuple[Any, str, str]] = {
    "prefix": (str, "--prefix", "What every translation begins with."),
    "must": (list[str], "--must", "A word or phrase that must appear; may come several times."),
    "must_not": (list[str], "--must-not", "A word or phrase that must not appear; likewise."),
    "glossary": (Path, "--glossary", "A file of terms, source and target, tab separated."),
    "ensemble": (list[Path], "--ensemble", "Another model of the same vocabulary; may come several times."),
}


@dataclass(frozen=True)
class SearchOptions:
    """What the command line says about the search."""

    changes: "DecodingChanges"
    prefix: str = ""
    must: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()
    glossary_path: Path | None = None
    ensemble: tuple[Path, ...] = ()

    def open(self, model: Path, device: str) -> "Translator":
        """The model, or the ensemble that it is the first of."""
        from regard import api

        return api.load(model, *self.ensemble, device=device, task="translation")

    def settings(self, model: "Translator | LanguageModel", n_best: int) -> "DecodingConfig":
        """The whole search; an error names options as they are typed."""
        from regard.errors import ConfigError, DataError

        groups = self.changes.get("beam_groups") or model.recipe.decoding.beam_groups
        if self.changes.get("diversity") is not None and groups == 1:
            raise ConfigError("--diversity is only looked at with groups; say --beam-groups, too")
        try:
            return model.search_settings(n_best=n_best, **self.changes)
        except (ConfigError, DataError) as error:
            told = str(error).removeprefix("decoding: ").removeprefix("recipe: ")
            raise ConfigError(_as_typed(told)) from None

    def constraints(self) -> "Constraints":
        """What every output must have."""
        from regard.inference.constraints import Constraints

        return Constraints(self.prefix, self.must, self.must_not)

    def glossary(self) -> "Glossary | None":
        """The terms, if a file of them was named."""
        from regard.inference.constraints import Glossary

        return Glossary.read(self.glossary_path) if self.glossary_path is not None else None


def _as_typed(message: str) -> str:
    """Settings by their options."""
    options = {name: flag.split("/")[0] for name, (_, flag, _) in SETTINGS.items()} | {"n_best": "--n-best"}
    names = "|".join(sorted(options, key=len, reverse=True))
    return re.sub(rf"\b({names})\b", lambda name: options[name[0]], message)


_OF_A_SOURCE = ("coverage_beta", "replace_unknown", "prefix", "glossary", "ensemble")
"""Options that only a translator has."""


def with_search(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command, which takes `search: SearchOptions`, the options of the search."""
    return _with_options(command, {**SETTINGS, **_WORDS})


def with_search_from_nothing(command: Callable[..., None]) -> Callable[..., None]:
    """The same for a command whose models read no source."""
    options = {name: option for name, option in (SETTINGS | _WORDS).items() if name not in _OF_A_SOURCE}
    return _with_options(command, options)


def _metavar(kind: Any, flag: str) -> str | None:
    """What to write after an option; nothing after a switch."""
    if kind is bool:
        return None
    numbers = {int: "N", float: "NUMBER", str: "NAME"}
    return {"--prefix": "TEXT", "--glossary": "FILE", "--ensemble": "MODEL"}.get(flag) or numbers.get(
        kind, "WORDS"
    )


def _with_options(
    command: Callable[..., None], chosen: dict[str, tuple[Any, str, str]]
) -> Callable[..., None]:
    given = inspect.signature(command, eval_str=True)
    options = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[
                kind | None, typer.Option(flag, metavar=_metavar(kind, flag), help=text, show_default=False)
            ],
        )
        for name, (kind, flag, text) in chosen.items()
    ]
    own = [parameter for name, parameter in given.parameters.items() if name != "search"]

    @functools.wraps(command)
    def wrapped(**arguments: Any) -> None:
        values = {name: arguments.pop(name, None) for name in (*SETTINGS, *_WORDS)}
        search = SearchOptions(
            changes=cast("DecodingChanges", {n: values[n] for n in SETTINGS if values[n] is not None}),
            prefix=values["prefix"] or "",
            must=tuple(values["must"] or ()),
            must_not=tuple(values["must_not"] or ()),
            glossary_path=values["glossary"],
            ensemble=tuple(values["ensemble"] or ()),
        )
        command(**arguments, search=search)

    parameters = [*(p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own), *options]
    wrapped.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    wrapped.__annotations__ = {p.name: p.annotation for p in parameters}
    return wrapped
