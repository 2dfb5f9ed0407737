"""OpenAI: its own client, sync, async and streaming, against a running service."""

import asyncio
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import openai
import pytest
from tests.server.running import RunningServer

import regard
from regard.tasks.language_model.predictor import LanguageModel
from regard.tasks.translation.predictor import Translator

BEGUN, ONE = "나는", "나는 책을 읽었다."
ASKED: dict[str, Any] = {"model": "language", "prompt": BEGUN, "max_tokens": 12}


@pytest.fixture(scope="module")
def client(running_server: RunningServer) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{running_server.url}/v1", api_key="none", max_retries=0) as made:
        yield made


def message(text: str) -> Any:
    return [{"role": "system", "content": "Translate."}, {"role": "user", "content": text}]


def test_models(client: openai.OpenAI) -> None:
    assert [model.id for model in client.models.list()][:3] == ["translator", "opinions", "language"]
    assert client.models.retrieve("minilm").owned_by == "regard"


def test_embeddings_are_those_of_python(client: openai.OpenAI, minilm: Path) -> None:
    encoder = regard.load(minilm)
    texts = ["a book", "나는 책을 읽었다.", ""]
    expected = encoder.embed(texts, normalise=True)
    both: list[dict[str, Any]] = [{}, {"encoding_format": "float"}]  # the client asks for base64 by itself
    for options in both:
        found = client.embeddings.create(model="minilm", input=texts, **options)
        assert np.allclose([one.embedding for one in found.data], expected, atol=1e-6)
    assert found.usage.prompt_tokens == sum(len(one.ids) for one in encoder.encode(texts))
    (first,) = client.embeddings.create(model="minilm", input=[1037, 2338]).data
    assert np.allclose(first.embedding, expected[0], atol=1e-6)  # "a book" in tokens
    with pytest.raises(openai.BadRequestError, match="have 384 numbers") as refused:
        client.embeddings.create(model="minilm", input="a", dimensions=64)
    assert refused.value.param == "dimensions"


def test_greedy_completions_and_their_log_probabilities(
    client: openai.OpenAI, language_model: LanguageModel
) -> None:
    found = client.completions.create(**ASKED, temperature=0, logprobs=2, echo=True)
    (choice,) = found.choices
    expected = language_model.complete(BEGUN, beam_size=1, max_length_factor=1, max_length_extra=12)
    assert choice.text == expected.text
    assert found.usage is not None
    assert found.usage.completion_tokens == len(expected.tokens) - found.usage.prompt_tokens
    assert choice.finish_reason == ("stop" if expected.ended else "length")
    told = choice.logprobs
    assert told is not None
    assert told.token_logprobs is not None
    assert told.top_logprobs is not None
    assert told.text_offset is not None
    own = math.fsum(told.token_logprobs)
    if not expected.ended:  # the end has a log-probability, too
        assert own == pytest.approx(expected.log_probability, abs=1e-4)
    assert all(len(top) == 2 for top in told.top_logprobs)
    greedy = zip(told.token_logprobs[1:], told.top_logprobs[1:], strict=True)
    assert all(value == pytest.approx(max(top.values())) for value, top in greedy)
    assert told.text_offset[:2] == [0, len(BEGUN)]


def test_a_given_text_is_scored(client: openai.OpenAI, language_model: LanguageModel) -> None:
    found = client.completions.create(
        model="language", prompt=[ONE, BEGUN], max_tokens=0, echo=True, logprobs=0, temperature=0
    )
    for choice, scored in zip(found.choices, language_model.score([ONE, BEGUN]), strict=True):
        assert choice.text == scored.text
        assert choice.logprobs is not None
        assert choice.logprobs.token_logprobs == pytest.approx(scored.log_probabilities[:-1], abs=1e-5)


def test_a_seed_repeats_and_n_gives_n(client: openai.OpenAI, language_model: LanguageModel) -> None:
    def drawn(**options: Any) -> list[str]:
        return [choice.text for choice in client.completions.create(**ASKED, **options).choices]

    three = drawn(seed=3, n=3, temperature=0.7, top_p=0.9)
    assert three == drawn(seed=3, n=3, temperature=0.7, top_p=0.9)
    assert len(set(three)) > 1
    assert drawn(seed=4, n=3, temperature=0.7, top_p=0.9) != three
    assert len({drawn()[0] for _ in range(4)}) > 1  # without a seed, each has its own
    assert len(drawn(temperature=0, n=3)) == 3
    best = language_model.complete(
        BEGUN,
        sample=True,
        seed=3,
        temperature=0.7,
        top_p=0.9,
        n_best=3,
        max_length_factor=1,
        max_length_extra=12,
    )
    assert [BEGUN + text for text in three] == [best.text, *(other.text for other in best.alternatives)]


def test_pieces_join_to_the_whole_and_stop_cuts(client: openai.OpenAI) -> None:
    for seed in range(3):
        whole = client.completions.create(**ASKED, seed=seed)
        text = whole.choices[0].text
        for stop in (None, [text[3:5], "nothing like it"]):
            expected = text if stop is None else text[: text.index(stop[0])]
            again = client.completions.create(**ASKED, seed=seed, stop=stop)
            assert again.choices[0].text == expected
            chunks = list(
                client.completions.create(
                    **ASKED, seed=seed, stop=stop, stream=True, stream_options={"include_usage": True}
                )
            )
            assert "".join(chunk.choices[0].text for chunk in chunks[:-1]) == expected
            assert chunks[-2].choices[0].finish_reason == again.choices[0].finish_reason
            assert chunks[-1].usage == again.usage
            assert stop is None or again.choices[0].finish_reason == "stop"
    assert len(chunks) > 2


def test_streams_of_several_prompts(client: openai.OpenAI) -> None:
    asked: dict[str, Any] = {**ASKED, "prompt": [BEGUN, "그는"], "n": 2, "seed": 1, "echo": True}
    whole = [choice.text for choice in client.completions.create(**asked).choices]
    told = [""] * 4
    for chunk in client.completions.create(**asked, stream=True):
        told[chunk.choices[0].index] += chunk.choices[0].text
    assert told == whole


def test_chat_translates(client: openai.OpenAI, translator: Translator) -> None:
    best = translator.translate(ONE, n_best=3, beam_size=4)
    found = client.chat.completions.create(
        model="translator", messages=message(ONE), extra_body={"attention": True}
    )
    assert found.choices[0].message.content == best.text
    (part,) = found.choices[0].model_extra["attention"]  # type: ignore[index]
    assert part["attention"]["words"]["columns"] == list(best.attention.words().columns)
    chunks = list(client.chat.completions.create(model="translator", messages=message(ONE), stream=True))
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == best.text
    assert chunks[0].choices[0].delta.role == "assistant"
    assert chunks[-1].choices[0].finish_reason == "stop"
    several = client.chat.completions.create(model="translator", messages=message(ONE), n=3)
    assert [choice.message.content for choice in several.choices] == [
        best.text, *(other.text for other in best.alternatives)
    ]  # fmt: skip
    short = client.chat.completions.create(model="translator", messages=message(ONE), max_tokens=2)
    assert short.choices[0].finish_reason == "length"
    assert short.usage is not None
    assert short.usage.completion_tokens == 2
    longer = client.chat.completions.create(model="translator", messages=message(ONE), max_tokens=500)
    assert longer.choices[0].message.content == best.text


def test_the_async_client(running_server: RunningServer, client: openai.OpenAI) -> None:
    asked: dict[str, Any] = {"model": "language", "messages": message(BEGUN), "seed": 5}

    async def both() -> tuple[Any, list[str]]:
        async with openai.AsyncOpenAI(
            base_url=f"{running_server.url}/v1", api_key="none", max_retries=0
        ) as other:
            whole, pieces = await asyncio.gather(
                other.chat.completions.create(**asked, logprobs=True, top_logprobs=3),
                other.chat.completions.create(**asked, stream=True),
            )
            return whole, [chunk.choices[0].delta.content or "" async for chunk in pieces]

    whole, pieces = asyncio.run(both())
    assert "".join(pieces) == whole.choices[0].message.content
    assert len(pieces) > 3
    tokens = whole.choices[0].logprobs.content
    assert len(tokens) == whole.usage.completion_tokens
    assert all(len(token.top_logprobs) == 3 and token.logprob <= 0 for token in tokens)


REFUSED: list[tuple[dict[str, Any], type[openai.APIStatusError], str]] = [
    ({"model": "none"}, openai.NotFoundError, "model"),
    ({"model": "opinions"}, openai.BadRequestError, "model"),
    ({"temperature": 3}, openai.BadRequestError, "temperature"),
    ({"n": 17}, openai.BadRequestError, "n"),
    ({"max_tokens": 1_025}, openai.BadRequestError, "max_tokens"),
    ({"frequency_penalty": 0.5}, openai.BadRequestError, "frequency_penalty"),
    ({"extra_body": {"guess": 1}}, openai.BadRequestError, "guess"),
    ({"prompt": ["a"] * 33}, openai.BadRequestError, "prompt"),
    ({"prompt": [2**31 - 1]}, openai.BadRequestError, "prompt"),
    ({"prompt": "가" * 10_001}, openai.APIStatusError, "prompt"),
]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(("change", "kind", "field"), REFUSED)
def test_what_is_refused(
    client: openai.OpenAI, change: dict[str, Any], kind: type[Exception], field: str, stream: bool
) -> None:
    with pytest.raises(kind) as refused:
        client.completions.create(**(ASKED | change), stream=stream)
    assert isinstance(refused.value, openai.APIStatusError)
    assert refused.value.param == field
    assert refused.value.type == "invalid_request_error"
    assert refused.value.code
    assert refused.value.request_id


def test_what_changes_nothing_is_accepted(client: openai.OpenAI) -> None:
    harmless: dict[str, Any] = {"user": "me", "frequency_penalty": 0, "logit_bias": {}, "best_of": 1}
    first = client.completions.create(**ASKED, seed=1)
    assert client.completions.create(**ASKED, seed=1, **harmless).choices[0].text == first.choices[0].text


def test_a_stream_ends_with_done(running_server: RunningServer) -> None:
    asked = {**ASKED, "stream": True, "temperature": 0}
    answer = httpx2.post(f"{running_server.url}/v1/completions", json=asked)
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.text.endswith("data: [DONE]\n\n")
