"""Times, frequencies, manners and degrees: chunks that never change their form."""

from typing import Literal

from regard.world.phrase import Chunk, chunk, chunks

Tense = Literal["past", "present", "future", "progressive", "past progressive"]
TimeTable = dict[Tense, tuple[Chunk, ...]]
Times = Literal["hour", "noon", "day", "week", "any", "far", "year"]
"""Which times fit: parts of a day; whole days; both; also weeks; also months and years; all but parts of a
day (a journey); only months and years."""

WEEKDAYS = chunks(
    "월요일에 on Monday, 화요일에 on Tuesday, 수요일에 on Wednesday, 목요일에 on Thursday, "
    "금요일에 on Friday, 토요일에 on Saturday, 일요일에 on Sunday"
)
PARTS_OF_DAY = chunks("아침에 in the morning, 오후에 in the afternoon, 저녁에 in the evening")
WEEKEND = chunk("주말에", "on the weekend")
_DAILY = chunks("매일 every day, 매일 아침 every:0 morning:1, 매일 저녁 every:0 evening:1")
YESTERDAY = chunk("어제", "yesterday")
DAY_BEFORE_YESTERDAY = chunk("그저께", "the day before yesterday")
LAST_WEEK = chunk("지난주에", "last week")
_LAST_WEEKEND = chunk("지난 주말에", "last:0 weekend:1")
THIS_MORNING = chunk("오늘 아침에", "this:0 morning:1")
TODAY = chunk("오늘", "today")
TOMORROW = chunk("내일", "tomorrow")
DAY_AFTER_TOMORROW = chunk("모레", "the day after tomorrow")
NEXT_WEEK = chunk("다음 주에", "next:0 week:1")
SOON = chunk("곧", "soon")
NOW = chunk("지금", "now")
_THEN = chunk("그때", "at that time")
_PARTS_OF_YESTERDAY, _PARTS_OF_TOMORROW = (
    chunks(f"{ko} 아침에 {en}:0 morning:1, {ko} 오후에 {en}:0 afternoon:1, {ko} 저녁에 {en}:0 evening:1")
    for ko, en in (("어제", "yesterday"), ("내일", "tomorrow"))
)
_THIS_EVENING = chunk("오늘 저녁에", "this:0 evening:1")

HOUR_TIMES: TimeTable = {
    "past": (YESTERDAY, THIS_MORNING, *_PARTS_OF_YESTERDAY, *PARTS_OF_DAY),
    "present": (*_DAILY, *PARTS_OF_DAY),
    "future": (TOMORROW, _THIS_EVENING, *_PARTS_OF_TOMORROW, *PARTS_OF_DAY),
    "progressive": (NOW,),
    "past progressive": (_THEN, *_PARTS_OF_YESTERDAY, THIS_MORNING),
}
"""Times of what takes minutes or hours."""

DAY_TIMES: TimeTable = {
    "past": (*HOUR_TIMES["past"], DAY_BEFORE_YESTERDAY, WEEKEND, *WEEKDAYS),
    "present": (*_DAILY, *PARTS_OF_DAY, chunk("매주", "every week"), WEEKEND),
    "future": (*HOUR_TIMES["future"], DAY_AFTER_TOMORROW, TODAY, SOON, WEEKEND, *WEEKDAYS),
    "progressive": (NOW,),
    "past progressive": HOUR_TIMES["past progressive"],
}
"""Times of what can be planned for a day."""

WEEK_TIMES: TimeTable = {
    **DAY_TIMES,
    "past": (*DAY_TIMES["past"], LAST_WEEK, LAST_WEEK, _LAST_WEEKEND),
    "future": (*DAY_TIMES["future"], NEXT_WEEK, NEXT_WEEK),
}
"""Times of what one remembers, or plans, for longer."""

NOON_TIMES: TimeTable = {
    "past": tuple(time for time in DAY_TIMES["past"] if time not in HOUR_TIMES["past"] or time is YESTERDAY),
    "present": (_DAILY[0],),
    "future": tuple(
        time for time in DAY_TIMES["future"] if time not in HOUR_TIMES["future"] or time is TOMORROW
    ),
    "progressive": (NOW,),
    "past progressive": (_THEN,),
}
"""Times of lunch, and of all that happens at different hours of a day."""

YEAR_TIMES: TimeTable = {
    "past": chunks("작년에 last year, 지난달에 last month, 지난여름에 last summer"),
    "present": chunks("매년 every year, 여름에 in summer, 겨울에 in winter"),
    "future": chunks("내년에 next year, 다음 달에 next:0 month:1"),
    "progressive": (NOW,),
    "past progressive": (_THEN,),
}
"""Times of what fills or needs more than a day."""

LONG_TIMES = frozenset((LAST_WEEK, _LAST_WEEKEND, NEXT_WEEK, *YEAR_TIMES["past"], *YEAR_TIMES["future"]))
"""Times too long for a single deed to fill."""

FAR_TIMES: TimeTable = {
    "past": (YESTERDAY, DAY_BEFORE_YESTERDAY, LAST_WEEK, *WEEKDAYS, *YEAR_TIMES["past"]),
    "present": YEAR_TIMES["present"],
    "future": (TOMORROW, DAY_AFTER_TOMORROW, NEXT_WEEK, SOON, *WEEKDAYS, *YEAR_TIMES["future"]),
    "progressive": (NOW,),
    "past progressive": (_THEN,),
}
"""Times of a journey."""

TIMES: dict[Times, TimeTable] = {
    "hour": HOUR_TIMES,
    "noon": NOON_TIMES,
    "day": DAY_TIMES,
    "week": WEEK_TIMES,
    "any": WEEK_TIMES,
    "far": FAR_TIMES,
    "year": YEAR_TIMES,
}
"""Times by what fits a verb; "any" also takes `YEAR_TIMES`."""

DENIED_TIMES: dict[Times, tuple[Chunk, ...]] = {
    times: tuple(time for time in table["future"] if time is not SOON) for times, table in TIMES.items()
}
"""Times of what will not be done: without "soon"."""

ANIMAL_TIMES: TimeTable = {
    "past": (YESTERDAY, THIS_MORNING, *PARTS_OF_DAY),
    "present": (_DAILY[0], *PARTS_OF_DAY),
    "progressive": (NOW,),
    "past progressive": (_THEN,),
}
"""Times of what animals do: they keep no calendar."""

STATE_TIMES: TimeTable = {
    "past": (YESTERDAY, LAST_WEEK, THIS_MORNING, _PARTS_OF_YESTERDAY[2]),
    "present": (NOW, TODAY),
    "future": (TOMORROW, NEXT_WEEK),
}
"""Times of a passing state: "was busy yesterday", "is tired now"."""

WEATHER_TIMES: TimeTable = {
    "past": (YESTERDAY, DAY_BEFORE_YESTERDAY, TODAY, LAST_WEEK, *PARTS_OF_DAY, WEEKEND, *WEEKDAYS),
    "future": (TOMORROW, DAY_AFTER_TOMORROW, SOON, TODAY, *PARTS_OF_DAY, WEEKEND, *WEEKDAYS),
    "progressive": (NOW,),
}

_ORDERLY = (TODAY, TOMORROW, _THIS_EVENING, *_PARTS_OF_TOMORROW, *PARTS_OF_DAY, WEEKEND, *WEEKDAYS)
ORDER_TIMES: dict[Times, tuple[Chunk, ...]] = {
    times: tuple(time for time in table["future"] if time in _ORDERLY) for times, table in TIMES.items()
} | {"hour": (NOW,)}
"""Times for which something is asked; what takes minutes is asked for at once."""

FREQUENCIES = chunks("자주 often, 가끔 sometimes, 항상 always, 보통 usually")
OCCASIONS = FREQUENCIES[:2]
"""Frequencies that need nothing else: "usually" asks where or how."""

MANNERS = {
    manner.korean[0]: manner
    for manner in chunks(
        "천천히 slowly, 빨리 quickly, 조용히 quietly, 열심히 hard, 혼자 alone, 잘 well, 일찍 early, "
        "늦게 late, 크게 loudly, 즐겁게 happily, 맛있게 with relish, 자세히 in detail, 조심스럽게 carefully, "
        "다시 again"
    )
}
DEGREES = chunks("아주 very, 매우 very, 정말 really, 꽤 quite")
