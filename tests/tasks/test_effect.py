"""What edits change, on a model that copies: what must happen is known."""

import json
import math
from collections.abc import Iterator
from dataclasses import replace

import pytest
import torch
from tests.tasks.copying import sentences

import regard
from regard.data.batching import SYMBOLS, EncodedPair, make_batch
from regard.errors import DataError
from regard.inference.constraints import Constraints
from regard.inference.generation import Effect
from regard.insight.edits import Edits
from regard.nn.trace import AttentionWeights, Trace
from regard.tasks.translation.predictor import Translator

SENTENCE = "d a h b e c"


@pytest.fixture
def exact(copier: Translator) -> Iterator[Translator]:
    """The copier in float64."""
    copier.module.double()
    yield copier
    copier.module.float()


def test_the_empty_edit_changes_no_bit(copier: Translator) -> None:
    effect = copier.translate(SENTENCE, edit=[])
    assert not effect.changed
    assert (effect.before, effect.before.log_probability) == (effect.after, effect.after.log_probability)
    for forced in (effect.old, effect.new):
        assert forced.before == forced.after
        assert forced.divergence == [0.0] * len(forced.before)
    assert effect.before.text == copier.translate(SENTENCE).text


def test_a_masked_word_may_still_be_known_but_a_removed_one_is_gone(copier: Translator) -> None:
    """The states after a masked word have read it; so these are different questions."""
    masked, removed = 0, 0
    for text in sentences(20, seed=3):
        word = text.split()[1]
        effect = copier.translate(text, edit=regard.mask(word))
        assert effect.attention.words().weights[:, 1].max() == 0.0
        assert effect.old_change < 0
        masked += word not in effect.text.split()
        removed += word not in copier.translate(text, edit=regard.remove(word)).text.split()
    assert removed >= 18
    assert 0 < masked < removed


def test_a_removed_word_is_as_if_it_had_not_been_there(copier: Translator) -> None:
    effect = copier.translate(SENTENCE, edit=regard.remove("h"))
    alone = copier.translate("d a b e c")
    assert effect.text == alone.text
    assert effect.after.log_probability == pytest.approx(alone.log_probability, abs=1e-4)
    assert effect.source == effect.after.source == SENTENCE
    words = effect.attention.words()
    assert words.columns == ("d", "a", "h", "b", "e", "c", "</s>")
    assert words.weights[:, 2].max() == 0.0


def test_a_removed_term_of_a_glossary_asks_for_nothing(copier: Translator) -> None:
    glossary = regard.Glossary([("h", "k"), ("a", "l")])
    effect = copier.translate(SENTENCE, edit=regard.remove("h"), glossary=glossary)
    assert {"k", "l"} <= set(effect.before.text.split())
    assert "l" in effect.text.split()
    assert "k" not in effect.text.split()


def test_a_forced_row_writes_what_it_looks_at(copier: Translator) -> None:
    written = [copier.translate(SENTENCE, edit=regard.force_row(0, word)).text.split()[0] for word in "ahbec"]
    assert sum(word == wanted for word, wanted in zip(written, "ahbec", strict=True)) >= 3


def test_a_prefix(copier: Translator) -> None:
    effect = copier.translate(SENTENCE, edit=regard.force_prefix("d h"))
    assert effect.text == copier.translate(SENTENCE, constraints=Constraints(prefix="d h")).text
    assert effect.text.startswith("d h")
    with pytest.raises(DataError, match="two prefixes, 'a' and 'd h' of an edit; choose one"):
        copier.translate(SENTENCE, edit=regard.force_prefix("d h"), constraints=Constraints(prefix="a"))
    with pytest.raises(DataError, match="leave out the given translation"):
        copier.look(SENTENCE, "d", edit=regard.force_prefix("d h"))


def test_a_transplant_of_its_own_attention_changes_nothing(exact: Translator) -> None:
    own = exact.translate(SENTENCE)
    effect = exact.translate(SENTENCE, edit=regard.transplant(own.attention))
    assert effect.text == own.text
    assert effect.old_change == pytest.approx(0.0, abs=1e-5)  # a record is in float32
    turned = exact.look("c e b h a d", "c e b h a d")
    other = exact.look(SENTENCE, SENTENCE, edit=regard.transplant(turned.attention))
    assert other.attention.tokens().weights == pytest.approx(turned.attention.tokens().weights, abs=1e-6)


def test_masking_is_what_the_softmax_does_without_the_word(exact: Translator) -> None:
    """An independent way to hide a word: take it out of the mask that the softmax sees."""
    effect = exact.look(SENTENCE, SENTENCE, edit=regard.mask("h"))
    module = exact.network
    ids = exact.source_tokenizer.encode(SENTENCE).ids
    batch = make_batch([EncodedPair(ids, ids)], [0], SYMBOLS)
    with torch.inference_mode():
        state = module.start(batch.source, batch.lengths)
        memory = state.source.memory
        mask = memory.mask.clone()
        mask[0, 2] = False
        state = replace(state, source=replace(state.source, memory=replace(memory, mask=mask)))
        for position, expected in enumerate(effect.old.after):
            logits, state = module.step(batch.fed[:, position], state)
            own = float(logits.log_softmax(-1)[0, batch.wanted[0, position]])
            assert own == pytest.approx(expected, abs=1e-9)


def test_the_divergence_by_definition(exact: Translator) -> None:
    effect = exact.look(SENTENCE, "d a b", edit=regard.mask("a"))
    ids = exact.source_tokenizer.encode(SENTENCE).ids
    batch = make_batch([EncodedPair(ids, exact.target_tokenizer.encode("d a b").ids)], [0], SYMBOLS)

    def without_a(sight: AttentionWeights) -> torch.Tensor:
        weights: torch.Tensor = sight.weights.clone()
        weights[..., 1] = 0
        return weights / weights.sum(-1, keepdim=True)

    with torch.inference_mode():
        p, q = (
            exact.network.teacher_forced(batch.inputs, trace=trace).logits().log_softmax(-1)[0]
            for trace in (None, Trace(exact.module, {"attention": without_a}))
        )
    expected = torch.nn.functional.kl_div(q, p, reduction="none", log_target=True).sum(-1)
    assert [value for _, value in effect.divergence] == pytest.approx(expected.tolist(), abs=1e-9)
    assert [token for token, _ in effect.divergence] == [*effect.before.tokens, "</s>"]


@pytest.mark.parametrize("width", [1, 4])
def test_edits_of_a_batch_are_those_of_each_alone(exact: Translator, width: int) -> None:
    texts = [*sentences(6, seed=4), SENTENCE]
    edits: list[Edits] = [
        [regard.mask(0)],
        [],
        [regard.remove(1)],
        [regard.force_row(1, 0), regard.reweight(1, 3.0)],
        regard.force_row(0, 1),
        [regard.mask("</s>", renormalise=False)],
        regard.force_prefix("a"),
    ]
    together = exact.translate(texts, edit=edits, beam_size=width)
    for text, edit, one in zip(texts, edits, together, strict=True):
        alone: Effect = exact.translate(text, edit=edit, beam_size=width)
        assert (alone.before.text, alone.text) == (one.before.text, one.text)
        assert alone.old_change == pytest.approx(one.old_change, abs=1e-9)
        assert alone.new_change == pytest.approx(one.new_change, abs=1e-9)
        assert alone.old.divergence == pytest.approx(one.old.divergence, abs=1e-9)
        # what the search summed under the edit is what the forced pass gives
        assert one.after.log_probability == pytest.approx(math.fsum(one.new.after), abs=1e-9)
        assert one.before.log_probability == pytest.approx(math.fsum(one.old.before), abs=1e-9)


def test_an_edit_leaves_nothing_behind(copier: Translator) -> None:
    state = {name: value.clone() for name, value in copier.module.state_dict().items()}
    attributes = set(vars(copier.module))
    plain = copier.translate(SENTENCE)
    copier.translate(SENTENCE, edit=[regard.mask("a"), regard.force_row(0, "c")])
    again = copier.translate(SENTENCE)
    assert (again, again.log_probability) == (plain, plain.log_probability)
    assert set(vars(copier.module)) == attributes
    assert all(torch.equal(value, state[name]) for name, value in copier.module.state_dict().items())


def test_what_it_tells(copier: Translator) -> None:
    effect = copier.look(SENTENCE, "d a h", edit=[regard.mask("a"), regard.force_row(7, "c")])
    assert effect.diff == (("=", "d"), ("=", "a"), ("=", "h"))
    assert effect.notes == ("row 7 did not come: the output has 4 tokens, </s> counted",)
    values = json.loads(json.dumps(effect.to_dict()))
    assert values["edits"][0] == {
        "edit": "mask",
        "words": ["a"],
        "where": "cross",
        "renormalise": True,
    }
    assert values["log_probability"]["old"]["before"] == pytest.approx(effect.before.log_probability)
    shown = str(effect).splitlines()
    assert shown[1] == "edit    mask 'a' in attention over the source, rows renormalised"
    assert shown[-1].split()[::2] == [*effect.before.tokens, "</s>"]


def test_the_words_that_changed(copier: Translator) -> None:
    effect = copier.translate(SENTENCE, edit=regard.force_prefix("d h"))
    assert effect.changed
    assert [word for sign, word in effect.diff if sign != "+"] == effect.before.text.split()
    assert [word for sign, word in effect.diff if sign != "-"] == effect.text.split()
    shown = str(effect).splitlines()[4]
    assert all(f"[-{word}-]" in shown for sign, word in effect.diff if sign == "-")
    assert all(f"{{+{word}+}}" in shown for sign, word in effect.diff if sign == "+")


def test_mistakes(copier: Translator) -> None:
    with pytest.raises(DataError, match=r"'z' is not in the sentence; its words are 0 d, 1 a, .* 6 </s>"):
        copier.translate(SENTENCE, edit=regard.mask("z"))
    with pytest.raises(DataError, match="expected edits for 2 sentences, found 1"):
        copier.translate([SENTENCE, SENTENCE], edit=[regard.mask("a")])
    with pytest.raises(DataError, match=r"expected edits, such as regard.mask\('word'\), found 'a'"):
        copier.translate(SENTENCE, edit="a")  # type: ignore[arg-type]


def test_an_empty_sentence_has_nothing_to_change(copier: Translator) -> None:
    effect = copier.translate("", edit=[])
    assert (effect.text, effect.divergence) == ("", ())
