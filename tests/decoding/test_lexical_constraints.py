"""Finding phrases token by token, and dealing out a beam, by hand."""

import random

from tests.decoding.tables import BOS, holds

from regard.decoding.lexical_constraints import MatchState, PhraseMatcher, TokenPhrase, unmet_constraints

A, B, C, SPACE = 5, 6, 7, 8
BORDERS = frozenset({SPACE, 3})


def after(wanted: PhraseMatcher, *tokens: int) -> MatchState:
    matched = wanted.nothing
    for token in tokens:
        matched = wanted.after(matched, token)
    return matched


def test_progress_and_falling_back_by_hand() -> None:
    wanted = PhraseMatcher([(TokenPhrase((A, A, B)),)], BOS, ())
    assert [wanted.missing(after(wanted, *t)) for t in ((), (A,), (A, A), (A, A, A), (A, A, C))] == [
        3,
        2,
        1,
        1,  # A A A ends with A A
        3,
    ]
    assert wanted.missing(after(wanted, A, A, A, B)) == 0
    assert wanted.missing(after(wanted, A, A, B, C, C)) == 0, "once there, it stays"
    assert wanted.next_tokens(after(wanted, A, A)) == {B}
    assert wanted.next_tokens(after(wanted, A, A, B)) == set()


def test_only_the_furthest_phrase_counts_beside_those_that_are_there() -> None:
    wanted = PhraseMatcher([(TokenPhrase((A, B, C)),), (TokenPhrase((A, C)),)], BOS, ())
    assert wanted.missing(after(wanted, A)) == 4, "one A can go on with one of them"
    assert wanted.missing(after(wanted, A, C)) == 3
    assert wanted.missing(after(wanted, A, C, A, B)) == 1


def test_alternatives_need_one_of_them() -> None:
    wanted = PhraseMatcher([(TokenPhrase((A, B)), TokenPhrase((C, C, C)))], BOS, ())
    assert wanted.missing(wanted.nothing) == 2
    assert wanted.missing(after(wanted, C, C)) == 1
    assert wanted.missing(after(wanted, C, C, C)) == 0
    assert wanted.missing(after(wanted, A, B)) == 0
    assert wanted.next_tokens(after(wanted, A)) == {B, C}


def test_a_closed_phrase_waits_for_the_end_of_its_word() -> None:
    """`cat` is in `cat .` and at the end of a text, not in `cat|egory`."""
    wanted = PhraseMatcher([(TokenPhrase((A, B), closed=True),)], BOS, BORDERS)
    assert wanted.waits(after(wanted, A, B))
    assert wanted.missing(after(wanted, A, B)) == 0, "nothing more is needed if the sentence ends here"
    assert wanted.missing(after(wanted, A, B, C)) == 2, "the word went on"
    assert not wanted.waits(after(wanted, A, B, SPACE))
    assert wanted.missing(after(wanted, A, B, SPACE, C)) == 0


def test_two_phrases_that_wait_together_are_both_there() -> None:
    wanted = PhraseMatcher(
        [(TokenPhrase((A, B), closed=True),), (TokenPhrase((B,), closed=True),)], BOS, BORDERS
    )
    assert wanted.missing(after(wanted, A, B)) == 0
    assert wanted.missing(after(wanted, A, B, SPACE)) == 0


def test_a_spelling_may_be_for_the_beginning_only() -> None:
    wanted = PhraseMatcher([(TokenPhrase((SPACE, A)), TokenPhrase((BOS, A)))], BOS, ())
    assert wanted.missing(wanted.nothing) == 1
    assert wanted.missing(after(wanted, A)) == 0
    assert wanted.missing(after(wanted, B, A)) == 2
    assert wanted.missing(after(wanted, B, SPACE, A)) == 0


def test_what_is_found_is_what_is_there() -> None:
    """Against a plain search for the phrase, on 2,000 random sentences of two letters."""
    chooser = random.Random(5)
    for _ in range(2000):
        phrases = [tuple(chooser.choices((A, B), k=chooser.randint(1, 4))) for _ in range(3)]
        tokens = chooser.choices((A, B), k=chooser.randint(0, 9))
        missing = [number for number, phrase in enumerate(phrases) if not holds(tokens, phrase)]
        assert unmet_constraints([(TokenPhrase(phrase),) for phrase in phrases], tokens, BOS, ()) == missing


def test_the_next_token_always_helps() -> None:
    """Whatever stands there, some token brings an open phrase one token nearer: so a search cannot stall."""
    chooser = random.Random(6)
    for _ in range(2000):
        phrases = [tuple(chooser.choices((A, B, C), k=chooser.randint(1, 4))) for _ in range(3)]
        wanted = PhraseMatcher([(TokenPhrase(phrase),) for phrase in phrases], BOS, ())
        matched = after(wanted, *chooser.choices((A, B, C), k=chooser.randint(0, 9)))
        missing = wanted.missing(matched)
        if missing:
            nearer = min(wanted.missing(wanted.after(matched, t)) for t in wanted.next_tokens(matched))
            assert nearer < missing
