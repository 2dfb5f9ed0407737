"""The attention of one sentence over the checkpoints of a run."""

from pathlib import Path
from typing import TYPE_CHECKING

from regard.errors import StoreError

if TYPE_CHECKING:
    from regard.inference.generation import Translation
    from regard.insight.maps import Unit
    from regard.tasks.classification.result import Classification
    from regard.tasks.question_answering.result import Answered
    from regard.tasks.tagging.result import Tagging


def draw_over_training(
    run: Path,
    seen: "Translation | Classification | Tagging | Answered",
    unit: "Unit",
    out: Path,
    *,
    device: str,
) -> None:
    """Look through every checkpoint that a run has kept; where they write, at one output, so that all maps
    have the same rows."""
    from regard import api
    from regard.inference.generation import Translation
    from regard.insight.draw import draw_time_lapse
    from regard.insight.levels import beside, main_maps
    from regard.store.pointer import pointed
    from regard.tasks.question_answering.result import Answered

    kept = pointed(run).checkpoints
    if not kept:
        raise StoreError(
            f"{run}: lists no checkpoints, so there is nothing to see over training; train with "
            f"--set training.keep.every=STEPS to keep some"
        )
    frames = []
    for entry in kept:
        model = api.load(run / entry.folder, device=device)
        target = seen.text if isinstance(seen, Translation) else None
        given = {"target": target, "second": getattr(seen, "second", None)}
        beside_it = {name: text for name, text in given.items() if text is not None}
        read = (seen.question, seen.source) if isinstance(seen, Answered) else (seen.source,)
        record = model.look(*read, **beside_it).attention
        frames.append((f"step {entry.step:,}", beside(main_maps(record, unit))))
    draw_time_lapse(frames, out)
