"""OpenNMT-py's training step: its model, loss and optimizer, as its trainer calls them.

Runs in OpenNMT-py's own environment.
"""

import logging
import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import torch
from bench.job import Job, Network, Transformer
from bench.padded import read_batches, training_facts
from bench.worker import Facts, serve

MODULES = (
    "onmt.inputters.inputter",
    "onmt.model_builder",
    "onmt.opts",
    "onmt.utils.loss",
    "onmt.utils.optimizers",
    "onmt.utils.parse",
)


def build(job: Job) -> tuple[Any, Any, Any]:
    """Model, loss and optimizer, made by OpenNMT-py from options on a command line."""
    logging.disable(logging.CRITICAL)
    from onmt import opts
    from onmt.inputters.inputter import dict_to_vocabs
    from onmt.model_builder import build_base_model
    from onmt.utils.loss import LossCompute
    from onmt.utils.optimizers import Optimizer
    from onmt.utils.parse import ArgumentParser

    names = {job.pad: "<blank>", job.unk: "<unk>", job.bos: "<s>", job.eos: "</s>"}
    entries = [names.get(number, f"entry{number}") for number in range(job.vocabulary)]
    vocabularies = dict_to_vocabs({"src": entries, "tgt": entries, "data_task": "seq2seq"})
    parser = ArgumentParser()
    opts.train_opts(parser)
    options, _ = parser.parse_known_args(_options(job))
    ArgumentParser.update_model_opts(options)
    model = build_base_model(options, vocabularies)
    for parameter in model.parameters():
        torch.nn.init.uniform_(parameter, -options.param_init, options.param_init)
    loss = LossCompute.from_opts(options, model, vocabularies["tgt"])
    return model, loss, Optimizer.from_opt(model, options)


def _options(job: Job) -> list[str]:
    network = job.network
    own = _transformer(network) if isinstance(network, Transformer) else _recurrent(network)
    settings = {
        **own,
        "data": "{}",
        "src_vocab": "unused",
        "save_model": "unused",
        "dropout": network.dropout,
        "label_smoothing": job.smoothing,
        "optim": "adam",
        "learning_rate": job.learning_rate,
        "max_grad_norm": job.clip,
        "world_size": 1,
        "share_vocab": True,
    }
    written = []
    for name, value in settings.items():
        written += [f"-{name}"] if value is True else [f"-{name}", str(value)]
    return written


def _transformer(network: Transformer) -> dict[str, Any]:
    return {
        "encoder_type": "transformer",
        "decoder_type": "transformer",
        "enc_layers": network.encoder_layers,
        "dec_layers": network.decoder_layers,
        "heads": network.heads,
        "hidden_size": network.width,
        "word_vec_size": network.width,
        "transformer_ff": network.feed_forward,
        "attention_dropout": network.dropout,
        "position_encoding": True,
        "share_embeddings": True,
        "share_decoder_embeddings": True,
    }


def _recurrent(network: Network) -> dict[str, Any]:
    if network.readout != network.decoder or network.align != network.decoder:
        raise SystemExit("OpenNMT-py's readout and additive score have the width of its decoder")
    # regard's previous state asks, and its decoder reads the context, which is as wide as what is fed here
    feeding = network.input_feeding or network.query == "previous"
    return {
        "encoder_type": "brnn",
        "decoder_type": "rnn",
        "rnn_type": "LSTM",
        "enc_layers": 1,
        "dec_layers": 1,
        "word_vec_size": network.embedding,
        "enc_hid_size": network.states,
        "dec_hid_size": network.decoder,
        "global_attention": "mlp" if network.score == "additive" else "general",
        "input_feed": int(feeding),
        "bridge": True,
    }


def main() -> None:
    job = Job.read(sys.argv[1])

    def prepare() -> tuple[Facts, Callable[[], Facts]]:
        torch.manual_seed(job.seed)
        model, loss_of, optimizer = build(job)
        model.train()
        batches = read_batches(job)
        steps = 0

        def work() -> Facts:
            nonlocal steps
            for padded in batches:
                batch = {
                    "src": padded.source[:, :, None],
                    "srclen": padded.source_lengths(job.pad),
                    "tgt": padded.target[:, :, None],
                    "tgtlen": padded.target_lengths(job.pad) + 1,
                }
                tokens = padded.target_lengths(job.pad).sum()
                optimizer.zero_grad(set_to_none=True)
                outputs, attention = model(
                    batch["src"], batch["tgt"], batch["srclen"], bptt=False, with_align=False
                )
                total, _ = loss_of(
                    batch, outputs, attention, trunc_start=0, trunc_size=padded.target.shape[1]
                )
                loss = total / tokens
                optimizer.backward(loss)
                if model.decoder.state:
                    model.decoder.detach_state()
                optimizer.step()
                steps += 1
            return {"loss": float(loss.detach()), "steps": steps}

        return training_facts(f"OpenNMT-py {version('OpenNMT-py')}", model, batches, job.pad), work

    serve(prepare, polite=job.polite, modules=MODULES)


if __name__ == "__main__":
    main()
