"""Validation errors of recipes as one message, with hints for the names that other libraries use."""

from collections.abc import Iterator, Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from regard.errors import ConfigError, did_you_mean

ELSEWHERE: dict[str, tuple[str, ...]] = {
    name: here
    for here, names in {
        ("learning_rate",): "lr max_lr base_lr",
        ("epochs",): "max_epochs num_epochs n_epochs nb_epochs num_train_epochs epoch",
        ("batch_tokens",): "batch_size train_batch_size per_device_train_batch_size bsz",
        ("accumulate",): "gradient_accumulation_steps accumulate_grad_batches update_freq",
        ("clip_norm",): "clip grad_clip max_grad_norm gradient_clip_val clip_grad_norm",
        ("warmup_steps",): "warmup warmup_updates num_warmup_steps",
        ("label_smoothing",): "smoothing label_smoothing_factor",
        ("patience",): "early_stopping early_stopping_patience",
        ("precision",): "fp16 bf16 amp",
        ("seed",): "random_seed",
        ("schedule",): "scheduler lr_scheduler lr_scheduler_type",
        ("optimizer",): "optim",
        ("best_by",): "metric_for_best_model best_checkpoint_metric monitor",
        ("heads",): "nhead num_heads n_heads n_head num_attention_heads attention_heads",
        ("feed_forward",): "d_ff dim_feedforward ffn_dim intermediate_size feed_forward_size ffn_embed_dim",
        ("width", "hidden_size"): "d_model model_dim n_embd hidden_dim hidden_units rnn_size dim",
        ("embedding_size", "width"): "embedding_dim embed_dim emb_dim emb_size embed_size d_emb",
        ("layers", "encoder_layers", "decoder_layers"): (
            "n_layers num_layers n_layer nlayers num_hidden_layers depth"
        ),
        ("dropout",): "dropout_rate dropout_prob dropout_p p_dropout hidden_dropout_prob",
        ("vocabulary_size",): "vocab_size n_vocab num_words max_vocab nwords",
        ("beam_size",): "num_beams beam beam_width",
        ("source",): "src src_lang source_lang",
        ("target",): "tgt trg tgt_lang target_lang",
        ("dev",): "valid validation val eval",
        ("max_tokens",): "max_length max_len max_seq_length max_source_length",
    }.items()
    for name in names.split()
}
"""A name that is common elsewhere: what it may be called here, the likeliest first."""


_CORPORA = ("train", "dev", "test")
_MOST_PLACES = 4


def config_error(
    error: ValidationError, root: type[BaseModel], where: str, family: str | None = None
) -> ConfigError:
    """Name every problem by its path in the recipe, with the nearest valid name.

    family: of the recipe's model, where it is known
    """
    problems = [_describe(problem, root, family) for problem in error.errors(include_url=False)]
    if len(problems) == 1:
        return ConfigError(f"{where}: {problems[0]}")
    return ConfigError("\n  ".join([f"{where}: {len(problems)} problems", *problems]))


def _describe(problem: Any, root: type[BaseModel], family: str | None) -> str:
    path, classes = _resolve(problem["loc"], root)
    if problem["type"] == "extra_forbidden":
        return f"{path}: unknown setting; {_called(path, classes, root, family)}"
    what = _what(problem, classes, path)
    return f"{path}: {what}" if path else what  # of the whole recipe, which the caller has named


_EXPECTED = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "string_type": "a text",
    "string_too_long": "a text of length {max_length} or less",
    "string_too_short": "a text of length {min_length} or more",
    "tuple_type": "a list",
    "list_type": "a list",
    "too_long": "at most {max_length} entries",
    "too_short": "at least {min_length} entries",
    "dict_type": "names with their values, such as {{a: 1}}",
    "mapping_type": "names with their values, such as {{a: 1}}",
    "greater_than": "more than {gt}",
    "greater_than_equal": "{ge} or more",
    "less_than": "less than {lt}",
    "less_than_equal": "{le} or less",
}
"""What was expected, in words, by the kind of pydantic's finding."""
_NO_SECTION = ("model_type", "model_attributes_type", "dataclass_type")


def _what(problem: Any, classes: Sequence[type[BaseModel]], path: str) -> str:
    kind, given = problem["type"], problem["input"]
    if kind in _NO_SECTION:
        name = next((name for cls in classes for name in cls.model_fields if name != "kind"), "kind")
        return f"expected a section with settings such as {path}.{name}, found {given!r}"
    if kind in _EXPECTED:
        return f"expected {_EXPECTED[kind].format(**problem.get('ctx', {}))}, found {given!r}"
    if kind == "missing" and isinstance(problem["loc"][-1], int):
        return "missing; expected one more entry"
    if kind == "missing":
        return "missing; it has no default"
    if kind == "union_tag_not_found":
        return f"which kind? add 'kind:', one of {', '.join(_kinds(classes))}"
    if kind in ("literal_error", "union_tag_invalid"):
        valid = _kinds(classes) if kind == "union_tag_invalid" else _literals(problem["ctx"]["expected"])
        found = problem["ctx"].get("tag", given)
        return f"unknown value {found!r}; {did_you_mean(str(found), valid)}"
    message = problem["msg"].removeprefix("Value error, ")
    message = message[:1].lower() + message[1:]
    return message if kind == "value_error" else f"{message}, found {given!r}"


def _called(path: str, classes: Sequence[type[BaseModel]], root: type[BaseModel], family: str | None) -> str:
    """What an unknown setting is called here, or where it stands; else the nearest name."""
    section, _, name = path.rpartition(".")
    known = [own for cls in classes for own in cls.model_fields]
    wanted = ELSEWHERE.get(name, ())
    here = [one for one in wanted if one in known]
    if here:
        places = here[:1] if here[0] == wanted[0] else here
        return f"it is called {' and '.join(_joined(section, place) for place in places)} here"
    for one in wanted or (name,):
        places = [_joined(section, place) for place in dict.fromkeys(_places(classes, one, family))]
        places = places or list(dict.fromkeys(_places([root], one, family)))
        if 0 < len(places) <= _MOST_PLACES:
            told = " and ".join(places)
            return f"it is called {told} here" if wanted else f"there is {told}"
    return did_you_mean(name, known)


def _joined(section: str, name: str) -> str:
    return f"{section}.{name}" if section else name


def _places(classes: Sequence[type[BaseModel]], name: str, family: str | None) -> Iterator[str]:
    """The paths of settings of a name; of all families of models, those in one are looked at."""
    for cls in classes:
        for own, field in cls.model_fields.items():
            if own == name:
                yield own
            inner = [] if own in _CORPORA else list(sections_in(field.annotation))
            if own == "model" and family in _kinds(inner):
                inner = [one for one in inner if family in _kinds([one])]
            yield from (f"{own}.{path}" for path in _places(inner, name, family))


def _resolve(location: Sequence[str | int], root: type[BaseModel]) -> tuple[str, list[type[BaseModel]]]:
    """The dotted path without union tags, and the section classes in which its last name was looked up."""
    classes: list[type[BaseModel]] = [root]
    path: list[str] = []
    for depth, part in enumerate(location):
        fields = [cls.model_fields[str(part)] for cls in classes if str(part) in cls.model_fields]
        tagged = [cls for cls in classes if part in _kinds([cls])]
        is_last = depth == len(location) - 1
        if tagged and not fields:
            classes = tagged
            continue
        path.append(str(part))
        inner = [cls for field in fields for cls in sections_in(field.annotation)]
        if not is_last or inner:
            classes = inner or classes
    return ".".join(path), classes


def sections_in(annotation: Any) -> Iterator[type[BaseModel]]:
    """Every config class that an annotation allows, through unions and `Annotated`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from sections_in(argument)


def _kinds(classes: Sequence[type[BaseModel]]) -> list[str]:
    return [str(cls.model_fields["kind"].default) for cls in classes if "kind" in cls.model_fields]


def _literals(expected: str) -> list[str]:
    """Pydantic's "'a', 'b' or 'c'" as a list."""
    return [part.strip(" '") for part in expected.replace(" or ", ",").split(",")]
