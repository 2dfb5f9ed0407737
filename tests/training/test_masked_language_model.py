"""Pre-training: what is learned, what a loss is, and a stopped run that goes on."""

import math
from pathlib import Path

import numpy as np
import pytest
import torch
from tests.training.tiny import resumes_to_the_same_bits, steps
from torch.nn.functional import cross_entropy
from torch.testing import assert_close
from transformers import BertConfig, BertForPreTraining

import regard
from regard.config.load import load_recipe
from regard.config.masked_language_model import MaskedLanguageModelRecipe
from regard.data.masking import Ints, MaskedTokens, MaskingVocabulary
from regard.errors import ConfigError, DataError
from regard.models.bert import Bert
from regard.nn.dropout import DropoutRng
from regard.store.convert.encoder import read_encoder
from regard.tasks.masked_lm.pretraining_example import NO_LABEL, ExampleBatch, make_example
from regard.tasks.masked_lm.trainer import MaskedLanguageModelTrainer

TINY = [
    "data.train.rows=60", "data.train.max_words=5", "data.dev.rows=10", "data.dev.max_words=5",
    "data.test=null", "data.length=32", "text={kind: wordpiece, vocabulary_size: 400}",
    "model={kind: bert, width: 8, heads: 2, feed_forward: 12, layers: 2, places: 40, pooler: false}",
    "training.epochs=2", "training.batch_tokens=128", "training.validations_per_epoch=2",
]  # fmt: skip
PAIRS = [
    "data.documents=blocks", "objective.next_sentence=on", "model.pooler=true", "objective.whole_words=true",
]  # fmt: skip


def documents(path: Path, count: int = 8) -> Path:
    """Documents of four sentences; a word tells which document a sentence is of."""
    names = ["학교", "바다", "시장", "공원"]
    blocks = [
        "\n".join(f"{names[n % 4]} 이야기 {part} 번째 문장이다." for part in "ABCD") for n in range(count)
    ]
    path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    return path


def recipe_of(*settings: str) -> MaskedLanguageModelRecipe:
    recipe = load_recipe("bert-tiny", [*TINY, *settings])
    assert isinstance(recipe, MaskedLanguageModelRecipe)
    return recipe


def paired(folder: Path, *settings: str) -> MaskedLanguageModelRecipe:
    text = documents(folder / "text.txt")
    return recipe_of("data.text=text", f"data.train={text}", f"data.dev={text}", *PAIRS, *settings)


def training_of(recipe: MaskedLanguageModelRecipe, folder: Path) -> MaskedLanguageModelTrainer:
    return MaskedLanguageModelTrainer(recipe, folder, torch.device("cpu"), quiet=True)


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> MaskedLanguageModelTrainer:
    folder = tmp_path_factory.mktemp("pairs")
    return training_of(paired(folder), folder)


def test_a_stopped_run_goes_on_to_the_same_bits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = paired(tmp_path)
    resumes_to_the_same_bits(
        lambda out: regard.train(recipe, out=out, quiet=True), tmp_path, monkeypatch, {3}
    )
    first = steps(tmp_path / "r")[0]
    size = len(regard.load(tmp_path / "r").tokenizer)
    assert first["nll"] == pytest.approx(math.log(size), abs=0.2), "a mean over hidden words"


def unmasked(masked: MaskedTokens) -> Ints:
    """The tokens with the right ones under the masks."""
    tokens = masked.tokens.copy()
    tokens[masked.places] = masked.right
    return tokens


def test_masks_are_fresh_at_each_step_and_functions_of_their_key(
    pairs: MaskedLanguageModelTrainer,
) -> None:
    one, again, later = (pairs._example(0, step) for step in (1, 1, 2))
    assert all(np.array_equal(a, b) for a, b in zip(one.masked, again.masked, strict=True))
    assert not np.array_equal(one.masked.tokens, later.masked.tokens)


def test_a_second_part_follows_or_is_of_another_document(pairs: MaskedLanguageModelTrainer) -> None:
    (tokenizer,) = pairs.vocabularies
    seen = set()
    for step in range(30):
        example = pairs._example(0, step)
        tokens = unmasked(example.masked)
        places = [place for place, token in enumerate(tokens) if token == 3]
        first, second = tokens[1 : places[0]], tokens[places[0] + 1 : places[1]]
        assert example.segments.tolist() == [0] * (places[0] + 1) + [1] * (len(second) + 1)
        topics = [tokenizer.decode(part.tolist()).text.text.split()[0] for part in (first, second)]
        # Topics come again in every fourth document.
        assert topics[0] == topics[1] or example.follows == 1
        seen.add(example.follows)
    assert seen == {0, 1}


def test_only_its_words_tell_whether_a_second_part_follows() -> None:
    """How long a sequence is, and whether it ends with a sentence, is by chance the same either way."""
    stop, rng = 5, np.random.default_rng(1)
    sequences = [
        [np.array([*rng.integers(6, 50, rng.integers(1, 12)), stop]) for _ in range(rng.integers(2, 9))]
        for _ in range(50)
    ]
    objective = recipe_of(*PAIRS, "objective.whole_words=false").objective
    seen: dict[int, list[list[float]]] = {0: [], 1: []}
    for row in range(6000):
        own, other = sequences[row % 50], sequences[(row + 7) % 50]
        key = np.random.default_rng(row)
        made = make_example(own, key, objective, MaskingVocabulary(50, 4, 5), None, lambda _: other)  # noqa: B023
        tokens = made.masked.tokens.copy()
        tokens[made.masked.places] = made.masked.right
        ends, size = float(tokens[-2] == stop), len(tokens)
        seen[made.follows].append([ends, size, ends * size, float(size >= 35)])
    following, other_ones = (np.array(seen[label]) for label in (0, 1))
    apart = np.abs(following.mean(0) - other_ones.mean(0))
    error = np.sqrt(following.var(0) / len(following) + other_ones.var(0) / len(other_ones))
    assert (apart < 4 * error).all(), (apart / error).tolist()


def test_the_order_of_two_parts(tmp_path: Path) -> None:
    training = training_of(paired(tmp_path, "objective.next_sentence=order"), tmp_path)
    (tokenizer,) = training.vocabularies
    seen = set()
    for step in range(20):
        example = training._example(0, step)
        tokens = unmasked(example.masked)
        text = tokenizer.decode(tokens.tolist()).text.text
        letters = "".join(letter for letter in text if letter in "ABCD")
        assert (letters == "ABCD") == (example.follows == 0)
        seen.add(example.follows)
    assert seen == {0, 1}


def test_a_sequence_of_one_sentence_has_nothing_to_tell(tmp_path: Path) -> None:
    text = tmp_path / "t.txt"
    text.write_text("학교에 간다.\n\n바다에 간다.\n\n시장에 간다.\n", encoding="utf-8")
    settings = [f"data.train={text}", f"data.dev={text}", "text.min_frequency=1"]
    training = training_of(recipe_of("data.text=text", *PAIRS, *settings), tmp_path)
    assert training._example(0, 1).follows == NO_LABEL
    assert training.loss([0, 1], None).loss.isfinite()
    assert training.validate().keys() == {"loss", "accuracy"}


def test_loss_and_logits_are_those_of_transformers(pairs: MaskedLanguageModelTrainer, tmp_path: Path) -> None:
    """BertForPreTraining with the same weights, the same batch: both logits, and the mean of hidden words.

    That of what follows weighs sequences otherwise: theirs depends on how a batch is split.
    """
    model = pairs.bert
    own = model.config
    theirs = BertForPreTraining(
        BertConfig(
            vocab_size=len(pairs.vocabularies[0]),
            hidden_size=own.width,
            num_attention_heads=own.heads,
            intermediate_size=own.feed_forward,
            num_hidden_layers=own.layers,
            max_position_embeddings=own.places,
            pad_token_id=0,
        )
    ).eval()
    for parameter in theirs.parameters():
        parameter.data += 0.1 * torch.randn_like(parameter)
    theirs.save_pretrained(tmp_path / "m")
    weights = read_encoder(tmp_path / "m").weights
    head = theirs.cls.seq_relationship
    weights |= {"next_sentence.weight": head.weight, "next_sentence.bias": head.bias}
    before = {name: value.detach().clone() for name, value in model.named_parameters()}
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(weights[name])
        rows = [0, 1, 2, 3]
        rng = DropoutRng(model, seed=pairs.recipe.training.seed, step=5)
        batch = ExampleBatch.of([pairs._example(row, rng.step) for row in rows], torch.device("cpu"))
        assert isinstance(model, Bert)
        states = model(batch.tokens, batch.lengths, batch.segments)
        expected = theirs(
            batch.tokens,
            attention_mask=(torch.arange(batch.tokens.shape[1]) < batch.lengths[:, None]).long(),
            token_type_ids=batch.segments,
        )
        logits = expected.prediction_logits.flatten(0, 1)[batch.places]
        assert model.masked_words is not None
        found = model.masked_words(states.flatten(0, 1)[batch.places])
        assert_close(found, logits, atol=1e-5, rtol=0)
        assert_close(model.follows(states), expected.seq_relationship_logits, atol=1e-5, rtol=0)
        loss, _ = pairs._hidden_words(states, batch, 0.0)
        assert_close(loss / len(batch.places), cross_entropy(logits, batch.right), atol=1e-5, rtol=0)
        for name, parameter in model.named_parameters():
            parameter.copy_(before[name])


def test_the_whole_loss_is_the_sum_of_both_means(pairs: MaskedLanguageModelTrainer) -> None:
    """What follows is told once for each hidden word of a sequence."""
    with torch.no_grad():
        examples = [pairs._example(row, 0) for row in (0, 1)]
        batch = ExampleBatch.of(examples, torch.device("cpu"))
        states = pairs.bert(batch.tokens, batch.lengths, batch.segments)
        words, _ = pairs._hidden_words(states, batch, 0.0)
        logits = pairs.bert.follows(states).repeat_interleave(
            torch.tensor([len(example.masked.places) for example in examples]), dim=0
        )
        told = [example.follows for example in examples for _ in example.masked.places]
        whole = pairs.loss([0, 1], None)
    assert_close(
        whole.loss / whole.count, words / len(batch.places) + cross_entropy(logits, torch.tensor(told))
    )


def test_the_loss_of_a_batch_is_that_of_its_parts(pairs: MaskedLanguageModelTrainer) -> None:
    with torch.no_grad():
        whole, *parts = (pairs.loss(rows, None).loss for rows in ([0, 1, 2, 3, 4], [0], [1, 2], [3, 4]))
    assert_close(whole, torch.stack(parts).sum())


def test_every_parameter_has_a_gradient(pairs: MaskedLanguageModelTrainer) -> None:
    torch.autograd.backward(pairs.loss(list(range(8)), None).loss)
    parameters = dict(pairs.bert.named_parameters())
    assert [name for name, one in parameters.items() if one.grad is None or not one.grad.any()] == []
    pairs.bert.zero_grad()


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("objective.masked=0.95", "masked 0.95 and random 0.1 are more than all"),
        ("objective.next_sentence=on", "model.pooler is for next sentence prediction: say true"),
        ("model.pooler=true", "model.pooler is for next sentence prediction: say true"),
        ("model.masked_words=false", "masked words need the head that predicts them"),
        ("data.length=41", "data.length 41 is longer than the model's 40 positions"),
        ("text={kind: bpe, dropout: 0.1}", "text.dropout would change how long a packed sequence is"),
        ("text.joint=true", "text.joint is for two languages"),
        ("objective.next_sentence=sometimes", "objective.next_sentence: unknown value 'sometimes'"),
        ("data.label=x", "data.label: unknown setting"),
    ],
)
def test_settings_that_do_not_fit_are_named(setting: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        recipe_of(setting)


def test_next_sentence_needs_documents(tmp_path: Path) -> None:
    text = documents(tmp_path / "one.txt", 1)
    settings = ["data.text=text", f"data.train={text}", f"data.dev={text}"]
    with pytest.raises(DataError, match=r"one.txt: objective.next_sentence: on needs two documents or more"):
        training_of(recipe_of(*settings, *PAIRS), tmp_path)
    with pytest.raises(ConfigError, match="needs documents of several rows; say documents: blocks"):
        recipe_of(*settings, *PAIRS, "data.documents=rows")


def test_a_run_begins_with_the_weights_of_another(tmp_path: Path) -> None:
    recipe = paired(tmp_path, "training.epochs=1")
    regard.train(recipe, out=tmp_path / "a", quiet=True)
    regard.train(out=tmp_path / "b", from_=tmp_path / "a", quiet=True)
    one, other = (regard.load(tmp_path / name) for name in "ab")
    assert one.tokenizer.to_json() == other.tokenizer.to_json()
    found = regard.evaluate(other, str(tmp_path / "text.txt"), samples=10, quiet=True)
    assert 0 <= found.metrics["accuracy"] <= 1
    assert found.metrics["perplexity"] > 1
