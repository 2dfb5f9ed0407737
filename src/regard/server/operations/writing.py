"""Operations of models that write."""

from collections.abc import Mapping, Sequence
from typing import Any

from regard.config.decoding import DecodingChanges
from regard.inference.constraints import Glossary
from regard.inference.search import GenerationRequest
from regard.server.operations.observer import BatchObserver
from regard.server.operations.options import check_options, constraints_of, decoding_changes
from regard.server.operations.reading import without_attention
from regard.server.operations.streaming import WrittenTexts
from regard.tasks.translation.document import TextOptions, translate_lines

_SEARCH = {*DecodingChanges.__annotations__, "n_best", "attention", "constraints"}
_OF_TRANSLATION = {*_SEARCH, "split", "too_long", "markup", "glossary"}


def translate(
    model: Any, inputs: Sequence[Mapping[str, Any]], options: Mapping[str, Any], observer: BatchObserver
) -> list[dict[str, Any]]:
    """The translation of each text."""
    check_options(options, _OF_TRANSLATION)
    attention = bool(options.get("attention"))
    glossary = options.get("glossary")
    found = translate_lines(
        model,
        [("the text", one["text"]) for one in inputs],
        TextOptions(
            bool(options.get("split")),
            options.get("too_long") or "refuse",
            options.get("markup") is not False,
        ),
        n_best=options.get("n_best") or 1,
        attention=attention,
        constraints=constraints_of(options),
        glossary=Glossary([(source, target) for source, target in glossary]) if glossary else None,
        each_alone=True,
        observer=observer,
        **decoding_changes(options),
    )
    return [one.to_dict(attention=attention) for one in found]


def complete(
    model: Any, inputs: Sequence[Mapping[str, Any]], options: Mapping[str, Any], observer: BatchObserver
) -> list[dict[str, Any]]:
    """The completion of each prompt."""
    check_options(options, _SEARCH)
    attention, n_best = bool(options.get("attention")), options.get("n_best") or 1
    settings = model.search_settings(n_best=n_best, **decoding_changes(options))
    prompts = model.check([("the text", one["text"]) for one in inputs])
    request = GenerationRequest(
        settings,
        [constraints_of(options)] * len(prompts),
        n_best=n_best,
        attention=attention,
        numbers=[0] * len(prompts),
        observer=WrittenTexts(model.tokenizer, [len(prompt.ids) for prompt in prompts], observer),
    )
    written = model.write(prompts, [""] * len(prompts), request)
    return [without_attention(result.to_dict(), attention) for result, _ in written]
