"""Times, frequencies, manners and degrees: chunks that never change their form."""

from typing import Literal

from regard.data.world.phrase import Chunk, chunk

Tense = Literal["past", "present", "future", "progressive", "past progressive"]

WEEKDAYS = (
    chunk("월요일에", "on Monday"),
    chunk("화요일에", "on Tuesday"),
    chunk("수요일에", "on Wednesday"),
    chunk("목요일에", "on Thursday"),
    chunk("금요일에", "on Friday"),
    chunk("토요일에", "on Saturday"),
    chunk("일요일에", "on Sunday"),
)
"""The days of the week."""
PARTS_OF_DAY = (
    chunk("아침에", "in the morning"),
    chunk("오후에", "in the afternoon"),
    chunk("저녁에", "in the evening"),
    chunk("주말에", "on the weekend"),
)
"""When in a day, or in a week."""
_HABITS = (
    chunk("매일", "every day"),
    chunk("매주", "every week"),
    chunk("매일 아침", "every:0 morning:1"),
    chunk("매일 저녁", "every:0 evening:1"),
)

TIMES: dict[Tense, tuple[Chunk, ...]] = {
    "past": (
        chunk("어제", "yesterday"),
        chunk("그저께", "the day before yesterday"),
        chunk("지난주에", "last week"),
        chunk("지난 주말에", "last:0 weekend:1"),
        chunk("어제 아침에", "yesterday:0 morning:1"),
        chunk("어제 오후에", "yesterday:0 afternoon:1"),
        chunk("어제 저녁에", "yesterday:0 evening:1"),
        chunk("오늘 아침에", "this:0 morning:1"),
        *WEEKDAYS,
        *PARTS_OF_DAY,
    ),
    "present": (*_HABITS, *PARTS_OF_DAY),
    "future": (
        chunk("내일", "tomorrow"),
        chunk("모레", "the day after tomorrow"),
        chunk("다음 주에", "next:0 week:1"),
        chunk("내일 아침에", "tomorrow:0 morning:1"),
        chunk("내일 오후에", "tomorrow:0 afternoon:1"),
        chunk("내일 저녁에", "tomorrow:0 evening:1"),
        chunk("오늘 저녁에", "this:0 evening:1"),
        chunk("오늘", "today"),
        chunk("곧", "soon"),
        *WEEKDAYS,
        *PARTS_OF_DAY,
    ),
    "progressive": (chunk("지금", "now"),),
    "past progressive": (
        chunk("그때", "at that time"),
        chunk("어제 아침에", "yesterday:0 morning:1"),
        chunk("어제 저녁에", "yesterday:0 evening:1"),
        chunk("오늘 아침에", "this:0 morning:1"),
    ),
}
"""Time phrases that agree with each tense."""

COMMAND_TIMES: tuple[Chunk, ...] = tuple(time for time in TIMES["future"] if time.korean != ("곧",))
"""Times of a command, or of what will not be done: without "soon"."""

YEAR_TIMES: dict[Tense, tuple[Chunk, ...]] = {
    "past": (
        chunk("작년에", "last year"),
        chunk("지난달에", "last month"),
        chunk("지난여름에", "last summer"),
    ),
    "present": (chunk("매년", "every year"), chunk("여름에", "in summer"), chunk("겨울에", "in winter")),
    "future": (chunk("내년에", "next year"), chunk("다음 달에", "next:0 month:1")),
    "progressive": (chunk("지금", "now"),),
    "past progressive": (chunk("그때", "at that time"),),
}
"""Times of what fills or needs more than a day."""

ANIMAL_TIMES: dict[Tense, tuple[Chunk, ...]] = {
    "past": (chunk("어제", "yesterday"), chunk("오늘 아침에", "this:0 morning:1"), *PARTS_OF_DAY[:3]),
    "present": (chunk("매일", "every day"), *PARTS_OF_DAY[:3]),
    "progressive": (chunk("지금", "now"),),
    "past progressive": (chunk("그때", "at that time"),),
}
"""Times of what animals do: they keep no calendar."""

SINGLE_PRESENT_TIMES: tuple[Chunk, ...] = PARTS_OF_DAY
"""Times of a negated present: "not every day" would leave open what is denied."""

STATE_TIMES: dict[Tense, tuple[Chunk, ...]] = {
    "past": (
        chunk("어제", "yesterday"),
        chunk("지난주에", "last week"),
        chunk("오늘 아침에", "this:0 morning:1"),
        chunk("어제 저녁에", "yesterday:0 evening:1"),
    ),
    "present": (chunk("지금", "now"), chunk("오늘", "today")),
    "future": (chunk("내일", "tomorrow"), chunk("다음 주에", "next:0 week:1")),
}
"""Times of a passing state: "was busy yesterday", "is tired now"."""

FREQUENCIES: tuple[Chunk, ...] = (
    chunk("항상", "always"),
    chunk("자주", "often"),
    chunk("가끔", "sometimes"),
    chunk("보통", "usually"),
)

OCCASIONS: tuple[Chunk, ...] = FREQUENCIES[1:3]
"""Frequencies of what is not done every day: "often", "sometimes"."""

MANNERS: dict[str, Chunk] = {
    "천천히": chunk("천천히", "slowly"),
    "빨리": chunk("빨리", "quickly"),
    "조용히": chunk("조용히", "quietly"),
    "열심히": chunk("열심히", "diligently"),
    "혼자": chunk("혼자", "alone"),
    "잘": chunk("잘", "well"),
    "일찍": chunk("일찍", "early"),
    "늦게": chunk("늦게", "late"),
    "크게": chunk("크게", "loudly"),
    "즐겁게": chunk("즐겁게", "happily"),
    "맛있게": chunk("맛있게", "with relish"),
    "친절하게": chunk("친절하게", "kindly"),
    "조심스럽게": chunk("조심스럽게", "carefully"),
    "다시": chunk("다시", "again"),
}

DEGREES: tuple[Chunk, ...] = (
    chunk("아주", "very"),
    chunk("매우", "very"),
    chunk("정말", "really"),
    chunk("꽤", "quite"),
)
