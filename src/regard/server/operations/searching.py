"""The search behind an output, with what was pruned."""

from collections.abc import Mapping, Sequence
from typing import Any

from regard.config.decoding import DecodingChanges
from regard.decoding.observer import observed_rows
from regard.inference.beam_tree import beam_tree as tree_of
from regard.inference.constraints import Glossary
from regard.server.operations.observer import BatchObserver
from regard.server.operations.options import check_options, constraints_of, decoding_changes
from regard.server.service import Result


def beam_tree(
    model: Any, inputs: Sequence[Mapping[str, Any]], options: Mapping[str, Any], observer: BatchObserver
) -> list[Result]:
    """The tree of the search for each input."""
    check_options(options, {*DecodingChanges.__annotations__, "constraints", "glossary", "begin"})
    settings = model.search_settings(**decoding_changes(options))
    glossary = options.get("glossary")
    found: list[Result] = []
    for number, one in enumerate(inputs):
        if observer.is_cancelled(number):
            found.append({})
            continue
        tree = tree_of(
            model,
            one["text"],
            settings,
            constraints=constraints_of(options),
            glossary=Glossary([(source, target) for source, target in glossary]) if glossary else None,
            begin=options.get("begin") or (),
            observer=observed_rows(observer, [number]),
        )
        found.append(tree.to_dict())
    return found
