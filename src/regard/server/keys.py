"""Who may ask: API keys, of which only hashes are held."""

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import parse_qs

from regard.errors import ConfigError

SHORTEST = 16
_MOST_BYTES = 2**20


class Keys:
    """Those that are accepted; without any, everybody may ask."""

    def __init__(self, keys: Iterable[str] = ()) -> None:
        self._digests = [_digest(key.encode()) for key in keys]

    def __bool__(self) -> bool:
        return bool(self._digests)

    def accept(self, key: bytes) -> bool:
        """Whether this is one of them; the time that it takes does not depend on the key."""
        found = False
        for digest in self._digests:
            found |= hmac.compare_digest(digest, _digest(key))
        return found


def read_keys(path: Path) -> Keys:
    """The keys of a file, one a line; empty lines, and those that begin with #, do not count."""
    try:
        with path.open("rb") as opened:
            content = opened.read(_MOST_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    if len(content) > _MOST_BYTES:
        raise ConfigError(
            f"{path}: expected a file of keys, one a line, found more than {_MOST_BYTES:,} bytes"
        )
    try:
        lines = [line.strip() for line in content.decode("ascii").splitlines()]
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: expected keys of ASCII characters, one a line") from None
    keys = []
    for number, line in enumerate(lines, start=1):
        if line and not line.startswith("#"):
            if len(line) < SHORTEST or " " in line:  # the key itself is not told
                raise ConfigError(
                    f"{path}:{number}: expected a key of {SHORTEST} characters or more without spaces; "
                    f"`openssl rand -hex 24` makes one"
                )
            keys.append(line)
    if not keys:
        raise ConfigError(f"{path}: expected a key a line, found none")
    return Keys(keys)


def key_in_headers(headers: Mapping[bytes, bytes]) -> bytes | None:
    """The key of `Authorization: Bearer …` or `X-API-Key: …`."""
    scheme, _, key = headers.get(b"authorization", b"").partition(b" ")
    if scheme.lower() == b"bearer" and key:
        return key.strip()
    return headers.get(b"x-api-key")


def key_in_body(body: bytes, content_type: bytes, field: str) -> bytes | None:
    """The key in a field of a JSON object or a form, where a protocol has it there."""
    kind = content_type.partition(b";")[0].strip().lower()
    try:
        if kind == b"application/json":
            values = json.loads(body)
            key = values.get(field) if isinstance(values, dict) else None
        elif kind == b"application/x-www-form-urlencoded":
            key = parse_qs(body.decode()).get(field, [None])[0]
        elif kind == b"multipart/form-data":
            key = _in_multipart(body, content_type, field)
        else:
            return None
    except (ValueError, RecursionError):
        return None
    return key.encode("utf-8", "replace") if isinstance(key, str) else None


def _in_multipart(body: bytes, content_type: bytes, field: str) -> str | None:
    """The value of a plain field of a form that has files."""
    from python_multipart.multipart import parse_options_header

    _, options = parse_options_header(content_type)
    boundary = options.get(b"boundary")
    if not boundary:
        return None
    for part in body.split(b"--" + boundary):
        head, blank, value = part.partition(b"\r\n\r\n")
        if blank and f'name="{field}"'.encode() in head:
            return value.removesuffix(b"\r\n").decode()
    return None


def _digest(key: bytes) -> bytes:
    return hashlib.sha256(key).digest()
