"""JoeyNMT's model with the sizes of a job. Runs in JoeyNMT's own environment.

JoeyNMT wants <unk> to be entry 0 and padding entry 1; regard has them the other way round. Ids, and the rows
of word vectors, change places on the way in and out.
"""

import logging
from types import SimpleNamespace
from typing import Any

import torch
from bench.job import Job, Network, Transformer
from torch import Tensor

UNK, PAD, BOS, EOS = range(4)
MODULES = ("joeynmt.batch", "joeynmt.builders", "joeynmt.model", "joeynmt.search", "joeynmt.vocabulary")
"""What the sides import."""
STARTS = {
    "initializer": "xavier_uniform",
    "bias_initializer": "zeros",
    "init_gain": 1.0,
    "embed_initializer": "xavier_uniform",
    "embed_init_gain": 1.0,
}


def build(job: Job) -> Any:
    """The model, with JoeyNMT's own start values."""
    logging.disable(logging.CRITICAL)
    from joeynmt.model import build_model
    from joeynmt.vocabulary import Vocabulary

    symbols = SimpleNamespace(
        unk_token="<unk>",
        pad_token="<pad>",
        bos_token="<s>",
        eos_token="</s>",
        sep_token=None,
        unk_id=UNK,
        pad_id=PAD,
        bos_id=BOS,
        eos_id=EOS,
        sep_id=None,
        lang_tags=[],
    )
    entries = Vocabulary([f"entry{number}" for number in range(4, job.vocabulary)], symbols)
    model = build_model({**STARTS, **_settings(job.network)}, entries, entries)
    model.loss_function = ("crossentropy", job.smoothing)
    return model


def _settings(network: Network | Transformer) -> dict[str, Any]:
    return _transformer(network) if isinstance(network, Transformer) else _recurrent(network)


def _transformer(network: Transformer) -> dict[str, Any]:
    side = {
        "type": "transformer",
        "num_heads": network.heads,
        "hidden_size": network.width,
        "ff_size": network.feed_forward,
        "embeddings": {"embedding_dim": network.width, "scale": True, "dropout": network.dropout},
        "dropout": network.dropout,
        "layer_norm": "pre",
        "activation": "relu",
    }
    return {
        "tied_embeddings": True,
        "tied_softmax": True,
        "encoder": {**side, "num_layers": network.encoder_layers},
        "decoder": {**side, "num_layers": network.decoder_layers},
    }


def _recurrent(network: Network) -> dict[str, Any]:
    if network.readout != network.decoder or network.align != network.decoder:
        raise SystemExit("JoeyNMT's readout and additive score have the width of its decoder")
    # regard's previous state asks, and its decoder reads the context, which is as wide as what is fed here
    feeding = network.input_feeding or network.query == "previous"
    embeddings = {"embedding_dim": network.embedding, "scale": True, "dropout": network.dropout}
    return {
        "tied_embeddings": False,
        "tied_softmax": False,
        "encoder": {
            "type": "recurrent",
            "rnn_type": "lstm",
            "num_layers": 1,
            "bidirectional": True,
            "hidden_size": network.encoder,
            "embeddings": embeddings,
            "dropout": network.dropout,
        },
        "decoder": {
            "type": "recurrent",
            "rnn_type": "lstm",
            "num_layers": 1,
            "hidden_size": network.decoder,
            "embeddings": embeddings,
            "dropout": network.dropout,
            "hidden_dropout": network.dropout,
            "input_feeding": feeding,
            "init_hidden": "bridge",
            "attention": "bahdanau" if network.score == "additive" else "luong",
        },
    }


def exchanged(ids: Tensor) -> Tensor:
    """Ids of regard as ids of JoeyNMT, and back: 0 and 1 change places."""
    return ids.where(ids > 1, 1 - ids)


def batch_of(source: Tensor, lengths: Tensor, target: Tensor | None = None) -> Any:
    """A batch as JoeyNMT has it; one with a target is trained on."""
    from joeynmt.batch import Batch

    return Batch(
        src=source,
        src_length=lengths,
        src_prompt_mask=None,
        trg=target,
        trg_prompt_mask=None,
        indices=torch.arange(len(source)),
        device=torch.device("cpu"),
        pad_index=PAD,
        eos_index=EOS,
        is_train=target is not None,
    )
