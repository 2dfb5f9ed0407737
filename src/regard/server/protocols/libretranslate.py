"""The protocol of LibreTranslate: texts, lists of texts, HTML and files through the translators.

A request names languages, not a model: the first translator of the pair serves it. Texts are cut into
sentences, so that paragraphs work. Additions of regard: `attention`, and lists in forms.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from regard.server.protocols.bodies import FORMS, described, read_fields, read_form
from regard.server.protocols.calling import check_length, request_id_of
from regard.server.protocols.language_detection import (
    Detected,
    detect_language,
    served_sides,
    translators,
)
from regard.server.protocols.language_names import language_name
from regard.server.protocols.libretranslate_schemas import (
    DetectedLanguage,
    DetectRequest,
    ErrorAnswer,
    FileAnswer,
    FileFields,
    LanguageAnswer,
    TranslateRequest,
)
from regard.server.protocols.stored_files import StoredFiles
from regard.server.protocols.translating import TextTranslator
from regard.server.service import ModelCard, Service, ServiceError
from regard.server.settings import Settings

JSON = "application/json"
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer} for status in (400, 401, 403, 429, 500, 503, 504)
}
KEY_FIELD = "api_key"
"""Where clients put their key, besides the header."""
FILES = {".txt": "text/plain", ".html": "text/html", ".htm": "text/html"}
_STATUS = {413: 400, 422: 400}
"""LibreTranslate has one status for all that is wrong with a request."""


def error(error: ServiceError, request_id: str) -> tuple[int, dict[str, Any]]:
    """The status, and the body."""
    del request_id  # it is in a header
    return _STATUS.get(error.status, error.status), {"error": error.message}


def router(service: Service, settings: Settings) -> APIRouter:
    """The routes."""
    routes = APIRouter(tags=["LibreTranslate"], responses=ERRORS)
    files = StoredFiles()
    limits = settings.limits

    async def language_of(asked: str, texts: Sequence[str], request: Request) -> tuple[str, Detected | None]:
        if asked != "auto":
            return asked, None
        pairs(service)
        found = await detect_language(service, texts, request_id_of(request))
        return found[0].language, found[0]

    @routes.post("/translate", openapi_extra=described(TranslateRequest, JSON, *FORMS))
    async def translate(request: Request) -> dict[str, Any]:
        """Translate a text, or several."""
        asked = await read_fields(request, TranslateRequest)
        texts = [asked.q] if isinstance(asked.q, str) else asked.q
        _check_given(texts, limits.texts)
        for text in texts:
            check_length(text, limits.characters, "q")
        if asked.alternatives >= limits.beam_size:
            raise ServiceError(
                400,
                "invalid",
                f"alternatives: expected at most {limits.beam_size - 1}, found {asked.alternatives}",
                field="alternatives",
                limit=limits.beam_size - 1,
                found=asked.alternatives,
            )
        source, detected = await language_of(asked.source, texts, request)
        card = pair(service, source, asked.target)
        translator = TextTranslator(service, card, limits, request_id_of(request))
        if asked.format == "html":
            found = await translator.html(texts, attention=asked.attention)
        else:
            found = await translator.texts(texts, alternatives=asked.alternatives, attention=asked.attention)
        answer: dict[str, Any] = {"translatedText": [one.text for one in found]}
        if detected:
            told = {"confidence": detected.confidence, "language": detected.language}
            answer["detectedLanguage"] = [told] * len(found)
        if asked.alternatives:
            answer["alternatives"] = [list(one.alternatives) for one in found]
        if asked.attention:
            answer["attention"] = [list(one.parts) for one in found]
        return {name: values[0] for name, values in answer.items()} if isinstance(asked.q, str) else answer

    @routes.post("/detect", openapi_extra=described(DetectRequest, JSON, *FORMS))
    async def detect(request: Request) -> list[DetectedLanguage]:
        """The languages that a text may be in, among those that are served; the likeliest first."""
        asked = await read_fields(request, DetectRequest)
        texts = [asked.q] if isinstance(asked.q, str) else asked.q
        _check_given(texts, limits.texts)
        for text in texts:
            check_length(text, limits.characters, "q")
        pairs(service)
        found = await detect_language(service, texts, request_id_of(request))
        return [DetectedLanguage(confidence=one.confidence, language=one.language) for one in found]

    @routes.get("/languages")
    async def languages() -> list[LanguageAnswer]:
        """The languages of the served translators."""
        found = [(str(card.source), str(card.target)) for card in translators(service)]
        return [
            LanguageAnswer(
                code=code,
                name=language_name(code),
                targets=list(dict.fromkeys(target for source, target in found if source == code)),
            )
            for code in served_sides(service)
        ]

    @routes.get("/frontend/settings")
    async def frontend_settings() -> dict[str, Any]:
        """What a page needs to know."""
        first = next(iter(pairs(service)))
        told = [{"code": code, "name": language_name(code)} for code in first]
        return {
            "charLimit": limits.characters,
            "frontendTimeout": 500,
            "apiKeys": settings.key_file is not None,
            "keyRequired": settings.key_file is not None,
            "suggestions": False,
            "filesTranslation": True,
            "supportedFilesFormat": list(FILES),
            "language": {"source": told[0], "target": told[1]},
        }

    file = {"type": "string", "format": "binary", "description": f"A {', '.join(FILES)} file in UTF-8."}

    @routes.post("/translate_file", openapi_extra=described(FileFields, FORMS[1], file=file))
    async def translate_file(request: Request) -> FileAnswer:
        """Translate a file; it is fetched from the address that is answered."""
        asked, given = await read_form(request, FileFields)
        if "file" not in given:
            raise ServiceError(400, "invalid", "file: missing; send a form with a file", field="file")
        stem, dot, ending = (given["file"].filename or "").rpartition(".")
        kind = (dot + ending).lower()
        if kind not in FILES or not stem:
            raise ServiceError(
                400, "invalid", f"file: expected a name with one of {', '.join(FILES)}", field="file"
            )
        text = _decoded(await given["file"].read())
        check_length(text, limits.texts * limits.characters, "file")
        source, _ = await language_of(asked.source, [text], request)
        card = pair(service, source, asked.target)
        translator = TextTranslator(service, card, limits, request_id_of(request))
        written = (
            (await translator.html([text]))[0].text if kind != ".txt" else await translator.document(text)
        )
        key = files.put(f"{stem}_{asked.target}{kind}", FILES[kind], written.encode())
        return FileAnswer(translatedFileUrl=str(request.url_for("download_file", name=f"{key}{kind}")))

    @routes.get("/download_file/{name}", name="download_file", response_class=Response)
    async def download_file(name: str) -> Response:
        """A translated file, by the name that nobody can guess."""
        found = files.get(name.partition(".")[0])
        if found is None:
            raise ServiceError(404, "not_found", "there is no such file; it is kept for ten minutes")
        headers = {
            "Content-Disposition": f"attachment; filename*=UTF-8''{quote(found.name[:200], safe='')}",
            "X-Content-Type-Options": "nosniff",
            "Content-Security-Policy": "sandbox; default-src 'none'",
            "Cache-Control": "no-store",
        }
        return Response(found.content, headers=headers, media_type=f"{found.media_type}; charset=utf-8")

    return routes


def pairs(service: Service) -> dict[tuple[str, str], ModelCard]:
    """The first translator of each pair of languages."""
    found: dict[tuple[str, str], ModelCard] = {}
    for card in translators(service):
        found.setdefault((str(card.source), str(card.target)), card)
    if not found:
        raise ServiceError(400, "unsupported", "no translator is served", field="source")
    return found


def pair(service: Service, source: str, target: str) -> ModelCard:
    """The translator of a pair; without one, the pairs that there are are named."""
    served = pairs(service)
    if (source, target) not in served:
        known = ", ".join(f"{one} → {other}" for one, other in served)
        raise ServiceError(
            400,
            "unsupported",
            f"{source} → {target} is not served; served are {known}",
            field="target" if any(one == source for one, _ in served) else "source",
        )
    return served[source, target]


def _check_given(texts: Sequence[str], limit: int) -> None:
    if not texts or texts == [""]:
        raise ServiceError(400, "invalid", "q: expected a text, found none", field="q")
    if len(texts) > limit:
        raise ServiceError(
            400,
            "invalid",
            f"q: expected at most {limit:,} texts, found {len(texts):,}",
            field="q",
            limit=limit,
            found=len(texts),
        )


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ServiceError(
            400, "invalid", f"file: expected UTF-8, found another byte at place {error.start:,}", field="file"
        ) from None
