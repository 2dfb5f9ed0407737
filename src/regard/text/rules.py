"""The settings of a tokenizer besides its vocabulary."""

import os
import warnings
from pathlib import Path
from typing import Self

from pydantic import ValidationError

from regard.config.base import Config
from regard.config.text import BpeConfig, ByteBpeConfig, GivenConfig, Kind, Split, TextConfig
from regard.errors import DataError
from regard.text.korean import Dictionary, kiwi_version
from regard.text.normalise import normalise


class Rules(Config):
    """Stored in `tokenizer.json`; a file without them is plain BPE."""

    kind: Kind = "bpe"
    split: Split = "none"
    dropout: float = 0.0
    lower: bool = False
    user_words: tuple[str, ...] = ()
    user_entries: str = ""
    """The text of the user dictionary."""
    kiwi: str | None = None
    """The version of Kiwi that found the morphemes."""

    @classmethod
    def of(cls, config: TextConfig) -> Self:
        """What a config says; a user dictionary is read, so that the model does not depend on the file."""
        return cls(
            kind=config.kind,
            split=config.split,
            dropout=config.dropout if isinstance(config, BpeConfig | ByteBpeConfig) else 0.0,
            lower=isinstance(config, GivenConfig) and config.lower,
            user_words=config.user_words,
            user_entries=_read(config.user_dictionary) if config.user_dictionary else "",
            kiwi=kiwi_version() if config.split == "morphemes" else None,
        )

    @classmethod
    def stored(cls, values: object) -> Self:
        """What a file says; ValueError, in one line, if it cannot be read."""
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            first = error.errors()[0]
            raise ValueError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None

    def to_dict(self) -> dict[str, object]:
        """What a file says. A rule that not every vocabulary has is left out where it does not hold, so that
        the file of one that was learned before there was this rule stays the same."""
        return self.model_dump(mode="json", exclude=set() if self.lower else {"lower"})

    def warn_of_another_kiwi(self) -> None:
        """Warn where Kiwi has another version than when the model was trained."""
        here = kiwi_version()
        if self.kiwi and here and here != self.kiwi:
            warnings.warn(
                f"this model's morphemes were found by Kiwi {self.kiwi}, but here is {here}: some words may "
                f"be cut in another way than in training; pip install kiwipiepy=={self.kiwi.split()[0]}",
                stacklevel=3,
            )

    @property
    def dictionary(self) -> Dictionary:
        """What Kiwi shall know besides its own words."""
        return Dictionary(self.user_words, self.user_entries)


def _read(written: str) -> str:
    path = Path(os.path.expandvars(written)).expanduser()
    try:
        return normalise(path.read_text(encoding="utf-8-sig")).text
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: the user dictionary is not UTF-8 text at byte {error.start}") from None
    except OSError as error:
        raise DataError(f"{path}: the user dictionary cannot be read: {error.strerror}") from None
