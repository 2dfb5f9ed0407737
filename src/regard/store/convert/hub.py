"""Models of the Hugging Face hub, by name: their files are kept in its own cache folder."""

from pathlib import Path

from regard.errors import MissingExtraError, StoreError

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
