"""regard recipes: what ships, and what a recipe may say."""

import json
from typing import Annotated

import typer

from regard.cli.options import AsJson, argument, complete_recipe, switch


def recipes(
    name: Annotated[
        str, argument("RECIPE", "Print this recipe with every setting, and what each means.", complete_recipe)
    ] = "",
    as_json: AsJson = False,
    schema: Annotated[bool, switch("Print the JSON schema, for editors.", "--schema")] = False,
) -> None:
    """List the recipes that ship with regard and the task of each, or print one.

    Examples:

      regard recipes

      regard recipes bahdanau > mine.yaml
    """
    from regard.config.commented import brief_yaml
    from regard.config.load import load_recipe, recipe_schema
    from regard.config.shipped import shipped_recipes

    if schema:
        typer.echo(recipe_schema())
    elif name:
        recipe = load_recipe(name)
        head = f"{recipe.description or name}\nTrain it: regard train THIS-FILE --out runs/mine"
        text = recipe.model_dump_json(indent=2) if as_json else brief_yaml(recipe, head).rstrip("\n")
        typer.echo(text)
    elif as_json:
        told = {shipped: load_recipe(shipped) for shipped in shipped_recipes()}
        listed = {name: {"task": one.task, "description": one.description} for name, one in told.items()}
        typer.echo(json.dumps(listed, ensure_ascii=False))
    else:
        told = {shipped: load_recipe(shipped) for shipped in shipped_recipes()}
        widths = max(map(len, told)) + 2, max(len(one.task) for one in told.values()) + 2
        for name, one in told.items():
            typer.echo(f"{name:<{widths[0]}}{one.task:<{widths[1]}}{one.description}")
