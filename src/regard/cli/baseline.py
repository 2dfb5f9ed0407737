"""regard baseline: what a linear model gets on the data of a classifier."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli import scores
from regard.cli.options import AsJson, Quiet, Seed, Settings, argument, complete_recipe, option

if TYPE_CHECKING:
    from regard.evaluation.evaluator import EvaluationOptions


@scores.with_options("text", "second", "label")
def baseline(
    *,
    recipe: Annotated[
        str,
        argument(
            "RECIPE",
            "A recipe for classification, by name or file, or a run folder: whose data is meant.",
            complete_recipe,
        ),
    ],
    set_: Settings = None,
    data: Annotated[
        str, option("FOLDER", "A folder with train, dev and test files, such as train.tsv.gz.")
    ] = "",
    options: "EvaluationOptions",
    by: scores.By = None,
    metrics: scores.Metrics = None,
    samples: scores.Samples = 1000,
    outputs: Annotated[
        Path | None, option("FILE", "Write the labels, one per line, for regard compare; or as .jsonl.")
    ] = None,
    as_json: AsJson = False,
    out: Annotated[
        Path | None, option("FILE", "Write the result, with its data, as JSON.", "--out", "-o")
    ] = None,
    seed: Seed = None,
    quiet: Quiet = False,
) -> None:
    """Fit TF-IDF and logistic regression to the training rows, and score it on the test rows.

    Several labels have a logistic regression each, numbers a ridge regression.

    What a network gains is what it has more than this. Needs the extra `baselines`.

    Examples:

      regard baseline self-attentive

      regard baseline self-attentive --data corpora/reviews --text review --label stars --outputs linear.txt

      regard compare linear.txt runs/reviews --data corpora/reviews/test.tsv.gz
    """
    from regard import api
    from regard.cli.evaluate import show_evaluation
    from regard.cli.train import folder_settings
    from regard.metrics.bootstrap import SEED
    from regard.store.atomic import write_file
    from regard.tasks.classification.baseline_evaluation import baseline_record

    for path in (out, outputs):
        if path is not None:
            scores.check_file(path, unless=[str(out) if path is outputs and out else None])
    named = str(Path(recipe) / "recipe.yaml") if (Path(recipe) / "recipe.yaml").is_file() else recipe
    changes = folder_settings(api.choose_recipe(named), data, "", "") if data else []
    changes += [(f"data.{name}", str(column)) for name, column in options.items() if column]
    measured = api.measured_baseline(
        api.choose_recipe(named, [*changes, *(set_ or ())]),
        by or (),
        scores.chosen_metrics(metrics),
        samples=samples,
        seed=SEED if seed is None else seed,
        quiet=quiet,
    )
    result = measured.result
    if outputs is not None:
        scores.write_outputs(outputs, result)
    if out is not None:
        write_file(out, json.dumps(baseline_record(measured), indent=2, ensure_ascii=False) + "\n")
    if as_json:
        typer.echo(json.dumps(result.to_dict(), ensure_ascii=False))
    else:
        show_evaluation(result, quiet=quiet)
