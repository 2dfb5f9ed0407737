"""The adjectives of the world, each with the nouns it fits.

`scale` names the dimension of an adjective: it says which two go together (size and price, never big and
small). `tone` decides whether the two are joined by "and" (same tone, or one neutral) or by "but".
"""

from dataclasses import dataclass
from functools import cache

from regard.world.conjugation import Kind, Stem, attributive
from regard.world.nouns import Noun, nouns
from regard.world.table import Entry, check, entries

_THINGS = "bag gift furniture dishware small_thing 카메라 라디오 그림"
_LARGE = "집 방 공원 시장 병원 호텔 학교 도서관 건물 강 산 도시"
_SIZED = f"{_THINGS} {_LARGE} pet farm_animal wild_animal tree 꽃 사과 수박 고구마 창문"
_PRICED = (
    "bag gift furniture dishware 시계 그림 device clothes car book pen instrument 꽃 표 고기 케이크 수박"
)
_COLORED = "가방 모자 우산 지갑 clothes 자동차 자전거 공 컵 의자"
_ROOMS = "방 집 교실 부엌 거실 사무실 공원 도서관 병원 호텔 식당 카페"
_PEOPLE = "child adult profession kin elder elder_kin name"


@dataclass(frozen=True, slots=True, eq=False)
class Adjective:
    """An adjective, its English, and the nouns it can be said of."""

    stem: Stem | None
    """None for 새, which stands only before a noun."""
    modifier: str
    """The form before a noun: 예쁜."""
    english: str
    said_of: tuple[Noun, ...]
    scale: str
    tone: int = 0
    """1 good, -1 bad, 0 neither."""
    passing: bool = False
    """A state of a person that comes and goes: predicate only, and for the speaker too."""
    dated: bool = False
    """May stand with a time: "was busy yesterday", "is clear today"."""


def _adjective(entry: Entry) -> Adjective:
    korean, english = entry.words.split()
    kind: Kind = "existence" if korean.endswith("있다") else "adjective"
    stem = Stem(korean[:-1], kind, entry.facts.pop("irregular", ""))
    tone = {"good": 1, "bad": -1, "": 0}[entry.facts.pop("tone", "")]
    said_of = nouns(entry.lists)
    return Adjective(stem, attributive(stem), english, said_of, tone=tone, **check(Adjective, entry.facts))


_TABLE = f"""
크다 big, scale=size: {_SIZED}
작다 small, scale=size: {_SIZED}
좋다 good, scale=worth tone=good: book film device 카메라 시계 호텔 식당 병원 침대
예쁘다 pretty, scale=beauty tone=good: flower clothes 소녀 딸 인형 반지 목걸이 모자 가방 컵 접시 카페 집 엽서
아름답다 beautiful, scale=beauty tone=good irregular=ㅂ: 꽃 장미 바다 산 호수 섬 해변 강 정원 숲 달 노래 음악
    그림 경주 부산
귀엽다 cute, scale=charm tone=good irregular=ㅂ: pet 인형 아이 원숭이 오리
비싸다 expensive, scale=price tone=bad: {_PRICED}
싸다 cheap, scale=price tone=good: {_PRICED}
무겁다 heavy, scale=weight tone=bad irregular=ㅂ: 가방 상자 furniture 카메라 컴퓨터 사전 교과서
가볍다 light, scale=weight tone=good irregular=ㅂ: 가방 우산 상자 카메라 컴퓨터 휴대전화 의자 코트 재킷
맛있다 delicious, scale=taste tone=good: 사과 복숭아 수박 만두 떡 샌드위치 meal dish hot_drink 주스
달다 sweet, scale=sweetness: 사과 바나나 오렌지 수박 복숭아 케이크 초콜릿 아이스크림 주스 코코아
맵다 spicy, scale=spice irregular=ㅂ: 김치 라면 국 비빔밥
뜨겁다 hot, scale=temperature irregular=ㅂ: hot_drink 국 물
차갑다 cold, scale=temperature irregular=ㅂ: cold_drink
신선하다 fresh, scale=freshness tone=good: 사과 토마토 복숭아 계란 생선 고기 우유 샐러드 오렌지
재미있다 interesting, scale=interest tone=good: 책 소설 잡지 만화책 film speech 역사 과학 미술
지루하다 boring, scale=interest tone=bad: 책 소설 잡지 교과서 film speech
어렵다 difficult, scale=ease tone=bad irregular=ㅂ: question 교과서 책 숙제 강의 language subject
쉽다 easy, scale=ease tone=good irregular=ㅂ: question 교과서 책 숙제 강의
길다 long, scale=length: 편지 소설 영화 이야기 강 다리 길 코트 보고서 이메일
짧다 short, scale=length: 편지 소설 영화 이야기 코트 보고서 이메일 노래
슬프다 sad, scale=mood: 소설 film 이야기 노래
높다 high, scale=height: 산 다리
높다 tall, scale=height: 건물 탑
낮다 low, scale=height: 산 의자 책상 탁자
깊다 deep, scale=depth: 강 바다 호수 숲
넓다 wide, scale=width tone=good: 길 다리
좁다 narrow, scale=width tone=bad: 길 다리
깨끗하다 clean, scale=cleanness tone=good: {_ROOMS} clothes dishware 강 바다 해변 길
더럽다 dirty, scale=cleanness tone=bad irregular=ㅂ: 방 교실 부엌 거실 사무실 clothes dishware 창문 책상 탁자
    길 강
조용하다 quiet, scale=noise tone=good: {_ROOMS} 마을 시골 숲 길 해변
시끄럽다 noisy, scale=noise tone=bad irregular=ㅂ: 교실 시장 식당 카페 도시 길 역
하얗다 white, scale=color irregular=ㅎ: {_COLORED} 꽃 장미 튤립 pet 구름
까맣다 black, scale=color irregular=ㅎ: {_COLORED} 고양이 강아지
빨갛다 red, scale=color irregular=ㅎ: {_COLORED} 장미 꽃 튤립 사과
파랗다 blue, scale=color irregular=ㅎ: {_COLORED} 하늘
노랗다 yellow, scale=color irregular=ㅎ: {_COLORED} 꽃 장미 튤립
빠르다 fast, scale=speed tone=good irregular=르: 자동차 오토바이 버스 기차 지하철 컴퓨터
느리다 slow, scale=speed tone=bad: 버스 기차 컴퓨터
편하다 comfortable, scale=comfort tone=good: 의자 소파 침대 코트 버스 기차
불편하다 uncomfortable, scale=comfort tone=bad: 의자 소파 침대 스웨터 버스
친절하다 kind, scale=kindness tone=good: {_PEOPLE}
똑똑하다 smart, scale=mind tone=good: child profession name kin
부지런하다 diligent, scale=work tone=good: 학생 profession name kin
게으르다 lazy, scale=work tone=bad irregular=르: 학생 name 남동생 여동생 아들 딸 고양이
정직하다 honest, scale=honesty tone=good: child adult profession name kin
용감하다 brave, scale=courage tone=good: 소년 소녀 경찰관 군인 소방관 기자 name
유명하다 famous, scale=fame tone=good: 가수 화가 작가 배우 과학자 음악가 무용가 소설 영화 그림 식당 박물관
    호텔
젊다 young, scale=age: 여자 남자 의사 간호사 요리사 가수 화가 작가 농부 변호사 기자 배우 과학자
바쁘다 busy, scale=free_time tone=bad passing dated: {_PEOPLE}
행복하다 happy, scale=mood tone=good passing dated: {_PEOPLE}
피곤하다 tired, scale=strength tone=bad passing dated: {_PEOPLE}
아프다 sick, scale=health tone=bad passing dated: {_PEOPLE}
건강하다 healthy, scale=health tone=good passing: {_PEOPLE}
배고프다 hungry, scale=hunger tone=bad passing dated: child adult name kin
춥다 cold, scale=warmth tone=bad irregular=ㅂ: 방 교실
덥다 hot, scale=warmth tone=bad irregular=ㅂ: 방 교실
따뜻하다 warm, scale=warmth tone=good: 방 코트 스웨터 물
춥다 cold, scale=warmth tone=bad irregular=ㅂ dated: weather
덥다 hot, scale=warmth tone=bad irregular=ㅂ dated: weather
따뜻하다 warm, scale=warmth tone=good dated: weather
시원하다 cool, scale=warmth tone=good dated: weather
좋다 good, scale=worth tone=good dated: weather
나쁘다 bad, scale=worth tone=bad dated: weather
흐리다 cloudy, scale=sky tone=bad dated: weather
맑다 clear, scale=sky tone=good dated: weather 하늘
맑다 clear, scale=clearness tone=good: 강 호수
"""
ADJECTIVES = tuple(map(_adjective, entries(_TABLE)))

_RENEWED = nouns("book bag furniture device clothes car pen 공책 집 영화 노래 건물 다리")
NEW = Adjective(None, "새", "new", _RENEWED, scale="newness", tone=1)


def _by_noun(adjectives: tuple[Adjective, ...]) -> dict[Noun, tuple[Adjective, ...]]:
    fitting: dict[Noun, list[Adjective]] = {}
    for adjective in adjectives:
        for noun in adjective.said_of:
            fitting.setdefault(noun, []).append(adjective)
    return {noun: tuple(found) for noun, found in fitting.items()}


MODIFIERS = _by_noun((*(adjective for adjective in ADJECTIVES if not adjective.passing), NEW))
"""What may stand before a noun, as far as the noun decides."""

PREDICATES = _by_noun(ADJECTIVES)
"""What may be said of a noun."""


@cache
def modifiers(noun: Noun, among: tuple[str, ...]) -> tuple[Adjective, ...]:
    """List the adjectives that fit a noun, of those `among` which (as forms before a noun) others allow."""
    return tuple(adjective for adjective in MODIFIERS.get(noun, ()) if adjective.modifier in among)


def _pairs(text: str) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair.split("+")) for pair in text.split())


_MATCHING_SCALES = _pairs(
    "size+price size+weight size+beauty size+comfort size+cleanness size+noise size+taste weight+price "
    "beauty+price beauty+comfort beauty+cleanness beauty+noise beauty+length beauty+mood beauty+color "
    "worth+price taste+price freshness+price freshness+taste sweetness+taste spice+taste interest+ease "
    "interest+price height+beauty depth+beauty depth+clearness beauty+clearness width+cleanness width+noise "
    "cleanness+noise cleanness+warmth warmth+sky speed+comfort speed+price comfort+price warmth+price "
    "warmth+weight kindness+mind kindness+work kindness+honesty kindness+courage mind+work mind+courage "
    "mind+honesty honesty+work honesty+courage"
)
_MATCHING_WORDS = _pairs(
    "busy+happy busy+tired busy+hungry tired+happy tired+hungry tired+sick healthy+happy long+boring "
    "short+interesting small+cute"
)


def go_together(one: Adjective, other: Adjective) -> bool:
    """Tell whether two adjectives may be said of one thing side by side: big and heavy, not hot and warm."""
    if frozenset((one.english, other.english)) in _MATCHING_WORDS:
        return True
    passing = one.passing or other.passing
    return not passing and frozenset((one.scale, other.scale)) in _MATCHING_SCALES
