"""Logs whose numbers can be checked by hand."""

import json
from pathlib import Path
from typing import Any

from regard.training.log import LOG


def write_log(run: Path, *events: dict[str, Any]) -> Path:
    run.mkdir(parents=True, exist_ok=True)
    (run / LOG).write_text("".join(json.dumps(event) + "\n" for event in events), encoding="utf-8")
    return run


def start(**settings: Any) -> dict[str, Any]:
    recipe = {"description": "a test", "model": {"kind": "seq2seq"}}
    return {"event": "start", "recipe": {**recipe, "training": {"epochs": 2, "best_by": "bleu", **settings}}}


def step(number: int, nll: float | None, **more: Any) -> dict[str, Any]:
    facts = {"epoch": number / 4, "elapsed": number * 2.0, "nll": nll, "tokens_per_second": 100.0 * number}
    return {"event": "step", "step": number, **facts, **more}


def validation(number: int, loss: float, bleu: float, *, best: bool) -> dict[str, Any]:
    facts = {"epoch": number / 4, "elapsed": number * 2.0 + 1, "seconds": 1.0, "best": best}
    return {"event": "validation", "step": number, **facts, "loss": loss, "perplexity": 9.0, "bleu": bleu}


def end(*, seconds: float = 17.0, stopped_early: bool = False) -> dict[str, Any]:
    return {"event": "end", "steps": 4, "seconds": seconds, "stopped_early": stopped_early}


STEPS = [step(1, 4.0), step(2, 3.0), validation(2, 3.5, 10.0, best=True), step(3, None), step(4, 1.0)]
WHOLE = [start(), *STEPS, validation(4, 2.5, 8.0, best=False), end()]
"""Two epochs of two steps, with the better BLEU after the first."""
