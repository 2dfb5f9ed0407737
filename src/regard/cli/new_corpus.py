"""What `regard new` is given: the parts of the corpus, and the rows that are bad."""

import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from regard.cli.own_columns import DOCTOR, Wanted
from regard.progress import counted, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regard.config.data import OneCorpus
    from regard.doctor.splitting import Survey


@dataclass(frozen=True)
class Prepared:
    """The corpora of a recipe."""

    corpora: "dict[str, OneCorpus]"
    """By split."""
    place: str
    """What to give to the doctor to have them checked."""
    rows: int
    """To learn from."""
    bad: int
    """Most rows of one corpus that cannot be used and are still in it."""
    made: Path | None = None
    """The folder of the parts that were cut."""

    @contextmanager
    def undone_by_errors(self) -> "Iterator[None]":
        """The parts stay only if a recipe comes of them."""
        try:
            yield
        except BaseException:
            if self.made is not None:
                shutil.rmtree(self.made, ignore_errors=True)
            raise


def prepare(data: str, wanted: Wanted, out: Path, again: str, *, skip_bad: bool, quiet: bool) -> Prepared:
    """Train, dev and test; what is one file is cut in three.

    out:   the recipe, beside which the parts are written
    again: further flags of the command, to name it with other data
    """
    from regard.config.load import corpus_from_short_form
    from regard.data.folders import find_splits
    from regard.data.lines import file_path
    from regard.data.readers import open_rows
    from regard.doctor.inputs import paths_of
    from regard.doctor.splitting import cut_corpus, divide, is_category, survey
    from regard.errors import DataError

    sides = wanted.sides if wanted.task == "translation" else ("", "")
    is_file = file_path(data).is_file()
    found = {"train": data} if is_file else find_splits(data, *sides)
    if "train" not in found:
        plain = f", or {' and '.join(f'train.{side}' for side in sides)}" if all(sides) else ""
        raise DataError(f"{data}: has no train file, such as train.tsv{plain}")
    folder = out.with_name(f"{out.stem}-data")
    held_out = [part for part in ("dev", "test") if part not in found]
    is_cut = "dev" in held_out
    if is_cut and wanted.task == "masked-language-model":
        raise DataError(f"{data}: running text is not cut; name a folder with train and dev files instead")
    if is_cut and folder.exists():
        raise DataError(
            f"{folder}: is there already; the parts are written into a new folder: choose another --out"
        )
    corpora = {part: corpus_from_short_form(corpus) for part, corpus in found.items()}
    rows = {part: wanted.schema(corpus).open(corpus, split=part) for part, corpus in corpora.items()}
    seen = {
        part: survey(some, len(wanted.sides) if is_cut and part == "train" else 0, quiet=quiet)
        for part, some in rows.items()
    }
    _judge_bad_rows(seen, data, wanted, again, skip_bad=skip_bad, quiet=quiet)
    if not is_cut:
        bad = max(one.bad for one in seen.values())
        return Prepared(corpora, quote(data), seen["train"].good, bad)
    train = seen["train"]
    if wanted.task == "classification" and len(train.keys) > 1 and is_category(train.keys[1]):
        say(
            f"{wanted.sides[1]}: has the same few cells again and again; they stand in all parts", quiet=quiet
        )
        train.keys = train.keys[:1]
    parts = divide(train, held_out)
    cut = cut_corpus(rows["train"], corpora["train"], parts, folder, held_out, quiet=quiet)
    for part, (corpus, count) in cut.items():
        name = open_rows(corpus, split=part).name
        say(f"{name}: {counted(count, 'row')}", quiet=quiet)
    kept = {part: corpus for part, corpus in corpora.items() if part not in cut}
    bad = max((seen[part].bad for part in kept), default=0)
    places = [str(folder), *(path for corpus in kept.values() for path in paths_of(corpus))]
    made = {part: corpus for part, (corpus, _) in cut.items()}
    return Prepared({**made, **kept}, " ".join(map(quote, places)), cut["train"][1], bad, folder)


def _judge_bad_rows(
    seen: "dict[str, Survey]", data: str, wanted: Wanted, again: str, *, skip_bad: bool, quiet: bool
) -> None:
    """Say how many rows cannot be used; without leave to skip them, refuse them and name what to do."""
    from regard.data.lines import file_path
    from regard.errors import DataError

    bad = [one for one in seen.values() if one.bad]
    for one in bad if skip_bad else ():
        told = f"{one.name}: {one.bad:,} of {counted(one.bad + one.good, 'row')} cannot be used"
        say(f"{told}, and are left out; the first: {one.examples[0]}", quiet=quiet)
    if not bad or skip_bad:
        return
    counts = [f"{one.name}: {one.bad:,} of {counted(one.bad + one.good, 'row')}" for one in bad]
    told = f"{', '.join(counts)} cannot be used; the first: {bad[0].examples[0]}"
    told += "; add --skip-bad to leave them out"
    label = f": the {wanted.named.get('label')} side "
    if all(label in example for one in bad for example in one.examples):
        raise DataError(told)  # the doctor checks texts
    clean = _free(f"{_stem(data)}-clean")
    copy = clean if file_path(data).is_dir() else f"{clean}/{Path(data).name}"
    fix = f"regard doctor {quote(data)} {wanted.flags(doctor=True)} --fix {quote(clean)}"
    new = f"regard new --data {quote(copy)} {wanted.flags()} {again}"
    raise DataError(f"{told}, or write a clean copy: {fix} && {new}")


def _stem(data: str) -> str:
    """The name of a file without its endings."""
    return Path(data.rstrip("/")).name.partition(".")[0] or "data"


def _free(name: str) -> str:
    """This name, or one like it that nothing has yet."""
    return next(made for n in range(1, 10**6) if not Path(made := name if n == 1 else f"{name}-{n}").exists())


def look_over(prepared: Prepared, wanted: Wanted, *, quiet: bool) -> None:
    """What the doctor finds, a line a finding, the notes left out."""
    from regard.doctor.catalogue import CHECKS
    from regard.doctor.diagnose import examine
    from regard.doctor.guess import Asked
    from regard.doctor.inputs import Input, Role

    roles: tuple[Role, ...] = ("train", "dev", "test")
    inputs = [
        Input(corpus, role, wanted.sides if corpus.kind == "parallel" else ())
        for role in roles
        if (corpus := prepared.corpora.get(role)) is not None
    ]
    asked = Asked(**{name: wanted.named[name] for name in DOCTOR[:4] if name in wanted.named})
    # The vocabulary that the doctor would learn to judge the coverage is not the recipe's.
    grave = frozenset(check.id for check in CHECKS.values() if check.severity != "note") - {"coverage"}
    found = examine(inputs, asked, checks=grave, quiet=quiet).report.findings
    for finding in found:
        check = finding.check
        say(f"{check.severity}: {check.id} ({finding.count:,}): {check.meaning}", quiet=quiet)
    if found:
        command = f"regard doctor {prepared.place} {wanted.flags(doctor=True)}"
        say(f"`{command}` shows examples, and --fix OUT writes a clean copy", quiet=quiet)
