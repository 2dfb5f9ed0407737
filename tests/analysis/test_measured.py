"""Measured effects are those of edits made by hand, one at a time, for every family."""

import math
from typing import Any

import numpy as np
import pytest
from tests.analysis.families import EVERY, SECOND, TARGET, TEXT, Family, family
from tests.examples import cells

import regard
from regard.analysis.causes import outcome_of
from regard.analysis.occluded import occluded_input
from regard.analysis.result import Causes
from regard.insight.edits import Edit
from regard.nn.attention_kinds import TEXTS
from regard.nn.trace import Trace
from regard.text.symbols import PAD, UNK

NEAR = 1e-6
OTHERS = [name for name in EVERY if not name.startswith("language:")]
QUICK = [
    "translation:bahdanau-gru", "translation:luong-local-p", "translation:plain", "translation:transformer",
    "translation:lstmn-deep", "translation:pointer", "label:bag-mean", "label:self-attentive",
    "label:lstmn-last", "label:pairs-factored", "label:bert-self-attentive", "label:pairs-bert",
    "tag:bilstm-crf", "tag:attention-crf", "tag:bert-mean-crf", "embedding:bilstm-self-attentive",
    "embedding:bert-first", "answer:none",
]  # fmt: skip


def score(own: Family, result: Any, label: Any, shift: int = 0) -> float:
    """The score of the outcome in a result of the model, as a user reads it."""
    task = own.model.task
    if task == "translation":
        return float(result.log_probability)
    if task == "classification":
        return math.log(result.probabilities[label])
    if task == "tagging":
        word = own.options["word"] - shift
        return math.log(result.of_word(word)[label]) if word >= 0 else math.nan
    if task == "embedding":
        one, other = result.vector, own.model.look(SECOND).vector
        return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))
    if task == "question-answering":
        return math.log(result.probability_of(*label))
    return math.log(result.hidden[label[0]].distribution[label[1]])


def looked(own: Family, text: str, edit: Edit | None = None) -> Any:
    """What the model gives for a text, or an edit of it, as a user asks for it."""
    if own.model.task == "translation":
        return own.model.look(text, TARGET, edit=edit)
    second = own.options.get("second") if own.model.task != "embedding" else None
    return own.model.look(text, *([] if second is None else [second]), edit=edit)


def chosen(own: Family) -> Any:
    """What is explained, in terms of results."""
    found, task = looked(own, own.text), own.model.task
    if task == "classification":
        return found.label
    if task == "tagging":
        return found.tags[own.options["word"]]
    if task == "question-answering":
        return found.start, found.end
    if task == "masked-language-model":
        best = found.hidden[0].candidates[0]
        likely = np.isclose(found.hidden[0].distribution, best.probability, atol=1e-12)
        return 0, int(np.flatnonzero(likely)[0])
    return None


def named(found: Causes, place: int) -> Any:
    """A word of the input as a user names it in an edit."""
    text, number = found.numbers[place]
    return number if len({side for side, _ in found.numbers}) == 1 else f"{TEXTS[text]}:{found.words[place]}"


def asked(own: Family, by: tuple[str, ...]) -> Causes:
    found: Causes = own.model.causes(own.text, by=by, alternatives=False, **own.options)
    return found


@cells("name", OTHERS, quick=[*QUICK, "fill:bert"])
def test_words_and_heads_are_those_of_edits_by_hand(name: str) -> None:
    own = family(name)
    found, label = asked(own, ("removal", "mask", "heads")), chosen(own)
    base = score(own, looked(own, own.text), label)
    assert found.score == pytest.approx(base, abs=NEAR)
    checked = 0
    for place in range(len(found.words)):
        for way, edit in (("removal", regard.remove), ("mask", regard.mask)):
            value = found.method(way).values[place]
            if math.isnan(value):
                continue
            word = named(found, place)
            before = way == "removal" and own.model.task == "tagging" and word < own.options["word"]
            before = (
                before if "bert" not in name else way == "removal" and word - 1 < own.options.get("word", 0)
            )
            effect = looked(own, own.text, edit(word))
            assert value == pytest.approx(base - score(own, effect.after, label, int(before)), abs=NEAR)
            checked += 1
    for head in found.heads:
        effect = looked(own, own.text, regard.mask_head(head.path, head.head))
        assert head.effect == pytest.approx(base - score(own, effect.after, label), abs=NEAR)
    words = len(own.text.split())
    assert checked >= (words - 1) * (1 if found.method("mask").reason else 2)
    assert bool(found.heads) == (found.method("mask").reason is None)


@cells(
    "name",
    [name for name in EVERY if name.startswith("language:")],
    quick=["language:lm-lstm", "language:lm-lstmn", "language:lm-transformer"],
)
def test_words_before_another_are_those_of_edits_by_hand(name: str) -> None:
    own = family(name)
    found = asked(own, ("removal", "mask", "occlusion"))
    lm, words = own.model, TEXT.split()
    [plain] = lm.score([TEXT])
    assert found.words == ("<s>", *words[:3])
    assert found.score == pytest.approx(plain.log_probabilities[3], abs=NEAR)
    for place, word in enumerate(words[:3], start=1):
        [without] = lm.score([" ".join(w for w in words if w != word)])
        [unknown] = lm.score([" ".join("zz" if w == word else w for w in words)])
        assert found.method("removal").values[place] == pytest.approx(
            plain.log_probabilities[3] - without.log_probabilities[2], abs=NEAR
        )
        assert found.method("occlusion").values[place] == pytest.approx(
            plain.log_probabilities[3] - unknown.log_probabilities[3], abs=NEAR
        )
        if found.method("mask").reason is None:
            forced = lm.look(TEXT, edit=regard.mask(place)).old
            expected = forced.before[3] - forced.after[3]
            assert found.method("mask").values[place] == pytest.approx(expected, abs=NEAR)


@cells("name", [name for name in OTHERS if not name.startswith("fill:")], quick=QUICK)
def test_an_occluded_word_is_as_one_that_the_vocabulary_does_not_have(name: str) -> None:
    own = family(name)
    if getattr(own.model, "characters", None) is not None:
        return  # letters cannot be unknown in a text; see below
    found, label = asked(own, ("occlusion",)), chosen(own)
    words = own.text.split()
    for place, word in enumerate(found.words):
        if found.numbers[place][0] or found.special[place] or word not in words:
            continue
        if found.numbers[place][1] > len(words):
            continue  # of the second text of a pair; only the first is changed here
        changed = " ".join("q" * len(w) if w == word else w for w in words)
        base, other = (score(own, looked(own, text), label) for text in (own.text, changed))
        assert found.method("occlusion").values[place] == pytest.approx(base - other, abs=NEAR)


def test_letters_do_not_tell_an_occluded_word() -> None:
    model = family("tag:bilstm-crf").model
    encoded = model.encode_texts(("이 책은 좋다",))
    first, changed = encoded.encoded, occluded_input(encoded, 0, frozenset([1]), UNK).encoded
    assert list(changed.words) == [first.words[0], UNK, first.words[2]]
    letters = list(first.characters)
    assert list(changed.characters) == [letters[0], PAD, UNK, UNK, PAD, *letters[5:]]


@pytest.mark.parametrize("name", ["label:pairs-bert", "answer:none"])
def test_a_separator_between_two_texts_is_no_word(name: str) -> None:
    """It is masked as any token is, and yet neither ranked before a word nor correlated."""
    found = asked(family(name), ("mask", "attention", "integrated"))
    marks = [word.startswith("<") for word in found.words]
    assert marks.count(True) == 3
    assert list(found.special) == marks
    assert not any(row.word.startswith("<") for row in found.rows[:-3])
    assert not np.isnan(found.method("mask").values[marks]).any()
    assert found.method("integrated").values[marks] == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("word", "text"), [("이", "[MASK] [MASK] 아주 좋다"), ("좋다", "이 [MASK] 아주 [MASK]")]
)
def test_a_word_beside_a_mask_is_occluded_by_another(word: str, text: str) -> None:
    """Before the mask that is filled in, and behind it."""
    own = family("fill:bert")
    _, token = chosen(own)
    found = own.model.causes(own.text, by=("occlusion",), alternatives=True)
    occlusion, place = found.method("occlusion"), found.words.index(word)
    base = looked(own, own.text).hidden[0]
    (changed,) = (one for one in looked(own, text).hidden if one.token == base.token)
    ratio = base.distribution[token] / changed.distribution[token]
    assert occlusion.values[place] == pytest.approx(math.log(ratio), abs=NEAR)
    assert occlusion.instead[place] == changed.candidates[0].word
    assert math.isnan(occlusion.values[2])  # the mask itself
    assert found.rows[0].word in ("이", "아주", "좋다")


@pytest.mark.parametrize("name", ["translation:transformer", "translation:bahdanau-gru"])
def test_what_is_written_instead_is_what_a_search_writes_under_the_edit(name: str) -> None:
    own = family(name)
    found = own.model.causes(own.text, by=("removal", "mask", "heads"), alternatives=True)
    assert found.output == own.model.translate(own.text).text
    for place in range(4):
        for way, edit in (("removal", regard.remove), ("mask", regard.mask)):
            after = own.model.translate(own.text, edit=edit(place)).after.text
            assert found.method(way).instead[place] == after
    head = found.heads[0]
    without = own.model.translate(own.text, edit=regard.mask_head(head.path, head.head))
    assert head.instead == without.after.text


@cells("name", EVERY, quick=[*QUICK, "fill:bert", "language:lm-lstm", "language:lm-transformer"])
def test_what_gradients_are_of_is_what_is_measured(name: str) -> None:
    """The score that can be differentiated, and the one that a user reads from a result."""
    own = family(name)
    outcome = outcome_of(own.model, own.text, **own.options)
    score = sum(
        factor * float(objective(own.model, 3, Trace(outcome.network)).detach()[2])
        for factor, objective in outcome.objectives
    )
    values, _ = outcome.measured([outcome.plain], [])
    assert score == pytest.approx(float(values.sum()), abs=NEAR)


def test_a_contrast_is_the_difference_of_two() -> None:
    own = family("translation:transformer")
    options = {
        "target": TARGET,
        "word": 1,
        "by": ("removal", "gradient", "integrated"),
        "alternatives": False,
    }
    contrast = own.model.causes(TEXT, instead="good", **options)
    book = own.model.causes(TEXT, **options)
    good = own.model.causes(TEXT, **options | {"target": "the good"})
    for method in ("removal", "gradient", "integrated"):
        both = [one.method(method).values for one in (contrast, book, good)]
        np.testing.assert_allclose(both[0], both[1] - both[2], atol=1e-6)
    assert contrast.score == pytest.approx(book.score - good.score, abs=NEAR)


def test_of_all_tags_those_count_that_are_left() -> None:
    own = family("tag:words-softmax")
    found = own.model.causes(TEXT, by="removal")
    words, result = TEXT.split(), own.model.tag(TEXT)
    for gone in range(4):
        left = own.model.tag(" ".join(words[:gone] + words[gone + 1 :]))
        kept = [place for place in range(4) if place != gone]
        expected = sum(
            math.log(result.of_word(place)[result.tags[place]] / left.of_word(n)[result.tags[place]])
            for n, place in enumerate(kept)
        )
        assert found.method("removal").values[gone] == pytest.approx(expected, abs=NEAR)
