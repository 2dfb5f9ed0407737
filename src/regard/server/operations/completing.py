"""Completion: what was written after each prompt, token by token where that is asked for."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from regard.inference.attention import unknown_words
from regard.inference.generation import Completion
from regard.inference.likely_tokens import TokenProbability, token_probabilities
from regard.inference.search import GenerationRequest
from regard.server.operations.observer import BatchObserver
from regard.server.operations.options import check_options, constraints_of, decoding_changes
from regard.server.operations.reading import without_attention
from regard.server.operations.streaming import UNFINISHED, Stops, WrittenTexts
from regard.server.operations.writing import SEARCH
from regard.text.tokenizer import Encoding, Tokenizer

_OPTIONS = {*SEARCH, "stop", "logprobs"}


def complete(
    model: Any, inputs: Sequence[Mapping[str, Any]], options: Mapping[str, Any], observer: BatchObserver
) -> list[dict[str, Any]]:
    """The completion of each prompt.

    Besides what `Completion.to_dict` gives: `prompt`, its text and tokens as the model reads them; and
    `written`, for the best result and each alternative what comes after the prompt, cut before the first of
    the `stop` texts. With `logprobs` tokens have their log-probabilities, and those of so many that were the
    likeliest there.
    """
    check_options(options, _OPTIONS)
    attention, n_best = bool(options.get("attention")), options.get("n_best") or 1
    settings = model.search_settings(n_best=n_best, **decoding_changes(options))
    prompts = model.check([("the text", one["text"]) for one in inputs])
    stops = Stops(options.get("stop") or ())
    request = GenerationRequest(
        settings,
        [constraints_of(options)] * len(prompts),
        n_best=n_best,
        attention=attention,
        numbers=[0] * len(prompts),
        observer=WrittenTexts(
            model.tokenizer,
            [len(prompt.ids) for prompt in prompts],
            observer,
            stops if n_best == 1 else Stops(),  # draws come one after the other, and are cut behind
        ),
    )
    results = [
        (result, [tuple(best.tokens), *(other.ids for other in result.alternatives)])
        for result, best in model.write(prompts, [""] * len(prompts), request)
    ]
    probabilities = _probabilities(model, [ids for _, own in results for ids in own], options.get("logprobs"))
    found = []
    for prompt, (result, own) in zip(prompts, results, strict=True):
        values = without_attention(result.to_dict(), attention)
        found.append(values | _told(model, prompt, result, own, [next(probabilities) for _ in own], stops))
    return found


def _probabilities(model: Any, texts: Sequence[tuple[int, ...]], top: int | None) -> Any:
    """Of the tokens of each text; None for each where nobody asks."""
    if top is None:
        return iter([None] * len(texts))
    budget = model.recipe.decoding.batch_tokens
    return iter(token_probabilities(model.module, texts, top=top, budget=budget, device=model.device))


def _told(
    model: Any,
    prompt: Encoding,
    result: Completion,
    texts: Sequence[tuple[int, ...]],
    probabilities: Sequence[Sequence[TokenProbability] | None],
    stops: Stops,
) -> dict[str, Any]:
    """The prompt, and what was written after it."""
    written = []
    before: dict[str, Any] = {}
    count = len(prompt.ids)
    words = unknown_words(prompt)
    ended = [result.ended, *(other.ended for other in result.alternatives)]
    for ids, own, has_ended in zip(texts, probabilities, ended, strict=True):
        whole = model.tokenizer.decode(ids, unknown=words, whole=True)
        text = whole.text.text
        start = min(len(text), len(model.tokenizer.decode(ids[:count], unknown=words).text.text))
        tokens = _tokens(model.tokenizer, whole, own)
        # In the text as it grew: a space at its end may be a part of what stops it.
        cut = stops.find(model.tokenizer.decode(ids, unknown=words).text.text[start:])
        written.append(
            {
                "text": text[start:] if cut is None else text[start : start + cut],
                "ended": has_ended or cut is not None,
                "tokens": [token for token in tokens[count:] if cut is None or token["start"] < start + cut],
            }
        )
        before = before or {"text": text[:start], "tokens": tokens[:count]}
    return {"prompt": before, "written": written}


def _tokens(
    tokenizer: Tokenizer, whole: Encoding, probabilities: Sequence[TokenProbability] | None
) -> list[dict[str, Any]]:
    """The tokens of a text, with the characters of each."""
    text, shared = whole.text.text, Counter(whole.spans)
    tokens: list[dict[str, Any]] = []
    for number, span in zip(whole.ids, whole.spans, strict=True):
        own = text[slice(*span)]
        named = own if own and shared[span] == 1 and UNFINISHED not in own else _name(tokenizer, number)
        tokens.append({"id": number, "text": named, "start": span[0], "stop": span[1]})
    for token, probability in zip(tokens, probabilities or (), strict=False):
        token["log_probability"] = probability.log_probability
        token["top"] = [[_name(tokenizer, number), value] for number, value in probability.likeliest]
    return tokens


def _name(tokenizer: Tokenizer, token: int) -> str:
    """What a token writes inside of a text; one that writes no whole character, by its name."""
    once, twice = (tokenizer.decode([token] * times).text.text for times in (1, 2))
    own = twice[len(once) :]
    return own if own and UNFINISHED not in own else tokenizer.piece(token).replace("▁", " ")
