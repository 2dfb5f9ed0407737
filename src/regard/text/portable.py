"""Export of a tokenizer: with its normalisation inside tokenizer.json, for other libraries.

regard normalises a text before its engine reads it. Here the engine is told to do it; what only regard can
do, such as to find morphemes, has no place in such a file, and is refused.
"""

import json
from typing import Any

from tokenizers import Regex, decoders, normalizers, processors
from tokenizers import Tokenizer as Backend

from regard.errors import StoreError
from regard.text.symbols import BOS, EOS, HIDDEN, MARK, PAD, REPLACEMENT, SPACE, SPECIAL, UNK
from regard.text.tokenizer import Tokenizer

_SETTINGS = "tokenizer_config.json"


def portable_files(tokenizer: Tokenizer, *, longest: int, begins: bool, where: str) -> dict[str, bytes]:
    """The files of a tokenizer that `transformers` opens; it puts </s> behind a text.

    longest: maximum length of the model
    begins:  whether <s> stands before a text
    """
    state = json.loads(tokenizer.to_json())
    if "sentencepiece" in state:
        raise StoreError(f"{where}: its vocabulary is of SentencePiece already")
    rules = state["pre_tokenizer"].pop("regard", {})
    if rules.get("split", "none") != "none" or rules.get("kind") == "given":
        kind = rules["split"] if rules.get("split", "none") != "none" else rules["kind"]
        raise StoreError(f"{where}: text: '{kind}' is done by regard itself, so no other library has it")
    backend = Backend.from_str(json.dumps(state))
    signs_first = '"prepend_scheme": "first"' in json.dumps(state["pre_tokenizer"])
    backend.normalizer = normalizers.Sequence(_normalisers(rules, " " if signs_first else ""))
    backend.decoder = _decoder(rules.get("kind"))
    first = [f"{SPECIAL[BOS]}:0"] if begins else []
    backend.post_processor = processors.TemplateProcessing(
        single=[*first, "$A:0", f"{SPECIAL[EOS]}:0"],
        pair=[*first, "$A:0", f"{SPECIAL[EOS]}:0", "$B:1", f"{SPECIAL[EOS]}:1"],
        special_tokens=[(SPECIAL[number], number) for number in (BOS, EOS)],
    )
    told: dict[str, Any] = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": longest,
        "clean_up_tokenization_spaces": False,
        "pad_token": SPECIAL[PAD],
        "unk_token": SPECIAL[UNK],
        "eos_token": SPECIAL[EOS],
        "sep_token": SPECIAL[EOS],
    }
    if begins:
        told |= {"bos_token": SPECIAL[BOS], "cls_token": SPECIAL[BOS]}
    if tokenizer.kept(HIDDEN) is not None:
        told["mask_token"] = HIDDEN
    return {
        "tokenizer.json": backend.to_str().encode(),
        _SETTINGS: json.dumps(told, indent=2, ensure_ascii=False).encode(),
    }


def with_inputs(files: dict[str, bytes], *, segments: bool) -> dict[str, bytes]:
    """The files of a tokenizer that says its model's inputs: whether segment ids are one of them.

    Without that word, transformers gives no plain tokenizer's model the segments of a pair.
    """
    told = json.loads(files[_SETTINGS])
    told["model_input_names"] = ["input_ids", *(["token_type_ids"] if segments else []), "attention_mask"]
    return {**files, _SETTINGS: json.dumps(told, indent=2, ensure_ascii=False).encode()}


def _decoder(kind: str | None) -> decoders.Decoder:
    """The decoder: how pieces become a text again."""
    if kind == "byte_bpe":
        return decoders.ByteLevel()
    inside = [decoders.Replace(Regex("^##"), "")] if kind == "wordpiece" else []
    spaces = [decoders.Replace(SPACE, " "), decoders.ByteFallback(), decoders.Fuse()]
    return decoders.Sequence([*inside, *spaces, decoders.Strip(" ", 1, 0)])


def _normalisers(rules: dict[str, Any], first: str) -> list[normalizers.Normalizer]:
    """What `text/prepare.py` does, in its order.

    first: what spaces before a text become. The engine gives the first word the sign of a space only where
           nothing was taken away before it; elsewhere a space has to be left for that.
    """
    found: list[normalizers.Normalizer] = [normalizers.NFC(), normalizers.Replace(MARK, REPLACEMENT)]
    if rules.get("kind") != "byte_bpe":
        found.append(normalizers.Replace(SPACE, " "))
    return [
        *found,
        normalizers.Replace(Regex(r"\s+$"), ""),
        normalizers.Replace(Regex(r"^\s+"), first),
    ]
