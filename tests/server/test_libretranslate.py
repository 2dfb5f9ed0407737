"""LibreTranslate: its client, and its requests in every form, against a running service."""

import asyncio
import json
import time
import urllib.error
from dataclasses import replace
from typing import Any
from urllib.request import Request, urlopen

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from libretranslatepy import LibreTranslateAPI
from tests.server.in_process import InProcess
from tests.server.running import RunningServer

from regard.config.text import BpeConfig
from regard.server.protocols.hypertext import pieces
from regard.server.protocols.language_detection import detect_language
from regard.server.protocols.language_names import language_name
from regard.server.protocols.stored_files import MOST_FILES, StoredFiles
from regard.server.service import Call, Result
from regard.tasks.translation.document import TextOptions, translate_lines
from regard.tasks.translation.predictor import Translator
from regard.text.tokenizer import Tokenizer

ONE, TWO = "나는 책을 읽었다.", "그는 학교에 갔다."
PARAGRAPHS = TextOptions(split=True, too_long="split")


def in_python(translator: Translator, *texts: str) -> list[str]:
    return [line.text for line in translate_lines(translator, [("", text) for text in texts], PARAGRAPHS)]


def post(server: RunningServer, path: str, **values: Any) -> Any:
    answer = server.post(path, values)
    assert answer.status == 200, answer.content
    return answer.json


def test_its_client(running_server: RunningServer, translator: Translator) -> None:
    client = LibreTranslateAPI(running_server.url)
    text = f"{ONE} {TWO}\n\n{TWO}"
    assert client.translate(text, "ko", "en") == in_python(translator, text)[0]
    assert client.translate(ONE, "auto", "en") == in_python(translator, ONE)[0]
    assert client.detect(ONE) == [{"confidence": 100.0, "language": "ko"}]
    assert client.languages() == [
        {"code": "ko", "name": "Korean", "targets": ["en"]},
        {"code": "en", "name": "English", "targets": []},
    ]
    with pytest.raises(urllib.error.HTTPError) as refused:
        client.translate(ONE, "en", "ko")
    assert refused.value.code == 400
    assert json.load(refused.value) == {"error": "en → ko is not served; served are ko → en"}


@pytest.mark.parametrize("form", ["json", "line", "raw line", "parts"])
def test_lists_alternatives_and_the_word_map_in_every_form(
    running_server: RunningServer, translator: Translator, form: str
) -> None:
    url = f"{running_server.url}/translate"
    asked = {"source": "auto", "target": "en", "alternatives": "2", "attention": "true"}
    texts: dict[str, Any] = {**asked, "q": [ONE, TWO]}
    if form == "json":
        answer = httpx2.post(url, json={**texts, "alternatives": 2, "attention": True})
    elif form == "line":
        answer = httpx2.post(url, data=texts)
    elif form == "raw line":  # as curl -d sends it
        body = "&".join([*(f"{name}={value}" for name, value in asked.items()), f"q={ONE}", f"q={TWO}"])
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        answer = httpx2.post(url, content=body.encode(), headers=headers)
    else:
        answer = httpx2.post(url, files=[("q", (None, ONE)), ("q", (None, TWO))], data=asked)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    best = translator.translate([ONE, TWO], n_best=3)
    assert found["translatedText"] == [one.text for one in best]
    assert found["detectedLanguage"] == [{"confidence": 100.0, "language": "ko"}] * 2
    assert found["alternatives"] == [
        list(dict.fromkeys(other.text for other in one.alternatives if other.text != one.text))
        for one in best
    ]
    ((part,), _) = found["attention"]
    words = best[0].attention.words()
    assert part["source"] == ONE
    assert part["attention"]["words"]["columns"] == list(words.columns)
    assert part["attention"]["words"]["weights"] == [pytest.approx(row, abs=1e-5) for row in words.weights]


def test_html_keeps_its_tags(running_server: RunningServer, translator: Translator) -> None:
    page = (
        '<!-- 책 --><h1 title="a > b">나는 책을 읽었다.</h1>\n<script>if (1 < 2) { "나는" }</script>'
        "<p>나는 <b>책을</b> 읽었다. &lt;i&gt;<br>그는 학교에 갔다. </p><p> </p>"
    )
    found = post(running_server, "/translate", q=page, source="ko", target="en", format="html")[
        "translatedText"
    ]
    bold, plain = in_python(translator, "나는 <b>책을</b> 읽었다.", ONE)
    assert found.startswith(
        f'<!-- 책 --><h1 title="a > b">{plain}</h1>\n<script>if (1 < 2) {{ "나는" }}</script><p>'
    )
    assert found.endswith("</p><p> </p>")
    assert "<b>" in bold
    assert bold in found
    assert found.count("<br>") == 1
    assert "<i>" not in found  # what was no tag does not become one


def test_paragraphs_longer_than_the_model_reads(running_server: RunningServer) -> None:
    text = f"{ONE} " * 300  # far more than the tokens of one sentence
    answer = running_server.post("/translate", {"q": text, "source": "ko", "target": "en"})
    assert answer.status == 200
    assert answer.json["translatedText"].count(".") == 300


def test_files(running_server: RunningServer, translator: Translator) -> None:
    def sent(name: str, text: str) -> httpx2.Response:
        return httpx2.post(
            f"{running_server.url}/translate_file",
            files={"file": (name, text.encode())},
            data={"source": "ko", "target": "en"},
        )

    one, two = in_python(translator, ONE, TWO)
    url = sent("글.txt", f"\n{ONE}\n\n{TWO}\n").json()["translatedFileUrl"]
    with urlopen(Request(url)) as answer:
        assert answer.read().decode() == f"\n{one}\n\n{two}\n"
        assert answer.headers["Content-Disposition"] == "attachment; filename*=UTF-8''%EA%B8%80_en.txt"
    url = sent("a.HTML", f"<p>{ONE}</p>").json()["translatedFileUrl"]
    assert httpx2.get(url).text == f"<p>{one}</p>"
    assert sent("a.pdf", "a").json() == {"error": "file: expected a name with one of .txt, .html, .htm"}
    guessed = httpx2.get(f"{running_server.url}/download_file/a.txt")
    assert guessed.status_code == 404
    assert "error" in guessed.json()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"q": ""}, "q: expected a text, found none"),
        ({"q": None}, "q"),
        ({"target": None}, "target"),
        ({"format": "pdf"}, "format"),
        ({"alternatives": 16}, "alternatives: expected at most 15, found 16"),
        ({"q": "가" * 10_001}, "q: expected at most 10,000 characters, found 10,001"),
        ({"q": ["가"] * 33}, "q: expected at most 32 texts, found 33"),
        ({"source": "en"}, "en → en is not served; served are ko → en"),
        ({"q": "\ud800"}, "body"),
    ],
)
def test_what_is_refused(running_server: RunningServer, change: dict[str, Any], message: str) -> None:
    answer = running_server.post("/translate", {"q": ONE, "source": "ko", "target": "en"} | change)
    assert answer.status == 400
    assert list(answer.json) == ["error"]
    assert answer.json["error"].startswith(message)


def test_settings_for_a_page(running_server: RunningServer) -> None:
    told = running_server.get("/frontend/settings").json
    assert told["charLimit"] == 10_000
    assert not told["keyRequired"]
    assert told["language"]["source"] == {"code": "ko", "name": "Korean"}


def test_languages_of_one_script_are_told_apart_by_the_vocabularies(translator: Translator) -> None:
    english = ["the cat sat on the mat", "where is the station", "she reads this book every day"] * 9
    german = ["die Katze sitzt auf der Matte", "wo ist der Bahnhof", "sie liest dieses Buch jeden Tag"] * 9
    config = BpeConfig(vocabulary_size=400)
    sides = {"source": Tokenizer.learn(english, config), "target": Tokenizer.learn(german, config)}

    class Vocabularies(InProcess):
        async def run(self, call: Call) -> list[Result]:
            tokenizer = sides[call.options["side"]]
            return [{"tokens": tokenizer.encode(one["text"]).ids} for one in call.inputs]

    service = Vocabularies(one=translator)
    service.models = {"one": replace(service.models["one"], source="en", target="de")}
    for text, language in (("the station is on the mat", "en"), ("der Bahnhof liest das Buch", "de")):
        first, second = asyncio.run(detect_language(service, [text], ""))
        assert first.language == language
        assert first.confidence > 60
        assert first.confidence + second.confidence == pytest.approx(100, abs=0.2)
    assert asyncio.run(detect_language(service, ["책 1"], ""))[0].confidence == 0
    assert language_name("pt-BR") == "Portuguese"


@given(st.text(st.sampled_from("<>/!-abp &;\"'=\n가"), max_size=60))
def test_no_letter_of_a_page_is_lost(page: str) -> None:
    found = pieces(page)
    assert "".join(piece.written for piece in found) == page
    for piece in found:
        if piece.text:
            assert "<x>" not in piece.translated("<x>")


@pytest.mark.parametrize("part", ["<", "<!--", "<a '", '<a "', "<a b='<", "<script", "<pre>", "&lt;"])
def test_the_time_grows_with_the_length_alone(part: str) -> None:
    begun = time.perf_counter()
    pieces(part * (200_000 // len(part)))
    assert time.perf_counter() - begun < 2


def test_files_do_not_pile_up() -> None:
    files = StoredFiles()
    keys = [files.put("a.txt", "text/plain", bytes(2**19)) for _ in range(MOST_FILES)]
    assert files.get(keys[0]) is None  # there were too many bytes
    assert files.get(keys[-1]) is not None
