"""The pages that are made from the code when the site is built. None of them is kept in the repository."""

from collections.abc import Callable

from reference.commands import commands_page
from reference.python import python_page
from reference.recipes import recipes_page
from reference.settings import settings_page

PAGES: dict[str, Callable[[], str]] = {
    "reference/commands.md": commands_page,
    "reference/recipes.md": recipes_page,
    "reference/settings.md": settings_page,
    "reference/python.md": python_page,
}
