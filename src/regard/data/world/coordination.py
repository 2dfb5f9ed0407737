"""Sentences of two parts joined by -고 (and) or -지만 (but)."""

from collections.abc import Callable

from regard.data.world.adjectives import ADJECTIVES, PREDICATES, Adjective
from regard.data.world.adverbs import Tense
from regard.data.world.conjugation import Ending, connective
from regard.data.world.dice import Weighted
from regard.data.world.event import Event, enact, form_labels
from regard.data.world.hangul import GOAL
from regard.data.world.heldout import held_out
from regard.data.world.nouns import Noun, nouns
from regard.data.world.participants import place, thing_object
from regard.data.world.phrase import Chunk, words
from regard.data.world.predicate import Form, Negation, adjective_predicate, verb_predicate
from regard.data.world.scene import Scene
from regard.data.world.sentence import Clause
from regard.data.world.states import describe, description_form
from regard.data.world.verbs import INTRANSITIVE, MOTION, TRANSITIVE, Verb

_LINKED_TENSES: Weighted[Tense] = Weighted({"past": 45, "present": 20, "future": 20, "progressive": 15})
_SEQUENCE_TENSES: Weighted[Tense] = Weighted({"past": 55, "present": 20, "future": 25})
# Two people must be able to do it, so verbs with few possible subjects stay out; so does 그리다, whose
# 그리고, "draws and", is also the word "and".
_SHARED = tuple(
    verb
    for verb in (*TRANSITIVE, *INTRANSITIVE)
    if verb.habitual and not verb.agents and verb.times != "year" and verb.stem.text not in ("그리", "자")
)
DOINGS = tuple(verb for verb in _SHARED if verb.aspect == "activity" and verb.gives_to is None)
"""What anybody may be said to do beside what somebody else does."""
_CONTRASTED = tuple(
    verb for verb in _SHARED if verb.aspect in ("activity", "state") and verb.denied and verb.objects
)


def _verbs(options: tuple[Verb, ...], stems: str) -> tuple[Verb, ...]:
    return tuple(verb for verb in options if verb.stem.text in stems.split())


_FIRST = tuple(
    verb for verb in _verbs(TRANSITIVE, "먹 마시 읽 쓰 듣 청소하 공부하 연습하") if verb.subjects == "human"
)
_THEN = (
    *(
        verb
        for verb in _verbs(TRANSITIVE, "먹 마시 읽 쓰 듣 청소하 공부하 연습하 요리하 연주하 만나 사 하 배우")
        if (verb.english, verb.subjects) != ("buy", "adult")  # nobody buys a sofa in passing
    ),
    *_verbs(MOTION, "가"),
    *_verbs(MOTION, "가"),
)


_THEMES = tuple(
    frozenset(stems.split())
    for stems in (
        "읽 쓰 공부하 배우 연습하 풀 준비하 끝내 가르치 그리 듣",
        "먹 마시 만들 굽 요리하 자르 씻 닦 청소하 보 듣 쉬 준비하",
        "걷 달리 운동하 수영하 하 던지 타 심 찍 구경하 춤추 노래하 부르 연주하",
        "일하 팔 고치 운전하 돕 기다리 쓰 준비하",
    )
)
"""Stems of what is done at the same desk, at home, at leisure or at work."""


def _beside(verb: Verb) -> tuple[Verb, ...]:
    themes = [theme for theme in _THEMES if verb.stem.text in theme]
    return tuple(
        other
        for other in DOINGS
        if other.english != verb.english and any(other.stem.text in theme for theme in themes)
    )


_BESIDE = {verb: _beside(verb) for verb in DOINGS}
"""What somebody else may do meanwhile, so that the two clauses have something in common."""

_STATE_CONTRASTS: Weighted[Tense] = Weighted({"past": 1, "present": 2})
_EVENT_CONTRASTS: Weighted[Tense] = Weighted({"past": 2, "present": 1, "future": 1})


def side_by_side(scene: Scene) -> list[Clause]:
    """Two people do two things: 나는 책을 읽었고, 민수는 음악을 들었다."""
    tense = scene.dice.weighted(_LINKED_TENSES)
    room = scene.room
    scene.room = room // 2
    first = enact(scene, scene.dice.pick(DOINGS), tense=tense, timed=True)
    scene.room += room - room // 2
    other = scene.dice.pick(_BESIDE[first.verb])
    # One time is enough for both, and two could contradict each other.
    second = enact(scene, other, tense=tense, other=first.subject)
    return _joined(first.clause("고"), "and", second.clause())


def contrast(scene: Scene) -> list[Clause]:
    """One does what another does not: 민수는 고기를 먹었지만, 지영은 고기를 먹지 않았다."""
    dice = scene.dice
    verb = dice.pick(_CONTRASTED)
    tense = scene.choose_tense(_STATE_CONTRASTS if verb.aspect == "state" else _EVENT_CONTRASTS)
    scene.room -= 3  # the second clause: subject, object and the negation
    scene.nested = False  # the object is said twice
    first = enact(scene, verb, tense=tense, timed=True)
    negation: Negation = "안" if len(verb.stem.text) == 1 and dice.chance(0.4) else "않다"
    scene.room += 3
    second = Event(scene, verb, ask=False, tense=tense, negation=negation, topic=True)
    second.choose_subject(first.subject)
    second.slots["object"] = first.slots["object"]
    return _joined(first.clause("지만"), "but", second.clause())


def _joined(first: Clause, conjunction: str, second: Clause) -> list[Clause]:
    second.conjunction = conjunction
    second.labels.update(("clause coordination", "-고" if conjunction == "and" else "-지만"))
    return [first, second]


def sequence(scene: Scene) -> list[Clause]:
    """Somebody does one thing and then another: 나는 밥을 먹고 학교에 갔다."""
    dice = scene.dice
    first, then = dice.pick(_FIRST), dice.pick(_THEN)
    while then.stem.text == first.stem.text:
        then = dice.pick(_THEN)
    tense = dice.weighted(_SEQUENCE_TENSES)
    event = Event(scene, then, ask=False, tense=tense, negation="", topic=True)
    event.times = "day"  # what follows at once does not take a year
    scene.room -= 2  # the first verb and its object
    subject = event.choose_subject()
    if then.goals:
        scene.room -= 1
        event.put("goal", place(scene, dice.pick(_NEARBY), GOAL, then.goal_preposition))
    else:
        event.choose_object()
    event.circumstances()
    done = thing_object(scene, first, subject=subject.who)
    while "object" in event.slots and done.chunk.korean[-1] == event.slots["object"].korean[-1]:
        done = thing_object(scene, first, subject=subject.who)  # not "eats ramen and cooks ramen"
    stem = first.honored if subject.honored and first.honored else first.stem
    at = len(done.chunk.korean)
    # English inflects both verbs; only in the future does "will" serve both.
    said = verb_predicate(first, Form(event.tense, "plain", agreement=subject.agreement)).main
    verb = tuple((text, (at,)) for text, _ in said)
    event.slots["first"] = Chunk(
        (*done.chunk.korean, connective(stem, "고")), verb + done.chunk.english + words("and", at)
    )
    event.labels.update(("sequence", "-고", *done.labels))
    return [event.clause()]


def two_qualities(scene: Scene) -> list[Clause]:
    """Something is this and that, or this but that: 이 가방은 예쁘지만 비싸다."""
    dice = scene.dice
    subject, one = describe(scene)
    scene.room -= 2
    tense: Tense = dice.pick(("past", "present", "present"))
    fitting = PREDICATES[subject.who] if isinstance(subject.who, Noun) else _PASSING
    others = tuple(other for other in fitting if _compatible(one, other))
    form = description_form(scene, subject, tense, "")
    slots = {"subject": subject.chunk}
    labels = {"adjective", *subject.labels, *form_labels(form)}
    if isinstance(subject.who, Noun):
        labels.update(held_out(one, subject.who))
    if others:
        other = dice.pick(others)
        if isinstance(subject.who, Noun):
            labels.update(held_out(other, subject.who))
        ending: Ending = "지만" if one.tone * other.tone < 0 else "고"
        slots["first"] = _quality(one, form, ending)
        labels.update(("adjective coordination", f"-{ending}"))
        one = other
    return [Clause(slots, adjective_predicate(one, form), labels=labels)]


def _compatible(one: Adjective, other: Adjective) -> bool:
    if "fame" in (one.scale, other.scale) or one.passing != other.passing:
        return False
    return one.scale != other.scale and (one.tone != 0 or other.tone != 0)


def _quality(adjective: Adjective, form: Form, ending: Ending) -> Chunk:
    tense = _tense_before(ending, form.tense)
    predicate = adjective_predicate(adjective, form._replace(ending=ending, tense=tense))
    conjunction = "but" if ending == "지만" else "and"
    return Chunk(predicate.korean, predicate.main + words(conjunction, 0))


def _tense_before(ending: Ending, tense: Tense) -> Tense:
    """-고 leaves the tense to the last adjective, -지만 does not: 크고 무거웠다, 예뻤지만 비쌌다."""
    return "present" if ending == "고" else tense


_NEARBY = nouns("학교 도서관 공원 카페 시장 회사 병원 서점 체육관 극장 백화점 은행")
_PASSING = tuple(adjective for adjective in ADJECTIVES if adjective.passing)

COORDINATIONS: dict[Callable[[Scene], list[Clause]], tuple[float, int]] = {
    side_by_side: (34, 4),
    contrast: (20, 7),
    sequence: (28, 5),
    two_qualities: (18, 3),
}
"""Each kind with its odds, and the words of its shortest sentence."""
