"""Settings of guided alignment. Does not import torch."""

from pydantic import Field

from regard.config.base import Config


class GuidedAlignmentConfig(Config):
    """Guided alignment: one attention learns the word alignments of the training corpus (Chen et al. 2016).

    The alignments are those of its column `links`, or `sure`; of two text files, of the file `links_path`. A
    built-in world has them. Rows without any add nothing.
    """

    weight: float = Field(default=0.2, gt=0.0)
    """Weight of the loss that is added at each linked target token: the cross-entropy of the attention on the
    source tokens that are linked with it, each as probable as the others."""
    layer: int | None = Field(default=None, strict=True, ge=0)
    """Which decoder layer, counted from 0; by default the last but one (Garg et al. 2019). A model whose
    attention has no layers has none to name."""
    head: int | None = Field(default=None, strict=True, ge=0)
    """Which head of it, counted from 0; by default the first. Not for a model without heads."""
