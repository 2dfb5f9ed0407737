"""Texts by how well they answer a query.

A model of pairs reads the query first and the text beside it: one that says numbers, such as a similarity,
ranks by the number; a classifier, by the probability of the label that means yes. A model of vectors ranks by
the cosine.
"""

from collections.abc import Sequence

from regard.server.protocols.calling import Values, run
from regard.server.protocols.tei_schemas import RerankRequest
from regard.server.service import ModelCard, Service, ServiceError

YES = ("relevant", "entailment", "paraphrase", "duplicate", "equivalent", "yes", "true", "1", "LABEL_1")
"""Labels that mean that two texts belong together; the first that a classifier has counts."""


def can_rerank(card: ModelCard) -> bool:
    """Whether a model can put texts into an order."""
    return "embed" in card.operations or (
        "classify" in card.operations and card.reads_pairs and (not card.labels or bool(_yes(card)))
    )


async def scores(service: Service, card: ModelCard, asked: RerankRequest, request_id: str) -> list[float]:
    """The score of each text."""
    if "embed" in card.operations:
        options = embed_options(asked.truncate)
        return await cosines(service, card, asked.query, asked.texts, options, request_id)
    if asked.raw_scores and card.labels:
        raise no_raw_scores()
    inputs = [{"text": asked.query, "second": text} for text in asked.texts]
    found = await run(service, card, "classify", inputs, {}, request_id, "texts")
    if not card.labels:
        return [float(one["value"] or 0.0) for one in found]
    label = _yes(card)
    return [float(one["probabilities"].get(label, 0.0)) for one in found]


async def cosines(
    service: Service,
    card: ModelCard,
    one: str,
    others: Sequence[str],
    options: Values,
    request_id: str,
) -> list[float]:
    """Between the vector of one text and those of others."""
    inputs = [{"text": text} for text in (one, *others)]
    found = await run(service, card, "embed", inputs, {**options, "normalize": True}, request_id)
    first, *rest = (result["vector"] for result in found)
    return [sum(a * b for a, b in zip(first, vector, strict=True)) for vector in rest]


def embed_options(truncate: bool | None, prompt_name: str | None = None) -> dict[str, str]:
    """How texts are read that may be too long."""
    options = {} if truncate is None else {"too_long": "cut" if truncate else "refuse"}
    return options | ({} if prompt_name is None else {"prompt": prompt_name})


def no_raw_scores() -> ServiceError:
    """Of a classifier there are calibrated probabilities alone."""
    told = "raw_scores: this model gives probabilities; leave it out"
    return ServiceError(400, "unsupported", told, field="raw_scores")


def _yes(card: ModelCard) -> str:
    """The label that means that two texts belong together; nothing if there is none."""
    return next((name for name in YES if name in card.labels), "")
