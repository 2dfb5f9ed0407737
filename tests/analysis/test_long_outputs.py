"""A model may write more tokens than it is given: its own outputs are read, however long they are."""

from typing import Any

import pytest
import torch
from tests.analysis.families import TEXT, family

from regard.analysis.alignment import Aligner, AlignmentOptions
from regard.analysis.checked_lines import check_lines
from regard.analysis.judging import default_thresholds
from regard.analysis.observations import observe
from regard.data.pairs import Pair
from regard.errors import DataError
from regard.inference.inputs import MAX_SOURCE_TOKENS
from regard.tasks.translation.document import TextOptions, translate_lines
from regard.text.symbols import EOS

LONG = MAX_SOURCE_TOKENS + 6


def writes_long() -> Any:
    """A translator that cannot end by itself."""
    model = family("translation:transformer").model
    with torch.no_grad():
        model.network.output.bias[EOS] = -1e6
    changes = {"beam_size": 1, "max_length_factor": 0.0, "max_length_extra": LONG}
    decoding = model.recipe.decoding.model_copy(update=changes)
    model.recipe = model.recipe.model_copy(update={"decoding": decoding})
    return model


def test_own_outputs_of_any_length_are_judged_and_aligned() -> None:
    model = writes_long()
    lines = [("a:1", TEXT)]
    written = [one.text for one in translate_lines(model, iter(lines), TextOptions(markup=False))]
    assert all(len(model.target_tokenizer.encode(text).ids) > MAX_SOURCE_TOKENS for text in written)

    def translated(own: Any) -> Any:
        return translate_lines(model, own, TextOptions(markup=False))

    checked = list(check_lines(model, default_thresholds(), iter(lines), translated))
    assert [one.text for one in checked] == written
    assert all("repeated" in one.in_words() for one in checked)
    (seen,) = observe(model, [Pair(TEXT, "", "a:1")])
    assert len(seen.log_probabilities) > MAX_SOURCE_TOKENS
    aligner = Aligner(model, AlignmentOptions("tokens"))
    for found in aligner.stream_outputs(iter(lines)):
        assert len(found.target_words) > MAX_SOURCE_TOKENS
    with pytest.raises(DataError, match="a:1: expected at most 1,024 tokens, found"):  # a given one
        aligner.align([(TEXT, written[0])], ["a:1"])
