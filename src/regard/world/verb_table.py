"""The verbs of the world, in groups by what they need."""

from dataclasses import replace
from typing import Any

from regard.world.table import entries
from regard.world.verbs import Verb, fields_of, verbs

_STUDY = "학교 도서관 집 방 교실 카페"
_OUTSIDE = "공원 숲 해변 운동장 호수"
_WORK = "공장 병원 은행 우체국 도서관 식당 가게 백화점 호텔 city country"
_VEHICLES = "버스 지하철 택시 자동차"
_FAR_VEHICLES = "버스 기차 자동차"
_ABROAD = "일본 중국 프랑스 독일 캐나다 호주 스페인"
_GOODS = "bag gift dishware 시계 device clothes pen notebook postcard 그림 지도"
_LOOKS = "예쁜 큰 작은 새 하얀 까만 빨간 파란 노란"
_WARES = f"{_LOOKS} 비싼 싼 가벼운 긴 좋은 편한"
_STORIES = "재미있는 슬픈 유명한 새"
_ANY = "demonstrative adjective counted joined owned"
_NOT_OWNED = "demonstrative adjective counted joined"
_MADE = "adjective counted joined"

TRANSITIVE = verbs(f"""
읽다 read, bare=a kinds=habit ordered times=week: objects 책 소설 잡지 만화책 교과서; shapes {_ANY};
    qualities 재미있는 어려운 쉬운 긴 짧은 슬픈 새; places {_STUDY} 공원; manners 천천히 조용히 빨리 혼자;
    themes desk home taste
읽다 read, bare=a kinds=habit: objects 신문 mail report 엽서; shapes {_ANY}; qualities 긴 짧은;
    places 집 방 카페 사무실; manners 천천히 빨리; themes desk home
쓰다 write, bare=a kinds=habit ordered times=week: objects 편지 엽서 이야기; shapes {_MADE};
    qualities 긴 짧은 재미있는 슬픈; places 집 방 카페 도서관; tools 연필 볼펜; manners 천천히 혼자;
    themes desk
쓰다 write, bare=a kinds=habit ordered: objects 이메일 보고서; shapes {_MADE}; qualities 긴 짧은;
    places 집 방 사무실 도서관; manners 빨리 혼자; themes desk work
먹다 eat, bare=a times=hour social ordered forbidden: objects snack melon dish meal; shapes {_NOT_OWNED};
    qualities 맛있는 매운 뜨거운 신선한; places 집 식당 학교 부엌 공원 호텔; manners 천천히 빨리 맛있게 혼자;
    themes home taste
먹다 eat, times=noon social ordered: objects 점심; places 집 식당 학교 공원; manners 빨리 혼자; themes home
먹다 eat, bare=a times=hour: objects 비빔밥 국 meal; shapes adjective; qualities 맛있는 매운 뜨거운;
    places 집 식당; tools 숟가락
먹다 eat, bare=a times=hour: objects 라면 만두 생선 고기 김치; shapes adjective; qualities 맛있는 매운;
    places 집 식당; tools 젓가락
마시다 drink, times=hour ordered forbidden: objects cold_drink 코코아; shapes {_NOT_OWNED};
    qualities 차가운 뜨거운; places 집 식당 카페 공원 부엌; manners 천천히 빨리; themes home taste
마시다 drink, subjects=adult times=hour social ordered forbidden: objects hot_drink; shapes {_NOT_OWNED};
    qualities 뜨거운; places 집 식당 호텔 카페 사무실; manners 천천히 혼자; themes home taste
사다 buy, bare=a aspect=point habit=never times=week: objects {_GOODS}; shapes {_NOT_OWNED};
    qualities {_WARES}; places 가게 시장 백화점 city; themes taste
사다 buy, bare=a kinds=habit aspect=point ordered times=week: objects book; shapes {_NOT_OWNED};
    qualities {_STORIES} 비싼 싼 좋은 쉬운; places 서점; themes taste
사다 buy, bare=a aspect=point ordered:
    objects snack melon flower 빵 고기 김밥 라면 생선 초콜릿 케이크 치즈 아이스크림 우유 주스;
    shapes {_NOT_OWNED}; qualities 신선한 맛있는 싼 비싼 예쁜 하얀 빨간 노란; places 가게 시장; themes taste
사다 buy, subjects=adult bare=a aspect=point habit=never times=any forbidden:
    objects furniture car instrument; shapes demonstrative adjective; qualities {_WARES};
    places 가게 백화점 city
팔다 sell, subjects=named kinds=always habit=free:
    objects snack melon flower book bag clothes 빵 고기 생선 김치 케이크; shapes adjective joined;
    qualities 싼 비싼 신선한 예쁜 맛있는 좋은; places 가게 시장 백화점 city; themes work
만들다 make, bare=a social ordered: objects 빵 김치 김밥 케이크 샐러드 국 만두 샌드위치; shapes {_MADE};
    qualities 맛있는 매운; places 집 부엌; manners 빨리 천천히 혼자; themes home
만들다 make, bare=a habit=never times=week: objects 인형 의자 책상 가방 장난감 상자; shapes {_MADE};
    qualities 예쁜 큰 작은 귀여운; places 집 학교 교실; manners 천천히 혼자; themes desk
굽다 bake, irregular=ㅂ social ordered: objects 빵 케이크; shapes adjective joined; qualities 맛있는;
    places 집 부엌; manners 혼자; themes home
요리하다 cook, social ordered times=hour: objects 고기 생선 불고기 비빔밥 라면; shapes adjective;
    qualities 신선한 맛있는 매운; places 집 부엌 식당; manners 빨리 혼자 천천히; themes home
젓다 stir, irregular=ㅅ bare=subject habit=never times=hour ordered: objects 커피 녹차 코코아 국;
    shapes demonstrative; tools 숟가락; manners 천천히 빨리; themes home
자르다 cut, irregular=르 habit=never times=hour ordered forbidden:
    objects 고기 빵 케이크 치즈 사과 당근 감자 수박; shapes demonstrative; places 부엌; tools 칼;
    manners 천천히 빨리 조심스럽게; themes home
그리다 draw, bare=a kinds=habit ordered: objects 꽃 나무 산 pet 집 지도 건물; shapes {_MADE};
    qualities 큰 작은 예쁜 귀여운 높은; places 학교 집 공원 방 교실; tools 연필; manners 천천히 혼자;
    themes desk
그리다 paint, bare=a kinds=habit asks=no: objects 그림; shapes adjective counted; qualities 아름다운 큰 작은;
    places 집 공원 방 정원; tools 붓; manners 천천히 혼자; themes desk
보다 watch, bare=a kinds=habit asks=no social times=week: objects 영화 연극; shapes {_NOT_OWNED};
    qualities {_STORIES} 긴 짧은; places 극장; manners 혼자; themes leisure taste
보다 watch, bare=a kinds=habit asks=no social forbidden: objects 영화 드라마; shapes demonstrative adjective;
    qualities {_STORIES}; places 집 거실 방 호텔; manners 혼자; themes home taste
보다 watch, times=hour asks=no ordered forbidden: objects 텔레비전 뉴스; places 집 거실; manners 혼자;
    themes home taste
보다 see, bare=a aspect=done denied=no times=week: objects 곰 호랑이 사자 코끼리 원숭이 여우;
    shapes adjective counted; qualities 큰 작은; places 동물원
보다 see, bare=a aspect=done denied=no times=week: objects bird; shapes counted; places 공원 숲 정원
보다 look at, aspect=reaction times=hour asks=no: objects 그림 사진 지도;
    shapes demonstrative adjective owned; qualities 아름다운 유명한 큰 작은; places 집 미술관 카페;
    manners 천천히 조용히; themes leisure
보다 look at, aspect=reaction times=hour asks=no: objects 하늘; places 공원 정원; manners 조용히 혼자;
    themes leisure
보다 look at, aspect=reaction times=hour asks=no: objects 바다; places 해변; manners 조용히 혼자;
    themes leisure
듣다 listen to, irregular=ㄷ social ordered forbidden: objects 음악 라디오; places 집 방 카페 거실;
    manners 조용히 혼자; themes home leisure taste
듣다 listen to, irregular=ㄷ bare=a kinds=habit: objects 노래 이야기; shapes demonstrative adjective;
    qualities 아름다운 슬픈 재미있는 새 짧은 긴; places 집 방 거실; manners 조용히 혼자; themes home leisure
듣다 listen to, irregular=ㄷ bare=a kinds=habit: objects 강의; shapes demonstrative adjective;
    qualities 재미있는 지루한 어려운 쉬운; places 학교 대학교 교실; manners 조용히 혼자; themes desk
부르다 sing, irregular=르 bare=a kinds=habit social skill ordered forbidden: objects 노래;
    shapes demonstrative adjective counted; qualities 아름다운 슬픈 새 짧은; places 집 학교 공원 극장;
    manners 크게 잘 즐겁게 혼자; themes leisure
부르다 call, irregular=르 asks=no aspect=done times=hour ordered forbidden: objects 의사 경찰관 소방관
배우다 learn, times=any habit=free social: objects language subject instrument 테니스 축구 농구;
    places 학교 대학교; manners 혼자; themes desk taste
공부하다 study, times=any habit=free social ordered: objects language subject; places {_STUDY} 대학교;
    manners 열심히 조용히 혼자; themes desk taste
가르치다 teach, subjects=staff habit=free: objects language subject; places 학교 대학교; manners 잘 즐겁게;
    themes desk work
연습하다 practice, ordered social: objects instrument; places 집 학교 방; manners 열심히 혼자;
    themes desk leisure
연습하다 practice, bare=a social times=week: objects 노래; shapes demonstrative adjective; qualities 새;
    places 집 학교 방; manners 열심히 혼자; themes leisure
연습하다 practice, social ordered: objects 축구 농구 테니스 배드민턴; places 운동장 체육관 학교;
    manners 열심히 혼자; themes leisure
좋아하다 like, kinds=always aspect=state:
    objects snack melon dish hot_drink flower pet sport language subject 음악 영화 책 소설 season;
    shapes adjective joined; qualities 매운 신선한 귀여운 큰 작은 하얀 빨간 노란 재미있는 슬픈 뜨거운;
    themes taste
싫어하다 dislike, kinds=always aspect=state: objects 당근 생선 김치 커피 콜라 수학 물리학 여름 겨울 시험;
    themes taste
사랑하다 love, kinds=always aspect=state denied=no asks=no: objects 음악 강아지 고양이 축구 꽃
기억하다 remember, aspect=state denied=no: objects knowledge 노래 이야기; shapes demonstrative owned
알다 know, aspect=state denied=no: objects knowledge 노래 이야기; shapes demonstrative owned
모르다 know, irregular=르 aspect=state negative: objects knowledge 노래 이야기; shapes demonstrative owned
잊다 forget, aspect=done times=noon: objects knowledge; shapes owned
만나다 meet, aspect=point asks=no times=week: objects name kin 이웃 profession; shapes adjective;
    qualities 유명한 젊은 친절한; places 공원 카페 식당 역 city
기다리다 wait for, asks=no habit=never ordered forbidden: objects kin name 손님; places 역 공항 집 카페;
    manners 조용히 혼자; themes work
기다리다 wait for, asks=no habit=routine times=hour social ordered: objects 버스 기차 지하철; places 역;
    manners 조용히 혼자
돕다 help, irregular=ㅂ asks=no ordered forbidden: objects kin name 아이 이웃 손님; places 집 학교;
    themes home work
열다 open, aspect=point habit=routine times=hour ordered forbidden: objects 문; shapes demonstrative;
    manners 천천히 조용히 빨리; tools 열쇠
열다 open, aspect=point habit=never times=hour ordered forbidden: objects 창문 상자 가방;
    shapes demonstrative adjective owned; qualities 큰 작은 까만 빨간; manners 천천히 조용히 빨리 조심스럽게
닫다 close, aspect=point habit=routine times=hour ordered forbidden: objects opening 가방;
    shapes demonstrative; manners 천천히 조용히 빨리 조심스럽게
씻다 wash, habit=never times=hour ordered: objects 컵 접시;
    shapes demonstrative adjective counted joined owned; qualities 더러운 큰 작은; places 부엌;
    manners 빨리 천천히 조심스럽게; themes home
씻다 wash, habit=never times=hour ordered: objects 사과 토마토 복숭아 당근 감자 고구마; shapes counted joined;
    places 부엌; manners 빨리 천천히; themes home
닦다 wipe, habit=routine times=hour ordered: objects 창문 책상 탁자; shapes demonstrative adjective owned;
    qualities 더러운 큰; places 집; manners 빨리 천천히 혼자; themes home
청소하다 clean, habit=routine social ordered: objects 집 방 부엌 거실 사무실;
    shapes demonstrative adjective owned; qualities 더러운 큰; manners 빨리 혼자 조용히; themes home
고치다 fix, subjects=adult habit=never ordered times=week: objects car device 시계 의자 문;
    shapes demonstrative owned; places 집; manners 빨리 혼자 천천히; themes work
찍다 take, kinds=always asks=no social ordered forbidden: objects 사진; shapes counted;
    places {_OUTSIDE} city 산; tools 카메라 휴대전화; manners 혼자; themes leisure taste
짓다 build, irregular=ㅅ bare=a times=year habit=never: agents 기술자; objects 집 학교 다리 병원 도서관 탑;
    shapes adjective; qualities 큰 작은 높은 긴 새; places city 마을
심다 plant, habit=never social ordered times=week: objects flower tree; shapes adjective counted joined;
    qualities 예쁜 작은; places 정원 공원 농장; manners 혼자 조심스럽게; themes leisure
타다 ride, bare=a asks=no skill social ordered forbidden: objects 자전거;
    shapes demonstrative adjective owned; qualities 새 빨간 파란 노란; places 공원 해변;
    manners 혼자 빨리 천천히; themes leisure taste
타다 take, asks=no social ordered forbidden: objects 버스 기차 지하철
운전하다 drive, subjects=adult bare=a asks=no skill forbidden: objects 자동차;
    shapes demonstrative adjective owned; qualities 새 빨간 까만 하얀 빠른; manners 천천히 빨리 조심스럽게;
    themes work
운전하다 drive, bare=a asks=no able=no habit=routine: agents 운전사; objects 버스 택시;
    manners 천천히 조심스럽게
줍다 pick up, irregular=ㅂ bare=a aspect=done denied=no: objects 공 지갑 열쇠 연필 우산; shapes adjective;
    qualities 빨간 까만 작은; places 공원 운동장 학교 역
잃어버리다 lose, aspect=done times=week: objects 지갑 열쇠 휴대전화 우산 가방 표 반지; shapes adjective owned;
    qualities 새 비싼 까만; places 역 공항 시장 공원
빌리다 borrow, bare=a kinds=habit place_preposition=from aspect=point ordered times=week:
    objects 책 소설 잡지 만화책 사전; shapes {_NOT_OWNED}; qualities 재미있는 어려운 쉬운 새; places 도서관;
    themes desk
빌리다 borrow, bare=a aspect=point habit=never times=week: objects 우산 자전거 카메라; shapes owned
준비하다 prepare, times=noon social ordered: objects 점심; places 집 부엌; manners 혼자; themes home
준비하다 prepare, bare=a habit=never social times=week: objects 선물; shapes adjective; qualities 비싼 작은;
    manners 혼자
준비하다 prepare for, subjects=pupil habit=never social asks=no times=week: objects 시험;
    shapes demonstrative adjective; qualities 어려운; places 집 도서관 학교; manners 혼자; themes desk
끝내다 finish, subjects=pupil bare=subject aspect=point habit=never asks=no ordered: objects 숙제;
    shapes demonstrative adjective; qualities 어려운; places 집 도서관 학교; manners 빨리 일찍 혼자;
    themes desk
끝내다 finish, subjects=named aspect=point habit=never asks=no ordered: objects 보고서;
    shapes demonstrative adjective; qualities 긴; places 집 도서관 사무실; manners 빨리 일찍 혼자; themes desk
하다 do, subjects=pupil asks=no social ordered: objects 숙제; shapes demonstrative; places 집 도서관 방;
    manners 혼자 빨리; themes desk
풀다 solve, asks=no habit=never social ordered: objects 문제; shapes demonstrative adjective;
    qualities 어려운 쉬운; places 학교 교실 도서관; manners 빨리 천천히 혼자; themes desk
하다 play, asks=no skill social ordered forbidden: objects sport; places 운동장 체육관 학교 공원;
    manners 즐겁게 잘; themes leisure taste
연주하다 play, habit=free skill social: objects instrument; shapes owned; places 집 극장 카페 학교;
    manners 잘 조용히 혼자; themes leisure
구경하다 look around, habit=never social times=week asks=no: objects 시장 박물관 미술관 동물원 city;
    shapes adjective; qualities 큰 유명한; manners 천천히 혼자 즐겁게; themes leisure taste
""")

GIVING = verbs("""
주다 give, bare=a gives_to=to aspect=point habit=never forbidden:
    objects 책 소설 만화책 flower gift 우산 사진 표 공책 연필 사과 초콜릿 물 커피;
    shapes demonstrative adjective counted joined; qualities 예쁜 작은 큰 새 재미있는 빨간 노란;
    places 학교 공원 카페 역
보내다 send, bare=a kinds=habit gives_to=to times=week: objects mail postcard 선물 사진 책;
    shapes demonstrative adjective counted; qualities 긴 짧은 예쁜 작은
보여주다 show, gives_to=to aspect=point habit=never times=hour ordered forbidden:
    objects 사진 그림 지도 편지 책; shapes demonstrative owned; places 학교 카페 집
빌려주다 lend, bare=a gives_to=to aspect=point habit=never ordered forbidden times=week:
    objects 책 소설 만화책 사전 우산 자전거 공책 볼펜 카메라; shapes demonstrative adjective counted;
    qualities 재미있는 새 쉬운
가르치다 teach, subjects=staff gives_to=to habit=free: objects language subject; places 학교 대학교;
    manners 잘 즐겁게
팔다 sell, subjects=named bare=a gives_to=to habit=never forbidden times=week:
    objects book bag clothes 카메라 시계 자전거; shapes demonstrative adjective counted;
    qualities 싼 비싼 좋은 큰 작은 새; places 가게 시장 백화점
던지다 throw, gives_to=to aspect=point habit=never times=hour asks=no ordered forbidden: objects 공;
    shapes demonstrative adjective; qualities 빨간 하얀 큰 작은; places 운동장 공원 체육관
설명하다 explain, bare=subject gives_to=to habit=never ordered: objects 문제 그림 숙제 지도;
    shapes demonstrative adjective; qualities 어려운 쉬운; places 교실 학교 도서관; manners 천천히 자세히 다시
""")

INTRANSITIVE = verbs(f"""
자다 sleep, times=hour: places 집 방 거실 호텔; manners 잘
자다 go to bed, needs_manner aspect=point times=noon: manners 일찍 늦게
낫다 get better, irregular=ㅅ aspect=done times=far denied=no: manners 빨리
웃다 laugh, aspect=reaction times=hour forbidden: manners 크게 조용히
울다 cry, aspect=reaction times=hour forbidden: places 방 집; manners 크게 조용히
걷다 walk, irregular=ㄷ social ordered: places 공원 숲 해변 호수; manners 천천히 조용히 혼자; themes leisure
달리다 run, social ordered forbidden: places 공원 운동장 해변; manners 빨리 천천히 혼자; themes leisure
일하다 work, subjects=named habit=free: places {_WORK}; manners 열심히 늦게 혼자; themes work
쉬다 rest, ordered social: places 집 방 거실 공원 호텔 해변 카페; manners 혼자 잘; themes home leisure
놀다 play: agents child 아들 딸 남동생 여동생; places 공원 정원 운동장 방 거실 해변;
    manners 혼자 즐겁게 조용히; themes leisure
살다 live, lasting aspect=state needs_place: places city country 마을 시골 섬; manners 혼자 즐겁게
춤추다 dance, habit=free skill social: places 극장 집 학교 공원; manners 즐겁게 혼자; themes leisure
노래하다 sing, social: places 극장 집 학교 공원; manners 크게 즐겁게 혼자; themes leisure
수영하다 swim, skill social ordered forbidden: places swimming; manners 빨리 천천히 혼자; themes leisure
운동하다 exercise, social ordered: places 체육관 공원 운동장 집; manners 열심히 혼자; themes leisure
여행하다 travel, times=year social: places country; vehicles 기차 버스 자동차 자전거; manners 혼자 즐겁게
공부하다 study, social ordered: places {_STUDY} 대학교; manners 열심히 조용히 혼자 늦게; themes desk
요리하다 cook, times=hour social skill: places 집 부엌 식당; manners 혼자 즐겁게; themes home
전화하다 call, gives_to= aspect=point ordered forbidden: manners 다시
인사하다 say hello, gives_to=to aspect=point habit=never times=hour ordered: manners 크게 다시;
    places 학교 교실 공원
말하다 speak, gives_to=to habit=never times=hour ordered forbidden: manners 천천히 조용히;
    places 교실 카페 사무실
""")

ANIMAL = verbs("""
자다 sleep, subjects=animal: agents pet; manners 잘 조용히; places 방 거실 정원
자다 sleep, subjects=animal: agents farm_animal; manners 잘 조용히; places 농장
자다 sleep, subjects=animal: agents wild_animal; manners 잘 조용히; places 동물원 숲
놀다 play, subjects=animal: agents 강아지 고양이; manners 조용히 즐겁게; places 정원 거실 공원
먹다 eat, subjects=animal: agents 강아지 고양이; objects 고기 생선 빵; places 거실 부엌 정원;
    manners 천천히 빨리 조용히
먹다 eat, subjects=animal: agents 토끼 돼지 염소; objects 당근 감자 고구마 사과; shapes counted;
    places 농장 정원; manners 천천히 빨리 조용히
먹다 eat, subjects=animal: agents 원숭이 코끼리 곰; objects 바나나 사과 당근 오렌지; shapes counted;
    places 동물원; manners 천천히 빨리 조용히
마시다 drink, subjects=animal habit=never: agents 강아지 고양이; objects 물 우유; places 부엌 거실 정원;
    manners 천천히 빨리 조용히
마시다 drink, subjects=animal habit=never: agents farm_animal; objects 물; places 농장; manners 천천히 조용히
날다 fly, subjects=animal habit=never: agents bird; manners 빨리 천천히
달리다 run, subjects=animal habit=never: agents 강아지 토끼; manners 빨리; places 공원 정원
달리다 run, subjects=animal habit=never: agents 호랑이 사자 여우; manners 빨리; places 숲
짖다 bark, subjects=animal: agents 강아지; manners 크게; places 정원 공원 거실
쫓다 chase, subjects=animal bare=a habit=never: agents 강아지 고양이; objects 참새 비둘기 까치;
    manners 빨리 조용히; places 정원 공원
쫓다 chase, subjects=animal bare=a habit=never: agents 여우; objects 토끼 닭 오리; manners 빨리 조용히;
    places 농장 숲
""")

MOTION = verbs(f"""
가다 go, social ordered forbidden: vehicles {_VEHICLES}; manners 혼자 일찍;
    goals 식당 가게 백화점 public culture 역 공항
가다 go, social ordered forbidden: vehicles 버스 자전거 자동차; manners 혼자 일찍;
    goals 카페 시장 서점 체육관 도서관 공원 수영장
가다 go, subjects=staff social ordered forbidden: vehicles 버스 지하철 자동차 자전거; manners 혼자 일찍;
    goals 학교 대학교 집 회사 사무실
가다 go, times=far social ordered forbidden: vehicles {_FAR_VEHICLES}; manners 혼자 일찍;
    goals 바다 산 city 시골 농장 해변 호수
가다 go, times=far social: vehicles 비행기; manners 혼자; goals country
오다 come, social ordered forbidden: vehicles {_VEHICLES}; manners 혼자 일찍;
    goals 도서관 공원 카페 식당 병원 역 공항
오다 come, subjects=staff social ordered forbidden: vehicles {_VEHICLES}; manners 혼자 일찍;
    goals 학교 사무실 집 회사 교실
오다 come, times=far social: vehicles {_FAR_VEHICLES}; manners 혼자 일찍; goals city; sources city 시골
돌아오다 come back, asks=no subjects=staff social: vehicles {_VEHICLES}; manners 혼자 일찍 늦게;
    goals 학교 사무실 집 회사; sources 학교 도서관 병원 회사 시장
돌아오다 come back, asks=no times=far habit=never: vehicles 비행기; manners 혼자; goals 한국;
    sources {_ABROAD}
돌아오다 come back, asks=no times=far habit=never: vehicles {_FAR_VEHICLES}; manners 혼자 일찍;
    goals city 마을; sources city 시골
도착하다 arrive, asks=no aspect=point habit=never denied=no goal_preposition=at: vehicles {_VEHICLES};
    manners 일찍 늦게 혼자; goals 도서관 식당 병원 역 공항 호텔 극장
도착하다 arrive, asks=no subjects=staff aspect=point habit=never denied=no goal_preposition=at:
    vehicles {_VEHICLES}; manners 일찍 늦게 혼자; goals 학교 회사
돌아가다 go back, asks=no subjects=staff habit=never ordered: vehicles {_VEHICLES}; manners 혼자 일찍;
    goals 학교 집 회사 교실 사무실
돌아가다 go back, asks=no times=far habit=never: vehicles {_FAR_VEHICLES}; manners 혼자 일찍; goals city 시골
돌아가다 go back, asks=no times=far habit=never: vehicles 비행기; manners 혼자; goals country
""")

DO, BECOME, RISE, BLOW, RAIN, SNOW = verbs("""
하다 do: places 집 학교 공원 사무실 도서관 카페 교실 방
되다 become, aspect=point
뜨다 rise, subjects=thing aspect=point denied=no: agents 해
불다 blow, subjects=thing: agents 바람
오다 rain, subjects=thing
오다 snow, subjects=thing
""")
"""`DO` stands with 무엇을 only: "What did she do?". `BECOME` takes its complement in 이/가, and is no event
that places or tools belong to."""

_ALL = (*TRANSITIVE, *GIVING, *INTRANSITIVE, *MOTION, *ANIMAL)
_ALONE: dict[str, Any] = {
    **dict.fromkeys(("shapes", "places", "sources", "tools", "vehicles", "manners"), ()),
    "ornate": False,
    "social": False,
}


def fitted(text: str) -> Verb:
    """Narrow a listed verb, with the objects of this entry, to what makes sense in one situation.

    A place that is given must then be said; nothing else that the table allows stands beside the verb.
    """
    (entry,) = entries(text)
    given = fields_of(entry)
    wanted = given.get("objects", ())
    named = (verb for verb in _ALL if f"{verb.stem.text}다 {verb.english}" == entry.words)
    fitting = (verb for verb in named if bool(verb.objects) == bool(wanted))
    verb = next((verb for verb in fitting if set(wanted) <= set(verb.objects)), None)
    if verb is None:
        raise ValueError(f"no verb {entry.words} takes all of: {entry.lists}")
    times = verb.times if verb.times in ("noon", "year") else "day"
    said = {"times": times, "needs_place": "places" in given, **_ALONE, **given}
    return replace(verb, needs_manner=verb.needs_manner and "manners" in given, **said)
