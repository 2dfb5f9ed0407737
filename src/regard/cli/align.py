"""regard align: word alignments of sentence pairs, their scores, and the heads that align best."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from regard import api
from regard.cli import scores
from regard.cli.align_options import GOLD_COLUMNS, Linking, PairInput
from regard.cli.lines import open_input
from regard.cli.options import Model, argument, option, switch, with_groups
from regard.cli.pairs import open_pairs
from regard.cli.streaming import Lines, Read, Streaming, in_json
from regard.errors import ConfigError
from regard.progress import counted, say, track

if TYPE_CHECKING:
    from regard.analysis.alignment import WordAlignment

T = TypeVar("T")
_SHOWN = 5
"""Candidates of a search for heads that are printed."""


@with_groups
def align(
    model: Model,
    data: Annotated[
        str,
        argument(
            "DATA",
            "A corpus, such as builtin:ko-en:test or pairs.tsv; a text; nothing or - is stdin. A line "
            "is a source, a tab and a target.",
        ),
    ] = "-",
    targets: Annotated[
        str | None, argument("TARGETS", "A file of targets; then DATA is a file of sources, line by line.")
    ] = None,
    source_column: Annotated[
        str, option("COLUMN", "The column of the source; by default as in the recipe.", "--source")
    ] = "",
    target_column: Annotated[
        str, option("COLUMN", "The column of the target; by default as in the recipe.", "--target")
    ] = "",
    outputs: Annotated[
        bool, switch("DATA has sources alone: align them with the model's own translations.", "--outputs")
    ] = False,
    gold: Annotated[
        str,
        option(
            "FILE",
            "Score the alignments instead of writing them: a file of gold links, Pharaoh or NAACL; or the "
            "column of DATA that has them, links or sure.",
        ),
    ] = "",
    samples: scores.Samples = 1000,
    find_heads: Annotated[
        bool,
        switch(
            "Find the heads that align best, by gold or else by agreement with --reverse, and keep the "
            "choice in the model folder.",
            "--find-heads",
        ),
    ] = False,
    forget_heads: Annotated[
        bool, switch("Remove the choice of heads from the model folder.", "--forget-heads")
    ] = False,
    out: Annotated[Path | None, option("FILE", "Write the links to a file.", "--out", "-o")] = None,
    *,
    linking: Linking,
    run: Streaming,
) -> None:
    """Align the words of sentences and their translations by the attention of a model.

    For each pair a line of links in Pharaoh form, such as 0-0 1-2: source word, target word, counted from 0.
    With --gold, the alignment error rate, precision, recall and F1 instead. With --find-heads, the heads of
    the model that align best: from then on, every command that reads an alignment from this model uses them.

    Examples:

      printf '나는 책을 읽었다.\\tI read the book.\\n' | regard align runs/demo

      regard align runs/demo pairs.tsv --soft --null --threshold 0.3

      regard align runs/ko-en sources.ko targets.en --reverse runs/en-ko --symmetrize grow-diag-final-and

      regard align runs/ko-en builtin:ko-en:dev --find-heads

      regard align runs/ko-en builtin:ko-en:test --gold links

      regard align runs/demo sentences.txt --outputs --json
    """
    _refuse(outputs=outputs, gold=gold, find=find_heads, forget=forget_heads, out=out, targets=targets)
    writes = out is not None or not (gold or find_heads)
    linking.refuse(find=find_heads, forget=forget_heads, gold=bool(gold), writes=writes)
    if forget_heads:
        _forget(model, run)
        return
    scored = bool(gold) or find_heads
    if scored and run.on_bad_line != "stop":
        raise ConfigError("--on-bad-line is stop with --gold and --find-heads: gold belongs to every pair")
    source = open_input(data) if outputs else open_pairs(data, targets)
    gold_file = None if gold in ("", *GOLD_COLUMNS) else Path(gold)
    if gold_file is not None and not gold_file.is_file():
        raise ConfigError(
            f"--gold {gold}: no such file; name one, or a column of DATA: {' or '.join(GOLD_COLUMNS)}"
        )
    if out is not None:
        scores.check_file(out, unless=[data, targets, gold, str(model)])
    if linking.symmetrize is not None and linking.reverse is None:
        raise ConfigError("--symmetrize needs two directions; name the other model with --reverse")
    opened = api.load(model, device=run.device, task="translation")
    named = (("data.source", source_column), ("data.target", target_column))
    columns = [setting for setting in named if setting[1]]
    given = PairInput(source, opened, columns, gold_file, linking.unit)
    if find_heads:
        _find(model, given, linking, run, by_gold=bool(gold) or linking.reverse is None)
    elif gold:
        _score(given, linking, samples, out, run)
    else:
        _stream(given, linking, out, run, outputs=outputs)


def _refuse(
    *, outputs: bool, gold: str, find: bool, forget: bool, out: Path | None, targets: str | None
) -> None:
    """Tell what does not go together."""
    named = {"--outputs": outputs, "--gold": bool(gold), "--find-heads": find, "--forget-heads": forget}
    wanted = [name for name, value in named.items() if value]
    if len(wanted) > 1 and wanted != ["--gold", "--find-heads"]:
        raise ConfigError(f"{' and '.join(wanted)} exclude each other; choose one")
    if out is not None and (find or forget):
        raise ConfigError("--out writes links, and none are written here; leave it out")
    if outputs and targets is not None:
        raise ConfigError("--outputs aligns the model's own translations; leave the file of targets out")


def _stream(given: PairInput, linking: Linking, out: Path | None, run: Streaming, *, outputs: bool) -> None:
    """Write the links of each pair as it comes; into a file, all at the end."""
    aligner, source = linking.aligner(given.model, run.device), given.source
    kept: list[str] = []

    def write(lines: "Lines[T]", read: "Read[T, WordAlignment]", unit: str) -> None:
        run.write(
            source,
            lines,
            read,
            linking.written,
            doing="aligning",
            unit=unit,
            values=lambda found: found.to_dict(null=linking.null),
            answer=None if out is None else kept.append,
        )

    if outputs:
        sentences = source.lines("one sentence a line", quiet=run.quiet)
        write(sentences, lambda lines, _: aligner.stream_outputs(lines), "lines")
    else:
        write(given.lines(quiet=run.quiet), lambda lines, _: aligner.stream(lines), "pairs")
    if out is not None:
        _write_links(out, kept, run)


def _write_links(out: Path, lines: Sequence[str], run: Streaming) -> None:
    from regard.store.atomic import write_file

    write_file(out, "".join(f"{line}\n" for line in lines))
    say(f"{out}: links of {counted(len(lines), 'pair')}", quiet=run.quiet)


def _score(given: PairInput, linking: Linking, samples: int, out: Path | None, run: Streaming) -> None:
    """Print how good the alignments are, beside those of a person."""
    from regard.analysis.alignment_scores import alignment_scores, gold_alignments

    aligner = linking.aligner(given.model, run.device)
    placed, gold = given.with_gold(quiet=run.quiet)
    found = gold_alignments(aligner, placed, gold, quiet=run.quiet)
    if out is not None:
        _write_links(out, [linking.written(one) for one in found], run)
    result = alignment_scores(found, gold, samples=samples)
    if run.as_json:
        typer.echo(in_json(result.to_dict()))
        return
    rows = [
        [name, scores.score_text(name, value), scores.interval_text(name, result.intervals.get(name))]
        for name, value in result.metrics.items()
    ]
    scores.show_table(["metric", "score", "95 % interval"], rows)
    heads = given.model.alignment_heads
    say(f"{counted(result.rows, 'aligned pair')}; {heads or 'mean of all heads'}", quiet=run.quiet)


def _find(model: Path, given: PairInput, linking: Linking, run: Streaming, *, by_gold: bool) -> None:
    """Search the heads that align best, keep them, and say what they change."""
    from regard.analysis.head_search import find_heads
    from regard.store.alignment import check_keeps, store_alignment

    check_keeps(model)
    placed, gold = given.with_gold(quiet=run.quiet) if by_gold else (given.whole(quiet=run.quiet), None)
    result = find_heads(
        given.model,
        placed,
        gold=gold,
        reverse=None if by_gold else linking.other(run.device),
        unit=linking.unit or "words",
        track=lambda pairs: track(pairs, "searching", unit="pairs", total=len(pairs), quiet=run.quiet),
    )
    written = store_alignment(model, result.best)
    if run.as_json:
        typer.echo(in_json({**result.to_dict(show=_SHOWN), "written": str(written)}))
        return
    rows = [[str(own.heads), f"{own.score:.3f}"] for own in result.candidates[:_SHOWN]]
    scores.show_table(["heads", result.by], [*rows, ["mean of all heads", f"{result.before:.3f}"]])
    typer.echo(f"{result.by} {result.before:.3f} before, {result.candidates[0].score:.3f} after")
    typer.echo(f"wrote {written}: {result.best}")


def _forget(model: Path, run: Streaming) -> None:
    from regard.store.alignment import forget_alignment

    gone = forget_alignment(model)
    if run.as_json:
        typer.echo(in_json({"removed": gone}))
    else:
        typer.echo(f"{model}: " + ("the choice of heads is removed" if gone else "no heads were chosen"))
