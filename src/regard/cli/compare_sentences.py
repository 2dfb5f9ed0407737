"""`regard look MODEL "first" "second"`: which words make two sentences similar."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from regard.insight.maps import Unit


def compare_sentences(
    model: Path,
    first: str,
    second: str,
    unit: "Unit",
    out: Path | None,
    *,
    as_json: bool,
    device: str,
    quiet: bool,
) -> None:
    """Print the cosine and what every two words add to it; or draw that."""
    from regard import api
    from regard.cli.show import print_similarity
    from regard.insight.draw import draw_similarity
    from regard.insight.picture import check_picture
    from regard.progress import say, warnings_said

    if out is not None:
        check_picture(out)
    embedder = api.load(model, device=device, task="embedding")
    with warnings_said(quiet=quiet):
        near = embedder.similarity(first, second)
    shown = near.words(unit)
    if as_json:
        typer.echo(json.dumps({**near.to_dict(), "words": shown.to_dict()}, ensure_ascii=False))
    else:
        typer.echo(f"{near}\n")
        print_similarity(shown)
        typer.echo("\nin hundredths of the cosine; all cells together are the cosine")
    if out is not None:
        draw_similarity(shown, out)
        say(f"wrote {out}", quiet=quiet)
