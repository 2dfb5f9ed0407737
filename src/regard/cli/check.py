"""regard check: measures of attention, and whether it is an explanation."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli import scores
from regard.cli.options import (
    AsJson,
    Device,
    Model,
    Quiet,
    Seed,
    Threads,
    argument,
    option,
    switch,
    use_threads,
)

if TYPE_CHECKING:
    from regard.evaluation.evaluator import EvaluationOptions


@scores.with_options("source", "target", "text", "second", "label", "answer", "question")
def check(
    *,
    model: Model,
    data: Annotated[
        str | None,
        argument("DATA", "As for regard evaluate; by default data.test of the recipe."),
    ] = None,
    only: Annotated[
        str | None,
        option(
            "NAME,NAME",
            "Some of the sections, separated by commas, by default all: measures, explanation, "
            "stability, alarms.",
        ),
    ] = None,
    rows: Annotated[
        int | None,
        option("N", "How many rows, from the first; by default 1,000, with --fit-alarms all.", least=1),
    ] = None,
    options: "EvaluationOptions",
    adversary: Annotated[
        bool, switch("Also search for other attention with the same output; takes minutes.", "--adversary")
    ] = False,
    seeds: Annotated[
        list[Path] | None,
        option(
            "MODEL",
            "A run of the same recipe with another seed: how much its attention, and its outputs, differ; "
            "repeatable.",
        ),
    ] = None,
    fit_alarms: Annotated[
        bool,
        switch(
            "Instead of a report, fit the thresholds of alarms to DATA, by default data.dev of the recipe, "
            "and store them in the model folder.",
            "--fit-alarms",
        ),
    ] = False,
    as_json: AsJson = False,
    out: Annotated[Path | None, option("FILE", "Write the report as one HTML page.", "--out", "-o")] = None,
    figure: Annotated[
        Path | None, option("FILE", "Draw the measures of all heads as .png, .svg or .pdf.")
    ] = None,
    seed: Seed = None,
    device: Device = "cpu",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Measure the attention of a model, and test whether it is an explanation.

    Measures, for each layer and head: entropy, distance, diagonality, coverage, mass on the end token and
    on punctuation, how much heads differ, and what the model loses without each.

    Explanation, of classifiers: what becomes of the output with uniform and with permuted attention, what a
    network without context learns from the attention alone, what the words are worth that it attends to, and
    a verdict.

    Stability: how often the output and the attention change under small changes of the input that should not
    matter: spacing, Unicode form, the ending of a verb, a synonym, the final mark, a typo, capital letters;
    and with other seeds.

    Alarms: the outputs not to trust, the worst first, with the reasons.

    Examples:

      regard check runs/sentiment --out report.html

      regard check runs/sentiment reviews.tsv --text review --label stars --adversary

      regard check runs/demo --only measures --figure heads.png --json

      regard check runs/ko-en --fit-alarms
    """
    from regard import api
    from regard.api.checking import ROWS
    from regard.errors import ConfigError
    from regard.insight.picture import check_picture
    from regard.metrics.bootstrap import SEED
    from regard.store.atomic import write_file

    use_threads(threads)
    wanted = None if only is None else scores.listed(only)
    if figure is not None:
        check_picture(figure)
        if wanted is not None and "measures" not in wanted:
            raise ConfigError("--figure draws the measures; name them in --only, too")
    for path in (out, figure):
        if path is not None:
            scores.check_file(path, unless=[data, str(model), str(out) if path is figure and out else None])
    if fit_alarms:
        given = (("--only", only), ("--adversary", adversary), ("--seeds", seeds), ("--out", out))
        for name, value in (*given, ("--figure", figure), ("--seed", seed)):
            if value is not None and value is not False:
                raise ConfigError(f"--fit-alarms writes no report: it goes without {name}")
        written = api.fit_alarms(model, data, rows=rows, device=device, quiet=quiet, **options)
        typer.echo(json.dumps({"written": str(written)}) if as_json else f"wrote {written}")
        return
    report = api.check(
        model,
        data,
        only=wanted,
        rows=ROWS if rows is None else rows,
        adversary=adversary,
        seeds=seeds or (),
        seed=SEED if seed is None else seed,
        device=device,
        quiet=quiet,
        **options,
    )
    if out is not None:
        write_file(out, report.html())
    if figure is not None:
        report.draw(figure)
    if as_json:
        typer.echo(json.dumps(report.to_dict(), ensure_ascii=False))
        return
    for line in report.lines():
        typer.echo(line)
