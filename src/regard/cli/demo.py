"""regard demo: from nothing to a translator that shows its attention."""

import time
from pathlib import Path
from typing import Annotated

import typer

from regard import api
from regard.cli.options import Quiet, Settings, Threads, option, use_threads
from regard.progress import say


def demo(
    out: Annotated[Path, option("FOLDER", "The run folder to make.", "--out", "-o")] = Path("runs/demo"),
    set_: Settings = None,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Train a small Korean→English model, translate with it, and draw its attention.

    The corpus is built in. It takes a minute or two, works offline, and leaves the model and the pictures
    in the run folder. The second time, it uses the model that is there.

    Examples:

      regard demo

      regard demo --out runs/longer --set training.epochs=4
    """
    from regard.cli.show import print_heat_map
    from regard.config.load import load_recipe
    from regard.insight.draw import draw_heat_map
    from regard.insight.picture import check_picture

    use_threads(threads)
    begun = time.monotonic()
    check_picture(out / "attention.png")
    recipe = load_recipe("demo", set_ or [])
    if api.is_trained(out, recipe):
        say(f"using the model in {out}; delete the folder to train again", quiet=quiet)
    else:
        api.train(recipe, out=out, quiet=quiet)
    translator = api.load(out)
    result = api.evaluate(translator, quiet=quiet)
    typer.echo(f"\n{result.rows:,} Korean sentences that the model has never seen:")
    typer.echo(
        f"  BLEU                  {result.metrics['bleu']:6.1f}  (100: every word as in the reference)"
    )
    typer.echo(f"  alignment error rate  {result.metrics['aer']:6.3f}  (0: attends to the right words)")
    pictures = []
    for number, source in enumerate(_three_sentences([output.source for output in result.outputs]), start=1):
        seen = translator.look(source)
        attention = seen.attention.words()
        typer.echo(f"\n{seen.source}\n{seen.text}\n")
        print_heat_map(attention)
        for ending in (".png", ".svg"):
            pictures.append(out / f"attention-{number}{ending}")
            draw_heat_map(attention, pictures[-1])
    typer.echo(f"\nThe model and {len(pictures)} pictures are in {out} ({time.monotonic() - begun:.0f} s).")
    word = attention.columns[0]
    typer.echo("\nThree things to try:")
    typer.echo(f'  regard look {out} "{seen.source}" --out look.html  # its attention as a page')
    typer.echo(f'  regard look {out} "{seen.source}" --mask-word {word}  # what changes without it')
    typer.echo("  regard new  # a recipe for your own data")


def _three_sentences(sources: list[str]) -> list[str]:
    """Long ones, each with another first word."""
    chosen: dict[str, str] = {}
    for source in sorted(sources, key=lambda source: -len(source.split())):
        chosen.setdefault(source.split()[0], source)
    return list(chosen.values())[:3]
