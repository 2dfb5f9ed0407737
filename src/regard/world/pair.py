"""A sentence pair of the world, with what is known about it."""

from typing import NamedTuple

from regard.text.words import split_words
from regard.world.morphemes import link_morphemes, morphemes_of


class WorldPair(NamedTuple):
    """A Korean sentence and its English, with what is known about them."""

    korean: str
    english: str
    links: frozenset[tuple[int, int]]
    """(Korean word, English word), counted from 0; all are sure links."""
    constructions: frozenset[str]
    """What the sentence contains, such as "past", "negation", "place"."""
    words: tuple[str, ...]
    """The Korean words as `links` counts them."""

    @property
    def morphemes(self) -> tuple[tuple[str, str], ...]:
        """The Korean morphemes in order, as (dictionary form, tag); `morphology` lists the tags."""
        return tuple((morpheme.form, morpheme.tag) for morpheme in morphemes_of(self.words))

    @property
    def morpheme_spans(self) -> tuple[tuple[int, int], ...]:
        """Where in `korean` each morpheme is written; morphemes that melt into one syllable share it."""
        return tuple((morpheme.start, morpheme.end) for morpheme in morphemes_of(self.words))

    @property
    def morpheme_links(self) -> frozenset[tuple[int, int]]:
        """(Korean morpheme, English word), counted from 0, by the rules of the module `morphemes`."""
        return link_morphemes(self.words, split_words(self.english), self.links)
