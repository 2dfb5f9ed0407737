"""The nouns of the world, in groups that verbs and adjectives name when they say what fits them.

A Korean word has one meaning here: words with two (배, 눈, 차, 말, 새) are left out, or used in one only.
"""

from dataclasses import dataclass
from typing import Literal

from regard.world.english import plural
from regard.world.table import Entry, check, entries

Article = Literal["the", "mass", "kind", "none", "my"]


@dataclass(frozen=True, slots=True, eq=False)
class Noun:
    """A noun, its English, and the facts that decide articles and counting.

    `article` says what stands before the bare noun in English: "the": that, or "a" where the verb asks for
    it; "mass": "the" for a subject, nothing elsewhere; "kind": the same, and the noun is then plural (사과를,
    "apples"); "none": nothing (names, school subjects, sports); "my": kin, whose owner Korean leaves unsaid.
    """

    korean: str
    english: str
    article: Article = "the"
    counter: str = ""
    """The Korean counter, "" if the noun is not counted."""
    measure: str = ""
    """The English word for the counter of a mass noun: cup, glass."""
    preposition: str = "at"
    """What English puts before a place where something happens."""
    elder: bool = False
    """As a subject, asks for an honorific predicate."""
    spot: str = ""
    """What English says for the bare noun as a place, without article: at home, to work, from school."""

    @property
    def plural(self) -> str:
        """The English plural."""
        return plural(self.english)


_TABLE = """
child, counter=명: 학생 student, 소년 boy, 소녀 girl, 아이 child
adult, counter=명: 여자 woman, 남자 man, 이웃 neighbor, 손님 guest
profession, counter=명: 의사 doctor, 간호사 nurse, 요리사 cook, 가수 singer, 화가 painter, 작가 writer,
    경찰관 police officer, 농부 farmer, 기자 reporter, 배우 actor, 군인 soldier, 변호사 lawyer,
    과학자 scientist, 기술자 engineer, 회사원 office worker, 운전사 driver, 소방관 firefighter,
    대학생 university student, 어부 fisherman, 음악가 musician, 무용가 dancer, 통역사 interpreter
kin, article=my counter=명: 친구 friend, 남동생 younger brother, 여동생 younger sister, 아들 son, 딸 daughter,
    삼촌 uncle, 사촌 cousin, 동료 coworker
elder_kin, article=my elder: 어머니 mother, 아버지 father, 할머니 grandmother, 할아버지 grandfather
elder, elder: 선생님 teacher, 교수님 professor, 사장님 boss
name, article=none: 민수 Minsu, 지영 Jiyoung, 수진 Sujin, 철수 Cheolsu, 영희 Younghee, 민준 Minjun,
    서연 Seoyeon, 준호 Junho, 은지 Eunji, 지훈 Jihoon, 현우 Hyunwoo, 유나 Yuna
pet, counter=마리: 강아지 puppy, 고양이 cat, 토끼 rabbit
farm_animal, counter=마리: 소 cow, 돼지 pig, 닭 chicken, 오리 duck, 염소 goat
bird, counter=마리: 참새 sparrow, 비둘기 pigeon, 독수리 eagle, 까치 magpie
wild_animal, counter=마리: 곰 bear, 호랑이 tiger, 사자 lion, 코끼리 elephant, 원숭이 monkey, 여우 fox
snack, article=kind counter=개: 사과 apple, 바나나 banana, 오렌지 orange, 감자 potato, 토마토 tomato,
    계란 egg, 복숭아 peach, 샌드위치 sandwich, 당근 carrot, 만두 dumpling, 고구마 sweet potato, 떡 rice cake
melon, article=mass counter=개: 수박 watermelon
dish, article=mass: 빵 bread, 고기 meat, 김치 kimchi, 불고기 bulgogi, 비빔밥 bibimbap, 김밥 gimbap, 국 soup,
    라면 ramen, 생선 fish, 샐러드 salad, 초콜릿 chocolate, 케이크 cake, 치즈 cheese, 아이스크림 ice cream
meal: 밥 meal
lunch, article=none: 점심 lunch
cold_drink, article=mass counter=잔 measure=glass: 물 water, 우유 milk, 주스 juice, 콜라 cola
hot_drink, article=mass counter=잔 measure=cup: 커피 coffee, 녹차 green tea, 홍차 black tea, 코코아 cocoa
book, counter=권: 책 book, 소설 novel, 잡지 magazine, 만화책 comic book, 교과서 textbook, 사전 dictionary
notebook, counter=권: 공책 notebook
mail, counter=통: 편지 letter, 이메일 email
postcard, counter=장: 엽서 postcard
paper: 신문 newspaper
report: 보고서 report
picture, counter=장: 그림 picture, 사진 photo, 지도 map
ticket, counter=장: 표 ticket
bag, counter=개: 가방 bag, 모자 hat, 우산 umbrella, 지갑 wallet, 상자 box
gift, counter=개: 선물 present, 인형 doll, 장난감 toy, 공 ball, 반지 ring, 목걸이 necklace
furniture, counter=개: 의자 chair, 책상 desk, 탁자 table, 침대 bed, 소파 sofa
dishware, counter=개: 컵 cup, 접시 plate
small_thing, counter=개: 열쇠 key, 시계 clock
device, counter=대: 컴퓨터 computer, 카메라 camera, 휴대전화 cell phone, 라디오 radio
clothes, counter=벌: 셔츠 shirt, 스웨터 sweater, 코트 coat, 재킷 jacket
pen, counter=자루: 연필 pencil, 볼펜 pen, 붓 brush
flower, article=kind counter=송이: 꽃 flower, 장미 rose, 튤립 tulip, 해바라기 sunflower
tree, article=kind counter=그루: 나무 tree, 소나무 pine tree, 사과나무 apple tree
instrument, counter=대: 피아노 piano, 기타 guitar, 바이올린 violin
car, counter=대: 자동차 car, 자전거 bicycle, 오토바이 motorcycle
vehicle: 버스 bus, 기차 train, 지하철 subway, 택시 taxi, 비행기 plane
film, counter=편: 영화 movie, 드라마 drama, 연극 play
broadcast, article=none: 텔레비전 television
news: 뉴스 news
music, article=none: 음악 music
song, counter=곡: 노래 song
speech: 이야기 story, 강의 lecture
task, article=mass: 숙제 homework
question: 문제 problem, 시험 exam
knowledge: 이름 name, 주소 address, 전화번호 phone number, 비밀번호 password, 답 answer
language, article=none: 한국어 Korean, 영어 English, 일본어 Japanese, 중국어 Chinese, 프랑스어 French,
    독일어 German, 스페인어 Spanish
subject, article=none: 수학 math, 역사 history, 과학 science, 미술 art, 경제학 economics, 물리학 physics,
    철학 philosophy
sport, article=none: 축구 soccer, 야구 baseball, 농구 basketball, 테니스 tennis, 배드민턴 badminton,
    배구 volleyball
opening: 문 door, 창문 window
road: 길 road, 다리 bridge
building: 건물 building, 탑 tower
sky, preposition=in: 하늘 sky, 달 moon, 구름 cloud
cutlery: 칼 knife, 숟가락 spoon
chopsticks, article=none: 젓가락 chopsticks
weather: 날씨 weather
season, article=none: 봄 spring, 여름 summer, 가을 autumn, 겨울 winter
sun: 해 sun
wind: 바람 wind
school, spot=school: 학교 school
university: 대학교 university
room, preposition=in: 교실 classroom, 방 room, 부엌 kitchen, 거실 living room, 도서관 library, 사무실 office,
    정원 garden, 공원 park
home, spot=home: 집 house
eatery: 식당 restaurant, 카페 cafe
shop: 가게 store, 시장 market, 백화점 department store
bookstore: 서점 bookstore
public: 병원 hospital, 은행 bank, 우체국 post office, 경찰서 police station
company, spot=work: 회사 company
factory: 공장 factory
farm, preposition=on: 농장 farm
culture: 극장 theater, 박물관 museum, 미술관 art museum, 동물원 zoo
transit: 역 station, 공항 airport
hotel: 호텔 hotel
gym: 체육관 gym
playground, preposition=on: 운동장 playground
swimming, preposition=in: 수영장 pool, 바다 sea, 강 river
beach, preposition=on: 해변 beach
lake, preposition=by: 호수 lake
mountain, preposition=on: 산 mountain, 섬 island
forest, preposition=in: 숲 forest
region, preposition=in: 도시 city, 마을 village
countryside, preposition=in: 시골 countryside
city, article=none preposition=in: 서울 Seoul, 부산 Busan, 대구 Daegu, 경주 Gyeongju, 인천 Incheon
country, article=none preposition=in: 한국 Korea, 일본 Japan, 중국 China, 프랑스 France, 독일 Germany,
    캐나다 Canada, 호주 Australia, 스페인 Spain
"""


def _nouns(entry: Entry) -> tuple[Noun, ...]:
    shared = check(Noun, entry.facts)
    pairs = (pair.split(maxsplit=1) for pair in entry.lists.split(","))
    return tuple(Noun(korean, english, **shared) for korean, english in pairs)


GROUPS = {entry.words: _nouns(entry) for entry in entries(_TABLE)}
KINDS = {noun: name for name, group in GROUPS.items() for noun in group}
"""The group of each noun."""

_BY_KOREAN = {noun.korean: noun for group in GROUPS.values() for noun in group}


def nouns(names: str) -> tuple[Noun, ...]:
    """Resolve names, each a group ("snack") or one Korean noun ("책"), to nouns in that order."""
    found: dict[Noun, None] = {}
    for name in names.split():
        found.update(dict.fromkeys(GROUPS[name] if name in GROUPS else (_BY_KOREAN[name],)))
    return tuple(found)
