"""Settings that do not go together are refused, by name."""

from typing import Any

import pytest

from regard.config.load import load_recipe
from regard.errors import ConfigError


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["model.decoder.input_feeding=true"], "input_feeding feeds what the current state saw"),
        (["model.attention=null", "model.decoder.query=current"], "decoder.query is for attention"),
        (["model.attention=null", "model.copy_source=true"], "copy_source copies by the attention"),
        (["model.decoder.context=first_state"], "decoder.context is for models without attention"),
        (
            ["model.attention=null", "model.decoder.context=first_state", "model.bridge=none"],
            "nothing of the source reaches the decoder",
        ),
        (["model.attention.score=dot"], "the dot score compares vectors of one width"),
        (["model.attention.score=dott"], "unknown value 'dott'; did you mean 'dot'?"),
        (["model.attention.score=concat"], "Luong's concat is additive"),
        (["model.attention={score: location, coverage: true}"], "the location score reads none"),
        (["model.attention.coverage_loss=1"], "coverage_loss needs coverage: true"),
        (["model.attention.options={x: 1}"], "options are for a score of your own; additive has none"),
        (["model.encoder.reverse=true"], "reverse is for one direction"),
        (["model.decoder.readout_size=7"], "tied embeddings score words with vectors of 128"),
        (["model.copy_source=true"], "model.copy_source needs one vocabulary for both sides"),
        (["model.share_embeddings=true"], "model.share_embeddings needs one vocabulary for both sides"),
        ([("model", {"kind": "transformer", "width": 10, "heads": 3})], "width 10 cannot be divided by 3"),
        ([("model", {"kind": "transformer", "head_size": 5, "positions": "rotary"})], "of an even width"),
        ([("model", {"kind": "transfomer"})], "did you mean 'transformer'?"),
    ],
)
def test_what_does_not_go_together(settings: list[Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_recipe("demo", settings)
    assert message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_a_model_without_a_kind_is_a_recurrent_one() -> None:
    assert load_recipe("demo", [("model", {"embedding_size": 8})]).model.kind == "seq2seq"
