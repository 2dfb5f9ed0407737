"""Whole texts: sentences, lines that are too long, tags and placeholders."""

import itertools
from collections.abc import Iterator

import pytest

from regard.errors import DataError
from regard.inference.constraints import Constraints
from regard.tasks.translation.document import PLAIN, LineTranslation, TextOptions, translate_lines
from regard.tasks.translation.predictor import MAX_SOURCE_TOKENS, Translator

ONE, TWO = "나는 책을 읽었다.", "그는 학교에 갔다."


def lines(translator: Translator, *texts: str, options: TextOptions = PLAIN) -> list[LineTranslation]:
    numbered = ((f"x:{number}", text) for number, text in enumerate(texts, 1))
    return list(translate_lines(translator, numbered, options))


def test_plain_lines_are_what_the_translator_gives(translator: Translator) -> None:
    found = lines(translator, ONE, "", "  ", TWO)
    alone = translator.translate([ONE, TWO], attention=False)
    assert [line.text for line in found] == [alone[0].text, "", "", alone[1].text]
    assert found[0].score == pytest.approx(alone[0].score, abs=1e-4)
    assert found[0].to_dict(attention=False).keys() == alone[0].to_dict().keys() - {"attention"}


def test_sentences_are_translated_alone_and_put_together(translator: Translator) -> None:
    (line,) = lines(translator, f"{ONE}  {TWO}", options=TextOptions(split=True))
    first, second = translator.translate([ONE, TWO], attention=False)
    assert line.text == f"{first.text}  {second.text}"
    assert [part.source for part in line.parts] == [ONE, TWO]
    assert line.log_probability == pytest.approx(first.log_probability + second.log_probability, abs=1e-3)
    assert len(line.to_dict()["parts"]) == 2


def test_a_line_that_is_too_long_is_refused_or_cut(translator: Translator) -> None:
    text = " ".join([ONE, TWO] * 120)
    size = translator.tokens_in(text)
    assert size > MAX_SOURCE_TOKENS
    results = translate_lines(translator, [("x:1", ONE), ("x:2", text), ("x:3", TWO)])
    assert next(results).source == ONE  # what was good is not lost
    with pytest.raises(DataError, match=rf"x:2: expected at most 1,024 tokens, found {size:,}"):
        next(results)
    (line,) = lines(translator, text, options=TextOptions(too_long="split"))
    assert [part.source for part in line.parts] == [ONE, TWO] * 120
    without_marks = "책 " * 1500
    (line,) = lines(translator, without_marks, options=TextOptions(too_long="split"))
    assert " ".join(part.source.strip() for part in line.parts).split() == without_marks.split()
    (line,) = lines(translator, "책" * 3000, options=TextOptions(too_long="split"))
    assert "".join(part.source for part in line.parts) == "책" * 3000


def test_tags_follow_the_words(translator: Translator) -> None:
    (plain,) = lines(translator, ONE)
    (line,) = lines(translator, "<p>나는 <b>책을</b> 읽었다.</p>")
    assert line.text.replace("<b>", "").replace("</b>", "") == f"<p>{plain.text}</p>"
    start, end = line.text.index("<b>"), line.text.index("</b>")
    assert "book" in line.text[start:end]
    (left,) = lines(translator, "<br/>")
    assert left.text == "<br/>"


def test_tags_around_several_sentences(translator: Translator) -> None:
    (line,) = lines(translator, f"<p>{ONE} <b>{TWO}</b></p>", options=TextOptions(split=True))
    first, second = translator.translate([ONE, TWO], attention=False)
    assert line.text == f"<p>{first.text} <b>{second.text}</b></p>"


def test_placeholders_are_written_as_they_stand(translator: Translator) -> None:
    (line,) = lines(translator, "나는 {name}을 읽었다.")
    assert "{name}" in line.text
    assert line.missing == ()
    (as_text,) = lines(translator, "나는 {name}을 읽었다.", options=TextOptions(markup=False))
    assert as_text.missing == ()
    (twice,) = lines(translator, "{a} {a}")
    assert twice.text.count("{a}") + len(twice.missing) == 2


def test_wishes_are_for_every_line(translator: Translator) -> None:
    numbered = [("x:1", ONE), ("x:2", "나는 %s을 읽었다.")]
    found = list(translate_lines(translator, numbered, constraints=Constraints(must=["school"])))
    assert all("school" in line.text for line in found)
    assert "%s" in found[1].text


def test_lines_are_taken_a_few_at_a_time(translator: Translator) -> None:
    """A stream without an end can be translated: no more is read than one chunk ahead."""
    read = 0

    def endless() -> Iterator[tuple[str, str]]:
        nonlocal read
        for number in itertools.count(1):
            read += 1
            yield f"x:{number}", ONE

    found = list(itertools.islice(translate_lines(translator, endless(), lines_at_once=4), 6))
    assert len(found) == 6
    assert read == 8


def test_samples_are_functions_of_the_seed_and_the_place(translator: Translator) -> None:
    numbered = [("x", ONE), ("x", "<b>나는</b> 책을 읽었다."), ("x", ""), ("x", TWO)] * 3
    draws = [
        [line.text for line in translate_lines(translator, numbered, lines_at_once=size, sample=True, seed=3)]
        for size in (100, 5, 1)
    ]
    assert draws[0] == draws[1] == draws[2]
    (told,) = translate_lines(translator, [("x", "나는 {name}을 읽었다.")], sample=True, seed=3)
    assert told.missing == (() if "{name}" in told.text else ("{name}",))
