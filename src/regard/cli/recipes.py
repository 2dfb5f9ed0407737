"""regard recipes: what ships, and what a recipe may say."""

import json
from typing import Annotated

import typer

from regard.cli.options import AsJson, complete_recipe


def recipes(
    name: Annotated[
        str,
        typer.Argument(
            metavar="RECIPE",
            help="Print this recipe with every setting written out.",
            autocompletion=complete_recipe,
        ),
    ] = "",
    as_json: AsJson = False,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON schema, for editors.")] = False,
) -> None:
    """List the recipes that ship with regard, or print one.

    Examples:

      regard recipes

      regard recipes bahdanau > mine.yaml
    """
    from regard.config.load import load_recipe, recipe_schema, shipped_recipes, to_yaml

    if schema:
        typer.echo(recipe_schema())
    elif name:
        recipe = load_recipe(name)
        typer.echo(recipe.model_dump_json(indent=2) if as_json else to_yaml(recipe).rstrip("\n"))
    elif as_json:
        listed = {shipped: load_recipe(shipped).description for shipped in shipped_recipes()}
        typer.echo(json.dumps(listed, ensure_ascii=False))
    else:
        width = max(map(len, shipped_recipes())) + 2
        for shipped in shipped_recipes():
            typer.echo(f"{shipped:<{width}}{load_recipe(shipped).description}")
