"""What every comparison can be asked, what its figures depend on, and where they go."""

import argparse
import json
import os
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.prepare import BATCH_TOKENS
from bench.rounds import ROOT, say


def shared_options(parser: argparse.ArgumentParser) -> None:
    """Those of every comparison with peers."""
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--batch-tokens", type=int, default=BATCH_TOKENS, help="padding included")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--peers", type=Path, default=ROOT / ".bench", help="where their environments are")
    parser.add_argument("--polite", action="store_true", help="do not raise the priority of the sides")
    parser.add_argument("--out", type=Path, help="a JSON file for all figures")


def machine(threads: int) -> dict[str, Any]:
    """What the figures depend on besides the code."""
    import torch

    return {
        "cores": os.cpu_count(),
        "threads": threads,
        "vectors": torch.backends.cpu.get_cpu_capability(),
        "processor": platform.machine(),
        "python": platform.python_version(),
        "load before": round(os.getloadavg()[0], 2),
    }


def begin(asked: argparse.Namespace) -> tuple[dict[str, Any], dict[str, Any]]:
    """Say on what machine it begins: what the figures depend on, and what every comparison is given."""
    facts = machine(asked.threads)
    say(f"{facts['cores']} cores, {asked.threads} threads a side, load {facts['load before']} before it")
    return facts, {"rounds": asked.rounds, "threads": asked.threads, "polite": asked.polite}


def write_figures(path: Path | None, figures: Mapping[str, Any]) -> None:
    """As JSON, where a file was asked for."""
    if path is not None:
        path.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        say(f"written to {path}")
