"""`python -m regard` is `regard`."""

from regard.cli.main import run

run()
