"""regard evaluate: the task's metrics on a corpus."""

import json
from pathlib import Path
from typing import Annotated

import typer


def evaluate(
    model: Annotated[Path, typer.Argument(help="A run folder or a model folder.")],
    data: Annotated[
        str | None,
        typer.Argument(help="builtin:ko-en:test, or a .tsv(.gz) table; by default data.test of the recipe."),
    ] = None,
    beam: Annotated[
        int | None, typer.Option(min=1, max=256, help="Width of the search; 1 is greedy.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write the result, with its recipe, as JSON.")
    ] = None,
    outputs: Annotated[Path | None, typer.Option(help="Write the translations, one a line.")] = None,
    device: Annotated[str, typer.Option(help="Where to run: cpu or cuda.")] = "cpu",
) -> None:
    """Translate a test set and score it: BLEU and chrF, and the alignment error rate where gold exists.

    Examples:

      regard evaluate runs/demo

      regard evaluate runs/de-en corpora/multi30k/test.tsv.gz --json
    """
    from regard import api
    from regard.store.atomic import check_writable, write_file

    for path in (out, outputs):
        if path is not None:
            check_writable(path.parent)
    translator = api.load(model, device=device)
    result = api.evaluate(translator, data, beam_size=beam)
    if outputs is not None:
        write_file(outputs, "".join(f"{output.text}\n" for output in result.outputs))
    if out is not None:
        record = api.result_record(translator, result, data)
        write_file(out, json.dumps(record, indent=2, ensure_ascii=False) + "\n")
    if as_json:
        typer.echo(json.dumps(result.to_dict(), ensure_ascii=False))
        return
    for name, value in result.metrics.items():
        typer.echo(f"{name:<6}{value:8.3f}  {result.signature.get(name, '')}".rstrip())
    sentences = "sentence" if result.rows == 1 else "sentences"
    typer.echo(f"{result.rows:,} {sentences}, beam {result.beam_size}, {result.seconds:.1f} s", err=True)
