"""The verbs of the world, each with what fits it: who does it, to what, where, with what and how."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from regard.data.world.conjugation import Irregular, Kind, Stem
from regard.data.world.nouns import Noun, nouns

Subjects = Literal["human", "adult", "named", "animal", "thing"]
"""Who does it: anybody, no children, nobody known by another profession, no people at all."""
Aspect = Literal["activity", "point", "done", "state"]
"""What fits: a point has no progressive, what is "done" is past only, a state has no time beside it."""
Times = Literal["day", "any", "year"]
"""Which times fit: 어제 but not 작년에, both, or only the second kind."""

_HONORED = {"먹다": "드시", "마시다": "드시", "자다": "주무시", "말하다": "말씀하시", "있다": "계시"}

_HUMBLE = {"주다": "드리", "말하다": "말씀드리"}
_TO_ELDERS = {"주다", "보내다", "전화하다", "인사하다", "말하다", "설명하다"}

_HOUSE = "집 방 거실"
_STUDY = "학교 도서관 집 방 교실 카페 대학교"
_MEALS = "집 식당 학교 부엌 호텔"
_SHOPS = "shop"
_OUTSIDE = "공원 정원 숲 해변 운동장 호수"
_WORK = "회사 공장 병원 은행 사무실 우체국 도서관 식당 가게 백화점 호텔 city country"
_VEHICLES = "버스 지하철 택시 자동차 자전거"
_FAR_VEHICLES = "버스 기차 자동차"
_GOODS = "bag gift dishware small_thing device clothes pen flower"
_BUYABLE = f"{_GOODS} book notebook paper postcard picture"


@dataclass(frozen=True, slots=True, eq=False)
class Verb:
    """A Korean verb in one meaning, its English, and what fits it. An empty fit means: not with this verb."""

    stem: Stem
    english: str
    subjects: Subjects = "human"
    agents: tuple[Noun, ...] = ()
    """The only possible subjects, where `subjects` is too wide."""
    objects: tuple[Noun, ...] = ()
    places: tuple[Noun, ...] = ()
    needs_place: bool = False
    goals: tuple[Noun, ...] = ()
    goal_preposition: str = "to"
    sources: tuple[Noun, ...] = ()
    tools: tuple[Noun, ...] = ()
    vehicles: tuple[Noun, ...] = ()
    manners: tuple[str, ...] = ()
    gives_to: str | None = None
    """The English preposition of a person marked 에게, "" if there is none; None without such a person."""
    honored: Stem | None = None
    """The word that replaces the verb for an honoured subject: 드시다 for 먹다."""
    to_elder: Stem | None = None
    """What is said when the receiver, marked 께, is an elder: 드리다 for 주다. None: not done to elders."""
    aspect: Aspect = "activity"
    habitual: bool = True
    """Is also a habit, so that the simple present makes sense."""
    times: Times = "day"
    generic: bool = False
    """A bare object means the kind, in the English plural: 사과를 좋아하다, "like apples"."""
    negative: bool = False
    """The English needs "not": 모르다, "not know"."""
    counts: bool = False
    """Its object may be counted: 사과 두 개를 먹다, but not 사과 두 개를 좋아하다."""
    priced: bool = False
    """Its object may be called cheap or expensive: one buys an expensive piano, but plays a piano."""
    asks: bool = True
    """무엇을 with this verb can only mean this verb."""
    able: bool = True
    """Can be tried, so that 못 makes sense."""
    denied: bool = True
    """Can be negated; 알다 cannot, its negation is 모르다."""
    social: bool = True
    """Can be done together with somebody."""


def _verb(
    korean: str,
    english: str,
    *,
    irregular: Irregular = "",
    kind: Kind = "verb",
    subjects: Subjects = "human",
    agents: str = "",
    objects: str = "",
    places: str = "",
    needs_place: bool = False,
    goals: str = "",
    goal_preposition: str = "to",
    sources: str = "",
    tools: str = "",
    vehicles: str = "",
    manners: str = "",
    gives_to: str | None = None,
    aspect: Aspect = "activity",
    habitual: bool = True,
    times: Times = "day",
    generic: bool = False,
    negative: bool = False,
    counts: bool = False,
    priced: bool = False,
    asks: bool = True,
    able: bool = True,
    denied: bool = True,
    social: bool = True,
) -> Verb:
    honored = _HONORED.get(korean)
    stem = Stem(korean[:-1], kind, irregular)
    humble = Stem(_HUMBLE[korean]) if korean in _HUMBLE else stem
    return Verb(
        stem=stem,
        english=english,
        subjects=subjects,
        agents=nouns(agents),
        objects=nouns(objects),
        places=nouns(places),
        needs_place=needs_place,
        goals=nouns(goals),
        goal_preposition=goal_preposition,
        sources=nouns(sources),
        tools=nouns(tools),
        vehicles=nouns(vehicles),
        manners=tuple(manners.split()),
        gives_to=gives_to,
        honored=Stem(honored, honorific=True) if honored else None,
        to_elder=humble if gives_to is not None and korean in _TO_ELDERS else None,
        aspect=aspect,
        habitual=habitual,
        times=times,
        generic=generic,
        negative=negative,
        counts=counts,
        priced=priced,
        asks=asks,
        able=able and aspect != "state" and subjects not in ("animal", "thing"),
        denied=denied and not negative,
        social=social,
    )


TRANSITIVE: tuple[Verb, ...] = (
    _verb("읽다", "read", objects="책 소설 잡지 만화책 교과서 mail paper report 엽서",
          places=f"{_STUDY} 공원 정원 사무실", counts=True, manners="천천히 조용히 혼자 열심히 빨리"),
    _verb("쓰다", "write", objects="편지 엽서 이야기", places=_STUDY, counts=True,
          tools="연필 볼펜", manners="천천히 조용히 혼자 열심히 빨리"),
    _verb("쓰다", "write", objects="이메일 보고서", places=f"{_STUDY} 사무실", counts=True,
          manners="천천히 조용히 혼자 열심히 빨리"),
    _verb("먹다", "eat", objects="snack dish meal", places=f"{_MEALS} 공원 교실", counts=True,
          manners="천천히 빨리 조용히 맛있게 혼자"),
    _verb("마시다", "drink", objects="cold_drink 코코아", places=f"{_MEALS} 카페 공원", counts=True,
          manners="천천히 빨리 조용히 혼자"),
    _verb("마시다", "drink", subjects="adult", objects="hot_drink", places="집 식당 호텔 카페 사무실 공원",
          counts=True, manners="천천히 빨리 조용히 혼자"),
    _verb("사다", "buy", objects=f"{_BUYABLE} snack dish 우유 주스 커피 표", places=f"{_SHOPS} city",
          counts=True, priced=True, aspect="point", times="any"),
    _verb("사다", "buy", subjects="adult", objects="furniture car", places=f"{_SHOPS} city", counts=True,
          priced=True, aspect="point", times="any"),
    _verb("팔다", "sell", priced=True, subjects="adult",
          objects="snack dish flower book bag clothes furniture car", places=f"{_SHOPS} city", generic=True,
          social=False, times="any"),
    _verb("만들다", "make",
          objects="빵 김치 김밥 케이크 샐러드 국 만두 샌드위치 인형 의자 책상 가방 장난감 영화",
          places="집 부엌 학교 교실 공장", counts=True, manners="천천히 빨리 열심히 혼자 잘"),
    _verb("굽다", "bake", irregular="ㅂ", objects="빵 케이크", places="집 부엌 식당",
          manners="빨리 혼자 잘 천천히"),
    _verb("요리하다", "cook", objects="고기 생선 불고기 비빔밥 라면", places="집 부엌 식당 호텔",
          manners="빨리 혼자 잘 천천히"),
    _verb("자르다", "cut", irregular="르", objects="고기 빵 케이크 치즈 사과 당근 감자", places="부엌 식당",
          tools="칼", manners="천천히 빨리 조심스럽게", social=False),
    _verb("그리다", "draw", objects="꽃 나무 산 pet 집 지도 건물", places="학교 집 공원 방 교실",
          counts=True, tools="연필 볼펜", manners="천천히 조용히 혼자 열심히 잘"),
    _verb("그리다", "paint", objects="그림", places="집 공원 방 정원", counts=True, tools="붓",
          manners="천천히 조용히 혼자 열심히 잘", asks=False),
    _verb("보다", "watch", objects="film broadcast news", places="극장 집 거실 방 호텔", asks=False,
          manners="조용히 혼자"),
    _verb("보다", "see", objects="bird wild_animal sky 그림 산 바다 섬", aspect="point", counts=True),
    _verb("듣다", "listen to", irregular="ㄷ", objects="음악 라디오 노래 이야기 강의",
          places="집 방 카페 거실 사무실", manners="조용히 혼자"),
    _verb("부르다", "sing", irregular="르", objects="노래", places="집 학교 공원 극장",
          manners="크게 잘 즐겁게 조용히 혼자"),
    _verb("부르다", "call", irregular="르", objects="의사 경찰관 학생 간호사 변호사 소방관", asks=False,
          aspect="point", social=False),
    _verb("배우다", "learn", objects="language subject 피아노 기타 테니스",
          places="학교 대학교 집 city country", times="any", manners="열심히 천천히 혼자 빨리 즐겁게"),
    _verb("공부하다", "study", objects="language subject", places=_STUDY, times="any",
          manners="열심히 조용히 혼자"),
    _verb("가르치다", "teach", subjects="named", objects="language subject", places="학교 대학교 교실",
          manners="잘 열심히 즐겁게", social=False),
    _verb("연습하다", "practice", objects="노래 instrument 축구 농구 테니스", places="집 학교 체육관",
          manners="열심히 혼자 조용히"),
    _verb("좋아하다", "like",
          objects="snack dish hot_drink flower pet sport language subject 음악 영화 여름 겨울 봄 가을",
          aspect="state", generic=True),
    _verb("싫어하다", "dislike", objects="당근 생선 김치 커피 콜라 수학 물리학 여름 겨울 시험",
          aspect="state", generic=True),
    _verb("사랑하다", "love", objects="음악 강아지 고양이 kin", aspect="state", generic=True,
          denied=False, asks=False),
    _verb("기억하다", "remember", objects="knowledge 이야기 노래 영화", aspect="state", denied=False),
    _verb("알다", "know", objects="knowledge 노래 이야기 길", aspect="state", denied=False),
    _verb("모르다", "know", irregular="르", objects="knowledge 노래 이야기 길", aspect="state",
          negative=True),
    _verb("잊다", "forget", objects="knowledge 숙제", aspect="done", able=False, social=False),
    _verb("만나다", "meet", times="any", objects="profession child kin name elder",
          places="학교 공원 카페 식당 역 공항 city", aspect="point", asks=False, social=False),
    _verb("기다리다", "wait for", objects="kin name 버스 기차 택시 손님 의사", places="역 공항 집 카페",
          manners="조용히 혼자", asks=False),
    _verb("돕다", "help", irregular="ㅂ", objects="kin name 농부 아이 이웃 학생 간호사 손님",
          places="학교 병원 집 회사", manners="열심히", asks=False),
    _verb("열다", "open", objects="opening 상자 가방", manners="천천히 조용히 빨리 조심스럽게",
          aspect="point", social=False, tools="열쇠"),
    _verb("닫다", "close", objects="opening 가방", manners="천천히 조용히 빨리 조심스럽게", aspect="point",
          social=False),
    _verb("씻다", "wash", objects="컵 접시 사과 토마토 딸기 복숭아 당근 감자 고구마", places="부엌",
          manners="빨리 천천히 혼자"),
    _verb("닦다", "wipe", objects="창문 책상 탁자 의자 칼", places="교실 집 식당",
          manners="빨리 천천히 열심히 혼자"),
    _verb("청소하다", "clean", objects="집 방 교실 부엌 거실 사무실", manners="열심히 빨리 혼자"),
    _verb("고치다", "fix", subjects="adult", objects="car device 시계 의자 책상 문", places="집 공장 가게",
          manners="빨리 혼자 잘 천천히"),
    _verb("찍다", "take", objects="사진", places=f"{_OUTSIDE} city country 산", tools="카메라 휴대전화",
          counts=True, generic=True, times="any", asks=False, manners="잘 혼자"),
    _verb("짓다", "build", irregular="ㅅ", times="year", agents="기술자 농부 군인 이웃",
          objects="집 학교 건물 다리 병원 도서관", places="city country 마을", manners="빨리 천천히"),
    _verb("심다", "plant", times="any", objects="flower tree", places="정원 공원 농장", counts=True,
          manners="혼자 열심히 조심스럽게"),
    _verb("타다", "ride", objects="자전거 오토바이", asks=False),
    _verb("타다", "take", objects="버스 기차 지하철", asks=False),
    _verb("운전하다", "drive", subjects="adult", objects="자동차", manners="천천히 빨리 조심스럽게 잘",
          asks=False, social=False),
    _verb("운전하다", "drive", agents="운전사", objects="버스 택시", manners="천천히 조심스럽게 잘",
          asks=False, social=False),
    _verb("던지다", "throw", objects="공", places="운동장 공원 체육관", manners="빨리 잘", aspect="point",
          asks=False),
    _verb("줍다", "pick up", irregular="ㅂ", objects="공 지갑 열쇠 연필", places=f"{_OUTSIDE} 학교",
          aspect="done", social=False),
    _verb("잃어버리다", "lose", priced=True, objects="지갑 열쇠 휴대전화 우산 가방 표 반지",
          places="역 공항 시장 공원", aspect="done", able=False, social=False),
    _verb("빌리다", "borrow", objects="book 우산 자전거 카메라", places="도서관 학교", aspect="point",
          counts=True, social=False),
    _verb("준비하다", "prepare", objects="점심 선물 강의", places="집 사무실", manners="열심히 혼자 조용히"),
    _verb("준비하다", "prepare for", objects="시험", places="집 도서관 학교", manners="열심히 혼자 조용히",
          asks=False),
    _verb("끝내다", "finish", objects="숙제 보고서", places="집 도서관 사무실 학교", manners="빨리 혼자",
          aspect="point", asks=False),
    _verb("풀다", "solve", objects="문제", places="학교 교실 도서관 집", manners="빨리 혼자 천천히 잘",
          asks=False),
    _verb("하다", "play", objects="sport", places="운동장 체육관 학교 공원", manners="열심히 즐겁게",
          asks=False),
    _verb("연주하다", "play", objects="instrument", places="집 극장 카페 학교",
          manners="잘 조용히 혼자"),
    _verb("구경하다", "look around", objects="시장 박물관 미술관 동물원 city", manners="천천히 혼자 즐겁게"),
)  # fmt: skip

GIVING: tuple[Verb, ...] = (
    _verb("주다", "give", priced=True, objects="book flower gift snack 우산 가방 사진 표 물 커피 공책 연필",
          gives_to="to", places="학교 공원 카페 역", counts=True, aspect="point", social=False),
    _verb("보내다", "send", times="any", objects="mail postcard 선물 사진 보고서 책", gives_to="to",
          counts=True, social=False),
    _verb("보여주다", "show", objects="사진 그림 지도 편지 책 휴대전화", gives_to="to",
          places="학교 카페 집", aspect="point", social=False),
    _verb("빌려주다", "lend", objects="book 우산 자전거 공책 볼펜 카메라", gives_to="to",
          places="학교 도서관", counts=True, aspect="point", social=False),
    _verb("가르치다", "teach", subjects="named", objects="language subject", places="학교 대학교 교실",
          gives_to="to", manners="잘 열심히 즐겁게", social=False),
    _verb("팔다", "sell", priced=True, subjects="adult",
          objects="snack flower book bag clothes furniture 자전거 자동차", places=_SHOPS, gives_to="to",
          counts=True, social=False),
    _verb("던지다", "throw", objects="공", gives_to="to", places="운동장 공원 체육관", aspect="point",
          social=False, asks=False),
    _verb("설명하다", "explain", objects="문제 그림 이야기 시험", gives_to="to", places="교실 학교 도서관",
          manners="천천히 친절하게 잘", social=False),
)  # fmt: skip

INTRANSITIVE: tuple[Verb, ...] = (
    _verb("자다", "sleep", places=f"{_HOUSE} 호텔", manners="잘 조용히 혼자 일찍 늦게", social=False),
    _verb("웃다", "laugh", places="교실 카페 극장 집", manners="크게 조용히 즐겁게", able=False,
          habitual=False),
    _verb("울다", "cry", places="방 집 병원", manners="크게 조용히 혼자", able=False, habitual=False),
    _verb("걷다", "walk", irregular="ㄷ", places=_OUTSIDE, manners="천천히 빨리 조용히 혼자"),
    _verb("달리다", "run", places=_OUTSIDE, manners="빨리 천천히 혼자"),
    _verb("일하다", "work", times="any", subjects="adult", places=_WORK, manners="열심히 조용히 혼자 늦게"),
    _verb("쉬다", "rest", places=f"{_HOUSE} 공원 호텔 해변 카페", manners="혼자 조용히 잘"),
    _verb("놀다", "play", agents="child pet 아들 딸 남동생 여동생 원숭이", places=f"{_OUTSIDE} 방 거실",
          manners="혼자 즐겁게 조용히"),
    _verb("살다", "live", places="city country 마을 시골 도시 섬", manners="혼자 조용히 즐겁게",
          aspect="state", needs_place=True),
    _verb("춤추다", "dance", places="극장 집 학교 공원", manners="잘 즐겁게 혼자 조용히"),
    _verb("노래하다", "sing", places="극장 집 학교 공원 교실", manners="크게 잘 즐겁게 혼자"),
    _verb("수영하다", "swim", places="swimming", manners="잘 빨리 천천히 혼자"),
    _verb("운동하다", "exercise", places="체육관 공원 운동장 집", manners="열심히 혼자"),
    _verb("여행하다", "travel", times="year", places="country", vehicles="기차 버스 자동차 자전거 오토바이",
          manners="혼자 즐겁게"),
    _verb("공부하다", "study", places=_STUDY, manners="열심히 조용히 혼자 늦게"),
    _verb("요리하다", "cook", places="집 부엌 식당 호텔", manners="빨리 혼자 잘 즐겁게"),
    _verb("전화하다", "call", gives_to="", aspect="point", social=False, manners="다시"),
    _verb("인사하다", "say hello", gives_to="to", aspect="point", social=False, manners="크게 친절하게 다시",
          places="학교 교실 회사 공원"),
    _verb("말하다", "speak", gives_to="to", social=False, manners="천천히 조용히 크게 친절하게",
          places="교실 회사 카페"),
)  # fmt: skip

ANIMAL: tuple[Verb, ...] = (
    _verb("자다", "sleep", subjects="animal", agents="pet", manners="잘 조용히", places="방 거실 정원"),
    _verb("자다", "sleep", subjects="animal", agents="farm_animal", manners="잘 조용히", places="농장"),
    _verb("자다", "sleep", subjects="animal", agents="wild_animal", manners="잘 조용히", places="동물원 숲"),
    _verb("먹다", "eat", subjects="animal", agents="강아지 고양이", objects="고기 생선 빵",
          places="거실 부엌 정원", manners="천천히 빨리 조용히"),
    _verb("먹다", "eat", subjects="animal", agents="토끼 farm_animal", objects="당근 감자 고구마 사과",
          generic=True, places="농장 정원", manners="천천히 빨리 조용히", counts=True),
    _verb("먹다", "eat", subjects="animal", agents="원숭이 코끼리 곰", objects="바나나 사과 당근 오렌지",
          generic=True, places="동물원", manners="천천히 빨리 조용히", counts=True),
    _verb("마시다", "drink", subjects="animal", agents="강아지 고양이", objects="물 우유",
          places="부엌 거실 정원", manners="천천히 빨리 조용히"),
    _verb("마시다", "drink", subjects="animal", agents="farm_animal", objects="물", places="농장",
          manners="천천히 조용히"),
    _verb("날다", "fly", subjects="animal", agents="bird", manners="빨리 천천히 잘", places="하늘"),
    _verb("달리다", "run", subjects="animal", agents="강아지 토끼", manners="빨리", places="공원 정원 해변"),
    _verb("달리다", "run", subjects="animal", agents="호랑이 사자 여우 곰", manners="빨리",
          places="숲 동물원"),
    _verb("짖다", "bark", subjects="animal", agents="강아지", manners="크게", places="정원 공원 거실"),
    _verb("쫓다", "chase", subjects="animal", agents="강아지 고양이", objects="참새 비둘기 까치",
          manners="빨리 조용히", places="정원 공원"),
    _verb("쫓다", "chase", subjects="animal", agents="여우", objects="토끼 닭 오리", manners="빨리 조용히",
          places="농장 숲"),
)  # fmt: skip

MOTION: tuple[Verb, ...] = (
    _verb("가다", "go", vehicles=_VEHICLES, manners="빨리 혼자 일찍 천천히",
          goals="school home eatery shop bookstore public workplace culture transit exercise "
                "도서관 사무실 공원 교실 수영장 해변 호수"),
    _verb("가다", "go", times="any", vehicles=_FAR_VEHICLES, manners="혼자 일찍",
          goals="바다 산 city 시골 농장"),
    _verb("가다", "go", times="any", vehicles="비행기", manners="혼자", goals="country"),
    _verb("오다", "come", vehicles=_VEHICLES, manners="빨리 혼자 일찍 늦게",
          goals="학교 도서관 사무실 공원 집 카페 식당 병원 회사 역 공항"),
    _verb("오다", "come", times="any", vehicles=_FAR_VEHICLES, manners="혼자 일찍", goals="city",
          sources="city 시골"),
    _verb("돌아오다", "come back", vehicles=_VEHICLES, manners="빨리 혼자 일찍 늦게",
          goals="학교 사무실 집 회사", sources="학교 도서관 병원 회사 시장"),
    _verb("돌아오다", "come back", times="any", vehicles="비행기", manners="혼자", goals="한국",
          sources="일본 중국 프랑스 독일 캐나다 호주 스페인"),
    _verb("돌아오다", "come back", times="any", vehicles=_FAR_VEHICLES, manners="혼자 일찍",
          goals="city 마을", sources="city 시골"),
    _verb("도착하다", "arrive", vehicles=_VEHICLES, manners="일찍 늦게 혼자", aspect="point",
          goal_preposition="at", goals="학교 도서관 식당 병원 회사 역 공항 호텔 극장"),
    _verb("돌아가다", "go back", vehicles=_VEHICLES, manners="빨리 혼자 일찍",
          goals="학교 집 회사 교실 사무실"),
    _verb("돌아가다", "go back", times="any", vehicles=_FAR_VEHICLES, manners="혼자 일찍", goals="city 시골"),
    _verb("돌아가다", "go back", times="any", vehicles="비행기", manners="혼자", goals="country"),
)  # fmt: skip

DO = _verb("하다", "do", places="집 학교 공원 사무실 도서관 카페 교실 방")
"""Stands with 무엇을 only: "What did she do?"."""

BECOME = _verb("되다", "become", aspect="point")
"""Takes its complement in 이/가, and is no event that places or tools belong to."""

RISE = _verb("뜨다", "rise", subjects="thing", agents="해", aspect="point", denied=False, manners="일찍 늦게")
BLOW = _verb("불다", "blow", subjects="thing", agents="바람")
RAIN = _verb("오다", "rain", subjects="thing")
SNOW = _verb("오다", "snow", subjects="thing")


_ALL = (*TRANSITIVE, *GIVING, *INTRANSITIVE, *MOTION, *ANIMAL)


def fitted(
    korean: str,
    english: str,
    *,
    objects: str | None = None,
    places: str = "",
    goals: str | None = None,
    manners: str = "",
    sources: str = "",
) -> Verb:
    """Narrow a verb to what makes sense in one situation; a place that is given must then be said."""
    verb = next(found for found in _ALL if found.english == english and f"{found.stem.text}다" == korean)
    return replace(
        verb,
        objects=verb.objects if objects is None else nouns(objects),
        places=nouns(places),
        needs_place=bool(places),
        goals=verb.goals if goals is None else nouns(goals),
        sources=nouns(sources),
        manners=tuple(manners.split()),
        times="year" if verb.times == "year" else "day",
        tools=(),
        vehicles=(),
        social=False,
    )


@cache
def humbled(verb: Verb) -> Verb:
    """Return the verb to use when the receiver is an elder."""
    return verb if verb.to_elder is None else replace(verb, stem=verb.to_elder, honored=None)
