"""A language model's text: gone on with, scored, looked into, edited."""

import math

import numpy as np
import pytest
import torch
from tests.contracts.language_models import LANGUAGE_MODELS

import regard
from regard.config.language import LanguageRecipe
from regard.config.text import BpeConfig, WordConfig
from regard.errors import ConfigError, DataError
from regard.insight.edits import Edit, ForceRow, MaskHead
from regard.models.language_model import build_language_model
from regard.tasks.language_model.predictor import LanguageModel
from regard.text.tokenizer import Tokenizer

TEXT = "그 학생이 책을 읽었다."
BEGUN = "그 학생이"


def untrained(name: str, tokenizer: Tokenizer) -> LanguageModel:
    torch.manual_seed(3)
    recipe = LanguageRecipe(model=LANGUAGE_MODELS[name])
    return LanguageModel(
        build_language_model(LANGUAGE_MODELS[name], target_size=len(tokenizer)).double(),
        tokenizer=tokenizer,
        recipe=recipe,
    )


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.learn([TEXT] * 3, BpeConfig(vocabulary_size=300))


@pytest.fixture(scope="module")
def lstmn(tokenizer: Tokenizer) -> LanguageModel:
    """Untrained."""
    return untrained("lm-lstmn-deep", tokenizer)


def test_a_text_is_gone_on_with(language_model: LanguageModel) -> None:
    best, other = language_model.complete([BEGUN, ""], n_best=2)
    assert best.source == BEGUN
    assert best.text.startswith(BEGUN)
    assert len(best.text) > len(BEGUN)
    assert best.ended
    assert best.in_words() == best.text
    assert all(one.text.startswith(BEGUN) for one in best.alternatives)
    assert other.text, "from nothing, too"
    ids = language_model.tokenizer.encode(BEGUN).ids
    assert best.tokens[: len(ids)] == language_model.tokenizer.encode(BEGUN).pieces
    assert language_model.complete(BEGUN).tokens == best.tokens, "company changes nothing"


def test_samples_are_decided_by_seed_and_place(language_model: LanguageModel) -> None:
    settings = {"sample": True, "temperature": 0.9, "top_k": 50, "top_p": 0.95, "seed": 4}
    drawn = language_model.complete([BEGUN, "", BEGUN], **settings)  # type: ignore[call-overload]
    (again,) = language_model.complete([BEGUN], numbered_from=2, **settings)  # type: ignore[call-overload]
    assert again.tokens == drawn[2].tokens
    assert len({one.text for one in drawn}) == 3
    assert drawn[0].text.startswith(BEGUN)


def test_a_text_is_scored_token_by_token(language_model: LanguageModel) -> None:
    scored, empty = language_model.score([TEXT, ""])
    seen = language_model.look(TEXT)
    assert scored.log_probability == pytest.approx(seen.log_probability, abs=1e-4)
    assert scored.tokens == (*seen.tokens, "</s>")
    assert scored.perplexity == pytest.approx(math.exp(-scored.log_probability / 5))  # 4 words, and the end
    assert empty.tokens == ("</s>",)
    assert seen.text == seen.source == TEXT
    assert f"perplexity {scored.perplexity:.2f} per word" in seen.in_words()


def test_what_was_learned_is_likelier_than_nonsense(language_model: LanguageModel) -> None:
    right, turned = language_model.score([TEXT, " ".join(reversed(TEXT.split()))])
    assert right.log_probability > turned.log_probability


@pytest.mark.parametrize("which", ["language_model", "lstmn"])
def test_look_shows_each_head_over_what_was_fed(which: str, request: pytest.FixtureRequest) -> None:
    model: LanguageModel = request.getfixturevalue(which)
    record = model.look(TEXT).attention
    assert record.main == "decoder-self"
    assert record.paths == tuple(model.network.attentions)
    words = record.words()
    assert words.rows == words.columns == ("<s>", "그", "학생이", "책을", "읽었다", ".")
    assert (np.triu(words.weights, 1) < 1e-6).all()
    heads = {look.weights.shape[0] for look in record.attentions if look.weights.ndim == 3}
    assert heads == ({2} if which == "language_model" else set())
    assert record.to_dict(maps=False)["words"]["rows"][0] == "<s>"


def test_a_model_without_attention_says_so(tokenizer: Tokenizer) -> None:
    model = untrained("lm-gru", tokenizer)
    record = model.look(TEXT).attention
    assert record.reason == "this model has no attention: its state is all it keeps of the words before"
    with pytest.raises(DataError, match="this model has no attention, so there is nothing to change"):
        model.look(TEXT, edit=regard.mask("책을"))
    with pytest.raises(DataError, match="there is nothing to explain"):
        model.explain(TEXT, row=1)


@pytest.mark.parametrize("which", ["language_model", "lstmn"])
def test_an_edit_changes_what_comes_after_it(which: str, request: pytest.FixtureRequest) -> None:
    """Masked, a word is not looked at: what is said before it was read stays, all after it changes."""
    model: LanguageModel = request.getfixturevalue(which)
    side = model.look(TEXT).attention.sides("decoder-self")[0]
    for edit in (regard.mask("학생이"), regard.mask("학생이", where="all", renormalise=False)):
        effect = model.look(TEXT, edit=edit)
        first = min(side.members(2))
        assert effect.old.before[:first] == effect.old.after[:first]
        changed = [one != other for one, other in zip(effect.old.before, effect.old.after, strict=True)]
        assert any(changed[first:])
        assert effect.attention.words().weights[:, 2].max() == 0.0
        assert not effect.changed
    assert model.look(TEXT, edit=[]).old_change == 0.0


@pytest.mark.parametrize("which", ["language_model", "lstmn"])
def test_a_completion_under_an_edit_has_the_probabilities_of_the_forced_pass(
    which: str, request: pytest.FixtureRequest
) -> None:
    """While it is written, step by step, and when it is shown at once: the same edit, the same numbers."""
    model: LanguageModel = request.getfixturevalue(which)
    path = next(iter(model.network.attentions))
    row = len(model.tokenizer.encode(BEGUN).ids)
    edits: list[Edit] = [regard.mask("학생이"), ForceRow(row, "그", path), MaskHead(path, 0)]
    for edit in edits:
        effect = model.complete(BEGUN, edit=edit, max_length_extra=8)
        assert effect.after.log_probability == pytest.approx(sum(effect.new.after), abs=1e-4)
        assert effect.before.text == model.complete(BEGUN, max_length_extra=8).text
        assert effect.old_change != 0.0


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (regard.remove("책을"), "to remove '책을' from the input, change that"),
        (regard.force_prefix("그"), "to begin with '그', change that"),
        (
            regard.force_row(1, "읽었다"),
            "row 1 can be made to attend to an earlier word; '읽었다' has the row",
        ),
        (regard.mask("학교"), "'학교' is not in the sentence; its words are 0 <s>, 1 그"),
        (regard.mask_head("reader.layers.0", 0), "no attention of this model is called 'reader.layers.0'"),
    ],
)
def test_edits_that_have_no_meaning_are_refused(
    language_model: LanguageModel, edit: Edit, message: str
) -> None:
    with pytest.raises(DataError, match=message):
        language_model.look(TEXT, edit=edit)


@pytest.mark.parametrize("which", ["language_model", "lstmn"])
def test_every_row_is_explained_by_its_formula(which: str, request: pytest.FixtureRequest) -> None:
    model: LanguageModel = request.getfixturevalue(which)
    for row in range(1, 5):
        told = model.explain(TEXT, row=row, column="<s>")
        assert told.error < 1e-5
        assert told.weights[: row + 1].sum() == pytest.approx(1.0, abs=1e-5)
    assert told.path == next(iter(model.network.attentions))


def test_words_that_must_appear_do(language_model: LanguageModel) -> None:
    wish = regard.Constraints(must=["책을"], must_not=["읽었다"])
    found = language_model.complete(BEGUN, constraints=wish).text
    assert "책을" in found
    assert "읽었다" not in found
    with pytest.raises(DataError, match="leave out the prefix"):
        language_model.complete(BEGUN, constraints=regard.Constraints(prefix="그"))


def test_an_unknown_word_of_the_beginning_stays_as_it_was_typed() -> None:
    tokenizer = Tokenizer.learn(["그 학생이 책을 읽었다"] * 3, WordConfig())
    model = untrained("lm-gru", tokenizer)
    done = model.complete("그 고양이가 책을", max_length_extra=3)
    assert done.text.startswith("그 고양이가 책을")
    assert "<unk>" not in done.text


def test_what_a_model_has_no_room_for_is_refused(tokenizer: Tokenizer) -> None:
    model = untrained("lm-transformer-post", tokenizer)  # which has learned 200 places
    long = "책을 " * 200
    lines = model.complete_lines([("line 1", "책"), ("line 2", long)])
    assert next(lines).source == "책", "those before it come first"
    with pytest.raises(DataError, match="line 2: expected at most 199 tokens, which is the most that"):
        next(lines)
    with pytest.raises(DataError, match="text 1: expected at most 199 tokens"):
        list(model.score([long]))
    assert len(model.complete("책", max_length_extra=500).tokens) <= 200
    assert model.complete("").text, "of nothing there is always room to begin"


def test_a_search_that_looks_at_a_source_is_refused(language_model: LanguageModel) -> None:
    with pytest.raises(DataError, match="coverage_beta is for a source"):
        language_model.complete(BEGUN, coverage_beta=0.2)
    with pytest.raises(ConfigError, match="replace_unknown is for vocabularies with unknown words"):
        language_model.complete(BEGUN, replace_unknown=True)
