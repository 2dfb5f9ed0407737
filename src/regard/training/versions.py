"""What the result of a run depends on beside the recipe."""

import platform

import torch

from regard.version import __version__


def versions() -> dict[str, str]:
    """Versions, machine and threads: the same of them, the same bits."""
    return {
        "regard": __version__,
        "torch": torch.__version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "threads": str(torch.get_num_threads()),
    }
