"""Attention and alignment: what is trained, how attention is read, what is asked, and parts in small."""

from pathlib import Path

import pytest
from tests.analysis.pairs import PAIRS, PLACES, untrained

import regard
from regard.config.data import DataConfig
from regard.config.translation import TranslationRecipe
from regard.data.alignments import GoldCells
from regard.data.pairs import Pair
from regard.experiments.alignment import IBM, RECURRENT, TITLES, TRANSFORMER_GUIDED, alignment
from regard.experiments.estimates import Quantity, estimate
from regard.experiments.head_choices import BEST, CHOSEN, MEAN, NEXT, choice_errors, head_choices
from regard.experiments.statistical_alignment import BOTH, FORWARD, REVERSE, StatisticalAligner, write_links
from regard.inference.attention import heads_in
from regard.insight.word_links import attention_links
from regard.store.alignment import AlignmentHeads

WHOLE = alignment()
BUILTIN, FRENCH = WHOLE.worlds
TINY = [
    "data.train={kind: builtin, rows: 60, max_words: 4}", "data.dev={kind: builtin, rows: 6, max_words: 4}",
    "data.test={kind: builtin, rows: 8, max_words: 4}", "text.vocabulary_size=400", "training.epochs=1",
    "model.dropout=0.1",
]  # fmt: skip


@pytest.mark.parametrize("quick", [False, True])
def test_what_is_trained(quick: bool) -> None:
    """A guided model differs in nothing else."""
    for system in BUILTIN.systems:
        recipe = WHOLE.part(BUILTIN, system, 1, quick).recipe
        if system == IBM:
            assert recipe is None
            continue
        assert isinstance(recipe, TranslationRecipe)
        guided = recipe.training.guided_alignment
        assert (guided is not None) == system.endswith("guided")
        plain = WHOLE.part(BUILTIN, system.removesuffix("-guided"), 1, quick).recipe
        unguided = recipe.training.model_copy(update={"guided_alignment": None})
        assert recipe.model_copy(update={"training": unguided}) == plain


def test_gold_of_the_tested_set_is_no_training_data() -> None:
    """The French model reads the sentences of the set, and learns links of IBM model 1 alone."""
    part = WHOLE.part(FRENCH, TRANSFORMER_GUIDED, 1, False)
    assert part.minutes <= 8
    assert "$REGARD_DATA" in str(part.facts)


@pytest.mark.parametrize("read", [BEST, MEAN, NEXT])
def test_the_choice_that_gold_was_read_from_has_no_error(read: str) -> None:
    """The best head is one of those; after it, the model is as it was."""
    model = untrained()
    every = tuple(heads_in(model.module, model.network.cross_attention))
    heads = {BEST: AlignmentHeads(every[1:2]), MEAN: AlignmentHeads(every), NEXT: AlignmentHeads(every, 1)}[
        read
    ]
    model.alignment_heads = heads
    links = [attention_links(record) for record in model.read_pairs(PAIRS, PLACES)]
    model.alignment_heads = None
    told = [" ".join(f"{source}-{target}" for source, target in sorted(own)) for own in links]
    pairs = [
        Pair(*pair, place, GoldCells((("links", cell),), words="word"))
        for pair, place, cell in zip(PAIRS, PLACES, told, strict=True)
    ]
    choices = head_choices(model, pairs)
    assert choices[read] == heads
    errors = {name: own.value() for name, own in choice_errors(model, pairs, choices).items()}
    assert errors.pop(CHOSEN) == 0.0
    assert min(errors, key=errors.__getitem__) == read
    assert errors[read] == 0.0
    assert model.alignment_heads is None


def test_the_effects_by_hand() -> None:
    values = {name: {"best": 0.2, "mean": 0.3, "next": 0.25, "bleu": 30.0} for name in TITLES}
    values[TRANSFORMER_GUIDED] |= {"best": 0.05, "bleu": 29.5}
    values[IBM] |= {"best": 0.22}
    seed = {
        system: {name: Quantity(value, (value,) * 40) for name, value in own.items()}
        for system, own in values.items()
    }
    effects = {f.name: estimate(f.effect, [seed]).value for f in WHOLE.findings}
    assert effects["guidance makes a head align"] == pytest.approx(0.15)
    assert effects["one head aligns better than all"] == pytest.approx(0.1)
    assert effects["attention is no statistical aligner in French"] == pytest.approx(0.08)
    assert effects["attention may be off by one"] == pytest.approx(0.05)
    assert effects["guidance costs no translation quality"] == pytest.approx(-0.5)
    assert effects["a guided head comes near its teacher in French"] == pytest.approx(-0.17)


def test_links_of_a_statistical_aligner_are_a_training_corpus(tmp_path: Path) -> None:
    """Words as the gold of the corpus counts them; nobody's gold is needed for that."""
    rows = "a\tb\ndas Haus.\tthe house.\ndas Buch.\tthe book.\nein Buch.\ta book.\n"
    (tmp_path / "t.tsv").write_text(rows, encoding="utf-8")
    data = DataConfig.model_validate({"source": "a", "target": "b", "train": str(tmp_path / "t.tsv")})
    (path,) = write_links(data, tmp_path)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "a\tb\tlinks"
    links = dict(pair.split("-") for pair in lines[2].split("\t")[2].split())
    assert links["1"] == "1", "Buch is book"


def test_links_in_both_directions() -> None:
    """Source words that have no translation of their own are linked, too, but not by both."""
    rows = [("Das Haus", "The house"), ("das Buch", "the book"), ("ein Buch", "a book"), ("ein", "a")]
    pairs = [Pair(source, target, f"x:{row}") for row, (source, target) in enumerate(rows)]
    aligner = StatisticalAligner(pairs)
    assert aligner.words(pairs[0]) == (["das", "haus"], ["the", "house"])
    found = aligner.align(pairs[0])
    assert found[BOTH] == found[FORWARD] & found[REVERSE]
    assert (0, 0) in found[BOTH]


@pytest.mark.parametrize(
    ("system", "sizes"),
    [
        (RECURRENT, ["model.encoder.hidden_size=8", "model.decoder.hidden_size=8"]),
        (TRANSFORMER_GUIDED, ["model.width=16", "model.feed_forward=16"]),
        (IBM, []),
    ],
)
def test_a_part_in_small(tmp_path: Path, system: str, sizes: list[str]) -> None:
    # IBM model 1 reads the data of a recurrent recipe
    own = alignment([*TINY, *sizes]).part(BUILTIN, system, 1, True)
    found = own.work(tmp_path, True)
    wanted = {"best", "chosen", "mean", "next"} | ({"bleu"} if system != IBM else set())
    assert found.quantities.keys() == wanted
    assert found.about["parameters"] > 0, "which the table of systems shows"
    assert all(0 <= found.quantities[name].value <= 1 for name in ("best", "mean", "next"))
    if system == TRANSFORMER_GUIDED:
        assert "cross head" in found.about["best head"]
        assert regard.load(tmp_path / "run").recipe.training.guided_alignment is not None
