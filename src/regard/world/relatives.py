"""Relative clauses: 내가 어제 산 책, "the book that I bought yesterday"; 서울에서 일하는 의사, "the doctor
who works in Seoul".

The noun takes "the", also where it would be bare (mass nouns, kinds: "the apples that I bought"). "that"
(things, animals) and "who" (people) go to the verb before the noun. -는 is the simple present, -고 있는 the
progressive, -ㄴ the past and -ㄹ "will". What is made or bought is then used: the tables say which verb may
lie behind which.
"""

from typing import NamedTuple

from regard.world.adverbs import (
    DAY_AFTER_TOMORROW,
    DAY_BEFORE_YESTERDAY,
    LAST_WEEK,
    NEXT_WEEK,
    TOMORROW,
    YESTERDAY,
    Tense,
)
from regard.world.english import Agreement
from regard.world.hangul import HONORED, OBJECT, PLACE, SUBJECT, Particle
from regard.world.heldout import held_out
from regard.world.nouns import KINDS, Noun, nouns
from regard.world.objects import complements
from regard.world.participants import (
    FIRST_PERSON,
    HE,
    KIN,
    NAMES,
    SHE,
    THEY,
    WE,
    Participant,
    Pronoun,
    may_be_same,
    pronoun_subject,
    speaker,
)
from regard.world.phrase import chunk, noun_phrase, with_relative
from regard.world.predicate import Form, verb_predicate
from regard.world.scene import Scene
from regard.world.sentence import Clause, clause_chunk
from regard.world.verb_table import GIVING, TRANSITIVE, fitted
from regard.world.verbs import Verb

_ELDERS = nouns("elder")
_OWN_ELDERS = nouns("elder elder_kin")
_PROFESSIONS = nouns("profession")
_PAST_TIMES = (YESTERDAY, DAY_BEFORE_YESTERDAY, LAST_WEEK)
_FUTURE_TIMES = (TOMORROW, DAY_AFTER_TOMORROW, NEXT_WEEK)
_TO_ME = (chunk("나에게", "to me"), chunk("저에게", "to me"))
_TO_HER = chunk("그녀에게", "to her")


def embedded_subject(
    scene: Scene, main: Participant | None = None, *, working: bool = True, elder: bool = True
) -> Participant:
    """Choose the subject of a clause inside another, marked 이/가 (or 께서); not the main clause's own.

    working: people known by their profession may be chosen
    elder:   people spoken of with honorifics may be chosen
    """
    found = _embedded_subject(scene, main, working)
    while (main and may_be_same(found, main)) or (found.honored and not elder):
        found = _embedded_subject(scene, main, working)
    return found


def _embedded_subject(scene: Scene, main: Participant | None, working: bool) -> Participant:
    dice = scene.dice
    # Bare kin is the speaker's own, which another main subject would make doubtful.
    own = main is None or main.who in FIRST_PERSON
    source = dice.pick(("pronoun", "pronoun", "name", "name", "name", "kin", "elder", "profession"))
    if source == "pronoun":
        pronoun: Pronoun = dice.pick((speaker(scene), speaker(scene), WE, HE, SHE, THEY))
        return pronoun_subject(pronoun, topic=False)
    if source == "elder":
        noun = dice.pick(_OWN_ELDERS if own else _ELDERS)
        phrase = noun_phrase(noun, HONORED if dice.chance(0.5) else SUBJECT)
        return Participant(phrase, noun, honored=True, labels=("honorific",))
    if source == "kin" and own:
        noun = dice.pick(KIN)
    else:
        noun = dice.pick(_PROFESSIONS if source == "profession" and working else NAMES)
    return Participant(noun_phrase(noun, SUBJECT), noun)


_AFTER_DOING = {
    "읽": "쓰 사 빌리 주 보내 좋아하",
    "먹": "만들 굽 사 요리하 좋아하 주",
    "마시": "사 좋아하 주",
    "보": "만들 그리 찍 좋아하",
    "듣": "부르 쓰 좋아하",
    "부르": "쓰 좋아하",
    "좋아하": "만들 쓰 그리 굽 요리하 부르",
    "싫어하": "만들 요리하",
    "기억하": "부르 쓰",
    "모르": "부르 쓰",
    "알": "부르 쓰",
    "자르": "사 만들 굽",
    "타": "사 고치 빌리",
    "운전하": "사 고치",
    "고치": "사 만들",
    "잃어버리": "사 주 빌리",
    "빌리": "쓰 좋아하",
    "연습하": "좋아하",
    "팔": "만들 굽 심",
}
"""The verb of the clause, and the verbs that may come before it: one reads what another wrote."""

_FOR_LATER = {"사": "읽 먹 마시", "빌리": "읽", "만들": "먹", "굽": "먹", "요리하": "먹"}
"""The verb of the clause, and what will be done with its object: one buys what another will read."""

_BEHIND = "사 만들 굽 쓰 그리 빌리 주 보내 읽 보 듣 부르 심 좋아하 요리하"
"""What may lie behind a thing that is only described."""


class _Deed(NamedTuple):
    """A verb in a tense, and the nouns it can be said of."""

    verb: Verb
    tense: Tense
    nouns: tuple[Noun, ...]


def _deeds(stems: str, tense: Tense, shared: tuple[Noun, ...]) -> list[_Deed]:
    found = []
    for verb in (*TRANSITIVE, *GIVING):
        common = tuple(noun for noun in shared if noun in verb.objects and noun.article not in ("none", "my"))
        fits = verb.stem.text in stems.split() and verb.english not in ("see", "look at", "draw")
        if verb.aspect == "state":  # food is liked, but not this piece of it
            common = tuple(noun for noun in common if noun.article == "the")
        if fits and common:
            found.append(_Deed(verb, "present" if verb.aspect == "state" else tense, common))
    return found


_DEEDS: dict[Verb, tuple[_Deed, ...]] = {
    verb: tuple(
        _deeds(_AFTER_DOING.get(verb.stem.text, ""), "past", verb.objects)
        + _deeds(_FOR_LATER.get(verb.stem.text, ""), "future", verb.objects)
    )
    for verb in TRANSITIVE  # beside a receiver it would be open to whose clause he belongs
}
_DEEDS_BEHIND: dict[Noun, tuple[_Deed, ...]] = {
    noun: tuple(_deeds(_BEHIND, "past", (noun,))) for noun in KINDS if KINDS[noun] not in ("car", "opening")
}


def relative_object(
    scene: Scene, verb: Verb, subject: Participant | None, *, ahead: bool
) -> Participant | None:
    """Choose an object by what somebody else did with it, or (`ahead`) will do; None if nothing fits."""
    deeds = _DEEDS.get(verb, ())
    if not deeds:
        return None
    deed = scene.dice.pick(deeds)
    if deed.tense == "future" and not ahead:
        return None
    found = _done_to(scene, deed, noun := scene.dice.pick(deed.nouns), OBJECT, subject)
    return found._replace(labels=(*found.labels, *held_out(verb, noun)))


def relative_thing(scene: Scene, noun: Noun, particle: Particle) -> Participant | None:
    """Describe a thing by what somebody did with it; None if nothing fits it."""
    deeds = _DEEDS_BEHIND.get(noun, ())
    return _done_to(scene, scene.dice.pick(deeds), noun, particle, None) if deeds else None


def _done_to(
    scene: Scene, deed: _Deed, noun: Noun, particle: Particle, main: Participant | None
) -> Participant:
    dice, verb = scene.dice, deed.verb
    who = embedded_subject(scene, main, working=verb.aspect != "state")
    scene.room -= 2
    slots = {"subject": who.chunk}
    labels = {"relative clause", *who.labels, *held_out(verb, noun)}
    if deed.tense == "past" and scene.afford(1, 0.45):
        # Food does not keep for a week.
        slots["time"] = dice.pick(_PAST_TIMES if noun.article == "the" else _PAST_TIMES[:1])
        labels.add("time")
    if deed.tense == "past" and verb.places and verb.gives_to is None and scene.afford(1, 0.3):
        where = dice.pick(verb.places)
        preposition = verb.place_preposition or where.preposition
        slots["place"] = noun_phrase(where, PLACE, preposition=preposition)
        labels.add("place")
    if verb.gives_to is not None:
        slots["recipient"] = _TO_HER if who.who in FIRST_PERSON else _TO_ME[scene.humble]
    form = Form(deed.tense, "plain", "", "adnominal", who.honored, who.agreement)
    relative = clause_chunk(Clause(slots, verb_predicate(verb, form)), "that")
    several = noun.article == "kind"
    phrase = noun_phrase(noun, particle, bare="several" if several else "subject")
    agreement: Agreement = "plural" if several else "singular"
    return Participant(with_relative(phrase, relative), noun, agreement, labels=tuple(labels))


_YOUNG = "소년 소녀 아이"
_GROWN = "여자 남자 이웃"
_TRADES = "의사 간호사 요리사 가수 화가 작가 기자 배우 변호사 과학자 기술자 회사원 음악가 무용가 통역사"


def _deed(verb: str, people: str, tense: Tense = "present") -> _Deed:
    return _Deed(fitted(verb), tense, nouns(people))


_CHARACTERS = (
    _deed("일하다 work: places city", f"{_GROWN} {_TRADES}"),
    _deed("살다 live: places city 마을 시골", f"{_YOUNG} {_GROWN} {_TRADES}"),
    _deed("공부하다 study: objects language subject", f"학생 대학생 {_YOUNG} {_GROWN}"),
    _deed("배우다 learn: objects language 테니스", f"학생 대학생 {_YOUNG} {_GROWN} {_TRADES}"),
    _deed("가르치다 teach: objects language subject", _GROWN),
    _deed("좋아하다 like: objects flower pet sport 음악 영화 커피", f"{_GROWN} {_TRADES}"),
    _deed("팔다 sell: objects snack flower clothes book", _GROWN),
    _deed("연주하다 play: objects instrument", f"소년 소녀 {_GROWN}"),
    _deed("오다 come: goals; sources city country", f"손님 학생 {_TRADES}", "past"),
    _deed("오다 come: goals city country", f"손님 학생 {_TRADES}", "future"),
)
"""What people are known by, whatever else is said of them."""

_SIGHTS = (
    _deed("노래하다 sing: places 공원 극장", f"가수 {_YOUNG} {_GROWN}", "progressive"),
    _deed("춤추다 dance: places 극장 공원", f"무용가 {_YOUNG} {_GROWN}", "progressive"),
    _deed(
        "읽다 read: objects 책 소설 잡지 만화책; places 도서관 카페 공원",
        f"학생 대학생 {_YOUNG} {_GROWN}",
        "progressive",
    ),
    _deed("그리다 draw: objects 꽃 나무 건물", f"화가 {_YOUNG} {_GROWN}", "progressive"),
    _deed("놀다 play: places 공원 정원 운동장", f"{_YOUNG} 강아지 고양이 토끼", "progressive"),
    _deed("자다 sleep: places 방 거실", "아이 강아지 고양이", "progressive"),
    _deed("날다 fly", "bird", "progressive"),
)
"""What somebody is seen doing now."""


def _by_noun(deeds: tuple[_Deed, ...]) -> dict[Noun, tuple[_Deed, ...]]:
    return {
        noun: tuple(deed for deed in deeds if noun in deed.nouns) for deed in deeds for noun in deed.nouns
    }


_KNOWN_BY = _by_noun(_CHARACTERS)
_SEEN = _by_noun((*_CHARACTERS, *_SIGHTS))
_KNOWN = tuple(_KNOWN_BY)
_KNOWN_ADULTS = tuple(noun for noun in _KNOWN if noun not in nouns(f"학생 {_YOUNG}"))


def relative_person(
    scene: Scene, particle: Particle, *, adult: bool = False, ahead: bool = False
) -> Participant:
    """Choose somebody known by what he does: 서울에서 일하는 의사; `ahead`: also by what he will do."""
    noun = scene.dice.pick(_KNOWN_ADULTS if adult else _KNOWN)
    deeds = _KNOWN_BY[noun]
    deed = scene.dice.pick(deeds)
    while deed.tense == "future" and not ahead:
        deed = scene.dice.pick(deeds)
    return _doer(scene, deed, noun, particle)


def relative_doer(scene: Scene, noun: Noun, particle: Particle) -> Participant | None:
    """Describe somebody by what he does, also right now; None if nothing fits the noun."""
    deeds = _SEEN.get(noun, ())
    return _doer(scene, scene.dice.pick(deeds), noun, particle) if deeds else None


def _doer(scene: Scene, deed: _Deed, noun: Noun, particle: Particle) -> Participant:
    dice, verb, tense = scene.dice, deed.verb, deed.tense
    many = dice.chance(0.2)
    scene.room -= 1
    slots, labels = complements(dice, verb, tense)
    labels.add("relative clause")
    if verb.sources:
        slots["source"] = noun_phrase(dice.pick(verb.sources), PLACE, preposition="from")
        labels.add("source")
    if verb.places:
        where = dice.pick(verb.places)
        slots["place"] = noun_phrase(where, verb.at, preposition=where.preposition)
        labels.add("place")
    scene.room -= len(slots)
    if tense in ("past", "future") and scene.afford(1, 0.5):
        slots["time"] = dice.pick(_PAST_TIMES if tense == "past" else _FUTURE_TIMES)
        labels.add("time")
    form = Form(tense, "plain", "", "adnominal", agreement="plural" if many else "singular")
    human = noun.counter != "마리"
    relative = clause_chunk(Clause(slots, verb_predicate(verb, form)), "who" if human else "that")
    if many:
        labels.add("plural")
    phrase = with_relative(noun_phrase(noun, particle, bare="subject", many=many), relative)
    return Participant(phrase, noun, form.agreement, labels=tuple(labels))
