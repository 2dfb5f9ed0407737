"""What goes with what, so that "because", "if", "when", "before" and "and then" make sense.

Each deed is a verb narrowed to what fits: who is tired rests at home, in bad weather nobody plays soccer. The
tables call the deeds by their names; a deed with a minus before it is not, or cannot be, done.
"""

from typing import NamedTuple

from regard.world.adjectives import PREDICATES, Adjective
from regard.world.nouns import Noun, nouns
from regard.world.table import entries
from regard.world.verb_table import RAIN, SNOW, fitted
from regard.world.verbs import Verb

_HOME = "집 방 거실"
_SHELF = "책 소설 잡지 만화책"
_TABLE = f"""
rest = 쉬다 rest: places {_HOME}
relax = 쉬다 rest
read_at_home = 읽다 read: objects {_SHELF}; places {_HOME}
read = 읽다 read: objects {_SHELF}; shapes joined counted
news = 읽다 read: objects 신문 이메일
watch = 보다 watch: objects 영화 드라마; places 집 거실
television = 보다 watch: objects 텔레비전 뉴스
listen_at_home = 듣다 listen to: objects 음악 라디오; places {_HOME}
listen = 듣다 listen to: objects 음악 라디오
cook = 요리하다 cook: objects 고기 생선 불고기 비빔밥 라면
bake = 굽다 bake: objects 빵 케이크
lunch_making = 준비하다 prepare: objects 점심
sport = 하다 play: objects 축구 야구 테니스 배드민턴; places 운동장 공원
walk = 걷다 walk: places 공원 해변 숲 호수
run = 달리다 run: places 공원 해변 운동장
ride = 타다 ride: objects 자전거
out = 가다 go: goals 공원 시장 동물원
sea = 가다 go: goals 바다 산 해변 호수
swim = 수영하다 swim: places 수영장 바다 강
meet = 만나다 meet: objects name
exercise = 운동하다 exercise
gym = 운동하다 exercise: places 체육관 공원 운동장
study = 공부하다 study: objects language subject
school = 가다 go: goals 도서관 수영장 체육관
doctor = 가다 go: goals 병원
sleep = 자다 go to bed: manners 일찍
bed = 자다 go to bed, times=noon
asleep = 자다 sleep
eat = 먹다 eat: objects snack meal 빵 비빔밥 김밥 라면 국 케이크; shapes joined counted
breakfast = 먹다 eat: objects meal 빵 국 사과 바나나 계란; shapes joined counted
buy_food = 사다 buy: objects 빵 샌드위치 김밥 떡 만두; places 가게 시장
groceries = 사다 buy: objects 고기 생선 감자 당근 계란 토마토; places 가게 시장
restaurant = 가다 go: goals 식당 카페
lunch = 먹다 eat: objects 점심
cinema = 보다 watch: objects 영화 연극; places 극장
film = 보다 watch: objects 영화 드라마
trip = 여행하다 travel: places country
learn = 배우다 learn: objects language instrument 테니스
shopping = 사다 buy: objects 가방 시계 device clothes; shapes adjective
big_shopping = 사다 buy: objects furniture car instrument; shapes adjective
clean = 청소하다 clean: objects 집 방 부엌 거실
cool_drink = 마시다 drink: objects 물 주스 콜라; shapes counted adjective
drink = 마시다 drink: objects 물 우유 주스; shapes counted
milk = 마시다 drink: objects 우유 코코아; shapes counted
coffee = 마시다 drink: objects 커피 녹차 홍차; shapes counted
ice_cream = 먹다 eat: objects 아이스크림 수박
soup = 먹다 eat: objects 국 라면
report = 끝내다 finish: objects 보고서
homework = 하다 do: objects 숙제
finish = 끝내다 finish: objects 숙제
song = 노래하다 sing: places 집 공원; manners 크게
dance = 춤추다 dance: places 집 공원
call = 전화하다 call
letter = 쓰다 write: objects 편지 엽서; shapes counted adjective
story = 쓰다 write: objects 편지 엽서 이야기
email = 쓰다 write: objects 이메일 보고서; shapes adjective
practice = 연습하다 practice: objects instrument
drill = 연습하다 practice: objects 축구 농구 테니스 배드민턴
wash_food = 씻다 wash: objects 토마토 당근 감자 고구마
wash_up = 씻다 wash: objects 컵 접시
wipe = 닦다 wipe: objects 책상 탁자
window = 열다 open: objects 창문
draw = 그리다 draw: objects 꽃 나무 pet 집
photo = 찍다 take: objects 사진
homewards = 돌아가다 go back: goals 집
to_work = 가다 go, subjects=named times=noon: goals 회사
to_school = 가다 go, subjects=pupil times=noon: goals 학교
nearby = 가다 go: goals 도서관 공원 카페 시장 서점 체육관 극장 백화점
post = 가다 go: goals 우체국
dinner = 먹다 eat: objects 불고기 비빔밥 만두 김밥 수박 케이크 아이스크림; shapes joined
swimming = 수영하다 swim
tidying = 청소하다 clean: objects 방 거실
journey = 여행하다 travel
equipment = 사다 buy: objects 가방 카메라 지도 모자
kitchen = 청소하다 clean: objects 부엌
luxuries = 사다 buy: objects 가방 모자 시계 반지 목걸이 device clothes
large_goods = 사다 buy: objects furniture car instrument
bargains = 사다 buy: objects 가방 모자 device clothes pen
food_bargains = 사다 buy: objects 고기 케이크
pretty_things = 사다 buy: objects clothes 인형 반지 목걸이 모자 가방 컵 접시
light_things = 사다 buy: objects 가방 우산 카메라 컴퓨터 코트
reading = 읽다 read: objects 책 소설 잡지 교과서
quick_reading = 읽다 read: objects {_SHELF}; manners 빨리
solving = 풀다 solve: objects 문제
spicy_food = 먹다 eat: objects 김치 라면 국 비빔밥
fresh_food = 사다 buy: objects 생선 고기 우유
clean_rooms = 청소하다 clean: objects 방 부엌 거실 사무실
coming = 오다 come: goals 집 카페
coming_home = 돌아오다 come back: goals 집
arriving = 도착하다 arrive: goals
wipe_clean = 닦다 wipe: objects 창문 책상 탁자
"""
_ROWS = (row.partition(" = ") for row in _TABLE.strip().split("\n"))
_DEEDS = {name: fitted(verb) for name, _, verb in _ROWS}


class Outcome(NamedTuple):
    """What somebody does, or (denied) does not or cannot do, in a situation."""

    verb: Verb
    denied: bool = False


def _deeds(names: str) -> tuple[Verb, ...]:
    return tuple(_DEEDS[name] for name in names.split())


def _outcomes(names: str) -> tuple[Outcome, ...]:
    return tuple(Outcome(_DEEDS[name.lstrip("-")], name.startswith("-")) for name in names.split())


def _linked(table: str) -> dict[Verb, tuple[Verb, ...]]:
    return {_DEEDS[entry.words]: _deeds(entry.lists) for entry in entries(table)}


def _adjective(korean: str, noun: str = "민수") -> Adjective:
    of_noun = PREDICATES[nouns(noun)[0]]
    return next(found for found in of_noun if found.stem and f"{found.stem.text}다" == korean)


STATES: dict[Adjective, tuple[Outcome, ...]] = {
    _adjective("피곤하다"): _outcomes("rest rest sleep sleep -gym -study -cook -out -sport"),
    _adjective("바쁘다"): _outcomes("-meet -read -film -cook -clean -exercise -lunch -trip"),
    _adjective("아프다"): _outcomes("doctor doctor rest rest sleep -school -school -gym -sport"),
    _adjective("배고프다"): _outcomes("eat eat eat buy_food restaurant lunch"),
    _adjective("행복하다"): _outcomes("song dance"),
}
"""What follows from how somebody feels."""

COMMON_STATES = tuple(state for state in STATES for _ in STATES[state])
"""Each state as often as it has outcomes."""

_INSIDE = "rest read_at_home watch listen_at_home"
_KEPT_FROM = "-sport -walk -run -ride -out"
_WET = _outcomes(f"{_INSIDE} {_KEPT_FROM}")
OUTSIDE = _outcomes("sport walk run ride out sea")
BAD: dict[Verb | Adjective, tuple[Outcome, ...]] = {
    RAIN: _WET,
    SNOW: _WET,
    _adjective("춥다", "날씨"): _outcomes(f"{_INSIDE} soup milk milk {_KEPT_FROM}"),
    _adjective("덥다", "날씨"): _outcomes("swim swim ice_cream cool_drink -sport -run -walk"),
    _adjective("나쁘다", "날씨"): _WET,
}
"""What weather makes people do, or keeps them from."""
COMMON_BAD: tuple[Verb | Adjective, ...] = (RAIN, RAIN, RAIN, *BAD)
GOOD = tuple(_adjective(korean, "날씨") for korean in ("좋다", "좋다", "따뜻하다", "시원하다", "맑다"))

QUALITIES: dict[Adjective, tuple[Outcome, ...]] = {
    _adjective("비싸다", "가방"): _outcomes("-luxuries -large_goods"),
    _adjective("싸다", "가방"): _outcomes("bargains food_bargains"),
    _adjective("예쁘다", "가방"): _outcomes("pretty_things"),
    _adjective("가볍다", "가방"): _outcomes("light_things"),
    _adjective("지루하다", "책"): _outcomes("-reading -film"),
    _adjective("재미있다", "책"): _outcomes("quick_reading"),
    _adjective("어렵다", "문제"): _outcomes("-solving"),
    _adjective("맵다", "김치"): _outcomes("-spicy_food"),
    _adjective("신선하다", "생선"): _outcomes("fresh_food"),
    _adjective("더럽다", "방"): _outcomes("clean_rooms wash_up wipe_clean"),
}
"""What is done, or not done, with a thing because of how it is."""
HINDRANCES = (_adjective("비싸다", "가방"), _adjective("어렵다", "문제"), _adjective("맵다", "김치"))
"""Qualities because of which something cannot be done; from the others one only refrains."""

CURABLE = tuple(map(_adjective, ("피곤하다", "아프다", "배고프다")))
TOGETHER = _deeds("lunch cinema sport cook study dinner dinner film coffee")
"""What people do when somebody joins them."""
_IF_TIME = _deeds("read_at_home cinema gym learn trip cook clean meet practice")
_IF_MONEY = _deeds("shopping big_shopping trip learn")
MEANS = (
    *((verb, "시간이", "time") for verb in _IF_TIME),
    *((verb, "돈이", "money") for verb in _IF_MONEY),
)
"""What one does if one has time for it, or money."""

GOING_ON: dict[Noun, tuple[Verb, ...]] = {
    nouns(entry.words)[0]: _deeds(entry.lists)
    for entry in entries("""
집: relax read news television film listen cook bake lunch_making clean eat lunch asleep story practice
    homework draw wash_up coffee
도서관: read study email homework
카페: read coffee email relax
학교: study practice drill draw lunch
교실: study draw read
공원: photo draw exercise relax eat
사무실: email coffee news
식당: eat lunch coffee
""")
}
"""Where somebody comes, and what he may find others doing there."""
PLACES_TO_COME_TO = (*GOING_ON, *nouns("집 집 집 도서관 카페 공원"))
ARRIVALS = {
    place: tuple(
        fitted(f"{verb}: goals {place.korean}")
        for verb, goals in (
            ("오다 come", "집 도서관 카페 학교 교실 공원 사무실 식당"),
            ("돌아오다 come back", "집 학교 사무실"),
            ("도착하다 arrive", "도서관 학교 식당"),
        )
        if place.korean in goals.split()
    )
    for place in GOING_ON
}
COMING = _deeds("coming coming_home arriving")
"""How somebody joins others."""
OUTDOORS = _deeds("sport walk run swim ride")
WALK, RUN = _deeds("walk run")

EARLIER = _linked("""
bed: milk read listen finish letter call television wash_up clean
to_work: breakfast breakfast milk news call clean listen exercise
to_school: breakfast breakfast milk call exercise homework finish
nearby: lunch call clean homework coffee
lunch: report news clean call study exercise
film: lunch call buy_food finish meet
exercise: drink listen call finish
swimming: exercise drink relax
cook: clean wash_food wash_up groceries listen
study: clean wipe relax coffee listen exercise lunch
tidying: window window relax lunch listen
journey: report equipment
""")
"""What comes later, and what is done before it."""

SEQUENCES = _linked("""
eat: coffee nearby news relax wash_up film
lunch: coffee nearby relax news study film
breakfast: to_work to_work to_school to_school nearby news
clean: relax coffee lunch cook listen television
study: exercise relax listen lunch homewards television
read: bed relax coffee
letter: post post bed coffee
email: coffee homewards lunch
homework: television bed exercise relax
cook: wash_up kitchen
exercise: drink relax homewards lunch cool_drink
drill: drink relax homewards
practice: relax coffee homework
swimming: lunch relax homewards
""")
"""What is done first, and what then."""
