"""Word vectors that a model is initialised with, instead of random ones."""

from typing import Annotated, Literal

from pydantic import Field

from regard.config.base import Config, Count, Size


class Word2VecConfig(Config):
    """Word2Vec (Mikolov et al. 2013), learned by gensim (extra `vectors`) on the training text of this side,
    in the pieces that the model reads. The seed is `training.seed`."""

    kind: Literal["word2vec"] = "word2vec"
    method: Literal["skip_gram", "cbow"] = "skip_gram"
    """Skip-gram: predict the neighbours from the word; or CBOW: the word from its neighbours."""
    window: Size = 5
    """The context window, in words."""
    epochs: Count = 5
    """Passes over the text."""
    min_count: Count = 2
    """What is seen less often gets no vector."""
    negative: int = Field(default=5, ge=1, le=1000)
    """Negative samples for each neighbour."""
    sample: float = Field(default=1e-3, ge=0.0, le=1.0)
    """Subsampling of frequent words: those with a larger share of the text than this are left out now and
    then, the more often the more frequent; 0 = never."""


class FileVectorsConfig(Config):
    """Vectors from a file in word2vec's format, as `regard vectors train`, gensim and fastText write it.

    A piece that begins a word gets the vector of the word that is spelt like it; so does punctuation. The
    width must be that of the model.
    """

    kind: Literal["file"] = "file"
    path: str
    """The file: .vec or .txt (text), .bin (binary), or with .gz. `$NAME` is replaced by the environment
    variable of that name."""
    inside_words: bool = False
    """Also give a piece inside words the vector of what is spelt like it: right for a file of morphemes, or
    of the same pieces. In a file of words, `er` is another thing than the end of `higher`."""


VectorSource = Annotated[Word2VecConfig | FileVectorsConfig, Field(discriminator="kind")]


class FirstVectorsConfig(Config):
    """Initial word vectors for each vocabulary of a task."""

    @property
    def sources(self) -> dict[str, VectorSource | None]:
        """Where the vectors of each vocabulary come from, by its name, in the order of the vocabularies."""
        return {name: getattr(self, name) for name in type(self).model_fields}

    def __bool__(self) -> bool:
        return any(source is not None for source in self.sources.values())


class VectorsConfig(FirstVectorsConfig):
    """Initial word vectors. Entries without one keep random vectors; all are trained further."""

    source: VectorSource | None = None
    """For the source vocabulary; by default random initialisation."""
    target: VectorSource | None = None
    """For the target vocabulary, likewise."""


class TextVectorsConfig(FirstVectorsConfig):
    """Initial word vectors. Entries without one keep random vectors; all are trained further."""

    text: VectorSource | None = None
    """For the vocabulary; by default random initialisation."""
