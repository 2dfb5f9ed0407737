"""Who may know the service under which name: the headers Host and Origin."""

import ipaddress
from collections.abc import Collection

from regard.errors import ConfigError
from regard.server.service import ServiceError
from regard.server.settings import Settings

_LOCAL = ("localhost",)


def check_address(settings: Settings) -> None:
    """Refuse to listen where others can come in, without a key."""
    if settings.key_file is None and not settings.open_to_all and not is_loopback(settings.host):
        raise ConfigError(
            f"--host {settings.host}: everybody who reaches this address could ask; name keys with "
            f"--api-key-file, or say --open-to-all"
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    if host in _LOCAL:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_host(host: bytes, allowed: Collection[str]) -> None:
    """Refuse a name that the service does not have.

    A page of somebody else can point a name of its own at this address, and then ask as if it were ours; an
    address cannot be pointed anywhere.
    """
    name = _without_port(host.decode("latin-1")).lower()
    if name in _LOCAL or name in allowed or _is_address(name):
        return
    raise ServiceError(
        403, "forbidden", "this host name is not known here; see --allow-host", field="Host", found=name[:64]
    )


def check_origin(origin: bytes, host: bytes, allowed: Collection[str]) -> None:
    """Refuse a page of another origin than ours, but those that are allowed."""
    told = origin.decode("latin-1").lower()
    if told in allowed or told.partition("://")[2] == host.decode("latin-1").lower():
        return
    raise ServiceError(
        403, "forbidden", "pages of this origin may not ask; see --allow-origin", field="Origin",
        found=told[:64],
    )  # fmt: skip


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] if host.count(":") == 1 else host


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
