"""The protocol of Text Embeddings Inference, for models that read: vectors, labels, order, tokens.

At the root of the service, the first model that can do what is asked answers; below /tei/NAME, that model.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import APIRouter, Request, Response

from regard.server.protocols.bodies import read_values
from regard.server.protocols.calling import Values, check_can, first_model, model_named, request_id_of, run
from regard.server.protocols.tei_reranking import (
    YES,
    can_rerank,
    cosines,
    embed_options,
    no_raw_scores,
    scores,
)
from regard.server.protocols.tei_schemas import (
    DecodeRequest,
    EmbedRequest,
    ErrorAnswer,
    Prediction,
    PredictRequest,
    Rank,
    RerankRequest,
    SimilarityRequest,
    TokenAnswer,
    TokenizeRequest,
)
from regard.server.service import ModelCard, Service, ServiceError
from regard.server.settings import Settings
from regard.version import __version__

ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer} for status in (400, 401, 403, 404, 413, 422, 424, 429, 500, 503, 504)
}
_KINDS = {
    "unsupported": (424, "Backend"),
    "invalid": (422, "Validation"),
    "too_large": (413, "Validation"),
    "overloaded": (429, "Overloaded"),
    "unavailable": (503, "Unhealthy"),
}


def error(error: ServiceError, request_id: str) -> tuple[int, dict[str, Any]]:
    """The status, and the body."""
    del request_id  # it is in a header
    status, kind = _KINDS.get(error.code, (error.status, "Backend" if error.status >= 500 else "Validation"))
    return status, {"error": error.message, "error_type": kind}


def router(service: Service, settings: Settings) -> APIRouter:
    """The routes."""
    routes = APIRouter(tags=["Text Embeddings Inference"], responses=ERRORS)
    for below in ("", "/tei/{model}"):
        _add_reading(routes, below, service)
        _add_tokens(routes, below, service, settings)
    return routes


def _model(service: Service, request: Request, *operations: str) -> ModelCard:
    """The model of a path; at the root, the first that can."""
    name = request.path_params.get("model")
    return first_model(service, *operations) if name is None else model_named(service, name)


def _add_reading(routes: APIRouter, below: str, service: Service) -> None:
    """What models say of texts."""

    @routes.post(f"{below}/embed")
    async def embed(asked: EmbedRequest, request: Request) -> list[list[float]]:
        """The vectors of texts."""
        card = _model(service, request, "embed")
        check_can(card, "embed")
        if asked.dimensions not in (None, card.vector_size):
            raise ServiceError(
                400,
                "unsupported",
                f"dimensions: the vectors of this model have {card.vector_size} numbers; leave it out",
                field="dimensions",
            )
        texts = [asked.inputs] if isinstance(asked.inputs, str) else asked.inputs
        _check_some(texts, "inputs")
        options = {"normalize": asked.normalize, **embed_options(asked.truncate, asked.prompt_name)}
        inputs = [{"text": text} for text in texts]
        found = await run(service, card, "embed", inputs, options, request_id_of(request), "inputs")
        return [one["vector"] for one in found]

    @routes.post(f"{below}/embed_sparse")
    @routes.post(f"{below}/embed_all")
    async def other_vectors(request: Request) -> None:
        """Refused: models here give one vector for a text."""
        what = request.url.path.rpartition("/")[2]
        raise ServiceError(
            424, "unsupported", f"no model here can {what}: each gives one dense vector a text; ask /embed"
        )

    @routes.post(f"{below}/similarity")
    async def similarity(asked: SimilarityRequest, request: Request) -> list[float]:
        """The cosine between one text and each of others."""
        card = _model(service, request, "embed")
        check_can(card, "embed")
        given, how = asked.inputs, asked.parameters
        options = embed_options(how.truncate, how.prompt_name) if how else {}
        return await cosines(
            service, card, given.source_sentence, given.sentences, options, request_id_of(request)
        )

    @routes.post(f"{below}/predict")
    async def predict(asked: PredictRequest, request: Request) -> list[Prediction] | list[list[Prediction]]:
        """The labels of texts, or pairs of texts, the likeliest first."""
        card = _model(service, request, "classify")
        check_can(card, "classify")
        if asked.raw_scores and card.labels:
            raise no_raw_scores()
        rows, is_list = _rows(asked.inputs)
        inputs = [dict(zip(("text", "second"), row, strict=False)) for row in rows]
        found = await run(service, card, "classify", inputs, {}, request_id_of(request), "inputs")
        most = asked.parameters.top_k if asked.parameters else None
        told = [_predictions(one)[:most] for one in found]
        return told if is_list or asked.parameters is not None else told[0]

    @routes.post(f"{below}/rerank", response_model_exclude_none=True)
    async def rerank(asked: RerankRequest, request: Request) -> list[Rank]:
        """Texts by how well they answer a query, the best first."""
        if "model" in request.path_params:
            card = _model(service, request)
        else:
            ranking = filter(can_rerank, service.models.values())
            card = next(ranking, None) or first_model(service, "embed", "classify")
        if not can_rerank(card):
            raise ServiceError(
                424,
                "unsupported",
                f"{card.name} cannot rank texts: expected a model of vectors, or one of pairs that says a "
                f"number or has a label such as {', '.join(YES[:4])}",
                field="model",
            )
        found = await scores(service, card, asked, request_id_of(request))
        order = sorted(range(len(found)), key=lambda index: (-found[index], index))
        return [
            Rank(index=index, score=found[index], text=asked.texts[index] if asked.return_text else None)
            for index in order
        ]

    @routes.post(below or "/")
    async def by_kind(body: dict[str, Any], request: Request) -> Any:
        """What the model is for: /embed or /predict; /similarity for a text with others."""
        card = _model(service, request, "embed", "classify")
        if isinstance(body.get("inputs"), Mapping):
            return await similarity(read_values(SimilarityRequest, body), request)
        if "embed" in card.operations:
            return await embed(read_values(EmbedRequest, body), request)
        return await predict(read_values(PredictRequest, body), request)


def _add_tokens(routes: APIRouter, below: str, service: Service, settings: Settings) -> None:
    """What models are made of, and how they are."""

    @routes.post(f"{below}/tokenize")
    async def tokenize(asked: TokenizeRequest, request: Request) -> list[list[TokenAnswer]]:
        """The tokens of texts."""
        card = _model(service, request, "embed", "classify")
        texts = [asked.inputs] if isinstance(asked.inputs, str) else asked.inputs
        _check_some(texts, "inputs")
        inputs = [{"text": text} for text in texts]
        found = await run(service, card, "tokenize", inputs, {}, request_id_of(request), "inputs")
        return [
            [_token(token) for token in one["tokens"] if asked.add_special_tokens or not token["special"]]
            for one in found
        ]

    @routes.post(f"{below}/decode")
    async def decode(asked: DecodeRequest, request: Request) -> list[str]:
        """The texts of tokens."""
        card = _model(service, request, "embed", "classify")
        _check_some(asked.ids, "ids")
        tokens = [token for token in asked.ids if isinstance(token, int)]
        rows = [tokens] if tokens else asked.ids
        inputs = [{"ids": row} for row in rows]
        found = await run(service, card, "decode", inputs, {}, request_id_of(request), "ids")
        return [one["text"] for one in found]

    @routes.get(f"{below}/info")
    async def info(request: Request) -> dict[str, Any]:
        """What is served."""
        card = _model(service, request, "embed", "classify")
        return {
            "model_id": card.name,
            "model_sha": card.digest,
            "model_dtype": "float32",
            "model_type": _model_type(card),
            "max_concurrent_requests": settings.queue,
            "max_input_length": card.max_tokens,
            "max_batch_tokens": None,
            "max_batch_requests": settings.batch_inputs,
            "max_client_batch_size": settings.limits.texts,
            "auto_truncate": False,
            "tokenization_workers": settings.workers,
            "version": __version__,
            "sha": None,
            "docker_label": None,
        }

    @routes.get(f"{below}/health", response_class=Response)
    async def health(request: Request) -> Response:
        """Whether the model answers."""
        card = _model(service, request, "tokenize")
        await run(service, card, "tokenize", [{"text": ""}], {}, request_id_of(request))
        return Response()


def _check_some(given: Sequence[Any], field: str) -> None:
    if not given:
        raise ServiceError(422, "invalid", f"{field}: expected one or more, found none", field=field)


def _rows(inputs: str | Sequence[str | Sequence[str]]) -> tuple[list[Sequence[str]], bool]:
    """Each text, or pair; and whether they came as a list of them."""
    if isinstance(inputs, str):
        return [(inputs,)], False
    texts = [one for one in inputs if isinstance(one, str)]
    if texts:
        return [texts], False
    _check_some(inputs, "inputs")
    return [one for one in inputs if not isinstance(one, str)], True


def _predictions(found: Values) -> list[Prediction]:
    """The likeliest first; none of a text without words."""
    if "value" in found:
        value = found["value"]
        return [] if value is None else [Prediction(label="value", score=value)]
    ranked = sorted(found["probabilities"].items(), key=lambda one: -one[1])
    return [Prediction(label=label, score=score) for label, score in ranked]


def _token(token: Values) -> TokenAnswer:
    own = {} if not token["special"] else {"start": None, "stop": None}
    return TokenAnswer.model_validate({**token, **own})


def _model_type(card: ModelCard) -> dict[str, Any]:
    if "embed" in card.operations:
        recipe = card.about.get("recipe") or {}
        pooling = ((recipe.get("model") or {}).get("pooling") or {}).get("kind")
        return {"embedding": {"pooling": pooling}}
    labels = {str(number): label for number, label in enumerate(card.labels or ("value",))}
    told = {"id2label": labels, "label2id": {label: int(number) for number, label in labels.items()}}
    return {"reranker" if can_rerank(card) and not card.labels else "classifier": told}
