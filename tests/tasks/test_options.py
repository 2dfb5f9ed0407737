"""The options of the search, in words, on a trained model."""

from typing import Any

import pytest
from tests.examples import cells

import regard
from regard.config.data import BuiltinCorpus
from regard.config.decoding import DecodingChanges, DecodingConfig
from regard.data.pairs import read_pairs
from regard.errors import ConfigError, DataError
from regard.inference.constraints import Constraints, Glossary
from regard.tasks.translation.predictor import Translator

OPTIONS: dict[str, dict[str, Any]] = {
    "greedy": {"beam_size": 1},
    "beam": {"beam_size": 4},
    "gnmt": {"length_penalty": "gnmt", "length_alpha": 0.8},
    "coverage": {"coverage_beta": 0.2},
    "groups": {"beam_size": 4, "beam_groups": 2, "diversity": 1.0},
    "lengths": {"min_length": 9},
    "n-grams": {"no_repeat_ngram": 2},
    "prefix": {"constraints": Constraints(prefix="The old")},
    "must": {"constraints": Constraints(must=["school", ("very much", "a lot")])},
    "must, greedy": {"constraints": Constraints(must=["school"]), "beam_size": 1},
    "must not": {"constraints": Constraints(must_not=["the", "I", "my friend"])},
    "sample": {"sample": True, "top_p": 0.9, "seed": 4},
}


@pytest.fixture(scope="module")
def sentences(translator: Translator) -> list[str]:
    corpus = BuiltinCorpus(rows=25, max_words=3)
    return [pair.source for pair in read_pairs(corpus, translator.recipe.data, split="test")]


@pytest.mark.parametrize("name", OPTIONS)
def test_what_is_reported_is_what_scoring_gives(exact: Translator, sentences: list[str], name: str) -> None:
    results = [r for r in exact.translate(sentences, attention=False, **OPTIONS[name]) if r.text]
    compared = 0
    for result, score in zip(results, exact.score((r.source, r.text) for r in results), strict=True):
        if score.tokens[:-1] == result.tokens:  # the text is nearly always tokenised as it was written
            given = score.log_probabilities[: len(result.tokens) + result.ended]
            assert result.log_probability == pytest.approx(sum(given), abs=1e-9)
            compared += 1
    assert compared >= len(sentences) // 2


@cells("name", OPTIONS, quick=[*OPTIONS][:4])
def test_a_sentence_is_translated_as_if_alone(exact: Translator, sentences: list[str], name: str) -> None:
    together = exact.translate(sentences, attention=False, **OPTIONS[name])
    for number, (text, found) in enumerate(zip(sentences, together, strict=True)):
        alone = exact.translate(text, attention=False, numbered_from=number, **OPTIONS[name])
        assert (alone.text, alone.tokens) == (found.text, found.tokens)


def words(text: str) -> list[str]:
    return "".join(char if char.isalnum() or char == "'" else " " for char in text).split()


def test_words_that_must_appear_do(translator: Translator, sentences: list[str]) -> None:
    """Each as a whole word, in a sentence that has nothing to do with it."""
    for wanted in (["school"], ["because", "yesterday"], ["very much"], ["doctor", "doctors", "my mother"]):
        for beam_size in (1, 3, 5):
            for result in translator.translate(
                sentences[:10],
                beam_size=beam_size,
                attention=False,
                max_length_extra=20,
                constraints=Constraints(must=wanted),
            ):
                assert result.missing == ()
                for phrase in wanted:
                    assert f" {phrase} " in f" {' '.join(words(result.text))} ", result.text


def test_words_that_must_not_appear_do_not(translator: Translator, sentences: list[str]) -> None:
    free = translator.translate(sentences, attention=False)
    for result in free:
        hated = words(result.text)[:2]
        found = translator.translate(result.source, attention=False, constraints=Constraints(must_not=hated))
        assert not set(hated) & set(words(found.text)), (hated, found.text)


def test_a_prefix_is_what_a_translation_begins_with(translator: Translator, sentences: list[str]) -> None:
    each = [Constraints(prefix=prefix) for prefix in ("", "The", "My old friend", "Yesterday, I")]
    for wish, result in zip(each, translator.translate(sentences[:4], constraints=each), strict=True):
        assert result.text.startswith(wish.prefix)
        assert result.attention.tokens().rows[: len(result.tokens)] == result.tokens


def test_a_glossary_asks_where_the_source_has_the_term(translator: Translator) -> None:
    terms = Glossary([("친구", "comrade"), ("학교", "academy")])
    with_term, without = translator.translate(
        ["친구는 책을 읽었다.", "나는 책을 읽었다."], glossary=terms, attention=False
    )
    assert "comrade" in words(with_term.text)
    assert "comrade" not in words(without.text)


def test_coverage_beta_ranks_by_what_forcing_sees(translator: Translator, sentences: list[str]) -> None:
    settings = translator.recipe.decoding.changed({"coverage_beta": 0.4, "length_penalty": "gnmt"})
    covering = Translator(
        translator.module,
        source_tokenizer=translator.source_tokenizer,
        target_tokenizer=translator.target_tokenizer,
        recipe=translator.recipe.model_copy(update={"decoding": settings}),
    )
    compared = 0
    for result in covering.translate(sentences):
        forced = covering.look(result.source, result.text)
        if result.ended and forced.tokens == result.tokens:
            assert result.score == pytest.approx(forced.score, abs=1e-4)
            compared += 1
    assert compared > len(sentences) // 2


def test_samples(translator: Translator, sentences: list[str]) -> None:
    first = translator.translate(sentences, sample=True, seed=1, n_best=3, attention=False)
    assert translator.translate(sentences, sample=True, seed=1, n_best=3, attention=False) == first
    assert [r.text for r in translator.translate(sentences, sample=True, seed=2, attention=False)] != [
        r.text for r in first
    ]
    later = translator.translate(
        sentences[5:], sample=True, seed=1, n_best=3, numbered_from=5, attention=False
    )
    assert [r.text for r in later] == [r.text for r in first[5:]]
    assert all(len(result.alternatives) == 2 for result in first)
    with pytest.raises(DataError, match="n_best must be from 1 to 256 samples, found 257"):
        translator.translate(sentences[0], sample=True, n_best=257)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"sample": True, "beam_size": 3}, "beam_size and sample exclude each other"),
        ({"beam_size": 5, "beam_groups": 2}, "beam_size must be a multiple of beam_groups, found 5 and 2"),
        ({"sample": True, "coverage_beta": 0.1}, "beam_groups and coverage_beta belong to beam search"),
        ({"temperature": 0.5}, "temperature is only used when sampling; set sample to true"),
        ({"seed": 5}, "seed is only used when sampling"),
        ({"top_p": 0.0, "sample": True}, "top_p: expected more than 0"),
        ({"length_penalty": "gmnt"}, "unknown value 'gmnt'; did you mean 'gnmt'"),
        ({"replace_unknown": True}, "this model's is bpe, which has no unknown words"),
    ],
)
def test_settings_without_a_meaning_are_refused(
    translator: Translator, changes: DecodingChanges, problem: str
) -> None:
    with pytest.raises(ConfigError, match=problem):
        translator.translate("저는 달을 봤어요.", **changes)


@pytest.mark.parametrize(
    ("wish", "problem"),
    [
        ({"must": ["moon " * 60]}, r"need up to \d+ tokens, but the translation of '저는"),
        ({"must": ["the moon"], "must_not": ["moon"]}, "'the moon' must appear, but a phrase in it must not"),
        ({"must": "moon"}, "must takes a list of phrases, found the text 'moon'"),
        ({"must": [""]}, "expected a word or a phrase that must or must not appear, found an empty text"),
        (
            {"must_not": ["▁"]},
            "expected a word or a phrase that must or must not appear, found an empty text",
        ),
    ],
)
def test_wishes_that_cannot_be_met_are_refused(
    translator: Translator, wish: dict[str, Any], problem: str
) -> None:
    with pytest.raises(DataError, match=problem):
        translator.translate("저는 달을 봤어요.", constraints=Constraints(**wish))


def test_one_wish_a_sentence(translator: Translator) -> None:
    with pytest.raises(DataError, match="expected constraints for 2 sentences, found 1"):
        translator.translate(["a", "b"], constraints=[Constraints()])


def test_the_changes_are_the_settings() -> None:
    assert set(DecodingChanges.__annotations__) == set(DecodingConfig.model_fields)
    assert DecodingConfig().changed({"beam_size": None}) == DecodingConfig()
    with pytest.raises(ConfigError, match="unknown setting; did you mean 'beam_size'"):
        DecodingConfig().changed({"beam_sise": 3})  # type: ignore[typeddict-unknown-key]


def test_the_public_face_has_what_is_needed() -> None:
    assert regard.Constraints is Constraints
    assert regard.Glossary is Glossary
