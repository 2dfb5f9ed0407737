"""A translator that copies, trained once; and one in float64."""

from collections.abc import Iterator

import pytest
from tests.tasks.copying import train_copier

from regard.tasks.translation.predictor import Translator


@pytest.fixture(scope="session")
def copier() -> Translator:
    return train_copier()


@pytest.fixture
def exact(translator: Translator) -> Iterator[Translator]:
    translator.module.double()
    try:
        yield translator
    finally:
        translator.module.float()  # what were floats are the same floats again
