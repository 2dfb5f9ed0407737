"""BERTs with the head of a task: opened from `transformers`, and opened by it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.torch
import torch
from tests.conftest import Run
from tests.tasks.tiny_encoder import WORDS
from tokenizers import Tokenizer as Backend
from tokenizers import processors
from torch.testing import assert_close
from transformers import (
    AutoModelForQuestionAnswering,
    AutoModelForSequenceClassification,
    AutoModelForTokenClassification,
    AutoTokenizer,
    BertConfig,
    BertForQuestionAnswering,
    BertForSequenceClassification,
    BertForTokenClassification,
    BertTokenizerFast,
    DistilBertConfig,
    DistilBertForQuestionAnswering,
    DistilBertForSequenceClassification,
    DistilBertForTokenClassification,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaForQuestionAnswering,
    RobertaForSequenceClassification,
    RobertaForTokenClassification,
    XLMRobertaConfig,
    XLMRobertaForSequenceClassification,
)

import regard
from regard.errors import ConfigError, DataError, StoreError

SIZES = {
    "vocab_size": len(WORDS) + 2, "hidden_size": 12, "num_attention_heads": 3, "intermediate_size": 20,
    "num_hidden_layers": 2, "max_position_embeddings": 40,
}  # fmt: skip
DISTIL = {
    "vocab_size": len(WORDS) + 2, "dim": 12, "n_heads": 3, "hidden_dim": 20, "n_layers": 2,
    "max_position_embeddings": 40,
}  # fmt: skip
NAMES: dict[str, Any] = {
    "id2label": {0: "bad", 1: "good", 2: "좋음"},
    "label2id": {"bad": 0, "good": 1, "좋음": 2},
}
TEXT, OTHER = "ab c dde fgh", "c ab lk"
CLASSIFIERS: dict[str, Callable[..., Any]] = {
    "bert": lambda **told: BertForSequenceClassification(BertConfig(**SIZES, **told)),
    "roberta": lambda **told: RobertaForSequenceClassification(
        RobertaConfig(**SIZES, pad_token_id=0, **told)
    ),
    "xlm-roberta": lambda **told: XLMRobertaForSequenceClassification(
        XLMRobertaConfig(**SIZES, pad_token_id=0, type_vocab_size=1, **told)
    ),
    "distilbert": lambda **told: DistilBertForSequenceClassification(DistilBertConfig(**DISTIL, **told)),
}
TAGGERS: dict[str, Callable[..., Any]] = {
    "bert": lambda **told: BertForTokenClassification(BertConfig(**SIZES, **told)),
    "roberta": lambda **told: RobertaForTokenClassification(RobertaConfig(**SIZES, pad_token_id=0, **told)),
    "distilbert": lambda **told: DistilBertForTokenClassification(DistilBertConfig(**DISTIL, **told)),
}
FINDERS: dict[str, Callable[..., Any]] = {
    "bert": lambda **told: BertForQuestionAnswering(BertConfig(**SIZES, **told)),
    "roberta": lambda **told: RobertaForQuestionAnswering(RobertaConfig(**SIZES, pad_token_id=0, **told)),
    "distilbert": lambda **told: DistilBertForQuestionAnswering(DistilBertConfig(**DISTIL, **told)),
}


def written(
    made: dict[str, Callable[..., Any]], family: str, folder: Path, **told: Any
) -> tuple[Any, PreTrainedTokenizerFast]:
    """A model with random weights and its tokenizer, stored by transformers."""
    torch.manual_seed(0)
    model = made[family](**told).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter), alpha=0.3)
    model.save_pretrained(folder)
    tokenizer = a_tokenizer(folder, twice="roberta" in family)
    tokenizer.save_pretrained(folder)
    return model, tokenizer


def a_tokenizer(folder: Path, *, twice: bool) -> PreTrainedTokenizerFast:
    """WordPiece over letters; RoBERTa puts two symbols between texts, and both into one segment."""
    vocabulary = folder.parent / "vocab.txt"
    vocabulary.write_text("\n".join([*WORDS, "x", "y"]) + "\n", encoding="utf-8")
    plain = BertTokenizerFast(str(vocabulary))
    if not twice:
        return plain
    backend = Backend.from_str(plain.backend_tokenizer.to_str())
    backend.post_processor = processors.RobertaProcessing(("[SEP]", 3), ("[CLS]", 2), add_prefix_space=False)
    named = {"cls_token": "[CLS]", "sep_token": "[SEP]", "pad_token": "[PAD]", "unk_token": "[UNK]"}
    return PreTrainedTokenizerFast(
        tokenizer_object=backend, model_input_names=["input_ids", "attention_mask"], **named
    )


def probabilities(model: Any, tokenizer: Any, *texts: str) -> np.ndarray[Any, Any]:
    with torch.inference_mode():
        logits = model(**_taken(model, tokenizer(*texts, return_tensors="pt"))).logits
    found: np.ndarray[Any, Any] = logits[0].softmax(-1).numpy()
    return found


def _taken(model: Any, given: Any) -> dict[str, Any]:
    """DistilBERT is not told of segments."""
    return {
        name: value for name, value in given.items() if name != "token_type_ids" or "Bert" in _name(model)
    }


def _name(model: Any) -> str:
    name = type(model).__name__
    return "" if name.startswith("Distil") else name


@pytest.mark.parametrize("family", CLASSIFIERS)
@pytest.mark.parametrize("texts", [(TEXT,), (TEXT, OTHER)], ids=["texts", "pairs"])
def test_a_classifier_says_what_transformers_says(
    family: str, texts: tuple[str, ...], tmp_path: Path
) -> None:
    theirs, tokenizer = written(CLASSIFIERS, family, tmp_path / "theirs", **NAMES)
    expected = probabilities(theirs, tokenizer, *texts)
    regard.import_model(tmp_path / "theirs", tmp_path / "own", pairs=len(texts) == 2)
    ours = regard.load(tmp_path / "own", task="classification")
    found = ours.classify(*texts)
    assert list(found.probabilities) == ["bad", "good", "좋음"]
    assert list(found.probabilities.values()) == pytest.approx(expected.tolist(), abs=1e-5)
    symbols = found.attention.tokens().columns.count("[SEP]")
    assert symbols == {1: 1, 2: 3 if "roberta" in family else 2}[len(texts)]
    if len(texts) == 1:  # a folder need not be imported
        direct = regard.load(tmp_path / "theirs").classify(TEXT).probabilities
        assert list(direct.values()) == pytest.approx(expected.tolist(), abs=1e-5)
    regard.export_model(tmp_path / "own", tmp_path / "back")
    back = AutoModelForSequenceClassification.from_pretrained(tmp_path / "back").eval()
    assert type(back) is type(theirs)
    assert back.config.id2label == NAMES["id2label"]
    again = AutoTokenizer.from_pretrained(tmp_path / "back")
    np.testing.assert_allclose(probabilities(back, again, *texts), expected, atol=1e-5)


@pytest.mark.parametrize("family", TAGGERS)
def test_a_tagger_says_what_transformers_says(family: str, tmp_path: Path) -> None:
    theirs, tokenizer = written(TAGGERS, family, tmp_path / "theirs", **NAMES)
    given = tokenizer(TEXT.split(), is_split_into_words=True, return_tensors="pt")
    firsts = [given.word_ids().index(word) for word in range(4)]
    with torch.inference_mode():
        logits = theirs(**_taken(theirs, given)).logits[0, firsts]
    found = regard.load(tmp_path / "theirs", task="tagging").tag(TEXT)
    assert found.tags == tuple(NAMES["id2label"][int(best)] for best in logits.argmax(-1))
    assert list(found.probabilities) == pytest.approx(logits.softmax(-1).amax(-1).tolist(), abs=1e-5)
    regard.export_model(tmp_path / "theirs", tmp_path / "back")
    back = AutoModelForTokenClassification.from_pretrained(tmp_path / "back").eval()
    assert type(back) is type(theirs)
    with torch.inference_mode():
        assert_close(back(given["input_ids"]).logits[0, firsts], logits, atol=1e-5, rtol=0)


@pytest.mark.parametrize("family", FINDERS)
def test_a_finder_of_answers_scores_as_transformers_does(family: str, tmp_path: Path) -> None:
    theirs, tokenizer = written(FINDERS, family, tmp_path / "theirs")
    given = tokenizer(OTHER, TEXT, return_tensors="pt")
    own = [place for place, text in enumerate(given.sequence_ids(0)) if text == 1]
    with torch.inference_mode():
        expected = theirs(**_taken(theirs, given))
    ours = regard.load(tmp_path / "theirs", task="question-answering")
    found = ours.answer(OTHER, TEXT)
    start, end = (side[0, own] for side in (expected.start_logits, expected.end_logits))
    scores = {
        (first, last): float(start[first] + end[last])
        for first in range(len(own)) for last in range(first, min(len(own), first + 30))
    }  # fmt: skip
    (first, last), best = max(scores.items(), key=lambda item: item[1])
    total = torch.tensor(list(scores.values())).logsumexp(0)
    assert found.best.probability == pytest.approx(float((best - total).exp()), abs=1e-5)
    spans = [given.token_to_chars(0, own[place]) for place in (first, last)]
    assert (found.start, found.end) == (spans[0].start, spans[1].end)
    regard.export_model(tmp_path / "theirs", tmp_path / "back")
    back = AutoModelForQuestionAnswering.from_pretrained(tmp_path / "back").eval()
    again = AutoTokenizer.from_pretrained(tmp_path / "back")(OTHER, TEXT, return_tensors="pt")
    assert type(back) is type(theirs)
    with torch.inference_mode():
        said = back(**again)
    assert_close(said.start_logits[0, own], start, atol=1e-5, rtol=0)
    assert_close(said.end_logits[0, own], end, atol=1e-5, rtol=0)


def test_a_number_and_several_labels(tmp_path: Path) -> None:
    theirs, tokenizer = written(CLASSIFIERS, "bert", tmp_path / "number", num_labels=1)
    with torch.inference_mode():
        expected = float(theirs(**tokenizer(TEXT, return_tensors="pt")).logits)
    assert regard.load(tmp_path / "number").classify(TEXT).value == pytest.approx(expected, abs=1e-5)
    told = {**NAMES, "problem_type": "multi_label_classification"}
    theirs, tokenizer = written(CLASSIFIERS, "bert", tmp_path / "several", **told)
    with torch.inference_mode():
        marks = theirs(**tokenizer(TEXT, return_tensors="pt")).logits[0].sigmoid()
    found = regard.load(tmp_path / "several").classify(TEXT)
    assert list(found.probabilities.values()) == pytest.approx(marks.tolist(), abs=1e-5)


def trained(folder: Path, *settings: str) -> Any:
    sizes = ["width: 8", "heads: 2", "feed_forward: 12", "layers: 1", "places: 40", "masked_words: false"]
    few = ["data.train.rows=60", "data.dev.rows=20", "data.test=null", "data.max_tokens=30"]
    encoder = f"model.encoder={{kind: bert, {', '.join(sizes)}}}"
    text = ["text.vocabulary_size=300", "training.epochs=1"]
    regard.train("bert-classifier", out=folder, set_=[encoder, *few, *text, *settings], quiet=True)
    return regard.load(folder, task="classification")


def test_what_was_trained_here_says_the_same_there(tmp_path: Path) -> None:
    """Its temperature is in the last layer; and it comes back as it went."""
    ours = trained(tmp_path / "run")
    assert ours.temperature != 1.0
    (note,) = regard.export_model(tmp_path / "run", tmp_path / "out")
    assert "divided by the temperature" in note
    theirs = AutoModelForSequenceClassification.from_pretrained(tmp_path / "out").eval()
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "out")
    text = "이 책은 아주 좋다."
    expected = ours.classify(text).probabilities
    found = probabilities(theirs, tokenizer, text)
    assert dict(zip(theirs.config.id2label.values(), found.tolist(), strict=True)) == pytest.approx(
        expected, abs=1e-5
    )
    again = regard.load(tmp_path / "out", task="classification")
    assert again.classify(text).probabilities == pytest.approx(expected, abs=1e-5)


def test_a_number_that_was_learned_here_is_the_number_there(tmp_path: Path) -> None:
    rows = ["text\tlabel", *(f"{'아주 ' * (n % 5)}좋다\t{10 + n % 5}" for n in range(40))]
    (tmp_path / "numbers.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    data = [f"data.{part}={{kind: tsv, path: {tmp_path / 'numbers.tsv'}}}" for part in ("train", "dev")]
    sizes = ["width: 8", "heads: 2", "feed_forward: 12", "layers: 1", "places: 40", "masked_words: false"]
    settings = [
        f"model.encoder={{kind: bert, {', '.join(sizes)}}}", *data, "data.test=null", "data.max_tokens=30",
        "data.answer=number", "training.best_by=spearman", "text.vocabulary_size=300", "training.epochs=1",
    ]  # fmt: skip
    regard.train("bert-classifier", out=tmp_path / "run", set_=settings, quiet=True)
    regard.export_model(tmp_path / "run", tmp_path / "out")
    theirs = AutoModelForSequenceClassification.from_pretrained(tmp_path / "out").eval()
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "out")
    with torch.inference_mode():
        found = float(theirs(**tokenizer("아주 아주 좋다", return_tensors="pt")).logits)
    ours = regard.load(tmp_path / "run").classify("아주 아주 좋다").value
    assert found == pytest.approx(ours, abs=1e-5)
    assert 5 < found < 20


def test_what_transformers_has_not_is_told(tmp_path: Path) -> None:
    trained(tmp_path / "run", "model.pooling={kind: mean}")
    with pytest.raises(
        StoreError, match=r"model\.pooling: transformers decides from the first token, found mean"
    ):
        regard.export_model(tmp_path / "run", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def changed(folder: Path, **values: Any) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **values}))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"id2label": {"0": "a", "1": "b"}}, "id2label: expected a name for each of 3 outputs"),
        ({"id2label": {"0": "a", "1": "b", "2": " a"}}, "id2label: expected different names"),
        ({"id2label": ["a", "b", "c"]}, "id2label: expected a name for each of 3 outputs"),
        ({"problem_type": "regression"}, "problem_type: expected 1 output for a number, found 3"),
        ({"architectures": ["BertForQuestionAnswering"]}, r"qa_outputs\.weight is missing"),
        ({"id2label": 3}, "id2label: expected a name for each of 3 outputs"),
        ({"id2label": {"0": "\ud800", "1": "b", "2": "c"}}, "id2label: expected a name for each of 3"),
        ({"classifier_dropout": 1.0}, "classifier_dropout: Input should be less than or equal to 0.98"),
        ({"classifier_dropout": "x"}, "classifier_dropout: Input should be a valid number"),
    ],
)
def test_a_head_that_does_not_fit_is_told(values: dict[str, Any], message: str, tmp_path: Path) -> None:
    written(CLASSIFIERS, "bert", tmp_path / "theirs", **NAMES)
    changed(tmp_path / "theirs", **values)
    with pytest.raises(StoreError, match=message):
        regard.load(tmp_path / "theirs")


def test_pairs_are_for_classifiers(tmp_path: Path) -> None:
    written(TAGGERS, "bert", tmp_path / "theirs", **NAMES)
    with pytest.raises(StoreError, match="pairs are for classifiers, and this is a model for tagging"):
        regard.import_model(tmp_path / "theirs", tmp_path / "own", pairs=True)
    assert not (tmp_path / "own").exists()
    with pytest.raises(ConfigError, match="is a model for tagging, and one for classification is needed"):
        regard.load(tmp_path / "theirs", task="classification")


def test_vectors_come_from_the_encoder_below(tmp_path: Path) -> None:
    theirs, tokenizer = written(CLASSIFIERS, "bert", tmp_path / "theirs", **NAMES)
    with torch.inference_mode():
        states = theirs.bert(**tokenizer(TEXT, return_tensors="pt")).last_hidden_state
    found = regard.load(tmp_path / "theirs", task="embedding").embed(TEXT)
    np.testing.assert_allclose(found, states[0].mean(0).numpy(), atol=1e-5)


def test_a_word_of_the_second_text_is_taken_out_behind_two_symbols(tmp_path: Path) -> None:
    theirs, tokenizer = written(CLASSIFIERS, "roberta", tmp_path / "theirs", **NAMES)
    regard.import_model(tmp_path / "theirs", tmp_path / "own", pairs=True)
    ours = regard.load(tmp_path / "own")
    effect = ours.classify(TEXT, OTHER, edit=regard.remove("lk"))
    expected = probabilities(theirs, tokenizer, TEXT, "c ab")
    assert list(effect.after.probabilities.values()) == pytest.approx(expected.tolist(), abs=1e-5)
    with pytest.raises(DataError, match="the symbol between two texts cannot be removed"):
        ours.classify(TEXT, OTHER, edit=regard.remove(5))
    with pytest.raises(DataError, match="expected at most 35 tokens, which is the most that"):
        ours.classify("a " * 20, "b " * 20)


def test_a_long_text_beside_a_question_is_read_in_windows(tmp_path: Path) -> None:
    """RoBERTa has 39 places here, and 4 symbols: a question of 4 leaves room for 31 tokens."""
    written(FINDERS, "roberta", tmp_path / "theirs")
    ours = regard.load(tmp_path / "theirs")
    assert ours.answer("a b c d", "a " * 31).notes == ()
    (note,) = ours.answer("a b c d", "a " * 32).notes
    assert "windows of at most 31 that overlap" in note


@pytest.mark.parametrize("family", ["bert", "roberta"])
def test_another_task_begins_with_the_encoder_below(family: str, tmp_path: Path) -> None:
    theirs, _ = written(TAGGERS, family, tmp_path / "theirs", **NAMES)
    regard.import_model(tmp_path / "theirs", tmp_path / "own")
    rows = ["premise\thypothesis\tlabel", *["ab c\tdd\tyes", "fg\tab c\tno"] * 8]
    (tmp_path / "pairs.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    data = [f"data.{part}={tmp_path / 'pairs.tsv'}" for part in ("train", "dev")]
    columns = ["data.text=premise", "data.second=hypothesis", "data.max_tokens=16", "data.test=null"]
    settings = [*data, *columns, "training.epochs=1", "training.frozen_layers=2"]
    for folder in ("theirs", "own"):
        out = tmp_path / f"from-{folder}"
        regard.train("bert-classifier", out=out, from_=tmp_path / folder, set_=settings, quiet=True)
        tuned = regard.load(out)
        assert tuned.recipe.model.separators == (2 if family == "roberta" else 1)
        taken = tuned.module.state_dict()["bert.encoder.1.feed_forward.up.weight"]
        assert torch.equal(taken, theirs.base_model.encoder.layer[1].intermediate.dense.weight)
    with pytest.raises(ConfigError, match=r"to train a model for a task further, import it first"):
        regard.train(None, out=tmp_path / "x", from_=tmp_path / "theirs", quiet=True)


def test_an_average_of_such_models_is_not_calibrated_on_another_world(tmp_path: Path, run: Run) -> None:
    for folder in ("one", "other"):
        written(FINDERS, "roberta", tmp_path / folder / "theirs")
        regard.import_model(tmp_path / folder / "theirs", tmp_path / folder / "own")
    done = run("average", tmp_path / "one" / "own", tmp_path / "other" / "own", "--out", tmp_path / "mean")
    assert done.returncode == 0, done.stderr
    assert regard.load(tmp_path / "mean").temperature == 1.0
    regard.export_model(tmp_path / "mean", tmp_path / "back")
    assert json.loads((tmp_path / "back" / "config.json").read_text())["model_type"] == "roberta"


def test_what_belongs_to_no_head_is_told(tmp_path: Path) -> None:
    written(CLASSIFIERS, "roberta", tmp_path / "theirs", **NAMES)
    path = tmp_path / "theirs" / "model.safetensors"
    tensors = safetensors.torch.load_file(path)
    safetensors.torch.save_file({**tensors, "classifier.norm.weight": torch.ones(12)}, path)
    with pytest.raises(StoreError, match=r"no place for 1 tensor in its head: classifier\.norm\.weight"):
        regard.load(tmp_path / "theirs")
    del tensors["classifier.dense.weight"]
    safetensors.torch.save_file(tensors, path)
    with pytest.raises(StoreError, match=r"classifier\.dense\.weight is missing, which its head needs"):
        regard.load(tmp_path / "theirs")


def test_a_tagger_that_was_trained_here(tmp_path: Path) -> None:
    sizes = ["width: 8", "heads: 2", "feed_forward: 12", "layers: 1", "places: 60", "masked_words: false"]
    few = ["data.train.rows=40", "data.dev.rows=10", "data.test=null", "data.max_tokens=50"]
    settings = [f"model.encoder={{kind: bert, {', '.join(sizes)}}}", *few, "training.epochs=1"]
    regard.train("bert-tagger", out=tmp_path / "run", set_=settings, quiet=True)
    regard.export_model(tmp_path / "run", tmp_path / "out")
    theirs = AutoModelForTokenClassification.from_pretrained(tmp_path / "out").eval()
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "out")
    sentence = "그 학생이 책을 읽었다 ."
    given = tokenizer(sentence, return_tensors="pt")
    ours = regard.load(tmp_path / "run").tag(sentence)
    firsts = [given.word_ids().index(word) for word in range(len(ours.words))]
    with torch.inference_mode():
        expected = theirs(**given).logits[0, firsts].softmax(-1)
    np.testing.assert_allclose(ours.marginals, expected.numpy(), atol=1e-5)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("model.word=mean", r"model\.word: transformers tags first pieces, found mean"),
        ("model.labelling={kind: crf}", r"model\.labelling: transformers tags each word alone, found crf"),
    ],
)
def test_a_tagger_that_transformers_has_not(setting: str, message: str, tmp_path: Path) -> None:
    sizes = ["width: 8", "heads: 2", "feed_forward: 12", "layers: 1", "places: 60", "masked_words: false"]
    few = ["data.train.rows=40", "data.dev.rows=10", "data.test=null", "data.max_tokens=50"]
    settings = [f"model.encoder={{kind: bert, {', '.join(sizes)}}}", *few, "training.epochs=1", setting]
    regard.train("bert-tagger", out=tmp_path / "run", set_=settings, quiet=True)
    with pytest.raises(StoreError, match=message):
        regard.export_model(tmp_path / "run", tmp_path / "out")


def test_relu_is_distilberts(tmp_path: Path) -> None:
    trained(tmp_path / "run", "model.pooling={kind: first, activation: relu}")
    with pytest.raises(StoreError, match=r"model\.pooling\.activation: relu is DistilBERT's"):
        regard.export_model(tmp_path / "run", tmp_path / "out")
