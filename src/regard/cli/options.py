"""Options that mean the same in every command."""

from typing import Annotated

import typer

Device = Annotated[str, typer.Option(help="Where to run: cpu or cuda.")]
Threads = Annotated[
    int | None, typer.Option(min=1, max=1024, help="Threads to compute with; by default all cores.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show nothing but the result, and mistakes.")]
Beam = Annotated[int | None, typer.Option(min=1, max=256, help="Width of the search; 1 is greedy.")]


def use_threads(threads: int | None) -> None:
    """Compute with so many threads; before anything is computed."""
    if threads is not None:
        import torch

        torch.set_num_threads(threads)
