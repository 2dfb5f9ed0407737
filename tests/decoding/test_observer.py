"""A search that is watched: who gives up leaves the batch at the next step; nothing changes for others."""

from typing import Any

import pytest

from regard.inference.constraints import Constraints
from regard.inference.search import GenerationRequest
from regard.tasks.translation.predictor import Translator

SOURCES = ["저는 달을 봤어요.", "나는 책을 읽었다.", "그는 학교에 갔다."]


class Watching:
    """Gives up some sentences once the search has asked so often for each."""

    def __init__(self, given_up: dict[int, int]) -> None:
        self._given_up = given_up
        self.asked: dict[int, int] = {}
        self.tokens: dict[int, list[int]] = {}

    def is_cancelled(self, sentence: int) -> bool:
        self.asked[sentence] = self.asked.get(sentence, 0) + 1
        return self.asked[sentence] >= self._given_up.get(sentence, 10**6)

    def wrote(self, sentence: int, token: int, log_probability: float) -> None:
        assert log_probability <= 0
        self.tokens.setdefault(sentence, []).append(token)


def written(translator: Translator, watching: Watching | None, **changes: Any) -> list[Any]:
    settings = translator.search_settings(**changes)
    request = GenerationRequest(settings, [Constraints()] * len(SOURCES), attention=False, observer=watching)
    found = translator.write(translator.encode(SOURCES), SOURCES, request)
    return [hypothesis for _, hypothesis in found]


SEARCHES: list[dict[str, Any]] = [{"beam_size": 1}, {"sample": True, "seed": 3}, {"beam_size": 4}]


@pytest.mark.parametrize("changes", SEARCHES, ids=["greedy", "sample", "beam"])
def test_who_gives_up_leaves_and_others_stay_as_they_were(
    translator: Translator, changes: dict[str, Any]
) -> None:
    alone = written(translator, None, **changes)
    watching = Watching({1: 2})
    found = written(translator, watching, **changes)
    assert watching.asked[1] == 2, "it was not asked for again after it had given up"
    assert [found[0], found[2]] == [alone[0], alone[2]]
    assert min(watching.asked[row] for row in (0, 2)) > 2


@pytest.mark.parametrize("changes", SEARCHES[:2], ids=["greedy", "sample"])
def test_each_token_is_told_as_it_is_chosen(translator: Translator, changes: dict[str, Any]) -> None:
    watching = Watching({})
    found = written(translator, watching, **changes)
    assert [tuple(watching.tokens[row]) for row in range(3)] == [one.tokens for one in found]


def test_a_beam_tells_none(translator: Translator) -> None:
    watching = Watching({})
    written(translator, watching, beam_size=2)
    assert not watching.tokens
