"""The protocols that the service speaks; each module gives `router(service, settings)` and `error(…)`."""

from regard.server.protocols import own, plain

PROTOCOLS = (own, plain)
