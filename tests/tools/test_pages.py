"""The pages of the reference are made, and leave nothing out; the site's table of contents is complete."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

import regard
from reference.commands import commands_page
from reference.markdown import prose, table
from reference.pages import PAGES
from reference.python import python_page
from reference.recipes import recipes_page
from reference.settings import settings_page
from regard.cli.main import app
from regard.config.base import Config, FamilyConfig
from regard.config.catalogue import RECIPES
from regard.config.shipped import shipped_recipes

ROOT = Path(__file__).parent.parent.parent


def pages_of(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    for entry in nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else ():
        yield from pages_of(entry)


def test_every_page_is_in_the_table_of_contents_once() -> None:
    config = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    written = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert sorted(pages_of(config["nav"])) == sorted(written | set(PAGES))


def test_no_page_is_both_written_and_made() -> None:
    assert [name for name in PAGES if (ROOT / "docs" / name).exists()] == []


@cache
def made(page: Callable[[], str]) -> str:
    return page()


def section(page: Callable[[], str], heading: str) -> str:
    """A page from one heading to the next."""
    (found,) = re.findall(rf"^#+ {heading}\n.*?(?=^#+ |\Z)", made(page), re.MULTILINE | re.DOTALL)
    return str(found)


def command_names(group: Any, prefix: str) -> Iterator[str]:
    for name, command in getattr(group, "commands", {}).items():
        yield f"{prefix} {name}"
        yield from command_names(command, f"{prefix} {name}")


def test_every_command_is_there() -> None:
    names = list(command_names(typer.main.get_command(app), "regard"))
    assert {"regard demo", "regard data sample"} <= set(names)
    for name in names:
        assert f"```text\n{name} " in section(commands_page, re.escape(name))


def test_a_command_has_its_arguments_options_and_examples() -> None:
    text = section(commands_page, "regard translate")
    assert re.search(
        r"^\| `.*model.*` \| A run folder or a model folder\.", text, re.MULTILINE | re.IGNORECASE
    )
    assert re.search(r"^\| `--beam-size .*` \| Width of the search; 1 is greedy\.", text, re.MULTILINE)
    assert '```sh\nregard translate runs/demo "나는 책을 읽었다."\n' in text


INHERITED = {"Recipe", "CorporaConfig", "TrainingConfig", "FamilyConfig", "BertTaskConfig"}
"""What sections inherit from, and no recipe has."""
TAKEN = {family for recipe in RECIPES.values() for family in recipe.families}


def sections_of_a_recipe(parent: type[Config] = Config) -> Iterator[type[Config]]:
    for child in parent.__subclasses__():
        is_own = child.__module__.startswith("regard.config.") and not child.__name__.startswith("_")
        # What families of models share is no section of a recipe.
        is_shared = issubclass(child, FamilyConfig) and child not in TAKEN
        if is_own and child.model_fields and child.__name__ not in INHERITED and not is_shared:
            yield child
        yield from sections_of_a_recipe(child)


def test_every_setting_is_there() -> None:
    sections = list(sections_of_a_recipe())
    assert {"TranslationRecipe", "TsvCorpus", "BpeConfig"} <= {one.__name__ for one in sections}
    for one in sections:
        text = section(settings_page, rf"[^\n]*{{#{one.__name__}}}")
        assert [name for name in one.model_fields if f"\n| `{name}` | " not in text] == []


def test_a_setting_has_its_type_bounds_default_and_meaning() -> None:
    text = section(settings_page, r"decoding {#DecodingConfig}")
    meaning = "Hypotheses kept at each step; 1 is greedy search. Not used when sampling."
    assert f"| `beam_size` | whole number ≥ 1, ≤ 256 | `5` | {meaning} |" in text
    corpus = section(settings_page, r"[^\n]*{#TsvCorpus}")
    assert "| `path` | text | needed | " in corpus
    assert "`data.dev`" in corpus


@pytest.mark.parametrize("name", shipped_recipes())
def test_every_recipe_is_there(name: str) -> None:
    text = section(recipes_page, name)
    assert "    # The peak, reached after the warm-up." in text


def test_every_public_name_is_there() -> None:
    named = {line.rpartition(".")[2] for line in python_page().splitlines() if line.startswith("::: ")}
    assert named == set(regard.__all__) - {"__version__"}


def test_text_means_itself() -> None:
    assert prose("a <unk> * b_c `<s> *`\n d") == "a &lt;unk> \\* b\\_c `<s> *` d"
    assert table(["a"], [["x|y"]]) == "| a |\n| --- |\n| x\\|y |"
