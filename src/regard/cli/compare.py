"""regard compare: systems side by side on one test set."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli import scores
from regard.cli.options import AsJson, Device, Quiet, Seed, Threads, argument, option, use_threads

if TYPE_CHECKING:
    from regard.evaluation.comparison import Comparison, Contrast
    from regard.evaluation.evaluator import EvaluationOptions


@scores.with_options()
def compare(
    *,
    systems: Annotated[
        list[Path],
        argument(
            "SYSTEM", "Model folders, or files of outputs, one a line or JSONL; the first is the baseline."
        ),
    ],
    data: Annotated[
        str | None,
        option(
            "CORPUS",
            "The test set, named as for regard evaluate; by default data.test of the first model.",
            "--data",
            "-d",
        ),
    ] = None,
    by: scores.By = None,
    options: "EvaluationOptions",
    metrics: scores.Metrics = None,
    samples: Annotated[
        int, option("N", "Resampled test sets for intervals and p-values.", least=1, most=100_000)
    ] = 1000,
    task: scores.TaskOfOutputs = "",
    show: Annotated[
        int, option("N", "How many of the sentences in which they differ most to show.", least=0)
    ] = 5,
    out: Annotated[Path | None, option("FILE", "Draw a figure: .png, .svg or .pdf.", "--out", "-o")] = None,
    as_json: AsJson = False,
    seed: Seed = None,
    device: Device = "cpu",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Score systems on one test set, and say how sure their differences are.

    p is that of a paired bootstrap test against the first system, as sacreBLEU computes it.

    Examples:

      regard compare runs/a runs/b --data koen/test.tsv.gz --by source --out compare.png

      regard compare theirs.txt ours.jsonl runs/c --data builtin:ko-en:test --show 10
    """
    from regard import api
    from regard.evaluation.comparison_figure import draw_comparison
    from regard.insight.picture import check_picture
    from regard.progress import say

    use_threads(threads)
    if out is not None:
        check_picture(out)
        scores.check_file(out)
    result = api.compare(
        systems,
        data,
        show=show,
        device=device,
        quiet=quiet,
        **scores.choices(by, metrics, task, samples, seed),
        **options,
    )
    if out is not None:
        draw_comparison(result, out)
        say(f"wrote {out}", quiet=quiet)
    if as_json:
        typer.echo(json.dumps(result.to_dict(), ensure_ascii=False))
        return
    _show_scores(result)
    for column in result.first.by:
        typer.echo("")
        _show_groups(result, column, result.metrics[0])
    for place, contrast in enumerate(result.contrasts):
        typer.echo("" if place else f"\nfurthest apart, by {contrast.metric}")
        _show_contrast(contrast)


def _show_scores(result: "Comparison") -> None:
    """A line for each metric and system: the score, and what it is more than the baseline's."""
    rows = []
    for metric in result.metrics:
        for system, evaluation in result.evaluations.items():
            if metric not in evaluation.metrics:
                continue
            found = result.differences.get(system, {}).get(metric)
            rows.append(
                [
                    metric,
                    system,
                    scores.score_text(metric, evaluation.metrics[metric]),
                    scores.interval_text(metric, evaluation.intervals.get(metric)),
                    scores.score_text(metric, found.value, signed=True) if found else "",
                    scores.interval_text(metric, found.interval, signed=True) if found else "",
                    f"{found.p_value:.3f}" if found else "",
                ]
            )
    scores.show_table(
        ["metric", "system", "score", "95 % interval", "difference", "95 % interval", "p"], rows
    )


def _show_groups(result: "Comparison", column: str, metric: str) -> None:
    """The first metric by group: each system's score, and what it is more than the baseline's."""
    others = list(result.evaluations)[1:]
    rows = []
    for value, group in result.first.by[column].items():
        row = [value, f"{group.rows:,}", scores.score_text(metric, group.metrics.get(metric))]
        for system in others:
            own = result.evaluations[system].by[column][value].metrics.get(metric)
            gap = result.group_difference(system, column, value, metric)
            row += [scores.score_text(metric, own), scores.score_text(metric, gap, signed=True)]
        rows.append(row)
    heads = [head for system in others for head in (system, "difference")]
    scores.show_table([f"{metric} by {column}", "rows", result.baseline, *heads], rows)


def _show_contrast(contrast: "Contrast") -> None:
    outputs = [
        (name, scores.score_text(contrast.metric, contrast.scores[name]), text)
        for name, text in contrast.outputs.items()
    ]
    scores.show_sentence(contrast.where, contrast.source, contrast.reference, outputs)
