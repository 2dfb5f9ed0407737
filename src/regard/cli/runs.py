"""regard runs: training runs side by side."""

import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from regard.cli.options import AsJson, Quiet, argument, option, switch
from regard.errors import StoreError
from regard.progress import say

PIPE_WIDTH = 80


def runs(
    folders: Annotated[list[Path], argument("FOLDER", "Run folders, or folders that hold some.")],
    metric: Annotated[
        str | None,
        option(
            "NAME",
            "What to draw beside the loss: bleu, perplexity, gradient_norm, learning_rate, "
            "tokens_per_second, padding, memory_mb, or any other name in the log.",
        ),
    ] = None,
    x: Annotated[
        Literal["step", "epoch", "seconds"], option(None, "What the curves run over.", "--x")
    ] = "step",
    sort: Annotated[
        str, option("NAME", "name, state, step, seconds, tokens_per_second, or a score on dev, best first.")
    ] = "name",
    out: Annotated[
        Path | None, option("FILE", "Write the curves as .png, .svg or .pdf.", "--out", "-o")
    ] = None,
    as_json: AsJson = False,
    plot: Annotated[bool, switch("Draw the curves in the terminal.")] = True,
    quiet: Quiet = False,
) -> None:
    """Compare training runs: how each stands, its best scores, its settings and curves.

    Examples:

      regard runs runs/

      regard runs runs/a runs/b --metric gradient_norm --x epoch

      regard runs runs/ --sort bleu --out curves.png

      regard runs runs/ --json | jq '.runs[] | [.name, .best.bleu]'
    """
    from rich.console import Console

    from regard.cli.run_tables import print_panels, print_runs
    from regard.insight.picture import check_picture
    from regard.store.atomic import check_writable
    from regard.training.runs.comparison import differences, in_order
    from regard.training.runs.figure import draw_panels
    from regard.training.runs.history import find_runs, read_history
    from regard.training.runs.panels import MOST_RUNS, TRAIN_LOSS, choose_measure, make_panels

    if out is not None:
        check_picture(out)
        check_writable(out.parent)
    measures = {TRAIN_LOSS, metric or TRAIN_LOSS}
    found = [read_history(name, path, axis=x, measures=measures) for name, path in find_runs(folders).items()]
    histories = in_order(found, sort)
    measure = choose_measure(histories, metric)
    differing = differences([history.recipe for history in histories])
    drawn = histories[:MOST_RUNS]
    panels = make_panels(drawn, measure, x)
    if out is not None:
        if not panels:
            raise StoreError(f"{out}: there is nothing to draw: no run has done a step yet")
        draw_panels(panels, [history.name for history in drawn], out)
    if as_json:
        records = [history.to_dict() for history in histories]
        text = json.dumps({"runs": records, "differing": differing}, ensure_ascii=False)
        typer.echo(text.encode(errors="backslashreplace"))  # a name that is no UTF-8, as JSON writes it
    else:
        console = Console(highlight=False, emoji=False, markup=False)
        if not console.is_terminal:
            console.width = PIPE_WIDTH
        print_runs(console, histories, measure, differing)
        if plot:
            print_panels(console, panels, drawn)
    if len(drawn) < len(histories) and (out or (plot and not as_json)):
        say(f"curves are drawn of the first {MOST_RUNS} runs; --sort says which come first", quiet=quiet)
