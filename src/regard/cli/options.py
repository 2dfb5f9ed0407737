"""Options that mean the same in every command, and groups of them."""

import functools
import inspect
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from regard.config.device import check_device


def option(
    metavar: str | None,
    meaning: str,
    *flags: str,
    least: float | None = None,
    most: float | None = None,
    callback: Callable[[str], str] | None = None,
) -> Any:
    """An option; its flag is the name of the parameter, where none is given."""
    return typer.Option(*flags, metavar=metavar, help=meaning, min=least, max=most, callback=callback)


def switch(meaning: str, *flags: str) -> Any:
    """An option without a value."""
    return typer.Option(*flags, help=meaning)


def argument(metavar: str, meaning: str, complete: Callable[[str], list[str]] | None = None) -> Any:
    """An argument without a flag; complete: what the shell offers for its beginning."""
    return typer.Argument(metavar=metavar, help=meaning, show_default=False, autocompletion=complete)


def complete_recipe(begun: str) -> list[str]:
    """Names of shipped recipes, for the shell's completion; files are completed by the shell."""
    from regard.config.shipped import shipped_recipes

    return [name for name in shipped_recipes() if name.startswith(begun)]


Model = Annotated[Path, argument("MODEL", "A run folder or a model folder.")]
NewFolder = Annotated[Path, argument("FOLDER", "The folder to make.")]
Settings = Annotated[
    list[str] | None,
    option("NAME=VALUE", "Change a setting, such as model.dropout=0.2; repeatable.", "--set", "-s"),
]
NBest = Annotated[int, option("N", "How many results, the best first.", "--n-best", "-n", least=1)]
Device = Annotated[str, option("NAME", "Where to compute: cpu or cuda.", callback=check_device)]
Threads = Annotated[
    int | None, option("N", "Threads to compute with; by default all cores.", least=1, most=1024)
]
Quiet = Annotated[bool, switch("Say nothing on stderr but mistakes.", "--quiet", "-q")]
AsJson = Annotated[bool, switch("Print JSON: one object, or one a line.", "--json")]
Seed = Annotated[int | None, option("N", "The seed of the random generator.", least=0)]
BeamSize = Annotated[int | None, option("N", "Width of the search; 1 is greedy.", least=1, most=256)]
Ensemble = Annotated[
    list[Path] | None, option("MODEL", "Another model of the same vocabulary; may come several times.")
]


def use_threads(threads: int | None) -> None:
    """Compute with so many threads; before anything is computed."""
    if threads is not None:
        import torch

        torch.set_num_threads(threads)


@dataclass(frozen=True)
class Computing:
    """Where and with what a command computes, and what it says."""

    as_json: AsJson = False
    device: Device = "cpu"
    threads: Threads = None
    quiet: Quiet = False

    def __post_init__(self) -> None:
        use_threads(self.threads)


def outlive_readers() -> None:
    """Go on when nobody reads the progress any more: training is not lost for that, as a filter's work is."""
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)


Group = tuple[list[inspect.Parameter], Callable[[dict[str, Any]], Any]]
"""Options, and what a command is given for their values."""


def with_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command take a group of options as one parameter: a dataclass whose fields are options."""
    kinds = {name: own.annotation for name, own in inspect.signature(command).parameters.items()}
    return expanded(command, {name: _group(kind) for name, kind in kinds.items() if is_dataclass(kind)})


def _group(kind: Any) -> Group:
    hints = get_type_hints(kind, include_extras=True)
    options = {own.name: (hints[own.name], own.default) for own in fields(kind)}
    return parameters_of(options), lambda values: kind(**values)


def parameters_of(options: Mapping[str, tuple[Any, Any]]) -> list[inspect.Parameter]:
    """Parameters of a command by their names, from what each is and its default."""
    kind = inspect.Parameter.KEYWORD_ONLY
    return [
        inspect.Parameter(name, kind, default=default, annotation=annotation)
        for name, (annotation, default) in options.items()
    ]


def expanded(command: Callable[..., None], groups: Mapping[str, Group]) -> Callable[..., None]:
    """A command that has the options of some groups, each in the place of the parameter that takes it."""
    parameters: list[inspect.Parameter] = []
    for name, own in inspect.signature(command).parameters.items():
        parameters += groups[name][0] if name in groups else [own]

    @functools.wraps(command)
    def wrapped(**given: Any) -> None:
        made = {
            name: make({each.name: given.pop(each.name) for each in options})
            for name, (options, make) in groups.items()
        }
        command(**given, **made)

    parameters = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters]
    wrapped.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    wrapped.__annotations__ = {each.name: each.annotation for each in parameters}
    return wrapped
