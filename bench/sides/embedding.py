"""Sentence vectors by one library: texts in, an array out."""

import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from bench.worker import Facts, serve

Embed = Callable[[list[str]], Any]


def with_regard(job: dict[str, Any]) -> tuple[str, Embed]:
    import regard
    from regard.version import __version__

    model = regard.load(job["model"], task="embedding")
    return f"regard {__version__}", lambda texts: model.embed(texts, batch_size=job["together"])


def with_sentence_transformers(job: dict[str, Any]) -> tuple[str, Embed]:
    import sentence_transformers

    model = sentence_transformers.SentenceTransformer(job["model"], device="cpu")
    return (
        f"sentence-transformers {sentence_transformers.__version__}",
        lambda texts: model.encode(texts, batch_size=job["together"], show_progress_bar=False),
    )


def with_onnxruntime(job: dict[str, Any]) -> tuple[str, Embed]:
    """The states of the words by onnxruntime; their mean, and its direction, by numpy."""
    import onnxruntime
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = job["threads"]
    with tempfile.TemporaryDirectory() as scratch:
        graph = Path(scratch) / "model.onnx"
        _export(job["model"], graph)
        session = onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(Path(job["model"]) / "tokenizer.json"))
    tokenizer.enable_truncation(256)
    tokenizer.no_padding()

    def embed(texts: list[str]) -> Any:
        encoded = tokenizer.encode_batch(texts)
        order = sorted(range(len(texts)), key=lambda row: len(encoded[row].ids))
        vectors: Any = None
        for first in range(0, len(order), job["together"]):
            rows = order[first : first + job["together"]]
            longest = max(len(encoded[row].ids) for row in rows)
            ids, real = np.zeros((2, len(rows), longest), np.int64)
            for at, row in enumerate(rows):
                ids[at, : len(encoded[row].ids)] = encoded[row].ids
                real[at, : len(encoded[row].ids)] = 1
            (states,) = session.run(None, {"tokens": ids, "real": real, "segments": np.zeros_like(ids)})
            mean = (states * real[..., None]).sum(1) / real.sum(1, keepdims=True)
            if vectors is None:
                vectors = np.empty((len(texts), mean.shape[1]), np.float32)
            vectors[rows] = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return vectors

    return f"onnxruntime {onnxruntime.__version__}", embed


def _export(model: str, graph: Path) -> None:
    import torch
    from transformers import AutoModel

    class States(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.encoder = AutoModel.from_pretrained(model, attn_implementation="eager").eval()

        def forward(self, tokens: torch.Tensor, real: torch.Tensor, segments: torch.Tensor) -> Any:
            found = self.encoder(input_ids=tokens, attention_mask=real, token_type_ids=segments)
            return found.last_hidden_state

    names = ["tokens", "real", "segments"]
    ones = torch.ones(2, 5, dtype=torch.int64)
    torch.onnx.export(
        States(),
        (ones, ones, torch.zeros_like(ones)),
        str(graph),
        input_names=names,
        output_names=["states"],
        dynamic_axes={name: {0: "rows", 1: "words"} for name in (*names, "states")},
        opset_version=17,
        dynamo=False,
    )


SIDES = {
    "regard": with_regard,
    "sentence-transformers": with_sentence_transformers,
    "onnxruntime": with_onnxruntime,
}


def main() -> None:
    job = json.loads(sys.argv[1])

    def prepare() -> tuple[Facts, Callable[[], Facts]]:
        texts = json.loads(Path(job["texts"]).read_text(encoding="utf-8"))
        version, embed = SIDES[job["side"]](job)

        def work() -> Facts:
            np.save(job["vectors"], embed(texts))
            return {}

        return {"version": version}, work

    serve(prepare, polite=job["polite"])


if __name__ == "__main__":
    main()
