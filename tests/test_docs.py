"""Commands in the docs: all are read by the real command line, and those that can run here do."""

import pytest
from tests.cli.test_options import COMMANDS
from tests.documented import PAGES, commands_of, examples_of, parse

WRITTEN = [
    *(command for page in PAGES for command in commands_of(page)),
    *(example for name, command in COMMANDS.items() for example in examples_of(command, name)),
]


def test_commands_are_found() -> None:
    pages = {command.page for command in WRITTEN}
    assert pages >= {"README.md", "README.ko.md", "import-export.md", "regard look -h"}
    assert len(WRITTEN) > 400


@pytest.mark.parametrize(
    "page", sorted({command.page for command in WRITTEN}), ids=lambda page: page.replace(" ", "-")
)
def test_every_command_is_one_that_there_is(page: str) -> None:
    for command in WRITTEN:
        if command.page == page:
            try:
                parse(command.arguments)
            except Exception as error:
                pytest.fail(f"{page}: {command.line}\n{type(error).__name__}: {error}")
