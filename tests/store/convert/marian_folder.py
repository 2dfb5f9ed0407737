"""Tiny Marian translators, written by `transformers`, with vocabularies that SentencePiece learned."""

import io
import json
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import sentencepiece
import torch
from transformers import GenerationConfig, MarianConfig, MarianMTModel, MarianTokenizer

KOREAN = [
    "나는 책을 읽었다.",
    "그는 학교에 갔다.",
    "고양이가 물을 마신다.",
    "책은 학교에 있다.",
    "나는 물을 본다.",
]
ENGLISH = [
    "I read a book.",
    "He went to school.",
    "The cat drinks water.",
    "The book is at school.",
    "I see water.",
]
TEXTS = [*KOREAN, "나는 Zebra를 봤다 ﬁ ½.", "  두  칸  ", "가" * 40, "책"]
CODE = ">>eng<<"


@cache
def learned(texts: tuple[str, ...], kind: str, size: int) -> bytes:
    """A model of SentencePiece."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts * 20),
        model_writer=model,
        vocab_size=size,
        model_type=kind,
        hard_vocab_limit=False,
        bos_id=-1,
        minloglevel=2,
    )
    return model.getvalue()


def pieces_of(model: bytes) -> list[str]:
    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    return [processor.id_to_piece(number) for number in range(processor.get_piece_size())]


def write_marian_folder(
    folder: Path,
    *,
    shared: bool = True,
    kind: str = "unigram",
    steps: int = 80,
    scaled: bool = True,
    **changes: Any,
) -> Any:
    """A translator that has nearly learned some sentences: it ends, and not at once.

    steps:   of learning
    scaled:  whether word vectors are multiplied where they are read; `transformers` does not by default
    changes: of its generation settings
    """
    folder.mkdir(parents=True)
    models = [learned(tuple(texts), kind, 60) for texts in (KOREAN, ENGLISH)]
    for name, model in zip(("source", "target"), models, strict=True):
        (folder / f"{name}.spm").write_bytes(model)
    sides = [["</s>", "<unk>", *(p for p in pieces_of(m) if p not in ("</s>", "<unk>"))] for m in models]
    if shared:
        sides = [list(dict.fromkeys([*sides[0], CODE, *sides[1]]))] * 2
    size = max(map(len, sides)) + 1  # padding is the last, with the same number on both sides
    for name, side in zip(("vocab", "target_vocab"), sides, strict=True):
        entries = {piece: number for number, piece in enumerate(side)} | {"<pad>": size - 1}
        if name == "vocab" or not shared:
            (folder / f"{name}.json").write_text(json.dumps(entries))
    pad = size - 1
    config = MarianConfig(
        vocab_size=size,
        decoder_vocab_size=size,
        d_model=12,
        encoder_layers=2,
        decoder_layers=1,
        encoder_attention_heads=3,
        decoder_attention_heads=3,
        encoder_ffn_dim=10,
        decoder_ffn_dim=10,
        activation_function="swish",
        max_position_embeddings=128,
        scale_embedding=scaled,
        share_encoder_decoder_embeddings=shared,
        pad_token_id=pad,
        decoder_start_token_id=pad,
        eos_token_id=0,
        forced_eos_token_id=0,
    )
    torch.manual_seed(3)
    model = MarianMTModel(config).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "embed_positions" not in name:
                parameter.add_(torch.randn_like(parameter), alpha=0.3)
        model.final_logits_bias.normal_()
        model.final_logits_bias[0, 1] -= 50.0  # regard never writes what it does not know
    model.generation_config = GenerationConfig(
        **{
            "num_beams": 4,
            "max_length": 40,
            "bad_words_ids": [[pad]],
            "renormalize_logits": True,
            "pad_token_id": pad,
            "decoder_start_token_id": pad,
            "eos_token_id": 0,
            "forced_eos_token_id": 0,
            **changes,
        }
    )
    told = {"tokenizer_class": "MarianTokenizer", "source_lang": "ko", "target_lang": "en",
            "separate_vocabs": not shared}  # fmt: skip
    (folder / "tokenizer_config.json").write_text(json.dumps(told))
    config.save_pretrained(folder)
    _learn(model, their_tokenizer(folder), steps)
    model.save_pretrained(folder)
    return model


def _learn(model: Any, tokenizer: Any, steps: int) -> None:
    batch = tokenizer(KOREAN, text_target=ENGLISH, return_tensors="pt", padding=True)
    labels = batch["labels"].masked_fill(batch["labels"] == tokenizer.pad_token_id, -100)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(steps):
        loss = model(batch["input_ids"], attention_mask=batch["attention_mask"], labels=labels).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def their_tokenizer(folder: Path) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that another package would be good to have
        return MarianTokenizer.from_pretrained(folder)
