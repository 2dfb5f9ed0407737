"""One fault, one finding, at the right line; and nothing else."""

import json
import unicodedata
from pathlib import Path

import pytest
from tests.doctor.helpers import ALL, CLEAN, found, look, write_pairs

from regard.doctor.catalogue import CHECKS
from regard.doctor.guess import Asked

LINE = 4
"""Of the faulty row: the header, two clean rows, then this one."""
SAID = {
    "mojibake 1252": ("mojibake", "그 카페는 ì•ˆë…•이다.", "The café is called Hello."),
    "mojibake é": ("mojibake", "그 카페는 조용하다.", "The cafÃ© is quiet â€“ mostly."),
    "mojibake latin": ("mojibake", "¾È³çÇÏ¼¼¿ä ¹Ý°©½À´Ï´Ù.", "Hello, nice to meet you."),
    "mojibake 949": ("mojibake", "문서 객체 목록".encode().decode("cp949"), "List of document objects"),
    "control": ("control", "그는 문을\x07 열었다.", "He opened the door."),
    "colour": ("control", "그는 문을 열었다.", "He opened \x1b[31mthe\x1b[0m door."),
    "nul": ("control", "그는 문을 열었다.", "He opened\x00 the door."),
    "replacement": ("replacement", "그는 문을 열�다.", "He opened the door."),
    "jamo": ("jamo", "그는 문을 열었다 ᄏᄏ", "He opened the door, haha."),
    "jamo filler": ("jamo", "그 영화 \u3164ㅂㅘㅅ다.", "I have seen that film."),
    "nfd": ("not-nfc", unicodedata.normalize("NFD", "그는 문을 열었다."), "He opened the door."),
    "nfd é": ("not-nfc", "그 카페는 조용하다.", "The cafe\u0301 is quiet."),
    "entity": ("entity", "그는 빵과 우유를 샀다.", "He bought bread &amp; milk."),
    "entity number": ("entity", "그는 빵과 우유를 샀다.", "It&#39;s bread and milk."),
    "escape": ("escape", "그는 가지 않는다.", "He doesnu2019t go there."),
    "escapes": ("escape", "그는 \\uc548\\ub155\\ud558 말했다.", "He said hello to them."),
    "zero width": ("invisible", "그는 문을\u200b 열었다.", "He opened the door."),
    "bom inside": ("invisible", "그는 문을\ufeff 열었다.", "He opened the door."),
    "bidi": ("invisible", "그는 문을 열었다.", "He opened\u202e the door."),
    "soft hyphen": ("invisible", "그는 문을 열었다.", "He ope\xadned the door."),
    "lookalike": ("lookalike", "서울은 수도이다.", "Seoul is the capit\u0430l."),
    "full width": ("full-width", "그는 Ａ를 골랐다！", "He chose the letter A!"),
    "nbsp": ("space", "그는 문을 열었다.", "He opened\xa0the door."),
    "line separator": ("space", "그는 문을 열었다.", "He opened\u2028the door."),
    "private use": ("private-use", "그는 문을 열었다.\ue123", "He opened the door."),
    "tag": ("tag", "그는 <b>문</b>을 열었다.", "He opened <b>the</b> door."),
    "old hangul": ("old-hangul", "그는 ᄒᆞᆫ글을 배웠다.", "He learned Hangul early."),
    "single jamo": ("single-jamo", "그는 문을 열었다 ㅋㅋ", "He opened the door, haha."),
    "wrong script": ("wrong-script", "He opened the window.", "He opened the door."),
    "wrong script en": ("wrong-script", "그는 문을 열었다.", "그는 창문을 열었다."),
    "foreign letters": ("foreign-letters", "그는 문을 さ 열었다.", "He opened the door."),
    "untranslated": ("untranslated", "he opened THE door", "He opened the door."),
    "placeholders": ("placeholders", "%s 문을 열었다.", "He opened the door of it."),
    "placeholder names": ("placeholders", "{file} 문을 열었다.", "It opened {the_file} here."),
    "numbers": ("numbers", "그는 1961년에 태어났다.", "He was born in 1916 there."),
    "too long": ("too-long", "그는 문을 열었다. " * 120, "He opened the door. " * 90),
    "no words": ("no-words", "그는 문을 열었다.", "... !!!"),
    "repeated word": ("repeated", "그는 문을 열었다.", "He opened the the the the door."),
    "repeated letter": ("repeated", "그는 문을 열었다.", "He opened the dooooooooooor."),
    "empty": ("empty", "그는 문을 열었다.", "  "),
    "invisible only": ("empty", "그는 문을 열었다.", "\u200b\u2060"),
    "duplicate": ("duplicate", *CLEAN[0]),
    "near duplicate": ("near-duplicate", "나는, 어제 학교에 갔다!", "i went to School YESTERDAY"),
    "same source": ("same-source", CLEAN[0][0], "Yesterday, I was at school."),
    "same target": ("same-target", "전 어제 학교에 갔어요.", CLEAN[0][1]),
}
"""Check, source, target."""
ALSO = {
    "untranslated": {"wrong-script"},
    "invisible only": {"invisible"},
    "jamo": {"single-jamo"},
}
"""Findings that come with another."""


@pytest.mark.parametrize("name", SAID)
def test_one_fault_is_one_finding(tmp_path: Path, name: str) -> None:
    check, source, target = SAID[name]
    path = write_pairs(tmp_path / "train.tsv", [*CLEAN[:2], (source, target), *CLEAN[2:]])
    places = found(look(path))
    assert places[check] == [f"{path}:{LINE}"]
    assert set(places) - ALSO.get(name, set()) == {check}


def test_clean_pairs_have_no_findings(tmp_path: Path) -> None:
    report = look(write_pairs(tmp_path / "train.tsv", CLEAN)).report
    assert report.findings == ()
    assert "nothing found" in report.to_text()
    assert len(report.to_text().splitlines()) < 10


def test_a_line_in_another_encoding(tmp_path: Path) -> None:
    path = write_pairs(tmp_path / "train.tsv", CLEAN)
    korean = "안녕하세요 여러분\tHello everybody there".encode("cp949")
    path.write_bytes(path.read_bytes() + korean + b"\n" + b"\xff\x81\tno text at all\n")
    examination = look(path)
    assert found(examination) == {"not-utf8": [f"{path}:8", f"{path}:7"]}
    (finding,) = examination.report.findings
    assert (finding.count, finding.check.severity) == (2, "error")
    assert "decoded: 안녕하세요 여러분" in finding.examples[1].text


def test_rows_that_cannot_be_read(tmp_path: Path) -> None:
    path = write_pairs(tmp_path / "train.tsv", CLEAN)
    path.write_bytes(path.read_bytes() + b"one column\n" + b"x" * 1_000_001 + b"\t\n")
    (finding,) = look(path).report.findings
    assert finding.check.id == "unreadable"
    first, second = finding.examples
    assert first.where == f"{path}:7"
    assert first.text.startswith("expected 2 columns as in the header, found 1")
    assert second.where == f"{path}:8"
    assert "longer than 1,000,000 bytes" in second.text


def test_a_byte_order_mark(tmp_path: Path) -> None:
    path = write_pairs(tmp_path / "train.tsv", CLEAN)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert found(look(path)) == {"bom": [f"{path}:1"]}


def test_half_a_character(tmp_path: Path) -> None:
    """JSON can say it, no text can hold it."""
    path = tmp_path / "train.jsonl"
    path.write_text('{"ko": "그는 문을 \\ud83d 열었다.", "en": "He opened the door."}\n', encoding="utf-8")
    assert found(look(path)) == {"control": [f"{path}:1"]}


def test_a_side_of_invisible_signs_is_empty_even_if_they_are_not_looked_for(tmp_path: Path) -> None:
    path = write_pairs(tmp_path / "train.tsv", [*CLEAN, ("\u200b \u2060", "Something to see.")])
    assert found(look(path, checks=ALL - {"invisible"})) == {"empty": [f"{path}:7"]}


def test_lengths_out_of_proportion(tmp_path: Path) -> None:
    """Farther than six deviations, the farthest first; the others' own spread sets the measure."""
    pairs = [(f"{'가나 ' * (5 + n % 7)}{n}", f"{'abcd ' * (5 + n % 7)}{n}") for n in range(200)]
    pairs[17] = ("가나 다라", "word " * 60)
    pairs[90] = ("가나 " * 100, "short text")
    path = write_pairs(tmp_path / "train.tsv", pairs)
    checks = frozenset({"length-ratio"})
    assert found(look(path, checks=checks)) == {"length-ratio": [f"{path}:92", f"{path}:19"]}


def leaking(folder: Path) -> tuple[Path, Path, Path]:
    """Training rows that stand in dev or test: whole, with one side, nearly, and in a word."""
    dev = write_pairs(folder / "dev.tsv", [*CLEAN[2:4], ("네.", "Yes.")])
    test = write_pairs(folder / "test.tsv", [CLEAN[4], CLEAN[2]])
    pairs = [
        CLEAN[0],
        CLEAN[4],  # leak
        (CLEAN[3][0], "We saw a movie last evening."),  # leak-side
        (f"{CLEAN[2][0]}!", "A woman reads something."),  # leak-near
        ("네.", "Yes."),  # leak-short
    ]
    return write_pairs(folder / "train.tsv", pairs), dev, test


def test_leaks(tmp_path: Path) -> None:
    train, dev, test = leaking(tmp_path)
    report = look(train, dev, test).report
    shown = {
        f.check.id: [(example.where, example.like.split(": ")[0]) for example in f.examples]
        for f in report.findings
    }
    assert shown == {
        "leak": [(f"{train}:3", f"{test}:2")],
        "leak-side": [(f"{train}:4", f"{dev}:3")],
        "leak-near": [(f"{train}:5", f"{dev}:2")],
        "leak-short": [(f"{train}:6", f"{dev}:4")],
        "leak-held-out": [(f"{dev}:2", f"{test}:3")],
    }
    (leak,) = (finding for finding in report.findings if finding.check.id == "leak")
    assert leak.detail == f"strikes 1 of 2 rows of {test}"


def test_duplicates_in_test_are_another_matter(tmp_path: Path) -> None:
    write_pairs(tmp_path / "train.tsv", CLEAN[:2])
    test = write_pairs(tmp_path / "test.tsv", [CLEAN[3], CLEAN[3]])
    assert found(look(tmp_path)) == {"duplicate-held-out": [f"{test}:3"]}


def test_labels(tmp_path: Path) -> None:
    rows = [f"good\tThis film number {n} was a pleasure." for n in range(20)]
    rows += ["bad\tThat film was a waste of time.", "good\tThat film was a waste of time."]
    train, test = tmp_path / "train.tsv", tmp_path / "test.tsv"
    train.write_text("label\ttext\n" + "\n".join(rows) + "\n")
    test.write_text("label\ttext\nugly\tNobody knows what to say about it.\n")
    examination = look(train, test)
    places = found(examination)
    assert places["label-conflict"] == [f"{train}:23"]
    assert places["label-unseen"] == [str(test)]
    assert places["label-balance"] == [str(train)]
    assert examination.report.files[0].labels == {"good": 21, "bad": 1}


def test_scores_are_no_classes(tmp_path: Path) -> None:
    """A score that training never saw is no surprise; two scores for one pair are worth a look."""
    train, test = tmp_path / "train.tsv", tmp_path / "test.tsv"
    head = "score\tsentence1\tsentence2\n"
    train.write_text(
        head + "3.5\tA man is eating.\tSomeone eats food.\n" * 2 + "1.0\tA dog runs.\tNo cat here.\n"
    )
    train.write_text(train.read_text() + "4.0\tA dog runs.\tNo cat here.\n")
    test.write_text(head + "2.25\tA girl is singing.\tA boy is dancing.\n")
    assert found(look(train, test)) == {"duplicate": [f"{train}:3"], "label-conflict": [f"{train}:5"]}


def test_sentence_pairs_of_one_language_are_no_translation(tmp_path: Path) -> None:
    """One premise has several hypotheses, some with other numbers, some equal to it."""
    path = tmp_path / "train.tsv"
    rows = [
        "A man of 1961 is sleeping.\tA man is awake.",
        "A man of 1961 is sleeping.\tA man of 1961 is sleeping.",
    ]
    path.write_text("premise\thypothesis\tlabel\n" + "\n".join(f"{row}\tneutral" for row in rows) + "\n")
    assert found(look(path)) == {}


def test_two_languages_of_one_script(tmp_path: Path) -> None:
    pairs = [("A man is eating a big apple now.", "A man is eating a big apple jetzt."), ("Berlin", "Berlin")]
    path = write_pairs(tmp_path / "train.tsv", pairs, "en\tde")
    assert found(look(path)) == {"untranslated": [f"{path}:2"]}


def test_what_japanese_and_arabic_need_is_left_alone(tmp_path: Path) -> None:
    pairs = [
        ("彼は「本」を読んだ！　次の日も。", "He read the book, and again."),
        ("本を読む人です。", "A reader."),
    ]
    assert found(look(write_pairs(tmp_path / "train.tsv", pairs, "ja\ten"))) == {}
    pairs = [("السلام\u200f عليكم يا صديقي", "Peace be upon you, my friend.")]
    assert found(look(write_pairs(tmp_path / "b.tsv", pairs, "ar\ten"))) == {}


def test_emoji_are_no_fault(tmp_path: Path) -> None:
    pairs = [("가족이다 👨\u200d👩\u200d👧 ❤\ufe0f", "It is a family 👨\u200d👩\u200d👧 ❤\ufe0f")]
    assert found(look(write_pairs(tmp_path / "train.tsv", pairs))) == {}


def test_text_about_entities_is_no_fault(tmp_path: Path) -> None:
    pairs = [("HTML에서는 &lt;를 쓴다.", "In HTML you write &lt; instead.")]
    assert found(look(write_pairs(tmp_path / "train.tsv", pairs))) == {}


def test_only_what_is_asked_for(tmp_path: Path) -> None:
    pairs = [*CLEAN, ("그는 문을\u200b 열었다 ㅋㅋ", "He opened &amp; closed it."), CLEAN[0]]
    path = write_pairs(tmp_path / "train.tsv", pairs)
    assert set(found(look(path))) == {"invisible", "entity", "single-jamo", "duplicate"}
    assert set(found(look(path, checks=frozenset({"entity"})))) == {"entity"}


def test_a_vocabulary_that_does_not_fit(tmp_path: Path) -> None:
    """Words of another world take more tokens, and signs that were never seen are spelt in bytes."""
    train = [f"the small {w} is near the house number {n}" for n in range(700) for w in ("cat", "dog")]
    test = [f"zygotische Quarkbällchen {n}: 漢字漢字漢字" for n in range(100)]
    (tmp_path / "train.txt").write_text("\n".join(train) + "\n", encoding="utf-8")
    (tmp_path / "test.txt").write_text("\n".join(test) + "\n", encoding="utf-8")
    report = look(tmp_path, checks=frozenset({"coverage", "fertility"})).report
    assert [finding.check.id for finding in report.findings] == ["coverage", "fertility"]
    seen, unseen = report.tokens
    assert unseen.tokens_per_word > 2 * seen.tokens_per_word
    assert seen.spelt_in_bytes == 0
    assert unseen.spelt_in_bytes > 0.1


def test_every_check_has_a_test() -> None:
    here = Path(__file__).read_text(encoding="utf-8")
    assert [check for check in CHECKS if f'"{check}"' not in here] == []


def test_the_report_as_json(tmp_path: Path) -> None:
    train, dev, test = leaking(tmp_path)
    del dev, test
    report = look(tmp_path, asked=Asked("ko", "en")).report
    values = json.loads(json.dumps(report.to_dict()))
    assert list(values) == ["format", "files", "guessed", "findings", "tokens", "checks"]
    assert values["format"] == 1
    assert values["guessed"] == []
    file = values["files"][0]
    assert (file["name"], file["role"], file["rows"], file["lost"]) == (str(train), "train", 5, 0)
    assert file["sides"][0] == {
        "side": "ko",
        "script": "Hangul",
        "words": 19,  # 4 + 5 + 4 + 5 + 1
        "characters": 67,
        "median": 16,
        "percentile_99": 18,
        "longest": 18,
    }
    finding = values["findings"][0]
    assert list(finding) == [
        "id", "severity", "meaning", "count", "unit", "share", "by_file", "detail", "examples", "fix"
    ]  # fmt: skip
    assert finding["by_file"] == {str(train): 1}
    assert finding["share"] == pytest.approx(1 / 10)
    assert list(finding["examples"][0]) == ["where", "text", "like"]


DOCUMENT = Path(__file__).parents[2] / "docs" / "corpora.md"


def test_the_document_has_every_check_and_every_key(tmp_path: Path) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    table = {line.split("|")[1].strip(" `"): line for line in text.splitlines() if line.startswith("| `")}
    assert [check for check in CHECKS if check not in table] == []
    for check in CHECKS.values():
        assert f"| {check.severity} |" in table[check.id]
        assert check.cure == "asks" or check.fix in table[check.id]
    values = look(write_pairs(tmp_path / "train.tsv", [*CLEAN, CLEAN[0]])).report.to_dict()
    keys = [*values, *values["files"][0], *values["files"][0]["sides"][0], *values["findings"][0]]
    assert [key for key in keys if f"`{key}`" not in text] == []


def test_decomposed_hangul_is_shown_as_a_reader_knows_it(tmp_path: Path) -> None:
    korean = unicodedata.normalize("NFD", "오늘은 날씨가 참 좋습니다.")
    pairs = [*CLEAN, (korean, "The weather is good."), (korean, "The weather is good.")]
    findings = look(write_pairs(tmp_path / "train.tsv", pairs)).report.findings
    shown = {finding.check.id: finding.examples[0].text for finding in findings}
    assert shown["not-nfc"] == "오늘은 날씨가 참 좋습니다. (NFD)"
    assert shown["duplicate"] == "오늘은 날씨가 참 좋습니다. (NFD) ⟷ The weather is good."
    assert "⟨U+11" not in "".join(shown.values())
