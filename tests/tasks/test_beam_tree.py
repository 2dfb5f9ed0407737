"""The tree of a search as users see it; what is lost can be continued."""

import json
import math
from typing import Any

import pytest

import regard
from regard.errors import RegardError
from regard.inference.constraints import Constraints
from regard.tasks.language_model.predictor import LanguageModel
from regard.tasks.translation.predictor import Translator

SENTENCE = "저는 달을 봤어요."


def test_a_tree_leads_to_what_is_translated(translator: Translator) -> None:
    tree = translator.beam_tree(SENTENCE, beam_size=4)
    best = translator.translate(SENTENCE, beam_size=4, n_best=4, attention=False)
    assert tree.result == best
    assert tree.result.alternatives == best.alternatives
    results = {node.rank: node for node in tree.nodes if node.rank is not None}
    others: list[Any] = [best, *best.alternatives]
    for rank, other in enumerate(others):
        assert tree.text(results[rank]) == other.text
        assert results[rank].score == other.score
        path = tree.path(results[rank])
        assert math.fsum(node.log_probability for node in path) == pytest.approx(
            other.log_probability, abs=1e-6
        )
    (scored,) = translator.score([(SENTENCE, best.text)])
    if scored.tokens[:-1] == best.tokens:
        own = [node.log_probability for node in tree.path(tree.best)]
        assert own == pytest.approx(list(scored.log_probabilities), abs=1e-5)


def test_a_pruned_hypothesis_is_continued(translator: Translator) -> None:
    tree = translator.beam_tree(SENTENCE)
    lost = [node for node in tree.nodes if node.reason == "beam" and node.length < 8]
    same = 0
    for node in lost[:: max(1, len(lost) // 8)]:
        begin = tree.tokens(node)
        again = translator.beam_tree(SENTENCE, begin=begin)
        assert again.tokens(again.best)[: len(begin)] == begin
        text = tree.text(node)
        if translator.target_tokenizer.encode(text).ids == begin:  # not in the middle of a word
            same += 1
            forced = translator.translate(SENTENCE, edit=regard.force_prefix(text)).after
            wish = Constraints(prefix=text)
            wished = translator.translate(SENTENCE, constraints=wish, n_best=4, attention=False)
            assert again.result == wished
            assert (forced.text, forced.tokens) == (wished.text, wished.tokens)
            assert forced.log_probability == pytest.approx(wished.log_probability, rel=1e-6)
    assert same


def test_a_language_model_has_one(language_model: LanguageModel) -> None:
    prompt = "나는"
    tree = language_model.beam_tree(prompt, beam_size=3)
    assert tree.result == language_model.complete(prompt, beam_size=3, n_best=3, attention=False)
    assert tree.prefix == len(language_model.tokenizer.encode(prompt).ids)
    lost = next(node for node in tree.nodes if node.outcome == "pruned")
    again = language_model.beam_tree(prompt, beam_size=3, begin=tree.tokens(lost))
    assert again.tokens(again.best)[: len(tree.tokens(lost))] == tree.tokens(lost)
    values = json.loads(json.dumps(tree.to_dict()))
    assert values["text"] == tree.result.text
    assert [node["node"] for node in values["nodes"]] == list(range(len(tree.nodes)))
    (best,) = (node for node in values["nodes"] if node.get("rank") == 0)
    assert best["text"] == tree.result.text
    assert all(0 <= node["parent"] < node["node"] for node in values["nodes"][1:])


def test_what_has_no_tree_is_refused(translator: Translator) -> None:
    with pytest.raises(RegardError, match="sampling draws one token"):
        translator.beam_tree(SENTENCE, sample=True)
    with pytest.raises(RegardError, match="the sentence has no words"):
        translator.beam_tree(" ")
    size = len(translator.target_tokenizer)
    for token in (-1, size, 3, True):
        with pytest.raises(RegardError, match=rf"begin\[1\]: expected a token .* found {token}"):
            translator.beam_tree(SENTENCE, begin=[5, token])
