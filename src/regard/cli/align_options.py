"""Options of `regard align` that say what a link is; and its pairs, with their gold."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from regard import api
from regard.cli.lines import BadLine, Source
from regard.cli.options import option, switch
from regard.cli.pairs import pair_lines, test_corpus
from regard.cli.streaming import Lines
from regard.errors import ConfigError, DataError

if TYPE_CHECKING:
    from regard.analysis.alignment import Aligner, Placed, WordAlignment
    from regard.config.load import Setting
    from regard.data.alignments import GoldLinks
    from regard.tasks.translation.document import LineTranslation
    from regard.tasks.translation.predictor import Translator

GOLD_COLUMNS = ("links", "sure")
"""The columns by which a table says that it has gold."""
UnitOption = Annotated[
    Literal["words", "eojeol", "morphemes", "tokens"] | None,
    option(
        None,
        "What links count: words with punctuation apart (the default), eojeol (what stands between "
        "spaces), morphemes, or the tokens of the model.",
    ),
]
SoftOption = Annotated[bool, switch("Write links with their probabilities, i-j:p.", "--soft")]


@dataclass(frozen=True)
class Linking:
    """How attention becomes links, and how links are written."""

    unit: UnitOption = None
    threshold: Annotated[
        float | None,
        option(
            "NUMBER",
            "Link what has at least this weight; by default each target word and the source word of its "
            "largest weight.",
        ),
    ] = None
    reverse: Annotated[
        Path | None, option("MODEL", "A model in the opposite direction, to align both ways.")
    ] = None
    symmetrize: Annotated[
        Literal["union", "intersection", "grow-diag-final-and"] | None,
        option(None, "With --reverse: how both directions become one; by default intersection."),
    ] = None
    soft: SoftOption = False
    null: Annotated[
        bool,
        switch(
            "With --threshold or --reverse: also write target words that belong to no source word, NULL-j.",
            "--null",
        ),
    ] = False

    def refuse(self, *, find: bool, forget: bool, gold: bool, writes: bool) -> None:
        """Tell what has no use, before anything is read.

        writes: whether links are written at all
        """
        linked = {"--threshold": self.threshold, "--symmetrize": self.symmetrize}
        written = {"--soft": self.soft, "--null": self.null}
        for name, value in {**linked, **written, "--unit": self.unit, "--reverse": self.reverse}.items():
            if forget and value:
                raise ConfigError(f"--forget-heads aligns nothing; leave {name} out")
        for name, value in written.items():
            if value and not writes:
                what = "--find-heads writes none" if find else "--gold writes them only with --out"
                raise ConfigError(f"{name} says how links are written, and {what}")
        for name, value in linked.items():
            if find and value is not None:
                raise ConfigError(
                    f"{name} says what a link is, and --find-heads takes the best source word of each target "
                    f"word; leave it out"
                )
        if find and gold and self.reverse is not None:
            raise ConfigError("--gold and --reverse both say which heads align; leave one of them out")
        if self.null and self.threshold is None and self.reverse is None:
            raise ConfigError(
                "--null: every target word has a link; only with --threshold or --reverse can it be NULL"
            )

    def aligner(self, model: "Translator", device: str) -> "Aligner":
        """What aligns with these options; a mistake in them is told before anything is read."""
        from regard.analysis.alignment import Aligner, AlignmentOptions

        options = AlignmentOptions(self.unit or "words", self.threshold, self.symmetrize)
        return Aligner(model, options, self.other(device))

    def other(self, device: str) -> "Translator | None":
        """The model in the opposite direction, if one is named."""
        return None if self.reverse is None else api.load(self.reverse, device=device, task="translation")

    def written(self, found: "WordAlignment") -> str:
        """The links of a pair on a line."""
        return found.to_pharaoh(soft=self.soft, null=self.null)


@dataclass(frozen=True)
class LinkedOutput:
    """Whether translations come with their word alignment."""

    alignment: Annotated[
        bool, switch("Write the word alignment after each translation: text ||| 0-0 1-2.", "--alignment")
    ] = False
    unit: UnitOption = None
    soft: SoftOption = False

    def refuse(self) -> None:
        """Tell a mistake before anything is read."""
        if not self.alignment and (self.unit or self.soft):
            given = "--unit" if self.unit else "--soft"
            raise ConfigError(f"{given} says how --alignment counts or writes links; say --alignment, too")

    def check(self, model: "Translator") -> None:
        """Refuse a model that cannot align."""
        if self.alignment:
            from regard.analysis.alignment import check_aligns

            check_aligns(model)

    def told(self, line: "LineTranslation") -> str:
        """What stands after a translation on its line."""
        return f" ||| {self._found(line).to_pharaoh(soft=self.soft)}".rstrip() if self.alignment else ""

    def values(self, line: "LineTranslation") -> dict[str, Any]:
        """The same, for JSON."""
        if not self.alignment:
            return {}
        own = self._found(line).to_dict()
        return {"alignment": {name: own[name] for name in ("unit", "source_words", "target_words", "links")}}

    def _found(self, line: "LineTranslation") -> "WordAlignment":
        from regard.analysis.alignment import AlignmentOptions, line_alignment

        return line_alignment(line, AlignmentOptions(self.unit or "words"))


@dataclass(frozen=True)
class PairInput:
    """The pairs that a command was given, and where their gold is."""

    source: Source
    model: "Translator"
    columns: "Sequence[Setting]"
    """Settings that name the columns of a table otherwise than the recipe does."""
    gold: Path | None
    """A file of gold links; None where they are in the table."""
    unit: str | None
    """What links count, where that is said."""

    def lines(self, *, quiet: bool) -> Lines[tuple[str, str]]:
        """The pairs with their places; one may be empty."""
        return pair_lines(self.source, self.model, quiet=quiet, columns=self.columns, empty=True)

    def whole(self, *, quiet: bool) -> "list[Placed]":
        """All of them; the first that cannot be read is refused."""
        found: list[Placed] = []
        for line in self.lines(quiet=quiet):
            if isinstance(line, BadLine):
                raise DataError(str(line))
            if line is not None:
                found.append(line)
        if not found:
            raise DataError(f"{self.source.given}: expected sentence pairs, found none")
        return found

    def with_gold(self, *, quiet: bool) -> "tuple[list[Placed], list[GoldLinks | None]]":
        """All of them, with the alignment of each; None where nobody aligned a pair."""
        from regard.insight.word_links import UNITS

        known = {unit: words for words, unit in UNITS.items()}
        if self.unit is not None and self.unit not in known:
            raise ConfigError(f"--unit {self.unit}: gold links count {' or '.join(known)}")
        words = None if self.unit is None else known[self.unit]
        if self.gold is None:
            return self._from_columns()
        from regard.data.gold_files import read_gold

        placed = self.whole(quiet=quiet)
        return placed, read_gold(self.gold, [pair for _, pair in placed], words)

    def _from_columns(self) -> "tuple[list[Placed], list[GoldLinks | None]]":
        from regard.config.load import with_settings
        from regard.data.alignments import FORMS
        from regard.data.pairs import pair_links, read_pairs

        name = self.source.given
        if self.source.kind != "corpus":
            raise ConfigError(f"expected gold links: name their file with --gold, or a table with {FORMS}")
        data = with_settings(self.model.recipe, [test_corpus(self.source), *self.columns]).data
        assert data.test is not None
        pairs = list(read_pairs(data.test, data, split="test"))
        gold = pair_links(pairs)
        if not any(gold):
            raise DataError(f"{name}: expected gold links, {FORMS}, found none; or name a file with --gold")
        return [(own.where, (own.source, own.target)) for own in pairs], gold
