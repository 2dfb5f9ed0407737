"""The page of the recipes that ship."""

from collections.abc import Iterator

from reference.markdown import fenced, prose
from regard.config.commented import commented_yaml
from regard.config.load import load_recipe
from regard.config.shipped import recipe_text, shipped_recipes

HEAD = """# Recipes that ship

```sh
regard recipes                         # this list
regard recipes bahdanau > mine.yaml    # one of them, every default written out; change it
regard train mine.yaml --out runs/mine
```
"""


def recipes_page() -> str:
    """Each recipe: what it says itself, and the whole of it with every setting explained."""
    return "\n\n".join([HEAD.strip(), *_recipes()]) + "\n"


def _recipes() -> Iterator[str]:
    for name in shipped_recipes():
        recipe = load_recipe(name)
        whole = commented_yaml(recipe, f"The recipe {name}, every setting written out.", {})
        yield f"## {name}"
        yield prose(recipe.description)
        yield fenced(recipe_text(name)[0], "yaml")
        yield '??? note "Every setting, with what it means"'
        yield "\n".join(f"    {line}".rstrip() for line in fenced(whole, "yaml").splitlines())
