"""Sentences with clauses inside, with their exact links, laid out from parts chosen by hand."""

from regard.world.adjectives import PREDICATES
from regard.world.adverbs import YESTERDAY
from regard.world.hangul import GOAL, OBJECT, PLACE, SUBJECT, TO_ELDER, TOPIC
from regard.world.nouns import Noun, nouns
from regard.world.participants import I_PLAIN, WE, pronoun_subject
from regard.world.phrase import Chunk, noun_phrase, with_relative, words
from regard.world.predicate import Form, adjective_predicate, verb_predicate
from regard.world.sentence import Clause, Draft, clause_chunk
from regard.world.verb_table import GIVING, INTRANSITIVE, MOTION, RAIN, TRANSITIVE
from regard.world.verbs import Verb, humbled
from regard.world.weather import IT, falling

ME = pronoun_subject(I_PLAIN, topic=True).chunk


def noun(korean: str) -> Noun:
    return nouns(korean)[0]


def verb(korean: str, verbs: tuple[Verb, ...] = TRANSITIVE) -> Verb:
    return next(found for found in verbs if f"{found.stem.text}다" == korean)


def written(clause: Clause) -> tuple[str, str, str]:
    """Return both texts, and the links as "0-0 1-4"."""
    draft = Draft()
    draft.add(clause)
    korean, english = draft.close(".")
    return korean, english, " ".join(f"{one}-{other}" for one, other in sorted(draft.links))


def test_object_relative() -> None:
    bought = Clause(
        {"subject": pronoun_subject(I_PLAIN, topic=False).chunk, "time": YESTERDAY},
        verb_predicate(verb("사다"), Form("past", "plain", ending="adnominal", agreement="I")),
    )
    slots = {
        "subject": noun_phrase(noun("민수"), TOPIC),
        "object": with_relative(noun_phrase(noun("책"), OBJECT), clause_chunk(bought, "that")),
    }
    # 민수는(0) 내가(1) 어제(2) 산(3) 책을(4) 읽는다(5) .(6)
    # Minsu(0) reads(1) the(2) book(3) that(4) I(5) bought(6) yesterday(7) .(8)
    assert written(Clause(slots, verb_predicate(verb("읽다"), Form("present", "plain")))) == (
        "민수는 내가 어제 산 책을 읽는다.",
        "Minsu reads the book that I bought yesterday.",
        "0-0 1-5 2-7 3-4 3-6 4-2 4-3 5-1 6-8",
    )


def test_subject_relative_agrees_with_its_noun() -> None:
    working = Clause(
        {"place": noun_phrase(noun("서울"), PLACE, preposition="in")},
        verb_predicate(
            verb("일하다", INTRANSITIVE), Form("present", "plain", ending="adnominal", agreement="plural")
        ),
    )
    doctors = noun_phrase(noun("의사"), TOPIC, bare="subject", many=True)
    slots = {"subject": with_relative(doctors, clause_chunk(working, "who"))}
    sleeping = verb_predicate(verb("자다", INTRANSITIVE), Form("past", "polite", agreement="plural"))
    # 서울에서(0) 일하는(1) 의사들은(2) 잤어요(3) .(4)
    # The(0) doctors(1) who(2) work(3) in(4) Seoul(5) slept(6) .(7)
    assert written(Clause(slots, sleeping)) == (
        "서울에서 일하는 의사들은 잤어요.",
        "The doctors who work in Seoul slept.",
        "0-4 0-5 1-2 1-3 2-0 2-1 3-6 4-7",
    )


def test_because_of_the_weather() -> None:
    rain = Clause({"subject": IT}, falling(RAIN, Form("past", "plain", ending="아서")))
    slots = {"setting": clause_chunk(rain, "because"), "subject": ME}
    resting = verb_predicate(verb("쉬다", INTRANSITIVE), Form("past", "plain", agreement="I"))
    # 비가(0) 와서(1) 나는(2) 쉬었다(3) .(4); I(0) rested(1) because(2) it(3) rained(4) .(5)
    assert written(Clause(slots, resting)) == (
        "비가 와서 나는 쉬었다.",
        "I rested because it rained.",
        "0-3 0-4 1-2 1-4 2-0 3-1 4-5",
    )


def test_because_with_a_shared_subject() -> None:
    busy = next(found for found in PREDICATES[noun("민수")] if found.english == "busy")
    reason = Clause(
        {"subject": Chunk((), words("he", -1))},
        adjective_predicate(busy, Form("past", "plain", ending="아서")),
    )
    slots = {
        "subject": noun_phrase(noun("민수"), TOPIC),
        "aside": clause_chunk(reason, "because"),
        "time": YESTERDAY,
    }
    form = Form("past", "formal", "못")
    resting = Clause(slots, verb_predicate(verb("쉬다", INTRANSITIVE), form), time_first=True)
    # 어제(0) 민수는(1) 바빠서(2) 못(3) 쉬었습니다(4) .(5)
    # Minsu(0) could(1) not(2) rest(3) yesterday(4) because(5) he(6) was(7) busy(8) .(9)
    assert written(resting) == (
        "어제 민수는 바빠서 못 쉬었습니다.",
        "Minsu could not rest yesterday because he was busy.",
        "0-4 1-0 1-6 2-5 2-7 2-8 3-2 4-1 4-3 5-9",
    )


def test_if() -> None:
    coming = Clause(
        {"subject": noun_phrase(noun("민수"), SUBJECT)},
        verb_predicate(verb("오다", MOTION), Form("present", "plain", ending="면")),
    )
    slots = {"setting": clause_chunk(coming, "if"), "subject": pronoun_subject(WE, topic=True).chunk}
    resting = verb_predicate(verb("쉬다", INTRANSITIVE), Form("future", "polite", agreement="plural"))
    # 민수가(0) 오면(1) 우리는(2) 쉴(3) 거예요(4) .(5)
    # We(0) will(1) rest(2) if(3) Minsu(4) comes(5) .(6)
    assert written(Clause(slots, resting)) == (
        "민수가 오면 우리는 쉴 거예요.",
        "We will rest if Minsu comes.",
        "0-4 1-3 1-5 2-0 3-2 4-1 5-6",
    )


def test_when() -> None:
    arriving = Clause(
        {"subject": noun_phrase(noun("민수"), SUBJECT)},
        verb_predicate(verb("오다", MOTION), Form("past", "plain", ending="때")),
    )
    slots = {"setting": clause_chunk(arriving, "when"), "subject": ME}
    resting = verb_predicate(verb("쉬다", INTRANSITIVE), Form("past progressive", "plain", agreement="I"))
    # 민수가(0) 왔을(1) 때(2) 나는(3) 쉬고(4) 있었다(5) .(6)
    # I(0) was(1) resting(2) when(3) Minsu(4) came(5) .(6)
    assert written(Clause(slots, resting)) == (
        "민수가 왔을 때 나는 쉬고 있었다.",
        "I was resting when Minsu came.",
        "0-4 1-5 2-3 3-0 4-2 5-1 6-6",
    )


def test_before() -> None:
    going = Clause(
        {"goal": noun_phrase(noun("학교"), GOAL, preposition="to")},
        verb_predicate(verb("가다", MOTION), Form("present", "plain", ending="전에")),
    )
    slots = {
        "subject": ME,
        "aside": clause_chunk(going, "before"),
        "object": noun_phrase(noun("밥"), OBJECT, bare="a"),
    }
    eating = verb_predicate(verb("먹다"), Form("past", "plain", agreement="I"))
    # 나는(0) 학교에(1) 가기(2) 전에(3) 밥을(4) 먹었다(5) .(6)
    # I(0) ate(1) a(2) meal(3) before(4) going(5) to(6) school(7) .(8)
    assert written(Clause(slots, eating)) == (
        "나는 학교에 가기 전에 밥을 먹었다.",
        "I ate a meal before going to school.",
        "0-0 1-6 1-7 2-5 3-4 4-2 4-3 5-1 6-8",
    )


def test_command_names_nobody() -> None:
    slots = {"object": noun_phrase(noun("책"), OBJECT)}
    form = Form("present", "formal", "않다", "command", honored=True)
    # 책을(0) 읽지(1) 마십시오(2) .(3); Do(0) not(1) read(2) the(3) book(4) .(5)
    assert written(Clause(slots, verb_predicate(verb("읽다"), form))) == (
        "책을 읽지 마십시오.",
        "Do not read the book.",
        "0-3 0-4 1-2 2-0 2-1 3-5",
    )


def test_giving_to_an_elder() -> None:
    slots = {
        "subject": ME,
        "recipient": noun_phrase(noun("선생님"), TO_ELDER, preposition="to"),
        "object": noun_phrase(noun("선물"), OBJECT),
    }
    giving = verb_predicate(humbled(verb("주다", GIVING)), Form("past", "formal", agreement="I"))
    assert written(Clause(slots, giving)) == (
        "나는 선생님께 선물을 드렸습니다.",
        "I gave the present to the teacher.",
        "0-0 1-4 1-5 1-6 2-2 2-3 3-1 4-7",
    )
