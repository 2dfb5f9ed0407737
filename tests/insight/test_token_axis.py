import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from regard.config.text import BpeConfig
from regard.insight.maps import Weights
from regard.insight.record import AttentionRecord, LayerAttention
from regard.insight.token_axis import TokenAxis, merge_to_words
from regard.insight.word_links import attention_links
from regard.text.tokenizer import Tokenizer

# "나는 책을." in pieces: ▁나 | 는 | ▁책을 | .   and "I read." : ▁I | ▁re | ad | .
SOURCE = TokenAxis("나는 책을.", ("▁나", "는", "▁책을", "."), ((0, 1), (1, 2), (2, 5), (5, 6)))
TARGET = TokenAxis("I read.", ("▁I", "▁re", "ad", "."), ((0, 1), (1, 4), (4, 6), (6, 7)))
WEIGHTS = np.array(
    [  # ▁나   는  ▁책을  .   </s>
        [0.5, 0.3, 0.1, 0.1, 0.0],  # ▁I
        [0.2, 0.0, 0.6, 0.1, 0.1],  # ▁re
        [0.0, 0.2, 0.4, 0.3, 0.1],  # ad
        [0.0, 0.0, 0.0, 0.9, 0.1],  # .
        [0.0, 0.0, 0.0, 0.0, 1.0],  # </s>
    ],
    dtype=np.float32,
)


def cross(source: TokenAxis, target: TokenAxis, weights: Weights) -> AttentionRecord:
    return AttentionRecord(source, target, (LayerAttention("attention", "cross", weights),))


def words_of_tokens(side: TokenAxis) -> list[int]:
    """The word of each token, where each belongs to one."""
    shares = side.shares()
    assert (shares.max(axis=1) == 1.0).all()
    words: list[int] = shares.argmax(axis=1).tolist()
    return words


def test_tokens_know_their_words() -> None:
    assert SOURCE.words() == ("나는", "책을", ".", "</s>")
    assert words_of_tokens(SOURCE) == [0, 0, 1, 2, 3]
    assert TARGET.words() == ("I", "read", ".", "</s>")
    assert words_of_tokens(TARGET) == [0, 1, 1, 2, 3]


def test_a_lone_space_belongs_to_the_word_after_it() -> None:
    side = TokenAxis("a (b", ("▁a", "▁", "(", "b"), ((0, 1), (1, 2), (2, 3), (3, 4)))
    assert side.words() == ("a", "(", "b", "</s>")
    assert words_of_tokens(side) == [0, 1, 1, 2, 3]


def test_a_text_without_words() -> None:
    assert words_of_tokens(TokenAxis("", (), ())) == [0]


def test_morphemes_share_a_token_by_its_characters() -> None:
    """학교에서 as one token: half of it is 학교, half 에서; 갔 cannot be cut."""
    side = TokenAxis("학교에서 갔다.", ("▁학교에서", "▁갔", "다", "."), ((0, 4), (4, 6), (6, 7), (7, 8)))
    assert side.words("morphemes") == ("학교", "에서", "갔", "다", ".", "</s>")
    expected = np.zeros((5, 6))
    expected[0, :2] = 0.5
    expected[1, 2] = expected[2, 3] = expected[3, 4] = expected[4, 5] = 1.0
    assert_allclose(side.shares("morphemes"), expected)
    looked = np.array([[0.4, 0.3, 0.1, 0.1, 0.1]], dtype=np.float32)
    merged = merge_to_words(looked, TokenAxis("a", ("▁a",), ((0, 1),), specials=()), side, "morphemes")
    assert_allclose(merged, [[0.2, 0.2, 0.3, 0.1, 0.1, 0.1]], rtol=1e-6)


def test_sum_over_source_pieces_mean_over_target_pieces() -> None:
    merged = merge_to_words(WEIGHTS, TARGET, SOURCE)
    expected = [
        [0.8, 0.1, 0.1, 0.0],
        [0.2, 0.5, 0.2, 0.1],  # the mean of ▁re (.2 .6 .1 .1) and ad (.2 .4 .3 .1)
        [0.0, 0.0, 0.9, 0.1],
        [0.0, 0.0, 0.0, 1.0],
    ]
    assert_allclose(merged, expected, atol=1e-6)


def test_rows_keep_their_sum() -> None:
    """1, or less where mass was cut away."""
    assert_allclose(merge_to_words(WEIGHTS * 0.7, TARGET, SOURCE).sum(axis=1), 0.7, rtol=1e-6)


def test_a_record_unpacks_and_says_what_it_has() -> None:
    record = cross(SOURCE, TARGET, WEIGHTS)
    rows, columns, weights = record.words()
    assert (rows, columns, weights.shape) == (TARGET.words(), SOURCE.words(), (4, 4))
    assert record.tokens().rows == ("▁I", "▁re", "ad", ".", "</s>")
    assert record.to_dict()["words"]["weights"][0] == [0.8, 0.1, 0.1, 0.0]


def test_links_leave_the_end_symbol_out() -> None:
    weights = np.array([[0.1, 0.2, 0.7], [0.6, 0.1, 0.3], [0, 0, 1]], dtype=np.float32)
    source = TokenAxis("x y", ("▁x", "▁y"), ((0, 1), (1, 3)))
    target = TokenAxis("a b", ("▁a", "▁b"), ((0, 1), (1, 3)))
    assert attention_links(cross(source, target, weights)) == {(1, 0), (0, 1)}  # (source, target)
    cut_off = TokenAxis("a b", ("▁a", "▁b"), ((0, 1), (1, 3)), specials=())
    assert attention_links(cross(source, cut_off, weights[:2])) == {(1, 0), (0, 1)}


def test_links_of_a_tokenised_text_are_between_what_stands_between_spaces() -> None:
    """z.B. is one token, with a point at its end; its pieces are looked at together, and look together."""
    source = TokenAxis("z.B. x", ("▁z.B", ".", "▁x"), ((0, 3), (3, 4), (4, 6)))
    target = TokenAxis("a 's", ("▁a", "▁'", "s"), ((0, 1), (1, 3), (3, 4)))
    weights = np.array(
        [[0.3, 0.3, 0.4, 0], [0.1, 0.1, 0.8, 0], [0.5, 0.5, 0.0, 0], [0, 0, 0, 1]], dtype=np.float32
    )
    record = cross(source, target, weights)
    assert attention_links(record) == {(2, 0), (2, 1), (0, 2)}
    assert attention_links(record, "eojeol") == {
        (0, 0),
        (0, 1),
    }  # 0.6 against 0.4, on average both times


@given(st.text(alphabet="가나 뷁?!.a\u00a0\u0301(", max_size=12))
def test_every_word_of_any_text_has_its_tokens(text: str) -> None:
    """Encoded or decoded, each row of a merged map sums to 1: no word is without a token."""
    tokenizer = Tokenizer.learn(["가나 a."], BpeConfig(vocabulary_size=300))
    encoded = tokenizer.encode(text)
    for one in (encoded, tokenizer.decode(encoded.ids)):
        side = TokenAxis(one.text.text, one.pieces, one.spans)
        weights = np.full((len(side.tokens),) * 2, 1 / len(side.tokens), dtype=np.float32)
        assert_allclose(merge_to_words(weights, side, side).sum(axis=1), 1.0, atol=1e-5)


def test_tokens_of_a_text_without_words_belong_to_none() -> None:
    """An output of nothing but unknown words, cut off, so that not even </s> is there."""
    nothing = TokenAxis("", ("<unk>", "<unk>"), ((0, 0), (0, 0)), specials=())
    assert nothing.shares().shape == (2, 0)


def test_what_is_to_be_whole_is_one_word() -> None:
    """A hidden word stands apart from its brackets' splitting, and from the particle behind it."""
    text = "나는 [MASK]에, [MASK] 갔다."
    whole = tuple((start, start + 6) for start in (3, 12))
    pieces = ("▁나는", "[MASK]", "에", ",", "[MASK]", "▁갔다", ".")
    spans = ((0, 2), (2, 9), (9, 10), (10, 11), (11, 18), (18, 21), (21, 22))
    side = TokenAxis(text, pieces, spans, (), whole=whole)
    assert side.words() == ("나는", "[MASK]", "에", ",", "[MASK]", "갔다", ".")
    assert [side.members(word) for word in range(7)] == [[n] for n in range(7)]


def test_what_was_not_read_has_no_words() -> None:
    assert SOURCE.first(2).words() == ("나는", "</s>")
    assert SOURCE.first(99) == SOURCE
