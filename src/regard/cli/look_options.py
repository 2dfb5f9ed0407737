"""What `regard look` is asked: models and texts, the kind of picture, and edits of its attention."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from regard.cli.lines import AS_TEXT, is_folder, looks_like_file
from regard.cli.options import option, switch
from regard.errors import ConfigError, DataError, StoreError

if TYPE_CHECKING:
    from regard.insight.edits import Edit

RULE = (
    "First the models: the first argument, and all existing folders after it. Then the sentence, and maybe a "
    "second one."
)


def models_and_texts(arguments: Sequence[str]) -> tuple[list[Path], list[str]]:
    """The models, at least one, and one text or two; what could be either is refused."""
    first, *others = arguments
    models = [Path(first)]
    for argument in others:
        if not is_folder(argument):
            break
        models.append(Path(argument))
    texts = others[len(models) - 1 :]
    if not texts and len(models) == 1:
        raise ConfigError(f'no sentence to read; say it after the model: regard look {first} "…"')
    if not texts:
        raise ConfigError(
            f"{others[-1]}: is a folder, so it counts as a model, and no sentence follows it; say one, or "
            f"{AS_TEXT}"
        )
    for number, text in enumerate(texts):
        if is_folder(text):
            raise ConfigError(f"{text}: is a folder after a sentence; models come first; {AS_TEXT}")
        is_followed = number + 1 < len(texts)  # by what may be the sentence
        if looks_like_file(text) or (is_followed and "/" in text and " " not in text):
            raise StoreError(f"{text}: no such model folder; {AS_TEXT}")
    if len(texts) > 2:
        raise ConfigError(
            f"expected one sentence, or two, after the models, found {len(texts)}; put quotes around each"
        )
    return models, texts


class PictureKind(StrEnum):
    """How attention is drawn."""

    HEAT = "heat"
    LINES = "lines"
    OVERVIEW = "overview"
    TEXT = "text"


def check_choice(kind: PictureKind, out: Path | None, *, word: str | None, over_training: bool) -> None:
    """Refuse, before any work, options that do not go together."""
    from regard.insight.picture import ENDINGS, check_picture

    if word is not None and kind is not PictureKind.TEXT:
        raise ConfigError(f"--word is for --kind text, found --kind {kind.value}")
    if over_training:
        if out is None:
            raise ConfigError("--over-training draws a picture; add --out x.gif, or x.png for small maps")
        if kind is not PictureKind.HEAT:
            raise ConfigError(f"--over-training draws heat maps, found --kind {kind.value}; leave out --kind")
        check_picture(out, (*ENDINGS, ".gif"))
    elif out is not None and out.suffix.lower() == ".gif":
        raise ConfigError(
            f"{out}: an animation needs --over-training; one map ends in {', '.join(ENDINGS)} or .html"
        )
    elif out is not None and out.suffix.lower() != ".html":
        check_picture(out, (*ENDINGS, ".html"))


@dataclass(frozen=True)
class Edits:
    """Options that edit the attention of a model, or its input."""

    mask_word: Annotated[
        list[str] | None,
        option("WORD", "Mask this source word: no attention to it. By text or number."),
    ] = None
    reweight: Annotated[
        list[str] | None, option("WORD=FACTOR", "Multiply the weights of this source word.")
    ] = None
    remove_word: Annotated[list[str] | None, option("WORD", "Remove this source word from the input.")] = None
    mask_window: Annotated[
        list[str] | None, option("FIRST-LAST", "Mask a run of source words, by their numbers.")
    ] = None
    mask_head: Annotated[list[str] | None, option("PATH:HEAD", "Mask a head, such as attention:0.")] = None
    mask_layer: Annotated[list[str] | None, option("PATH", "Mask all heads of an attention.")] = None
    force_row: Annotated[
        list[str] | None, option("ROW=WORD", "Target token number ROW attends to this source word alone.")
    ] = None
    force_prefix: Annotated[str | None, option("TEXT", "Let the translation begin with this.")] = None
    everywhere: Annotated[bool, switch("Mask and reweight words in every attention.", "--everywhere")] = False
    renormalise: Annotated[bool, switch("After a mask, scale rows up again to the sum that they had.")] = True

    def all(self) -> "list[Edit]":
        """The edits that the options ask for."""
        from regard.insight import edits

        where: edits.Where = "all" if self.everywhere else "cross"
        found: list[Edit] = [edits.remove(word) for word in self.remove_word or ()]
        found += [
            edits.mask(word, where=where, renormalise=self.renormalise) for word in self.mask_word or ()
        ]
        for given in self.mask_window or ():
            first, last = _two(given, "-", "--mask-window", "FIRST-LAST")
            run = _number(first, "--mask-window"), _number(last, "--mask-window")
            found.append(edits.mask_window(*run, where=where, renormalise=self.renormalise))
        for given in self.reweight or ():
            word, factor = _two(given, "=", "--reweight", "WORD=FACTOR")
            try:
                value = float(factor)
            except ValueError:
                raise DataError(f"--reweight: expected a number after '=', found '{factor}'") from None
            found.append(edits.reweight(word, value, where=where, renormalise=self.renormalise))
        found += [edits.mask_layer(path) for path in self.mask_layer or ()]
        for given in self.mask_head or ():
            path, head = _two(given, ":", "--mask-head", "PATH:HEAD")
            found.append(edits.mask_head(path, _number(head, "--mask-head")))
        for given in self.force_row or ():
            row, word = _two(given, "=", "--force-row", "ROW=WORD")
            found.append(edits.force_row(_number(row, "--force-row"), word))
        found += [edits.force_prefix(self.force_prefix)] if self.force_prefix else []
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
