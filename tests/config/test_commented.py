from pathlib import Path

import pytest

from regard.config.commented import commented_yaml
from regard.config.load import load_recipe, shipped_recipes


@pytest.mark.parametrize("name", shipped_recipes())
def test_a_commented_recipe_is_the_same_recipe(tmp_path: Path, name: str) -> None:
    mix = "[{corpus: builtin:ko-en}, {kind: tsv, path: 'a: #b.tsv', filter: 'source != bible'}]"
    recipe = load_recipe(name, [f"data.train={mix}", "description='a: b # c'"])
    path = tmp_path / "mine.yaml"
    path.write_text(commented_yaml(recipe, "My recipe\n\nfor ko", {}), encoding="utf-8")
    assert load_recipe(str(path)) == recipe


def test_comments_say_what_and_why() -> None:
    text = commented_yaml(load_recipe("demo"), "My recipe", {"training.epochs": "the corpus is small"})
    lines = [line.strip() for line in text.splitlines()]
    assert lines[0] == "# My recipe"
    place = next(i for i, line in enumerate(lines) if line.startswith("epochs:"))
    assert lines[place - 1] == "# Here: the corpus is small"
    assert lines[place - 2].startswith("# ")
    assert max(map(len, text.splitlines())) < 130
