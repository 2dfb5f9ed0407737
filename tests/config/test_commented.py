from pathlib import Path

import pytest

from regard.config.commented import brief_yaml, commented_yaml
from regard.config.load import load_recipe
from regard.config.shipped import shipped_recipes


@pytest.mark.parametrize("name", shipped_recipes())
def test_a_commented_recipe_is_the_same_recipe(tmp_path: Path, name: str) -> None:
    mix = "[{corpus: builtin:ko-en}, {kind: tsv, path: 'a: #b.tsv', filter: 'source != bible'}]"
    recipe = load_recipe(name, [f"data.train={mix}", "description='a: b # c'"])
    path = tmp_path / "mine.yaml"
    head = "My recipe\n\nfor ko"
    texts = [
        commented_yaml(recipe, head, {}),
        brief_yaml(recipe, head),
        brief_yaml(recipe, head, defaults=False),
    ]
    for text in texts:
        path.write_text(text, encoding="utf-8")
        assert load_recipe(str(path)) == recipe
    assert len(texts[0].splitlines()) > len(texts[1].splitlines()) > len(texts[2].splitlines())


def test_comments_say_what_and_why() -> None:
    text = commented_yaml(load_recipe("demo"), "My recipe", {"training.epochs": "the corpus is small"})
    lines = [line.strip() for line in text.splitlines()]
    assert lines[0] == "# My recipe"
    place = next(i for i, line in enumerate(lines) if line.startswith("epochs:"))
    assert lines[place - 1] == "# Here: the corpus is small"
    assert lines[place - 2].startswith("# ")
    assert max(map(len, text.splitlines())) < 130


def test_brief_comments_stand_beside_their_settings() -> None:
    recipe = load_recipe("bahdanau", ["data.train=corpora/train.csv"])
    lines = brief_yaml(recipe, "", {"training.epochs": "the corpus is small"}).splitlines()
    told = {line.split(":")[0].strip(): line.partition("  # ")[2] for line in lines}
    assert told["epochs"] == "the corpus is small"
    assert told["dropout"] == ""  # longer than a line: above
    meaning = type(recipe.training).model_fields["clip_norm"].description
    assert f"{told['clip_norm']}." == meaning
    assert told["on_nan"].startswith("stop | skip | rollback")
    assert "  train: corpora/train.csv            # The training set" in lines
    assert max(map(len, lines)) < 120
    shorter = brief_yaml(recipe, "", defaults=False)
    assert "clip_norm" not in shorter
    assert "batch_tokens: 1024" in shorter
