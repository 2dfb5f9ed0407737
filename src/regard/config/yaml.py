"""YAML as data: no tags, no aliases, no repeated keys, no file larger than a recipe can be."""

from typing import Any

import yaml

from regard.errors import ConfigError

MAX_CHARACTERS = 1_000_000


class _RecipeLoader(yaml.SafeLoader):
    """A safe loader that refuses what hides mistakes (repeated keys) or blows up (aliases)."""

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        if self.check_event(yaml.events.AliasEvent):
            raise yaml.constructor.ConstructorError(
                problem="aliases (*name) are not allowed", problem_mark=self.get_mark()
            )
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, str):
                raise yaml.constructor.ConstructorError(
                    problem=f"a name must be text, found {key!r}", problem_mark=key_node.start_mark
                )
            if key in seen:
                raise yaml.constructor.ConstructorError(
                    problem=f"'{key}' is set twice", problem_mark=key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep)


def parse_yaml(text: str, where: str) -> Any:
    """Read YAML text; `where` names it in an error."""
    if len(text) > MAX_CHARACTERS:
        raise ConfigError(f"{where}: a recipe has at most {MAX_CHARACTERS:,} characters, found {len(text):,}")
    try:
        return yaml.load(text, Loader=_RecipeLoader)
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise ConfigError(f"{where}{line}: not valid YAML: {error.problem}") from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        # Bad characters, nesting without end, and dates such as 2026-99-99 end up here.
        raise ConfigError(f"{where}: not valid YAML: {' '.join(str(error).split())}") from None
