"""regard recipes: what ships, and what a recipe may say."""

from typing import Annotated

import typer


def recipes(
    name: Annotated[str, typer.Argument(help="Print this recipe with every setting written out.")] = "",
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
        typer.echo(to_yaml(load_recipe(name)), nl=False)
    else:
        for shipped in shipped_recipes():
            typer.echo(f"{shipped:<12}{load_recipe(shipped).description}")
