"""Which columns hold the text, and which the label: by their names, else by what is in them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from regard.data.rows import check_columns
from regard.doctor.scripts import dominant_script, language_of
from regard.errors import ConfigError, DataError

LABELS = ("label", "labels", "class", "category", "sentiment", "polarity", "intent", "stars", "score")
_SIDES = ({"source", "target"}, {"src", "tgt"}, {"src", "trg"}, {"source_text", "target_text"})
_TEXTS = ("text", "sentence", "words")
_DISTINCT, _WORDY = 0.2, 0.5

Samples = Mapping[str, list[str]]
"""Some cells of each column."""


@dataclass(frozen=True)
class Layout:
    """Which columns of a corpus are checked."""

    sides: tuple[str, ...]
    """One column of text, or two."""
    label: str | None
    translation: bool
    """Whether the two sides should say the same in two languages."""
    guessed: tuple[str, ...] = ()
    """What was guessed, in words."""


@dataclass(frozen=True)
class Asked:
    """The columns that the user named; empty = guess."""

    source: str = ""
    target: str = ""
    text: str = ""
    second: str = ""
    label: str = ""

    def sides(self) -> tuple[str, ...]:
        """The columns that were named."""
        if (self.text or self.second) and (self.source or self.target):
            raise ConfigError(
                "--source and --target are for translation, --text and --second for other texts; choose"
            )
        if bool(self.source) != bool(self.target):
            given, missing = ("source", "target") if self.source else ("target", "source")
            raise ConfigError(f"--{given} needs --{missing}; for one side alone say --text")
        if self.second and not self.text:
            raise ConfigError("--second needs --text, the column of the first text")
        both = tuple(filter(None, (self.text or self.source, self.second or self.target)))
        if len(both) != len(set(both)):
            raise ConfigError(f"the column '{both[0]}' cannot be both sides")
        return both


def lay_out(samples: Samples, asked: Asked, name: str) -> Layout:
    """Decide which columns are checked.

    samples: some cells of each column, to judge by
    name:    of the file, for errors
    """
    check_columns([*asked.sides(), *filter(None, [asked.label])], tuple(samples), name)
    sides = asked.sides() or _text_columns(samples, name)
    translation = _is_translation(sides, samples, asked)
    # The score of a translation says how good it is, not what it is.
    guessed = [column for column in LABELS if column in samples and column not in sides and not translation]
    layout = Layout(sides, asked.label or next(iter(guessed), None), translation)
    return replace(layout, guessed=tuple(_words(layout, samples, asked)))


def _text_columns(samples: Samples, name: str) -> tuple[str, ...]:
    """Columns called like languages, or source and target, or text, or that hold words rather than names."""
    texts = [column for column, cells in samples.items() if _has_text(cells)]
    spoken = [column for column, cells in samples.items() if language_of(column) and _has_letters(cells)]
    if len(spoken) == 1:
        script = dominant_script(samples[spoken[0]])
        spoken += [column for column in texts if dominant_script(samples[column]) != script]
        spoken = [column for column in samples if column in spoken]
    pair = next((both for both in _SIDES if both <= {*texts}), set())
    called_text = [column for column in _TEXTS if column in samples and _has_letters(samples[column])]
    only = list(samples) if len(samples) == 1 else []
    for chosen in (spoken, [column for column in samples if column in pair], called_text[:1], texts, only):
        if chosen:
            return tuple(chosen[:2])
    raise DataError(f"{name}: no column looks like text; say which with --text: {', '.join(samples)}")


def _has_letters(cells: list[str]) -> bool:
    full = [cell for cell in cells if cell.strip()]
    return sum(any(map(str.isalpha, cell)) for cell in full) >= _WORDY * len(full) > 0


def _has_text(cells: list[str]) -> bool:
    """Several words with letters in most cells, and not the same few cells again and again."""
    full = [cell for cell in cells if cell.strip()]
    if not full or len(set(full)) < _DISTINCT * len(full):
        return False
    wordy = sum(len([word for word in cell.split() if any(map(str.isalpha, word))]) > 1 for cell in full)
    unspaced = dominant_script(full) in ("Kana", "Han")
    return (wordy >= _WORDY * len(full)) or (unspaced and _has_letters(full))


def _is_translation(sides: tuple[str, ...], samples: Samples, asked: Asked) -> bool:
    if len(sides) != 2:
        return False
    languages = {language_of(side) for side in sides}
    if asked.source or {*sides} in _SIDES or (None not in languages and len(languages) == 2):
        return True
    scripts = {dominant_script(samples[side]) for side in sides}
    return None not in scripts and len(scripts) == 2


def _words(layout: Layout, samples: Samples, asked: Asked) -> list[str]:
    said = []
    if not asked.sides():
        kind = "the two sides of a translation" if layout.translation else "the text"
        others = [column for column in samples if column not in layout.sides and _has_text(samples[column])]
        others = [] if layout.sides[0] in _TEXTS else others
        more = f" (not checked: {', '.join(others)}; choose with --text)" if others else ""
        said.append(f"{' and '.join(layout.sides)}: {kind}{more}")
    elif not asked.source and len(layout.sides) == 2:
        kind = "a translation" if layout.translation else "two texts of one language, not a translation"
        said.append(f"{' and '.join(layout.sides)}: {kind}")
    if layout.label and not asked.label:
        said.append(f"{layout.label}: the label")
    return said
