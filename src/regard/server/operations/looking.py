"""Operations that look: what a model attends to, what an edit of it changes, and how a weight comes about."""

from collections.abc import Mapping, Sequence
from typing import Any

from regard.errors import DataError
from regard.insight.edit_values import edits_from_list
from regard.insight.edits import Edit
from regard.insight.record import AttentionRecord
from regard.server.operations.attention import CHOICES, shown_result
from regard.server.operations.observer import BatchObserver
from regard.server.operations.options import check_options
from regard.server.service import Result, ServiceError

_TEXTS = ("text", "second", "target")


def look(
    model: Any, inputs: Sequence[Mapping[str, Any]], options: Mapping[str, Any], observer: BatchObserver
) -> list[Result]:
    """What a model says of each input, and all its attention; with edits, both without them and with them."""
    check_options(options, {"edits", *CHOICES})
    found: list[Result] = []
    for number, one in enumerate(inputs):
        if observer.is_cancelled(number):
            found.append({})
            continue
        texts = texts_of(model, one)
        if options.get("edits") is None:
            seen = model.look(*texts)
            result = seen.to_dict()
            del result["attention"]
            found.append(shown_result(result, {"attention": seen.attention}, options))
            continue
        effect = model.look(*texts, edit=edits_of(model, options["edits"]))
        records = {"before": effect.before.attention, "after": effect.after.attention}
        found.append(_shown_effect(effect.to_dict(), records, options))
    return found


def _shown_effect(
    values: dict[str, Any], records: Mapping[str, AttentionRecord], options: Mapping[str, Any]
) -> Result:
    """The attention of both stands under `attention`."""
    for name in records:
        values[name].pop("attention", None)
    found = shown_result(values, records, options)
    if not isinstance(found, Mapping):
        return found
    return {**values, "attention": {name: found[name] for name in records}}


def explain(
    model: Any, inputs: Sequence[Mapping[str, Any]], options: Mapping[str, Any], observer: BatchObserver
) -> list[Result]:
    """One row of attention of each input, followed from the query to the context by the model's formula."""
    del observer
    check_options(options, {"row", "column", "path", "head"})
    row = options.get("row")
    if row is None:
        raise ServiceError(422, "invalid", "row: say which row, by its number or its word", field="row")
    asked = {name: options.get(name) for name in ("column", "path", "head")}
    return [model.explain(*texts_of(model, one), row=row, **asked).to_dict() for one in inputs]


def texts_of(model: Any, one: Mapping[str, Any]) -> list[str]:
    """What a model reads: a text, maybe with a second one or a target; a question before its text."""
    if model.task == "question-answering":
        question, text = one.get("question"), one.get("text")
        if question is None or text is None:
            name = "question" if question is None else "text"
            raise ServiceError(422, "invalid", f"{name}: this model reads a question and a text", field=name)
        return [question, text]
    beside = "target" if model.task == "translation" else "second"
    odd = next((name for name in one if name not in ("text", beside) and one[name] is not None), None)
    if odd is not None:
        raise ServiceError(422, "invalid", f"{odd}: this model does not read it; leave it out", field=odd)
    if one.get("text") is None:
        raise ServiceError(422, "invalid", "text: is missing", field="text")
    return [one["text"], *([one[beside]] if one.get(beside) is not None else [])]


def edits_of(model: Any, values: Any) -> tuple[Edit, ...]:
    """The edits of a request; a transplant takes the attention that this model has of another text."""

    def donor(source: str, target: str | None) -> AttentionRecord:
        given = [source] if target is None or model.task != "translation" else [source, target]
        record: AttentionRecord = model.look(*given).attention
        return record

    try:
        return edits_from_list(values, donor=donor)
    except DataError as error:
        field = str(error).partition(":")[0]
        is_place = field.startswith("edits")
        raise ServiceError(422, "invalid", str(error), field=field if is_place else "edits") from None
