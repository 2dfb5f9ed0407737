"""regard evaluate: the task's metrics on a corpus."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli import scores
from regard.cli.options import AsJson, Device, Quiet, Seed, Threads, argument, option, use_threads
from regard.progress import counted

if TYPE_CHECKING:
    from regard.evaluation.evaluator import EvaluationOptions
    from regard.evaluation.result import Evaluation


@scores.with_options()
def evaluate(
    *,
    model: Annotated[Path, argument("MODEL", "A run folder or a model folder; or a file of outputs.")],
    data: Annotated[
        str | None,
        argument(
            "DATA",
            "builtin:ko-en:test, hub:NAME, a .tsv .csv .jsonl file, plain or .gz, or - for a table on "
            "stdin; by default data.test of the recipe.",
        ),
    ] = None,
    by: scores.By = None,
    options: "EvaluationOptions",
    metrics: scores.Metrics = None,
    samples: scores.Samples = 1000,
    task: scores.TaskOfOutputs = "",
    show: Annotated[
        int, option("N", "How many of the best and of the worst sentences to show.", least=0)
    ] = 0,
    as_json: AsJson = False,
    out: Annotated[
        Path | None, option("FILE", "Write the result, with its recipe, as JSON.", "--out", "-o")
    ] = None,
    outputs: Annotated[
        Path | None,
        option("FILE", "Write the outputs, one per line; into a .jsonl file with all that belongs to each."),
    ] = None,
    seed: Seed = None,
    device: Device = "cpu",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Run a model on a test set and score its predictions.

    A translator: BLEU, chrF, TER; the alignment error rate where gold exists. A classifier: accuracy, F1,
    calibration error, confusion; precision and recall of its attention where gold exists; of numbers, their
    correlation. A tagger: accuracy, also of unknown words, F1 of each tag and of spans, confusion.
    Questions: exact match and F1 of the answers. A language model: perplexity per word. A sentence
    encoder: the correlation of cosines with a column of scores, or how often partners are nearest to each
    other.

    Gold alignments are Pharaoh links in a column 'links', such as 0-0 1-2 2p1 (p or ?: possible), or in two,
    'sure' and 'possible'; words count from 0, from the language whose column comes first to the other.

    Intervals hold 95 % of the scores of resampled test sets, as sacreBLEU draws them.

    Examples:

      regard evaluate runs/demo --by constructions --show 5

      regard evaluate runs/ko-en koen/test.tsv.gz --by source --outputs out.jsonl --json

      regard evaluate out.txt builtin:ko-en:test

      regard evaluate runs/sentiment reviews.tsv --text review --label stars
    """
    from regard import api
    from regard.errors import ConfigError
    from regard.evaluation.record import training_facts
    from regard.progress import say
    from regard.store.atomic import write_file

    use_threads(threads)
    for path in (out, outputs):
        if path is not None:
            scores.check_file(path, unless=[data, str(model), str(out) if path is outputs and out else None])
    system = api.open_system(model, device=device)
    if out is not None and isinstance(system, Path):
        raise ConfigError(f"{model}: --out keeps scores with their model, this is a file; use --json")
    training = training_facts(model) if out is not None else None  # a log that is damaged: before the work
    result = api.evaluate(
        system,
        data,
        quiet=quiet,
        **scores.choices(by, metrics, task, samples, seed),
        **options,
    )
    if outputs is not None:
        scores.write_outputs(outputs, result)
    if out is not None and not isinstance(system, Path):
        record = api.result_record(system, result, data, training=training, **options)
        write_file(out, json.dumps(record, indent=2, ensure_ascii=False) + "\n")
    if as_json:
        typer.echo(json.dumps(result.to_dict(show=show), ensure_ascii=False))
    else:
        show_evaluation(result, quiet=quiet)
        _show_sentences(result, show)
    if show and result.quality() is None:
        say("no best and worst: one cosine is good or bad only beside the others", quiet=quiet)


def _show_sentences(result: "Evaluation", count: int) -> None:
    """The best sentences, and the worst."""
    for name, found in (("best", result.best(count)), ("worst", result.worst(count))):
        for place, one in enumerate(found):
            typer.echo("" if place else f"\n{name}, by {one.metric}")
            output = ("output", scores.score_text(one.metric, one.score), one.output)
            scores.show_sentence(one.where, one.source, one.reference, [output])


def show_evaluation(result: "Evaluation", *, quiet: bool) -> None:
    """Print the scores, those of groups, and what else the task has."""
    from regard.progress import say

    rows = [
        [name, scores.score_text(name, value), scores.interval_text(name, result.intervals.get(name))]
        for name, value in result.metrics.items()
    ]
    scores.show_table(["metric", "score", "95 % interval"], rows)
    for column, groups in result.by.items():
        typer.echo("")
        scores.show_table(
            [column, "rows", *result.metrics],
            [
                [
                    value,
                    f"{group.rows:,}",
                    *(scores.score_text(name, group.metrics.get(name)) for name in result.metrics),
                ]
                for value, group in groups.items()
            ],
        )
    typer.echo("")
    for name, signature in result.signature.items():
        typer.echo(f"{name}: {signature}")
    for head, cells in result.tables():
        typer.echo("")
        scores.show_table(head, cells)
    sentences = counted(result.rows, "sentence")
    if result.seconds is None:
        say(sentences, quiet=quiet)
        return
    rate = result.rows / max(result.seconds, 1e-9)
    how = f"{result.search}, " if result.search else ""
    say(f"{sentences}, {how}{result.seconds:.1f} s, {rate:,.0f} sentences/s", quiet=quiet)
