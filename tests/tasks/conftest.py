"""A translator that copies, trained once."""

import pytest
from tests.tasks.copying import train_copier

from regard.tasks.translation.predictor import Translator


@pytest.fixture(scope="session")
def copier() -> Translator:
    return train_copier()
