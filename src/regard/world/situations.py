"""What goes with what, so that "because", "if", "when", "before" and "and then" make sense.

Each deed is a verb narrowed to what fits: who is tired rests at home, in bad weather nobody plays soccer.
"""

from typing import NamedTuple

from regard.world.adjectives import PREDICATES, Adjective
from regard.world.nouns import Noun, nouns
from regard.world.verb_table import RAIN, SNOW, fitted
from regard.world.verbs import Verb

_HOME = "집 방 거실"
_SHELF = "책 소설 잡지 만화책"


class Outcome(NamedTuple):
    """What somebody does, or (denied) does not or cannot do, in a situation."""

    verb: Verb
    denied: bool = False


def _denied(*verbs: Verb) -> tuple[Outcome, ...]:
    return tuple(Outcome(verb, denied=True) for verb in verbs)


_REST = fitted("쉬다", "rest", places=_HOME)
_RELAX = fitted("쉬다", "rest")
_READ_AT_HOME = fitted("읽다", "read", objects=_SHELF, places=_HOME)
_READ = fitted("읽다", "read", objects=_SHELF, shapes="joined counted")
_NEWS = fitted("읽다", "read", objects="신문 이메일")
_WATCH = fitted("보다", "watch", objects="영화 드라마", places="집 거실")
_TELEVISION = fitted("보다", "watch", objects="텔레비전 뉴스")
_LISTEN_AT_HOME = fitted("듣다", "listen to", objects="음악 라디오", places=_HOME)
_LISTEN = fitted("듣다", "listen to", objects="음악 라디오")
_COOK = fitted("요리하다", "cook", objects="고기 생선 불고기 비빔밥 라면")
_BAKE = fitted("굽다", "bake", objects="빵 케이크")
_LUNCH_MAKING = fitted("준비하다", "prepare", objects="점심")
SPORT = fitted("하다", "play", objects="축구 야구 테니스 배드민턴", places="운동장 공원")
WALK = fitted("걷다", "walk", places="공원 해변 숲 호수")
RUN = fitted("달리다", "run", places="공원 해변 운동장")
RIDE = fitted("타다", "ride", objects="자전거")
_OUT = fitted("가다", "go", goals="공원 시장 동물원")
_SEA = fitted("가다", "go", goals="바다 산 해변 호수")
SWIM = fitted("수영하다", "swim", places="수영장 바다 강")
_MEET = fitted("만나다", "meet", objects="name")
_EXERCISE = fitted("운동하다", "exercise")
_GYM = fitted("운동하다", "exercise", places="체육관 공원 운동장")
_STUDY = fitted("공부하다", "study", objects="language subject")
_SCHOOL = fitted("가다", "go", goals="도서관 수영장 체육관")
_DOCTOR = fitted("가다", "go", goals="병원")
_SLEEP = fitted("자다", "go to bed", manners="일찍")
_BED = fitted("자다", "go to bed", times="noon")
_ASLEEP = fitted("자다", "sleep")
_EAT = fitted("먹다", "eat", objects="snack meal 빵 비빔밥 김밥 라면 국 케이크", shapes="joined counted")
_BREAKFAST = fitted("먹다", "eat", objects="meal 빵 국 사과 바나나 계란", shapes="joined counted")
_BUY_FOOD = fitted("사다", "buy", objects="빵 샌드위치 김밥 떡 만두", places="가게 시장")
_GROCERIES = fitted("사다", "buy", objects="고기 생선 감자 당근 계란 토마토", places="가게 시장")
_RESTAURANT = fitted("가다", "go", goals="식당 카페")
_LUNCH = fitted("먹다", "eat", objects="점심")
_CINEMA = fitted("보다", "watch", objects="영화 연극", places="극장")
_FILM = fitted("보다", "watch", objects="영화 드라마")
_TRIP = fitted("여행하다", "travel", places="country")
_LEARN = fitted("배우다", "learn", objects="language instrument 테니스")
_SHOPPING = fitted("사다", "buy", objects="가방 시계 device clothes", shapes="adjective")
_BIG_SHOPPING = fitted("사다", "buy", objects="furniture car instrument", shapes="adjective")
_CLEAN = fitted("청소하다", "clean", objects="집 방 부엌 거실")
_COOL_DRINK = fitted("마시다", "drink", objects="물 주스 콜라", shapes="counted adjective")
_DRINK = fitted("마시다", "drink", objects="물 우유 주스", shapes="counted")
_MILK = fitted("마시다", "drink", objects="우유 코코아", shapes="counted")
_COFFEE = fitted("마시다", "drink", objects="커피 녹차 홍차", shapes="counted")
_ICE_CREAM = fitted("먹다", "eat", objects="아이스크림 수박")
_SOUP = fitted("먹다", "eat", objects="국 라면")
_REPORT = fitted("끝내다", "finish", objects="보고서")
_HOMEWORK = fitted("하다", "do", objects="숙제")
_FINISH = fitted("끝내다", "finish", objects="숙제")
_SONG = fitted("노래하다", "sing", places="집 공원", manners="크게")
_DANCE = fitted("춤추다", "dance", places="집 공원")
_CALL = fitted("전화하다", "call")
_LETTER = fitted("쓰다", "write", objects="편지 엽서", shapes="counted adjective")
_STORY = fitted("쓰다", "write", objects="편지 엽서 이야기")
_EMAIL = fitted("쓰다", "write", objects="이메일 보고서", shapes="adjective")
_PRACTICE = fitted("연습하다", "practice", objects="instrument")
_DRILL = fitted("연습하다", "practice", objects="축구 농구 테니스 배드민턴")
_WASH_FOOD = fitted("씻다", "wash", objects="토마토 당근 감자 고구마")
_WASH_UP = fitted("씻다", "wash", objects="컵 접시")
_WIPE = fitted("닦다", "wipe", objects="책상 탁자")
_WINDOW = fitted("열다", "open", objects="창문")
_DRAW = fitted("그리다", "draw", objects="꽃 나무 pet 집")
_PHOTO = fitted("찍다", "take", objects="사진")
_HOMEWARDS = fitted("돌아가다", "go back", goals="집")
_TO_WORK = fitted("가다", "go", goals="회사", subjects="named", times="noon")
_TO_SCHOOL = fitted("가다", "go", goals="학교", subjects="pupil", times="noon")
_NEARBY = fitted("가다", "go", goals="도서관 공원 카페 시장 서점 체육관 극장 백화점")
_POST = fitted("가다", "go", goals="우체국")

INSIDE = tuple(map(Outcome, (_REST, _READ_AT_HOME, _WATCH, _LISTEN_AT_HOME)))
OUTSIDE = tuple(map(Outcome, (SPORT, WALK, RUN, RIDE, _OUT, _SEA)))
KEPT_FROM = _denied(SPORT, WALK, RUN, RIDE, _OUT)


def _adjective(korean: str, noun: str = "민수") -> Adjective:
    of_noun = PREDICATES[nouns(noun)[0]]
    return next(found for found in of_noun if found.stem and f"{found.stem.text}다" == korean)


STATES: dict[Adjective, tuple[Outcome, ...]] = {
    _adjective("피곤하다"): (
        *map(Outcome, (_REST, _REST, _SLEEP, _SLEEP)),
        *_denied(_GYM, _STUDY, _COOK, _OUT, SPORT),
    ),
    _adjective("바쁘다"): _denied(_MEET, _READ, _FILM, _COOK, _CLEAN, _EXERCISE, _LUNCH, _TRIP),
    _adjective("아프다"): (
        *map(Outcome, (_DOCTOR, _DOCTOR, _REST, _REST, _SLEEP)),
        *_denied(_SCHOOL, _SCHOOL, _GYM, SPORT),
    ),
    _adjective("배고프다"): tuple(map(Outcome, (_EAT, _EAT, _EAT, _BUY_FOOD, _RESTAURANT, _LUNCH))),
    _adjective("행복하다"): tuple(map(Outcome, (_SONG, _DANCE))),
}
"""What follows from how somebody feels."""

COMMON_STATES = tuple(state for state in STATES for _ in STATES[state])
"""Each state as often as it has outcomes."""

_HOT, _COLD = (_adjective(korean, "날씨") for korean in ("덥다", "춥다"))
_WET = (*INSIDE, *KEPT_FROM)
BAD: dict[Verb | Adjective, tuple[Outcome, ...]] = {
    RAIN: _WET,
    SNOW: _WET,
    _COLD: (*INSIDE, *map(Outcome, (_SOUP, _MILK, _MILK)), *KEPT_FROM),
    _HOT: (*map(Outcome, (SWIM, SWIM, _ICE_CREAM, _COOL_DRINK)), *_denied(SPORT, RUN, WALK)),
    _adjective("나쁘다", "날씨"): _WET,
}
"""What weather makes people do, or keeps them from."""
COMMON_BAD: tuple[Verb | Adjective, ...] = (RAIN, RAIN, RAIN, *BAD)
GOOD = tuple(_adjective(korean, "날씨") for korean in ("좋다", "좋다", "따뜻하다", "시원하다", "맑다"))

QUALITIES: dict[Adjective, tuple[tuple[Verb, bool], ...]] = {
    _adjective("비싸다", "가방"): (
        (fitted("사다", "buy", objects="가방 모자 시계 반지 목걸이 device clothes"), True),
        (fitted("사다", "buy", objects="furniture car instrument"), True),
    ),
    _adjective("싸다", "가방"): (
        (fitted("사다", "buy", objects="가방 모자 device clothes pen"), False),
        (fitted("사다", "buy", objects="고기 케이크"), False),
    ),
    _adjective("예쁘다", "가방"): (
        (fitted("사다", "buy", objects="clothes 인형 반지 목걸이 모자 가방 컵 접시"), False),
    ),
    _adjective("가볍다", "가방"): ((fitted("사다", "buy", objects="가방 우산 카메라 컴퓨터 코트"), False),),
    _adjective("지루하다", "책"): (
        (fitted("읽다", "read", objects="책 소설 잡지 교과서"), True),
        (fitted("보다", "watch", objects="영화 드라마"), True),
    ),
    _adjective("재미있다", "책"): ((fitted("읽다", "read", objects=_SHELF, manners="빨리"), False),),
    _adjective("어렵다", "문제"): ((fitted("풀다", "solve", objects="문제"), True),),
    _adjective("맵다", "김치"): ((fitted("먹다", "eat", objects="김치 라면 국 비빔밥"), True),),
    _adjective("신선하다", "생선"): ((fitted("사다", "buy", objects="생선 고기 우유"), False),),
    _adjective("더럽다", "방"): (
        (fitted("청소하다", "clean", objects="방 부엌 거실 사무실"), False),
        (fitted("씻다", "wash", objects="컵 접시"), False),
        (fitted("닦다", "wipe", objects="창문 책상 탁자"), False),
    ),
}
"""What is done, or (True) not done, with a thing because of how it is."""
HINDRANCES = (_adjective("비싸다", "가방"), _adjective("어렵다", "문제"), _adjective("맵다", "김치"))
"""Qualities because of which something cannot be done; from the others one only refrains."""

CURABLE = tuple(map(_adjective, ("피곤하다", "아프다", "배고프다")))
_DINNER = fitted("먹다", "eat", objects="불고기 비빔밥 만두 김밥 수박 케이크 아이스크림", shapes="joined")
TOGETHER = (_LUNCH, _CINEMA, SPORT, _COOK, _STUDY, _DINNER, _DINNER, _FILM, _COFFEE)
"""What people do when somebody joins them."""
TIME = tuple(
    (verb, "시간이", "time")
    for verb in (_READ_AT_HOME, _CINEMA, _GYM, _LEARN, _TRIP, _COOK, _CLEAN, _MEET, _PRACTICE)
)
MONEY = tuple((verb, "돈이", "money") for verb in (_SHOPPING, _BIG_SHOPPING, _TRIP, _LEARN))

_AT_HOME = (
    _RELAX, _READ, _NEWS, _TELEVISION, _FILM, _LISTEN, _COOK, _BAKE, _LUNCH_MAKING, _CLEAN, _EAT, _LUNCH,
    _ASLEEP, _STORY, _PRACTICE, _HOMEWORK, _DRAW, _WASH_UP, _COFFEE,
)  # fmt: skip
GOING_ON: dict[Noun, tuple[Verb, ...]] = {
    nouns(korean)[0]: deeds
    for korean, deeds in {
        "집": _AT_HOME,
        "도서관": (_READ, _STUDY, _EMAIL, _HOMEWORK),
        "카페": (_READ, _COFFEE, _EMAIL, _RELAX),
        "학교": (_STUDY, _PRACTICE, _DRILL, _DRAW, _LUNCH),
        "교실": (_STUDY, _DRAW, _READ),
        "공원": (_PHOTO, _DRAW, _EXERCISE, _RELAX, _EAT),
        "사무실": (_EMAIL, _COFFEE, _NEWS),
        "식당": (_EAT, _LUNCH, _COFFEE),
    }.items()
}
"""Where somebody comes, and what he may find others doing there."""
PLACES_TO_COME_TO = (*GOING_ON, *nouns("집 집 집 도서관 카페 공원"))
ARRIVALS = {
    place: tuple(
        fitted(korean, english, goals=place.korean)
        for korean, english, goals in (
            ("오다", "come", "집 도서관 카페 학교 교실 공원 사무실 식당"),
            ("돌아오다", "come back", "집 학교 사무실"),
            ("도착하다", "arrive", "도서관 학교 식당"),
        )
        if place.korean in goals.split()
    )
    for place in GOING_ON
}
COMING = (
    fitted("오다", "come", goals="집 카페"),
    fitted("돌아오다", "come back", goals="집"),
    fitted("도착하다", "arrive", goals=""),
)
"""How somebody joins others."""
OUTDOORS = (SPORT, WALK, RUN, SWIM, RIDE)

EARLIER: dict[Verb, tuple[Verb, ...]] = {
    _BED: (_MILK, _READ, _LISTEN, _FINISH, _LETTER, _CALL, _TELEVISION, _WASH_UP, _CLEAN),
    _TO_WORK: (_BREAKFAST, _BREAKFAST, _MILK, _NEWS, _CALL, _CLEAN, _LISTEN, _EXERCISE),
    _TO_SCHOOL: (_BREAKFAST, _BREAKFAST, _MILK, _CALL, _EXERCISE, _HOMEWORK, _FINISH),
    _NEARBY: (_LUNCH, _CALL, _CLEAN, _HOMEWORK, _COFFEE),
    _LUNCH: (_REPORT, _NEWS, _CLEAN, _CALL, _STUDY, _EXERCISE),
    _FILM: (_LUNCH, _CALL, _BUY_FOOD, _FINISH, _MEET),
    _EXERCISE: (_DRINK, _LISTEN, _CALL, _FINISH),
    fitted("수영하다", "swim"): (_EXERCISE, _DRINK, _RELAX),
    _COOK: (_CLEAN, _WASH_FOOD, _WASH_UP, _GROCERIES, _LISTEN),
    _STUDY: (_CLEAN, _WIPE, _RELAX, _COFFEE, _LISTEN, _EXERCISE, _LUNCH),
    fitted("청소하다", "clean", objects="방 거실"): (_WINDOW, _WINDOW, _RELAX, _LUNCH, _LISTEN),
    fitted("여행하다", "travel"): (_REPORT, fitted("사다", "buy", objects="가방 카메라 지도 모자")),
}
"""What comes later, and what is done before it."""

SEQUENCES: dict[Verb, tuple[Verb, ...]] = {
    _EAT: (_COFFEE, _NEARBY, _NEWS, _RELAX, _WASH_UP, _FILM),
    _LUNCH: (_COFFEE, _NEARBY, _RELAX, _NEWS, _STUDY, _FILM),
    _BREAKFAST: (_TO_WORK, _TO_WORK, _TO_SCHOOL, _TO_SCHOOL, _NEARBY, _NEWS),
    _CLEAN: (_RELAX, _COFFEE, _LUNCH, _COOK, _LISTEN, _TELEVISION),
    _STUDY: (_EXERCISE, _RELAX, _LISTEN, _LUNCH, _HOMEWARDS, _TELEVISION),
    _READ: (_BED, _RELAX, _COFFEE),
    _LETTER: (_POST, _POST, _BED, _COFFEE),
    _EMAIL: (_COFFEE, _HOMEWARDS, _LUNCH),
    _HOMEWORK: (_TELEVISION, _BED, _EXERCISE, _RELAX),
    _COOK: (_WASH_UP, fitted("청소하다", "clean", objects="부엌")),
    _EXERCISE: (_DRINK, _RELAX, _HOMEWARDS, _LUNCH, _COOL_DRINK),
    _DRILL: (_DRINK, _RELAX, _HOMEWARDS),
    _PRACTICE: (_RELAX, _COFFEE, _HOMEWORK),
    fitted("수영하다", "swim"): (_LUNCH, _RELAX, _HOMEWARDS),
}
"""What is done first, and what then."""
