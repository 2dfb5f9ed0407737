"""Conversion of models: import from other libraries, and export to them."""

from pathlib import Path
from typing import Literal

from regard.errors import MissingExtraError, StoreError
from regard.progress import counted
from regard.store.atomic import MANIFEST, check_writable
from regard.store.convert.encoder import build_tokenizer, read_encoder, write_encoder
from regard.store.convert.encoder_out import encoder_of, sentence_encoder_of, write_head
from regard.store.convert.heads import read_head
from regard.store.convert.kinds import ENCODERS, EXPORTS, foreign_kind, head_of, read_any_model
from regard.store.convert.marian import read_marian, write_marian
from regard.store.convert.sentence import (
    StoredSentenceEncoder,
    read_sentence_encoder,
    write_sentence_encoder,
)
from regard.store.folder import StoredModel, write_model
from regard.store.pointer import POINTER
from regard.store.resolve import check_own_format, find_model

Layout = Literal["transformers", "sentence-transformers", "marian"]
LAYOUTS: tuple[Layout, ...] = ("transformers", "sentence-transformers", "marian")


def import_folder(folder: Path, out: Path, *, pairs: bool = False) -> tuple[str, ...]:
    """Make a checked folder of somebody else's model: whole, with a manifest, in float32, in one file.

    A translator, a classifier, a tagger or a span extractor becomes a model folder of regard's own, which can
    be fine-tuned and evaluated as any. An encoder keeps its library's layout, so that both open it.

    pairs:   a classifier of pairs of texts; no layout says so
    returns: what a user should know of it
    """
    check_free(out)
    kind = foreign_kind(folder)
    if kind == "transformers" and head_of(folder) is not None:
        write_model(out, read_head(folder, pairs=pairs))
        return ()
    if pairs:
        raise StoreError(f"{folder}: pairs are for classifiers of transformers, and this is none")
    if kind == "marian":
        stored = read_marian(folder)
        write_model(out, stored)
        return tuple(stored.summary["notes"])
    if kind == "sentence-transformers":
        sentences = read_sentence_encoder(folder)
        build_tokenizer(sentences.encoder, str(folder))  # without it nothing can be read
        write_sentence_encoder(out, sentences)
        return ()
    if kind == "transformers":
        encoder = read_encoder(folder)
        build_tokenizer(encoder, str(folder))
        write_encoder(out, encoder)
        if encoder.left_out:
            names = ", ".join(encoder.left_out[:3])
            tensors = counted(len(encoder.left_out), "tensor")
            return (f"left out: {tensors} of a task's head: {names}",)
        return ()
    if not any((folder / name).is_file() for name in (MANIFEST, POINTER)):
        raise check_own_format(folder)
    find_model(folder)  # a run that has no model yet says so
    raise StoreError(f"{folder}: is a model of regard already, and needs no import")


def export_folder(model: Path, out: Path, to: Layout) -> tuple[str, ...]:
    """Write a model in the layout of another library.

    returns: what a user should know of it
    """
    check_free(out)
    kind = foreign_kind(model)
    decides = kind == to == "transformers" and head_of(model) is not None
    if decides or kind not in ENCODERS:
        return _export_own(read_any_model(model), str(model), out, to)
    if to == "marian":
        raise StoreError(f"{model}: Marian is a translator, found an encoder; say --to transformers")
    sentences = read_sentence_encoder(model)
    if to == "sentence-transformers":
        write_sentence_encoder(out, sentences)
        return (
            ("the mean of the words is its pooling, since the folder names no other",)
            if sentences.is_alone
            else ()
        )
    write_encoder(out, sentences.encoder)
    return () if sentences.is_alone else ("the encoder alone: pooling and layers above it are left out",)


def _export_own(stored: StoredModel, where: str, out: Path, to: Layout) -> tuple[str, ...]:
    """Write what regard trained, or holds as its own."""
    task = stored.recipe.task
    if task == "embedding" and to != "marian":
        sentences = sentence_encoder_of(stored, where)
        if to == "sentence-transformers":
            write_sentence_encoder(out, sentences)
            return ()
        write_encoder(out, sentences.encoder)
        return ("the encoder alone: how its words are pooled is left out",)
    if task == "translation" and to != "sentence-transformers":
        return write_marian(out, stored, where)  # which is how transformers stores a translator
    if to == "transformers" and task in ("classification", "tagging", "question-answering"):
        return write_head(out, stored, where)
    if task != "masked-language-model" or to == "marian":
        raise StoreError(
            f"{where}: a {stored.recipe.model.kind} for {task} cannot be exported to {to}: {EXPORTS}"
        )
    encoder = encoder_of(stored, where)
    notes = ("the head that tells which sentence follows is left out",) if encoder.left_out else ()
    if to == "transformers":
        write_encoder(out, encoder)
        return notes
    longest = encoder.described.config.longest
    write_sentence_encoder(out, StoredSentenceEncoder(encoder, ("mean",), (), longest, False, {}, None))
    return (*notes, "the mean of the words is its pooling, since the folder names no other")


def check_free(out: Path) -> None:
    """Refuse, before any work, a place that is taken or cannot be written."""
    if out.exists():
        raise StoreError(f"{out}: is there already; choose another folder")
    check_writable(out)


_FILES = ["*.json", "*.txt", "*.safetensors", "*.spm"]
"""Nothing else is fetched: no code, and nothing that can run code when it is read."""


def fetch(name: str, revision: str | None = None) -> Path:
    """The folder of a model in the cache; what is not there yet is fetched."""
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        what = f"{name}: there is no such folder, and a model of the Hugging Face hub"
        raise MissingExtraError(what, "hub") from None
    try:
        folder = Path(snapshot_download(name, revision=revision, allow_patterns=_FILES))
    except Exception as error:  # the library raises whatever its many parts raise
        raise StoreError(
            f"{name}: there is no such folder, and {_reason(error, revision)}; a folder that holds the files "
            f"of the model can be named instead"
        ) from None
    if not any(folder.rglob("*.safetensors")):  # a module may have a folder of its own
        raise StoreError(
            f"{name}: has no weights as safetensors, and others can run code when read; ask its owner for "
            "them, or convert it where transformers is installed: from_pretrained(…).save_pretrained(…)"
        )
    return folder


def _reason(error: Exception, revision: str | None) -> str:
    """Why the hub gave nothing."""
    from huggingface_hub import constants

    kinds = {kind.__name__ for kind in type(error).__mro__}
    if "GatedRepoError" in kinds:
        return "the Hugging Face hub wants its terms to be accepted first, and you to log in: hf auth login"
    if "RepositoryNotFoundError" in kinds:
        return "the Hugging Face hub has no model of this name that you may see"
    if "RevisionNotFoundError" in kinds:
        return f"the Hugging Face hub has no revision {revision!r} of this model"
    if "OfflineModeIsEnabled" in kinds or constants.HF_HUB_OFFLINE:
        return "HF_HUB_OFFLINE is set, and the cache of the Hugging Face hub has no such model"
    reason = next(iter(str(error).strip().splitlines()), type(error).__name__).removeprefix("Got: ")
    return f"the Hugging Face hub cannot be reached ({reason[:120]})"
