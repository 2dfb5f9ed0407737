import pytest

from regard.world.conjugation import (
    Ending,
    Irregular,
    Kind,
    Level,
    Stem,
    adnominal,
    attributive,
    closing,
    connective,
    finite,
    future,
    honorific,
    prospective,
)

# stem, kind, irregular class | plain present, plain past, polite present, formal present, plain question,
# form before a noun, form before 것이다
TABLE: list[tuple[str, Kind, Irregular, str]] = [
    ("읽", "verb", "", "읽는다 읽었다 읽어요 읽습니다 읽니 읽는 읽을"),
    ("먹", "verb", "", "먹는다 먹었다 먹어요 먹습니다 먹니 먹는 먹을"),
    ("닫", "verb", "", "닫는다 닫았다 닫아요 닫습니다 닫니 닫는 닫을"),
    ("가", "verb", "", "간다 갔다 가요 갑니다 가니 가는 갈"),
    ("오", "verb", "", "온다 왔다 와요 옵니다 오니 오는 올"),
    ("보", "verb", "", "본다 봤다 봐요 봅니다 보니 보는 볼"),
    ("주", "verb", "", "준다 줬다 줘요 줍니다 주니 주는 줄"),
    ("마시", "verb", "", "마신다 마셨다 마셔요 마십니다 마시니 마시는 마실"),
    ("보내", "verb", "", "보낸다 보냈다 보내요 보냅니다 보내니 보내는 보낼"),
    ("쉬", "verb", "", "쉰다 쉬었다 쉬어요 쉽니다 쉬니 쉬는 쉴"),
    ("되", "verb", "", "된다 됐다 돼요 됩니다 되니 되는 될"),
    ("하", "verb", "", "한다 했다 해요 합니다 하니 하는 할"),
    ("공부하", "verb", "", "공부한다 공부했다 공부해요 공부합니다 공부하니 공부하는 공부할"),
    ("쓰", "verb", "", "쓴다 썼다 써요 씁니다 쓰니 쓰는 쓸"),
    ("살", "verb", "", "산다 살았다 살아요 삽니다 사니 사는 살"),
    ("만들", "verb", "", "만든다 만들었다 만들어요 만듭니다 만드니 만드는 만들"),
    ("듣", "verb", "ㄷ", "듣는다 들었다 들어요 듣습니다 듣니 듣는 들을"),
    ("걷", "verb", "ㄷ", "걷는다 걸었다 걸어요 걷습니다 걷니 걷는 걸을"),
    ("돕", "verb", "ㅂ", "돕는다 도왔다 도와요 돕습니다 돕니 돕는 도울"),
    ("굽", "verb", "ㅂ", "굽는다 구웠다 구워요 굽습니다 굽니 굽는 구울"),
    ("짓", "verb", "ㅅ", "짓는다 지었다 지어요 짓습니다 짓니 짓는 지을"),
    ("모르", "verb", "르", "모른다 몰랐다 몰라요 모릅니다 모르니 모르는 모를"),
    ("부르", "verb", "르", "부른다 불렀다 불러요 부릅니다 부르니 부르는 부를"),
    ("크", "adjective", "", "크다 컸다 커요 큽니다 크니 큰 클"),
    ("작", "adjective", "", "작다 작았다 작아요 작습니다 작니 작은 작을"),
    ("예쁘", "adjective", "", "예쁘다 예뻤다 예뻐요 예쁩니다 예쁘니 예쁜 예쁠"),
    ("바쁘", "adjective", "", "바쁘다 바빴다 바빠요 바쁩니다 바쁘니 바쁜 바쁠"),
    ("길", "adjective", "", "길다 길었다 길어요 깁니다 기니 긴 길"),
    ("춥", "adjective", "ㅂ", "춥다 추웠다 추워요 춥습니다 춥니 추운 추울"),
    ("하얗", "adjective", "ㅎ", "하얗다 하얬다 하얘요 하얗습니다 하얗니 하얀 하얄"),
    ("빨갛", "adjective", "ㅎ", "빨갛다 빨갰다 빨개요 빨갛습니다 빨갛니 빨간 빨갈"),
    ("빠르", "adjective", "르", "빠르다 빨랐다 빨라요 빠릅니다 빠르니 빠른 빠를"),
    ("재미있", "existence", "", "재미있다 재미있었다 재미있어요 재미있습니다 재미있니 재미있는 재미있을"),
]


@pytest.mark.parametrize(("text", "kind", "irregular", "expected"), TABLE)
def test_forms(text: str, kind: Kind, irregular: Irregular, expected: str) -> None:
    stem = Stem(text, kind, irregular)
    forms = [
        finite(stem),
        finite(stem, past=True),
        finite(stem, "polite"),
        finite(stem, "formal"),
        finite(stem, "plain", "question"),
        attributive(stem),
        prospective(stem),
    ]
    assert forms == expected.split()


@pytest.mark.parametrize(
    ("level", "ending", "expected"),
    [
        ("plain", "statement", "들었다"),
        ("polite", "statement", "들었어요"),
        ("formal", "statement", "들었습니다"),
        ("plain", "question", "들었니"),
        ("polite", "question", "들었어요"),
        ("formal", "question", "들었습니까"),
        ("plain", "고", "들었고"),
        ("formal", "지만", "들었지만"),
    ],
)
def test_past_in_every_style(level: Level, ending: Ending, expected: str) -> None:
    assert finite(Stem("듣", irregular="ㄷ"), level, ending, past=True) == expected


def test_connectives_leave_the_stem_alone() -> None:
    assert connective(Stem("듣", irregular="ㄷ"), "고") == "듣고"
    assert finite(Stem("춥", "adjective", "ㅂ"), ending="지만") == "춥지만"


@pytest.mark.parametrize(
    ("noun", "expected"),
    [
        ("학생", "학생이다 학생이에요 학생입니다 학생입니까 학생이니 학생이었다 학생이었어요 학생이고"),
        ("의사", "의사다 의사예요 의사입니다 의사입니까 의사니 의사였다 의사였어요 의사고"),
    ],
)
def test_copula_depends_on_the_last_sound(noun: str, expected: str) -> None:
    stem = Stem(f"{noun}이", "copula")
    forms = [
        finite(stem),
        finite(stem, "polite"),
        finite(stem, "formal"),
        finite(stem, "formal", "question"),
        finite(stem, "plain", "question"),
        finite(stem, past=True),
        finite(stem, "polite", past=True),
        finite(stem, ending="고"),
    ]
    assert forms == expected.split()


def test_negative_copula() -> None:
    stem = Stem("아니", "adjective")
    assert finite(stem) == "아니다"
    assert finite(stem, "polite") == "아니에요"
    assert finite(stem, "formal", past=True) == "아니었습니다"


def test_future_word() -> None:
    assert future("plain", "statement") == "것이다"
    assert future("polite", "statement") == "거예요"
    assert future("formal", "question") == "것입니까"
    assert future("plain", "question") == "거니"
    assert future("polite", "지만") == "것이지만"


@pytest.mark.parametrize(
    ("stem", "expected"),
    [
        (Stem("읽"), "읽으신다 읽으세요 읽으십니다 읽으셨어요"),
        (Stem("가"), "가신다 가세요 가십니다 가셨어요"),
        (Stem("살"), "사신다 사세요 사십니다 사셨어요"),
        (Stem("듣", irregular="ㄷ"), "들으신다 들으세요 들으십니다 들으셨어요"),
        (Stem("돕", irregular="ㅂ"), "도우신다 도우세요 도우십니다 도우셨어요"),
        (Stem("바쁘", "adjective"), "바쁘시다 바쁘세요 바쁘십니다 바쁘셨어요"),
    ],
)
def test_honorific(stem: Stem, expected: str) -> None:
    raised = honorific(stem)
    forms = [
        finite(raised),
        finite(raised, "polite"),
        finite(raised, "formal"),
        finite(raised, "polite", past=True),
    ]
    assert forms == expected.split()


# the form before a noun (of a verb: its past), then -아서, -면, -ㄹ 때, -았을 때, -기 전에
DEPENDENT: list[tuple[Stem, str]] = [
    (Stem("읽"), "읽은 읽어서 읽으면 읽을 때 읽었을 때 읽기 전에"),
    (Stem("가"), "간 가서 가면 갈 때 갔을 때 가기 전에"),
    (Stem("오"), "온 와서 오면 올 때 왔을 때 오기 전에"),
    (Stem("마시"), "마신 마셔서 마시면 마실 때 마셨을 때 마시기 전에"),
    (Stem("쉬"), "쉰 쉬어서 쉬면 쉴 때 쉬었을 때 쉬기 전에"),
    (Stem("하"), "한 해서 하면 할 때 했을 때 하기 전에"),
    (Stem("쓰"), "쓴 써서 쓰면 쓸 때 썼을 때 쓰기 전에"),
    (Stem("살"), "산 살아서 살면 살 때 살았을 때 살기 전에"),
    (Stem("만들"), "만든 만들어서 만들면 만들 때 만들었을 때 만들기 전에"),
    (Stem("듣", irregular="ㄷ"), "들은 들어서 들으면 들을 때 들었을 때 듣기 전에"),
    (Stem("돕", irregular="ㅂ"), "도운 도와서 도우면 도울 때 도왔을 때 돕기 전에"),
    (Stem("굽", irregular="ㅂ"), "구운 구워서 구우면 구울 때 구웠을 때 굽기 전에"),
    (Stem("짓", irregular="ㅅ"), "지은 지어서 지으면 지을 때 지었을 때 짓기 전에"),
    (Stem("부르", irregular="르"), "부른 불러서 부르면 부를 때 불렀을 때 부르기 전에"),
    (Stem("바쁘", "adjective"), "바쁜 바빠서 바쁘면 바쁠 때 바빴을 때 바쁘기 전에"),
    (Stem("길", "adjective"), "긴 길어서 길면 길 때 길었을 때 길기 전에"),
    (Stem("춥", "adjective", "ㅂ"), "추운 추워서 추우면 추울 때 추웠을 때 춥기 전에"),
    (Stem("하얗", "adjective", "ㅎ"), "하얀 하얘서 하야면 하얄 때 하얬을 때 하얗기 전에"),
    (Stem("빠르", "adjective", "르"), "빠른 빨라서 빠르면 빠를 때 빨랐을 때 빠르기 전에"),
    (Stem("드시", honorific=True), "드신 드셔서 드시면 드실 때 드셨을 때 드시기 전에"),
]


@pytest.mark.parametrize(("stem", "expected"), DEPENDENT)
def test_forms_that_hang_on_another_clause(stem: Stem, expected: str) -> None:
    forms = [
        adnominal(stem, past=stem.kind == "verb"),
        *closing(stem, "plain", "아서"),
        *closing(stem, "plain", "면"),
        *closing(stem, "plain", "때"),
        *closing(stem, "plain", "때", past=True),
        *closing(stem, "plain", "전에"),
    ]
    assert " ".join(forms) == expected


@pytest.mark.parametrize(
    ("stem", "expected"),
    [
        (Stem("읽"), "읽어라 읽으세요 읽으십시오"),
        (Stem("가"), "가라 가세요 가십시오"),
        (Stem("오"), "와라 오세요 오십시오"),
        (Stem("하"), "해라 하세요 하십시오"),
        (Stem("쓰"), "써라 쓰세요 쓰십시오"),
        (Stem("만들"), "만들어라 만드세요 만드십시오"),
        (Stem("듣", irregular="ㄷ"), "들어라 들으세요 들으십시오"),
        (Stem("돕", irregular="ㅂ"), "도와라 도우세요 도우십시오"),
        (Stem("짓", irregular="ㅅ"), "지어라 지으세요 지으십시오"),
        (Stem("부르", irregular="르"), "불러라 부르세요 부르십시오"),
        (Stem("말"), "마 마세요 마십시오"),
    ],
)
def test_commands(stem: Stem, expected: str) -> None:
    levels: tuple[Level, ...] = ("plain", "polite", "formal")
    assert [finite(stem, level, "command") for level in levels] == expected.split()
