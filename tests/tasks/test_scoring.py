"""Probabilities of given pairs, and models asked together."""

import itertools
import math
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

import regard
from regard.config.data import BuiltinCorpus
from regard.config.text import WordConfig
from regard.data.pairs import read_pairs
from regard.errors import ConfigError, DataError
from regard.models.catalogue import build_model
from regard.store.folder import StoredModel, weights_of, write_model
from regard.tasks.translation.predictor import Translator
from regard.text.tokenizer import SPECIAL, UNK, Tokenizer


@pytest.fixture(scope="module")
def pairs(translator: Translator) -> list[tuple[str, str]]:
    corpus = BuiltinCorpus(rows=60, max_words=4)
    return [(p.source, p.target) for p in read_pairs(corpus, translator.recipe.data, split="test")]


def test_scores_are_those_of_forcing_in_order(translator: Translator, pairs: list[tuple[str, str]]) -> None:
    scored = list(translator.score(pairs))
    assert [(s.source, s.target) for s in scored] == pairs
    for score, forced in zip(scored, translator.force(pairs), strict=True):
        assert score.tokens == (*forced.tokens, "</s>")
        assert len(score.log_probabilities) == len(score.tokens)
        assert score.log_probability == pytest.approx(forced.log_probability, abs=1e-4)
        assert score.average == pytest.approx(score.log_probability / len(score.tokens))
        assert score.perplexity == pytest.approx(math.exp(-score.average))
        assert score.to_dict()["log_probability"] == score.log_probability


def test_scoring_streams(translator: Translator, pairs: list[tuple[str, str]]) -> None:
    """Of an endless stream, only so many pairs are taken as are scored together."""
    taken = 0

    def endless() -> Iterator[tuple[str, str]]:
        nonlocal taken
        for pair in itertools.cycle(pairs):
            taken += 1
            yield pair

    first = list(itertools.islice(translator.score(endless()), 5))
    assert [s.target for s in first] == [target for _, target in pairs[:5]]
    assert taken <= 4096


def test_a_bad_pair_is_named(translator: Translator) -> None:
    for pair in (("", "x"), ("x", " ")):
        with pytest.raises(DataError, match="pair 2: both the sentence and its translation need words"):
            list(translator.score([("가", "a"), pair]))
    with pytest.raises(DataError, match="pair 1: expected at most 1,024 tokens"):
        list(translator.score([("가", "a b " * 2000)]))


# Ensembles


def untrained(translator: Translator, seed: int) -> Translator:
    """Another model with the same vocabulary."""
    torch.manual_seed(seed)
    sizes = len(translator.source_tokenizer), len(translator.target_tokenizer)
    model = build_model(translator.recipe.model, source_size=sizes[0], target_size=sizes[1])
    return Translator(
        model,
        source_tokenizer=translator.source_tokenizer,
        target_tokenizer=translator.target_tokenizer,
        recipe=translator.recipe,
    )


def test_a_model_with_itself_is_itself(
    trained: Path, translator: Translator, pairs: list[tuple[str, str]]
) -> None:
    twice = regard.load(trained, trained)
    sources = [source for source, _ in pairs[:20]]
    for one, other in zip(translator.translate(sources), twice.translate(sources), strict=True):
        assert one == other  # tokens and scores, in every bit
        assert (one.attention.tokens().weights == other.attention.tokens().weights).all()
    assert list(twice.score(pairs[:20])) == list(translator.score(pairs[:20]))
    assert regard.load(trained).translate(sources[0]) == translator.translate(sources[0])


def test_an_ensemble_of_one_model_twice_is_refused(translator: Translator) -> None:
    with pytest.raises(DataError, match="an ensemble is of different models, found one twice"):
        Translator.ensemble([translator, translator])


def test_an_ensemble_has_the_mean_of_probabilities(
    translator: Translator, pairs: list[tuple[str, str]]
) -> None:
    other = untrained(translator, 1)
    both = Translator.ensemble([translator, other])
    scored = (t.score(pairs[:10]) for t in (translator, other, both))
    for first, second, mean in zip(*scored, strict=True):
        for a, b, m in zip(
            first.log_probabilities, second.log_probabilities, mean.log_probabilities, strict=True
        ):
            assert math.exp(m) == pytest.approx((math.exp(a) + math.exp(b)) / 2, rel=1e-4)
    result = both.translate(pairs[0][0], coverage_beta=0.1)
    assert result.attention.tokens().weights.sum(axis=1) == pytest.approx(1.0, abs=1e-5)


def words_of(translator: Translator, size: int = 300) -> Tokenizer:
    corpus = BuiltinCorpus(rows=300, max_words=4)
    found = read_pairs(corpus, translator.recipe.data, split="train")
    return Tokenizer.learn([t for p in found for t in (p.source, p.target)], WordConfig(vocabulary_size=size))


def word_model(translator: Translator, tokenizer: Tokenizer) -> Translator:
    torch.manual_seed(3)
    size = len(tokenizer)
    recipe = translator.recipe.model_copy(update={"text": WordConfig(joint=True)})
    model = build_model(recipe.model, source_size=size, target_size=size)
    return Translator(model, source_tokenizer=tokenizer, target_tokenizer=tokenizer, recipe=recipe)


def test_other_vocabularies_are_refused_in_one_line(
    trained: Path, translator: Translator, tmp_path: Path
) -> None:
    tokenizer = words_of(translator)
    other = word_model(translator, tokenizer)
    write_model(
        tmp_path / "m",
        StoredModel(other.recipe, weights_of(other.module), {"joint": tokenizer.to_json()}),
    )
    with pytest.raises(
        ConfigError, match=r"needs models with one vocabulary, but the source .* differ"
    ) as info:
        regard.load(trained, tmp_path / "m")
    assert "\n" not in str(info.value)
    assert str(tmp_path / "m") in str(info.value)


# Unknown words


def test_unknown_words_are_replaced_by_what_was_looked_at(
    translator: Translator, pairs: list[tuple[str, str]]
) -> None:
    """A word model that writes <unk> gladly: each is shown as the source word with the greatest weight."""
    model = word_model(translator, words_of(translator))
    with torch.no_grad():
        model.module.get_parameter("output.bias")[UNK] = 3.0
    sources = [source for source, _ in pairs[:15]]
    replaced = 0
    for result in model.translate(sources, replace_unknown=True, n_best=3, beam_size=3):
        weights = result.attention.tokens().weights[:, :-1]  # not </s>
        side = result.attention.source
        assert side is not None
        for place, token in enumerate(result.tokens):
            if token == SPECIAL[UNK]:
                start, end = side.spans[int(weights[place].argmax())]
                assert side.text[start:end].strip() in result.text.split()
                replaced += 1
        assert "<unk>" not in result.text
        assert len(result.text.split()) >= len([t for t in result.tokens if t == SPECIAL[UNK]])
        for other in result.alternatives:
            assert "<unk>" not in other.text
    assert replaced > 15
    for result in model.translate(sources, replace_unknown=False):
        assert SPECIAL[UNK] not in result.tokens, "unless it is asked for"
    for result in model.translate(sources):
        assert "<unk>" not in result.text, "by default for words"


def test_replacements_stand_where_the_unknown_words_are(translator: Translator) -> None:
    tokenizer = words_of(translator)
    known = tokenizer.encode("the").ids
    assert tokenizer.decode([UNK, *known, UNK], unknown=["민수", "달"]).text.text == "민수 the 달"
    spans = tokenizer.decode([*known, UNK], unknown=["달"]).spans
    assert spans == ((0, 3), (3, 5))
    assert tokenizer.decode([UNK, *known, UNK]).text.text == "the"


def test_replaced_words_have_rows_of_their_own(translator: Translator, pairs: list[tuple[str, str]]) -> None:
    """A word model that writes nothing but <unk>: each replaced word is a row of the record."""
    model = word_model(translator, words_of(translator))
    with torch.no_grad():
        model.module.get_parameter("output.bias")[UNK] = 1000.0
    best = model.translate(pairs[0][0], replace_unknown=True)
    assert best.text
    shown = best.attention.words()
    assert [row for row in shown.rows if row != "</s>"] == best.text.split()
    assert best.to_dict()["text"] == best.text
