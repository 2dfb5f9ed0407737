"""Options that mean the same in every command."""

import signal
from pathlib import Path
from typing import Annotated

import typer

from regard.config.device import check_device

Model = Annotated[Path, typer.Argument(metavar="MODEL", help="A run folder or a model folder.")]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", "-s", metavar="NAME=VALUE", help="Change a setting, such as model.dropout=0.2; repeatable."
    ),
]
NBest = Annotated[
    int, typer.Option("--n-best", "-n", metavar="N", min=1, help="How many results, the best first.")
]
Device = Annotated[
    str, typer.Option(metavar="NAME", help="Where to compute: cpu or cuda.", callback=check_device)
]
Threads = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, max=1024, help="Threads to compute with; by default all cores."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing on stderr but mistakes.")]
WithAttention = Annotated[
    bool, typer.Option("--attention", help="With --json: add the word-level attention.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON: one object, or one a line.")]
Seed = Annotated[int | None, typer.Option(metavar="N", min=0, help="The seed of the random generator.")]
BeamSize = Annotated[
    int | None, typer.Option(metavar="N", min=1, max=256, help="Width of the search; 1 is greedy.")
]


def use_threads(threads: int | None) -> None:
    """Compute with so many threads; before anything is computed."""
    if threads is not None:
        import torch

        torch.set_num_threads(threads)


def outlive_readers() -> None:
    """Go on when nobody reads the progress any more: training is not lost for that, as a filter's work is."""
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)


def complete_recipe(begun: str) -> list[str]:
    """Names of shipped recipes, for the shell's completion; files are completed by the shell."""
    from regard.config.shipped import shipped_recipes

    return [name for name in shipped_recipes() if name.startswith(begun)]
