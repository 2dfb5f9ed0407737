from regard.world.adjectives import MODIFIERS
from regard.world.hangul import BARE, GOAL, OBJECT, PLACE, SUBJECT, TOPIC, WITH
from regard.world.nouns import GROUPS, KINDS, Noun, nouns
from regard.world.phrase import Chunk, Possessor, chunk, counted_phrase, joined_phrase, noun_phrase
from regard.world.verb_table import TRANSITIVE
from regard.world.verbs import Verb


def noun(korean: str) -> Noun:
    return nouns(korean)[0]


def verb(korean: str) -> Verb:
    return next(found for found in TRANSITIVE if f"{found.stem.text}다" == korean)


def shown(phrase: Chunk) -> str:
    """Write "예쁜 꽃을 = the/1 pretty/0 flower/1"."""
    english = (f"{text}/{'+'.join(map(str, anchors))}" for text, anchors in phrase.english)
    return f"{' '.join(phrase.korean)} = {' '.join(english)}"


def test_articles() -> None:
    assert shown(noun_phrase(noun("책"), OBJECT)) == "책을 = the/0 book/0"
    assert shown(noun_phrase(noun("책"), OBJECT, bare="a")) == "책을 = a/0 book/0"
    assert shown(noun_phrase(noun("책"), OBJECT, bare="plural")) == "책을 = books/0"
    assert shown(noun_phrase(noun("물"), OBJECT, bare="a")) == "물을 = water/0"
    assert shown(noun_phrase(noun("물"), TOPIC, bare="subject")) == "물은 = the/0 water/0"
    assert shown(noun_phrase(noun("민수"), TOPIC, bare="subject")) == "민수는 = Minsu/0"
    assert shown(noun_phrase(noun("어머니"), TOPIC, bare="subject")) == "어머니는 = my/0 mother/0"
    assert shown(noun_phrase(noun("기술자"), BARE, bare="predicate")) == "기술자 = an/0 engineer/0"
    assert shown(noun_phrase(noun("기술자"), BARE, bare="predicate", many=True)) == "기술자 = engineers/0"


def test_food_and_flowers_are_kinds_unless_they_are_subjects() -> None:
    assert shown(noun_phrase(noun("사과"), OBJECT)) == "사과를 = apples/0"
    assert shown(noun_phrase(noun("사과"), OBJECT, bare="a")) == "사과를 = apples/0"
    assert shown(noun_phrase(noun("사과"), TOPIC, bare="subject")) == "사과는 = the/0 apple/0"
    assert shown(noun_phrase(noun("사과"), TOPIC, bare="several")) == "사과는 = the/0 apples/0"
    assert shown(noun_phrase(noun("사과"), OBJECT, demonstrative="이")) == "이 사과를 = this/0 apple/1"


def test_habits_are_about_kinds() -> None:
    reading, liking = verb("읽다"), verb("좋아하다")
    assert [reading.bare_in(tense) for tense in ("past", "present")] == ["a", "plural"]
    assert [liking.bare_in(tense) for tense in ("past", "present")] == ["plural", "plural"]
    assert verb("열다").bare_in("present") == "object"


def test_places() -> None:
    assert shown(noun_phrase(noun("도서관"), PLACE, preposition="in")) == "도서관에서 = in/0 the/0 library/0"
    assert shown(noun_phrase(noun("학교"), PLACE, preposition="at")) == "학교에서 = at/0 school/0"
    assert shown(noun_phrase(noun("회사"), GOAL, preposition="to")) == "회사에 = to/0 work/0"
    assert shown(noun_phrase(noun("집"), GOAL, preposition="to")) == "집에 = home/0"
    assert shown(noun_phrase(noun("집"), PLACE, preposition="at")) == "집에서 = at/0 home/0"
    ours = noun_phrase(noun("학교"), PLACE, preposition="at", possessor=Possessor("우리", "our"))
    assert shown(ours) == "우리 학교에서 = at/1 our/0 school/1"


def test_what_stands_before_a_noun() -> None:
    pretty = next(adjective for adjective in MODIFIERS[noun("꽃")] if adjective.english == "pretty")
    assert shown(noun_phrase(noun("꽃"), OBJECT, adjective=pretty)) == "예쁜 꽃을 = pretty/0 flowers/1"
    assert shown(noun_phrase(noun("책"), OBJECT, demonstrative="이")) == "이 책을 = this/0 book/1"
    those = noun_phrase(noun("학생"), TOPIC, demonstrative="그", many=True)
    assert shown(those) == "그 학생들은 = those/0 students/1"
    assert shown(noun_phrase(noun("책"), OBJECT, possessor=Possessor("내", "my"))) == "내 책을 = my/0 book/1"


def test_counting() -> None:
    assert shown(counted_phrase(noun("책"), 1, OBJECT)) == "책 한 권을 = one/1 book/0+2"
    assert shown(counted_phrase(noun("책"), 2, OBJECT)) == "책 두 권을 = two/1 books/0+2"
    assert shown(counted_phrase(noun("강아지"), 3, SUBJECT)) == "강아지 세 마리가 = three/1 puppies/0+2"
    assert shown(counted_phrase(noun("물"), 3, OBJECT)) == "물 세 잔을 = three/1 glasses/2 of/2 water/0"
    assert shown(counted_phrase(noun("커피"), 1, OBJECT)) == "커피 한 잔을 = one/1 cup/2 of/2 coffee/0"


def test_joining() -> None:
    joined = joined_phrase(noun_phrase(noun("컵"), WITH), noun_phrase(noun("접시"), OBJECT))
    assert shown(joined) == "컵과 접시를 = the/0 cup/0 and/0 the/1 plate/1"


def test_chunk_notation() -> None:
    assert chunk("다음 주에", "next:0 week:1") == Chunk(("다음", "주에"), (("next", (0,)), ("week", (1,))))


def test_every_korean_noun_is_one_entry() -> None:
    assert len({entry.korean for entry in KINDS}) == sum(len(group) for group in GROUPS.values())
