"""Attention and alignment: what is trained, how attention is read, what is asked, and parts in small."""

from pathlib import Path

import numpy as np
import pytest

import regard
from regard.config.data import DataConfig
from regard.config.translation import TranslationRecipe
from regard.data.pairs import Pair
from regard.experiments.alignment import IBM, RECURRENT, TITLES, TRANSFORMER_GUIDED, alignment
from regard.experiments.attention_readings import MEAN, NEXT, best_head, readings
from regard.experiments.estimates import Quantity, estimate
from regard.experiments.statistical_alignment import BOTH, FORWARD, REVERSE, StatisticalAligner, write_links
from regard.insight.record import AttentionRecord, LayerAttention
from regard.insight.token_axis import TokenAxis
from regard.insight.word_links import attention_links
from regard.metrics.alignment import AER, alignment_statistics

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


def spoken(weights: list[list[float]]) -> AttentionRecord:
    """`a b` to `x y`: a row for each of x, y, </s>; a column for each of a, b, </s>."""
    source = TokenAxis("a b", ("a", "b"), ((0, 1), (2, 3)))
    target = TokenAxis("x y", ("x", "y"), ((0, 1), (2, 3)))
    heads = np.array([weights, np.full((3, 3), 1 / 3)], dtype=np.float32)
    return AttentionRecord(source, target, (LayerAttention("decoder.0.cross", "cross", heads, 0),))


def test_readings_of_a_record() -> None:
    """The first head looks one step late: at b for x, at a for y, as it should for the word before."""
    record = spoken([[0.0, 0.9, 0.1], [0.8, 0.1, 0.1], [0.1, 0.8, 0.1]])
    found = {name: attention_links(own) for name, own in readings(record)}
    assert found["decoder.0.cross head 0"] == {(1, 0), (0, 1)}
    assert found[MEAN] == found["decoder.0.cross head 0"], "the other head is even"
    assert found[NEXT] == {(0, 0), (1, 1)}
    assert attention_links(record) == found[MEAN], "as regard evaluate reads it"


def test_the_best_head_is_no_mean() -> None:
    right = frozenset({(0, 0)})
    wrong = frozenset({(1, 0)})
    errors = {
        name: alignment_statistics([(found, right, right)])[AER]
        for name, found in ((MEAN, right), ("one", wrong), ("other", right), (NEXT, right))
    }
    assert best_head(errors) == "other"


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
    wanted = {"best", "mean", "next"} | ({"bleu"} if system != IBM else set())
    assert found.quantities.keys() == wanted
    assert found.about["parameters"] > 0, "which the table of systems shows"
    assert all(0 <= found.quantities[name].value <= 1 for name in ("best", "mean", "next"))
    if system == TRANSFORMER_GUIDED:
        assert "cross head" in found.about["best head"]
        assert regard.load(tmp_path / "run").recipe.training.guided_alignment is not None
