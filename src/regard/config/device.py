"""Where to compute, by name. Whether it is there, torch knows; this module does not know torch."""

import re

from regard.errors import ConfigError


def check_device(name: str) -> str:
    """The name, if it is cpu, cuda, or one of several such as cuda:1."""
    if re.fullmatch(r"cpu|cuda(:\d{1,3})?", name) is None:
        raise ConfigError(f"device: expected cpu or cuda, found '{name}'")
    return name
