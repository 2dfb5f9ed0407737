"""A score and a model of a user's own, joined by name, without touching the package."""

from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any, ClassVar, Literal

import pytest
import torch
from tests.contracts.many_heads import ManyHeads
from tests.training.tiny import TINY
from torch import Tensor, nn

import regard
from regard.config import model as model_config
from regard.config.base import FamilyConfig
from regard.config.catalogue import RECIPES
from regard.config.data import OWN_ENDINGS
from regard.config.embedder import EmbedderConfig, SentenceEmbedderConfig
from regard.config.load import Setting, corpus_from_short_form, load_recipe
from regard.config.recipe import take_family
from regard.data.cache import corpus_facts
from regard.data.readers import READERS, open_rows
from regard.data.rows import BadRow, Row
from regard.errors import ConfigError, DataError, RegardError
from regard.models import catalogue
from regard.models.embedders import SentenceEmbedder
from regard.nn import scores
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.sequence_classifier import ClassifierOutput


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    """What a test registers is gone after it."""
    names = list(model_config.SCORES)
    families = {recipe: list(recipe.families) for recipe in RECIPES.values()}
    built, models = dict(scores.BUILDERS), dict(catalogue.BUILDERS)
    yield
    model_config.SCORES[:] = names
    pairs: list[tuple[MutableMapping[str, Any], dict[str, Any]]] = [
        (scores.BUILDERS, built),
        (catalogue.BUILDERS, models),
    ]
    for known, before in pairs:
        known.clear()
        known.update(before)
    for recipe, own in families.items():
        recipe.families[:] = own[:-1]
        take_family(recipe, own[-1])


class Cubed(nn.Module):
    """e_j = (s · W h_j)³, times a number of the recipe."""

    def __init__(self, *, query_size: int, key_size: int, factor: float = 1.0) -> None:
        super().__init__()
        self.key = nn.Linear(key_size, query_size, bias=False)
        self.factor = factor

    def prepare(self, keys: Tensor) -> Tensor:
        projected: Tensor = self.key(keys)
        return projected

    def forward(self, query: Tensor, prepared: Tensor) -> Tensor:
        cubed: Tensor = self.factor * (query @ prepared.mT) ** 3
        return cubed


OWN = [*TINY, "model.attention.score=cubed", "model.attention.options={factor: 0.5}"]


def test_a_reader_that_fails_and_rows_that_do_not_fit_are_told(tmp_path: Path) -> None:
    """In one line with the place in the plugin; a row with other columns is a bad row, as in any corpus."""

    def rows(path: Path) -> Iterator[dict[str, Any]]:
        yield {"text": "one"}
        yield {"other": "two"}
        yield {"text": 3}
        raise KeyError("four")

    (tmp_path / "x.own").write_text("")
    regard.register.reader(".own")(rows)
    try:
        corpus = corpus_from_short_form(str(tmp_path / "x.own"))
        read = iter(open_rows(corpus))
        assert next(read) == Row(1, ("one",))
        assert [next(read), next(read)] == [
            BadRow(2, "expected a text under each of text", "{'other': 'two'}"),
            BadRow(3, "expected a text under each of text", "{'text': 3}"),
        ]
        with pytest.raises(DataError, match=r"x\.own: its reader fails at .*test_register\.py:\d+: .*four"):
            next(read)
        assert "yield" in corpus_facts(corpus, "train", {})["content"][1]  # another reader, another key
        READERS[".own"] = eval("lambda path: []")  # as typed at a prompt
        with pytest.raises(DataError, match="has no source; put it into a file"):
            corpus_facts(corpus, "train", {})
    finally:
        del READERS[".own"]
        OWN_ENDINGS.remove(".own")


def test_a_score_of_ones_own_is_trained_stored_and_looked_into(tmp_path: Path) -> None:
    regard.register.score("cubed")(Cubed)
    regard.train(load_recipe("demo", OWN), out=tmp_path / "r", quiet=True)
    model = regard.load(tmp_path / "r")
    score: Any = model.module.get_submodule("attention.score")
    assert isinstance(score, Cubed)
    assert score.factor == 0.5
    best = model.translate("나는 책을 읽었다.")
    assert best.attention.words().weights.sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    with pytest.raises(RegardError, match="the score Cubed does not explain itself"):
        model.explain("나는 책을 읽었다.", row=0)


def test_a_score_is_refused_before_it_is_registered() -> None:
    with pytest.raises(ConfigError, match=r"unknown value 'cubed'.*register your own first: --plugin FILE"):
        load_recipe("demo", OWN)


def test_a_score_that_cannot_be_made_says_why(tmp_path: Path) -> None:
    regard.register.score("cubed")(Cubed)
    recipe = load_recipe("demo", [*OWN[:-1], "model.attention.options={farctor: 1}"])
    with pytest.raises(ConfigError, match=r"'cubed' cannot be made: .*'farctor'"):
        regard.train(recipe, out=tmp_path / "r", quiet=True)


class NoKeys(nn.Module):
    def forward(self, query: Tensor, prepared: Tensor) -> Tensor:
        return query @ prepared.mT


class NoForward(nn.Module):
    def prepare(self, keys: Tensor) -> Tensor:
        return keys


class Swapped(Cubed):
    def forward(self, query: Tensor, prepared: Tensor) -> Tensor:
        return super().forward(query, prepared).mT


class Flat(Cubed):
    def prepare(self, keys: Tensor) -> Tensor:
        return super().prepare(keys).flatten(0, 1)


class Unlucky(Cubed):
    def forward(self, query: Tensor, prepared: Tensor) -> Tensor:
        raise ValueError(f"no {query.ndim}")


def test_a_score_without_its_parts_is_refused_when_it_is_given() -> None:
    for made, part in ((NoKeys, "prepare(self, keys)"), (NoForward, "forward(self, query, prepared)")):
        with pytest.raises(ConfigError) as caught:
            regard.register.score("cubed")(made)
        assert str(caught.value).startswith(f"{__file__}: the score 'cubed' has no {part}; see")


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (Swapped, r"forward of queries of \(2, 3, \d+\) and keys of \(2, 4, \d+\) should give \(b, q, k\) = "
                  r"\(2, 3, 4\), found \(2, 4, 3\)$"),
        (Flat, r"prepare of keys of \(2, 4, \d+\) should give \(b, k, …\) = \(2, 4, …\), found \(8, \d+\)$"),
        (Unlucky, r"fails in forward with queries of \(2, 3, \d+\) and keys of .*: ValueError: no 3$"),
        (lambda **_: NoKeys(), r"has no prepare\(self, keys\)"),
    ],
    ids=["swapped", "flat", "unlucky", "factory"],
)  # fmt: skip
def test_a_score_of_another_shape_is_refused_where_it_is_made(
    tmp_path: Path, made: Any, message: str
) -> None:
    """Its file is named, and where it fails the line."""
    regard.register.score("cubed")(made)
    recipe = load_recipe("demo", [*TINY, "model.attention.score=cubed"])
    with pytest.raises(ConfigError, match=message) as caught:
        regard.train(recipe, out=tmp_path / "r", quiet=True)
    assert str(caught.value).startswith(__file__)
    assert "\n" not in str(caught.value)


def test_names_that_regard_has_are_refused() -> None:
    with pytest.raises(ConfigError, match="regard has a score called 'dot'; choose another name"):
        regard.register.score("dot")

    class Taken(FamilyConfig):
        kind: Literal["seq2seq"] = "seq2seq"

    with pytest.raises(ConfigError, match="regard has models of the kind 'seq2seq'; choose another name"):
        regard.register.model(Taken)


class ManyHeadsConfig(FamilyConfig):
    kind: Literal["many-heads"] = "many-heads"


def build_many_heads(_: ManyHeadsConfig, *, source_size: int, target_size: int) -> nn.Module:
    return ManyHeads(source_size, target_size)


def test_a_model_of_ones_own_is_trained_stored_and_looked_into(tmp_path: Path) -> None:
    regard.register.model(ManyHeadsConfig)(build_many_heads)
    settings: list[Setting] = [*TINY, ("model", {"kind": "many-heads"}), "decoding.max_length_factor=1"]
    regard.train(load_recipe("demo", settings), out=tmp_path / "r", quiet=True)
    model = regard.load(tmp_path / "r")
    kinds = {shown.kind for shown in model.translate("나는 책을 읽었다.").attention.maps()}
    assert kinds == {"cross", "encoder-self", "decoder-self"}
    assert torch.equal(model.module.get_parameter("places.weight").isfinite().all(), torch.tensor(True))


class FirstWordConfig(FamilyConfig):
    tasks: ClassVar[tuple[str, ...]] = ("classification",)
    kind: Literal["first-word"] = "first-word"


class FirstWord(nn.Module):
    """Decides by the first word alone, and looks at nothing."""

    source_vocab_params = ("scores.weight",)
    attentions: ClassVar[dict[str, AttentionSpec]] = {}

    def __init__(self, _: FirstWordConfig, *, source_size: int, outputs: int) -> None:
        super().__init__()
        self.scores = nn.Embedding(source_size, outputs)

    def forward(self, tokens: Tensor, lengths: Tensor, **_: Any) -> ClassifierOutput:
        return ClassifierOutput(self.scores(tokens[:, 0]))


def test_a_classifier_of_ones_own_is_trained_and_stored(tmp_path: Path) -> None:
    regard.register.model(FirstWordConfig)(FirstWord)
    settings: list[Setting] = [("model", {"kind": "first-word"}), "data.train.rows=60", "data.dev.rows=10"]
    regard.train(load_recipe("bag", settings), out=tmp_path / "r", quiet=True)
    found = regard.load(tmp_path / "r").classify("좋다.")
    assert "this model has no attention" in str(found.attention.reason)
    assert load_recipe("bag").model.kind == "sentence"
    with pytest.raises(ConfigError, match=r"model.kind: 'first-word' is for classification"):
        load_recipe("demo", [("model", {"kind": "first-word"})])


class NarrowConfig(FamilyConfig):
    tasks: ClassVar[tuple[str, ...]] = ("classification",)
    kind: Literal["narrow"] = "narrow"


@pytest.mark.parametrize(
    ("kind", "recipe", "message"),
    [
        (
            "narrow",
            "bag",
            r"model.kind narrow: its builder must take the settings, source_size, outputs to be",
        ),
        ("first-word", "self-attentive-pairs", r"source_size, outputs, texts to be made for pairs of texts"),
    ],
)
def test_a_builder_that_does_not_take_what_it_is_given_is_one_line(
    tmp_path: Path, kind: str, recipe: str, message: str
) -> None:
    regard.register.model(FirstWordConfig)(FirstWord)
    regard.register.model(NarrowConfig)(
        lambda _, *, source_size: FirstWord(_, source_size=source_size, outputs=2)
    )
    settings: list[Setting] = [("model", {"kind": kind}), "data.train.rows=60", "data.dev.rows=10"]
    with pytest.raises(ConfigError, match=message):
        regard.train(load_recipe(recipe, settings), out=tmp_path / "r", quiet=True)


def test_settings_of_two_families_are_told_apart() -> None:
    regard.register.model(ManyHeadsConfig)(build_many_heads)
    assert load_recipe("demo").model.kind == "seq2seq"
    with pytest.raises(ConfigError, match=r"model.wdith: unknown setting"):
        load_recipe("demo", [("model", {"kind": "many-heads", "wdith": 3})])
    with pytest.raises(ConfigError, match="did you mean 'many-heads'"):
        load_recipe("demo", [("model", {"kind": "many-haeds"})])


class OwnEmbedderConfig(EmbedderConfig):
    kind: Literal["own-embedder"] = "own-embedder"


def build_bag(_: OwnEmbedderConfig, *, source_size: int, outputs: int) -> nn.Module:
    parts = {"embedding_size": 6, "encoder": {"kind": "bag"}, "pooling": {"kind": "mean"}}
    config = SentenceEmbedderConfig.model_validate(parts)
    return SentenceEmbedder(config, source_size=source_size, outputs=outputs)


def test_an_encoder_of_ones_own_is_trained_and_measured(tmp_path: Path) -> None:
    regard.register.model(OwnEmbedderConfig)(build_bag)
    rows = ["data.train.rows=40", "data.dev.rows=10", "data.test.rows=10", "training.epochs=1"]
    settings = [*rows, "model={kind: own-embedder}", "text.vocabulary_size=400"]
    regard.train("bilstm-embedder", out=tmp_path / "r", set_=settings, quiet=True)
    assert regard.load(tmp_path / "r").embed("나는 책을 읽었다.").shape == (6,)
    assert 0 <= regard.evaluate(tmp_path / "r", samples=0, quiet=True).metrics["retrieval"] <= 1


def test_an_encoder_without_an_objective_is_told() -> None:
    class Bare(FamilyConfig):
        tasks: ClassVar[tuple[str, ...]] = ("embedding",)
        kind: Literal["bare"] = "bare"

    with pytest.raises(
        ConfigError, match="Bare: models for embedding have an objective; inherit from regard"
    ):
        regard.register.model(Bare)(build_bag)
