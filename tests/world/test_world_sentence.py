"""Whole sentences with their exact links, laid out from parts chosen by hand."""

from regard.world.adjectives import PREDICATES
from regard.world.adverbs import YESTERDAY
from regard.world.hangul import BARE, OBJECT, PLACE, SUBJECT, TO, TOPIC
from regard.world.nouns import Noun, nouns
from regard.world.participants import HE, I_PLAIN, pronoun_subject
from regard.world.phrase import Chunk, chunk, counted_phrase, noun_phrase
from regard.world.predicate import (
    Form,
    Predicate,
    adjective_predicate,
    copula_predicate,
    existence_predicate,
    verb_predicate,
)
from regard.world.sentence import Clause, Draft
from regard.world.verb_table import GIVING, TRANSITIVE
from regard.world.verbs import Verb

ME = pronoun_subject(I_PLAIN, topic=True).chunk


def noun(korean: str) -> Noun:
    return nouns(korean)[0]


def verb(korean: str, verbs: tuple[Verb, ...] = TRANSITIVE) -> Verb:
    return next(found for found in verbs if f"{found.stem.text}다" == korean)


def written(*clauses: Clause, mark: str = ".") -> tuple[str, str, str]:
    """Return both texts, and the links as "0-0 1-4"."""
    draft = Draft()
    for clause in clauses:
        draft.add(clause)
    korean, english = draft.close(mark)
    return korean, english, " ".join(f"{one}-{other}" for one, other in sorted(draft.links))


def reading(form: Form, slots: dict[str, Chunk], *, time_first: bool = False) -> Clause:
    return Clause(slots, verb_predicate(verb("읽다"), form), time_first)


def test_place_and_time() -> None:
    slots = {
        "subject": ME,
        "time": YESTERDAY,
        "place": noun_phrase(noun("학교"), PLACE, preposition="at"),
        "object": noun_phrase(noun("책"), OBJECT),
    }
    clause = reading(Form("past", "plain", agreement="I"), slots)
    # 나는(0) 어제(1) 학교에서(2) 책을(3) 읽었다(4) .(5)
    # I(0) read(1) the(2) book(3) at(4) school(5) yesterday(6) .(7)
    assert written(clause) == (
        "나는 어제 학교에서 책을 읽었다.",
        "I read the book at school yesterday.",
        "0-0 1-6 2-4 2-5 3-2 3-3 4-1 5-7",
    )


def test_time_may_come_first_in_korean_only() -> None:
    slots = {"subject": ME, "time": YESTERDAY, "object": noun_phrase(noun("책"), OBJECT)}
    clause = reading(Form("past", "polite", "안", agreement="I"), slots, time_first=True)
    # 어제(0) 나는(1) 책을(2) 안(3) 읽었어요(4) .(5)
    # I(0) did(1) not(2) read(3) the(4) book(5) yesterday(6) .(7)
    assert written(clause) == (
        "어제 나는 책을 안 읽었어요.",
        "I did not read the book yesterday.",
        "0-6 1-0 2-4 2-5 3-2 4-1 4-3 5-7",
    )


def test_question_word_moves_in_english_only() -> None:
    he = pronoun_subject(HE, topic=True).chunk
    form = Form("past", "formal", ending="question", inverted=True)
    slots = {"subject": he, "object": chunk("무엇을", "what")}
    clause = Clause(slots, verb_predicate(verb("먹다"), form), asked="object", inverted=True)
    # 그는(0) 무엇을(1) 먹었습니까(2) ?(3); What(0) did(1) he(2) eat(3) ?(4)
    assert written(clause, mark="?") == (
        "그는 무엇을 먹었습니까?",
        "What did he eat?",
        "0-2 1-0 2-1 2-3 3-4",
    )


def test_giving_with_a_counter() -> None:
    slots = {
        "subject": noun_phrase(noun("민수"), TOPIC),
        "recipient": noun_phrase(noun("지영"), TO, preposition="to"),
        "object": counted_phrase(noun("책"), 2, OBJECT),
    }
    clause = Clause(slots, verb_predicate(verb("주다", GIVING), Form("future", "formal")))
    # 민수는(0) 지영에게(1) 책(2) 두(3) 권을(4) 줄(5) 것입니다(6) .(7)
    # Minsu(0) will(1) give(2) two(3) books(4) to(5) Jiyoung(6) .(7)
    assert written(clause) == (
        "민수는 지영에게 책 두 권을 줄 것입니다.",
        "Minsu will give two books to Jiyoung.",
        "0-0 1-5 1-6 2-4 3-3 4-4 5-2 6-1 7-7",
    )


def test_clauses_joined_by_but() -> None:
    def eating(who: str, form: Form, conjunction: str = "") -> Clause:
        slots = {"subject": noun_phrase(noun(who), TOPIC), "object": noun_phrase(noun("고기"), OBJECT)}
        return Clause(slots, verb_predicate(verb("먹다"), form), conjunction=conjunction)

    first = eating("민수", Form("past", "plain", ending="지만"))
    second = eating("지영", Form("past", "plain", "않다"), "but")
    # 민수는(0) 고기를(1) 먹었지만(2) ,(3) 지영은(4) 고기를(5) 먹지(6) 않았다(7) .(8)
    # Minsu(0) ate(1) meat(2) ,(3) but(4) Jiyoung(5) did(6) not(7) eat(8) meat(9) .(10)
    assert written(first, second) == (
        "민수는 고기를 먹었지만, 지영은 고기를 먹지 않았다.",
        "Minsu ate meat, but Jiyoung did not eat meat.",
        "0-0 1-2 2-1 2-4 3-3 4-5 5-9 6-8 7-6 7-7 8-10",
    )


def said_of_minsu(predicate: Predicate) -> tuple[str, str, str]:
    return written(Clause({"subject": noun_phrase(noun("민수"), TOPIC)}, predicate))


def test_copula_and_its_negation() -> None:
    role = noun_phrase(noun("학생"), BARE, bare="predicate")
    assert said_of_minsu(copula_predicate(role, Form("present", "polite"))) == (
        "민수는 학생이에요.",
        "Minsu is a student.",
        "0-0 1-1 1-2 1-3 2-4",
    )
    denied = noun_phrase(noun("학생"), SUBJECT, bare="predicate")
    assert said_of_minsu(copula_predicate(denied, Form("past", "plain", "않다"))) == (
        "민수는 학생이 아니었다.",
        "Minsu was not a student.",
        "0-0 1-3 1-4 2-1 2-2 3-5",
    )


def test_adjective_and_existence() -> None:
    kind = next(adjective for adjective in PREDICATES[noun("민수")] if adjective.english == "kind")
    assert said_of_minsu(adjective_predicate(kind, Form("past", "formal", "않다"))) == (
        "민수는 친절하지 않았습니다.",
        "Minsu was not kind.",
        "0-0 1-3 2-1 2-2 3-4",
    )
    slots = {
        "subject": noun_phrase(noun("책"), TOPIC, bare="subject"),
        "place": Chunk(("책상", "위에"), (("on", (1,)), ("the", (0,)), ("desk", (0,)))),
    }
    assert written(Clause(slots, existence_predicate(Form("present", "plain", "않다")))) == (
        "책은 책상 위에 없다.",
        "The book is not on the desk.",
        "0-0 0-1 1-5 1-6 2-4 3-2 3-3 4-7",
    )
