"""The options of a request, as the Python API takes them."""

from collections.abc import Mapping
from typing import Any, cast

from regard.config.decoding import DecodingChanges
from regard.inference.constraints import Constraints
from regard.server.service import ServiceError


def check_options(options: Mapping[str, Any], known: set[str]) -> None:
    """Refuse an option that an operation does not have."""
    for name in options:
        if name not in known:
            raise ServiceError(
                422, "invalid", f"expected one of {', '.join(sorted(known))}, found {name!r}", field=name[:64]
            )


def decoding_changes(options: Mapping[str, Any]) -> DecodingChanges:
    """The settings of the search among the options."""
    names = DecodingChanges.__annotations__
    return cast("DecodingChanges", {name: value for name, value in options.items() if name in names})


def constraints_of(options: Mapping[str, Any]) -> Constraints:
    """What every output begins with, must have and must not have."""
    given = options.get("constraints") or {}
    return Constraints(
        given.get("prefix") or "", tuple(given.get("must") or ()), tuple(given.get("must_not") or ())
    )
