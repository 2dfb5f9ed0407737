"""The measures of records, and head importance: values by hand, and laws over models."""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.analysis.families import family
from tests.analysis.rows import rows_of

from regard.analysis.head_importance import head_importance, masked
from regard.analysis.losses import RowLosses, row_losses
from regard.analysis.measures import is_only_signs, map_measures, measure_attention
from regard.data.labelled import LabelledText
from regard.data.pairs import Pair
from regard.data.questions import QuestionExample
from regard.data.tagged import TaggedSentence
from regard.inference.interventions import SentenceEdits
from regard.insight.record import AttentionRecord, LayerAttention
from regard.insight.token_axis import TokenAxis, joined
from regard.metrics.statistics import Floats
from regard.tasks.attention import attention_records, attention_scores
from regard.tasks.classification.predictor import Classifier
from regard.tasks.tagging.predictor import Tagger
from regard.tasks.translation.predictor import Translator

SOURCE = TokenAxis("나는 간다 .", ("나는", "간다", "."), ((0, 2), (3, 5), (6, 7)))
TARGET = TokenAxis("I go", ("I", "go"), ((0, 1), (2, 4)), ())
CROSS = [[0.5, 0.25, 0.125, 0.125], [0.0, 0.5, 0.0, 0.5]]


def test_a_record_by_hand() -> None:
    record = AttentionRecord(SOURCE, TARGET, (LayerAttention("a", "cross", np.array(CROSS)),))
    (head,) = measure_attention([record, record])
    values = head.values
    first, second = 1.75 * math.log(2), math.log(2)
    assert values["entropy"] == pytest.approx((first + second) / 2)
    assert values["relative_entropy"] == pytest.approx((first + second) / 2 / math.log(4))
    assert values["end"] == pytest.approx((0.125 + 0.5) / 2)
    assert values["punctuation"] == pytest.approx(0.125 / 2)
    assert values["distance"] == pytest.approx((0.25 + 2 * 0.125 + 3 * 0.125 + 2 * 0.5) / 2)
    assert values["coverage"] == pytest.approx((0.5 + 0.75 + 0.125) / 2)
    assert values["divergence"] is values["start"] is None


def test_a_separator_between_two_texts_is_an_end_and_no_word() -> None:
    first, second = (TokenAxis(text, (text,), ((0, len(text)),), ()) for text in ("나는", "간다"))
    axis = replace(joined(first, second, "</s>", 2), before=("<s>",), specials=("</s>",))
    assert axis.tokens == ("<s>", "나는", "</s>", "</s>", "간다", "</s>")
    weights = np.array([[0.1, 0.2, 0.3, 0.05, 0.15, 0.2], [0.0, 1.0, 0.0, 0.0, 0.0, 0.0]])
    look = LayerAttention("a", "encoder-self", weights)
    (head,) = measure_attention([AttentionRecord(axis, None, (look,))])
    assert head.values["start"] == pytest.approx(0.1 / 2)
    assert head.values["end"] == pytest.approx((0.3 + 0.05 + 0.2) / 2)
    assert head.values["coverage"] == pytest.approx((1.0 + 0.15) / 2)


def test_the_log_counts_the_words_of_two_texts_and_not_the_separator() -> None:
    own = family("label:pairs-bert")
    rows = rows_of(own).pairs
    expected = []
    for record in attention_records(own.model, rows):
        assert record.source is not None
        words = [place for place, token in enumerate(record.source.tokens) if token not in ("<s>", "</s>")]
        for look in record.attentions:
            received = np.minimum(1.0, look.weights.astype(np.float64).sum(axis=-2)[:, words])
            expected.append(received.sum(axis=-1).mean() / len(words))
    assert attention_scores(own.model, rows)["attention_coverage"] == pytest.approx(np.mean(expected))


def test_hops_are_heads_without_an_order() -> None:
    axis = TokenAxis("a b", ("a", "b"), ((0, 1), (2, 3)), ())
    look = LayerAttention("pooling", "hops", np.array([[1.0, 0.0], [0.5, 0.5]]))
    found = map_measures(AttentionRecord(axis, None, (look,)), look)
    assert found["entropy"].ravel() == pytest.approx([0, math.log(2)])
    assert np.isnan(found["distance"]).all()
    assert found["coverage"] == pytest.approx([0.75, 0.75])  # (1 + 0.5) of two: the same for both
    assert found["divergence"][0] == found["divergence"][1] > 0


def test_a_decoder_row_can_only_see_what_was_fed() -> None:
    axis = TokenAxis("a b", ("a", "b"), ((0, 1), (2, 3)), ())
    look = LayerAttention("self", "decoder-self", np.array([[1.0, 0.0], [0.5, 0.5]]))
    shares = map_measures(AttentionRecord(NOTHING, axis, (look,)), look)["relative_entropy"][0]
    assert np.isnan(shares[0])
    assert shares[1] == pytest.approx(1.0)
    before = LayerAttention("self", "decoder-self", np.array([[0.0, 0.0, 0.0], [1, 0, 0], [0.5, 0.5, 0]]))
    wider = TokenAxis("a b c", ("a", "b", "c"), ((0, 1), (2, 3), (4, 5)), ())
    shares = map_measures(AttentionRecord(NOTHING, wider, (before,)), before)["relative_entropy"][0]
    assert shares[2] == pytest.approx(1.0)  # an LSTMN attends to those before alone


NOTHING = TokenAxis("", (), (), ())


def test_punctuation_is_signs_alone() -> None:
    assert is_only_signs(" .")
    assert is_only_signs("…»")
    assert not is_only_signs("go.")
    assert not is_only_signs(" ")


class _Given(RowLosses):
    """Each head is worth a number; with all masked, their sum is lost."""

    unit = "row"
    worth = (0.3, 0.0, 0.1)

    def counts(self, edits: SentenceEdits | None = None) -> Floats:
        gone = [min(change.paths) for change in edits.changes] if edits else []
        return np.array([[1.0 + sum(self.worth[int(path)] for path in gone), 1.0]])


def test_importance_is_the_growth_of_the_loss_and_the_least_go_first() -> None:
    found = head_importance(_Given(), [(str(n), "cross", 0) for n in range(3)])
    assert found.loss == 1.0
    assert list(found.changes.values()) == pytest.approx([0.3, 0.0, 0.1])
    assert [count for count, _ in found.curve] == [0, 1, 2, 3]
    assert [loss for _, loss in found.curve] == pytest.approx([1.0, 1.0, 1.1, 1.4])


def test_the_losses_of_a_classifier_are_its_log_probabilities(classifier: Classifier) -> None:
    rows = [
        LabelledText("이 책은 아주 좋다.", "positive", "a:1"),
        LabelledText("그 영화는 재미없다.", "positive", "a:2"),
    ]
    said = classifier.classify([row.source for row in rows])
    losses = row_losses(classifier, rows).counts()
    whole = [math.log(own.probabilities["positive"]) for own in said]
    other = [math.log(own.probabilities["negative"]) for own in said]
    odds = [(a - b) * classifier.temperature for a, b in zip(whole, other, strict=True)]
    assert losses[:, 0] == pytest.approx([math.log1p(math.exp(-own)) for own in odds], rel=1e-4)


@pytest.mark.parametrize(
    ("name", "empty", "row"),
    [
        (
            "label:self-attentive",
            LabelledText("", "bad", "a:1"),
            LabelledText("이 책은 아주 좋다", "good", "a:2"),
        ),
        (
            "tag:attention-crf",
            TaggedSentence("", "", "a:1", words=()),
            TaggedSentence("이 책은", "a b", "a:2", words=("이", "책은")),
        ),
        (
            "answer:always",
            QuestionExample("", "", "a:1", question="그", spans=()),
            QuestionExample("이 책은", "책은", "a:2", question="그", spans=((2, 4),)),
        ),
    ],
)
def test_a_row_without_words_has_no_loss_and_leaves_the_others_theirs(
    name: str, empty: Pair, row: Pair
) -> None:
    model = family(name).model
    alone = row_losses(model, [row]).counts()
    assert alone[0, 1] > 0
    assert row_losses(model, [empty, row, empty]).counts() == pytest.approx(alone)


def test_a_masked_head_is_the_edit_of_that_name(classifier: Classifier) -> None:
    import regard

    row = LabelledText("이 책은 아주 좋다.", "positive", "a:1")
    effect = classifier.classify(row.source, edit=regard.mask_head("pooling", 1))
    loss = row_losses(classifier, [row]).counts(masked([("pooling", "hops", 1)]))[0, 0]
    p = effect.after.probabilities
    odds = math.log(p["positive"] / p["negative"]) * classifier.temperature
    assert loss == pytest.approx(math.log1p(math.exp(-odds)), rel=1e-4)


def test_records_and_losses_of_a_translator_and_a_tagger(translator: Translator, tagger: Tagger) -> None:
    pairs = [Pair("나는 책을 읽었다.", "I read a book.", "a:1")]
    (record,) = attention_records(translator, pairs)
    assert record.target is not None
    assert record.target.text == "I read a book."
    (scored,) = translator.score([("나는 책을 읽었다.", "I read a book.")])
    loss, tokens = row_losses(translator, pairs).counts()[0]
    assert loss == pytest.approx(-sum(scored.log_probabilities), rel=1e-5)
    assert tokens == len(scored.tokens)
    words = ("그", "학생이", "책을", "읽었다", ".")
    tags = tagger.tag(" ".join(words)).tags
    sentence = TaggedSentence(" ".join(words), " ".join(tags), "a:1", None, (), words)
    loss, count = row_losses(tagger, [sentence]).counts()[0]
    assert loss > 0
    assert count == 5
    assert len(list(attention_records(tagger, [sentence]))) == 1
