"""`regard look A B C "…"`: what several models look at in one sentence."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from regard.insight.maps import AttentionMap, Unit


def look_models(
    models: Sequence[Path],
    texts: Sequence[str],
    unit: "Unit",
    out: Path | None,
    *,
    target: str | None,
    as_json: bool,
    device: str,
    quiet: bool,
) -> None:
    """Print the attention of each model below that of the one before; draw them side by side."""
    from regard import api
    from regard.cli.show import print_heat_map
    from regard.errors import ConfigError, RegardError
    from regard.insight import hops
    from regard.insight.draw import draw_models
    from regard.insight.html import write_models
    from regard.insight.levels import beside, every_map, main_maps
    from regard.progress import say, warnings_said
    from regard.tasks.translation.predictor import Translator

    drawn: list[tuple[str, AttentionMap]] = []
    pages: list[tuple[str, dict[str, list[AttentionMap]], str]] = []
    for number, path in enumerate(models):
        opened: Any = api.load(path, device=device)
        if target is not None and not isinstance(opened, Translator):
            raise ConfigError(f"{path}: is a model for {opened.task}; --target is for translators")
        if (len(texts) == 2) != bool(getattr(opened, "reads_pairs", False)):
            expected = "one text" if len(texts) == 2 else "two texts"
            raise ConfigError(f"{path}: takes {expected}, found {len(texts)}; look at it by itself")
        given = {"target": target, "second": texts[1] if len(texts) == 2 else None}
        read = {name: text for name, text in given.items() if text is not None}
        with warnings_said(quiet=quiet):
            seen = opened.look(texts[0], **read)
        for note in getattr(seen, "notes", ()):
            say(f"{path}: {note}", quiet=quiet)
        name, record = str(path), seen.attention
        if record.reason and out is not None:
            raise RegardError(f"{path}: nothing to draw: {record.reason}")
        shown = None if record.reason else hops.with_sum(beside(main_maps(record, unit)))
        if as_json:
            looks = {} if shown is None else {"attention": shown.to_dict()}
            typer.echo(json.dumps({"model": name, **seen.to_dict(), **looks}, ensure_ascii=False))
        else:
            source = "" if number else getattr(seen, "texts", seen.source)
            typer.echo(f"{source}\n\n{name}\n{seen.in_words()}\n".removeprefix("\n"))
            if shown is not None:
                print_heat_map(shown)
        if shown is None:
            say(f"{path}: nothing to show: {record.reason}", quiet=quiet)
            continue
        drawn.append((f"{name}\n{seen.in_words()}", shown))
        units: list[Unit] = [unit, "words" if unit == "tokens" else "tokens"]
        levels: dict[str, list[AttentionMap]] = {}
        for one in units:
            levels[one] = [hops.with_sum(each) for each in every_map(record, one)]
        pages.append((name, levels, seen.in_words()))
    if out is None:
        return
    if out.suffix.lower() == ".html":
        write_models(pages, out, source="\n".join(texts))
    else:
        draw_models(drawn, out, title=" / ".join(texts))
    say(f"wrote {out}", quiet=quiet)
