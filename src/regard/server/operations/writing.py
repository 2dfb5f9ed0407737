"""Translation, and what all operations that write may be told."""

from collections.abc import Mapping, Sequence
from typing import Any

from regard.config.decoding import DecodingChanges
from regard.inference.constraints import Glossary
from regard.server.operations.observer import BatchObserver
from regard.server.operations.options import check_options, constraints_of, decoding_changes
from regard.tasks.translation.document import TextOptions, translate_lines

SEARCH = {*DecodingChanges.__annotations__, "n_best", "attention", "constraints"}
_OF_TRANSLATION = {*SEARCH, "split", "too_long", "markup", "glossary"}


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
