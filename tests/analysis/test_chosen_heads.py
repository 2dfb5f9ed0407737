"""A stored choice of heads decides what replaces unknown words, where tags go, and which words are linked."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from tests.analysis.pairs import PAIRS, stored, untrained
from tests.conftest import Run

import regard
from regard.analysis.alignment import AlignmentOptions, line_alignment
from regard.inference.attention import heads_in
from regard.insight.record import AttentionRecord
from regard.insight.tags import put_tags
from regard.store.alignment import AlignmentHeads, Head, store_alignment
from regard.tasks.translation.document import TextOptions, translate_lines
from regard.tasks.translation.predictor import Translator
from regard.text.markup import without_tags
from regard.text.tokenizer import UNK

SOURCE = PAIRS[1][0]
HEADS = heads_in(untrained().module, untrained().network.cross_attention)


def only(record: AttentionRecord, head: Head) -> AttentionRecord:
    """A record that has nothing but one head."""
    (look,) = [own for own in record.attentions if own.path == head.path]
    return replace(record, heads=None, attentions=(replace(look, weights=look.weights[head.head]),))


def choosing(head: Head) -> Translator:
    model = untrained()
    model.alignment_heads = AlignmentHeads((head,))
    return model


def test_unknown_words_are_replaced_by_what_the_chosen_head_looks_at() -> None:
    texts = set()
    for head in HEADS:
        model = choosing(head)
        with torch.no_grad():
            model.module.get_parameter("output.bias")[UNK] = 1000.0
        best = model.translate(SOURCE, replace_unknown=True, max_length_factor=1.0, max_length_extra=0)
        weights = best.attention.words("tokens", head.path, head=head.head).weights[:, :-1]
        side = best.attention.source
        assert side is not None
        words = [side.text[slice(*side.spans[int(row.argmax())])].strip() for row in weights]
        assert best.text.replace(" ", "") == "".join(words[: len(best.tokens)])
        texts.add(best.text)
    assert len(texts) > 1


def test_tags_and_links_follow_the_chosen_head() -> None:
    tagged = "그는 <b>어제</b> 학교에 갔다."
    plain, tags = without_tags(tagged)
    seen, linked = set(), set()
    for head in HEADS:
        model = choosing(head)
        (line,) = translate_lines(model, [("line 1", tagged)])
        whole = model.translate(plain)
        own = only(whole.attention, head)
        assert line.text == put_tags(whole.text, tags, own)
        (aligned,) = translate_lines(model, [("line 1", plain)], attention="alignment")
        best = own.words().weights[: own.target_words, : own.source_words].argmax(axis=1)
        found = line_alignment(aligned, AlignmentOptions())
        assert found.pairs == {(int(source), target) for target, source in enumerate(best)}
        assert aligned.parts[0].attention.paths == (head.path,), "no other attention is read"
        seen.add(line.text)
        linked.add(found.to_pharaoh())
    assert len(seen) > 1
    assert len(linked) > 1


def test_the_parts_of_a_line_are_counted_on() -> None:
    """Two sentences on a line, translated one by one: the words of the second come after the first's."""
    model, texts = untrained(), [SOURCE, PAIRS[0][0]]
    lines = [("line 1", " ".join(texts)), *(("line", text) for text in texts)]
    whole, first, second = (
        line_alignment(line, AlignmentOptions())
        for line in translate_lines(model, lines, TextOptions(split=True), attention="alignment")
    )
    moved = len(first.source_words), len(first.target_words)
    assert whole.pairs == first.pairs | {(i + moved[0], j + moved[1]) for i, j in second.pairs}
    assert whole.source_words == first.source_words + second.source_words


@pytest.mark.parametrize("text", ["", "   "])
def test_an_empty_line_has_no_links(text: str) -> None:
    (line,) = translate_lines(untrained(), [("line 1", text)], attention="alignment")
    assert line_alignment(line, AlignmentOptions()).to_pharaoh() == ""


def test_an_ensemble_says_that_it_has_no_chosen_heads(run: Run, tmp_path: Path) -> None:
    """Those of a member are not those of the others."""
    one, other = (stored(untrained(seed=seed), tmp_path / f"m{seed}") for seed in (3, 4))
    store_alignment(other, AlignmentHeads((Head("decoder.0.cross", 1),)))
    told = f"{other}: its choice of heads does not count in an ensemble, which has the mean of all heads"
    with pytest.warns(UserWarning, match=f"^{re.escape(told)}$"):
        assert regard.load(one, other).alignment_heads is None
    done = run("translate", one, "--ensemble", other, SOURCE)
    assert (done.returncode, done.stderr.splitlines()[0]) == (0, told)
    assert run("translate", one, "--ensemble", other, SOURCE, "-q").stderr == ""
