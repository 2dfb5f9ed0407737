"""A record for other programs: NumPy, pandas, BertViz."""

import io
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from regard.errors import MissingExtraError, RegardError
from regard.insight.maps import MapKind
from regard.store.atomic import write_file

if TYPE_CHECKING:
    from pandas import DataFrame

    from regard.insight.record import AttentionRecord


def save_npz(record: "AttentionRecord", path: Path) -> None:
    """Write `weights_0`, `rows_0`, `columns_0`, … and, an entry a map, `path`, `kind`, `layer` and `head`.

    A layer or head of -1 is none. Texts are NumPy's own (dtype U), so nothing has to be pickled.
    """
    maps = record.maps()
    arrays: dict[str, Any] = {
        "engine": np.array(record.engine),
        "source": np.array(record.source.text if record.source else ""),
        "target": np.array(record.target.text if record.target else ""),
        "path": np.array([m.path for m in maps]),
        "kind": np.array([m.kind for m in maps]),
        "layer": np.array([-1 if m.layer is None else m.layer for m in maps]),
        "head": np.array([-1 if m.head is None else m.head for m in maps]),
    }
    for number, shown in enumerate(maps):
        arrays[f"weights_{number}"] = shown.weights
        arrays[f"rows_{number}"] = np.array(shown.rows, dtype=np.str_)
        arrays[f"columns_{number}"] = np.array(shown.columns, dtype=np.str_)
    content = io.BytesIO()
    np.savez_compressed(content, **arrays)
    write_file(path, content.getvalue())


def to_frame(record: "AttentionRecord") -> "DataFrame":
    """A weight a line: path, kind, layer, head, row, column (their numbers), their tokens, weight."""
    try:
        import pandas as pd
    except ImportError:
        raise MissingExtraError("a table of attention", "pandas") from None
    parts = []
    for shown in record.maps():
        rows, columns = np.indices(shown.weights.shape)
        part = {
            "row": rows.ravel(),
            "column": columns.ravel(),
            "row_token": np.array(shown.rows, dtype=object)[rows.ravel()],
            "column_token": np.array(shown.columns, dtype=object)[columns.ravel()],
            "weight": shown.weights.ravel(),
        }
        frame = pd.DataFrame(part)
        for place, (name, value) in enumerate(
            (("path", shown.path), ("kind", shown.kind), ("layer", shown.layer), ("head", shown.head))
        ):
            whole = "Int64" if name in ("layer", "head") else object  # numbers, some of them missing
            frame.insert(place, name, pd.Series([value] * len(frame), dtype=whole))
        parts.append(frame)
    return pd.concat(parts, ignore_index=True)


def to_bertviz(record: "AttentionRecord") -> dict[str, Any]:
    """Lists of tensors (1, heads, rows, columns), one a layer, and lists of tokens."""
    import torch

    layers: defaultdict[MapKind, list[Any]] = defaultdict(list)
    for look in record.attentions:
        heads = look.weights if look.weights.ndim == 3 else look.weights[None]
        layers[look.kind].append(torch.tensor(heads[None]))
    known = {"encoder-self": "encoder", "decoder-self": "decoder", "cross": "cross"}
    if not set(layers) <= set(known):
        raise RegardError(
            f"BertViz shows attention of the kinds {', '.join(known)}, found {', '.join(layers)}"
        )
    read = list(record.sides("encoder-self")[0].tokens)
    written, fed = record.sides("cross")[0].tokens, record.sides("decoder-self")[0].tokens
    if set(layers) == {"encoder-self"}:
        return {"attention": layers["encoder-self"], "tokens": read}
    if set(layers) == {"decoder-self"}:
        return {"attention": layers["decoder-self"], "tokens": list(fed)}
    both = {"cross", "decoder-self"} <= set(layers)
    labels = [f"{f}→{w}" for f, w in zip(fed, written, strict=True)] if both else list(written)
    views = {f"{known[kind]}_attention": own for kind, own in layers.items()}
    return {**views, "encoder_tokens": read, "decoder_tokens": labels}
