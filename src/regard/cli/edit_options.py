"""Options that change what a model looks at."""

from typing import TYPE_CHECKING, Annotated

import typer

from regard.errors import DataError

if TYPE_CHECKING:
    from regard.insight.edits import Edit

MaskWord = Annotated[
    list[str] | None,
    typer.Option(metavar="WORD", help="What if this source word could not be looked at? By text or number."),
]
ReweightWord = Annotated[
    list[str] | None,
    typer.Option("--reweight", metavar="WORD=FACTOR", help="Multiply the weights of this source word."),
]
RemoveWord = Annotated[
    list[str] | None, typer.Option(metavar="WORD", help="What if this source word had not been there?")
]
MaskWindow = Annotated[
    list[str] | None, typer.Option(metavar="FIRST-LAST", help="Mask a run of source words, by their numbers.")
]
MaskHead = Annotated[
    list[str] | None,
    typer.Option(metavar="PATH:HEAD", help="A head that looks at nothing: attention:0."),
]
MaskLayer = Annotated[
    list[str] | None, typer.Option(metavar="PATH", help="An attention all of whose heads look at nothing.")
]
ForceRow = Annotated[
    list[str] | None,
    typer.Option(metavar="ROW=WORD", help="Target token number ROW looks at this source word alone."),
]
ForcePrefix = Annotated[
    str | None, typer.Option(metavar="TEXT", help="What if the translation began with this?")
]
Everywhere = Annotated[
    bool,
    typer.Option("--everywhere", help="Mask and reweight words in every attention."),
]
Renormalise = Annotated[
    bool, typer.Option(help="After a mask, scale rows up again to the sum that they had.")
]


def edits_of(
    *,
    mask_word: list[str] | None,
    reweight: list[str] | None,
    remove_word: list[str] | None,
    mask_window: list[str] | None,
    mask_head: list[str] | None,
    mask_layer: list[str] | None,
    force_row: list[str] | None,
    force_prefix: str | None,
    everywhere: bool,
    renormalise: bool,
) -> "list[Edit]":
    """The edits that the options ask for."""
    from regard.insight import edits

    where: edits.Where = "all" if everywhere else "cross"
    found: list[Edit] = [edits.remove(word) for word in remove_word or ()]
    found += [edits.mask(word, where=where, renormalise=renormalise) for word in mask_word or ()]
    for given in mask_window or ():
        first, last = _two(given, "-", "--mask-window", "FIRST-LAST")
        run = _number(first, "--mask-window"), _number(last, "--mask-window")
        found.append(edits.mask_window(*run, where=where, renormalise=renormalise))
    for given in reweight or ():
        word, factor = _two(given, "=", "--reweight", "WORD=FACTOR")
        try:
            value = float(factor)
        except ValueError:
            raise DataError(f"--reweight: expected a number after '=', found '{factor}'") from None
        found.append(edits.reweight(word, value, where=where, renormalise=renormalise))
    found += [edits.mask_layer(path) for path in mask_layer or ()]
    for given in mask_head or ():
        path, head = _two(given, ":", "--mask-head", "PATH:HEAD")
        found.append(edits.mask_head(path, _number(head, "--mask-head")))
    for given in force_row or ():
        row, word = _two(given, "=", "--force-row", "ROW=WORD")
        found.append(edits.force_row(_number(row, "--force-row"), word))
    found += [edits.force_prefix(force_prefix)] if force_prefix else []
    return found


def _two(given: str, sign: str, option: str, form: str) -> tuple[str, str]:
    first, found, last = given.rpartition(sign) if sign != "-" else given.partition(sign)
    if not (first and found and last):
        raise DataError(f"{option}: expected {form}, found '{given}'")
    return first, last


def _number(given: str, option: str) -> int:
    if not given.isascii() or not given.isdecimal() or len(given) > 9:
        raise DataError(f"{option}: expected a number from 0, found '{given[:30]}'")
    return int(given)
