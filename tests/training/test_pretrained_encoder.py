"""A task that begins with an encoder: its sizes, its vocabulary and its weights; and it learns from there."""

from pathlib import Path
from shutil import copytree, rmtree

import pytest
import torch
from tests.models.their_bert import write_their_bert
from tests.tasks.test_filling import foreign  # noqa: F401  # a folder that transformers wrote
from tests.training.test_masked_language_model import TINY
from tests.training.tiny import resumes_to_the_same_bits
from torch.testing import assert_close
from transformers import BertForSequenceClassification

import regard
from regard.config.bert_reader import BertReaderConfig
from regard.config.classification import ClassificationRecipe
from regard.errors import ConfigError, DataError
from regard.models.bert_classifier import BertClassifier
from regard.models.catalogue import build_classifier
from regard.nn.sequence_classifier import PaddedTokens, SpecialTokens
from regard.store.convert.encoder import read_encoder
from regard.store.folder import read_model, weights_of
from regard.tasks.classification.predictor import Classifier
from regard.text.foreign_vocabulary import ForeignVocabulary

FEW = [
    "data.train.rows=40", "data.dev.rows=10", "data.test=null", "data.max_tokens=38", "training.epochs=2",
    "training.batch_tokens=128",
]  # fmt: skip


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two layers of width 8, 40 places; hidden words alone, so no pooler."""
    out = tmp_path_factory.mktemp("encoder") / "r"
    regard.train("bert-tiny", out=out, set_=[*TINY, "training.epochs=1"], quiet=True)
    return out


def classify(start: Path, out: Path, *settings: str) -> Classifier:
    regard.train("bert-classifier", out=out, from_=start, set_=[*FEW, *settings], quiet=True)
    return regard.load(out, task="classification")


def test_sizes_vocabulary_and_weights_are_those_of_the_encoder(encoder: Path, tmp_path: Path) -> None:
    tuned = classify(encoder, tmp_path / "r", "training.frozen_layers=1")
    before = regard.load(encoder, task="masked-language-model")
    assert isinstance(tuned.recipe, ClassificationRecipe)
    assert isinstance(tuned.recipe.model, BertReaderConfig)
    assert (tuned.recipe.model.encoder.width, tuned.recipe.model.encoder.places) == (8, 40)
    assert tuned.recipe.text == before.recipe.text
    assert tuned.tokenizer.to_json() == before.tokenizer.to_json()
    own, there = weights_of(tuned.module), weights_of(before.module)
    frozen = [name for name in there if "embedding" in name or name.startswith("encoder.0.")]
    assert len(frozen) > 10
    assert all(torch.equal(own[f"bert.{name}"], there[name]) for name in frozen)
    assert not torch.equal(own["bert.encoder.1.self.input.weight"], there["encoder.1.self.input.weight"])


def test_weights_by_chance_with_the_sizes_and_the_vocabulary_of_the_encoder(
    encoder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The weights are those of the seed, as if there were no encoder."""
    frozen = ("training.frozen_layers=2", "training.seed=5", "training.epochs=1")
    settings = [*FEW, *frozen, "start.weights=chance"]
    regard.train("bert-classifier", out=tmp_path / "r", from_=encoder, set_=settings)
    assert "the vocabulary of" in (told := capsys.readouterr().err)
    assert "random initialisation" in told
    tuned = regard.load(tmp_path / "r", task="classification")
    before = regard.load(encoder, task="masked-language-model")
    assert tuned.tokenizer.to_json() == before.tokenizer.to_json()
    torch.manual_seed(5)
    size = len(before.tokenizer)
    fresh = weights_of(build_classifier(tuned.recipe.model, source_size=size, outputs=2, texts=1))
    own, there = weights_of(tuned.module), weights_of(before.module)
    for name in there:
        if "embedding.weight" in name or name.startswith("encoder."):
            assert torch.equal(own[f"bert.{name}"], fresh[f"bert.{name}"])
            assert "norm" in name or "bias" in name or not torch.equal(own[f"bert.{name}"], there[name])


def test_another_dropout_is_no_other_model(encoder: Path, tmp_path: Path) -> None:
    settings = [*TINY, "training.epochs=1", "model.dropout=0.0", "model.attention_dropout=0.0"]
    regard.train("bert-tiny", out=tmp_path / "r", from_=encoder, set_=settings, quiet=True)
    assert regard.load(tmp_path / "r", task="masked-language-model").recipe.model.attention_dropout == 0.0


def test_a_stopped_run_goes_on_to_the_same_bits(
    encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = ["training.frozen_layers=0", "training.optimizer.layer_decay=0.8"]
    moved = tmp_path / "encoder"
    copytree(encoder, moved)
    resumes_to_the_same_bits(
        lambda out: classify(moved, out, *settings),
        tmp_path,
        monkeypatch,
        {3},
        meanwhile=lambda: rmtree(moved),
    )


def test_a_folder_of_transformers_is_fine_tuned_with_its_own_tokens(
    foreign: Path,  # noqa: F811
    tmp_path: Path,
) -> None:
    data = tmp_path / "t.tsv"
    rows = [("나는 학교에 갔다 .", "school"), ("나는 바다에 갔다 .", "sea")] * 6
    data.write_text("text\tlabel\n" + "".join(f"{a}\t{b}\n" for a, b in rows), encoding="utf-8")
    settings = [f"data.train={data}", f"data.dev={data}", "data.max_tokens=14", "training.epochs=30"]
    settings += ["training.optimizer.learning_rate=0.01", "training.schedule.warmup_steps=2"]
    tuned = classify(foreign, tmp_path / "r", *settings)
    assert isinstance(tuned.tokenizer, ForeignVocabulary)
    found = tuned.classify(["나는 학교에 갔다.", "나는 바다에 갔다."])
    assert [one.label for one in found] == ["school", "sea"]
    assert found[0].attention.words().columns == ("[CLS]", "나는", "학교에", "갔다", ".", "[SEP]")
    assert len(found[0].attention.maps()) == 6, "two layers of three heads"
    effect = tuned.classify("나는 학교에 갔다.", edit=regard.mask("학교에"))
    assert effect.divergence > 0
    again = read_model(tmp_path / "r").tokenizers["joint"]
    assert ForeignVocabulary.stored(again, "here").to_json() == again == tuned.tokenizer.to_json()


def test_an_exported_encoder_is_one_to_begin_with(encoder: Path, tmp_path: Path) -> None:
    """Its folder has a manifest, as those that regard trains have."""
    regard.export_model(encoder, tmp_path / "m")
    tuned = classify(tmp_path / "m", tmp_path / "r", "training.epochs=1", "training.frozen_layers=2")
    own, there = weights_of(tuned.module), weights_of(regard.load(encoder).module)
    assert torch.equal(own["bert.encoder.1.self.input.weight"], there["encoder.1.self.input.weight"])


def test_vectors_are_learned_from_it_and_a_classifier_from_these(encoder: Path, tmp_path: Path) -> None:
    few = ["data.train.rows=60", "data.dev.rows=15", "data.test=null", "data.max_tokens=38"]
    settings = [*few, "training.epochs=1", "training.frozen_layers=0"]
    regard.train("bert-embedder", out=tmp_path / "v", from_=encoder, set_=settings, quiet=True)
    vectors = regard.load(tmp_path / "v", task="embedding")
    own, there = weights_of(vectors.module), weights_of(regard.load(encoder).module)
    assert torch.equal(own["bert.word_embedding.weight"], there["word_embedding.weight"])
    assert not torch.equal(own["bert.encoder.1.self.input.weight"], there["encoder.1.self.input.weight"])
    assert vectors.embed("이 책은 아주 좋다.").shape == (8,)
    tuned = classify(tmp_path / "v", tmp_path / "r", "training.epochs=1", "training.frozen_layers=2")
    taken = weights_of(tuned.module)
    assert torch.equal(taken["bert.encoder.1.self.input.weight"], own["bert.encoder.1.self.input.weight"])


def test_logits_are_those_of_transformers(tmp_path: Path) -> None:
    theirs = write_their_bert(BertForSequenceClassification, tmp_path / "m")
    stored = read_encoder(tmp_path / "m")
    config = BertReaderConfig(encoder=stored.described.config, frame=(2, 3))
    ours = BertClassifier(config, source_size=17, outputs=3)
    weights = {f"bert.{name}": value for name, value in stored.weights.items()}
    weights |= {"head.output.weight": theirs.classifier.weight, "head.output.bias": theirs.classifier.bias}
    tokens, lengths = torch.tensor([[5, 9, 16, 4], [6, 8, 0, 0]]), torch.tensor([4, 2])
    with torch.no_grad():
        for name, parameter in ours.named_parameters():
            parameter.copy_(weights[name])
        framed = torch.tensor([[2, 5, 9, 16, 4, 3], [2, 6, 8, 3, 0, 0]])
        expected = theirs(framed, attention_mask=(torch.arange(6) < lengths[:, None] + 2).long()).logits
        assert_close(ours(tokens, lengths).logits, expected, atol=1e-5, rtol=0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["model.encoder.width=16"], r"model.encoder.width is 16 here, and 8 in .*; leave it out"),
        (["data.max_tokens=39"], "data.max_tokens 39 is more than the 38 tokens that"),
        (["start.vocabulary=extend"], "the vocabulary of an encoder cannot be extended for another task"),
        (["training.frozen_layers=3"], "the encoder has 2 layers, found 3 to be frozen"),
    ],
)
def test_what_does_not_fit_is_told(encoder: Path, tmp_path: Path, settings: list[str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        classify(encoder, tmp_path / "r", *settings)
    assert not (tmp_path / "r" / "run.json").exists()


def test_other_models_do_not_begin_with_an_encoder(encoder: Path, tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match="is a model for masked-language-model, and the recipe is for class"
    ):
        regard.train("self-attentive", out=tmp_path / "r", from_=encoder, quiet=True)


def test_without_a_start_a_text_must_fit() -> None:
    with pytest.raises(ConfigError, match=r"data.max_tokens 60 is more than the 8 tokens that model.e"):
        regard.train("bert-classifier", out="nowhere", set_=["model.encoder.places=10"])


def test_lower_layers_learn_more_slowly_in_a_run(encoder: Path, tmp_path: Path) -> None:
    """With a decay of 10^-4 a layer, what is three layers below the head hardly moves."""
    tuned = classify(encoder, tmp_path / "r", "training.epochs=1", "training.optimizer.layer_decay=0.0001")
    own, there = weights_of(tuned.module), weights_of(regard.load(encoder).module)
    moved = {
        name: float((own[f"bert.{name}"] - there[name]).abs().max())
        for name in ("place_embedding.weight", "encoder.0.self.input.weight", "encoder.1.self.input.weight")
    }
    lowest, lower, upper = moved.values()
    assert lowest < 1e-6
    assert lower < upper / 100


def test_pairs_are_read_as_one(encoder: Path, tmp_path: Path) -> None:
    """[<s> first </s> second </s>], in two segments; each text can look at the other."""
    data = [f"data.{part}={{kind: builtin, world: inference, rows: 30}}" for part in ("train", "dev")]
    columns = ["data.text=premise", "data.second=hypothesis", "data.max_tokens=18", "training.epochs=1"]
    pairs = classify(encoder, tmp_path / "r", *data, *columns)
    found = pairs.classify("그 학생이 책을 읽었다.", "학생이 잔다.")
    words = found.attention.words()
    assert words.columns == (
        "<s>", "그", "학생이", "책을", "읽었다", ".", "</s>", "학생이", "잔다", ".", "</s>"
    )  # fmt: skip
    assert words.weights[2, 7] > 0, "a word of the first text looks at one of the second"
    for edit in (regard.mask("잔다"), regard.remove("책을"), regard.remove(8)):
        effect = pairs.classify("그 학생이 책을 읽었다.", "학생이 잔다.", edit=edit)
        assert effect.divergence > 0
    gone = effect.attention.words().columns
    assert "책을" in gone
    with pytest.raises(DataError, match="expected at most 37 tokens, which is the most that"):
        pairs.classify("책을 " * 20, "학교에 " * 20)
    lines = pairs.classify_lines([("x:1", "책을\t학교에"), ("x:2", "책을 " * 20 + "\t" + "학교에 " * 20)])
    assert next(lines).source == "책을"
    with pytest.raises(DataError, match=r"^x:2: expected at most 37 tokens"):
        next(lines)
    long = tmp_path / "dev.tsv"
    long.write_text(
        f"premise\thypothesis\tlabel\n{'책을 ' * 20}\t{'책을 ' * 20}\t{pairs.labels[0]}\n", "utf-8"
    )
    with pytest.raises(DataError, match=r"dev.tsv:2: expected at most 37 tokens, .*; split it"):
        classify(encoder, tmp_path / "y", *data, *columns, f"data.dev={long}")
    with pytest.raises(ConfigError, match=r"data.max_tokens 19 is more than the 18 tokens that"):
        classify(encoder, tmp_path / "x", *data, *columns, "data.max_tokens=19")


def test_pairs_that_a_spelling_makes_too_long_keep_their_own(tmp_path: Path) -> None:
    """With a dropout of almost all merges a word is about as many tokens as it has letters."""
    rows = [
        ("그 학생이 책을 읽었다.", "학생이 책을 읽었다.", "yes"),
        ("그 학생이 잔다.", "학생이 책을 읽었다.", "no"),
    ]
    pairs = tmp_path / "pairs.tsv"
    lines = ["\t".join(row) for row in [("premise", "hypothesis", "label"), *(rows * 6)]]
    pairs.write_text("\n".join(lines) + "\n", encoding="utf-8")
    data = [f"data.{part}={pairs}" for part in ("train", "dev")]
    columns = ["data.text=premise", "data.second=hypothesis", "data.max_tokens=6", "training.epochs=1"]
    sizes = ["width: 8", "heads: 2", "feed_forward: 12", "layers: 1", "places: 16", "masked_words: false"]
    encoder = f"model.encoder={{kind: bert, {', '.join(sizes)}}}"
    text = "text={kind: bpe, vocabulary_size: 500, dropout: 0.9}"
    settings = ["data.test=null", "training.batch_tokens=128", *data, *columns, encoder, text]
    regard.train("bert-classifier", out=tmp_path / "r", set_=settings, quiet=True)
    assert regard.load(tmp_path / "r", task="classification").reads_pairs


def test_a_long_text_is_read_in_windows_and_says_so(encoder: Path, tmp_path: Path) -> None:
    tuned = classify(encoder, tmp_path / "r", "training.epochs=1")
    long, short = tuned.classify(["책을 " * 60, "책을 읽었다."])
    assert long.notes[0].endswith("windows of at most 38 that overlap")
    assert "longer than what this model reads at once" in str(long.attention.reason)
    assert sum(long.probabilities.values()) == pytest.approx(1.0)
    assert (short.notes, short.attention.reason) == ((), None)
    with pytest.raises(DataError, match="what is read in windows has no attention over the whole text"):
        tuned.classify("책을 " * 60, edit=regard.mask("책을"))


@pytest.mark.parametrize("frame", [(99_999, 3), (2, 17)])
def test_a_frame_beyond_the_vocabulary_is_told(frame: tuple[int, int]) -> None:
    config = BertReaderConfig(frame=frame)
    with pytest.raises(ConfigError, match=rf"model.frame: expected entries below 17, .* found {max(frame)}"):
        build_classifier(config, source_size=17, outputs=2, texts=1)


def test_the_frame_of_pairs_by_hand() -> None:
    frame = SpecialTokens(2, 3, longest=20)
    first = PaddedTokens(torch.tensor([[5, 6, 7], [8, 0, 0]]), torch.tensor([3, 1]))
    second = PaddedTokens(torch.tensor([[9, 0], [10, 11]]), torch.tensor([1, 2]))
    alone, segments = frame.around(first)
    assert alone.lengths.tolist() == [5, 3]
    assert alone.tokens[0].tolist() == [2, 5, 6, 7, 3]
    assert alone.tokens[1, :3].tolist() == [2, 8, 3]
    assert not segments.any()
    both, segments = frame.around(first, second)
    assert both.lengths.tolist() == [7, 6]
    assert both.tokens[0].tolist() == [2, 5, 6, 7, 3, 9, 3]
    assert both.tokens[1, :6].tolist() == [2, 8, 3, 10, 11, 3]
    assert segments.tolist() == [[0, 0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1, 0]]
