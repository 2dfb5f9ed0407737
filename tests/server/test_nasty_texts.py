"""Nasty texts through every protocol: an answer, or a refusal that the document knows; always valid JSON."""

import json
import re
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote_plus

import pytest
from tests.server.nasty import nasty_texts
from tests.server.running import RunningServer
from tests.torture.figures import Figures

Make = Callable[[str], dict[str, Any]]
KO_EN = {"source": "ko", "target": "en"}
USER = {"role": "user"}
KOREAN = "나는 책을 읽었다."
DOORS: list[tuple[str, Make]] = [
    ("/translate", lambda text: {"q": text, **KO_EN}),
    ("/translate", lambda text: {"q": text, **KO_EN, "format": "html"}),
    ("/translate", lambda text: {"q": [text, text], "source": "auto", "target": "en", "attention": True}),
    ("/translate", lambda text: {"q": KOREAN, "source": text, "target": text, "api_key": text}),
    ("/detect", lambda text: {"q": text}),
    ("/v1/embeddings", lambda text: {"model": "minilm", "input": text}),
    ("/v1/completions", lambda text: {"model": "language", "prompt": text, "max_tokens": 4, "logprobs": 2}),
    ("/v1/completions", lambda text: {"model": "language", "prompt": text, "max_tokens": 4, "stream": True}),
    (
        "/v1/completions",
        lambda text: {"model": "language", "prompt": "나는", "max_tokens": 4, "stop": [text]},
    ),
    ("/v1/chat/completions", lambda text: {"model": "translator", "messages": [{**USER, "content": text}]}),
    ("/v1/chat/completions", lambda text: {"model": text, "messages": [{**USER, "content": text}]}),
    ("/embed", lambda text: {"inputs": [text, "a book"]}),
    ("/similarity", lambda text: {"inputs": {"source_sentence": text, "sentences": [text]}}),
    ("/predict", lambda text: {"inputs": text}),
    ("/rerank", lambda text: {"query": text, "texts": [text, "a book"], "return_text": True}),
    ("/tokenize", lambda text: {"inputs": text}),
    ("/", lambda text: {"inputs": text}),
    ("/tei/opinions/tokenize", lambda text: {"inputs": text}),
    ("/v1/regard/translate", lambda text: {"text": text, "attention": True, "n_best": 2}),
    ("/v1/regard/translate", lambda text: {"text": text, "split": True, "markup": True}),
    (
        "/v1/regard/translate",
        lambda text: {"text": KOREAN, "constraints": {"must_not": [text], "prefix": text}},
    ),
    ("/v1/regard/translate", lambda text: {"text": KOREAN, "glossary": [[text, text]]}),
    ("/v1/regard/complete", lambda text: {"text": text, "max_length_extra": 4, "stream": True}),
    ("/v1/regard/complete", lambda text: {"text": "나는", "max_length_extra": 4, "stop": [text]}),
    ("/v1/regard/classify", lambda text: {"text": text, "attention": True}),
    ("/v1/regard/tag", lambda text: {"text": text}),
    ("/v1/regard/embed", lambda text: {"text": text}),
    ("/v1/regard/similarity", lambda text: {"text": text, "second": text}),
    ("/v1/regard/score", lambda text: {"text": text, "target": text}),
    ("/v1/regard/tokenize", lambda text: {"text": text, "model": "language"}),
    ("/v1/regard/look", lambda text: {"text": text, "model": "opinions"}),
    ("/v1/regard/look", lambda text: {"text": text, "target": text, "model": "translator"}),
    ("/v1/regard/edit", lambda text: {"text": KOREAN, "edits": [{"edit": "mask", "words": [text]}]}),
    ("/v1/regard/explain", lambda text: {"text": KOREAN, "row": text, "model": "translator"}),
    ("/v1/regard/align", lambda text: {"text": text, "target": text}),
    ("/v1/regard/causes", lambda text: {"text": text[:50], "model": "opinions"}),
    ("/v1/regard/alarms", lambda text: {"text": text, "model": "translator"}),
    ("/v1/regard/check", lambda text: {"rows": [{"text": text[:200], "target": text}], "model": "opinions"}),
    ("/v1/regard/beam-tree", lambda text: {"text": text, "beam_size": 2, "model": "translator"}),
    ("/v1/regard/classify", lambda text: {"text": KOREAN, "model": text}),
]
LINE, PARTS = "application/x-www-form-urlencoded", "multipart/form-data; boundary=0123456789"
FORMS: list[tuple[str, str]] = [
    ("/translate", LINE),
    ("/detect", PARTS),
    ("/translate_file", "a.txt"),
    ("/translate_file", "a.html"),
]


def in_a_form(text: str, kind: str) -> tuple[bytes, str]:
    """A body and its type; half characters become bytes that are no UTF-8."""
    content = text.encode("utf-8", "surrogatepass")
    if kind == LINE:
        return b"source=ko&target=en&q=" + quote_plus(content).encode(), LINE
    file = f'; filename="{kind}"\r\nContent-Type: text/plain' if kind != PARTS else ""
    parts = [(f'"{name}"', value.encode()) for name, value in KO_EN.items()]
    parts.append((f'"file"{file}' if file else '"q"', content))
    body = b"".join(
        f"--0123456789\r\nContent-Disposition: form-data; name={head}\r\n\r\n".encode() + value + b"\r\n"
        for head, value in parts
    )
    return body + b"--0123456789--\r\n", PARTS


def values_in(content: bytes, kind: str) -> list[Any]:
    """The JSON of an answer, or that of each event or line of a stream."""

    def number(text: str) -> None:
        raise AssertionError(f"{text} is no number of JSON")

    text = content.decode()
    if kind.startswith("application/json"):
        return [json.loads(text, parse_constant=number)]
    lines = [line.removeprefix("data: ") for line in text.split("\n") if line and line != "data: [DONE]"]
    assert lines
    return [json.loads(line, parse_constant=number) for line in lines]


@pytest.mark.parametrize(
    ("path", "asked", "field"),
    [
        ("/predict", {"inputs": "half \ud800"}, None),
        ("/v1/embeddings", {"model": "minilm", "input": ["half \ud800"]}, "input"),
        ("/v1/completions", {"model": "language", "prompt": "나는", "stop": ["\udc00"]}, "stop"),
        (
            "/v1/chat/completions",
            {"model": "translator", "messages": [{**USER, "content": "\udbff"}]},
            "messages",
        ),
    ],
)
def test_half_a_character_is_refused_wherever_it_is(
    running_server: RunningServer, path: str, asked: dict[str, Any], field: str | None
) -> None:
    workers = running_server.worker_pids()
    answer = running_server.post(path, asked)
    assert answer.status in (400, 422), answer.content
    assert b"half a character" in answer.content
    if field is not None:
        assert answer.json["error"]["param"] == field
    assert running_server.worker_pids() == workers


@pytest.mark.torture
def test_each_is_answered_or_refused(running_server: RunningServer, figures: Figures, torture: bool) -> None:
    """All through every door; in the quick form some through each."""
    texts = nasty_texts()
    doors: list[tuple[str, Make | str]] = [*DOORS, *FORMS]
    assert len(texts) >= 600
    document = running_server.get("/openapi.json").json["paths"]
    asked = [
        (place, text)
        for place in range(len(doors))
        for text in (texts if torture else texts[place :: 3 * len(doors)])
    ]
    statuses: Counter[int] = Counter()

    def ask(one: tuple[int, str]) -> None:
        (path, how), text = doors[one[0]], one[1]
        if isinstance(how, str):
            body, kind = in_a_form(text, how)
        else:
            body, kind = json.dumps(how(text)).encode(), "application/json"
        answer = running_server.request("POST", path, body, {"Content-Type": kind})
        told = f"{path} {how} {text[:100]!a}: {answer.status} {answer.content[:300]!a}"
        documented = document[re.sub("^/tei/[a-z]+", "/tei/{model}", path)]["post"]["responses"]
        assert str(answer.status) in documented, told
        assert answer.status < 500, told
        for values in values_in(answer.content, answer.headers["content-type"]):
            json.dumps(values, ensure_ascii=False).encode()  # half a character is none of UTF-8
        statuses[answer.status] += 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(ask, asked))
    assert statuses[200] > len(asked) // 2
    figures.add("R21", texts=len(texts), doors=len(doors), requests=len(asked), mistakes_of_the_service=0)
