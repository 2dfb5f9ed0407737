"""Bodies that clients may send as JSON or as a form, and how the OpenAPI document tells of them."""

from collections.abc import Mapping
from typing import Any, TypeVar
from urllib.parse import parse_qsl

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from regard.server.service import ServiceError

B = TypeVar("B", bound=BaseModel)
_MOST_FIELDS = 64
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


async def read_fields(request: Request, schema: type[B]) -> B:
    """The fields of a body: a form where the client says so, else JSON."""
    kind = _media_type(request)
    if kind == FORMS[1]:
        fields, _ = await read_form(request, schema)
        return fields
    body = await request.body()
    if kind == FORMS[0]:
        return read_values(schema, _fields(body))
    try:
        return schema.model_validate_json(body)
    except ValidationError as error:
        raise RequestValidationError(_told(error)) from None


async def read_form(request: Request, schema: type[B]) -> tuple[B, dict[str, UploadFile]]:
    """The fields of a form in parts, and its files; a name that comes several times is a list."""
    if _media_type(request) != FORMS[1]:
        raise ServiceError(400, "invalid", f"expected a form, as {FORMS[1]}", field="body")
    try:
        form = await request.form(max_files=1, max_fields=_MOST_FIELDS)
    except HTTPException:
        raise ServiceError(400, "invalid", "the form cannot be read", field="body") from None
    values: dict[str, Any] = {}
    files: dict[str, UploadFile] = {}
    for name in form:
        given = form.getlist(name)
        texts = [one for one in given if isinstance(one, str)]
        files.update((name, one) for one in given if isinstance(one, UploadFile))
        if texts:
            values[name] = texts if len(texts) > 1 else texts[0]
    return read_values(schema, values), files


def read_values(schema: type[B], values: Mapping[str, Any]) -> B:
    """Values that are read already, by a schema."""
    try:
        return schema.model_validate(values)
    except ValidationError as error:
        raise RequestValidationError(_told(error)) from None


def described(schema: type[BaseModel], *media_types: str, **more: Any) -> dict[str, Any]:
    """What the OpenAPI document says of such a body.

    more: properties that are no fields, such as a file
    """
    told = schema.model_json_schema()
    told["properties"] |= more
    told["required"] = [*told.get("required", []), *more]
    return {"requestBody": {"required": True, "content": {kind: {"schema": told} for kind in media_types}}}


def _fields(body: bytes) -> dict[str, Any]:
    """Those of a form in a line, which may be UTF-8 as it is."""
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise ServiceError(400, "invalid", "the form cannot be read", field="body") from None
    values: dict[str, Any] = {}
    for name, text in pairs:
        values.setdefault(name, []).append(text)
    return {name: texts if len(texts) > 1 else texts[0] for name, texts in values.items()}


def _media_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def _told(error: ValidationError) -> list[Any]:
    return list(error.errors(include_url=False, include_context=True))
