"""Which deeds go with which situation, so that "because", "if", "when" and "before" make sense.

Each deed is a verb narrowed to what fits: who is tired rests at home, in bad weather nobody plays soccer.
"""

from typing import NamedTuple

from regard.data.world.adjectives import ADJECTIVES, Adjective
from regard.data.world.phrase import chunk
from regard.data.world.verbs import RAIN, SNOW, Verb, fitted

_HOME = "집 방 거실"


class Outcome(NamedTuple):
    """What somebody does, or (denied) does not or cannot do, in a situation."""

    verb: Verb
    denied: bool = False


_REST = fitted("쉬다", "rest", places=_HOME)
_READ = fitted("읽다", "read", objects="책 소설 잡지 만화책 신문", places=_HOME)
_WATCH = fitted("보다", "watch", objects="영화 드라마 텔레비전", places="집 거실")
_LISTEN = fitted("듣다", "listen to", objects="음악 라디오", places=_HOME)
_COOK = fitted("요리하다", "cook", objects="고기 생선 불고기 비빔밥 라면")
SPORT = fitted("하다", "play", objects="축구 야구 테니스 배드민턴", places="운동장 공원")
WALK = fitted("걷다", "walk", places="공원 해변 숲 호수")
RUN = fitted("달리다", "run", places="공원 해변 운동장")
RIDE = fitted("타다", "ride", objects="자전거")
_OUT = fitted("가다", "go", goals="공원 해변 시장 호수 동물원")
SWIM = fitted("수영하다", "swim", places="수영장 바다 강")
_MEET = fitted("만나다", "meet", objects="name")
_EXERCISE = fitted("운동하다", "exercise", places="체육관 공원 운동장")
_STUDY = fitted("공부하다", "study", objects="language subject")
_TO_WORK = fitted("가다", "go", goals="학교 도서관 수영장")
_BACK = fitted("돌아오다", "come back", goals="집", manners="일찍 늦게")
_DOCTOR = fitted("가다", "go", goals="병원")
_SLEEP = fitted("자다", "sleep", manners="일찍")
_EAT = fitted("먹다", "eat", objects="snack 밥 빵 비빔밥 김밥 라면 국 케이크")
_BUY_FOOD = fitted("사다", "buy", objects="빵 샌드위치 김밥 떡 만두", places="가게 시장")
_RESTAURANT = fitted("가다", "go", goals="식당 카페")
_LUNCH = fitted("먹다", "eat", objects="점심")
_CINEMA = fitted("보다", "watch", objects="film", places="극장")
_TRIP = fitted("여행하다", "travel", places="country")
_LEARN = fitted("배우다", "learn", objects="language 피아노 기타 테니스")
_SHOPPING = fitted("사다", "buy", objects="book bag gift device clothes flower")
_CLEAN = fitted("청소하다", "clean")
_DRINK = fitted("마시다", "drink", objects="물 우유 주스 콜라 코코아")
_REPORT = fitted("끝내다", "finish", objects="보고서")
_SONG = fitted("노래하다", "sing", places="집 방 공원", manners="크게")
_DANCE = fitted("춤추다", "dance", places="집 거실 공원")
INSIDE = tuple(map(Outcome, (_REST, _READ, _WATCH, _LISTEN)))
OUTSIDE = tuple(map(Outcome, (SPORT, WALK, RUN, RIDE, _OUT)))
KEPT_FROM = tuple(Outcome(verb, denied=True) for verb in (SPORT, WALK, RUN, RIDE, _OUT))


def _adjective(korean: str) -> Adjective:
    return next(found for found in ADJECTIVES if found.stem and f"{found.stem.text}다" == korean)


STATES: dict[Adjective, tuple[Outcome, ...]] = {
    _adjective("피곤하다"): (
        *map(Outcome, (_REST, _REST, _SLEEP, _SLEEP, _LISTEN, _BACK)),
        *(Outcome(verb, denied=True) for verb in (_EXERCISE, _STUDY, _COOK, _OUT, SPORT)),
    ),
    _adjective("바쁘다"): tuple(
        Outcome(verb, denied=True)
        for verb in (_MEET, _READ, _CINEMA, _COOK, _CLEAN, _EXERCISE, _LUNCH, _TRIP)
    ),
    _adjective("아프다"): (
        *map(Outcome, (_DOCTOR, _DOCTOR, _REST, _REST, _SLEEP)),
        *(Outcome(verb, denied=True) for verb in (_TO_WORK, _TO_WORK, _EXERCISE, SPORT)),
    ),
    _adjective("배고프다"): tuple(map(Outcome, (_EAT, _EAT, _EAT, _BUY_FOOD, _RESTAURANT, _LUNCH))),
    _adjective("행복하다"): tuple(map(Outcome, (_SONG, _DANCE))),
}
"""What follows from how somebody feels."""

BAD: tuple[Verb | Adjective, ...] = (
    RAIN,
    RAIN,
    RAIN,
    SNOW,
    _adjective("춥다"),
    _adjective("덥다"),
)
GOOD: tuple[Verb | Adjective, ...] = tuple(map(_adjective, ("따뜻하다", "시원하다", "맑다")))

QUALITIES: dict[Adjective, tuple[tuple[Verb, bool], ...]] = {
    _adjective("비싸다"): ((fitted("사다", "buy", objects="book bag gift device clothes instrument"), True),),
    _adjective("싸다"): ((fitted("사다", "buy", objects="book bag device clothes pen 딸기 고기"), False),),
    _adjective("예쁘다"): (
        (fitted("사다", "buy", objects="flower clothes 인형 반지 목걸이 모자 가방 컵 접시"), False),
    ),
    _adjective("지루하다"): (
        (fitted("읽다", "read", objects="책 소설 잡지 교과서"), True),
        (fitted("보다", "watch", objects="film"), True),
    ),
    _adjective("어렵다"): ((fitted("풀다", "solve"), True),),
    _adjective("맵다"): ((fitted("먹다", "eat", objects="김치 라면 국 비빔밥 만두"), True),),
    _adjective("맛있다"): ((fitted("먹다", "eat", objects="snack dish"), False),),
    _adjective("더럽다"): ((_CLEAN, False), (fitted("씻다", "wash", objects="컵 접시"), False)),
}
"""What is done, or (True) not done, with a thing because of how it is."""
HINDRANCES = tuple(map(_adjective, ("비싸다", "어렵다", "맵다")))
"""Qualities because of which something cannot be done; from the others one only refrains."""

REPORTS = (
    chunk("어제", "yesterday"),
    chunk("그저께", "the day before yesterday"),
    chunk("일요일에", "on Sunday"),
    chunk("토요일에", "on Saturday"),
)
FORECASTS = (
    chunk("내일", "tomorrow"),
    chunk("모레", "the day after tomorrow"),
    chunk("오늘", "today"),
    chunk("일요일에", "on Sunday"),
    chunk("토요일에", "on Saturday"),
)

CURABLE = tuple(map(_adjective, ("피곤하다", "아프다", "배고프다")))
TOGETHER = (_LUNCH, _CINEMA, SPORT, _COOK, _STUDY, _SONG, _DRINK, _EAT)
TIME = tuple(
    (verb, "시간이", "time") for verb in (_READ, _CINEMA, _EXERCISE, _LEARN, _TRIP, _COOK, _CLEAN, _MEET)
)
MONEY = tuple((verb, "돈이", "money") for verb in (_SHOPPING, _SHOPPING, _TRIP, _LEARN))

ARRIVALS = (
    fitted("오다", "come", goals="학교 도서관 사무실 공원 집 카페 식당 회사"),
    fitted("도착하다", "arrive", goals="학교 도서관 식당 병원 회사 역 호텔"),
    fitted("돌아오다", "come back", goals="학교 사무실 집 회사"),
)

GOING_ON = (
    _REST,
    _READ,
    _WATCH,
    _LISTEN,
    _COOK,
    _STUDY,
    _CLEAN,
    _EXERCISE,
    _SONG,
    _DANCE,
    _EAT,
    _LUNCH,
    _DRINK,
    fitted("쓰다", "write", objects="편지 엽서 이야기"),
    fitted("자다", "sleep", places="방 거실"),
    fitted("굽다", "bake"),
    fitted("연습하다", "practice", objects="노래 instrument"),
    fitted("그리다", "draw"),
)
"""What somebody may be found doing."""

LATER = (
    fitted("자다", "sleep"),
    fitted("가다", "go", goals="학교 회사 도서관 시장 공원 병원 체육관 극장"),
    fitted("먹다", "eat", objects="점심 밥"),
    fitted("보다", "watch", objects="영화 연극 드라마"),
    _EXERCISE,
    fitted("수영하다", "swim"),
    fitted("요리하다", "cook", objects="불고기 비빔밥 라면 생선"),
    fitted("공부하다", "study"),
    fitted("청소하다", "clean", objects="방 부엌 거실"),
)
EARLIER = (
    fitted("먹다", "eat", objects="snack 빵 샐러드 초콜릿"),
    _DRINK,
    fitted("읽다", "read", objects="책 소설 신문 잡지"),
    fitted("듣다", "listen to", objects="음악 라디오 노래"),
    fitted("쓰다", "write", objects="편지 엽서"),
    fitted("전화하다", "call"),
    fitted("씻다", "wash", objects="컵 접시 사과 딸기"),
    fitted("쉬다", "rest"),
    _MEET,
    _REPORT,
    fitted("닦다", "wipe", objects="책상 탁자 창문"),
)
