"""The result of a text does not depend on what is computed with it."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from tests.server.running import RunningServer
from tests.torture.figures import Figures

SENTENCES = [
    "저는 달을 봤어요.", "나는 책을 읽었다.", "그는 학교에 갔다.", "", "달", "나는 " * 40 + "책을 읽었다.",
    "그는 책을 읽었다. 나는 달을 봤다.", "hello", "저는 <b>달을</b> 봤어요.", "학교에 {name} 갔다.",
]  # fmt: skip
OPTIONS: list[dict[str, Any]] = [
    {}, {"beam_size": 1}, {"attention": True}, {"sample": True, "seed": 5}, {"n_best": 3}, {"split": True},
]  # fmt: skip


def plain(result: Any) -> tuple[Any, list[float], Any]:
    """The words of a result, its numbers, and its attention weights."""
    words = (result["text"], result["tokens"], [other["text"] for other in result.get("alternatives", ())])
    numbers = [result["score"], result["log_probability"]]
    return words, numbers, (result.get("attention") or {}).get("words", {}).get("weights")


@pytest.mark.torture
def test_company_changes_nothing(running_server: RunningServer, figures: Figures, torture: bool) -> None:
    """Each alone; then all at once, many times over in the long form."""

    def ask(case: tuple[str, dict[str, Any]]) -> Any:
        answer = running_server.call("translator", "translate", case[0], **case[1])
        assert answer.status == 200, answer.content
        return plain(answer.json["results"][0])

    cases = [(text, options) for text in SENTENCES for options in OPTIONS]
    alone = [ask(case) for case in cases]
    before = batch_inputs(running_server)
    rounds = 1_000 // len(cases) + 1 if torture else 2
    order = np.random.default_rng(1).permutation(len(cases) * rounds) % len(cases)
    with ThreadPoolExecutor(24) as pool:
        together = list(pool.map(lambda place: ask(cases[place]), order))
    count, batches = (now - then for now, then in zip(batch_inputs(running_server), before, strict=True))
    assert batches < count, "nothing shared a batch"
    for place, (words, numbers, weights) in zip(order, together, strict=True):
        assert words == alone[place][0], cases[place]
        assert numbers == pytest.approx(alone[place][1], abs=1e-5)
        if weights is not None:
            np.testing.assert_allclose(weights, alone[place][2], atol=2e-5)
    figures.add("R15", requests=len(order), batches=int(batches), differences=0)


def batch_inputs(server: RunningServer) -> tuple[float, float]:
    """Inputs computed so far, and batches."""
    return (
        server.metric('regard_batch_inputs_sum{model="translator"}'),
        server.metric('regard_batch_inputs_count{model="translator"}'),
    )
