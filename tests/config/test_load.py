import json
from pathlib import Path

import pytest

from regard.config.catalogue import RECIPES
from regard.config.load import corpus_from_short_form, load_recipe, recipe_from_dict, recipe_schema, to_yaml
from regard.config.problems import ELSEWHERE
from regard.config.shipped import shipped_recipes
from regard.config.translation import TranslationRecipe
from regard.config.yaml import parse_yaml
from regard.errors import ConfigError

EXAMPLES = Path(__file__).parents[2] / "examples"


def problem(overrides: list[str]) -> str:
    with pytest.raises(ConfigError) as caught:
        load_recipe("bahdanau", overrides)
    return str(caught.value)


@pytest.mark.parametrize("name", shipped_recipes())
def test_every_shipped_recipe_is_valid_and_described(name: str) -> None:
    assert load_recipe(name).description


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_example_is_valid_and_described(path: Path) -> None:
    assert load_recipe(str(path)).description


def test_a_recipe_written_out_is_the_same_recipe(tmp_path: Path) -> None:
    recipe = load_recipe("demo", ["training.seed=7"])
    path = tmp_path / "mine.yaml"
    path.write_text(to_yaml(recipe), encoding="utf-8")
    assert load_recipe(str(path)) == recipe
    assert recipe_from_dict(json.loads(json.dumps(recipe.model_dump(mode="json"))), "x") == recipe


def test_a_world_is_known_by_its_old_name() -> None:
    new, old = (corpus_from_short_form(f"builtin:{name}:test") for name in ("inference", "nli"))
    assert old == new


def test_overrides_change_one_setting_and_keep_the_others() -> None:
    plain = load_recipe("demo")
    changed = load_recipe("demo", ["model.dropout=0.25", "data.dev.rows=9"], kind=TranslationRecipe)
    assert changed.model.dropout == 0.25
    assert changed.data.dev.rows == 9  # type: ignore[union-attr]
    assert changed.data.dev.max_words == plain.data.dev.max_words  # type: ignore[union-attr]
    assert changed.training == plain.training


def test_later_settings_build_on_earlier_ones() -> None:
    data = load_recipe("bahdanau", ["data.train=x.tsv", "data.train.path=y.tsv"]).data
    assert data.train.model_dump(exclude_unset=True) == {"kind": "tsv", "path": "y.tsv"}
    assert "data.train.max_words: unknown setting" in problem(["data.train=x.tsv", "data.train.max_words=3"])
    assert problem(["model.dropout=0.2", "model.dropout.x=3"]) == (
        "--set model.dropout.x: model.dropout is 0.2, which has no settings"
    )


def test_a_path_and_its_value_are_not_read_as_yaml() -> None:
    for name in ("no", "null", "a: b", "#x", "[x]"):
        assert load_recipe("bahdanau", [("data.source", name)], kind=TranslationRecipe).data.source == name


@pytest.mark.parametrize(
    "setting",
    [
        "training.optimizer.betas=[1.5, 2]", "training.optimizer.betas=[.nan, .nan]", "model.dropout=0.999",
        "training.optimizer.learning_rate=.inf", "model.embedding_size=1000000000000", "training.epochs=true",
        "training.epochs=2.0", "training.clip_norm=.nan",
    ],
)  # fmt: skip
def test_values_that_could_only_fail_later_are_refused_now(setting: str) -> None:
    assert setting.partition("=")[0] in problem([setting])


def test_an_override_of_a_default_section_keeps_its_kind() -> None:
    assert load_recipe("bahdanau", ["data.dev.rows=5"]).data.dev.kind == "builtin"


def test_short_forms_of_a_corpus() -> None:
    data = load_recipe("bahdanau", ["data.train=builtin:ko-en:dev", "data.dev=$X/dev.tsv.gz"]).data
    assert data.train.model_dump(exclude_unset=True) == {"kind": "builtin", "world": "ko-en", "split": "dev"}
    assert data.dev.model_dump(exclude_unset=True) == {"kind": "tsv", "path": "$X/dev.tsv.gz"}


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("model=3", "model: expected a section with settings such as model.embedding_size, found 3"),
        ("model=rnn", "model: expected a section with settings such as model.embedding_size, found 'rnn'"),
        ("training.keep=[1,2]", "training.keep: expected a section with settings such as training.keep.best, "
         "found [1, 2]"),
        ("data.train=3", "data.train: expected a section with settings such as data.train.world, found 3"),
        ("training.epochs=many", "training.epochs: expected a whole number, found 'many'"),
        ("training.epochs=0", "training.epochs: expected 1 or more, found 0"),
        ("training.clip_norm=0", "training.clip_norm: expected more than 0.0, found 0"),
        ("model.dropout=x", "model.dropout: expected a number, found 'x'"),
        ("training.compile=3", "training.compile: expected true or false, found 3"),
        ("data.source=[a]", "data.source: expected a text, found ['a']"),
        ("training.optimizer.betas=3", "training.optimizer.betas: expected a list, found 3"),
        ("training.optimizer.betas=[0.1]", "training.optimizer.betas.1: missing; expected one more entry"),
        ("training.optimizer.betas=[0.1,0.2,0.3]", "training.optimizer.betas: expected at most 2 entries, "
         "found [0.1, 0.2, 0.3]"),
        ("model.attention.options=3", "model.attention.options: expected names with their values, such as "
         "{a: 1}, found 3"),
    ],
)  # fmt: skip
def test_values_of_another_kind_are_told_in_our_words(setting: str, told: str) -> None:
    assert problem([setting]) == f"recipe bahdanau: {told}"


@pytest.mark.parametrize("content", ["<!DOCTYPE html>\n<title>a: b</title>\n", "\ufeff\n <html>\n<p>a</p>"])
def test_a_web_page_is_no_recipe(tmp_path: Path, content: str) -> None:
    path = tmp_path / "page.yaml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"page\.yaml: expected a recipe in YAML, found HTML or XML"):
        load_recipe(str(path))


def test_near_misses_are_named() -> None:
    assert (
        problem(["model.dropuot=1"])
        == "recipe bahdanau: model.dropuot: unknown setting; did you mean 'dropout'?"
    )
    assert "model.encoder.cell: unknown value 'lstn'; did you mean 'lstm'?" in problem(
        ["model.encoder.cell=lstn"]
    )
    assert "data.train: unknown value 'tsx'; did you mean 'tsv'?" in problem(["data.train.kind=tsx"])
    assert "task: unknown value ['translation']" in problem(["task=[translation]"])
    assert "modle: unknown setting; did you mean 'model'?" in problem(["modle.x=1"])
    assert "data.train.row: unknown setting; did you mean 'rows'?" in problem(["data.train.row=3"])


def test_all_problems_are_in_one_message() -> None:
    message = problem(["model.heads=8", "training.epochs=many", "text.vocabulary_size=1"])
    assert message.startswith("recipe bahdanau: 3 problems")
    for path in ("model.heads", "training.epochs", "text.vocabulary_size"):
        assert f"\n  {path}: " in message
    assert "found 'many'" in message


def test_what_is_wrong_with_the_whole_recipe_is_told_after_its_name() -> None:
    told = problem(["model.share_embeddings=true", "text.joint=false"])
    assert told.startswith("recipe bahdanau: model.share_embeddings needs one vocabulary")


@pytest.mark.parametrize("setting", ["data.answer=question", "data.start=text"])
def test_no_column_is_two_things(setting: str) -> None:
    with pytest.raises(ConfigError, match=r"^recipe bert-span: data: expected different columns, found one"):
        load_recipe("bert-span", [setting])


def test_no_language_is_both_sides() -> None:
    told = problem(["data.source=en"])
    assert told == "recipe bahdanau: data: source and target are both 'en'; name two different columns"


@pytest.mark.parametrize("value", [",", "%", "@x", "*"])
def test_a_value_that_is_no_yaml_is_to_be_put_in_quotes(value: str) -> None:
    told = problem([f"data.source={value}"])
    assert told.startswith("--set data.source:1: not valid YAML: ")
    assert told.endswith(f"""; put it in quotes: "data.source='{value}'\"""")
    load_recipe("bahdanau", [f"data.source='{value}'"])
    assert "quotes" not in problem(["data.train=[x.tsv"])


def test_wrong_overrides() -> None:
    assert problem(["model.dropout"]) == "--set model.dropout: expected a.b=value, such as model.dropout=0.2"
    assert "which kind?" in problem(["data.train={path: x.tsv}"])
    assert "found 'x.doc'" in problem(["data.train=x.doc"])


def test_unknown_recipes() -> None:
    with pytest.raises(ConfigError, match=r"no recipe is called 'bahdnau'; did you mean 'bahdanau'\?"):
        load_recipe("bahdnau")
    with pytest.raises(ConfigError, match=r"nowhere/x.yaml: no such recipe file"):
        load_recipe("nowhere/x.yaml")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a: [1", "x.yaml:"),
        ("a: 1\na: 2", "x.yaml:2: not valid YAML: 'a' is set twice"),
        ("a: &b 1\nc: *b", "aliases"),
        ("a: !!python/object/apply:os.system [ls]", "not valid YAML"),
        ("1: 2", "a name must be text"),
        ("[" * 5000, "not valid YAML"),
        ("a: " + "x" * 1_000_001, "at most 1,000,000 characters"),
        ("a: 2026-99-99", "not valid YAML"),
    ],
)
def test_yaml_that_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_yaml(text, "x.yaml")
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_recipe_must_be_sections(tmp_path: Path) -> None:
    path = tmp_path / "list.yaml"
    path.write_text("- a\n- b\n")
    with pytest.raises(ConfigError, match="expected sections such as 'model:', found a list"):
        load_recipe(str(path))


def test_configs_are_frozen() -> None:
    recipe = load_recipe("bahdanau", kind=TranslationRecipe)
    with pytest.raises(ValueError, match="frozen"):
        recipe.model.dropout = 0.5


def test_the_schema_documents_every_setting() -> None:
    schema = json.loads(recipe_schema())
    assert schema["$schema"].endswith("2020-12/schema")
    for section in schema["$defs"].values():
        for name, setting in section.get("properties", {}).items():
            assert name == "kind" or "$ref" in setting or setting.get("description"), (section["title"], name)


def test_settings_stay_as_they_were_given() -> None:
    section = {"kind": "builtin", "rows": 5}
    load_recipe("demo", [("data.train", section), ("data.train.rows", 7)])
    assert section == {"kind": "builtin", "rows": 5}


@pytest.mark.parametrize("content", ["", "# nothing\n", "{}\n", "[]\n"])
def test_an_empty_recipe_is_no_recipe(tmp_path: Path, content: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError, match="is empty; a recipe says at least what it is for"):
        load_recipe(str(path))


@pytest.mark.parametrize(
    ("recipe", "setting", "told"),
    [
        ("bahdanau", "training.lr", "it is called training.optimizer.learning_rate here"),
        ("bahdanau", "training.learning_rate", "there is training.optimizer.learning_rate"),
        ("bahdanau", "training.batch_size", "it is called training.batch_tokens here"),
        ("bahdanau", "batch_size", "it is called training.batch_tokens and decoding.batch_tokens here"),
        ("bahdanau", "training.max_epochs", "it is called training.epochs here"),
        ("bahdanau", "model.dropout_rate", "it is called model.dropout here"),
        ("bahdanau", "model.n_layers", "it is called model.encoder.layers and model.decoder.layers here"),
        ("bahdanau", "data.valid", "it is called data.dev here"),
        ("lm-lstm", "model.hidden_dim", "it is called model.hidden_size here"),
        ("transformer-small", "model.nhead", "it is called model.heads here"),
        ("transformer-small", "model.d_ff", "it is called model.feed_forward here"),
        ("transformer-small", "model.d_model", "it is called model.width here"),
        ("transformer-small", "d_model", "it is called model.width here"),
        ("transformer-small", "model.n_layers", "called model.encoder_layers and model.decoder_layers here"),
        ("bert-classifier", "model.num_heads", "it is called model.encoder.heads here"),
    ],
)
def test_names_of_other_libraries_are_understood(recipe: str, setting: str, told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_recipe(recipe, {setting: 1})
    assert f"{setting}: unknown setting; " in str(caught.value)
    assert str(caught.value).endswith(told)


def test_what_they_are_called_here_exists() -> None:
    schemas = json.dumps([recipe.model_json_schema() for recipe in RECIPES.values()])
    for name, here in ELSEWHERE.items():
        for own in here:
            assert f'"{own}": {{' in schemas, f"{name}: there is no {own}"


def test_settings_come_as_texts_or_by_their_paths() -> None:
    one = load_recipe("demo", {"model.dropout": 0.2, "training.epochs": 3})
    assert one == load_recipe("demo", ["model.dropout=0.2", ("training.epochs", 3)])
    assert load_recipe("demo", "model.dropout=0.2") == load_recipe("demo", ["model.dropout=0.2"])
