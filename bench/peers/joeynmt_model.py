"""JoeyNMT's recurrent model with the sizes of a job. Runs in JoeyNMT's own environment.

JoeyNMT wants <unk> to be entry 0 and padding entry 1; regard has them the other way round. Ids, and the rows
of word vectors, change places on the way in and out.
"""

import logging
from types import SimpleNamespace
from typing import Any

from bench.job import Job
from torch import Tensor

UNK, PAD, BOS, EOS = range(4)


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
    model = build_model(_settings(job), entries, entries)
    model.loss_function = ("crossentropy", job.smoothing)
    return model


def _settings(job: Job) -> dict[str, Any]:
    network = job.network
    if network.readout != network.decoder or network.align != network.decoder:
        raise SystemExit("JoeyNMT's readout and additive score have the width of its decoder")
    # regard's previous state asks, and its decoder reads the context, which is as wide as what is fed here
    feeding = network.input_feeding or network.query == "previous"
    embeddings = {"embedding_dim": network.embedding, "scale": True, "dropout": network.dropout}
    return {
        "initializer": "xavier_uniform",
        "bias_initializer": "zeros",
        "init_gain": 1.0,
        "embed_initializer": "xavier_uniform",
        "embed_init_gain": 1.0,
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
