"""The attention of one sentence over the checkpoints of a run."""

from pathlib import Path
from typing import TYPE_CHECKING

from regard.errors import StoreError

if TYPE_CHECKING:
    from regard.insight.levels import Level
    from regard.tasks.result import Translation


def draw_over_training(run: Path, seen: "Translation", level: "Level", out: Path, *, device: str) -> None:
    """Force one output through every checkpoint that a run has kept, so that all maps have the same rows."""
    from regard import api
    from regard.insight.draw import draw_time_lapse
    from regard.store.pointer import pointed

    kept = pointed(run).checkpoints
    if not kept:
        raise StoreError(
            f"{run}: lists no checkpoints, so there is nothing to see over training; train with "
            f"--set training.keep.every=STEPS to keep some"
        )
    frames = []
    for entry in kept:
        record = api.load(run / entry.folder, device=device).look(seen.source, seen.text).attention
        frames.append((f"step {entry.step:,}", record.tokens() if level == "token" else record.words(level)))
    draw_time_lapse(frames, out)
