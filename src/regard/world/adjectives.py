"""The adjectives of the world, each with the nouns it fits.

`scale` names the dimension of an adjective: it says which two go together (size and price, never big and
small). `tone` decides whether the two are joined by "and" (same tone, or one neutral) or by "but".
"""

from dataclasses import dataclass
from functools import cache

from regard.world.conjugation import Irregular, Kind, Stem, attributive
from regard.world.nouns import Noun, nouns

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


def _adjective(
    korean: str,
    english: str,
    said_of: str,
    *,
    scale: str,
    tone: int = 0,
    irregular: Irregular = "",
    passing: bool = False,
    dated: bool = False,
) -> Adjective:
    kind: Kind = "existence" if korean.endswith("있다") else "adjective"
    stem = Stem(korean[:-1], kind, irregular)
    return Adjective(stem, attributive(stem), english, nouns(said_of), scale, tone, passing, dated)


ADJECTIVES: tuple[Adjective, ...] = (
    _adjective("크다", "big", _SIZED, scale="size"),
    _adjective("작다", "small", _SIZED, scale="size"),
    _adjective("좋다", "good", "book film device 카메라 시계 호텔 식당 병원 침대", scale="worth", tone=1),
    _adjective("예쁘다", "pretty", "flower clothes 소녀 딸 인형 반지 목걸이 모자 가방 컵 접시 카페 집 엽서",
               scale="beauty", tone=1),
    _adjective("아름답다", "beautiful", "꽃 장미 바다 산 호수 섬 해변 강 정원 숲 달 노래 음악 그림 경주 부산",
               scale="beauty", tone=1, irregular="ㅂ"),
    _adjective("귀엽다", "cute", "pet 인형 아이 원숭이 오리", scale="charm", tone=1, irregular="ㅂ"),
    _adjective("비싸다", "expensive", _PRICED, scale="price", tone=-1),
    _adjective("싸다", "cheap", _PRICED, scale="price", tone=1),
    _adjective("무겁다", "heavy", "가방 상자 furniture 카메라 컴퓨터 사전 교과서", scale="weight", tone=-1,
               irregular="ㅂ"),
    _adjective("가볍다", "light", "가방 우산 상자 카메라 컴퓨터 휴대전화 의자 코트 재킷", scale="weight",
               tone=1, irregular="ㅂ"),
    _adjective("맛있다", "delicious", "사과 복숭아 수박 만두 떡 샌드위치 meal dish hot_drink 주스",
               scale="taste", tone=1),
    _adjective("달다", "sweet", "사과 바나나 오렌지 수박 복숭아 케이크 초콜릿 아이스크림 주스 코코아",
               scale="sweetness"),
    _adjective("맵다", "spicy", "김치 라면 국 비빔밥", scale="spice", irregular="ㅂ"),
    _adjective("뜨겁다", "hot", "hot_drink 국 물", scale="temperature", irregular="ㅂ"),
    _adjective("차갑다", "cold", "cold_drink", scale="temperature", irregular="ㅂ"),
    _adjective("신선하다", "fresh", "사과 토마토 복숭아 계란 생선 고기 우유 샐러드 오렌지", scale="freshness",
               tone=1),
    _adjective("재미있다", "interesting", "책 소설 잡지 만화책 film speech 역사 과학 미술", scale="interest",
               tone=1),
    _adjective("지루하다", "boring", "책 소설 잡지 교과서 film speech", scale="interest", tone=-1),
    _adjective("어렵다", "difficult", "question 교과서 책 숙제 강의 language subject", scale="ease", tone=-1,
               irregular="ㅂ"),
    _adjective("쉽다", "easy", "question 교과서 책 숙제 강의", scale="ease", tone=1, irregular="ㅂ"),
    _adjective("길다", "long", "편지 소설 영화 이야기 강 다리 길 코트 보고서 이메일", scale="length"),
    _adjective("짧다", "short", "편지 소설 영화 이야기 코트 보고서 이메일 노래", scale="length"),
    _adjective("슬프다", "sad", "소설 film 이야기 노래", scale="mood"),
    _adjective("높다", "high", "산 다리", scale="height"),
    _adjective("높다", "tall", "건물 탑", scale="height"),
    _adjective("낮다", "low", "산 의자 책상 탁자", scale="height"),
    _adjective("깊다", "deep", "강 바다 호수 숲", scale="depth"),
    _adjective("넓다", "wide", "길 다리", scale="width", tone=1),
    _adjective("좁다", "narrow", "길 다리", scale="width", tone=-1),
    _adjective("깨끗하다", "clean", f"{_ROOMS} clothes dishware 강 바다 해변 길", scale="cleanness", tone=1),
    _adjective("더럽다", "dirty", "방 교실 부엌 거실 사무실 clothes dishware 창문 책상 탁자 길 강",
               scale="cleanness", tone=-1, irregular="ㅂ"),
    _adjective("조용하다", "quiet", f"{_ROOMS} 마을 시골 숲 길 해변", scale="noise", tone=1),
    _adjective("시끄럽다", "noisy", "교실 시장 식당 카페 도시 길 역", scale="noise", tone=-1, irregular="ㅂ"),
    _adjective("하얗다", "white", f"{_COLORED} 꽃 장미 튤립 pet 구름", scale="color", irregular="ㅎ"),
    _adjective("까맣다", "black", f"{_COLORED} 고양이 강아지", scale="color", irregular="ㅎ"),
    _adjective("빨갛다", "red", f"{_COLORED} 장미 꽃 튤립 사과", scale="color", irregular="ㅎ"),
    _adjective("파랗다", "blue", f"{_COLORED} 하늘", scale="color", irregular="ㅎ"),
    _adjective("노랗다", "yellow", f"{_COLORED} 꽃 장미 튤립", scale="color", irregular="ㅎ"),
    _adjective("빠르다", "fast", "자동차 오토바이 버스 기차 지하철 컴퓨터", scale="speed", tone=1,
               irregular="르"),
    _adjective("느리다", "slow", "버스 기차 컴퓨터", scale="speed", tone=-1),
    _adjective("편하다", "comfortable", "의자 소파 침대 코트 버스 기차", scale="comfort", tone=1),
    _adjective("불편하다", "uncomfortable", "의자 소파 침대 스웨터 버스", scale="comfort", tone=-1),
    _adjective("친절하다", "kind", _PEOPLE, scale="kindness", tone=1),
    _adjective("똑똑하다", "smart", "child profession name kin", scale="mind", tone=1),
    _adjective("부지런하다", "diligent", "학생 profession name kin", scale="work", tone=1),
    _adjective("게으르다", "lazy", "학생 name 남동생 여동생 아들 딸 고양이", scale="work", tone=-1,
               irregular="르"),
    _adjective("정직하다", "honest", "child adult profession name kin", scale="honesty", tone=1),
    _adjective("용감하다", "brave", "소년 소녀 경찰관 군인 소방관 기자 name", scale="courage", tone=1),
    _adjective("유명하다", "famous",
               "가수 화가 작가 배우 과학자 음악가 무용가 소설 영화 그림 식당 박물관 호텔", scale="fame",
               tone=1),
    _adjective("젊다", "young", "여자 남자 의사 간호사 요리사 가수 화가 작가 농부 변호사 기자 배우 과학자",
               scale="age"),
    _adjective("바쁘다", "busy", _PEOPLE, scale="free time", tone=-1, passing=True, dated=True),
    _adjective("행복하다", "happy", _PEOPLE, scale="mood", tone=1, passing=True, dated=True),
    _adjective("피곤하다", "tired", _PEOPLE, scale="strength", tone=-1, passing=True, dated=True),
    _adjective("아프다", "sick", _PEOPLE, scale="health", tone=-1, passing=True, dated=True),
    _adjective("건강하다", "healthy", _PEOPLE, scale="health", tone=1, passing=True),
    _adjective("배고프다", "hungry", "child adult name kin", scale="hunger", tone=-1, passing=True,
               dated=True),
    _adjective("춥다", "cold", "방 교실", scale="warmth", tone=-1, irregular="ㅂ"),
    _adjective("덥다", "hot", "방 교실", scale="warmth", tone=-1, irregular="ㅂ"),
    _adjective("따뜻하다", "warm", "방 코트 스웨터 물", scale="warmth", tone=1),
    _adjective("춥다", "cold", "weather", scale="warmth", tone=-1, irregular="ㅂ", dated=True),
    _adjective("덥다", "hot", "weather", scale="warmth", tone=-1, irregular="ㅂ", dated=True),
    _adjective("따뜻하다", "warm", "weather", scale="warmth", tone=1, dated=True),
    _adjective("시원하다", "cool", "weather", scale="warmth", tone=1, dated=True),
    _adjective("좋다", "good", "weather", scale="worth", tone=1, dated=True),
    _adjective("나쁘다", "bad", "weather", scale="worth", tone=-1, dated=True),
    _adjective("흐리다", "cloudy", "weather", scale="sky", tone=-1, dated=True),
    _adjective("맑다", "clear", "weather 하늘", scale="sky", tone=1, dated=True),
    _adjective("맑다", "clear", "강 호수", scale="clearness", tone=1),
)  # fmt: skip

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
